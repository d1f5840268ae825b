"""A target that is started anew is waited for; one that is gone for good costs its wait once."""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any

import grpc
import pytest
import pytest_asyncio

from hapju.orchestrator.v1 import orchestrator_service_pb2, orchestrator_service_pb2_grpc
from hapju.policy.v1 import policy_service_pb2, policy_service_pb2_grpc
from hapju.runtime.v1 import hop_service_pb2, hop_service_pb2_grpc
from hapju.synthesizer.v1 import synthesizer_service_pb2, synthesizer_service_pb2_grpc
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.errors import DETAILS_KEY, Draining, HapjuError, Unavailable, status_of
from services.runtime.identity import Assertions, Caller, acting_for
from tests.support.ports import free_ports

AWAY_SECONDS = 3.0
AWAY_FOR = 0.8
"""How long a target is away that comes back."""


class Target(grpc.GenericRpcHandler):
    """A server that can be taken away, in the middle of a call too, and put back at the same address."""

    def __init__(self) -> None:
        self.port = free_ports(1)[0]
        self.taken: list[str] = []
        self.drains = False
        self.pause = 0.0
        self._server: grpc.aio.Server | None = None

    async def put_back(self) -> None:
        """Starts it."""
        self._server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
        self._server.add_generic_rpc_handlers((self,))
        self._server.add_insecure_port(f"127.0.0.1:{self.port}")
        await self._server.start()

    async def take_away(self) -> None:
        """Stops it; a call that runs is cut off."""
        if self._server is not None:
            await self._server.stop(0)

    async def restarted(self) -> None:
        """Takes it away and puts it back after a while."""
        await self.take_away()
        await asyncio.sleep(AWAY_FOR)
        await self.put_back()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Takes every method but those of the health service."""
        method = str(handler_call_details.method)
        if "Health" in method:
            return None

        async def serve(_: bytes, context: Any) -> bytes:
            self.taken.append(method.rpartition("/")[2])
            if self.drains:
                details = status_of(Draining("about to stop")).SerializeToString()
                await context.abort(grpc.StatusCode.UNAVAILABLE, "", ((DETAILS_KEY, details),))
            await asyncio.sleep(self.pause)
            return b""

        async def told(request: bytes, context: Any) -> AsyncIterator[bytes]:
            yield await serve(request, context)

        if method.endswith("Synthesize"):
            return grpc.unary_stream_rpc_method_handler(told)
        return grpc.unary_unary_rpc_method_handler(serve)


class Client:
    """One service that calls the target."""

    def __init__(self, peers: Peers) -> None:
        self._policy: Any = peers.stub(policy_service_pb2_grpc.PolicyServiceStub, "policy")
        self._flows: Any = peers.stub(orchestrator_service_pb2_grpc.OrchestratorServiceStub, "policy")
        self._hop: Any = peers.stub(hop_service_pb2_grpc.HopServiceStub, "policy")
        self._synthesizer: Any = peers.stub(synthesizer_service_pb2_grpc.SynthesizerServiceStub, "policy")

    async def read(self) -> None:
        """Makes a call that changes nothing."""
        await self._policy.CheckPolicy(policy_service_pb2.CheckPolicyRequest())

    async def act(self) -> None:
        """Makes a call that may be done once only."""
        await self._flows.StartFlow(orchestrator_service_pb2.StartFlowRequest())

    async def stream(self) -> None:
        """Makes a call that is answered by a stream."""
        assert (
            len([one async for one in self._synthesizer.Synthesize(synthesizer_service_pb2.SynthesizeRequest())]) == 1
        )

    async def let_go(self) -> None:
        """Asks whether the target works for a flow."""
        await self._hop.AwaitFlowEnd(hop_service_pb2.AwaitFlowEndRequest())


@pytest_asyncio.fixture
async def target() -> AsyncIterator[tuple[Target, Client]]:
    """A running target and its caller."""
    served = Target()
    await served.put_back()
    peers = Peers(
        "orchestrator", {"policy": f"127.0.0.1:{served.port}"}, Assertions("k" * 32), away_seconds_max=AWAY_SECONDS
    )
    with acting_for(Caller("u")), deadlines.within(30):
        yield served, Client(peers)
    await peers.close()
    await served.take_away()


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", ["read", "act", "stream"])
async def test_calls_that_begin_while_a_target_is_away_wait_for_it(target: tuple[Target, Client], kind: str) -> None:
    """Many at once, over the whole of its absence: each is answered, and each reaches it once."""
    served, caller = target
    call = getattr(caller, kind)
    await call()
    served.taken.clear()
    restarting = asyncio.create_task(served.restarted())
    await asyncio.sleep(0.2)
    calls = []
    for _ in range(30):
        calls.append(asyncio.create_task(call()))
        await asyncio.sleep(0.02)
    await asyncio.gather(*calls)
    await restarting
    assert len(served.taken) == 30


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", ["read", "stream"])
async def test_a_read_that_is_lost_with_its_target_is_made_again(target: tuple[Target, Client], kind: str) -> None:
    """The target is stopped while it works on the call: whoever waits for it gets the answer of the next one."""
    served, caller = target
    served.pause = 0.3
    call = asyncio.create_task(getattr(caller, kind)())
    await _until(lambda: served.taken != [])
    await served.restarted()
    await call
    assert len(served.taken) >= 2


@pytest.mark.asyncio
async def test_what_may_be_done_once_is_not_made_again(target: tuple[Target, Client]) -> None:
    """It is lost with its target: whether it was done is not known, and its caller is told."""
    served, caller = target
    await caller.read()
    served.pause = 0.3
    call = asyncio.create_task(caller.act())
    await _until(lambda: "StartFlow" in served.taken)
    await served.restarted()
    with pytest.raises(Unavailable):
        await call
    assert served.taken.count("StartFlow") == 1


@pytest.mark.asyncio
async def test_what_a_stopping_target_did_not_take_in_is_made_again(target: tuple[Target, Client]) -> None:
    """A service that is about to stop refuses what comes: nothing was done, and the next one is asked."""
    served, caller = target
    await caller.act()
    served.drains = True
    call = asyncio.create_task(caller.act())
    await asyncio.sleep(0.3)
    served.drains = False
    await call


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_target_that_is_gone_costs_its_wait_once(target: tuple[Target, Client]) -> None:
    """Who finds it gone waits within bounds; later calls fail at once, and so does asking it to let go."""
    served, caller = target
    await caller.read()
    await served.take_away()
    begin = monotonic()
    with pytest.raises(HapjuError) as told:
        await caller.let_go()
    assert (isinstance(told.value, Unavailable), monotonic() - begin < AWAY_SECONDS / 2) == (True, True)
    with pytest.raises(Unavailable):
        await caller.read()
    assert AWAY_SECONDS / 2 < monotonic() - begin < AWAY_SECONDS * 2
    begin = monotonic()
    for call in (caller.read, caller.act, caller.stream):
        with pytest.raises(Unavailable):
            await call()
    assert monotonic() - begin < AWAY_SECONDS / 2
    await served.put_back()
    await asyncio.sleep(1.5)
    await caller.act()


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_wait_is_a_share_of_what_the_call_has(target: tuple[Target, Client]) -> None:
    """Whoever has a second learns in a part of it that the target is away, and has the rest to say so."""
    served, caller = target
    await caller.read()
    await served.take_away()
    with deadlines.within(1.0):
        with pytest.raises(Unavailable):
            await caller.read()
        assert (deadlines.remaining_seconds() or 0.0) > 0.3


async def _until(holds: Any) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.01)
