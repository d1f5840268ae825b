"""The connection of a seed: one long transaction, and the turn to make it."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import make_url

from services.tool_gateway.data.reader import MYSQL, sqlite_path

_LOCK_SECONDS_MAX: Final = 120
_ADVISORY_LOCK: Final = 7_236_481_905


def wait_for_turn(connection: Connection) -> None:
    """Take the database's lock for seeding; an SQLite transaction has begun with its write lock."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})"))
    elif connection.dialect.name == "mysql":
        from services.tool_gateway.data import mysql  # noqa: PLC0415 - loaded with its engine

        mysql.lock_for_seeding(connection, _LOCK_SECONDS_MAX)


def seeding_engine(url: str) -> Engine:
    """Return an engine whose transactions may write anything and, on SQLite, begin with the write lock."""
    parsed = make_url(url)
    path = sqlite_path(parsed)
    if parsed.get_backend_name() in MYSQL:
        from services.tool_gateway.data import mysql  # noqa: PLC0415 - loads its dialect

        return mysql.seeding_engine(parsed)
    if path is None:
        return sa.create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            connect_args={"prepare_threshold": None},
            hide_parameters=True,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(
        parsed.set(drivername="sqlite"), connect_args={"timeout": _LOCK_SECONDS_MAX}, hide_parameters=True
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # The driver would open transactions late and only for some statements; here they are opened by hand.
    connection.isolation_level = None
    with contextlib.suppress(sqlite3.OperationalError):
        # Readers go on undisturbed beside a writer. Another process that holds the lock now is setting the same.
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")


def _begin_immediate(connection: Connection) -> None:
    # The write lock from the start: the second of two seeds waits here and then sees what the first has done.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
