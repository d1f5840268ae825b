"""The gateway as the command line sees it: hapju's own client, its failures as problems that are told."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Final, TypeVar

import grpc

from hapju.client import AsyncClient, CallFailed
from hapju.client.aio import TokenSource
from hapju.flow.v1 import flow_event_pb2
from hapju.gateway.v1 import gateway_service_pb2
from services.cli.problems import Problem, problem_from_failure
from services.runtime.calls import bare_channel
from services.runtime.transport import Transport

R = TypeVar("R")

UNARY_SECONDS: Final = 60.0
"""How long a call may take that answers with one message."""


class GatewayClient:
    """Calls of one caller to one gateway.

    Args:
        channel: An open channel to it.
        address: What the channel dials, for messages.
        token: The caller's token, or what returns it before each call; empty for an anonymous one.
    """

    def __init__(self, channel: grpc.aio.Channel, address: str, token: str | TokenSource) -> None:
        self._client = AsyncClient(channel, token)
        self.stub = self._client.stub
        self._address = address

    async def call(
        self, rpc: Callable[..., Awaitable[R]], request: object, timeout_seconds: float = UNARY_SECONDS
    ) -> R:
        """Return a unary RPC's response.

        Raises:
            Problem: Where it ends with a status other than OK.
        """
        try:
            return await self._client.call(rpc, request, timeout_seconds)
        except CallFailed as failure:
            raise self._problem(failure) from None

    def ask(
        self, request: gateway_service_pb2.AskRequest, timeout_seconds: float
    ) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yield a flow's events until its terminal one, over streams that may break; closing it cancels the flow.

        Raises:
            Problem: Where the gateway refuses the question, or the flow cannot be heard any more.
        """
        return self._told(self._client.ask(request.question, timeout_seconds))

    def watch(self, flow_run_id: str, after_sequence: int = 0) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yield the events of a flow that was started elsewhere; closing it changes nothing.

        Raises:
            Problem: Where the caller has no such flow, or it cannot be heard any more.
        """
        return self._told(self._client.watch(flow_run_id, after_sequence))

    async def _told(self, events: AsyncGenerator[flow_event_pb2.FlowEvent]) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        try:
            async with aclosing(events):
                async for event in events:
                    yield event
        except CallFailed as failure:
            raise self._problem(failure) from None

    def _problem(self, failure: CallFailed) -> Problem:
        if not failure.is_own and failure.code == "UNAVAILABLE":
            failure.message = f"no gateway answers at {self._address}"
        elif not failure.is_own and failure.code == "DEADLINE_EXCEEDED":
            failure.message = "the time ran out before the gateway had answered"
        return problem_from_failure(failure)


@asynccontextmanager
async def dialled(
    address: str, token: str | TokenSource, transport: Transport | None = None
) -> AsyncIterator[GatewayClient]:
    """Open a channel to a gateway for the body, in the clear by default; calls in flight are cancelled at its end."""
    async with bare_channel(address, transport) as channel:
        yield GatewayClient(channel, address, token)
