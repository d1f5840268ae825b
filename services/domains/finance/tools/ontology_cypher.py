"""ontology_cypher: a model's own question to the graph, accepted only as a checked read."""

from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import Field, StringConstraints

from services.contract.tool import ToolCost
from services.plugin.tools.reads import (
    Exact,
    ReadResult,
    Reads,
    Row,
    StatementOrigin,
    StatementRefused,
    UtcTime,
    reading_of,
)
from services.plugin.tools.tool import Arguments, Tool, UnknownIdentifier
from services.plugin.wording import Text

_ROWS_MAX: Final = 100
_SETS_MAX: Final = 10

_FREE: Final = Text("그래프 직접 조회", "Graph query")
Value = str | int | Exact | bool | None
"""A plain value of a column."""


class OntologyCypherArguments(Arguments):
    """The statement, and how many rows at most."""

    cypher: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)] = Field(
        description=(
            "One read: MATCH, OPTIONAL MATCH, WHERE, WITH, RETURN over the known labels and relations, each relation"
            " with its type and direction, strings written out; a LIMIT is forced."
        )
    )
    limit: int = Field(default=25, ge=1, le=_ROWS_MAX, description="Rows to return at most.")


class OntologyCypherRow(Row):
    """One row, by the statement's own columns."""

    values: dict[str, Value | list[Value]]
    """Value of each column by its name."""
    as_of: UtcTime
    """The newest moment that the graph speaks of."""

    def subject(self, locale: str) -> str:
        """Return what a user calls the query."""
        return _FREE.said(locale)

    @property
    def names(self) -> tuple[str, ...]:
        """The texts that a reader may see: those that are no ids."""
        return tuple(value for value in self.values.values() if isinstance(value, str) and not is_id(value))


def is_id(text: str) -> bool:
    """Tell an id from a name: an id has no space and no Hangul, and bears a digit, a mark or capitals alone."""
    if " " in text or any("가" <= mark <= "힣" for mark in text):
        return False
    return text.isupper() or any(mark.isdigit() or mark in ":>_-" for mark in text)


async def _read(arguments: OntologyCypherArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    try:
        found = await reads.graph.checked_records(
            arguments.cypher, rows_max=arguments.limit, timeout_seconds=timeout_seconds
        )
    except StatementRefused as refused:
        raise UnknownIdentifier("cypher", str(refused)) from None
    sets = await reads.graph.records("graph_origin.v1", {}, rows_max=_SETS_MAX, timeout_seconds=timeout_seconds)
    marks = _marks(sets)
    origin = StatementOrigin("ontology_cypher.v1", "|".join(sorted(found.relations or found.labels)), arguments.cypher)
    records = [{"values": record, **marks} for record in found.records]
    reading = reading_of(origin, OntologyCypherRow, {"cypher": arguments.cypher}, records, rows_max=arguments.limit)
    checks = f"checked against the schema: {'; '.join(found.directions) or 'no relation is followed'}"
    return replace(reading, note=checks if reading.rows else f"no rows; {checks}")


def _marks(sets: list[dict[str, Any]]) -> dict[str, Any]:
    """Return where rows of a free statement come from: every data set of the graph, since any may have had a part."""
    return {
        "dataset_id": ", ".join(record["dataset_id"] for record in sets),
        "dataset_source": "; ".join(dict.fromkeys(record["dataset_source"] for record in sets)),
        "dataset_sample": any(record["dataset_sample"] for record in sets),
        "as_of": max(record["as_of"] for record in sets),
    }


TOOL = Tool(
    name="ontology_cypher",
    description_ko="모델이 쓴 Cypher 읽기 문장을 스키마와 맞춰 본 뒤 실행합니다. 쓰기와 모르는 관계는 거절합니다.",
    description_en="Runs a model's Cypher read after checking it against the schema; anything else is refused.",
    arguments=OntologyCypherArguments,
    row=OntologyCypherRow,
    read=_read,
    domain="finance",
    title=_FREE,
    data_type="graph",
    needs="graph",
    cost=ToolCost.HIGH,
    typical_seconds=1.5,
    quality_prior=0.6,
    timeout_seconds=8,
    concurrency_max=2,
)
