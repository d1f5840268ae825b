"""Read-only connections: no write gets through, a statement really stops, a connection goes back clean."""

import asyncio
import contextlib
import sqlite3
import time

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError, ResourceClosedError

from services.tool_gateway.data.reader import DatabaseUnavailable, Reader, ReadTimeout
from tests.unit.tool_gateway.seeded_data import reading

# Counts for minutes when nothing stops it.
ENDLESS = text(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT COUNT(*) AS c FROM n"
)
ONE = text("SELECT 1 AS one")


@pytest.mark.parametrize(
    "write",
    [
        "INSERT INTO seed_state VALUES (1, 1, '', '', '')",
        "UPDATE offers SET price_krw = 1",
        "DELETE FROM products",
        "DROP TABLE products",
        "CREATE TABLE x (a INTEGER)",
    ],
)
@pytest.mark.asyncio
async def test_a_write_fails(reader: Reader, write) -> None:
    """Every kind of write through a read connection fails in the database, and reading goes on."""
    with pytest.raises(OperationalError, match="readonly"):
        await reader.fetch(text(write), {}, 5)
    assert await reader.fetch(ONE, {}, 5) == [{"one": 1}]


@pytest.mark.asyncio
async def test_query_only_cannot_be_left(reader: Reader) -> None:
    """Even with query_only switched off, the file itself is opened for reading only."""
    with contextlib.suppress(ResourceClosedError):  # a PRAGMA that sets returns no rows
        await reader.fetch(text("PRAGMA query_only = 0"), {}, 5)
    with pytest.raises(OperationalError, match="readonly"):
        await reader.fetch(text("DELETE FROM products"), {}, 5)


@pytest.mark.asyncio
async def test_a_statement_stops_when_its_time_is_up(reader: Reader) -> None:
    """An endless statement ends soon after its timeout, and the only connection serves the next read at once."""
    began = time.monotonic()
    with pytest.raises(ReadTimeout):
        await reader.fetch(ENDLESS, {}, 0.2)
    assert await reader.fetch(ONE, {}, 1) == [{"one": 1}]
    assert 0.2 <= time.monotonic() - began < 2
    assert reader._tasks == set()


@pytest.mark.asyncio
async def test_a_cancelled_read_stops_its_statement(reader: Reader) -> None:
    """Cancelling the caller stops the statement; nothing of it is left, and the connection is clean."""
    for wait_seconds in (0, 0.001, 0.05, 0.1):
        task = asyncio.create_task(reader.fetch(ENDLESS, {}, 60))
        await asyncio.sleep(wait_seconds)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await reader.fetch(ONE, {}, 1) == [{"one": 1}]
        assert reader._tasks == set()


@pytest.mark.asyncio
async def test_a_read_cancelled_twice_still_stops_its_statement(reader: Reader) -> None:
    """A second cancellation while the first is being dealt with leaves no statement running."""
    task = asyncio.create_task(reader.fetch(ENDLESS, {}, 60))
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await reader.fetch(ONE, {}, 1) == [{"one": 1}]


@pytest.mark.asyncio
async def test_waiting_for_a_connection_is_bounded(reader: Reader) -> None:
    """A read that finds no free connection ends with its own timeout while the other goes on."""
    other = asyncio.create_task(reader.fetch(ENDLESS, {}, 60))
    await reading(reader)
    with pytest.raises(ReadTimeout):
        await reader.fetch(ONE, {}, 0.05)
    assert not other.done()
    other.cancel()
    with pytest.raises(asyncio.CancelledError):
        await other


@pytest.mark.asyncio
async def test_a_missing_database_is_said_to_be_missing(tmp_path) -> None:
    """A file that does not exist is not created; the error says how to load the data."""
    reader = Reader.open(f"sqlite+aiosqlite:///{tmp_path}/none.db")
    with pytest.raises(DatabaseUnavailable, match="hapju seed"):
        await reader.fetch(ONE, {}, 5)
    await reader.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.asyncio
async def test_a_path_with_odd_characters_is_that_path(tmp_path) -> None:
    """A file whose name holds ?, # and % is opened as what it is."""
    odd = tmp_path / "a?b#c%20 d.db"
    connection = sqlite3.connect(odd)
    connection.execute("CREATE TABLE t (a INTEGER)")
    connection.close()
    reader = Reader.open(URL.create("sqlite+aiosqlite", database=str(odd)).render_as_string())
    assert await reader.fetch(text("SELECT name FROM sqlite_master"), {}, 5) == [{"name": "t"}]
    await reader.close()
