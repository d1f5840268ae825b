"""The gateway as its HTTP edge calls it: by its own calls, with the client's own token."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final

from google.protobuf.message import Message
from starlette.requests import HTTPConnection

from hapju.flow.v1 import flow_event_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.call_policy import CALL_POLICY, FLOW_SECONDS_MAX
from services.runtime.errors import Unauthenticated
from services.runtime.local import LocalDoor

PASSED_ON: Final = ("authorization", "traceparent", "tracestate", "baggage")
"""The headers that go on as metadata: who calls, and which trace the call belongs to."""
SERVICE: Final = pb.DESCRIPTOR.services_by_name["GatewayService"].full_name
"""Whose calls they are."""
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
    """Return the metadata of a client's calls.

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
        door: Where the gateway is called from within its process.
    """

    def __init__(self, door: LocalDoor) -> None:
        self._door = door

    async def call(self, rpc: str, request: Message, metadata: Metadata) -> Any:
        """Return a unary call's response.

        Raises:
            HapjuError: As the gateway says.
        """
        method = f"/{SERVICE}/{rpc}"
        return await self._door.call(method, request, CALL_POLICY[method].deadline_seconds, metadata)

    def ask(self, question: Any, metadata: Metadata, opened_seconds: float | None = None) -> AsyncGenerator[Events]:
        """Yield a new flow's events until its end; closing the iterator breaks the Ask.

        Args:
            question: What is asked.
            metadata: The caller's own.
            opened_seconds: Where nothing is heard for so long from the beginning, no events are yielded, once.
        """
        request = pb.AskRequest(question=question, together=True)
        return self._told("Ask", request, FLOW_SECONDS_MAX, metadata, opened_seconds)

    def watch(
        self, flow_run_id: str, after_sequence: int, metadata: Metadata, opened_seconds: float | None = None
    ) -> AsyncGenerator[Events]:
        """Yield a flow's events after a sequence until its end; `opened_seconds` as in `ask`."""
        request = pb.WatchFlowRequest(flow_run_id=flow_run_id, after_sequence=after_sequence, together=True)
        return self._told("WatchFlow", request, None, metadata, opened_seconds)

    async def _told(
        self, rpc: str, request: Message, seconds: float | None, metadata: Metadata, opened_seconds: float | None
    ) -> AsyncGenerator[Events]:
        stream = self._door.stream(f"/{SERVICE}/{rpc}", request, seconds, metadata, opened_seconds)
        async with aclosing(stream) as told:
            async for message in told:
                yield () if message is None else (message.event, *message.further_events)
