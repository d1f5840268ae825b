"""Reads of an SQLite file: a whole statement in one turn of a thread, which an interrupt stops.

An asynchronous driver hands each step (cursor, execute, fetch, close, rollback) to a thread and back; here all of them
are one turn. There are as many threads as connections, so a read that waits for one waits in the threads' queue, from
which it is taken back without ever having begun.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import Executable, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError

# An interrupt reaches only a statement that has begun, so it is repeated until the statement has ended.
_INTERRUPT_EVERY_SECONDS: Final = 0.005
_INTERRUPTS_MAX: Final = 400

Rows = list[dict[str, Any]]


class CannotOpen(Exception):
    """The database is not there, or not to be reached."""


class NoConnection(Exception):
    """No connection became free in time."""


class Stopped(Exception):
    """The statement was stopped before it began."""


@dataclass(slots=True)
class _Running:
    """One statement, in the queue or on its way."""

    future: "Future[Rows]"
    """Its end."""
    job: "_Job"
    """What stops it."""


@dataclass(slots=True)
class _Job:
    """What a statement is stopped by; both sides hold the lock, so that nobody else's statement is met."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    connection: sqlite3.Connection | None = None
    stopped: bool = False

    def begin(self, connection: sqlite3.Connection) -> None:
        with self.lock:
            if self.stopped:
                raise Stopped
            self.connection = connection

    def end(self) -> None:
        with self.lock:
            self.connection = None

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
            if self.connection is not None:
                self.connection.interrupt()


class SqliteReads:
    """Read-only connections of one file, each with its thread.

    Args:
        path: The file; it is opened with mode=ro and query_only.
        connections_max: How many statements run at once.
    """

    def __init__(self, path: Path, connections_max: int) -> None:
        url = URL.create("sqlite", database=f"file:{quote(str(path))}", query={"mode": "ro", "uri": "true"})
        arguments = {"check_same_thread": False}
        self.engine = sa.create_engine(
            url, connect_args=arguments, pool_size=connections_max, max_overflow=0, hide_parameters=True
        )
        event.listen(self.engine, "connect", _refuse_writes)
        self._threads = ThreadPoolExecutor(connections_max, thread_name_prefix="sqlite-read")

    async def fetch(self, statement: Executable, parameters: Mapping[str, Any], timeout_seconds: float) -> Rows:
        """Return the rows of a statement; cancelled, it returns when the statement has ended.

        Raises:
            CannotOpen: The file cannot be opened.
        """
        del timeout_seconds  # whoever waits cancels
        job = _Job()
        running = _Running(self._threads.submit(self._run, job, statement, parameters), job)
        ended = asyncio.wrap_future(running.future)
        try:
            return await asyncio.shield(ended)
        except asyncio.CancelledError:
            await _stopped(running, ended)
            raise

    async def close(self) -> None:
        """Wait for what runs, and close every connection."""
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self.engine.dispose)

    def _run(self, job: _Job, statement: Executable, parameters: Mapping[str, Any]) -> Rows:
        with self._connected() as connection:
            driver: Any = connection.connection.driver_connection
            job.begin(driver)
            try:
                return [dict(row) for row in connection.execute(statement, dict(parameters)).mappings()]
            finally:
                job.end()

    def _connected(self) -> sa.Connection:
        try:
            return self.engine.connect()
        except OperationalError as error:
            raise CannotOpen from error


async def _stopped(running: _Running, ended: "asyncio.Future[Rows]") -> None:
    """Take a statement back that has not begun, or interrupt it until it has ended."""
    if running.future.cancel():
        return
    for _ in range(_INTERRUPTS_MAX):
        running.job.stop()
        if (await asyncio.wait({ended}, timeout=_INTERRUPT_EVERY_SECONDS))[0]:
            break
    if ended.done() and not ended.cancelled():
        # Looked at, so that the interrupted statement's error is not reported as one that nobody saw.
        ended.exception()


def _refuse_writes(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only = 1")
    cursor.close()
