"""The seeding child process: migrates the database and loads the sample data set in one transaction.

    python -m services.tool_gateway.data.seed.child < request.json

The request is a `SeedRequest` as JSON. Each line on standard output is a JSON object: `{"progress": ...}` after each
data set, then one `{"report": ...}`. It runs as a process of its own because it may load numpy and the sentence
encoder, which no service that does without keeps in memory. Killed at any moment it leaves the database as it was:
schema, rows and the record of the seed are one transaction (on MariaDB the rows and the record are; a half-made schema
is dropped by the next seed). Two at once take turns at the database's own lock, and the second finds the work done.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from services.plugin.data.graph import GraphRows
from services.plugin.data.sample import GENERATOR_VERSION, Block, naive_utc
from services.plugin.data.tables import KEPT, METADATA
from services.tool_gateway.data.graph.loading import loaded
from services.tool_gateway.data.graph.schema import SCHEMA
from services.tool_gateway.data.migrate import SchemaRefused, upgrade
from services.tool_gateway.data.sample import build
from services.tool_gateway.data.schema import DATASETS, SEED_STATE, TABLES
from services.tool_gateway.data.search_schema import SEARCH_COLLECTIONS, SEARCH_POSTINGS, SEARCH_TERMS, SEARCH_VECTORS
from services.tool_gateway.data.seed.connection import seeding_engine, wait_for_turn
from services.tool_gateway.data.seed.messages import SeededDataset, SeedProgress, SeedReport, SeedRequest, not_installed
from services.tool_gateway.data.seed.parcels import Parcel, Preparation
from services.tool_gateway.data.seed.plan import Stale, report_before
from services.tool_gateway.search.index import build_index

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
    except ModuleNotFoundError as missing:
        sys.exit(not_installed(missing))
    _say(report=report.model_dump(mode="json"))


def seed_database(request: SeedRequest, on_progress: Callable[[SeedProgress], None]) -> SeedReport:
    """Bring the database to the newest schema and load the sample data, unless it holds what is asked for.

    Raises:
        SchemaRefused: The schema is not one that can be brought there; nothing was changed.
    """
    engine = seeding_engine(request.url)
    try:
        with engine.begin() as connection, contextlib.ExitStack() as stack:
            wait_for_turn(connection)
            remade = upgrade(connection)
            there = None if remade else report_before(connection)
            stale = Stale.of(request, there)
            if there is not None and not stale.domains:
                return there
            report = _load(_Target(connection, request, stack, stale), on_progress)
            return report.model_copy(update={"notes": (_REMADE,)}) if remade else report
    finally:
        engine.dispose()


@dataclass(frozen=True)
class _Target:
    """Where a seed writes."""

    connection: Connection
    request: SeedRequest
    stack: contextlib.ExitStack
    """Leaves the graph as it was where the seed fails."""
    stale: Stale
    """What is loaded, and what is there beside it."""


def _load(target: _Target, on_progress: Callable[[SeedProgress], None]) -> SeedReport:
    began = time.monotonic()
    _empty(target)
    left_out: list[str] = []
    graphs: list[GraphRows] = []
    datasets: list[SeededDataset] = []
    total = build.datasets_of(target.stale.domains)
    for parcel in _parcels(target, left_out.append):
        _forget_index(target.connection, parcel)
        insert_parcel(target.connection, parcel)
        graphs += [parcel.graph] if parcel.graph is not None else []
        datasets.append(_summary(parcel))
        title = parcel.dataset.title_en
        on_progress(SeedProgress(dataset=title, rows=parcel.row_count, done=len(datasets), total=total))
    url = target.request.graph_url
    put_in_place = target.stack.enter_context(loaded(url, graphs)) if graphs and url else None
    report = _report(target, datasets, left_out, time.monotonic() - began)
    _record(target.connection, report)
    # The graph comes first: a kill between the two leaves a database that says that it is not seeded.
    if put_in_place is not None:
        put_in_place()
    return report


def _parcels(target: _Target, warn: Callable[[str], None]) -> Iterator[Parcel]:
    """Yield the data sets that are loaded: those that were prepared, or, where others are needed by now, made here."""
    stale = target.stale
    if target.request.prepared:
        preparation = Preparation(Path(target.request.prepared))
        if preparation.plan().serves(stale.domains, stale.as_of):
            yield from preparation.parcels(stale.domains, SCHEMA, warn)
            return
    for domain, block in build.generated_blocks(stale.domains, stale.as_of, warn):
        yield Parcel.of_block(searchable(block), domain)


def _empty(target: _Target) -> None:
    """Delete the rows of the domains that are loaded; without any record of what is there, all but what is kept."""
    before, domains = target.stale.before, target.stale.domains
    if before is None:
        tables, stale = METADATA.sorted_tables, None
    else:
        tables = [table for name, some in TABLES.items() if name in domains for table in some]
        stale = [one.dataset_id for one in before.datasets if one.domain in domains]
    for table in reversed([one for one in METADATA.sorted_tables if one in tables]):
        if not table.info.get(KEPT):
            target.connection.execute(table.delete())
    if stale:
        target.connection.execute(DATASETS.delete().where(DATASETS.c.dataset_id.in_(stale)))


def _forget_index(connection: Connection, parcel: Parcel) -> None:
    for table in reversed(INDEX):
        connection.execute(table.delete().where(table.c.collection.in_(sorted(parcel.collections))))


def _report(target: _Target, datasets: Sequence[SeededDataset], left_out: Sequence[str], seconds: float) -> SeedReport:
    before, domains = target.stale.before, target.stale.domains
    kept = [] if before is None else [one for one in before.datasets if one.domain not in domains]
    moments = {} if before is None else {name: at for name, at in before.domains.items() if name not in domains}
    moments |= dict.fromkeys(sorted(domains), target.stale.as_of.astimezone(UTC))
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
    insert_parcel(connection, Parcel.of_block(block))


def insert_parcel(connection: Connection, parcel: Parcel) -> None:
    """Insert a data set with its provenance, a batch at a time."""
    dataset = {
        **asdict(parcel.dataset),
        "as_of": naive_utc(parcel.dataset.as_of),
        "loaded_at": naive_utc(datetime.now(UTC)),
        "row_count": parcel.row_count,
    }
    connection.execute(DATASETS.insert(), dataset)
    for table, rows in parcel.batches:
        insert_rows(connection, METADATA.tables[table], rows)


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


def _summary(parcel: Parcel) -> SeededDataset:
    dataset = parcel.dataset
    return SeededDataset(
        dataset_id=dataset.dataset_id,
        domain=parcel.domain,
        title_ko=dataset.title_ko,
        title_en=dataset.title_en,
        source=dataset.source,
        licence=dataset.licence,
        sample=dataset.sample,
        as_of=dataset.as_of,
        rows=parcel.row_count,
    )


def _say(**line: Any) -> None:
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.flush()


INDEX = (SEARCH_COLLECTIONS, SEARCH_TERMS, SEARCH_POSTINGS, SEARCH_VECTORS)
"""The tables of the index, parents before children."""


def searchable(block: Block) -> Block:
    """Return the block with the index of its documents beside its rows."""
    rows: dict[Table, Sequence[dict[str, Any]]] = dict(block.rows)
    for collection, documents in block.documents.items():
        index = build_index(collection, documents)
        for table in INDEX:
            rows[table] = [*rows.get(table, ()), *getattr(index, table.name)]
    return replace(block, rows=rows)


if __name__ == "__main__":
    main()
