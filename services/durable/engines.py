"""How the flow store's two databases are reached, and how their schema is brought to the newest revision."""

import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from services.durable.schema import FLOWS
from services.runtime.errors import Unavailable

NEWEST_REVISION: Final = "0008"
"""The newest migration that this code carries; a test holds it against the scripts."""
VERSION_TABLE: Final = "hapju_flows_version"
"""Where the schema's revision stands: the data may live in the same database and has a table of its own."""
_UNKNOWN: Final = "HAPJU_STORE_URL: the flow store there is {}, which this version cannot take over; name another"
_POOLED: Final[dict[str, Any]] = {"prepare_threshold": None}
"""A pooler such as PgBouncer gives each transaction another session: none may rest on what one was told before."""
BUSY_SECONDS: Final = 5
"""How long a write waits for another process's write to the same SQLite file."""
_TRIED_SECONDS: Final = 0.02
"""After so long what waits for no other process is tried again."""


def told_as(error: BaseException, engine: Engine) -> BaseException:
    """Return what an error of the database is to whoever asked the store: one that is away or full may come back."""
    drivers = engine.dialect.loaded_dbapi
    kinds = (OperationalError, InterfaceError, PoolTimeout, drivers.OperationalError, drivers.InterfaceError)
    return (
        Unavailable("the flow store cannot be used now", reason="STORE_UNAVAILABLE")
        if isinstance(error, kinds)
        else error
    )


def _tell(context: ExceptionContext) -> BaseException | None:
    if context.is_pre_ping or context.engine is None or context.sqlalchemy_exception is None:
        return None
    told = told_as(context.sqlalchemy_exception, context.engine)
    return told if isinstance(told, Unavailable) else None


def store_url(url: str) -> URL:
    """Return a store's URL, its SQLite folder made.

    Raises:
        ValueError: The URL names a database that hapju does not know.
    """
    made = make_url(url)
    if made.get_backend_name() == "postgresql":
        return made.set(drivername="postgresql+psycopg")
    if made.get_backend_name() != "sqlite" or not made.database:
        raise ValueError(f"HAPJU_STORE_URL: {made.get_backend_name()} is not supported; use sqlite or postgresql")
    Path(made.database).parent.mkdir(parents=True, exist_ok=True)
    return made


def reading_engine(url: URL) -> AsyncEngine:
    """Return the engine for reads on the event loop."""
    if url.get_backend_name() == "postgresql":
        pooled = create_async_engine(url, pool_pre_ping=True, connect_args=_POOLED, hide_parameters=True)
        event.listen(pooled.sync_engine, "handle_error", _tell, retval=True)
        return pooled
    # Reads begin no transaction there, so there is none to roll back, which would take as long as the read.
    plain = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
    engine = create_async_engine(url.set(drivername="sqlite+aiosqlite"), hide_parameters=True, **plain)
    event.listen(engine.sync_engine, "connect", _tune_sqlite)
    event.listen(engine.sync_engine, "handle_error", _tell, retval=True)
    return engine


@asynccontextmanager
async def snapshot(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Give a connection whose reads all see the store as the first of them found it, whatever is written meanwhile."""
    async with engine.connect() as connection:
        if engine.dialect.name != "sqlite":
            await connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection
            return
        # Without a transaction each read sees another moment.
        await connection.exec_driver_sql("BEGIN")
        try:
            yield connection
        finally:
            await connection.exec_driver_sql("ROLLBACK")


def writing_engine(url: URL) -> Engine:
    """Return the engine of the one thread that writes; on SQLite its transactions take the file's lock at once."""
    if url.get_backend_name() == "postgresql":
        return create_engine(url, pool_pre_ping=True, connect_args=_POOLED, hide_parameters=True)
    engine = create_engine(url.set(drivername="sqlite+pysqlite"), hide_parameters=True)
    event.listen(engine, "connect", _tune_sqlite)
    event.listen(engine, "connect", _begin_ourselves)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def migrate(engine: Engine) -> None:
    """Bring the schema to the newest revision, also where another process does so at the same moment."""
    with engine.connect() as connection:
        if _is_current(connection):
            return
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # SQLite's transaction holds the file; here nothing holds back a replica that starts at the same moment.
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('hapju flow store schema'))"))
        if not _is_current(connection):
            _upgrade(connection)


def _tune_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    _keep_a_log_ahead(cursor)
    # A killed process loses nothing; a lost machine may lose its last commits, and the file stays whole.
    cursor.execute("PRAGMA synchronous=NORMAL")
    # What is deleted is overwritten: a deleted conversation must not stay in the file's free pages.
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.close()


def _keep_a_log_ahead(cursor: Any) -> None:
    """Set a file's journal to WAL: the first change of it waits for no other opener of the new file, so it is tried."""
    ends = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > ends:
                raise
            time.sleep(_TRIED_SECONDS)
        else:
            return


def _begin_ourselves(connection: Any, _: object) -> None:
    connection.isolation_level = None


def _begin_immediate(connection: Connection) -> None:
    # A transaction that reads before it writes could otherwise find that another process wrote in between.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _is_current(connection: Connection) -> bool:
    return _revision(connection) == NEWEST_REVISION


def _revision(connection: Connection) -> str:
    """Return the schema's revision, or an empty text where there is no schema yet.

    Raises:
        ValueError: There are tables of no revision that is known.
    """
    tables = inspect(connection)
    if tables.has_table(VERSION_TABLE):
        return str(connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}")) or "")  # noqa: S608 - a constant
    if tables.has_table(FLOWS.name):
        raise ValueError(_UNKNOWN.format("of no revision"))
    return ""


def _upgrade(connection: Connection) -> None:
    # Imported only where a migration is due: Alembic costs a tenth of a cold start.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    former = _revision(connection)
    known = {one.revision for one in ScriptDirectory.from_config(config).walk_revisions()}
    if former and former not in known:
        raise ValueError(_UNKNOWN.format(f"of revision {former}"))
    command.upgrade(config, "head")
