"""The seeding child process: migrates the database and loads the sample data set in one transaction.

    python -m services.tool_gateway.data.seed < request.json

The request is a `SeedRequest` as JSON. Each line on standard output is a JSON object: `{"progress": ...}` after each
data set, then one `{"report": ...}`. It runs as a process of its own because it loads numpy and the exchange calendars,
which no service keeps in memory. Killed at any moment it leaves the database as it was: schema, rows and the record of
the seed are one transaction (on MariaDB the rows and the record are; a half-made schema is dropped by the next seed).
Two at once take turns at the database's own lock, and the second finds the work done.
"""

import contextlib
import json
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, Table, event
from sqlalchemy.engine import make_url

from services.tool_gateway.data.graph.loading import is_present, loaded
from services.tool_gateway.data.metadata import KEPT, METADATA
from services.tool_gateway.data.migrate import SchemaRefused, upgrade
from services.tool_gateway.data.reader import MYSQL, sqlite_path
from services.tool_gateway.data.sample.block import GENERATOR_VERSION, Block, naive_utc
from services.tool_gateway.data.schema import DATASETS, SEED_STATE
from services.tool_gateway.data.seeding import SeededDataset, SeedProgress, SeedReport, SeedRequest

_LOCK_SECONDS_MAX: Final = 120
_ADVISORY_LOCK: Final = 7_236_481_905
_ROWS_PER_INSERT: Final = 5_000
_TIMES_MAX: Final = 2_000
_REMADE: Final = (
    "the tables of the sample data were not as their schema revision says and were made anew; "
    "records of what was done are as they were"
)


def main() -> None:
    """Read a request from standard input, seed, and write progress and report to standard output."""
    request = SeedRequest.model_validate_json(sys.stdin.read())
    try:
        report = seed_database(request, lambda progress: _say(progress=progress.model_dump()))
    except SchemaRefused as refused:
        # The sentence is for the user; where in the code it arose is not.
        sys.exit(str(refused))
    _say(report=report.model_dump(mode="json"))


def seed_database(request: SeedRequest, on_progress: Callable[[SeedProgress], None]) -> SeedReport:
    """Bring the database to the newest schema and load the sample data, unless it holds what is asked for.

    Raises:
        SchemaRefused: The schema is not one that can be brought there; nothing was changed.
    """
    began = time.monotonic()
    engine = seeding_engine(request.url)
    try:
        with engine.begin() as connection, contextlib.ExitStack() as stack:
            _wait_for_turn(connection)
            remade = upgrade(connection)
            present = None if request.force else _present(connection, request)
            report = present or _load(_Target(connection, request, stack), on_progress, began)
            return report.model_copy(update={"notes": (_REMADE,)}) if remade else report
    finally:
        engine.dispose()


def _wait_for_turn(connection: Connection) -> None:
    """Take the database's lock for seeding; an SQLite transaction has begun with its write lock."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
    elif connection.dialect.name == "mysql":
        from services.tool_gateway.data import mysql  # noqa: PLC0415 - loaded with its engine

        mysql.lock_for_seeding(connection, _LOCK_SECONDS_MAX)


def _present(connection: Connection, request: SeedRequest) -> SeedReport | None:
    """Return the report of the seed that the database holds, if it is the one asked for."""
    state = connection.execute(sa.select(SEED_STATE)).mappings().first()
    if state is None or state["generator_version"] != GENERATOR_VERSION:
        return None
    if not request.any_date and state["as_of"].date() != naive_utc(request.as_of).date():
        return None
    if request.graph_url and not is_present(request.graph_url):
        return None
    return SeedReport.model_validate_json(state["report"]).model_copy(update={"loaded": False})


@dataclass(frozen=True)
class _Target:
    """Where a seed writes."""

    connection: Connection
    request: SeedRequest
    stack: contextlib.ExitStack
    """Leaves the graph as it was where the seed fails."""


def _load(target: _Target, on_progress: Callable[[SeedProgress], None], began: float) -> SeedReport:
    # Imported here: a seed that finds its work done need not load numpy.
    from services.tool_gateway.data.sample.build import DATASETS_MAX, build_blocks  # noqa: PLC0415

    connection, request = target.connection, target.request
    left_out: list[str] = []
    for table in reversed(METADATA.sorted_tables):
        if not table.info.get(KEPT):
            connection.execute(table.delete())
    datasets = []
    put_in_place: list[Callable[[], None]] = []
    for done, block in enumerate(build_blocks(request.as_of, left_out.append), start=1):
        insert_block(connection, block)
        if block.graph is not None and request.graph_url:
            put_in_place.append(target.stack.enter_context(loaded(request.graph_url, block.graph)))
        datasets.append(_summary(block))
        on_progress(SeedProgress(dataset=block.dataset.title_en, rows=block.row_count, done=done, total=DATASETS_MAX))
    report = SeedReport(
        loaded=True,
        as_of=request.as_of.astimezone(UTC),
        rows=sum(dataset.rows for dataset in datasets),
        seconds=round(time.monotonic() - began, 2),
        datasets=tuple(datasets),
        left_out=tuple(left_out),
    )
    state = {
        "id": 1,
        "generator_version": GENERATOR_VERSION,
        "as_of": naive_utc(request.as_of),
        "completed_at": naive_utc(datetime.now(UTC)),
        "report": report.model_dump_json(),
    }
    connection.execute(SEED_STATE.insert(), state)
    # The graph comes first: a kill between the two leaves a database that says that it is not seeded.
    for put in put_in_place:
        put()
    return report


def insert_block(connection: Connection, block: Block) -> None:
    """Insert a data set with its provenance."""
    dataset = {
        **asdict(block.dataset),
        "as_of": naive_utc(block.dataset.as_of),
        "loaded_at": naive_utc(datetime.now(UTC)),
        "row_count": block.row_count,
    }
    connection.execute(DATASETS.insert(), dataset)
    for table in block.rows:
        for rows in _batches(block, table):
            insert_rows(connection, table, rows)


def insert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that name the same columns.

    Where the driver takes values by position they are handed to it as they are, which is three times as fast as having
    each row bound by SQLAlchemy.
    """
    names = tuple(rows[0])
    compiled = table.insert().compile(dialect=connection.dialect, column_keys=list(names))
    if compiled.positiontup is None:
        connection.execute(table.insert(), [dict(row) for row in rows])
        return
    order = compiled.positiontup
    columns = [map(itemgetter(name), rows) for name in order]
    written = [
        values if processor is None else map(processor, values)
        for values, processor in zip(columns, (_processor(connection, table, name) for name in order), strict=True)
    ]
    connection.exec_driver_sql(compiled.string, list(zip(*written, strict=True)))


def _processor(connection: Connection, table: Table, name: str) -> Callable[[Any], Any] | None:
    kind = table.c[name].type
    processor = kind.dialect_impl(connection.dialect).bind_processor(connection.dialect)
    # Few days and moments stand in many rows, and writing one down is slow.
    return lru_cache(_TIMES_MAX)(processor) if processor and isinstance(kind, sa.Date | sa.DateTime) else processor


def _batches(block: Block, table: Table) -> Iterator[list[dict[str, Any]]]:
    rows = block.rows_of(table)
    for start in range(0, len(rows), _ROWS_PER_INSERT):
        yield rows[start : start + _ROWS_PER_INSERT]


def _summary(block: Block) -> SeededDataset:
    dataset = block.dataset
    return SeededDataset(
        dataset_id=dataset.dataset_id,
        title_ko=dataset.title_ko,
        title_en=dataset.title_en,
        source=dataset.source,
        licence=dataset.licence,
        sample=dataset.sample,
        as_of=dataset.as_of,
        rows=block.row_count,
    )


def seeding_engine(url: str) -> Engine:
    """Return an engine whose transactions may write anything and, on SQLite, begin with the write lock."""
    parsed = make_url(url)
    path = sqlite_path(parsed)
    if parsed.get_backend_name() in MYSQL:
        from services.tool_gateway.data import mysql  # noqa: PLC0415 - loads its dialect

        return mysql.seeding_engine(parsed)
    if path is None:
        return sa.create_engine(parsed.set(drivername="postgresql+psycopg"))
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(parsed.set(drivername="sqlite"), connect_args={"timeout": _LOCK_SECONDS_MAX})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver would open transactions late and only for some statements; here they are opened by hand.
    connection.isolation_level = None
    with contextlib.suppress(sqlite3.OperationalError):
        # Readers go on undisturbed beside a writer. Another process that holds the lock now is setting the same.
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")


def _begin_immediate(connection: Connection) -> None:
    # The write lock from the start: the second of two seeds waits here and then sees what the first has done.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _say(**line: Any) -> None:
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
