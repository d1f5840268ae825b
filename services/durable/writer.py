"""The one thread that writes to the flow store: what has piled up goes to disk in one transaction, and is awaited.

    append ─┐                        ┌─► one fenced insert, where one is all there is
    append ─┼─► the thread's queue ──┼─► BEGIN, the inserts of a whole batch, COMMIT
    transact┘                        └─► a transaction of its own, for what reads before it writes

Every insert of a flow is fenced: it selects from the flow's row under the condition that the writer's lease still holds
and that the flow has not ended. A driver that was superseded, however late it wakes up, writes nothing.
"""

import asyncio
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from time import sleep
from typing import Any, Final, TypeVar, cast

from sqlalchemy import Connection, Engine, Table, bindparam, insert, select
from sqlalchemy.exc import DBAPIError

from services.durable.engines import told_as
from services.durable.schema import FLOW_CHECKPOINTS, FLOW_EVENTS, FLOW_QUESTIONS, FLOWS
from services.runtime.streams import Superseded

BATCH_MAX: Final = 64
"""The most writes that share a transaction."""
WAITING_MAX: Final = 4_096
"""The most writes that wait; further ones wait before they are taken in."""
TRIES_MAX: Final = 5
"""How often a write is tried whose database cannot be reached, over about 3 seconds."""
_FIRST_PAUSE_SECONDS: Final = 0.2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to drive a flow."""

    flow_run_id: str
    """The flow."""
    token: int
    """Which driver of the flow this is, from 1; a later one has a higher token, and only the highest may write."""


@dataclass(frozen=True, slots=True)
class FlowRow:
    """One row of a flow."""

    table: Table
    """FLOW_EVENTS, FLOW_CHECKPOINTS or FLOW_QUESTIONS."""
    values: Mapping[str, object]
    """Its columns, without flow_run_id."""


@dataclass(slots=True, eq=False)
class _Append:
    lease: Lease
    rows: tuple[FlowRow, ...]
    done: asyncio.Future[None]
    tried: bool = False
    """True once it may have been written without our having heard so."""


@dataclass(slots=True, eq=False)
class _Transaction:
    work: Callable[[Connection], Any]
    done: asyncio.Future[Any]


_Job = _Append | _Transaction
_Outcome = tuple[_Job, object, BaseException | None]


@dataclass(slots=True)
class _Statement:
    """A fenced insert, rendered once for the database's driver."""

    text: str
    order: tuple[str, ...] | None
    """The parameters' order where the driver takes them by position."""

    def parameters(self, lease: Lease, row: FlowRow) -> Any:
        named = {**row.values, "flow_run_id": lease.flow_run_id, "fenced_id": lease.flow_run_id, "token": lease.token}
        return named if self.order is None else tuple(named[name] for name in self.order)


@dataclass(slots=True)
class Writer:
    """Writes for everybody, one transaction at a time."""

    engine: Engine
    """The database; used by the writer's thread alone."""
    _queue: SimpleQueue[_Job | None] = field(default_factory=SimpleQueue)
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(WAITING_MAX))
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    _statements: dict[Table, _Statement] = field(default_factory=dict)
    _thread: threading.Thread = field(init=False)
    _raw: Any = None

    def __post_init__(self) -> None:
        for table in (FLOW_EVENTS, FLOW_CHECKPOINTS, FLOW_QUESTIONS):
            self._statements[table] = _fenced_insert(self.engine, table)
        self._thread = threading.Thread(target=self._run, name="flow store writer", daemon=True)
        self._thread.start()

    async def append(self, lease: Lease, *rows: FlowRow) -> None:
        """Write rows of a flow down, all or none.

        Raises:
            Superseded: Another replica drives the flow, or it has ended, or it is no more.
            Unavailable: The database is away, or full.
        """
        async with self._places:
            done: asyncio.Future[None] = self._loop.create_future()
            self._queue.put(_Append(lease, rows, done))
            await done

    async def transact(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction of its own, in the writer's thread, and return what it returns."""
        async with self._places:
            done: asyncio.Future[T] = self._loop.create_future()
            self._queue.put(_Transaction(work, done))
            return await done

    async def close(self) -> None:
        """Write what was taken in and close the database."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            batch, stopping = self._batch(first)
            outcomes = [outcome for part in _parts(batch) for outcome in self._outcomes(part)]
            told = [
                (job, value, None if error is None else told_as(error, self.engine)) for job, value, error in outcomes
            ]
            self._loop.call_soon_threadsafe(_settle, told)
            if stopping:
                break
        self._drop_raw()
        self.engine.dispose()

    def _batch(self, first: _Job) -> tuple[list[_Job], bool]:
        batch = [first]
        while len(batch) < BATCH_MAX:
            try:
                job = self._queue.get_nowait()
            except Empty:
                break
            if job is None:
                return batch, True
            batch.append(job)
        return batch, False

    def _outcomes(self, part: list[_Job]) -> list[_Outcome]:
        if isinstance(part[0], _Transaction):
            return [self._transacted(part[0])]
        appends = cast("list[_Append]", part)
        if len(appends) > 1 and self._appended_together(appends):
            return [(append, None, None) for append in appends]
        return [(append, None, self._appended(append)) for append in appends]

    def _transacted(self, job: _Transaction) -> _Outcome:
        try:
            with self.engine.begin() as connection:
                return job, job.work(connection), None
        except Exception as error:  # noqa: BLE001 - whoever awaits it gets it
            return job, None, error

    def _appended_together(self, appends: list[_Append]) -> bool:
        """Write a batch in one transaction; False, with nothing written, where one of them cannot be."""
        rows: dict[Table, list[Any]] = {}
        for append in appends:
            for row in append.rows:
                parameters = self._statements[row.table].parameters(append.lease, row)
                rows.setdefault(row.table, []).append(parameters)
        try:
            return self._insert(rows)
        except Exception:  # noqa: BLE001 - each of them is tried for itself, and told its own error
            for append in appends:
                append.tried = True
            self._drop_raw()
            return False

    def _appended(self, append: _Append) -> BaseException | None:
        """Write one append; try again while the database cannot be reached."""
        rows: dict[Table, list[Any]] = {}
        for row in append.rows:
            rows.setdefault(row.table, []).append(self._statements[row.table].parameters(append.lease, row))
        dbapi = self.engine.dialect.loaded_dbapi
        failure: BaseException | None = None
        for trial in range(TRIES_MAX):
            try:
                return None if self._insert(rows) else self._refused(append)
            except dbapi.IntegrityError as error:
                self._drop_raw()
                return None if append.tried and self._is_there(append) else error
            except Exception as error:  # noqa: BLE001 - whoever awaits it gets it
                self._drop_raw()
                append.tried, failure = True, error
                if not isinstance(error, dbapi.OperationalError | dbapi.InterfaceError | DBAPIError):
                    return error
                sleep(_FIRST_PAUSE_SECONDS * 2**trial if trial < TRIES_MAX - 1 else 0)
        return failure

    def _refused(self, append: _Append) -> BaseException | None:
        if append.tried and self._is_there(append):
            return None
        return Superseded(f"flow {append.lease.flow_run_id} is not driven under lease {append.lease.token} any more")

    def _is_there(self, append: _Append) -> bool:
        """Return whether an append of which nothing was heard had been written all the same."""
        with self.engine.connect() as connection:
            return all(connection.execute(_same(append.lease, row)).first() is not None for row in append.rows)

    def _insert(self, rows: dict[Table, list[Any]]) -> bool:
        """Insert rows, in a transaction where they are several; False, with nothing written, where one is refused."""
        cursor = self._connection().cursor()
        try:
            (table, parameters), *others = rows.items()
            if not others and len(parameters) == 1:
                cursor.execute(self._statements[table].text, parameters[0])
                return bool(cursor.rowcount == 1)
            cursor.execute("BEGIN IMMEDIATE" if self.engine.dialect.name == "sqlite" else "BEGIN")
            for table, parameters in rows.items():
                cursor.executemany(self._statements[table].text, parameters)
                if cursor.rowcount != len(parameters):
                    cursor.execute("ROLLBACK")
                    return False
            cursor.execute("COMMIT")
            return True
        finally:
            cursor.close()

    def _connection(self) -> Any:
        if self._raw is None:
            self._raw = self.engine.raw_connection()
            if self.engine.dialect.name == "postgresql":
                self._raw.driver_connection.autocommit = True
        return self._raw

    def _drop_raw(self) -> None:
        """Drop the connection with whatever transaction a failure has left open in it."""
        if self._raw is not None:
            self._raw.invalidate()
            self._raw = None


def _parts(batch: list[_Job]) -> list[list[_Job]]:
    """Return a batch in order, the appends between two transactions together."""
    parts: list[list[_Job]] = []
    for job in batch:
        if isinstance(job, _Append) and parts and isinstance(parts[-1][0], _Append):
            parts[-1].append(job)
        else:
            parts.append([job])
    return parts


def _settle(outcomes: list[_Outcome]) -> None:
    for job, value, error in outcomes:
        if job.done.done():
            # Whoever waited has been cancelled; what is written stays written.
            continue
        if error is None:
            job.done.set_result(cast("Any", value))
        else:
            job.done.set_exception(error)


def _fenced_insert(engine: Engine, table: Table) -> _Statement:
    names = [column.name for column in table.columns if column.server_default is None and not _is_later(column.name)]
    fence = (
        select(*(bindparam(name, type_=table.c[name].type) for name in names))
        .select_from(FLOWS)
        .where(
            FLOWS.c.flow_run_id == bindparam("fenced_id"),
            FLOWS.c.lease_token == bindparam("token"),
            FLOWS.c.end_time.is_(None),
        )
        # On PostgreSQL a takeover and this insert wait for each other; SQLite has one writer anyway.
        .with_for_update(read=True, of=FLOWS)
    )
    compiled = insert(table).from_select(names, fence).compile(engine)
    order = tuple(compiled.positiontup) if compiled.positiontup is not None else None
    return _Statement(str(compiled), order)


def _is_later(column: str) -> bool:
    """Return whether a column is filled in after the row was written."""
    return column == "settle_time"


def _same(lease: Lease, row: FlowRow) -> Any:
    wanted = select(row.table.c.flow_run_id).where(row.table.c.flow_run_id == lease.flow_run_id)
    for name, value in row.values.items():
        wanted = wanted.where(row.table.c[name] == value)
    return wanted
