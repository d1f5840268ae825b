"""Seeding over a schema of an earlier state: brought to this version's, or refused in a sentence; records are kept."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from services.domains.commerce.data.sample.products import products_block
from services.plugin.data.tables import METADATA
from services.tool_gateway.data.migrate import SchemaRefused, _differing, upgrade
from services.tool_gateway.data.sample import build
from services.tool_gateway.data.schema import newest_revisions
from services.tool_gateway.data.seed.child import seed_database
from services.tool_gateway.data.seed.children import seed
from services.tool_gateway.data.seed.messages import SeedFailed, SeedReport, SeedRequest
from tests.support.databases import fresh_database
from tests.support.shop import AS_OF, Shop, reading, writing

KEPT = ("effects", "approvals")


@pytest.fixture
def reseed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], SeedReport]:
    """Return a function that loads a part of the sample data, in this process."""
    monkeypatch.setattr(build, "build_blocks", lambda _domains, _as_of, _warn: [("commerce", products_block(AS_OF))])

    def run(url: str) -> SeedReport:
        return seed_database(SeedRequest(url=url, as_of=AS_OF, force=True), lambda _: None)

    return run


def _records(url: str) -> list[list[Any]]:
    with reading(url) as connection:
        return [sorted(map(repr, connection.execute(sa.select(METADATA.tables[name])))) for name in KEPT]


def _execute(url: str, *statements: str) -> None:
    with writing(url) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


@pytest.mark.asyncio
async def test_a_schema_that_is_not_what_it_says_is_made_anew(shop: Shop, reseed) -> None:
    """Tables and columns that are missing from the revision that is recorded come back; every record is as it was."""
    call = shop.call("ADD_TO_CART", {"product_id": shop.offer()["product_id"]})
    await shop.done(call)
    await shop.previewed(shop.call("CANCEL_ORDER", {"order_id": "ORD-10002", "reason": "마음이 바뀌었어요"}))
    before = _records(shop.url)
    assert all(before)
    _execute(
        shop.url,
        "DROP TABLE search_vectors",
        "DROP TABLE realty_listings",
        "ALTER TABLE reviews DROP COLUMN body",
        "ALTER TABLE coupons ADD COLUMN colour INTEGER",
    )
    report = reseed(shop.url)
    assert report.loaded
    assert "made anew" in report.notes[0]
    assert _records(shop.url) == before
    with reading(shop.url) as connection:
        assert _differing(connection) == frozenset()
    assert len(shop.rows("SELECT * FROM products")) == 648
    with writing(shop.url) as connection:
        assert upgrade(connection) is False


@pytest.mark.asyncio
async def test_a_database_of_the_time_before_branches_is_adopted(sqlite_shop: Shop) -> None:
    """Its tables and rows stay as they are; each branch is recorded at its first revision or what follows it."""
    await sqlite_shop.done(sqlite_shop.call("ADD_TO_CART", {"product_id": sqlite_shop.offer()["product_id"]}))
    state = sqlite_shop.state()
    _execute(sqlite_shop.url, "DELETE FROM alembic_version", "INSERT INTO alembic_version VALUES ('0004')")
    with writing(sqlite_shop.url) as connection:
        assert upgrade(connection) is False
        recorded = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    assert set(recorded) == newest_revisions()
    assert sqlite_shop.state() == state


@pytest.mark.asyncio
async def test_an_adopted_database_that_lacks_tables_gets_them(sqlite_shop: Shop, reseed) -> None:
    """One of an earlier revision lacks tables: the sample is made anew, and what was done is as it was."""
    await sqlite_shop.done(sqlite_shop.call("ADD_TO_CART", {"product_id": sqlite_shop.offer()["product_id"]}))
    before = _records(sqlite_shop.url)
    _execute(
        sqlite_shop.url,
        "DELETE FROM alembic_version",
        "INSERT INTO alembic_version VALUES ('0003')",
        "DROP TABLE realty_transactions",
    )
    assert "made anew" in reseed(sqlite_shop.url).notes[0]
    assert _records(sqlite_shop.url) == before
    with reading(sqlite_shop.url) as connection:
        assert _differing(connection) == frozenset()


def test_a_branch_that_is_not_installed_is_left_as_it_is(sqlite_url: str) -> None:
    """The record of a domain that is not installed here stays, whatever it says."""
    _execute(sqlite_url, "INSERT INTO alembic_version VALUES ('elsewhere_0007')")
    with writing(sqlite_url) as connection:
        assert upgrade(connection) is False
        recorded = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    assert set(recorded) == newest_revisions() | {"elsewhere_0007"}


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_newer_revision_is_refused_in_a_sentence(sqlite_shop: Shop) -> None:
    """A database that a newer version made is left as it is; the seed names its revision and shows no traceback."""
    _execute(sqlite_shop.url, "UPDATE alembic_version SET version_num = 'core_9999' WHERE version_num LIKE 'core%'")
    before = sqlite_shop.state()
    with pytest.raises(SeedFailed, match="revision core_9999") as refused:
        await seed(sqlite_shop.url, as_of=AS_OF)
    assert "Traceback" not in str(refused.value)
    assert sqlite_shop.state() == before


def test_records_that_differ_are_not_touched(sqlite_url: str, reseed) -> None:
    """Where the ledger itself is not as described, the seed stops, names it, and has changed nothing."""
    _execute(sqlite_url, "ALTER TABLE effects ADD COLUMN colour INTEGER", "DROP TABLE search_vectors")
    with pytest.raises(SchemaRefused, match=r"effects.*never dropped"):
        reseed(sqlite_url)
    with reading(sqlite_url) as connection:
        assert "colour" in {column["name"] for column in sa.inspect(connection).get_columns("effects")}
        assert not sa.inspect(connection).has_table("search_vectors")
        assert connection.exec_driver_sql("SELECT COUNT(*) FROM products").scalar() == 648


@pytest.mark.xdist_group("mariadb")
def test_a_migration_killed_on_mariadb_is_done_again(mariadb: sa.URL) -> None:
    """Tables that a killed migration left, each committed by itself, are dropped and made by the next one."""
    with fresh_database(mariadb) as url:
        with writing(url) as connection:
            upgrade(connection)
            # As a kill leaves it: the tables are there, and the record of the revision is not.
            connection.exec_driver_sql("DELETE FROM alembic_version")
            connection.exec_driver_sql("DROP TABLE product_tokens")
        with writing(url) as connection:
            assert upgrade(connection) is False
            assert _differing(connection) == frozenset()
