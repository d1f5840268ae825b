"""The same statements on a real PostgreSQL and a real MariaDB, over the same seed: equal rows, and no write."""

import asyncio
import time
from collections.abc import AsyncIterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
import pytest_asyncio
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from services.tool_gateway.data.migrate import _differing
from services.tool_gateway.data.reader import Reader, ReadTimeout
from services.tool_gateway.data.server_reads import ServerReads
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.statements import load_statements
from tests.support.databases import SERVERS
from tests.support.shop import reading as connected
from tests.support.shop import writing
from tests.unit.tool_gateway.search.asked import ASKED
from tests.unit.tool_gateway.search.attacks import ATTACKS
from tests.unit.tool_gateway.search.sample_values import values_for
from tests.unit.tool_gateway.seeded_data import reading

pytestmark = [pytest.mark.timeout(300), pytest.mark.long]

ONE = sa.text("SELECT 1 AS one")
SLOW = sa.text("SELECT COUNT(*) FROM search_postings AS a, search_postings AS b, search_postings AS c")
COUNTS = sa.text("SELECT (SELECT COUNT(*) FROM products) + (SELECT COUNT(*) FROM offers) AS counted")
RUNNING = {
    "postgresql": "SELECT COUNT(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%AS c'",
    "mysql": "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '%AS c'",
}


@pytest.fixture(params=SERVERS)
def server_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of each server's database with the whole seed in turn."""
    url: str = request.getfixturevalue(f"{request.param}_seeded")
    return url


@pytest_asyncio.fixture
async def on_server(server_url: str) -> AsyncIterator[Reader]:
    """Return a reader with one connection, so that a connection that is lost is noticed."""
    opened = Reader.open(server_url, connections_max=1)
    yield opened
    assert opened.connections_in_use == 0
    await opened.close()


def _plain(value: Any) -> Any:
    """Return a value as every database means it: times and dates as text, numbers as floats, bytes as bytes."""
    if isinstance(value, datetime):
        return value.isoformat(" ", "seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str) and len(value) == 26 and value[10] == " ":
        return value[:19]
    if isinstance(value, (float, Decimal)):
        return pytest.approx(float(value), rel=1e-9)
    return bytes(value) if isinstance(value, memoryview) else value


async def _rows(reader: Reader, template_id: str) -> list[dict[str, Any]]:
    found = await GatewayReads(reader).records(template_id, ASKED[template_id], rows_max=200, timeout_seconds=20)
    return [{name: _plain(value) for name, value in row.items()} for row in found]


def test_every_statement_is_asked() -> None:
    """The values under which rows come back cover every packaged statement."""
    assert set(ASKED) == set(load_statements())


@pytest.mark.long
@pytest.mark.asyncio
async def test_every_statement_returns_the_same(reader, on_server) -> None:
    """One statement text gives equal rows, in the same order, on SQLite and on the server."""
    for template_id in ASKED:
        on_sqlite = await _rows(reader, template_id)
        assert on_sqlite, template_id
        assert await _rows(on_server, template_id) == on_sqlite, template_id


@pytest.mark.asyncio
async def test_search_finds_the_same(reader, on_server) -> None:
    """A question finds the same articles in the same order on both."""
    found = []
    for each in (reader, on_server):
        hits = await GatewayReads(each).finder.find("law", "전세금을 얼마까지 올릴 수 있나요", timeout_seconds=20)
        found.append([(hit.document_id, pytest.approx(hit.score)) for hit in hits])
    assert found[0] == found[1]
    assert found[0][0][0] in {"HLPA-7", "HLPD-8"}


@pytest.mark.asyncio
async def test_values_never_become_sql(on_server) -> None:
    """Attack strings are bound: no rows of theirs come back, and the tables hold what they held."""
    before = await on_server.fetch(COUNTS, {}, 10)
    statements = [one for one in load_statements().values() if "security_id" in one.parameters]
    for number, attack in enumerate(ATTACKS):
        statement = statements[number % len(statements)]
        values = {**values_for(statement), "security_id": attack.replace("\x00", "")}
        assert await on_server.fetch(statement.clause, statement.bind(values), 10) == []
    assert await on_server.fetch(COUNTS, {}, 10) == before


@pytest.mark.parametrize(
    "write",
    [
        "DELETE FROM law_articles",
        "UPDATE offers SET price_krw = 1",
        "INSERT INTO seed_state VALUES (2, 1, '2026-01-01', '2026-01-01', '')",
        "DROP TABLE news_articles",
        "CREATE TABLE x (a INTEGER)",
    ],
)
@pytest.mark.asyncio
async def test_a_write_fails(on_server, write) -> None:
    """A write through a read connection is refused by the server, and reading goes on."""
    with pytest.raises(DBAPIError, match=r"(?i)read-only|read only"):
        await on_server.fetch(sa.text(write), {}, 10)
    assert await on_server.fetch(ONE, {}, 5) == [{"one": 1}]


@pytest.mark.asyncio
async def test_a_statement_stops_when_its_time_is_up(on_server, server_url) -> None:
    """A long statement ends soon after its timeout, on the server too, and the next read is served at once."""
    began = time.monotonic()
    with pytest.raises(ReadTimeout):
        await on_server.fetch(SLOW, {}, 0.3)
    assert await on_server.fetch(ONE, {}, 2) == [{"one": 1}]
    assert time.monotonic() - began < 3
    assert on_server._tasks == set()
    await _none_running(server_url)


@pytest.mark.asyncio
async def test_a_cancelled_read_stops_its_statement(on_server, server_url) -> None:
    """Cancelling the caller stops the statement on the server; the connections stay as many as they were."""
    task = asyncio.create_task(on_server.fetch(SLOW, {}, 60))
    await reading(on_server)
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await on_server.fetch(ONE, {}, 2) == [{"one": 1}]
    await _none_running(server_url)


async def _none_running(url: str) -> None:
    """Wait until the server runs no such statement any more."""
    async with asyncio.timeout(2):
        while True:
            with connected(url) as connection:
                running = connection.exec_driver_sql(RUNNING[connection.dialect.name].replace("%", "%%")).scalar()
            if not running:
                return
            await asyncio.sleep(0.05)


@pytest.mark.asyncio
async def test_a_role_that_may_only_select(server_url) -> None:
    """Every statement runs under a role that holds nothing but SELECT, and no setting of its session gives it more."""
    reader = Reader.open(_reading_role(server_url))
    for template_id in ASKED:
        assert await _rows(reader, template_id), template_id
    assert isinstance(reader._reads, ServerReads)
    async with reader._reads.asynchronous.connect() as connection:
        mysql = connection.dialect.name == "mysql"
        access = "SET SESSION TRANSACTION READ WRITE" if mysql else "SET default_transaction_read_only = off"
        await connection.exec_driver_sql(access)
        await connection.commit()
        with pytest.raises(DBAPIError, match=r"denied"):
            await connection.exec_driver_sql("DELETE FROM law_articles")
    await reader.close()


def _reading_role(url: str) -> str:
    """Make a role that may only select, and return the URL under which it connects."""
    with writing(url) as connection:
        if connection.dialect.name == "mysql":
            connection.exec_driver_sql("CREATE USER reader@localhost IDENTIFIED BY 'reads'")
            connection.exec_driver_sql("GRANT SELECT ON seeded.* TO reader@localhost")
        else:
            connection.exec_driver_sql("CREATE ROLE reader LOGIN PASSWORD 'reads'")
            connection.exec_driver_sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    return sa.make_url(url).set(username="reader", password="reads").render_as_string(hide_password=False)


def test_the_schema_is_what_the_tables_describe(server_url) -> None:
    """Migrations and definitions describe one schema on the server too, types and indexes included."""
    with connected(server_url) as connection:
        assert _differing(connection) == frozenset()
