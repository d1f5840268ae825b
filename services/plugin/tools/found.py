"""Turns hits of a search into typed rows in the order of their rank, with their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.plugin.tools.reads import Hit, ReadResult, Reads, Row, reading_of


class FoundRow(Row):
    """The base of a row that a search returned."""

    score: float | None = None
    """Fused rank, 0 to 1: 1 is the first by words and by meaning; null where nothing was searched for."""
    word_share: float | None = None
    """Share of what the question names that the row holds, rare words counting more, 0 to 1."""
    likeness: float | None = None
    """How close the meanings are, -1 to 1."""


@dataclass(frozen=True, slots=True)
class SearchedRows:
    """What was searched and how its rows are read."""

    template_id: str
    """The statement that reads rows by id; its parameter is `ids`."""
    id_column: str
    """The column of those ids."""
    filters: Mapping[str, Any]
    """What was asked, as provenance names it."""


async def found_reading(
    reads: Reads, found: SearchedRows, row: type[FoundRow], hits: Sequence[Hit], timeout_seconds: float
) -> ReadResult:
    """Return the rows of the hits in their order.

    Args:
        reads: How rows are read.
        found: What was searched.
        row: The model of a row.
        hits: At most as many as the statement takes ids.
        timeout_seconds: Limit of the statement.

    Raises:
        ReadTimeout, DatabaseUnavailable: See `Reader.fetch`.
    """
    return await _ordered(reads, found, row, {hit.document_id: _scores(hit) for hit in hits}, timeout_seconds)


async def listed_reading(
    reads: Reads, found: SearchedRows, row: type[FoundRow], ids: Sequence[str], timeout_seconds: float
) -> ReadResult:
    """Return the rows of ids that were not searched for, in their order, without scores; see `found_reading`."""
    return await _ordered(reads, found, row, dict.fromkeys(ids, _UNSCORED), timeout_seconds)


async def _ordered(
    reads: Reads,
    found: SearchedRows,
    row: type[FoundRow],
    ranked: Mapping[str, Mapping[str, float | None]],
    timeout_seconds: float,
) -> ReadResult:
    records: list[dict[str, Any]] = []
    if ranked:
        values = {"ids": list(ranked)}
        records = await reads.records(found.template_id, values, rows_max=len(ranked), timeout_seconds=timeout_seconds)
    by_id = {record[found.id_column]: record for record in records}
    ordered = [{**by_id[one], **scores} for one, scores in ranked.items() if one in by_id]
    return reading_of(reads.origin(found.template_id), row, found.filters, ordered, rows_max=max(len(ordered), 1))


_UNSCORED: Mapping[str, float | None] = {"score": None, "word_share": None, "likeness": None}


def _scores(hit: Hit) -> Mapping[str, float | None]:
    return {"score": hit.score, "word_share": hit.word_share, "likeness": round(hit.likeness, 4)}
