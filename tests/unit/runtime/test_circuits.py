"""A target that is not reached is left alone for a while; one that answers, whatever it says, is not."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
import pytest_asyncio

from hapju.orchestrator.v1 import orchestrator_service_pb2, orchestrator_service_pb2_grpc
from hapju.policy.v1 import policy_service_pb2, policy_service_pb2_grpc
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.errors import DETAILS_KEY, DeadlineExceeded, HapjuError, NotFound, Unavailable, status_of
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.reaching.reach import CIRCUIT_OPEN, OPEN_SECONDS, UNREACHED_MAX

CALL = policy_service_pb2.CheckPolicyRequest()


class Target(grpc.GenericRpcHandler):
    """A server that answers, refuses with an error of ours, or is as good as gone; it counts what reaches it."""

    def __init__(self) -> None:
        self.mode = "answers"
        self.calls = 0

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Takes every method but those of the health service."""
        if "Health" in str(handler_call_details.method):
            return None

        async def serve(_: bytes, context: Any) -> bytes:
            self.calls += 1
            if self.mode == "gone":
                await context.abort(grpc.StatusCode.UNAVAILABLE, "")
            if self.mode == "refuses":
                details = status_of(NotFound("no such thing")).SerializeToString()
                await context.abort(grpc.StatusCode.NOT_FOUND, "", ((DETAILS_KEY, details),))
            if self.mode == "tells of another":
                details = status_of(Unavailable("its own peer is gone")).SerializeToString()
                await context.abort(
                    grpc.StatusCode.UNAVAILABLE, "", ((DETAILS_KEY, details), ("grpc-retry-pushback-ms", "-1"))
                )
            return b""

        return grpc.unary_unary_rpc_method_handler(serve)


class Client:
    """One service that calls the target."""

    def __init__(self, peers: Peers) -> None:
        self._policy: Any = peers.stub(policy_service_pb2_grpc.PolicyServiceStub, "policy")
        self._flows: Any = peers.stub(orchestrator_service_pb2_grpc.OrchestratorServiceStub, "policy")

    async def reason(self) -> str:
        """Makes an ordinary call and returns the reason of its failure; empty where it was answered."""
        return await self._reason(self._policy.CheckPolicy(CALL))

    async def critical_reason(self) -> str:
        """Makes a call that must get through."""
        return await self._reason(self._flows.CancelFlow(orchestrator_service_pb2.CancelFlowRequest()))

    async def _reason(self, call: Any) -> str:
        try:
            await call
        except HapjuError as error:
            return error.reason
        return ""


@pytest_asyncio.fixture
async def target() -> AsyncIterator[tuple[Target, Client]]:
    """A running target and its caller."""
    handler = Target()
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    peers = Peers("orchestrator", {"policy": f"127.0.0.1:{port}"}, Assertions("k" * 32))
    with acting_for(Caller("u")), deadlines.within(30):
        yield handler, Client(peers)
    await peers.close()
    await server.stop(0)


@pytest.mark.asyncio
async def test_a_target_that_is_gone_is_called_no_more_and_then_tried_again(target: tuple[Target, Client]) -> None:
    """After so many calls in a row none is made, but for those that must get through; later one call tells."""
    handler, caller = target
    handler.mode = "gone"
    assert [await caller.reason() for _ in range(UNREACHED_MAX)] == ["UNAVAILABLE"] * UNREACHED_MAX
    made = handler.calls
    assert [await caller.reason() for _ in range(20)] == [CIRCUIT_OPEN] * 20
    assert handler.calls == made
    assert await caller.critical_reason() == "UNAVAILABLE"
    assert handler.calls > made
    handler.mode = "answers"
    await asyncio.sleep(OPEN_SECONDS + 0.1)
    assert [await caller.reason() for _ in range(UNREACHED_MAX)] == [""] * UNREACHED_MAX


@pytest.mark.asyncio
@pytest.mark.parametrize(("mode", "reason"), [("refuses", "NOT_FOUND"), ("tells of another", "UNAVAILABLE")])
async def test_an_error_that_the_target_tells_is_an_answer(
    target: tuple[Target, Client], mode: str, reason: str
) -> None:
    """However often a target refuses, or tells that somebody behind it is gone, it is reached."""
    handler, caller = target
    handler.mode = mode
    assert {await caller.reason() for _ in range(3 * UNREACHED_MAX)} == {reason}
    assert handler.calls == 3 * UNREACHED_MAX


@pytest.mark.asyncio
async def test_one_answer_begins_the_count_anew(target: tuple[Target, Client]) -> None:
    """Only calls in a row open a circuit."""
    handler, caller = target
    for _ in range(3):
        handler.mode = "gone"
        assert {await caller.reason() for _ in range(UNREACHED_MAX - 1)} == {"UNAVAILABLE"}
        handler.mode = "answers"
        assert await caller.reason() == ""


@pytest.mark.asyncio
async def test_a_call_that_is_not_made_is_told_once(target: tuple[Target, Client]) -> None:
    """Without time left a call, unary or stream, is refused here, and nothing is left to be told by the collector."""
    handler, caller = target
    with deadlines.within(0.001):
        await asyncio.sleep(0.01)
        with pytest.raises(DeadlineExceeded):
            await caller._policy.CheckPolicy(CALL)
        with pytest.raises(DeadlineExceeded):
            async for _ in caller._flows.WatchFlow(orchestrator_service_pb2.WatchFlowRequest()):
                pass
    assert handler.calls == 0
