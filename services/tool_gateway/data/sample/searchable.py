"""Adds to a data set the index by which its rows are found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from services.tool_gateway.data.sample.block import Block
from services.tool_gateway.data.search_schema import SEARCH_COLLECTIONS, SEARCH_POSTINGS, SEARCH_TERMS, SEARCH_VECTORS
from services.tool_gateway.search.index import Document, build_index


def searchable(block: Block, collection: str, documents: Sequence[Document]) -> Block:
    """Return the block with the index of its documents beside its rows."""
    index = build_index(collection, documents)
    tables = (SEARCH_COLLECTIONS, SEARCH_TERMS, SEARCH_POSTINGS, SEARCH_VECTORS)
    return replace(block, rows={**block.rows, **{table: getattr(index, table.name) for table in tables}})
