"""Data sets on their way into a database: as they are generated, or read back from the files of a preparation.

A preparation is a folder of three files, each a row of pickles: the rows, the documents of what is searched, and the
index made of them. Whoever loads it reads a batch at a time.
"""

from __future__ import annotations

import contextlib
import gzip
import itertools
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from services.plugin.data.graph import GraphRows, GraphSchema
from services.plugin.data.sample import Block, Dataset, Document, Row

ROWS_PER_BATCH: Final = 5_000
ROWS_FILE: Final = "rows"
DOCUMENTS_FILE: Final = "documents"
INDEX_PARTS: Final = ("words", "vectors")

Batch = tuple[str, Sequence[Row]]
"""Rows of one table, by its name."""


@dataclass(frozen=True)
class Parcel:
    """One data set that is to be loaded."""

    domain: str
    """The domain that it belongs to."""
    dataset: Dataset
    """Provenance of every row."""
    row_count: int
    """Rows over all tables, and nodes and relations of a graph."""
    collections: frozenset[str]
    """The collections of documents that it brings."""
    graph: GraphRows | None
    """Nodes and relations, where it is one of the graph."""
    batches: Iterator[Batch]
    """Its rows, parents before children; to be taken once, before the next parcel."""

    @classmethod
    def of_block(cls, block: Block, domain: str = "") -> Parcel:
        """Return the parcel of a block in memory."""
        return cls(domain, block.dataset, block.row_count, frozenset(block.documents), block.graph, batches_of(block))


def batches_of(block: Block) -> Iterator[Batch]:
    """Yield the rows of a block, each with the id of its data set."""
    tables = {table.name: table for table in block.rows}
    for name, rows in _in_batches({table.name: rows for table, rows in block.rows.items()}):
        yield name, block.marked(tables[name], rows)


@dataclass(frozen=True)
class Plan:
    """What a preparation holds."""

    domains: frozenset[str]
    """The domains whose rows were generated."""
    as_of: datetime
    """The moment up to which they were."""
    total: int
    """Their data sets, when every optional package is installed."""

    def serves(self, domains: frozenset[str], as_of: datetime) -> bool:
        """Return whether the rows of these domains up to this moment are there."""
        return domains <= self.domains and as_of == self.as_of


@dataclass(frozen=True)
class _Head:
    """What stands before the batches of a data set."""

    domain: str
    dataset: Dataset
    row_count: int
    collections: frozenset[str]
    graph: tuple[dict[str, Any], Any, Any] | None


_END: Final = None
"""Stands behind the batches of a data set."""


class Preparation:
    """The files of a preparation."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, plan: Plan, blocks: Iterator[tuple[str, Block]], left_out: Sequence[str]) -> None:
        """Write blocks as they are generated; `left_out` is complete when they are."""
        with _writing(self._folder / ROWS_FILE) as rows, _writing(self._folder / DOCUMENTS_FILE) as documents:
            rows(plan)
            for domain, block in blocks:
                graph = None if block.graph is None else _packed(block.graph)
                rows(_Head(domain, block.dataset, block.row_count, frozenset(block.documents), graph))
                for batch in batches_of(block):
                    rows(batch)
                rows(_END)
                for collection, some in block.documents.items():
                    documents((collection, some))
            rows(tuple(left_out))

    def documents(self) -> Iterator[tuple[str, Sequence[Document]]]:
        """Yield the documents of each collection, by its name."""
        yield from _read(self._folder / DOCUMENTS_FILE)

    def write_index(self, part: str, indices: Iterator[tuple[str, Mapping[str, Sequence[Row]]]]) -> None:
        """Write a part of the index of each collection: its rows by the name of their table."""
        with _writing(self._folder / part) as write:
            for collection, rows in indices:
                for batch in _in_batches(rows):
                    write((collection, batch))

    def plan(self) -> Plan:
        """Return what it holds."""
        plan = next(_read(self._folder / ROWS_FILE))
        if not isinstance(plan, Plan):
            raise TypeError("the first of a preparation's rows is no plan")
        return plan

    def parcels(self, domains: frozenset[str], schema: GraphSchema, warn: Callable[[str], None]) -> Iterator[Parcel]:
        """Yield the data sets of domains with their index; each is to be taken before the next.

        Args:
            domains: Their names.
            schema: What graphs fit.
            warn: Takes a sentence for each data set that was left out.
        """
        read = _read(self._folder / ROWS_FILE)
        next(read)
        for head in read:
            if not isinstance(head, _Head):
                for sentence in head:
                    warn(sentence)
                return
            batches = iter(lambda: next(read), _END)
            if head.domain in domains:
                yield self._parcel(head, batches, schema)
            for _ in batches:
                pass

    def _parcel(self, head: _Head, batches: Iterator[Batch], schema: GraphSchema) -> Parcel:
        graph = None if head.graph is None else GraphRows(schema, *head.graph)
        count = head.row_count + sum(len(rows) for _, rows in self._index(head.collections))
        of_all = itertools.chain(batches, self._index(head.collections))
        return Parcel(head.domain, head.dataset, count, head.collections, graph, of_all)

    def _index(self, collections: frozenset[str]) -> Iterator[Batch]:
        """Yield the index of collections; what has no documents has none."""
        for part in INDEX_PARTS if collections else ():
            for collection, batch in _read(self._folder / part):
                if collection in collections:
                    yield batch


def _in_batches(rows: Mapping[str, Sequence[Row]]) -> Iterator[Batch]:
    for table, of_table in rows.items():
        for start in range(0, len(of_table), ROWS_PER_BATCH):
            yield table, of_table[start : start + ROWS_PER_BATCH]


def _packed(graph: GraphRows) -> tuple[dict[str, Any], Any, Any]:
    """Return a graph without its schema, which the reader has."""
    return dict(graph.origin), graph.nodes, graph.edges


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[Callable[[Any], None]]:
    # Packed: where the folder lies in memory, it counts for little.
    with gzip.open(path, "wb", compresslevel=1) as file:
        yield lambda frame: pickle.dump(frame, file, pickle.HIGHEST_PROTOCOL)


def _read(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rb") as file, contextlib.suppress(EOFError):
        while True:
            # Written a moment ago by a process of ours, into a folder that is this user's alone.
            yield pickle.load(file)  # noqa: S301
