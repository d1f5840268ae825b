"""Brings a database to the newest schema, programmatically and inside the caller's transaction.

    known revisions? -> each branch: its tables or its missing revisions -> as the tables describe it?

A branch is the core's own or a domain's. A table of sample data that differs from what its revision says is made anew
with all others of the sample: their rows come from the seed. Records of what was done (`KEPT`) are never dropped; where
they differ, nothing is touched. What a domain has left that is not installed now stays as it is.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from services.plugin.data.tables import KEPT, METADATA
from services.plugin.installed import installed_domains, is_own
from services.tool_gateway.data.schema import CORE, TABLES, branches, newest_revisions
from services.tool_gateway.data.seed.connection import seeding_engine, wait_for_turn

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

_SCRIPTS = Path(__file__).parent / "migrations"
_BEFORE_BRANCHES: Final = ("0001", "0002", "0003", "0004")
"""The revisions of the one line that there was before each domain had its branch; the last has today's tables."""
_VERSIONS: Final = sa.table("alembic_version", sa.column("version_num"))


class SchemaRefused(Exception):
    """The database's schema cannot be brought to this version's; nothing was changed. The text says why."""


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, bound to `connection` when one is given."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    folders = os.pathsep.join(str(folder) for folder in branches().values())
    config.set_main_option("version_locations", folders.replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> bool:
    """Bring the schema to the newest revisions; the caller owns the transaction and commits it.

    Returns:
        True where the sample's tables were dropped and made anew, because they were not what their revision says.

    Raises:
        SchemaRefused: A revision is not known here, or records of what was done would be touched.
    """
    is_mysql = connection.dialect.name == "mysql"
    if is_mysql:
        from services.tool_gateway.data import mysql  # noqa: PLC0415 - loads its dialect

        mysql.compare_by_code_point(connection)
    with _of_others_set_aside(connection):
        _adopt(connection)
        recorded = {_branch(revision): revision for revision in _recorded(connection)}
        # A table that is there without a record is what a killed seed has left on MariaDB, which commits each. Those
        # of all branches go together: tables of one refer to tables of another.
        unrecorded = [table for branch in branches() if branch not in recorded for table in _tables(branch)]
        present = set(sa.inspect(connection).get_table_names())
        _drop(connection, [table for table in unrecorded if table.name in present])
        for branch in branches():
            _bring_up(connection, branch, recorded.get(branch))
    remade = _remade(connection)
    if is_mysql:
        connection.exec_driver_sql("COMMIT")
    return remade


def _branch(revision: str) -> str:
    return revision.rpartition("_")[0]


def _recorded(connection: Connection) -> tuple[str, ...]:
    return MigrationContext.configure(connection).get_current_heads()


@contextlib.contextmanager
def _of_others_set_aside(connection: Connection) -> Iterator[None]:
    """Take the record of domains that are not installed out of Alembic's sight, and put it back.

    Raises:
        SchemaRefused: A revision of what is installed is not known: a newer version made it.
    """
    known = {script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions()}
    unknown = set(_recorded(connection)) - known - set(_BEFORE_BRANCHES)
    for revision in sorted(unknown):
        if _branch(revision) in {"", *branches()}:
            newest = ", ".join(sorted(newest_revisions()))
            raise SchemaRefused(
                f"the database has schema revision {revision}, which this version of hapju does not know (its newest "
                f"are {newest}); use the version of hapju that made it, or another database"
            )
    _forget(connection, unknown)
    yield
    for revision in sorted(unknown):
        connection.execute(_VERSIONS.insert().values(version_num=revision))


def _forget(connection: Connection, revisions: set[str]) -> None:
    if revisions:
        connection.execute(_VERSIONS.delete().where(_VERSIONS.c.version_num.in_(revisions)))


def _adopt(connection: Connection) -> None:
    """Record a database of the time before branches as one with the first revision of each of hapju's own branches."""
    before = set(_recorded(connection)) & set(_BEFORE_BRANCHES)
    if before:
        _forget(connection, before)
        own = [CORE, *(one.name for one in installed_domains() if is_own(one))]
        for branch in [one for one in own if one in branches()]:
            command.stamp(configuration(connection), f"{branch}_0001")


def _bring_up(connection: Connection, branch: str, recorded: str | None) -> None:
    """Bring one branch to its newest revision; where it has none, its tables are made as they are defined now."""
    if recorded is None:
        METADATA.create_all(connection, tables=_tables(branch))
        command.stamp(configuration(connection), f"{branch}@head")
    elif recorded not in newest_revisions():
        command.upgrade(configuration(connection), f"{branch}@head")


def _tables(branch: str) -> list[Table]:
    """Return the tables of a branch, parents before children; the core's are those of no domain."""
    if branch != CORE:
        return list(TABLES[branch])
    of_domains = {table.name for tables in TABLES.values() for table in tables}
    return [table for table in METADATA.sorted_tables if table.name not in of_domains]


def _remade(connection: Connection) -> bool:
    """Make the sample's tables anew where any is not as its definition says; return whether they were.

    A domain without revisions of its own has its tables made here as well, which touches no other.
    """
    _make_unrecorded(connection)
    differing = _differing(connection)
    if not differing:
        return False
    present = set(sa.inspect(connection).get_table_names())
    kept = sorted(name for name in differing if METADATA.tables[name].info.get(KEPT) and name in present)
    if kept:
        raise SchemaRefused(
            f"{', '.join(kept)}: the table is not as this version of hapju describes it, and it holds records of what "
            "was done, which are never dropped; use the version of hapju that made it"
        )
    _drop(connection, [table for table in METADATA.sorted_tables if table.name in present and not table.info.get(KEPT)])
    METADATA.create_all(connection)
    return True


def _make_unrecorded(connection: Connection) -> None:
    for domain, tables in TABLES.items():
        if domain not in branches():
            METADATA.create_all(connection, tables=list(tables))


def _differing(connection: Connection) -> frozenset[str]:
    """Return the tables that are missing or that differ from their definitions."""
    options = {"compare_type": True, "include_name": _is_ours}
    found = compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)
    # A change of a column stands in a list of such changes; every other is one tuple.
    changes = [change for entry in found for change in (entry if isinstance(entry, list) else [entry])]
    return frozenset(_table_of(change) for change in changes)


def _is_ours(name: str | None, kind: str, _parents: object) -> bool:
    return kind != "table" or name in METADATA.tables


def _table_of(change: tuple[object, ...]) -> str:
    """Return the table of one difference: (what, schema, table, ...) for columns, (what, object) for the rest."""
    subject = change[1]
    if isinstance(subject, sa.Table):
        return subject.name
    table = getattr(subject, "table", None)
    return table.name if isinstance(table, sa.Table) else str(change[2])


def _drop(connection: Connection, tables: list[Table]) -> None:
    """Drop tables, children first.

    Raises:
        SchemaRefused: One of them holds records of what was done.
    """
    for table in tables:
        if table.info.get(KEPT) and connection.execute(sa.select(table).limit(1)).first() is not None:
            raise SchemaRefused(f"{table.name} holds records of what was done and belongs to no known revision")
    METADATA.drop_all(connection, tables=tables)


def migrate_database(url: str) -> tuple[str, ...]:
    """Bring the database to the newest revisions and return them; one writer at a time, whoever else waits.

    Raises:
        SchemaRefused: The schema is not one that can be brought there; nothing was changed.
        ValueError: The URL names no database that hapju knows.
    """
    engine = seeding_engine(url)
    try:
        with engine.begin() as connection:
            wait_for_turn(connection)
            upgrade(connection)
    finally:
        engine.dispose()
    return tuple(sorted(newest_revisions()))
