"""The gateway as the command line sees it: a plain client over the generated stubs, here or anywhere."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import grpc

from hapju.flow.v1 import flow_event_pb2
from hapju.gateway.v1 import gateway_service_pb2, gateway_service_pb2_grpc
from services.cli.problems import Problem, problem_from_error
from services.runtime.calls import bare_channel
from services.runtime.errors import rebuilt
from services.runtime.transport import Transport

R = TypeVar("R")

UNARY_SECONDS: Final = 60.0
"""How long a call may take that answers with one message."""


class GatewayClient:
    """Calls of one caller to one gateway.

    Args:
        channel: An open channel to it.
        address: What the channel dials, for messages.
        token: The caller's token; empty for an anonymous one.
    """

    def __init__(self, channel: grpc.aio.Channel, address: str, token: str) -> None:
        self.stub = gateway_service_pb2_grpc.GatewayServiceStub(channel)
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    async def call(
        self, rpc: Callable[..., Awaitable[R]], request: object, timeout_seconds: float = UNARY_SECONDS
    ) -> R:
        """Returns a unary RPC's response.

        Raises:
            Problem: Where it ends with a status other than OK.
        """
        try:
            return await rpc(request, timeout=timeout_seconds, metadata=self._metadata)
        except grpc.aio.AioRpcError as rpc_error:
            raise self._problem(rpc_error) from None

    async def ask(
        self, request: gateway_service_pb2.AskRequest, timeout_seconds: float
    ) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yields a flow's events until its terminal one; closing the iterator cancels the flow.

        Raises:
            Problem: Where the gateway refuses the question, or the stream breaks.
        """
        call: Any = self.stub.Ask(request, timeout=timeout_seconds, metadata=self._metadata)
        try:
            async for response in call:
                yield response.event
                for event in response.further_events:
                    yield event
        except grpc.aio.AioRpcError as rpc_error:
            raise self._problem(rpc_error) from None
        finally:
            call.cancel()

    def _problem(self, rpc_error: grpc.aio.AioRpcError) -> Problem:
        error = rebuilt(rpc_error)
        if not error.upstream and rpc_error.code() is grpc.StatusCode.UNAVAILABLE:
            error.message = f"no gateway answers at {self._address}"
        elif not error.upstream and rpc_error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
            error.message = "the time ran out before the gateway had answered"
        return problem_from_error(error)


@asynccontextmanager
async def dialled(address: str, token: str, transport: Transport | None = None) -> AsyncIterator[GatewayClient]:
    """Opens a channel to a gateway for the body, in the clear by default; calls in flight are cancelled at its end."""
    async with bare_channel(address, transport) as channel:
        yield GatewayClient(channel, address, token)
