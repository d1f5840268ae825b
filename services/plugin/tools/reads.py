"""What a tool reads with: rows, where they come from, and what runs statements, follows the graph and searches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, PrivateAttr

from services.contract.flow import Provenance

if TYPE_CHECKING:
    from services.plugin.tools.mounted import ForeignAgents, Servers
    from services.runtime.identity import Caller

ROWS_BYTES_MAX: Final = 256 * 1024
"""How long the rows of one read may be as JSON."""
PROVENANCE_COLUMNS: Final = ("dataset_id", "dataset_source", "dataset_sample", "as_of")
"""What a statement whose rows a tool returns selects beside the columns of its row."""


class RowTooLarge(ValueError):
    """A single row is longer than the rows of a read may be."""


def _in_utc(value: object) -> object:
    """Read a stored time, which is UTC without a zone: text from SQLite, datetime from PostgreSQL."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    return moment.replace(tzinfo=UTC) if isinstance(moment, datetime) and moment.tzinfo is None else moment


UtcTime = Annotated[datetime, BeforeValidator(_in_utc)]
"""A time of a row: stored as UTC, aware in the row, ISO 8601 with Z in JSON."""


Exact = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]
"""A number that is computed with as it is written: the shortest decimal that stands for it, a number in JSON."""


class Row(BaseModel):
    """The base of every row: a tool returns it, and the agents that call the tool read it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)
    _document: Any = PrivateAttr(default=None)

    @classmethod
    def returned(cls, document: Mapping[str, Any]) -> Self:
        """Return a row out of what a tool has returned; further fields, of a newer tool, are let be.

        Raises:
            ValidationError: A field is missing or has another type.
        """
        row = cls.model_validate(document, extra="ignore")
        row._document = document  # noqa: SLF001 - its own
        return row

    @property
    def document(self) -> Any:
        """The row as the tool returned it, for the evidence."""
        return self.model_dump(mode="json") if self._document is None else self._document

    def subject(self, locale: str) -> str:
        """Return what the row is about, as the metrics' subject says it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ReadResult:
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
class StatementOrigin:
    """The statement that returned rows, as provenance names it."""

    template_id: str
    """Its id."""
    table: str
    """The table, or the relation of the graph, whose rows it returns."""
    text: str
    """The statement, or with the arguments all that it is made of; the fingerprint covers it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One document that fits what is searched for."""

    document_id: str
    """Id within its collection."""
    score: float
    """Fused rank, 0 to 1: 1 is the first by words and by meaning that holds most of the question."""
    word_share: float
    """Share of what the question names that the document holds, rare words counting more, 0 to 1."""
    likeness: float
    """Cosine of the two meanings, -1 to 1."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What a document must reach to be about what is asked: either figure alone, or both together."""

    word_share: float = 0.4
    """Least share of what the question names."""
    likeness: float = 0.5
    """Least likeness of the meanings."""
    together: float = 0.62
    """Least sum of the two."""

    def lets_through(self, hit: Hit) -> bool:
        """Return whether a hit reaches it."""
        together = hit.word_share + hit.likeness
        return hit.word_share >= self.word_share or hit.likeness >= self.likeness or together >= self.together


class Search(Protocol):
    """Finds documents by words and meaning."""

    async def find(
        self,
        collection: str,
        question: str,
        *,
        timeout_seconds: float,
        allowed: frozenset[str] | None = None,
        floor: Floor = ...,
    ) -> list[Hit]:
        """Return the documents of a collection that fit, best first.

        Args:
            collection: The name under which the data set's documents are indexed.
            question: The user's words, in either language.
            timeout_seconds: Limit of each statement.
            allowed: Only these documents; all where None.
            floor: What a document must reach.
        """


@dataclass(frozen=True, slots=True)
class CheckedRecords:
    """What a model's own statement returned, and how it was held against the schema."""

    records: tuple[dict[str, Any], ...]
    """The records."""
    relations: frozenset[str]
    """Types of the relations that it follows."""
    labels: frozenset[str]
    """Labels that its nodes may have."""
    directions: tuple[str, ...]
    """Each relation as it was found in the schema, for the record."""


class StatementRefused(ValueError):
    """A model's own statement may not run; the text says why and, where it helps, what is allowed."""


class GraphReads(Protocol):
    """Runs named statements over the graph, and a model's own once they are checked."""

    async def origin(self, template_ids: Sequence[str], table: str) -> StatementOrigin:
        """Return several statements whose rows were put together as one, as provenance names them."""

    async def records(
        self, template_id: str, values: Mapping[str, Any], *, rows_max: int, timeout_seconds: float
    ) -> list[dict[str, Any]]:
        """Run a named statement and return its records."""

    async def checked_records(self, text: str, *, rows_max: int, timeout_seconds: float) -> CheckedRecords:
        """Check a model's own statement, run it with a forced limit and return its records.

        Raises:
            StatementRefused: It is no plain read of what the schema knows.
        """


class Reads(Protocol):
    """What a tool reads with."""

    @property
    def graph(self) -> GraphReads:
        """The graph of the same data."""

    @property
    def finder(self) -> Search:
        """Search by words and meaning over the same data."""

    @property
    def servers(self) -> Servers:
        """The MCP servers that the deployment has mounted."""

    @property
    def agents(self) -> ForeignAgents:
        """The A2A agents that the deployment has mounted."""

    async def read(
        self, template_id: str, row: type[Row], values: Mapping[str, Any], *, rows_max: int, timeout_seconds: float
    ) -> ReadResult:
        """Run a named statement and return its rows as `row` models.

        Raises:
            RowTooLarge: The first row alone is longer than `ROWS_BYTES_MAX`.
        """

    def origin(self, template_id: str) -> StatementOrigin:
        """Return a statement as provenance names it."""

    async def records(
        self, template_id: str, values: Mapping[str, Any], *, rows_max: int, timeout_seconds: float
    ) -> list[dict[str, Any]]:
        """Run a named statement and return its records as they are."""


async def read_own(  # noqa: PLR0913 - what a read takes, and whose rows it reads
    reads: Reads,
    template_id: str,
    row: type[Row],
    values: Mapping[str, Any],
    *,
    caller: Caller,
    rows_max: int,
    timeout_seconds: float,
) -> ReadResult:
    """Run a statement that binds `tenant` and `user_id`, taken from the caller's token and never from an argument.

    Provenance names the other values only.

    Raises:
        RowTooLarge: The first row alone is longer than `ROWS_BYTES_MAX`.
    """
    bound = {**values, "tenant": caller.tenant, "user_id": caller.user_id}
    found = await reads.records(template_id, bound, rows_max=rows_max + 1, timeout_seconds=timeout_seconds)
    return reading_of(reads.origin(template_id), row, values, found, rows_max=rows_max)


def reading_of(
    origin: StatementOrigin,
    row: type[Row],
    values: Mapping[str, Any],
    records: Sequence[Mapping[str, Any]],
    *,
    rows_max: int,
) -> ReadResult:
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
    fields = row.model_fields.keys()
    documents, rows = within_limit(row.model_validate(_part(record, fields)) for record in records[:rows_max])
    truncated = len(rows) < len(records)
    rows_json = b"[" + b",".join(documents) + b"]"
    provenance = _provenance(origin, values, records[: len(rows)], rows_json)
    note = f"more rows matched; the first {len(rows)} are returned" if truncated else ""
    return ReadResult(rows, rows_json, truncated, provenance, note)


def _part(record: Mapping[str, Any], fields: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name in fields}


def within_limit(rows: Iterable[Row]) -> tuple[list[bytes], tuple[Row, ...]]:
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
    origin: StatementOrigin, values: Mapping[str, Any], records: Sequence[Mapping[str, Any]], rows_json: bytes
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
