"""Finds documents of a collection by words and by meaning, fuses both ranks, and keeps only what fits.

    tokens -> postings (SQL) -> rank by words         |
                                                      |-> reciprocal rank fusion -> floor -> hits
    text -> vector -> dot product -> rank by meaning  |

A document fits when it holds a good share of what the question names, or when its meaning is close; otherwise nothing
is returned, however the ranks stand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from services.plugin.tools.reads import Floor, Hit
from services.text.encoder import ENCODER, encode, numeric
from services.text.normalise import normalise
from services.tool_gateway.search.index import rarity
from services.tool_gateway.search.tokens import TOKENS_MAX, is_word, question_tokens

if TYPE_CHECKING:
    from numpy import ndarray

# Of reciprocal rank fusion: the greater, the less the first ranks stand out.
_RANK_OFFSET: Final = 10
_MEANING_SHARE: Final = 0.35
"""What the rank by meaning weighs against the rank by words."""
_UNKNOWN_SHARE: Final = 0.8
_PART_LOSS: Final = 0.4
"""What a document loses that holds none of the words which the best one holds."""
# What a document counts that holds pairs of syllables of the question and none of its words.
_PAIRS_ALONE: Final = 0.2
_CANDIDATES_MAX: Final = 400
_VECTORS_MAX: Final = 50_000


class StatementRecords(Protocol):
    """What runs named statements; see `services.tool_gateway.reads.Reads.records`."""

    async def records(
        self, template_id: str, values: Mapping[str, Any], *, rows_max: int, timeout_seconds: float
    ) -> list[dict[str, Any]]:
        """Run a statement and return its records."""


_FLOOR: Final = Floor()


@dataclass(frozen=True, slots=True)
class _Vectors:
    """The vectors of one collection."""

    fingerprint: str
    """The index that they belong to."""
    document_ids: tuple[str, ...]
    """One id a row."""
    rows: ndarray
    """Vectors of length 1, float32, shape (documents, dimensions)."""


@dataclass(frozen=True, slots=True)
class _Header:
    """What the index says of a question's tokens."""

    fingerprint: str
    """Which index answers."""
    document_count: int
    """Documents of the collection."""
    encoder: str
    """Model of its vectors."""
    rarities: Mapping[str, float]
    """Rarity of each token that some document holds."""


class Finder:
    """Searches the collections of one database; keeps the vectors of each collection in memory once it is searched."""

    def __init__(self, records: StatementRecords) -> None:
        self._records = records
        self._vectors: dict[str, _Vectors] = {}
        self._loading = asyncio.Lock()

    async def find(
        self,
        collection: str,
        question: str,
        *,
        timeout_seconds: float,
        allowed: frozenset[str] | None = None,
        floor: Floor = _FLOOR,
    ) -> list[Hit]:
        """Return the documents that fit, best first.

        Args:
            collection: The name under which the documents are indexed.
            question: The user's words, Korean or English.
            timeout_seconds: Limit of each statement.
            allowed: Only these documents; all where None.
            floor: What a document must reach.

        Raises:
            ReadTimeout, DatabaseUnavailable: See `Reader.fetch`.
        """
        asked = question_tokens(question)
        header = await self._header(collection, asked, timeout_seconds)
        if header is None or not question.strip():
            return []
        # The model runs in a thread while the database counts words.
        meaning = asyncio.create_task(self._by_meaning(collection, header, question, timeout_seconds))
        try:
            by_words = await self._by_words(collection, header, asked, timeout_seconds)
            likeness = await meaning
        finally:
            meaning.cancel()
            await asyncio.wait({meaning})
        hits = _fused(_only(by_words, allowed), _only(likeness, allowed))
        return [hit for hit in hits if floor.lets_through(hit)]

    async def _header(self, collection: str, asked: Sequence[str], timeout_seconds: float) -> _Header | None:
        found = await self._records.records(
            "search_terms.v1",
            {"collection": collection, "tokens": list(asked) or [""]},
            rows_max=TOKENS_MAX + 1,
            timeout_seconds=timeout_seconds,
        )
        if not found:
            return None
        rarities = {record["token"]: record["rarity"] for record in found if record["token"] is not None}
        first = found[0]
        return _Header(first["fingerprint"], first["document_count"], first["encoder"], rarities)

    async def _by_words(
        self, collection: str, header: _Header, asked: Sequence[str], timeout_seconds: float
    ) -> dict[str, float]:
        """Return the share of the question that each document holds, in the order of the ranks by words."""
        known = [token for token in asked if token in header.rarities]
        if not known:
            return {}
        found = await self._records.records(
            "search_words.v1",
            {"collection": collection, "tokens": known},
            rows_max=_CANDIDATES_MAX,
            timeout_seconds=timeout_seconds,
        )
        # A word that no document holds says that the question may be about something else, but less surely.
        unknown_rarity = rarity(header.document_count, 0) * _UNKNOWN_SHARE
        named = sum(header.rarities.get(token, unknown_rarity) for token in asked if is_word(token))
        # One word said often must not outrank all the words said once.
        found.sort(key=lambda record: (-record["score"] * (_PAIRS_ALONE + record["held"]), record["document_id"]))
        return {record["document_id"]: record["held"] / named if named else 0.0 for record in found}

    async def _by_meaning(
        self, collection: str, header: _Header, question: str, timeout_seconds: float
    ) -> dict[str, float]:
        if header.encoder != ENCODER:
            return {}
        vectors = await self._vectors_of(collection, header, timeout_seconds)
        return await asyncio.to_thread(_likeness, vectors, question)

    async def _vectors_of(self, collection: str, header: _Header, timeout_seconds: float) -> _Vectors:
        async with self._loading:
            kept = self._vectors.get(collection)
            if kept is None or kept.fingerprint != header.fingerprint:
                found = await self._records.records(
                    "search_vectors.v1",
                    {"collection": collection},
                    rows_max=_VECTORS_MAX,
                    timeout_seconds=timeout_seconds,
                )
                kept = self._vectors[collection] = await asyncio.to_thread(_stacked, header.fingerprint, found)
            return kept


def _only(ranked: dict[str, float], allowed: frozenset[str] | None) -> dict[str, float]:
    return ranked if allowed is None else {key: value for key, value in ranked.items() if key in allowed}


def _stacked(fingerprint: str, records: Sequence[Mapping[str, Any]]) -> _Vectors:
    np = numeric()
    joined = b"".join(bytes(record["vector"]) for record in records)
    rows = np.frombuffer(joined, dtype="<f2").reshape(len(records), -1).astype(np.float32)
    return _Vectors(fingerprint, tuple(record["document_id"] for record in records), rows)


def _likeness(vectors: _Vectors, question: str) -> dict[str, float]:
    """Return the likeness of the closest documents, closest first."""
    if not vectors.document_ids:
        return {}
    likeness = vectors.rows @ encode([normalise(question)])[0]
    order = numeric().argsort(-likeness, kind="stable")[:_CANDIDATES_MAX]
    return {vectors.document_ids[at]: float(likeness[at]) for at in order}


def _fused(by_words: Mapping[str, float], likeness: Mapping[str, float]) -> list[Hit]:
    scores: dict[str, float] = {}
    for share, ranked in ((1 - _MEANING_SHARE, by_words), (_MEANING_SHARE, likeness)):
        for rank, document_id in enumerate(ranked):
            scores[document_id] = scores.get(document_id, 0.0) + share * (_RANK_OFFSET + 1) / (_RANK_OFFSET + 1 + rank)
    best_share = max(by_words.values(), default=0.0) or 1.0
    hits = []
    for document_id, score in scores.items():
        share = by_words.get(document_id, 0.0)
        # Of two ranks apart, what holds all that the question names goes before what holds a part of it.
        held = 1 - _PART_LOSS * (1 - share / best_share)
        hits.append(Hit(document_id, round(score * held, 4), round(share, 4), likeness.get(document_id, 0.0)))
    return sorted(hits, key=lambda hit: (-hit.score, hit.document_id))
