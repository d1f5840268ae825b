"""The MCP server at /mcp, over the protocol's streamable HTTP: each request is its caller's own, without a session.

The SDK takes a second to import, so that it is loaded when the first request comes.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, Final, cast

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from gateway.http.calling import Calling, Metadata, metadata_of
from gateway.http.problems import problem_of, response_to
from gateway.mcp.door import Refusal
from hapju.flow.v1 import flow_event_pb2, question_pb2
from services.runtime.errors import HapjuError
from services.runtime.interceptors import Identify
from services.runtime.settings import Settings

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from gateway.mcp.asking import Context

PATH: Final = "/mcp"
"""Where the server is."""


class CallingDoor:
    """The gateway beside this edge, as one caller has it.

    Args:
        calling: The gateway.
        metadata: The caller's own.
    """

    def __init__(self, calling: Calling, metadata: Metadata) -> None:
        self._calling = calling
        self._metadata = metadata

    async def call(self, rpc: str, request: Message) -> Any:
        """Returns a unary call's response; raises Refusal."""
        try:
            return await self._calling.call(rpc, request, self._metadata)
        except HapjuError as error:
            raise _refusal(error) from None

    def ask(self, question: question_pb2.Question) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yields a new flow's events until its end; raises Refusal."""
        return _single(self._calling.ask(question, self._metadata))

    def watch(self, flow_run_id: str, after_sequence: int) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yields a flow's events after a sequence until its end; raises Refusal."""
        return _single(self._calling.watch(flow_run_id, after_sequence, self._metadata))


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
        """Serves a request, or refuses one whose token does not hold."""
        try:
            self._identify(metadata_of(Request(scope)))
        except HapjuError as error:
            await response_to(problem_of(error))(scope, receive, send)
            return
        await (await self._begun()).handle_request(scope, receive, send)

    async def close(self) -> None:
        """Ends what is being served."""
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
            server(self._door_of), stateless=True, max_request_body_size=self._settings.http_body_bytes_max
        )

    def _door_of(self, ctx: "Context") -> CallingDoor:
        return CallingDoor(self._calling, metadata_of(cast("Request", ctx.request)))


async def _single(
    told: AsyncGenerator[tuple[flow_event_pb2.FlowEvent, ...]],
) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
    try:
        async for events in told:
            for event in events:
                yield event
    except HapjuError as error:
        raise _refusal(error) from None
    finally:
        await told.aclose()


def _refusal(error: HapjuError) -> Refusal:
    violations = [(item.field, item.description) for item in error.violations]
    return Refusal(error.code.name, error.reason, error.message, violations, error.metadata)
