"""The read-only connections of the data database, and how a statement on them is stopped.

A statement runs in a task of its own. When its time is up, or its caller is cancelled, the statement itself is stopped
(SQLite: interrupt; PostgreSQL: cancel request; MariaDB: kill) and the task is awaited, so that its connection goes back
clean, or is given up, and no work goes on for an answer that nobody waits for.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol, Self
from urllib.parse import quote

from sqlalchemy import TextClause, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

CONNECTIONS_MAX: Final = 8
# An interrupt reaches only a statement that has begun, so it is repeated until the statement's task has ended.
_INTERRUPT_EVERY_SECONDS: Final = 0.005
_INTERRUPTS_MAX: Final = 400
MYSQL: Final = frozenset({"mysql", "mariadb"})
"""Backend names of the databases that `services.tool_gateway.data.mysql` knows."""
KNOWN: Final = "use sqlite, postgresql or mysql"
# The server's own limit lies a little behind ours, which tells better what happened.
_LIMIT_MARGIN_SECONDS: Final = 0.05
_NOT_LOADED: Final = "the data cannot be opened; load it with `hapju seed`"


class ReadTimeout(Exception):
    """A statement did not end within its time and was stopped."""


class DatabaseUnavailable(Exception):
    """The database cannot be opened: not seeded yet, or not reachable."""


class _Interruptible(Protocol):
    async def interrupt(self) -> None:
        """Stops the statement that runs now."""


@dataclass(slots=True)
class _Job:
    """What the running statement is known by while it runs."""

    connection: Any = None
    """The driver's connection; None while none is acquired."""


class Reader:
    """A pool of read-only connections.

    A write through it fails in the database itself: SQLite files are opened with mode=ro and query_only, PostgreSQL
    sessions with default_transaction_read_only, MariaDB sessions with a read-only transaction.
    """

    def __init__(self, engine: AsyncEngine, path: Path | None, stop: Callable[[Any], Awaitable[None]] | None) -> None:
        self._engine = engine
        self._path = path
        self._stop_on_server = stop
        self._tasks: set[asyncio.Task[Any]] = set()

    @classmethod
    def open(cls, url: str, connections_max: int = CONNECTIONS_MAX) -> Self:
        """Return a reader of the database at `url`; nothing is connected before the first read.

        Raises:
            ValueError: The URL names a database that hapju does not know, or an SQLite database without a file.
        """
        parsed = make_url(url)
        pool = {"pool_size": connections_max, "max_overflow": 0, "pool_timeout": 30}
        stop: Callable[[Any], Awaitable[None]] | None = None
        if parsed.get_backend_name() == "sqlite":
            engine = create_async_engine(_read_only_sqlite(parsed), **pool)
            event.listen(engine.sync_engine, "connect", _refuse_writes)
        elif parsed.get_backend_name() == "postgresql":
            options = {"options": "-c default_transaction_read_only=on"}
            engine = create_async_engine(parsed.set(drivername="postgresql+psycopg"), connect_args=options, **pool)
        elif parsed.get_backend_name() in MYSQL:
            from services.tool_gateway.data import mysql  # noqa: PLC0415 - loads its dialect

            engine = mysql.reading_engine(parsed, pool)
            stop = partial(mysql.stop, engine)
        else:
            raise ValueError(f"HAPJU_SQL_URL: {parsed.get_backend_name()} is not supported; {KNOWN}")
        return cls(engine, sqlite_path(parsed), stop)

    @property
    def connections_in_use(self) -> int:
        """How many connections a statement holds now."""
        return int(self._engine.pool.checkedout())  # type: ignore[attr-defined]  # every pool of ours is a QueuePool

    async def fetch(
        self, statement: TextClause, parameters: Mapping[str, Any], timeout_seconds: float
    ) -> list[dict[str, Any]]:
        """Return the rows of `statement` as mappings.

        Raises:
            ReadTimeout: It, or the wait for a free connection, took longer than `timeout_seconds`; it was stopped.
            DatabaseUnavailable: The database cannot be opened.
        """
        job = _Job()
        task = self._track(asyncio.create_task(self._execute(job, statement, parameters, timeout_seconds)))
        try:
            done, _ = await asyncio.wait({task}, timeout=timeout_seconds)
        except asyncio.CancelledError:
            await self._stop(job, task)
            raise
        if not done:
            await self._stop(job, task)
            raise ReadTimeout(f"the statement took longer than {timeout_seconds} s and was stopped")
        rows: list[dict[str, Any]] = task.result()
        return rows

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()

    async def _execute(
        self, job: _Job, statement: TextClause, parameters: Mapping[str, Any], timeout_seconds: float
    ) -> list[dict[str, Any]]:
        await self._check_file()
        try:
            async with self._engine.connect() as connection:
                job.connection = (await connection.get_raw_connection()).driver_connection
                await self._limit_statement(connection, timeout_seconds)
                result = await connection.execute(statement, dict(parameters))
                return [dict(row) for row in result.mappings()]
        except OperationalError as error:
            if job.connection is None:
                raise DatabaseUnavailable(_NOT_LOADED) from error
            raise
        except PoolTimeout as error:
            raise ReadTimeout("no connection became free in time") from error

    async def _check_file(self) -> None:
        """Refuse a missing file before the driver does: its thread for a failed connection outlives the loop."""
        if self._path is None or self._engine.pool.checkedin() + self.connections_in_use:  # type: ignore[attr-defined]
            return
        if not await asyncio.to_thread(self._path.exists):
            raise DatabaseUnavailable(_NOT_LOADED)

    async def _limit_statement(self, connection: AsyncConnection, timeout_seconds: float) -> None:
        if connection.dialect.name in MYSQL:
            from services.tool_gateway.data import mysql  # noqa: PLC0415 - loaded by `open`

            await mysql.limit_statement(connection, timeout_seconds + _LIMIT_MARGIN_SECONDS)
        elif connection.dialect.name == "postgresql":
            limit = text("SELECT set_config('statement_timeout', :milliseconds, true)")
            await connection.execute(limit, {"milliseconds": str(int(timeout_seconds * 1_000) + 1)})

    async def _stop(self, job: _Job, task: "asyncio.Task[Any]") -> None:
        # Shielded: a second cancellation of the caller must not leave the statement running.
        await asyncio.shield(self._track(asyncio.create_task(self._interrupt(job, task))))

    async def _interrupt(self, job: _Job, task: "asyncio.Task[Any]") -> None:
        interruptible: _Interruptible | None = job.connection if hasattr(job.connection, "interrupt") else None
        if interruptible is None:
            task.cancel()
            if self._stop_on_server is not None and job.connection is not None:
                await self._stop_on_server(job.connection)
        for _ in range(_INTERRUPTS_MAX):
            if interruptible is not None:
                await interruptible.interrupt()
            if (await asyncio.wait({task}, timeout=_INTERRUPT_EVERY_SECONDS))[0]:
                break
        else:
            # The driver does not react: give the connection up rather than hand it to the next read.
            task.cancel()
            await asyncio.wait({task}, timeout=1)
        if task.done() and not task.cancelled():
            # Looked at, so that the interrupted statement's error is not reported as one that nobody saw.
            task.exception()

    def _track(self, task: "asyncio.Task[Any]") -> "asyncio.Task[Any]":
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def sqlite_path(url: str | URL) -> Path | None:
    """Return the file of an SQLite URL; None for another database.

    Raises:
        ValueError: The URL names an SQLite database that is no file.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    if not parsed.database or parsed.database.startswith((":memory:", "file:")):
        raise ValueError("HAPJU_SQL_URL: an SQLite database must be named by its file, as in sqlite:////data/data.db")
    return Path(parsed.database)


def _read_only_sqlite(url: URL) -> URL:
    path = sqlite_path(url)
    return URL.create("sqlite+aiosqlite", database=f"file:{quote(str(path))}", query={"mode": "ro", "uri": "true"})


def _refuse_writes(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only = 1")
    cursor.close()
