"""Brings a database to the newest schema, programmatically and inside the caller's transaction.

    known revision? -> what a killed migration left (MariaDB) -> the missing revisions -> as the tables describe it?

A table of sample data that differs from what its revision says is made anew with all others of the sample: their rows
come from the seed. Records of what was done (`KEPT`) are never dropped; where they differ, nothing is touched.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from services.tool_gateway.data import schema  # noqa: F401 - fills METADATA
from services.tool_gateway.data.metadata import KEPT, METADATA

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

_SCRIPTS = Path(__file__).parent / "migrations"


class SchemaRefused(Exception):
    """The database's schema cannot be brought to this version's; nothing was changed. The text says why."""


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, bound to `connection` when one is given."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def newest_revision() -> str:
    """Return the id of the newest revision that this code carries."""
    head = _revisions().get_current_head()
    if head is None:
        raise RuntimeError("no schema migration is packaged with the tool gateway")
    return head


def upgrade(connection: Connection) -> bool:
    """Bring the schema to the newest revision; the caller owns the transaction and commits it.

    Returns:
        True where the sample's tables were dropped and made anew, because they were not what their revision says.

    Raises:
        SchemaRefused: The revision is not known here, or records of what was done would be touched.
    """
    current = _known_revision(connection)
    if connection.dialect.name == "mysql":
        _prepare_mysql(connection, current)
    command.upgrade(configuration(connection), "head")
    remade = _remade(connection)
    if connection.dialect.name == "mysql":
        connection.exec_driver_sql("COMMIT")
    return remade


def _revisions() -> ScriptDirectory:
    return ScriptDirectory.from_config(configuration())


def _known_revision(connection: Connection) -> str | None:
    current = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in _revisions().walk_revisions()}
    if current is not None and current not in known:
        raise SchemaRefused(
            f"the database has schema revision {current}, which this version of hapju does not know (its newest is "
            f"{newest_revision()}); use the version of hapju that made it, or another database"
        )
    return current


def _prepare_mysql(connection: Connection, current: str | None) -> None:
    """Set how text is compared, and drop the tables of a migration that was killed: each is committed by itself."""
    from services.tool_gateway.data import mysql  # noqa: PLC0415 - loads its dialect

    mysql.compare_by_code_point(connection)
    left = set(sa.inspect(connection).get_table_names()) - _tables_at(current)
    _drop(connection, [table for table in METADATA.sorted_tables if table.name in left])


def _tables_at(revision: str | None) -> frozenset[str]:
    """Return the tables that a revision has, by making them in memory."""
    if revision is None:
        return frozenset()
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        command.upgrade(configuration(connection), revision)
        names = frozenset(sa.inspect(connection).get_table_names())
    engine.dispose()
    return names


def _remade(connection: Connection) -> bool:
    """Make the sample's tables anew where any is not as its definition says; return whether they were."""
    differing = _differing(connection)
    if not differing:
        return False
    present = set(sa.inspect(connection).get_table_names())
    kept = sorted(name for name in differing if METADATA.tables[name].info.get(KEPT) and name in present)
    if kept:
        raise SchemaRefused(
            f"{', '.join(kept)}: the table is not as schema revision {newest_revision()} describes it, and it holds "
            "records of what was done, which are never dropped; use the version of hapju that made it"
        )
    _drop(connection, [table for table in METADATA.sorted_tables if table.name in present and not table.info.get(KEPT)])
    METADATA.create_all(connection)
    return True


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
