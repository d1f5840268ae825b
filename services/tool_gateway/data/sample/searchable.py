"""Adds to a data set the index by which its rows are found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Table

from services.plugin.data.sample import Block
from services.tool_gateway.data.search_schema import SEARCH_COLLECTIONS, SEARCH_POSTINGS, SEARCH_TERMS, SEARCH_VECTORS
from services.tool_gateway.search.index import build_index

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
