"""The mounted servers, as tools read from them."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from services.plugin.tools.mounted import Answer, ServerFailed
from services.runtime.tenants import Tenants
from services.tool_gateway.mcp.mounts import Mount, digest_of
from services.tool_gateway.web.provider import plain_text

if TYPE_CHECKING:
    from mcp_types import CallToolResult

    from services.tool_gateway.mcp.connection import Connection

TEXT_CHARS_MAX: Final = 2_000
"""How long a text of a row may be; what is longer is cut."""
DEPTH_MAX: Final = 4
"""How deep a row may be nested."""
DOCUMENTS_MAX: Final = 1_000
"""Rows of one answer that are looked at."""


class MountedServers:
    """Calls tools of mounted servers.

    Args:
        mounts: The servers by name.
        tenants: Whose questions may go there; everybody's by default.
    """

    def __init__(self, mounts: Mapping[str, Mount], tenants: Tenants | None = None) -> None:
        self._mounts = mounts
        self._tenants = tenants or Tenants()
        self._connections: dict[str, Connection] = {}

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any], timeout_seconds: float) -> Answer:
        """Return what a tool of a server answers; see `Servers.call`."""
        connection = self._connection(server)
        if not self._tenants.granted().may_reach(self._mounts[server].url or server):
            raise ServerFailed(f"{server}: questions of this tenant may not go there", retryable=False)
        async with asyncio.timeout(timeout_seconds):
            result = await connection.call(tool, arguments, timeout_seconds)
        return Answer(self._mounts[server].title, _documents(server, tool, result))

    async def pins(self) -> Mapping[str, Mapping[str, str]]:
        """Return the digest of each tool that each server lists; raises ServerFailed."""
        return {
            server: {name: digest_of(one) for name, one in (await self._connection(server).definitions()).items()}
            for server in self._mounts
        }

    async def close(self) -> None:
        """Hang up."""
        for connection in self._connections.values():
            await connection.close()

    def _connection(self, server: str) -> "Connection":
        if server not in self._mounts:
            raise ServerFailed(f"{server}: no such server is mounted here", retryable=False)
        if server not in self._connections:
            # Imported only where a server is mounted: the SDK takes a second.
            from services.tool_gateway.mcp.connection import Connection  # noqa: PLC0415

            self._connections[server] = Connection(server, self._mounts[server])
        return self._connections[server]


def _documents(server: str, tool: str, result: "CallToolResult") -> tuple[Mapping[str, Any], ...]:
    """Return the rows of a result: an array of objects, alone in its object or by itself, or one object."""
    if result.is_error:
        raise ServerFailed(f"{server}: the tool {tool} says that it failed", retryable=True)
    held = result.structured_content
    if isinstance(held, dict) and len(held) == 1 and isinstance(next(iter(held.values())), list):
        held = next(iter(held.values()))
    found = held if isinstance(held, list) else [held]
    if len(found) > DOCUMENTS_MAX or not all(isinstance(one, dict) for one in found):
        raise ServerFailed(f"{server}: the tool {tool} does not answer with rows", retryable=False)
    return tuple(_cleaned(one, DEPTH_MAX) for one in found)


def _cleaned(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return plain_text(value, TEXT_CHARS_MAX)
    if depth and isinstance(value, dict):
        return {str(name): _cleaned(one, depth - 1) for name, one in value.items()}
    if depth and isinstance(value, list):
        return [_cleaned(one, depth - 1) for one in value]
    return value if value is None or isinstance(value, bool | int | float) else None
