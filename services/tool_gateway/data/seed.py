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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, Table, event
from sqlalchemy.engine import make_url

from services.plugin.graph import GraphRows
from services.plugin.installed import InstalledDomain, installed_domains
from services.plugin.sample import GENERATOR_VERSION, Block, naive_utc
from services.plugin.tables import KEPT, METADATA
from services.tool_gateway.data.graph.loading import is_present, loaded
from services.tool_gateway.data.migrate import SchemaRefused, upgrade
from services.tool_gateway.data.reader import MYSQL, sqlite_path
from services.tool_gateway.data.sample.searchable import INDEX, searchable
from services.tool_gateway.data.schema import DATASETS, SEED_STATE, TABLES
from services.tool_gateway.data.seeding import SeededDataset, SeedProgress, SeedReport, SeedRequest, loaded_domains

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
    engine = seeding_engine(request.url)
    try:
        with engine.begin() as connection, contextlib.ExitStack() as stack:
            _wait_for_turn(connection)
            remade = upgrade(connection)
            before = None if remade else _before(connection)
            stale = _stale(request, before)
            if before is not None and not stale:
                return before
            if before is not None and not all(one.domain for one in before.datasets):
                # An earlier version has not said what belongs to whom: all of it is loaded anew.
                stale |= set(before.domains) & {one.name for one in installed_domains()}
                before = None
            report = _load(_Target(connection, request, stack, before, stale), on_progress)
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


def _before(connection: Connection) -> SeedReport | None:
    """Return the report of the seed that the database holds, if this version's generators made it."""
    state = connection.execute(sa.select(SEED_STATE)).mappings().first()
    if state is None or state["generator_version"] != GENERATOR_VERSION:
        return None
    report = SeedReport.model_validate_json(state["report"])
    return report.model_copy(update={"loaded": False, "domains": loaded_domains(report)})


def _stale(request: SeedRequest, before: SeedReport | None) -> frozenset[str]:
    """Return the domains that are to be loaded: what is asked for and not there, and what stands on that."""
    installed = {one.name: one for one in installed_domains()}
    wanted = _with_required(installed, [request.domain] if request.domain else installed)
    loaded = {} if before is None else before.domains
    graph = {name for name, one in installed.items() if one.module("graph") is not None}
    stale = {name for name in wanted if request.force or not _is_there(loaded.get(name), request)}
    if request.graph_url and not is_present(request.graph_url):
        stale |= graph & wanted
    while True:
        # Rows of others name those that are loaded anew; and a graph is written whole.
        more = {name for name in loaded if name in installed and set(installed[name].declaration.requires) & stale}
        more |= graph & set(loaded) if graph & stale else set()
        if more <= stale:
            return frozenset(stale)
        stale |= more


def _is_there(loaded: datetime | None, request: SeedRequest) -> bool:
    return loaded is not None and (request.any_date or naive_utc(loaded).date() == naive_utc(request.as_of).date())


def _with_required(installed: Mapping[str, InstalledDomain], names: Iterable[str]) -> set[str]:
    waiting, reached = list(names), set[str]()
    while waiting:
        reached.add(name := waiting.pop())
        waiting += set(installed[name].declaration.requires) - reached
    return reached


@dataclass(frozen=True)
class _Target:
    """Where a seed writes."""

    connection: Connection
    request: SeedRequest
    stack: contextlib.ExitStack
    """Leaves the graph as it was where the seed fails."""
    before: SeedReport | None
    """What is there."""
    domains: frozenset[str]
    """The domains that are loaded."""

    @property
    def as_of(self) -> datetime:
        """The moment of the rows: where any date is as good, that of what is there."""
        there = {} if self.before is None else self.before.domains
        moments = [moment for name, moment in there.items() if name not in self.domains]
        return min(moments, default=self.request.as_of) if self.request.any_date else self.request.as_of


def _load(target: _Target, on_progress: Callable[[SeedProgress], None]) -> SeedReport:
    began = time.monotonic()
    _empty(target)
    left_out: list[str] = []
    graphs: list[GraphRows] = []
    datasets: list[SeededDataset] = []
    for domain, block, total in _blocks(target, left_out.append):
        indexed = searchable(block)
        _forget_index(target.connection, block)
        insert_block(target.connection, indexed)
        graphs += [block.graph] if block.graph is not None else []
        datasets.append(_summary(domain, indexed))
        on_progress(
            SeedProgress(dataset=block.dataset.title_en, rows=indexed.row_count, done=len(datasets), total=total)
        )
    url = target.request.graph_url
    put_in_place = target.stack.enter_context(loaded(url, graphs)) if graphs and url else None
    report = _report(target, datasets, left_out, time.monotonic() - began)
    _record(target.connection, report)
    # The graph comes first: a kill between the two leaves a database that says that it is not seeded.
    if put_in_place is not None:
        put_in_place()
    return report


def _blocks(target: _Target, warn: Callable[[str], None]) -> Iterator[tuple[str, Block, int]]:
    """Yield the data sets of the domains that are loaded, and how many there are; what they build on is generated."""
    # Imported here: a seed that finds its work done need not load numpy.
    from services.tool_gateway.data.sample.build import build_blocks, datasets_max  # noqa: PLC0415

    installed = {one.name: one for one in installed_domains()}
    domains = [installed[name] for name in sorted(_with_required(installed, target.domains))]
    total = datasets_max([one for one in domains if one.name in target.domains])
    for domain, block in build_blocks(domains, target.as_of, warn):
        if domain in target.domains:
            yield domain, block, total


def _empty(target: _Target) -> None:
    """Delete the rows of the domains that are loaded; without any record of what is there, all but what is kept."""
    if target.before is None:
        tables, stale = METADATA.sorted_tables, None
    else:
        tables = [table for name, some in TABLES.items() if name in target.domains for table in some]
        stale = [one.dataset_id for one in target.before.datasets if one.domain in target.domains]
    for table in reversed([one for one in METADATA.sorted_tables if one in tables]):
        if not table.info.get(KEPT):
            target.connection.execute(table.delete())
    if stale:
        target.connection.execute(DATASETS.delete().where(DATASETS.c.dataset_id.in_(stale)))


def _forget_index(connection: Connection, block: Block) -> None:
    for table in reversed(INDEX):
        connection.execute(table.delete().where(table.c.collection.in_(sorted(block.documents))))


def _report(target: _Target, datasets: Sequence[SeededDataset], left_out: Sequence[str], seconds: float) -> SeedReport:
    before = target.before
    kept = [] if before is None else [one for one in before.datasets if one.domain not in target.domains]
    moments = {} if before is None else {name: at for name, at in before.domains.items() if name not in target.domains}
    moments |= dict.fromkeys(sorted(target.domains), target.as_of.astimezone(UTC))
    there = (*kept, *datasets)
    return SeedReport(
        loaded=True,
        as_of=min(moments.values()),
        rows=sum(dataset.rows for dataset in there),
        seconds=round(seconds, 2),
        datasets=there,
        left_out=tuple(left_out),
        domains=moments,
    )


def _record(connection: Connection, report: SeedReport) -> None:
    state = {
        "id": 1,
        "generator_version": GENERATOR_VERSION,
        "as_of": naive_utc(report.as_of),
        "completed_at": naive_utc(datetime.now(UTC)),
        "report": report.model_dump_json(),
    }
    connection.execute(SEED_STATE.delete())
    connection.execute(SEED_STATE.insert(), state)


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


def _summary(domain: str, block: Block) -> SeededDataset:
    dataset = block.dataset
    return SeededDataset(
        dataset_id=dataset.dataset_id,
        domain=domain,
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
        return sa.create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            connect_args={"prepare_threshold": None},
            hide_parameters=True,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(
        parsed.set(drivername="sqlite"), connect_args={"timeout": _LOCK_SECONDS_MAX}, hide_parameters=True
    )
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
