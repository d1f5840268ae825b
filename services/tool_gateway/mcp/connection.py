"""One connection to a mounted server: opened at the first call, kept, and opened anew where it broke.

The SDK wants a connection to be opened and closed by one task: that is `_own`, which lives until the connection ends.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Final

import httpx2
import structlog
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ListToolsResult

from services.plugin.tools.mounted import ServerFailed
from services.tool_gateway.mcp.mounts import Mount, digest_of

LISTED_SECONDS: Final = 60.0
"""How long what a server has listed is believed."""
PAGES_MAX: Final = 20
"""Pages of a list of tools."""
_log = structlog.get_logger(__name__)


class Connection:
    """A connection to one server.

    Args:
        name: The server's name.
        mount: What the deployment says of it.
    """

    def __init__(self, name: str, mount: Mount) -> None:
        self._name = name
        self._mount = mount
        self._lock = asyncio.Lock()
        self._client: Client | None = None
        self._owner: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()
        self._listed: Mapping[str, dict[str, Any]] = {}
        self._listed_at = 0.0

    async def call(self, tool: str, arguments: Mapping[str, Any], timeout_seconds: float) -> CallToolResult:
        """Return what a tool answers; raise ServerFailed, TimeoutError."""
        if tool not in self._mount.tools:
            raise ServerFailed(f"{self._name}: the tool {tool} is not mounted", retryable=False)
        try:
            client = await self._connected()
            self._check(tool, await self._definitions(client))
            return await client.call_tool(tool, dict(arguments), read_timeout_seconds=timeout_seconds)
        except (ServerFailed, asyncio.CancelledError, TimeoutError):
            raise
        except MCPError as refused:
            await self.close()
            _log.warning("mcp_call_failed", server=self._name, tool=tool, code=refused.code)
            raise ServerFailed(f"{self._name}: the call failed with code {refused.code}", retryable=True) from None
        except Exception as error:
            await self.close()
            _log.warning("mcp_unreachable", server=self._name, error=type(error).__name__)
            raise ServerFailed(f"{self._name}: the server cannot be reached", retryable=True) from error

    async def definitions(self) -> Mapping[str, dict[str, Any]]:
        """Return the tools that the server lists, each as it defines it, by name; raise as `call` does."""
        return await self._definitions(await self._connected())

    async def close(self) -> None:
        """Hang up; the next call connects anew."""
        owner, self._owner, self._client, self._listed_at = self._owner, None, None, 0.0
        self._ending.set()
        if owner is not None:
            await asyncio.gather(owner, return_exceptions=True)

    def _check(self, tool: str, listed: Mapping[str, dict[str, Any]]) -> None:
        """Refuse a tool whose definition is not the one that was pinned, or that may do more than read."""
        definition = listed.get(tool)
        found = "" if definition is None else digest_of(definition)
        if definition is None or found != self._mount.tools[tool]:
            _log.error("mcp_tool_changed", server=self._name, tool=tool, found=found)
            raise ServerFailed(f"{self._name}: the tool {tool} is not as it was pinned", retryable=False)
        if not (definition.get("annotations") or {}).get("readOnlyHint"):
            raise ServerFailed(f"{self._name}: the tool {tool} may do more than read", retryable=False)

    async def _definitions(self, client: Client) -> Mapping[str, dict[str, Any]]:
        if monotonic() - self._listed_at > LISTED_SECONDS or not self._listed_at:
            self._listed = {one["name"]: one async for one in _listed(client)}
            self._listed_at = monotonic()
        return self._listed

    async def _connected(self) -> Client:
        async with self._lock:
            if self._client is None or self._owner is None or self._owner.done():
                self._ending = asyncio.Event()
                ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
                self._listed_at = 0.0
                self._owner = asyncio.create_task(self._own(ready, self._ending))
                try:
                    self._client = await ready
                except Exception as error:
                    _log.warning("mcp_unreachable", server=self._name, error=type(error).__name__)
                    raise ServerFailed(f"{self._name}: the server cannot be reached", retryable=True) from error
            return self._client

    async def _own(self, ready: asyncio.Future[Client], ending: asyncio.Event) -> None:
        try:
            async with asyncio.timeout(self._mount.timeout_seconds) as opening, _client_of(self._mount) as client:
                opening.reschedule(None)
                ready.set_result(client)
                await ending.wait()
        except Exception as error:  # noqa: BLE001 - whatever ends it, the call that waits is told, and the next connects
            if not ready.done():
                ready.set_exception(error)


async def _listed(client: Client) -> AsyncIterator[dict[str, Any]]:
    cursor: str | None = None
    for _ in range(PAGES_MAX):
        page: ListToolsResult = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            yield tool.model_dump(mode="json", by_alias=True, exclude_none=True)
        cursor = page.next_cursor
        if cursor is None:
            return


@asynccontextmanager
async def _client_of(mount: Mount) -> AsyncIterator[Client]:
    if mount.command:
        command = StdioServerParameters(
            command=mount.command[0], args=list(mount.command[1:]), env=mount.environment or None
        )
        async with Client(command) as client:
            yield client
        return
    async with (
        httpx2.AsyncClient(headers=mount.headers, timeout=mount.timeout_seconds) as http,
        Client(streamable_http_client(mount.url, http_client=http)) as client,
    ):
        yield client
