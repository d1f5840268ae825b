"""A server and its channels over real sockets: statuses, deadlines, cancellation, draining."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import grpc
import pytest
import uvloop

from hapju.router.v1 import router_service_pb2 as pb
from hapju.router.v1 import router_service_pb2_grpc
from hapju.runtime.v1 import hop_service_pb2, hop_service_pb2_grpc
from hapju.synthesizer.v1 import synthesizer_service_pb2, synthesizer_service_pb2_grpc
from observability.spans import bind_flow
from services.catalog.topology import topology
from services.contract.flow import Usage
from services.contract.mapping import ContractViolation
from services.runtime import deadlines, ledger
from services.runtime.calls import Peers, messages
from services.runtime.errors import (
    INTERNAL_MESSAGE,
    DeadlineExceeded,
    HapjuError,
    Internal,
    InvalidRequest,
    Overloaded,
    Unavailable,
)
from services.runtime.identity import Assertions, Caller, acting_for, current_caller
from services.runtime.probe import serving
from services.runtime.server import RunningService, Service, serve, start
from services.runtime.settings import Settings, SettingsError
from tests.support.certificates import Authority
from tests.support.ports import free_ports

SECRET = "password=s3cr3t@db.internal"
Behave = Callable[[], Awaitable[None]]


async def _inner_cancel() -> None:
    inner = asyncio.create_task(asyncio.sleep(60))
    inner.cancel()
    await inner


async def _raise(error: Exception) -> None:
    raise error


BEHAVIOURS: dict[str, tuple[Behave, type[HapjuError]]] = {
    "value error": (lambda: _raise(ValueError(SECRET)), Internal),
    "key error": (lambda: _raise(KeyError(SECRET)), Internal),
    "inner cancel": (_inner_cancel, Internal),
    "ours": (lambda: _raise(InvalidRequest.of("question", "is bad")), InvalidRequest),
    "contract": (lambda: _raise(ContractViolation("run", "is required")), InvalidRequest),
    "below": (lambda: _raise(grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, None, None, SECRET)), Unavailable),
}


class Playground:
    """Two servicers whose handlers do as a test says, and what they saw."""

    def __init__(self) -> None:
        self.behave: Behave = asyncio.Event().wait  # type: ignore[assignment]
        self.left: list[float | None] = []
        self.entered = asyncio.Event()
        self.cleaned = asyncio.Event()
        self.callers: list[Caller] = []

    async def act(self) -> None:
        """Behaves once, noting what the handler saw and whether it was cleaned up."""
        self.left.append(deadlines.remaining_seconds())
        self.callers.append(current_caller())
        self.entered.set()
        try:
            await self.behave()
        finally:
            self.cleaned.set()

    async def register(self, server: grpc.aio.Server, service: Service) -> None:
        """Adds both servicers."""
        del service
        playground = self

        class Router(router_service_pb2_grpc.RouterServiceServicer):
            async def Route(self, request: pb.RouteRequest, context: object) -> pb.RouteResponse:
                await playground.act()
                return pb.RouteResponse()

        class Synthesizer(synthesizer_service_pb2_grpc.SynthesizerServiceServicer):
            async def Synthesize(self, request: Any, context: object) -> AsyncIterator[Any]:
                yield synthesizer_service_pb2.SynthesizeResponse()
                await playground.act()
                yield synthesizer_service_pb2.SynthesizeResponse()

        router_service_pb2_grpc.add_RouterServiceServicer_to_server(Router(), server)
        synthesizer_service_pb2_grpc.add_SynthesizerServiceServicer_to_server(Synthesizer(), server)


class Client:
    """A caller of the playground."""

    def __init__(self, peers: Peers) -> None:
        self._hop = peers.stub(hop_service_pb2_grpc.HopServiceStub, "router")
        self._router = peers.stub(router_service_pb2_grpc.RouterServiceStub, "router")
        self._synthesizer = peers.stub(synthesizer_service_pb2_grpc.SynthesizerServiceStub, "router")

    async def unary(self, seconds: float = 5.0) -> int:
        """Makes a unary call and returns how many messages came."""
        await self._router.Route(pb.RouteRequest(), timeout=seconds)
        return 1

    async def stream(self, seconds: float = 5.0) -> int:
        """Makes a streamed call and returns how many messages came."""
        told = 0
        async for _ in messages(
            self._synthesizer.Synthesize(synthesizer_service_pb2.SynthesizeRequest(), timeout=seconds),
        ):
            told += 1
        return told

    async def let_go(self, flow_run_id: str, seconds: float) -> hop_service_pb2.AwaitFlowEndResponse:
        """Asks whether the playground works for a flow."""
        request = hop_service_pb2.AwaitFlowEndRequest(flow_run_id=flow_run_id)
        response: hop_service_pb2.AwaitFlowEndResponse = await self._hop.AwaitFlowEnd(request, timeout=seconds)
        return response

    def call(self, shape: str, seconds: float = 5.0) -> Awaitable[int]:
        """Makes a call of a shape."""
        return self.unary(seconds) if shape == "unary" else self.stream(seconds)


@asynccontextmanager
async def playing(tmp_path: Path, **settings: Any) -> AsyncIterator[tuple[Playground, Client, RunningService]]:
    """Runs the playground and calls it as a logged-in user."""
    playground, given = Playground(), Settings(data_dir=tmp_path, log_level="error", **settings)
    running = await start("router", playground.register, given, listen="127.0.0.1:0", addresses={})
    peers = Peers("test", {"router": running.address}, Assertions(given.assertion_key))
    try:
        with acting_for(Caller("u-1")):
            yield playground, Client(peers), running
    finally:
        await peers.close()
        await running.stop(drain_seconds=0)


@pytest.mark.timed
@pytest.mark.asyncio
@pytest.mark.parametrize("shape", ["unary", "stream"])
@pytest.mark.parametrize("name", BEHAVIOURS)
async def test_every_failure_has_a_status_of_ours(tmp_path: Path, name: str, shape: str) -> None:
    """Whatever a handler raises arrives at once as a class of the tree, and nothing of its text with it."""
    behave, expected = BEHAVIOURS[name]
    async with playing(tmp_path) as (playground, client, _):
        playground.behave = behave
        begin = monotonic()
        with pytest.raises(HapjuError) as caught:
            await client.call(shape)
        assert expected is type(caught.value)
        assert monotonic() - begin < 1
        assert SECRET not in str(caught.value)
        if expected is Internal:
            assert (caught.value.message, bool(caught.value.error_id)) == (INTERNAL_MESSAGE, True)


@pytest.mark.timed
@pytest.mark.asyncio
@pytest.mark.parametrize("shape", ["unary", "stream"])
async def test_a_cancel_reaches_the_handler(tmp_path: Path, shape: str) -> None:
    """A cancelled caller ends the handler at once, its clean-up included."""
    async with playing(tmp_path) as (playground, client, running):
        calling = asyncio.ensure_future(client.call(shape))
        await playground.entered.wait()
        calling.cancel()
        with suppress(asyncio.CancelledError):
            await calling
        async with asyncio.timeout(0.5):
            await playground.cleaned.wait()
            while running.running:
                await asyncio.sleep(0.01)


@pytest.mark.timed
@pytest.mark.asyncio
@pytest.mark.parametrize("shape", ["unary", "stream"])
async def test_a_deadline_ends_the_handler(tmp_path: Path, shape: str) -> None:
    """The handler knows its deadline, the caller gets DEADLINE_EXCEEDED in time, and no work goes on."""
    async with playing(tmp_path) as (playground, client, _):
        begin = monotonic()
        with pytest.raises(DeadlineExceeded):
            await client.call(shape, 0.3)
        assert 0.25 < monotonic() - begin < 0.8
        async with asyncio.timeout(0.5):
            await playground.cleaned.wait()
        assert playground.left[0] is not None
        assert playground.left[0] <= 0.3


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_caller_who_leaves_a_stream_ends_it(tmp_path: Path) -> None:
    """A consumer that stops reading closes the call."""
    async with playing(tmp_path) as (playground, client, _):
        told = messages(client._synthesizer.Synthesize(synthesizer_service_pb2.SynthesizeRequest(), timeout=5))
        await anext(told)
        await playground.entered.wait()
        await told.aclose()
        async with asyncio.timeout(0.5):
            await playground.cleaned.wait()


@pytest.mark.asyncio
async def test_calls_without_deadline_or_identity_are_refused(tmp_path: Path) -> None:
    """A stranger's call says what is missing; health needs neither."""
    async with playing(tmp_path) as (_, _client, running), grpc.aio.insecure_channel(running.address) as channel:
        stub = router_service_pb2_grpc.RouterServiceStub(channel)
        for timeout, expected in ((None, grpc.StatusCode.INVALID_ARGUMENT), (5, grpc.StatusCode.UNAUTHENTICATED)):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await stub.Route(pb.RouteRequest(), timeout=timeout)
            assert expected == caught.value.code()
        assert (await serving(running.address), await serving(running.address, "router")) == (True, True)


@pytest.mark.asyncio
async def test_bytes_that_are_no_message_are_refused_by_us(tmp_path: Path) -> None:
    """Invalid UTF-8 and other broken bytes get INVALID_ARGUMENT, not grpc's INTERNAL."""
    async with playing(tmp_path) as (_, client, running):
        peers = Peers("test", {"router": running.address}, Assertions(Settings(data_dir=tmp_path).assertion_key))
        raw: Any = peers.stub(lambda channel: channel, "router").unary_unary("/hapju.router.v1.RouterService/Route")
        for broken in (b"\x12\x02\xff\xfe", b"\xff"):
            with pytest.raises(InvalidRequest, match="UTF-8"):
                await raw(broken, timeout=5)
        await peers.close()
        del client


@pytest.mark.asyncio
async def test_the_caller_crosses_the_hop(tmp_path: Path) -> None:
    """The handler knows the user and which service calls for them."""
    async with playing(tmp_path) as (playground, client, _):
        playground.behave = lambda: asyncio.sleep(0)
        await client.unary()
        assert [Caller("u-1", service="test")] == playground.callers


@pytest.mark.asyncio
async def test_overload_is_refused_and_health_is_not(tmp_path: Path) -> None:
    """A full service refuses at once, naming the limit, and still tells its health."""
    async with playing(tmp_path, rpcs_max=1) as (playground, client, running):
        first = asyncio.ensure_future(client.unary())
        await playground.entered.wait()
        with pytest.raises(Overloaded) as caught:
            await client.unary()
        assert caught.value.metadata["limit"] == "HAPJU_RPCS_MAX"
        assert await serving(running.address)
        first.cancel()


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_stop_waits_for_running_calls_and_refuses_new_ones(tmp_path: Path) -> None:
    """Draining lets a running call end well, tells NOT_SERVING at once and takes no new call."""
    async with playing(tmp_path) as (playground, client, running):
        going_on = asyncio.Event()
        playground.behave = going_on.wait  # type: ignore[assignment]
        first = asyncio.ensure_future(client.unary())
        await playground.entered.wait()
        stopping = asyncio.create_task(running.stop(drain_seconds=5))
        async with asyncio.timeout(2):
            while running.health.reasons != {"stopping": "the service drains"}:
                await asyncio.sleep(0.01)
        with pytest.raises(Unavailable):
            await client.unary(1.0)
        going_on.set()
        assert await first == 1
        await stopping


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_drain_is_bounded(tmp_path: Path) -> None:
    """A call that does not end is cancelled when the drain is over."""
    async with playing(tmp_path) as (playground, client, running):
        first = asyncio.ensure_future(client.unary())
        await playground.entered.wait()
        begin = monotonic()
        await running.stop(drain_seconds=0.2)
        assert monotonic() - begin < 2
        assert playground.cleaned.is_set()
        with pytest.raises(HapjuError):
            await first


@pytest.mark.asyncio
async def test_a_taken_port_is_told(tmp_path: Path) -> None:
    """Two services cannot listen at one address, and the error names it."""
    async with playing(tmp_path) as (playground, _, running):
        with pytest.raises(SettingsError, match=running.address):
            await start(
                "router",
                playground.register,
                Settings(data_dir=tmp_path, log_level="error"),
                listen=running.address,
                addresses={},
            )


@pytest.mark.asyncio
async def test_a_hop_tells_when_it_has_let_go_and_what_cut_calls_had_spent(tmp_path: Path) -> None:
    """The answer waits for the clean-up of a flow's cancelled calls and names their usage once; others do not count."""

    async def spend_and_hang() -> None:
        ledger.add_usage(Usage(model_calls=2, input_tokens=30))
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.3)

    async with playing(tmp_path) as (playground, client, _):
        playground.behave = spend_and_hang
        flow, other = (f"00000000-0000-7000-8000-{number:012d}" for number in (1, 2))
        with bind_flow(flow):
            call = asyncio.create_task(client.unary(60))
        await asyncio.wait_for(playground.entered.wait(), 5)
        assert (await client.let_go(flow, 0.3)).running == 1
        assert (await client.let_go(other, 5)).running == 0
        call.cancel()
        told = await client.let_go(flow, 5)
        assert (told.running, playground.cleaned.is_set()) == (0, True)
        assert (told.interrupted.model_calls, told.interrupted.input_tokens) == (2, 30)
        assert (await client.let_go(flow, 5)).interrupted.model_calls == 0


def test_a_service_of_its_own_process_runs_on_uvloop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is built in `register` runs on the faster loop."""
    loops: list[asyncio.AbstractEventLoop] = []

    async def register(_server: grpc.aio.Server, _service: Service) -> None:
        loops.append(asyncio.get_running_loop())
        raise SettingsError("seen enough")

    monkeypatch.setenv("HAPJU_DATA_DIR", str(tmp_path))
    with pytest.raises(SystemExit):
        serve("router", register, topology)
    assert [isinstance(loop, uvloop.Loop) for loop in loops] == [True]


@pytest.mark.asyncio
async def test_the_door_for_probes_tells_health_alone(tmp_path: Path) -> None:
    """Where services speak TLS, probes that do not are answered in the clear, and nothing else is served there."""
    (port,) = free_ports(1)
    certificates = Authority(tmp_path / "certificates").sign("router")
    given = Settings(data_dir=tmp_path, log_level="error", probe_listen=f"127.0.0.1:{port}", **certificates)
    running = await start("router", Playground().register, given, listen="127.0.0.1:0", addresses={})
    try:
        assert await serving(f"127.0.0.1:{port}", "router")
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            stub = router_service_pb2_grpc.RouterServiceStub(channel)
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await stub.Route(pb.RouteRequest(), timeout=5)
        assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED
    finally:
        await running.stop(drain_seconds=0)


@pytest.mark.asyncio
@pytest.mark.parametrize("ends", ["fails", "is given up"])
async def test_a_start_that_comes_to_nothing_leaves_nothing_behind(tmp_path: Path, ends: str) -> None:
    """Where its last part fails, or nobody waits for it any more, nothing listens and what was opened is closed."""
    (port,) = free_ports(1)
    closed, begun = asyncio.Event(), asyncio.Event()

    async def register(server: grpc.aio.Server, service: Service) -> None:
        await Playground().register(server, service)
        service.stack.callback(closed.set)

        async def opened(_: str) -> None:
            begun.set()
            if ends == "fails":
                raise SettingsError("the last part cannot be opened")
            await asyncio.Event().wait()

        service.once_listening.append(opened)

    given = Settings(data_dir=tmp_path, log_level="error")
    starting = asyncio.create_task(start("router", register, given, listen=f"127.0.0.1:{port}", addresses={}))
    await begun.wait()
    if ends == "is given up":
        starting.cancel()
    with pytest.raises((SettingsError, asyncio.CancelledError)):
        await starting
    assert closed.is_set()
    assert not await serving(f"127.0.0.1:{port}", "router")
