"""Makes the index of a collection: what each token weighs in each document, how rare it is, and the vectors."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from services.plugin.data.sample import Document
from services.text.encoder import ENCODER, encode
from services.tool_gateway.search.tokens import PAIR_WEIGHT, is_word, tokens

# BM25: how fast a repeated token saturates, and how much a long document loses.
_SATURATION = 1.2
_LENGTH_LOSS = 0.4


@dataclass(frozen=True)
class Index:
    """The rows of one collection's index, by table of the same name."""

    search_collections: list[dict[str, Any]]
    """One row: fingerprint, count and encoder."""
    search_terms: list[dict[str, Any]]
    """How rare each token is."""
    search_postings: list[dict[str, Any]]
    """What each token weighs in each document."""
    search_vectors: list[dict[str, Any]]
    """One vector a document."""


def build_index(collection: str, documents: Sequence[Document]) -> Index:
    """Return the index of a collection; equal documents give an equal index."""
    return Index(**index_words(collection, documents), search_vectors=index_vectors(collection, documents))


def index_words(collection: str, documents: Sequence[Document]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a collection's index but its vectors, by table: what its texts are found by as words."""
    counts = {document.document_id: _counts(document) for document in documents}
    mean_length = sum(sum(count.values()) for count in counts.values()) / len(documents)
    holders = Counter(token for count in counts.values() for token in count)
    postings = [
        {"collection": collection, "token": token, "document_id": document.document_id, "weight": weight}
        for document in documents
        for token, weight in _weights(document.prior, counts[document.document_id], mean_length).items()
    ]
    terms = [
        {"collection": collection, "token": token, "rarity": rarity(len(documents), held)}
        for token, held in sorted(holders.items())
    ]
    return {
        "search_collections": [_header(collection, documents)],
        "search_terms": terms,
        "search_postings": postings,
    }


def index_vectors(collection: str, documents: Sequence[Document]) -> list[dict[str, Any]]:
    """Return the vectors of a collection's index: what its texts are found by as meaning."""
    meanings = list(dict.fromkeys(document.meaning for document in documents))
    vectors = dict(zip(meanings, (row.tobytes() for row in encode(meanings).astype("<f2")), strict=True))
    return [
        {"collection": collection, "document_id": document.document_id, "vector": vectors[document.meaning]}
        for document in documents
    ]


def rarity(document_count: int, holder_count: int) -> float:
    """Return what a token that `holder_count` documents hold tells: 0 for none of use, more the fewer hold it."""
    return math.log(1 + (document_count - holder_count + 0.5) / (holder_count + 0.5))


def _counts(document: Document) -> Counter[str]:
    counts: Counter[str] = Counter()
    for text, weight in document.fields:
        for token in tokens(text):
            counts[token] += weight  # type: ignore[assignment]  # a weighted count is no whole number
    return counts


def _weights(prior: float, count: Mapping[str, float], mean_length: float) -> dict[str, float]:
    length = 1 - _LENGTH_LOSS + _LENGTH_LOSS * sum(count.values()) / mean_length
    return {
        token: round(prior * (held * (_SATURATION + 1)) / (held + _SATURATION * length) * _kind_weight(token), 5)
        for token, held in sorted(count.items())
    }


def _kind_weight(token: str) -> float:
    return 1.0 if is_word(token) else PAIR_WEIGHT


def _header(collection: str, documents: Sequence[Document]) -> dict[str, Any]:
    digest = hashlib.sha256(repr((ENCODER, documents)).encode()).hexdigest()
    return {
        "collection": collection,
        "fingerprint": digest,
        "document_count": len(documents),
        "encoder": ENCODER,
    }
