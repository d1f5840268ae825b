"""Reads of a database server, PostgreSQL or MariaDB, over read-only sessions with a time limit of the server's own.

Imported only where a URL names a server.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Executable, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from services.tool_gateway.data.sqlite_reads import CannotOpen, NoConnection, Rows

_WAIT_SECONDS_MAX: Final = 30
# The server's own limit lies a little behind the reader's, which tells better what happened.
_LIMIT_MARGIN_SECONDS: Final = 0.05


class ServerReads:
    """Read-only sessions of one server.

    Args:
        url: The server and its database.
        connections_max: How many statements run at once.
    """

    def __init__(self, url: URL, connections_max: int) -> None:
        pool = {"pool_size": connections_max, "max_overflow": 0, "pool_timeout": _WAIT_SECONDS_MAX}
        self._is_postgresql = url.get_backend_name() == "postgresql"
        self.asynchronous = _postgresql(url, pool) if self._is_postgresql else _mysql(url, pool)
        self.engine = self.asynchronous.sync_engine

    async def fetch(self, statement: Executable, parameters: Mapping[str, Any], timeout_seconds: float) -> Rows:
        """Return the rows of a statement; cancelled, it stops the statement on the server.

        Raises:
            CannotOpen: The server cannot be reached.
            NoConnection: None became free in time.
        """
        driver: Any = None
        try:
            async with self.asynchronous.connect() as connection:
                driver = (await connection.get_raw_connection()).driver_connection
                await self._limit(connection, timeout_seconds + _LIMIT_MARGIN_SECONDS)
                result = await connection.execute(statement, dict(parameters))
                return [dict(row) for row in result.mappings()]
        except OperationalError as error:
            if driver is None:
                raise CannotOpen from error
            raise
        except PoolTimeout as error:
            raise NoConnection from error
        except asyncio.CancelledError:
            # PostgreSQL's driver has asked its server to cancel; MariaDB's leaves the statement running.
            if driver is not None and not self._is_postgresql:
                from services.tool_gateway.data import mysql  # noqa: PLC0415 - loaded by `_mysql`

                await mysql.stop(self.asynchronous, driver)
            raise

    async def close(self) -> None:
        """Close every connection."""
        await self.asynchronous.dispose()

    async def _limit(self, connection: AsyncConnection, seconds: float) -> None:
        if self._is_postgresql:
            # By transaction, not by session: behind a pooler such as PgBouncer a session is everybody's.
            await connection.exec_driver_sql("SET TRANSACTION READ ONLY")
            limit = text("SELECT set_config('statement_timeout', :milliseconds, true)")
            await connection.execute(limit, {"milliseconds": str(int(seconds * 1_000))})
        else:
            from services.tool_gateway.data import mysql  # noqa: PLC0415 - loaded by `_mysql`

            await mysql.limit_statement(connection, seconds)


def _postgresql(url: URL, pool: Mapping[str, Any]) -> AsyncEngine:
    made = url.set(drivername="postgresql+psycopg")
    return create_async_engine(made, connect_args={"prepare_threshold": None}, hide_parameters=True, **pool)


def _mysql(url: URL, pool: Mapping[str, Any]) -> AsyncEngine:
    from services.tool_gateway.data import mysql  # noqa: PLC0415 - loads its dialect

    return mysql.reading_engine(url, pool)
