"""The index by which documents are found by words and meaning.

    search_collections 1-n search_terms, search_postings, search_vectors

A posting holds what one token of one document weighs (BM25 without the term's rarity, which stands in search_terms), so
that one SQL text ranks on every database. A vector is 512 half-precision numbers of length 1, little endian.
"""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Integer, LargeBinary, String, Table

from services.plugin.data.tables import METADATA

SEARCH_COLLECTIONS = Table(
    "search_collections",
    METADATA,
    Column("collection", String(16), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
    Column("document_count", Integer, nullable=False),
    Column("encoder", String(60), nullable=False),
)


def _collection() -> Column[str]:
    return Column("collection", String(16), ForeignKey("search_collections.collection"), primary_key=True)


SEARCH_TERMS = Table(
    "search_terms",
    METADATA,
    _collection(),
    Column("token", String(60), primary_key=True),
    Column("rarity", Float, nullable=False),
)

SEARCH_POSTINGS = Table(
    "search_postings",
    METADATA,
    _collection(),
    Column("token", String(60), primary_key=True),
    Column("document_id", String(40), primary_key=True),
    Column("weight", Float, nullable=False),
)

SEARCH_VECTORS = Table(
    "search_vectors",
    METADATA,
    _collection(),
    Column("document_id", String(40), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)
