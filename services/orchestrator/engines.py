"""How the flow store's two databases are reached, and how their schema is brought to the newest revision."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

NEWEST_REVISION: Final = "0005"
"""The newest migration that this code carries; a test holds it against the scripts."""
BUSY_SECONDS: Final = 5
"""How long a write waits for another process's write to the same SQLite file."""


def store_url(url: str) -> URL:
    """Returns a store's URL, its SQLite folder made.

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
    """Returns the engine for reads on the event loop."""
    if url.get_backend_name() == "postgresql":
        return create_async_engine(url, pool_pre_ping=True)
    # Reads begin no transaction there, so there is none to roll back, which would take as long as the read.
    plain = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
    engine = create_async_engine(url.set(drivername="sqlite+aiosqlite"), **plain)
    event.listen(engine.sync_engine, "connect", _tune_sqlite)
    return engine


@asynccontextmanager
async def snapshot(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Gives a connection whose reads all see the store as the first of them found it, whatever is written meanwhile."""
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
    """Returns the engine of the one thread that writes; on SQLite its transactions take the file's lock at once."""
    if url.get_backend_name() == "postgresql":
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url.set(drivername="sqlite+pysqlite"))
    event.listen(engine, "connect", _tune_sqlite)
    event.listen(engine, "connect", _begin_ourselves)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def migrate(engine: Engine) -> None:
    """Brings the schema to the newest revision, also where another process does so at the same moment."""
    with engine.connect() as connection:
        if _revision(connection) == NEWEST_REVISION:
            return
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # SQLite's transaction holds the file; here nothing holds back a replica that starts at the same moment.
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('hapju flow store schema'))"))
        if _revision(connection) != NEWEST_REVISION:
            _upgrade(connection)


def _tune_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    # A killed process loses nothing; a lost machine may lose its last commits, and the file stays whole.
    cursor.execute("PRAGMA synchronous=NORMAL")
    # What is deleted is overwritten: a deleted conversation must not stay in the file's free pages.
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    cursor.close()


def _begin_ourselves(connection: Any, _: object) -> None:
    connection.isolation_level = None


def _begin_immediate(connection: Connection) -> None:
    # A transaction that reads before it writes could otherwise find that another process wrote in between.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _revision(connection: Connection) -> str:
    """Returns the schema's revision, or an empty text where there is no schema yet."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.scalar(text("SELECT version_num FROM alembic_version")))


def _upgrade(connection: Connection) -> None:
    # Imported only where a migration is due: Alembic costs a tenth of a cold start.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
