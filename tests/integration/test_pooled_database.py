"""PostgreSQL as people run it: behind PgBouncer in transaction mode, and one database for both stores."""

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from services.durable.engines import VERSION_TABLE, migrate, store_url, writing_engine
from services.durable.schema import METADATA as FLOW_TABLES
from services.durable.store import FlowStore
from services.plugin.data.tables import METADATA as DATA_TABLES
from services.runtime.errors import Unavailable
from services.tool_gateway.data.migrate import upgrade
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.writer import DataWriter
from tests.support.certificates import Authority
from tests.support.cluster import embedded
from tests.support.pgbouncer import pooled
from tests.support.stores import postgres_url

AT_ONCE, ROUNDS = 16, 2
"""Four times as many flows at once as there are sessions."""
pytestmark = pytest.mark.xdist_group("postgres")


@pytest.fixture
def pool() -> Iterator[sa.URL]:
    """An empty database behind a pooler."""
    with pooled(sa.make_url(postgres_url())) as url:
        yield url


@pytest.mark.long
@pytest.mark.asyncio
async def test_flows_are_kept_behind_a_pooler(tmp_path: Path, data: Path, pool: sa.URL) -> None:
    """Each transaction may have another session: every flow finishes and is told again as it was."""
    url = pool.render_as_string(hide_password=False)
    async with embedded(tmp_path, data, store_url=url, typed_asks=True) as cluster:
        for _ in range(ROUNDS):
            told = await asyncio.gather(*(cluster.ask("애플 주가 알려줘") for _ in range(AT_ONCE)))
            assert [one.terminal for one in told] == [["finished"]] * AT_ONCE


def _insert(number: int, connection: sa.Connection) -> None:
    connection.execute(sa.text("INSERT INTO seen VALUES (:n)"), {"n": number})


@pytest.mark.asyncio
async def test_data_is_read_and_never_written_behind_a_pooler(pool: sa.URL) -> None:
    """What a reader runs is read-only in its transaction, whoever had the session before; a writer may write."""
    url = pool.render_as_string(hide_password=False)
    writer, reader = DataWriter.open(url), Reader.open(url)
    await writer.transact(lambda connection: connection.execute(sa.text("CREATE TABLE seen (n integer)")))
    for number in range(20):
        await writer.transact(partial(_insert, number))
        rows = await reader.fetch(sa.text("SELECT count(*) AS n FROM seen"), {}, 5.0)
        assert rows == [{"n": number + 1}]
        with pytest.raises(sa.exc.DBAPIError, match="read-only"):
            await reader.fetch(sa.text("INSERT INTO seen VALUES (99) RETURNING n"), {}, 5.0)
    await reader.close()
    await writer.close()


@pytest.mark.parametrize("first", ["flows", "data"])
def test_one_database_holds_both_stores(first: str) -> None:
    """In whichever order they come."""
    url = postgres_url()
    engine = writing_engine(store_url(url))
    if first == "flows":
        migrate(engine)
    with engine.begin() as connection:
        upgrade(connection)
    migrate(engine)
    with engine.begin() as connection:
        upgrade(connection)
        there = set(sa.inspect(connection).get_table_names())
    assert there >= {*FLOW_TABLES.tables, *DATA_TABLES.tables, VERSION_TABLE, "alembic_version"}
    assert set(FLOW_TABLES.tables).isdisjoint(DATA_TABLES.tables)
    engine.dispose()


@pytest.mark.asyncio
async def test_both_stores_take_the_urls_tls(tmp_path: Path) -> None:
    """What a URL says of TLS is what is done: the server's certificate is checked, and a foreign one refused."""
    ours, foreign = Authority(tmp_path / "ours"), Authority(tmp_path / "foreign")
    files = ours.sign("database")
    for file in tmp_path.rglob("*"):
        file.chmod(0o755 if file.is_dir() else 0o644)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    given = {"client_tls_sslmode": "require"}
    given |= {"client_tls_cert_file": files["tls_cert"], "client_tls_key_file": files["tls_key"]}
    with pooled(sa.make_url(postgres_url()), given) as url:
        over_tls = url.update_query_dict({"sslmode": "verify-full", "sslrootcert": files["tls_ca"]})
        known = over_tls.render_as_string(hide_password=False)
        store = await FlowStore.open(known)
        assert await store.check() == ""
        await store.close()
        reader = Reader.open(known)
        rows = await reader.fetch(sa.text("SELECT 1 AS one"), {}, timeout_seconds=5)
        assert rows == [{"one": 1}]
        await reader.close()
        unknown = over_tls.update_query_dict({"sslrootcert": foreign.sign("other")["tls_ca"]})
        for refused in (unknown, url.update_query_dict({"sslmode": "disable"})):
            with pytest.raises((Unavailable, OperationalError)):
                await FlowStore.open(refused.render_as_string(hide_password=False))
