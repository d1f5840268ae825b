"""The graph on a server: Neo4j's own driver over Bolt, in read transactions that are always rolled back."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from neo4j import READ_ACCESS, AsyncDriver, AsyncGraphDatabase, AsyncTransaction
from neo4j.exceptions import ClientError, DriverError, Neo4jError, ServiceUnavailable, SessionExpired

from services.tool_gateway.data.graph.access import BoltAddress, GraphWriteRefused
from services.tool_gateway.data.reader import DatabaseUnavailable, ReadTimeout

CONNECTIONS_MAX: Final = 8
_CONNECT_SECONDS: Final = 3.0
_ROWS_MAX: Final = 10_000
_UNAVAILABLE: Final = "the graph server cannot be reached"


class BoltGraph:
    """A graph server that is only read.

    Its sessions ask for read access, which Neo4j enforces. Whatever a server makes of that, each transaction is rolled
    back, and one that changed something is an error.
    """

    def __init__(self, address: BoltAddress) -> None:
        self._address = address
        self._driver: AsyncDriver | None = None

    async def fetch(self, text: str, parameters: Mapping[str, Any], timeout_seconds: float) -> list[dict[str, Any]]:
        """Return the rows of a statement; see `Graph.fetch`."""
        try:
            async with asyncio.timeout(timeout_seconds):
                return await self._read(text, dict(parameters), timeout_seconds)
        except TimeoutError:
            raise ReadTimeout(f"the statement took longer than {timeout_seconds} s and was given up") from None
        except (ServiceUnavailable, SessionExpired, DriverError) as error:
            raise DatabaseUnavailable(_UNAVAILABLE) from error
        except ClientError as error:
            raise _told(error, timeout_seconds) from None

    async def close(self) -> None:
        """Close every connection."""
        if self._driver is not None:
            driver, self._driver = self._driver, None
            await driver.close()

    async def _read(self, text: str, parameters: dict[str, Any], timeout_seconds: float) -> list[dict[str, Any]]:
        async with self._connected().session(
            database=self._address.database, default_access_mode=READ_ACCESS
        ) as session:
            transaction = await session.begin_transaction(timeout=timeout_seconds)
            try:
                return await _fetched(transaction, text, parameters)
            finally:
                if not transaction.closed():
                    await transaction.rollback()

    def _connected(self) -> AsyncDriver:
        if self._driver is None:
            self._driver = AsyncGraphDatabase.driver(
                self._address.uri,
                auth=self._address.auth,
                max_connection_pool_size=CONNECTIONS_MAX,
                connection_timeout=_CONNECT_SECONDS,
                connection_acquisition_timeout=_CONNECT_SECONDS,
            )
        return self._driver


async def _fetched(transaction: AsyncTransaction, text: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    # The text is that of a template or of `render`, never a caller's.
    result = await transaction.run(text, parameters)
    records = [record.data() for record in await result.fetch(_ROWS_MAX)]
    counters = (await result.consume()).counters
    if counters.contains_updates or counters.contains_system_updates:
        raise GraphWriteRefused("a statement on the read path wrote; it was rolled back")
    return records


def _told(error: Neo4jError, timeout_seconds: float) -> Exception:
    """Return what a server's refusal means to a reader."""
    code = error.code or ""
    if "Timeout" in code or "Terminated" in code:
        return ReadTimeout(f"the statement took longer than {timeout_seconds} s and was stopped")
    if "AccessMode" in code or "Forbidden" in code:
        return GraphWriteRefused("the server refused a write on the read path")
    return error
