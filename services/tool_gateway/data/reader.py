"""The read-only connections of the data database, and how a statement on them is stopped.

A statement runs in a task of its own. When its time is up, or its caller is cancelled, the statement itself is stopped
(SQLite: interrupt; PostgreSQL: cancel request; MariaDB: kill) and the task is awaited, so that its connection goes back
clean, or is given up, and no work goes on for an answer that nobody waits for.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol, Self

from sqlalchemy import Engine, Executable
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from services.tool_gateway.data.sqlite_reads import CannotOpen, NoConnection, Rows, SqliteReads

CONNECTIONS_MAX: Final = 8
MYSQL: Final = frozenset({"mysql", "mariadb"})
"""Backend names of the databases that `services.tool_gateway.data.mysql` knows."""
KNOWN: Final = "use sqlite, postgresql or mysql"
_STOP_SECONDS_MAX: Final = 3.0
NOT_LOADED: Final = "the data cannot be opened; load it with `hapju seed`"
AWAY: Final = "the database cannot be reached; it is looked for again"


class ReadTimeout(Exception):
    """A statement did not end within its time and was stopped."""


class DatabaseUnavailable(Exception):
    """The database cannot be opened: not seeded yet, or not reachable."""


class _Reads(Protocol):
    """The connections of one kind of database."""

    engine: Engine

    async def fetch(self, statement: Executable, parameters: Mapping[str, Any], timeout_seconds: float) -> Rows:
        """Return the rows of a statement; cancelled, it stops the statement."""

    async def close(self) -> None:
        """Close every connection."""


class Reader:
    """A pool of read-only connections.

    A write through it fails in the database itself: SQLite files are opened with mode=ro and query_only, PostgreSQL
    sessions with default_transaction_read_only, MariaDB sessions with a read-only transaction.
    """

    def __init__(self, reads: _Reads) -> None:
        self._reads = reads
        self._tasks: set[asyncio.Task[Any]] = set()

    @classmethod
    def open(cls, url: str, connections_max: int = CONNECTIONS_MAX) -> Self:
        """Return a reader of the database at `url`; nothing is connected before the first read.

        Raises:
            ValueError: The URL names a database that hapju does not know, or an SQLite database without a file.
        """
        parsed = parsed_url(url)
        path = sqlite_path(parsed)
        if path is not None:
            return cls(SqliteReads(path, connections_max))
        if parsed.get_backend_name() not in {"postgresql", *MYSQL}:
            raise ValueError(f"HAPJU_SQL_URL: {parsed.get_backend_name()} is not supported; {KNOWN}")
        from services.tool_gateway.data.server_reads import ServerReads  # noqa: PLC0415 - loads a driver

        return cls(ServerReads(parsed, connections_max))

    @property
    def engine(self) -> Engine:
        """The engine whose connections these are."""
        return self._reads.engine

    @property
    def connections_in_use(self) -> int:
        """How many connections a statement holds now."""
        return int(self.engine.pool.checkedout())  # type: ignore[attr-defined]  # every pool of ours is a QueuePool

    async def fetch(
        self, statement: Executable, parameters: Mapping[str, Any], timeout_seconds: float
    ) -> list[dict[str, Any]]:
        """Return the rows of `statement` as mappings.

        Raises:
            ReadTimeout: It, or the wait for a free connection, took longer than `timeout_seconds`; it was stopped.
            DatabaseUnavailable: The database cannot be opened.
        """
        task = self._track(asyncio.create_task(self._reads.fetch(statement, parameters, timeout_seconds)))
        try:
            done, _ = await asyncio.wait({task}, timeout=timeout_seconds)
        except asyncio.CancelledError:
            await self._stop(task)
            raise
        if not done:
            await self._stop(task)
            raise ReadTimeout(f"the statement took longer than {timeout_seconds} s and was stopped")
        try:
            rows: list[dict[str, Any]] = task.result()
        except CannotOpen as error:
            raise DatabaseUnavailable(NOT_LOADED if self.engine.dialect.name == "sqlite" else AWAY) from error
        except NoConnection as error:
            raise ReadTimeout("no connection became free in time") from error
        return rows

    async def close(self) -> None:
        """Close every connection."""
        await self._reads.close()

    async def _stop(self, task: "asyncio.Task[Any]") -> None:
        # Shielded: a second cancellation of the caller must not leave the statement running.
        await asyncio.shield(self._track(asyncio.create_task(_ended(task))))

    def _track(self, task: "asyncio.Task[Any]") -> "asyncio.Task[Any]":
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _ended(task: "asyncio.Task[Any]") -> None:
    """Cancel a statement's task and wait until it has ended, or the driver has shown that it does not react."""
    task.cancel()
    await asyncio.wait({task}, timeout=_STOP_SECONDS_MAX)
    if task.done() and not task.cancelled():
        # Looked at, so that the stopped statement's error is not reported as one that nobody saw.
        task.exception()


def parsed_url(url: str | URL) -> URL:
    """Return the parts of a database's URL.

    Raises:
        ValueError: It is none.
    """
    try:
        return make_url(url)
    except ArgumentError:
        raise ValueError("HAPJU_SQL_URL: it is no database's URL, as sqlite:////data/data.db is one") from None


def sqlite_path(url: str | URL) -> Path | None:
    """Return the file of an SQLite URL; None for another database.

    Raises:
        ValueError: The URL names an SQLite database that is no file.
    """
    parsed = parsed_url(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    if not parsed.database or parsed.database.startswith((":memory:", "file:")):
        raise ValueError("HAPJU_SQL_URL: an SQLite database must be named by its file, as in sqlite:////data/data.db")
    return Path(parsed.database)
