"""The servers that a hop is measured against, each a process of its own.

    python -m tests.bench.echo bare             grpc.aio and nothing else
    python -m tests.bench.echo runtime DIR      the same servicer behind the runtime's server, keys in DIR;
        [COLLECTOR [NEXT]]                             its spans go to COLLECTOR, its answers come from the one at NEXT
    python -m tests.bench.echo paced            bare; a stream's first message comes after a pause and tells when
    python -m tests.bench.echo relay ADDRESS    bare; passes on what the server there streams
    python -m tests.bench.echo once             a bare server and one streamed message in one cold process

All but the last print their address and end when their standard input does, so that none outlives its benchmark.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from time import perf_counter
from typing import Final

import grpc

from hapju.agent.v1 import agent_description_pb2, agent_service_pb2_grpc
from hapju.agent.v1 import agent_service_pb2 as pb
from hapju.flow.v1 import flow_event_pb2

SERVICE: Final = "finance.macro"
"""The name that the measured server bears; any agent's would do."""
PAYLOAD: Final = "x" * 1_000
"""The size of one answer, and about that of a decision."""
_PACED_MESSAGES: Final = 6
_PAUSE_SECONDS: Final = 0.03
_GAP_SECONDS: Final = 0.004
MESSAGES_MAX: Final = 10_000
"""How many messages one stream may be asked for."""


class EchoServicer(agent_service_pb2_grpc.AgentServiceServicer):
    """Answers at once, with as many messages as the question says."""

    async def Describe(self, request: pb.DescribeRequest, context: object) -> agent_description_pb2.DescribeResponse:
        """Returns a kilobyte."""
        return agent_description_pb2.DescribeResponse(answers=PAYLOAD)

    async def Run(self, request: pb.RunRequest, context: object) -> AsyncIterator[pb.RunResponse]:
        """Streams as many short messages as the question says."""
        message = pb.RunResponse(progress=flow_event_pb2.Progress(service=SERVICE, message="working"))
        for _ in range(min(int(request.question), MESSAGES_MAX)):
            yield message


class PacedServicer(EchoServicer):
    """Streams as a model does: the first message after a pause, the others in its gaps."""

    async def Run(self, request: pb.RunRequest, context: object) -> AsyncIterator[pb.RunResponse]:
        """Streams messages; the first tells when it was sent, in seconds of the machine's monotonic clock."""
        for number in range(_PACED_MESSAGES):
            await asyncio.sleep(_GAP_SECONDS if number else _PAUSE_SECONDS)
            yield pb.RunResponse(progress=flow_event_pb2.Progress(service=SERVICE, message=repr(perf_counter())))


class RelayServicer(EchoServicer):
    """Answers with what its peer says."""

    def __init__(self, peer: "agent_service_pb2_grpc.AgentServiceAsyncStub") -> None:
        self._peer = peer

    async def Describe(self, request: pb.DescribeRequest, context: object) -> agent_description_pb2.DescribeResponse:
        """Returns the peer's answer."""
        return await self._peer.Describe(request)

    async def Run(self, request: pb.RunRequest, context: object) -> AsyncIterator[pb.RunResponse]:
        """Streams each message as it comes."""
        async for message in self._peer.Run(request):
            yield message


async def bare_server(servicer: EchoServicer | None = None) -> tuple[grpc.aio.Server, str]:
    """Returns a bare server that listens, and its address."""
    server = grpc.aio.server()
    agent_service_pb2_grpc.add_AgentServiceServicer_to_server(servicer or EchoServicer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, f"127.0.0.1:{port}"


async def _bare(servicer: EchoServicer | None = None) -> None:
    server, address = await bare_server(servicer)
    await _until_stdin_ends(address)
    await server.stop(0)


async def _runtime(folder: str, collector: str = "", peer: str = "") -> None:
    from services.runtime.server import Service, start  # noqa: PLC0415 - the bare processes are to stay bare
    from services.runtime.settings import Settings  # noqa: PLC0415 - as above

    async def register(server: grpc.aio.Server, service: Service) -> None:
        stub = agent_service_pb2_grpc.AgentServiceStub
        servicer = RelayServicer(service.peers.stub(stub, SERVICE)) if peer else EchoServicer()
        agent_service_pb2_grpc.add_AgentServiceServicer_to_server(servicer, server)

    settings = Settings(data_dir=Path(folder), log_level="warning", otlp_endpoint=collector)
    running = await start(SERVICE, register, settings, listen="127.0.0.1:0", addresses={SERVICE: peer} if peer else {})
    await _until_stdin_ends(running.address)
    await running.stop(0)


async def _once() -> None:
    server, address = await bare_server()
    async with grpc.aio.insecure_channel(address) as channel:
        stub = agent_service_pb2_grpc.AgentServiceStub(channel)
        async for _ in stub.Run(pb.RunRequest(question="1")):
            sys.stdout.write("first\n")
            sys.stdout.flush()
    await server.stop(0)


async def _until_stdin_ends(address: str) -> None:
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)


async def _paced() -> None:
    await _bare(PacedServicer())


async def _relay(address: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        await _bare(RelayServicer(agent_service_pb2_grpc.AgentServiceStub(channel)))


_MODES: Final[dict[str, Callable[..., Coroutine[None, None, None]]]] = {
    "bare": _bare,
    "runtime": _runtime,
    "paced": _paced,
    "relay": _relay,
    "once": _once,
}


if __name__ == "__main__":
    asyncio.run(_MODES[sys.argv[1]](*sys.argv[2:]))
