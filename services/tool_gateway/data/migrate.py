"""Brings a database to the newest schema, programmatically and inside the caller's transaction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

if TYPE_CHECKING:
    from sqlalchemy import Connection

_SCRIPTS = Path(__file__).parent / "migrations"


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration, bound to `connection` when one is given."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def newest_revision() -> str:
    """Return the id of the newest revision that this code carries."""
    head = ScriptDirectory.from_config(configuration()).get_current_head()
    if head is None:
        raise RuntimeError("no schema migration is packaged with the tool gateway")
    return head


def upgrade(connection: Connection) -> None:
    """Apply the missing revisions on `connection`; the caller owns the transaction and commits it."""
    command.upgrade(configuration(connection), "head")
