"""What a source of rows hands to the seed: one data set with its provenance and its rows by table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Table

from services.tool_gateway.data.graph.rows import GraphRows

# To be raised whenever the generators change what they make: a database of an older version is then seeded anew.
GENERATOR_VERSION = 5
# The one seed of every generator; streams differ by the name of what they generate.
GENERATOR_SEED = 20_260_101

Row = dict[str, Any]


@dataclass(frozen=True)
class Dataset:
    """Where the rows of one data set come from (a row of the `datasets` table)."""

    dataset_id: str
    """Stable id, named in each row and in the provenance of each read."""
    title_ko: str
    """Title for Korean readers."""
    title_en: str
    """Title for English readers."""
    source: str
    """Who published or generated the figures."""
    licence: str
    """Licence under which the rows may be used."""
    package: str
    """Python package that carried the rows, or hapju for generated ones."""
    package_version: str
    """Version of that package."""
    sample: bool
    """True when the rows are generated and no published figures."""
    as_of: datetime
    """Newest moment that the rows speak of, UTC."""
    generator_seed: int | None = None
    """Seed of the generator; None for published rows."""


@dataclass(frozen=True)
class Block:
    """One data set and the rows that belong to it; `dataset_id` is filled in by `rows_of`."""

    dataset: Dataset
    """Provenance of every row."""
    rows: Mapping[Table, Sequence[Row]]
    """Rows by table, parents before children."""
    graph: GraphRows | None = None
    """Nodes and relations, where the data set is one of the graph."""

    def rows_of(self, table: Table) -> list[Row]:
        """Return the rows of one table with the data set's id in each that has the column."""
        mark = {"dataset_id": self.dataset.dataset_id} if "dataset_id" in table.c else {}
        return [{**row, **mark} for row in self.rows[table]]

    @property
    def row_count(self) -> int:
        """Rows over all tables, and nodes and relations of a graph."""
        return sum(len(rows) for rows in self.rows.values()) + (self.graph.count if self.graph else 0)


def generated(dataset_id: str, title_ko: str, title_en: str, as_of: datetime) -> Dataset:
    """Return the provenance of a generated data set: marked as sample, with the generator's seed and version."""
    return Dataset(
        dataset_id=dataset_id,
        title_ko=title_ko,
        title_en=title_en,
        source="hapju sample generator (no published figures)",
        licence="CC0-1.0",
        package="hapju",
        package_version=f"generator {GENERATOR_VERSION}",
        sample=True,
        as_of=utc(as_of),
        generator_seed=GENERATOR_SEED,
    )


def utc(moment: datetime) -> datetime:
    """Return an aware moment in UTC; a naive one is an error, since its zone would be a guess."""
    if moment.tzinfo is None:
        raise ValueError(f"as_of {moment.isoformat()} has no time zone")
    return moment.astimezone(UTC)


def naive_utc(moment: datetime) -> datetime:
    """Return a moment as the database keeps it: UTC without a zone."""
    return utc(moment).replace(tzinfo=None)
