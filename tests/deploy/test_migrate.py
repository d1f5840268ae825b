"""`hapju migrate`: what a deployment runs before its services start, on databases that were given by URL."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from services.durable import engines
from services.plugin.data.tables import METADATA
from services.tool_gateway.data.migrate import migrate_database
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.seed.state import schema_lacking, seeded
from services.tool_gateway.reads import GatewayReads
from tests.support.commands import Ended, hapju
from tests.support.databases import fresh_database, postgres  # noqa: F401 - a fixture is found by its name here


@pytest.fixture
def one_database(postgres: sa.URL) -> Iterator[str]:  # noqa: F811 - as pytest has it
    """Return the URL of an empty PostgreSQL database, for both stores."""
    with fresh_database(postgres) as url:
        yield url


def given(url: str, tmp_path: Path) -> dict[str, str]:
    """Return the settings of a deployment that keeps both stores in one database."""
    return {"HAPJU_SQL_URL": url, "HAPJU_STORE_URL": url, "HAPJU_DATA_DIR": str(tmp_path)}


def tables_of(url: str) -> set[str]:
    """Return the names of the tables that a database has."""
    engine = sa.create_engine(sa.make_url(url).set(drivername="postgresql+psycopg"))
    try:
        return set(sa.inspect(engine).get_table_names())
    finally:
        engine.dispose()


@pytest.mark.long
@pytest.mark.asyncio
async def test_both_stores_are_brought_up_in_one_database_by_whoever_comes_first(
    one_database: str, tmp_path: Path
) -> None:
    """Two at once and one more: each succeeds, there is one schema, it is whole, and no sample row is in it."""
    settings = given(one_database, tmp_path)
    ended = await asyncio.gather(*(hapju("migrate", "--json", **settings) for _ in range(2)))
    ended.append(await hapju("migrate", "--json", **settings))
    assert [one.code for one in ended] == [0, 0, 0], [one.errors for one in ended]
    assert {frozenset(json.loads(one.output)["migrated"]) for one in ended} == {frozenset({"flows", "data"})}
    assert set(METADATA.tables) | {engines.VERSION_TABLE, "flows"} <= tables_of(one_database)
    assert await seeded(one_database) is None
    reader = Reader.open(one_database, connections_max=1)
    try:
        assert await schema_lacking(GatewayReads(reader)) == ""
    finally:
        await reader.close()


@pytest.mark.parametrize("first", ["flows", "data"])
def test_the_order_of_the_stores_does_not_matter(one_database: str, first: str) -> None:
    """Whichever is brought up first, and each once more behind the other: both have their newest schema."""
    engine = engines.writing_engine(engines.store_url(one_database))
    steps: Sequence[Any] = (lambda: engines.migrate(engine), lambda: migrate_database(one_database))
    try:
        for step in steps if first == "flows" else reversed(steps):
            step()
        whole = tables_of(one_database)
        for step in steps:
            step()
    finally:
        engine.dispose()
    assert tables_of(one_database) == whole
    assert set(METADATA.tables) | {engines.VERSION_TABLE, "flows"} <= whole


@pytest.mark.asyncio
async def test_no_sample_row_comes_into_a_database_that_was_given(tmp_path: Path) -> None:
    """Neither `hapju seed` nor a migration that loads samples where data is embedded writes one, unless asked."""
    url = f"sqlite+aiosqlite:///{tmp_path}/bank.db"
    refused = await hapju("seed", HAPJU_SQL_URL=url, HAPJU_DATA_DIR=str(tmp_path))
    assert refused.code == 2
    assert "--into-sql-url" in refused.errors
    assert not (tmp_path / "bank.db").exists()
    done = await hapju("migrate", "--sample", "embedded", HAPJU_SQL_URL=url, HAPJU_DATA_DIR=str(tmp_path))
    assert (done.code, "sample" in done.output) == (0, False)
    assert await seeded(url) is None


@pytest.mark.asyncio
async def test_a_database_that_is_away_is_waited_for(tmp_path: Path) -> None:
    """It is told once a second that the database is away, and after the wait that it stays so: a sentence each."""
    url = "postgresql+psycopg://bank:secret@127.0.0.1:9/bank"
    ended: Ended = await hapju("migrate", "--wait", "2", HAPJU_SQL_URL=url, HAPJU_DATA_DIR=str(tmp_path))
    assert ended.code == 1
    assert "HAPJU_SQL_URL: the database is away; waiting for it" in ended.errors
    assert "Traceback" not in ended.errors
    assert "secret" not in ended.errors + ended.output
