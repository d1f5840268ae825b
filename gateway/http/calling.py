"""The gateway as its HTTP edge calls it: over gRPC like any client, with the client's own token."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final

import grpc
from google.protobuf.message import Message
from starlette.requests import HTTPConnection

from hapju.flow.v1 import flow_event_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc
from services.runtime.call_policy import CALL_POLICY, FLOW_SECONDS_MAX
from services.runtime.calls import CHANNEL_OPTIONS, messages
from services.runtime.errors import Unauthenticated, rebuilt
from services.runtime.transport import Transport

PASSED_ON: Final = ("authorization", "traceparent", "tracestate", "baggage")
"""The headers that go on as metadata: who calls, and which trace the call belongs to."""
ENDS: Final = frozenset({"finished", "failed", "cancelled"})
"""The terminal events."""
SESSION_COOKIE: Final = "hapju_session"
"""The cookie by which the console's person is known; it holds their token."""
CONSOLE_HEADER: Final = "hapju-console"
"""The header that the console's own requests bear, which no page of another origin can."""
Metadata = tuple[tuple[str, str], ...]
Events = tuple[flow_event_pb2.FlowEvent, ...]
"""What is told at once, in order."""


def metadata_of(connection: HTTPConnection) -> Metadata:
    """Returns the metadata of a client's calls.

    Raises:
        Unauthenticated: The token holds what no token holds.
    """
    found = []
    for name in PASSED_ON:
        value = connection.headers.get(name, "")
        if value.isascii() and value.isprintable():
            found += [(name, value)] if value else []
        elif name == "authorization":
            raise Unauthenticated("authorization: the token does not hold", reason="TOKEN_INVALID")
    session = connection.cookies.get(SESSION_COOKIE, "")
    if session and CONSOLE_HEADER in connection.headers and "authorization" not in connection.headers:
        found.append(("authorization", f"Bearer {session}"))
    return tuple(found)


class Calling:
    """Calls of GatewayService.

    Args:
        address: Where the gateway listens.
        transport: The way there.
    """

    def __init__(self, address: str, transport: Transport) -> None:
        self._channel = transport.own_channel(dialled(address), CHANNEL_OPTIONS)
        self._stub: Any = gateway_service_pb2_grpc.GatewayServiceStub(self._channel)

    async def close(self) -> None:
        """Ends every call that still runs."""
        await self._channel.close()

    async def call(self, rpc: str, request: Message, metadata: Metadata) -> Any:
        """Returns a unary call's response.

        Raises:
            HapjuError: As the gateway says.
        """
        seconds = CALL_POLICY[f"/{pb.DESCRIPTOR.services_by_name['GatewayService'].full_name}/{rpc}"].deadline_seconds
        try:
            return await getattr(self._stub, rpc)(request, timeout=seconds, metadata=metadata)
        except grpc.aio.AioRpcError as rpc_error:
            raise rebuilt(rpc_error) from None

    def ask(self, question: Any, metadata: Metadata) -> AsyncGenerator[Events]:
        """Yields a new flow's events until its end; closing the iterator breaks the Ask."""
        request = pb.AskRequest(question=question, together=True)
        return self._told(self._stub.Ask(request, timeout=FLOW_SECONDS_MAX, metadata=metadata))

    def watch(self, flow_run_id: str, after_sequence: int, metadata: Metadata) -> AsyncGenerator[Events]:
        """Yields a flow's events after a sequence until its end."""
        request = pb.WatchFlowRequest(flow_run_id=flow_run_id, after_sequence=after_sequence, together=True)
        return self._told(self._stub.WatchFlow(request, metadata=metadata))

    async def _told(self, call: Any) -> AsyncGenerator[Events]:
        try:
            async with aclosing(messages(call)) as told:
                async for message in told:
                    yield (message.event, *message.further_events)
        except grpc.aio.AioRpcError as rpc_error:
            raise rebuilt(rpc_error) from None


def dialled(address: str) -> str:
    """Returns where a listening address is reached from this machine."""
    host, _, port = address.rpartition(":")
    return {"0.0.0.0": f"127.0.0.1:{port}", "[::]": f"[::1]:{port}"}.get(host, address)  # noqa: S104 - compared only
