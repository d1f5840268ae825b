"""What a domain's sample is made of: data sets with their provenance and rows by table, and what generates them.

`data/sample/build.py` of a domain holds DATASETS, how many data sets it has, and blocks(given), which yields them in an
order in which each finds what it builds on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from services.plugin.documents import read_yaml

if TYPE_CHECKING:
    import numpy as np
    from sqlalchemy import Table

    from services.plugin.data.graph import GraphRows

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
class Document:
    """One document as search sees it."""

    document_id: str
    """Id within its collection."""
    fields: tuple[tuple[str, float], ...]
    """Texts with what a token in each weighs."""
    meaning: str
    """The text whose vector stands for the document."""
    prior: float = 1.0
    """What its words weigh: less than 1 for a document that is meant only when the question says so."""


@dataclass(frozen=True)
class Block:
    """One data set and the rows that belong to it; `dataset_id` is filled in by `marked`."""

    dataset: Dataset
    """Provenance of every row."""
    rows: Mapping[Table, Sequence[Row]]
    """Rows by table, parents before children."""
    graph: GraphRows | None = None
    """Nodes and relations, where the data set is one of the graph."""
    documents: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    """What is searched for by words and meaning, by the name of its collection."""

    def marked(self, table: Table, rows: Sequence[Row]) -> list[Row]:
        """Return rows of one table with the data set's id in each that has the column."""
        mark = {"dataset_id": self.dataset.dataset_id} if "dataset_id" in table.c else {}
        return [{**row, **mark} for row in rows]

    @property
    def row_count(self) -> int:
        """Rows over all tables, and nodes and relations of a graph."""
        return sum(len(rows) for rows in self.rows.values()) + (self.graph.count if self.graph else 0)


@dataclass(frozen=True)
class Given:
    """What a domain's sample is generated from."""

    as_of: datetime
    """The moment up to which rows are generated, aware."""
    warn: Callable[[str], None]
    """Takes a sentence for each data set that is left out."""
    built: Mapping[str, Block]
    """The data sets so far, by id: the domain's own and those of the domains that it requires."""

    @property
    def hour(self) -> datetime:
        """The full hour up to which rows are generated."""
        return self.as_of.replace(minute=0, second=0, microsecond=0)

    @property
    def minute(self) -> datetime:
        """The full minute up to which rows are generated."""
        return self.as_of.replace(second=0, microsecond=0)


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


def stream(name: str) -> np.random.Generator:
    """Return the random stream called `name`: the same numbers in every run, whatever other streams there are."""
    import numpy as np  # noqa: PLC0415 - only what generates loads it

    digest = hashlib.sha256(f"{GENERATOR_SEED}/{name}".encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:8], "big")))


def load_yaml(package: str | None, name: str) -> dict[str, Any]:
    """Return the mapping in the YAML file `name` of a package."""
    content = read_yaml(str(package), name)
    if not isinstance(content, dict):
        raise TypeError(f"{name} holds no mapping")
    return content


def load_yaml_list(package: str | None, name: str) -> list[dict[str, Any]]:
    """Return the list of mappings in the YAML file `name` of a package."""
    content = read_yaml(str(package), name)
    if not isinstance(content, list):
        raise TypeError(f"{name} holds no list")
    return content
