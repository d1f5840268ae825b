"""MySQL and MariaDB: how connections are opened, made alike, limited and stopped.

Imported only where a URL names one of them: the drivers and their dialect are no part of a start without them.

What differs from the other databases, and what is done about it:

    FLOAT and DATETIME lose digits, TEXT ends at 64 KiB   columns are DOUBLE, DATETIME(6), MEDIUMTEXT
    equal ids may differ in case or blanks at the end      tables and connections compare by code point, without padding
    a statement is not stopped when its client goes         it is killed over a second connection
    a table's definition is committed by itself            see `migrate.upgrade`
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, NullPool, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.ext.compiler import compiles

_CONNECT_SECONDS_MAX: Final = 10
# Shorter than the eight hours after which a server closes a connection that nobody uses.
_RECYCLE_SECONDS: Final = 1_800
_LIMIT: Final = "hapju_statement_seconds"
_SEED_LOCK: Final = "hapju_seed"
_ER_NO_SUCH_THREAD: Final = 1_094


def reading_engine(url: URL, pool: Mapping[str, Any]) -> AsyncEngine:
    """Return an engine whose sessions refuse every write."""
    engine = create_async_engine(
        url.set(drivername="mysql+aiomysql"),
        pool_recycle=_RECYCLE_SECONDS,
        connect_args=_arguments(),
        hide_parameters=True,
        **pool,
    )
    event.listen(engine.sync_engine, "connect", _prepare("SET SESSION TRANSACTION READ ONLY"))
    return engine


def writing_engine(url: URL, lock_seconds: float, pool: Mapping[str, Any]) -> Engine:
    """Return an engine for short transactions, each of which sees what was committed and waits so long for a lock."""
    engine = _plain_engine(url, isolation_level="READ COMMITTED", pool_recycle=_RECYCLE_SECONDS, **pool)
    event.listen(engine, "connect", _prepare(f"SET SESSION innodb_lock_wait_timeout = {int(lock_seconds)}"))
    return engine


def seeding_engine(url: URL) -> Engine:
    """Return an engine for one long load."""
    engine = _plain_engine(url)
    event.listen(engine, "connect", _prepare())
    return engine


def lock_for_seeding(connection: Connection, seconds: int) -> None:
    """Wait for the turn to seed; it ends with the connection.

    Raises:
        TimeoutError: Another seed took longer.
    """
    got = connection.execute(sa.text("SELECT GET_LOCK(:name, :seconds)"), {"name": _SEED_LOCK, "seconds": seconds})
    if got.scalar() != 1:
        raise TimeoutError(f"another seed held the database for over {seconds} s")


def compare_by_code_point(connection: Connection) -> None:
    """Have the tables that are made from now on compare text as this session does.

    Raises:
        DBAPIError: The database compares otherwise, and its user may not change that.
    """
    name, found, wanted = connection.exec_driver_sql(
        "SELECT DATABASE(), @@collation_database, @@collation_connection"
    ).one()
    if found != wanted:
        quoted = connection.dialect.identifier_preparer.quote_identifier(name)
        connection.exec_driver_sql(f"ALTER DATABASE {quoted} CHARACTER SET utf8mb4 COLLATE {wanted}")


async def limit_statement(connection: AsyncConnection, seconds: float) -> None:
    """Have the server stop the statements that follow when their time is up; one that is set already costs nothing."""
    told = connection.sync_connection.info if connection.sync_connection is not None else {}
    if told.get(_LIMIT) == seconds:
        return
    if getattr(connection.dialect, "is_mariadb", False):
        await connection.exec_driver_sql(f"SET SESSION max_statement_time = {seconds:.3f}")
    else:
        await connection.exec_driver_sql(f"SET SESSION max_execution_time = {int(seconds * 1_000)}")
    told[_LIMIT] = seconds


async def stop(engine: AsyncEngine, connection: Any) -> None:
    """Kill the statement that a driver's connection runs, over a connection of its own; the killed one is given up.

    Args:
        engine: The engine that it belongs to.
        connection: The driver's connection.
    """
    killing = create_async_engine(engine.url, poolclass=NullPool, connect_args=_arguments(), hide_parameters=True)
    try:
        async with killing.connect() as other:
            await other.exec_driver_sql(f"KILL QUERY {int(connection.thread_id())}")
    except DBAPIError as error:
        # It has ended by itself in the meantime.
        if code(error) != _ER_NO_SUCH_THREAD:
            raise
    finally:
        await killing.dispose()


def code(error: DBAPIError) -> int | None:
    """Return the server's number for an error."""
    arguments = getattr(error.orig, "args", ())
    return arguments[0] if arguments and isinstance(arguments[0], int) else None


def _plain_engine(url: URL, **options: Any) -> Engine:
    return sa.create_engine(
        url.set(drivername="mysql+pymysql"), connect_args=_arguments(), hide_parameters=True, **options
    )


def _arguments() -> dict[str, Any]:
    return {"charset": "utf8mb4", "connect_timeout": _CONNECT_SECONDS_MAX}


def _prepare(*statements: str) -> Callable[[Any, Any], None]:
    """Return a listener that makes each new session alike, whatever the server's defaults are."""

    def prepare(connection: Any, _record: Any) -> None:
        with contextlib.closing(connection.cursor()) as cursor:
            cursor.execute("SELECT VERSION()")
            (version,) = cursor.fetchone()
            # Without padding: "mina" and "mina " are two users.
            collation = "utf8mb4_nopad_bin" if "mariadb" in version.lower() else "utf8mb4_0900_bin"
            cursor.execute(f"SET NAMES utf8mb4 COLLATE {collation}")
            cursor.execute("SET SESSION sql_mode = 'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY', time_zone = '+00:00'")
            for statement in statements:
                cursor.execute(statement)

    return prepare


@compiles(sa.Float, "mysql")
def _double(_type: Any, _compiler: Any, **_options: Any) -> str:
    return "DOUBLE"


@compiles(sa.DateTime, "mysql")
def _microseconds(_type: Any, _compiler: Any, **_options: Any) -> str:
    return "DATETIME(6)"


@compiles(sa.Text, "mysql")
def _long_text(_type: Any, _compiler: Any, **_options: Any) -> str:
    return "MEDIUMTEXT"
