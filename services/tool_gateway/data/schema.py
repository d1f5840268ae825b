"""The tables of the data database.

    datasets     each row of a domain's table names the data set that it came from, and with it source, licence and
                 whether it is sample data
    seed_state   one row, written in the same transaction as the rows that it speaks of
    search_*     the index of what is searched by words and meaning: search_schema.py
    effects, approvals   records of what was done, of no data set: effects_schema.py
    all others   of the installed domains, each in its data/tables.py

The tables are what the seed writes and what a database without them gets; a database that has them is brought up by
the revisions in `migrations/`, the core's and each domain's own branch. Times are UTC and stored without a zone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Column, DateTime, Integer, String, Table, Text

from services.plugin.data.tables import METADATA
from services.plugin.installed import InstalledDomain, in_order, installed_domains

# Imported so that METADATA holds their tables wherever this module is known.
from services.tool_gateway.data import effects_schema, search_schema  # noqa: F401

CORE: Final = "core"
"""The branch of the revisions of the core's own tables."""
_REVISION_FILE: Final = re.compile(r"r([0-9]{4})_[a-z0-9_]+\.py")

DATASETS = Table(
    "datasets",
    METADATA,
    Column("dataset_id", String(64), primary_key=True),
    Column("title_ko", String(200), nullable=False),
    Column("title_en", String(200), nullable=False),
    Column("source", String(300), nullable=False),
    Column("licence", String(100), nullable=False),
    Column("package", String(100), nullable=False),
    Column("package_version", String(40), nullable=False),
    Column("sample", Boolean, nullable=False),
    Column("generator_seed", BigInteger, nullable=True),
    Column("loaded_at", DateTime, nullable=False),
    Column("as_of", DateTime, nullable=False),
    Column("row_count", Integer, nullable=False),
)

SEED_STATE = Table(
    "seed_state",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("generator_version", Integer, nullable=False),
    Column("as_of", DateTime, nullable=False),
    Column("completed_at", DateTime, nullable=False),
    Column("report", Text, nullable=False),
    CheckConstraint("id = 1", name="single_row"),
)


def tables_of(domain: InstalledDomain) -> tuple[Table, ...]:
    """Return the tables that a domain declares, parents before children; loading them adds them to METADATA."""
    module = domain.module("data.tables")
    own = {one.name for one in vars(module).values() if isinstance(one, Table)} if module is not None else set()
    return tuple(table for table in METADATA.sorted_tables if table.name in own)


def branches() -> Mapping[str, Traversable]:
    """Return the folders of revisions by branch: the core's, then those of the domains that ship any, in order."""
    own = {CORE: resources.files(__package__) / "migrations" / "versions"}
    folders = {one.name: one.folder / "data" / "migrations" / "versions" for one in in_order(installed_domains())}
    return own | {name: folder for name, folder in folders.items() if folder.is_dir()}


def newest_revisions() -> frozenset[str]:
    """Return the newest revision of each branch, read from the names of its files: no migration is loaded."""
    return frozenset(f"{branch}_{max(_numbers(folder))}" for branch, folder in branches().items())


def _numbers(folder: Traversable) -> list[str]:
    return [match[1] for file in folder.iterdir() if (match := _REVISION_FILE.fullmatch(file.name))]


TABLES: Final[Mapping[str, tuple[Table, ...]]] = {one.name: tables_of(one) for one in in_order(installed_domains())}
"""The tables of each installed domain."""
