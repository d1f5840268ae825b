"""What a hop costs: a call, a message of a stream and the first event of a question, beside bare grpc.aio.

Servers are processes of their own. Every round measures all of them in a shuffled order, so that a busy moment of the
machine meets them alike; a figure is the median over rounds of a median over calls.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import grpc

from hapju.agent.v1 import agent_service_pb2 as pb
from hapju.agent.v1 import agent_service_pb2_grpc
from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2, gateway_service_pb2_grpc
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.settings import dev_key
from tests.bench.children import apart, serving
from tests.bench.echo import SERVICE
from tests.bench.report import Note, Report, median_result

CALLS: Final = 200
"""Calls, or messages of one stream, of one round."""
FIRST_EVENTS: Final = 20
"""Questions of one round; each is read to its end, so that none disturbs the next."""
_RUN_SECONDS_MAX: Final = 600.0
_MICRO: Final = 1_000_000
_ECHO: Final = "tests.bench.echo"

Measure = Callable[[], Awaitable[float]]
"""Returns one round's median in microseconds."""


def measure(rounds: int, note: Note, calls: int = CALLS, first_events: int = FIRST_EVENTS) -> Report:
    """Returns the figures.

    Args:
        rounds: Rounds over everything.
        note: Takes lines of progress.
        calls: Calls and messages of one round.
        first_events: Questions of one round; 0 leaves the gateway out.

    Raises:
        Problem: Where a server does not start.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="hapju-bench-"))
        bare = stack.enter_context(serving(_ECHO, "bare"))
        runtime = stack.enter_context(serving(_ECHO, "runtime", folder))
        gateway = ""
        if first_events:
            note("starting the services on sample data")
            gateway = stack.enter_context(serving("services.cli", "up", **apart(folder)))
        return asyncio.run(_rounds(rounds, note, calls, first_events, (bare, runtime, gateway, folder)))


async def _rounds(rounds: int, note: Note, calls: int, first_events: int, places: tuple[str, str, str, str]) -> Report:
    async with AsyncExitStack() as stack:
        measures = await _measures(stack, calls, first_events, places)
        figures: dict[str, list[float]] = {name: [] for name in measures}
        for number in range(rounds + 1):
            note(f"round {number}" if number else "warming up")
            order = random.sample(list(measures), len(measures))
            for name in order:
                figure = await measures[name]()
                if number:
                    figures[name].append(figure)
    names = ("unary_hop", "stream_message", *(("ask_first_event",) if first_events else ()))
    return Report(tuple(median_result(name, "us", figures[name], figures[f"{name}_bare"]) for name in names))


async def _measures(
    stack: AsyncExitStack, calls: int, first_events: int, places: tuple[str, str, str, str]
) -> dict[str, Measure]:
    bare, runtime, gateway, folder = places
    stack.enter_context(acting_for(Caller("bench")))
    stack.enter_context(deadlines.within(_RUN_SECONDS_MAX))
    channel = await stack.enter_async_context(grpc.aio.insecure_channel(bare))
    plain = agent_service_pb2_grpc.AgentServiceStub(channel)
    key = await asyncio.to_thread(dev_key, Path(folder))
    peers = Peers("bench", {SERVICE: runtime}, Assertions(key))
    stack.push_async_callback(peers.close)
    ours = peers.stub(agent_service_pb2_grpc.AgentServiceStub, SERVICE)
    measures: dict[str, Measure] = {
        "unary_hop": lambda: _unary(ours, calls),
        "unary_hop_bare": lambda: _unary(plain, calls),
        "stream_message": lambda: _stream(ours, calls),
        "stream_message_bare": lambda: _stream(plain, calls),
    }
    if first_events:
        door = await stack.enter_async_context(grpc.aio.insecure_channel(gateway))
        asking = gateway_service_pb2_grpc.GatewayServiceStub(door)
        measures["ask_first_event"] = lambda: _first(lambda: asking.Ask(_guided(), timeout=30.0), first_events)
        measures["ask_first_event_bare"] = lambda: _first(lambda: plain.Run(pb.RunRequest(question="1")), first_events)
    return measures


async def _unary(stub: Any, calls: int) -> float:
    request, seconds = pb.DescribeRequest(), []
    for _ in range(calls):
        began = perf_counter()
        await stub.Describe(request)
        seconds.append(perf_counter() - began)
    return median(seconds) * _MICRO


async def _stream(stub: Any, messages: int) -> float:
    began = perf_counter()
    async for _ in stub.Run(pb.RunRequest(question=str(messages))):
        pass
    return (perf_counter() - began) / messages * _MICRO


async def _first(call: Callable[[], Any], times: int) -> float:
    seconds = []
    for _ in range(times):
        began = perf_counter()
        first = 0.0
        async for _message in call():
            first = first or perf_counter() - began
        seconds.append(first)
    return median(seconds) * _MICRO


def _guided() -> gateway_service_pb2.AskRequest:
    # A blank question is answered with guidance, so a round measures the first event and not the agents.
    return gateway_service_pb2.AskRequest(question=question_pb2.Question(text=" ", locale="en"))
