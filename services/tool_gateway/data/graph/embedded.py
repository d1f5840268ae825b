"""The embedded graph: ladybug, opened read-only at the first read, with a small buffer pool.

A seed puts a new file in the old one's place, so the file's identity is looked at before each read, and a new one is
opened when it has changed; reads that run go on with the old file.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from services.tool_gateway.data.graph.access import GraphWriteRefused
from services.tool_gateway.data.reader import DatabaseUnavailable, ReadTimeout

if TYPE_CHECKING:
    import ladybug

CONNECTIONS_MAX: Final = 4
# Four reads at once need more than 16 MiB; then some of them find the pool full.
BUFFER_POOL_BYTES: Final = 64 * 1024 * 1024
# The address space that the engine reserves; its default of terabytes is refused where memory is limited.
_SPACE_BYTES_MAX: Final = 1 << 30
_INTERRUPT_SECONDS: Final = 0.05
_NOT_LOADED: Final = "the graph cannot be opened; load it with `hapju seed`"


@dataclass(slots=True)
class _Opened:
    """One file and its idle connections."""

    identity: tuple[int, int]
    database: ladybug.Database
    idle: list[ladybug.Connection] = field(default_factory=list)


class EmbeddedGraph:
    """A ladybug database that can only be read: the engine itself refuses to write."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened: _Opened | None = None
        self._opening = asyncio.Lock()
        self._places = asyncio.Semaphore(CONNECTIONS_MAX)

    async def fetch(self, text: str, parameters: Mapping[str, Any], timeout_seconds: float) -> list[dict[str, Any]]:
        """Return the rows of a statement; see `Graph.fetch`."""
        try:
            async with asyncio.timeout(timeout_seconds):
                await self._places.acquire()
        except TimeoutError:
            raise ReadTimeout("no connection became free in time") from None
        try:
            opened = await self._current()
            connection = opened.idle.pop() if opened.idle else await asyncio.to_thread(_connect, opened.database)
            rows = await self._run(connection, text, dict(parameters), timeout_seconds)
            opened.idle.append(connection)
            return rows
        finally:
            self._places.release()

    async def close(self) -> None:
        """Close the database and its connections."""
        if self._opened is not None:
            opened, self._opened = self._opened, None
            await asyncio.to_thread(_close, opened)

    async def _current(self) -> _Opened:
        async with self._opening:
            identity = await asyncio.to_thread(_identity, self._path)
            if self._opened is None or self._opened.identity != identity:
                database = await asyncio.to_thread(_open, self._path)
                # The one before is let go: its last read drops it.
                self._opened = _Opened(identity, database)
            return self._opened

    async def _run(
        self, connection: ladybug.Connection, text: str, parameters: dict[str, Any], timeout_seconds: float
    ) -> list[dict[str, Any]]:
        task = asyncio.create_task(asyncio.to_thread(_rows, connection, text, parameters, timeout_seconds))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            # A statement that has not begun yet does not hear that it is to stop.
            for _ in range(max(1, int(timeout_seconds / _INTERRUPT_SECONDS))):
                connection.interrupt()
                await asyncio.wait({task}, timeout=_INTERRUPT_SECONDS)
                if task.done():
                    break
            if task.done() and not task.cancelled():
                task.exception()
            raise


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        raise DatabaseUnavailable(_NOT_LOADED) from None
    return status.st_ino, status.st_mtime_ns


def _open(path: Path) -> ladybug.Database:
    # Imported here: the engine comes into memory with the first read of the graph.
    import ladybug  # noqa: PLC0415

    try:
        return ladybug.Database(
            path,
            read_only=True,
            buffer_pool_size=BUFFER_POOL_BYTES,
            max_num_threads=max(1, min(2, os.cpu_count() or 1)),
            max_db_size=_SPACE_BYTES_MAX,
        )
    except RuntimeError as error:
        raise DatabaseUnavailable(_NOT_LOADED) from error


def _connect(database: ladybug.Database) -> ladybug.Connection:
    import ladybug  # noqa: PLC0415 - see _open

    return ladybug.Connection(database, num_threads=1)


def _close(opened: _Opened) -> None:
    for connection in opened.idle:
        connection.close()
    opened.database.close()


def _rows(
    connection: ladybug.Connection, text: str, parameters: dict[str, Any], timeout_seconds: float
) -> list[dict[str, Any]]:
    connection.set_query_timeout(max(1, int(timeout_seconds * 1_000)))
    try:
        result = connection.execute(text, parameters)
    except RuntimeError as error:
        if "Interrupted" in str(error):
            raise ReadTimeout(f"the statement took longer than {timeout_seconds} s and was stopped") from None
        if "read-only" in str(error):
            raise GraphWriteRefused("the graph is opened for reading only") from None
        raise
    if isinstance(result, list):
        raise GraphWriteRefused("one statement at a time")
    try:
        return [row for row in result.rows_as_dict() if isinstance(row, dict)]
    finally:
        result.close()
