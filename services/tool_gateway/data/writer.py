"""The writing connections of the data database: whole transactions, run to their end.

A transaction is a function of a connection. It runs in a thread; whoever waits for it may give up, but the transaction
itself is committed or rolled back and never left half done. SQLite takes one writer at a time and begins with its write
lock; PostgreSQL and MariaDB take a few, which lock rows.
"""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self, TypeVar
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError

from services.tool_gateway.data.reader import (
    AWAY,
    KNOWN,
    MYSQL,
    NOT_LOADED,
    DatabaseUnavailable,
    parsed_url,
    sqlite_path,
)

WRITERS_MAX: Final = 8
BUSY_SECONDS_MAX: Final = 5.0
"""How long a transaction waits for its turn and for locks."""
_ATTEMPTS_MAX: Final = 3
# PostgreSQL: serialization failure, deadlock; MariaDB: deadlock. The transaction was undone and may run again.
_REPEATABLE: Final = frozenset({"40001", "40P01", 1213})
# PostgreSQL: lock not available, statement stopped; MariaDB: no lock in time, statement stopped (MySQL: 3024).
_BUSY: Final = frozenset({*_REPEATABLE, "55P03", "57014", 1205, 1969, 3024})
# MariaDB: too many connections, access denied, no such database, server gone in one way or another.
_UNREACHABLE: Final = frozenset({1040, 1044, 1045, 1049, 1053, 1130, 2002, 2003, 2006, 2013})
# PostgreSQL: disk, memory or connections are used up, the disk fails, only reads are taken; MariaDB: disk or table are
# full, the disk fails, only reads are taken.
_NO_ROOM: Final = frozenset(
    {"53000", "53100", "53200", "53300", "58000", "58030", "25006", 1021, 1026, 1114, 1290, 1836}
)
_NO_ROOM_SQLITE: Final = ("full", "disk i/o error", "readonly")
_POOL: Final = {"pool_size": WRITERS_MAX, "max_overflow": 0, "pool_timeout": BUSY_SECONDS_MAX}

T = TypeVar("T")


class WriteBusy(Exception):
    """The database had no turn for the transaction in time; nothing was done."""


class DataWriter:
    """Runs transactions."""

    def __init__(self, engine: Engine, path: Path | None) -> None:
        self._engine = engine
        self._path = path
        self._turns = asyncio.Semaphore(1 if path is not None else WRITERS_MAX)
        self._tasks: set[asyncio.Task[Any]] = set()

    @classmethod
    def open(cls, url: str) -> Self:
        """Return a writer of the database at `url`; nothing is connected before the first transaction.

        Raises:
            ValueError: The URL names a database that hapju does not know, or an SQLite database without a file.
        """
        parsed = parsed_url(url)
        path = sqlite_path(parsed)
        if path is not None:
            return cls(_sqlite(path), path)
        if parsed.get_backend_name() == "postgresql":
            return cls(_postgresql(parsed), None)
        if parsed.get_backend_name() in MYSQL:
            from services.tool_gateway.data import mysql  # noqa: PLC0415 - loads its dialect

            return cls(mysql.writing_engine(parsed, BUSY_SECONDS_MAX, _POOL), None)
        raise ValueError(f"HAPJU_SQL_URL: {parsed.get_backend_name()} is not supported; {KNOWN}")

    async def transact(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction, commit it and return what it returned; what it raises rolls back.

        Raises:
            WriteBusy: There was no turn, or a lock was not to be had, in time.
            DatabaseUnavailable: The database cannot be reached; a commit that was under way may have been done.
        """
        task = asyncio.create_task(self._turn(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Wait for the running transactions and close every connection."""
        if self._tasks:
            await asyncio.wait(self._tasks)
        await asyncio.to_thread(self._engine.dispose)

    async def _turn(self, work: Callable[[Connection], T]) -> T:
        try:
            async with asyncio.timeout(BUSY_SECONDS_MAX):
                await self._turns.acquire()
        except TimeoutError:
            raise WriteBusy("no turn to write came in time") from None
        try:
            return await asyncio.to_thread(self._run, work)
        finally:
            self._turns.release()

    def _run(self, work: Callable[[Connection], T]) -> T:
        if self._path is not None and not self._path.exists():
            raise DatabaseUnavailable(NOT_LOADED)
        for attempt in range(1, _ATTEMPTS_MAX + 1):
            try:
                with self._engine.begin() as connection:
                    return work(connection)
            except OperationalError as error:
                if _code(error) in _REPEATABLE and attempt < _ATTEMPTS_MAX:
                    continue
                raise _named(error) from error
        raise AssertionError("the last attempt returns or raises")


def touched(connection: Connection) -> None:
    """Write and change nothing: a transaction that tells whether anything can be written."""
    connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


def _named(error: OperationalError) -> Exception:
    """Return what a failed transaction is to its caller: busy, when nothing was done, or the database is not there."""
    told = str(error.orig).lower()
    code = _code(error)
    if "locked" in told or "busy" in told or code in _BUSY:
        return WriteBusy("the database was busy")
    if code in _NO_ROOM or any(said in told for said in _NO_ROOM_SQLITE):
        return DatabaseUnavailable("the data cannot be written: its database has no room, or may not write")
    if "unable to open" in told or error.connection_invalidated or code is None or code in _UNREACHABLE:
        return DatabaseUnavailable(NOT_LOADED if "unable to open" in told else AWAY)
    return error


def _code(error: OperationalError) -> str | int | None:
    """Return PostgreSQL's state or MariaDB's number for an error; None where the driver tells neither."""
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return str(state)
    first = next(iter(getattr(error.orig, "args", ())), None)
    return first if isinstance(first, int) else None


def _sqlite(path: Path) -> Engine:
    # mode=rw: a missing file is an error and is not made.
    url = URL.create("sqlite", database=f"file:{quote(str(path))}", query={"mode": "rw", "uri": "true"})
    engine = sa.create_engine(
        url, connect_args={"timeout": BUSY_SECONDS_MAX, "check_same_thread": False}, pool_size=1, hide_parameters=True
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver would open transactions late and only for some statements; here they are opened by hand.
    connection.isolation_level = None
    with contextlib.closing(connection.cursor()) as cursor:
        cursor.execute("PRAGMA foreign_keys = ON")
        # A recorded effect outlives a power failure, which NORMAL does not promise in WAL mode.
        cursor.execute("PRAGMA synchronous = FULL")


def _postgresql(url: URL) -> Engine:
    milliseconds = int(BUSY_SECONDS_MAX * 1_000)
    engine = sa.create_engine(
        url.set(drivername="postgresql+psycopg"),
        connect_args={"prepare_threshold": None},
        hide_parameters=True,
        **_POOL,
    )

    def limit(connection: Connection) -> None:
        # By transaction, not by session: behind a pooler such as PgBouncer a session is everybody's.
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = {milliseconds}")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {2 * milliseconds}")

    event.listen(engine, "begin", limit)
    return engine
