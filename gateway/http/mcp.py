"""The MCP server at /mcp, over the protocol's streamable HTTP: each request is its caller's own, without a session.

The SDK takes a second to import, so that it is loaded when the first request comes.
"""

import asyncio
from typing import TYPE_CHECKING, Final, cast

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from gateway.http.calling import Calling, metadata_of
from gateway.http.door import CallingDoor
from gateway.http.problems import problem_of, response_to
from services.runtime.errors import HapjuError
from services.runtime.interceptors import Identify
from services.runtime.settings import Settings

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from gateway.mcp.asking import Context

PATH: Final = "/mcp"
"""Where the server is."""


class McpEndpoint:
    """Serves requests of the protocol; it begins with the first of them.

    Args:
        calling: The gateway.
        settings: The process's settings.
        identify: Says who a token is.
    """

    def __init__(self, calling: Calling, settings: Settings, identify: Identify) -> None:
        self._calling = calling
        self._settings = settings
        self._identify = identify
        self._lock = asyncio.Lock()
        self._closing = asyncio.Event()
        self._manager: StreamableHTTPSessionManager | None = None
        self._serving: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse one whose token does not hold."""
        try:
            self._identify(metadata_of(Request(scope)))
        except HapjuError as error:
            await response_to(problem_of(error))(scope, receive, send)
            return
        await (await self._begun()).handle_request(scope, receive, send)

    async def close(self) -> None:
        """End what is being served."""
        self._closing.set()
        if self._serving is not None:
            await asyncio.gather(self._serving, return_exceptions=True)

    async def _begun(self) -> "StreamableHTTPSessionManager":
        async with self._lock:
            if self._manager is None:
                manager = await asyncio.to_thread(self._made)
                begun = asyncio.Event()
                self._serving = asyncio.create_task(self._serve(manager, begun))
                await begun.wait()
                self._manager = manager
            return self._manager

    async def _serve(self, manager: "StreamableHTTPSessionManager", begun: asyncio.Event) -> None:
        async with manager.run():
            begun.set()
            await self._closing.wait()

    def _made(self) -> "StreamableHTTPSessionManager":
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415 - as said above

        from gateway.mcp.server import server  # noqa: PLC0415 - as said above

        # Hosts and origins have been looked at by the edge's own borders.
        return StreamableHTTPSessionManager(
            server(self._door_of), stateless=True, max_request_body_size=self._settings.http_asked_bytes_max
        )

    def _door_of(self, ctx: "Context") -> CallingDoor:
        return CallingDoor(self._calling, metadata_of(cast("Request", ctx.request)))
