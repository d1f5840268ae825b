"""Runs named statements: typed rows, row and byte limits, and where the rows come from (spec 3.1)."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict

from services.contract.flow import Provenance
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.graph_reads import GraphReads
from services.tool_gateway.search.finder import Finder
from services.tool_gateway.statements import PROVENANCE_COLUMNS, ROW_LIMIT, Statement, load_statements
from services.tool_gateway.web.provider import WebSearch

ROWS_BYTES_MAX: Final = 256 * 1024
"""How long the rows of one read may be as JSON."""


class RowTooLarge(ValueError):
    """A single row is longer than the rows of a read may be."""


def _in_utc(value: object) -> object:
    """Read a stored time, which is UTC without a zone: text from SQLite, datetime from PostgreSQL."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment.replace(tzinfo=UTC) if isinstance(moment, datetime) and moment.tzinfo is None else moment


UtcTime = Annotated[datetime, BeforeValidator(_in_utc)]
"""A time of a row: stored as UTC, aware in the row, ISO 8601 with Z in JSON."""


class Row(BaseModel):
    """The base of every row that a tool returns."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a read returned."""

    rows: tuple[Row, ...]
    """The rows, typed."""
    rows_json: bytes
    """The same as a UTF-8 JSON array of objects, at most `ROWS_BYTES_MAX` bytes."""
    truncated: bool
    """True where more rows matched than were returned."""
    provenance: Provenance
    """Where they come from."""
    note: str = ""
    """What a reader should know about an empty or cut result, in English."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The statement that returned rows, as provenance names it."""

    template_id: str
    """Its id."""
    table: str
    """The table, or the relation of the graph, whose rows it returns."""
    text: str
    """The statement itself, which the fingerprint covers."""


class Reads:
    """The statements and the connections on which they run.

    Args:
        reader: The connections of the data database.
        statements: The named statements; the packaged ones by default.
        graph: The graph of the same data; without it every read of the graph says that there is none.
        web: Who searches the web; None where nobody does.
    """

    def __init__(
        self,
        reader: Reader,
        statements: Mapping[str, Statement] | None = None,
        graph: GraphReads | None = None,
        web: WebSearch | None = None,
    ) -> None:
        self._reader = reader
        self._statements = load_statements() if statements is None else statements
        self.graph = graph or GraphReads(None)
        """Named statements over the graph."""
        self.web = web
        """Who searches the web; None where nobody does."""
        self.finder = Finder(self)
        """Search by words and meaning over the same connections."""

    async def read(
        self,
        template_id: str,
        row: type[Row],
        values: Mapping[str, Any],
        *,
        rows_max: int,
        timeout_seconds: float,
    ) -> Reading:
        """Run a statement and return its rows as `row` models.

        Raises:
            ReadTimeout, DatabaseUnavailable: See `Reader.fetch`.
            StatementError: The values do not fit the statement.
            RowTooLarge: The first row alone is longer than `ROWS_BYTES_MAX`.
        """
        found = await self.records(template_id, values, rows_max=rows_max + 1, timeout_seconds=timeout_seconds)
        return reading_of(self.origin(template_id), row, values, found, rows_max=rows_max)

    def origin(self, template_id: str) -> Origin:
        """Return a statement as provenance names it."""
        statement = self._statements[template_id]
        return Origin(statement.template_id, statement.table, statement.sql)

    async def records(
        self, template_id: str, values: Mapping[str, Any], *, rows_max: int, timeout_seconds: float
    ) -> list[dict[str, Any]]:
        """Run a statement and return its records as they are; see `read` for the errors."""
        statement = self._statements[template_id]
        bound = statement.bind({**values, ROW_LIMIT: rows_max})
        return await self._reader.fetch(statement.clause, bound, timeout_seconds)


def reading_of(
    origin: Origin, row: type[Row], values: Mapping[str, Any], records: Sequence[Mapping[str, Any]], *, rows_max: int
) -> Reading:
    """Return the first `rows_max` records as typed rows within the byte limit, with where they come from.

    Args:
        origin: The statement that returned them.
        row: The model of a row; fields of a record that it lacks are left out.
        values: What the statement was bound to.
        records: The records, each with the `PROVENANCE_COLUMNS`; one more than `rows_max` says that there are more.
        rows_max: How many rows are returned at most.

    Raises:
        RowTooLarge: The first row alone is longer than `ROWS_BYTES_MAX`.
    """
    documents, rows = _within_limit(row.model_validate(_row_part(record, row)) for record in records[:rows_max])
    truncated = len(rows) < len(records)
    rows_json = b"[" + b",".join(documents) + b"]"
    provenance = _provenance(origin, values, records[: len(rows)], rows_json)
    note = f"more rows matched; the first {len(rows)} are returned" if truncated else ""
    return Reading(rows, rows_json, truncated, provenance, note)


def _row_part(record: Mapping[str, Any], row: type[Row]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name in row.model_fields}


def _within_limit(rows: Iterable[Row]) -> tuple[list[bytes], tuple[Row, ...]]:
    """Return the rows, and each as JSON, up to the byte limit of their array."""
    documents: list[bytes] = []
    kept: list[Row] = []
    size = 2
    for row in rows:
        document = row.model_dump_json().encode()
        size += len(document) + 1
        if size > ROWS_BYTES_MAX and not kept:
            raise RowTooLarge(f"a single row is longer than the limit of {ROWS_BYTES_MAX} bytes")
        if size > ROWS_BYTES_MAX:
            break
        documents.append(document)
        kept.append(row)
    return documents, tuple(kept)


def _provenance(
    origin: Origin, values: Mapping[str, Any], records: Sequence[Mapping[str, Any]], rows_json: bytes
) -> Provenance:
    filters = _canonical(values)
    fingerprint = hashlib.sha256(b"\x00".join((origin.template_id.encode(), origin.text.encode(), filters)))
    fingerprint.update(b"\x00" + rows_json)
    dataset, source, sample, as_of = (tuple(record[name] for record in records) for name in PROVENANCE_COLUMNS)
    return Provenance(
        source="; ".join(dict.fromkeys(source)),
        dataset=", ".join(dict.fromkeys(dataset)),
        table=origin.table,
        filters_json=filters,
        as_of_time=max((_aware(moment) for moment in as_of), default=None),
        row_count=len(records),
        template_id=origin.template_id,
        fingerprint=fingerprint.hexdigest(),
        sample=any(sample),
    )


def _aware(moment: Any) -> datetime:
    aware = _in_utc(moment)
    if not isinstance(aware, datetime):
        raise TypeError(f"as_of is {type(moment).__name__}, no time")
    return aware


def _canonical(values: Mapping[str, Any]) -> bytes:
    def plain(value: Any) -> Any:
        return value.isoformat() if isinstance(value, date) else value

    document = {
        name: [plain(item) for item in value] if isinstance(value, (list, tuple)) else plain(value)
        for name, value in values.items()
    }
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
