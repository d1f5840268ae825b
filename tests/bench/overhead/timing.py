"""How long flows take: one after the other, and many at once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import grpc

from hapju.agent.v1 import agent_service_pb2 as echo_pb
from hapju.agent.v1 import agent_service_pb2_grpc as echo_grpc
from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc as pb_grpc
from services.cli.problems import Problem
from tests.bench.children import cpu_seconds
from tests.bench.overhead.flows import Flow

SIDE_BY_SIDE: Final = 16
"""Flows at once where many are."""
_SECONDS_MAX: Final = 60.0
_MILLI: Final = 1_000.0


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and tail of a time, in milliseconds."""

    p50: float
    """Half of them took no longer."""
    p99: float
    """Nearly all of them took no longer."""

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Spread":
        """Returns that of times in seconds."""
        ordered = sorted(seconds)
        last = len(ordered) - 1
        return cls(ordered[round(last * 0.5)] * _MILLI, ordered[round(last * 0.99)] * _MILLI)


@dataclass(frozen=True, slots=True)
class Taken:
    """What flows took in one round."""

    flow: Spread
    """A flow, from the question to the end of its stream."""
    first_event: Spread
    """Its first event."""
    per_core: float
    """Flows a second of the services' own processor time while many run at once."""


_COMES_AGAIN_SECONDS: Final = 0.05


class Door:
    """The gateway of one deployment, as a client sees it."""

    def __init__(self, channel: grpc.aio.Channel, flow: Flow, pids: Sequence[int]) -> None:
        self._gateway: pb_grpc.GatewayServiceAsyncStub = pb_grpc.GatewayServiceStub(channel)
        self._flow = flow
        self._pids = pids

    async def timed(self, flows: int, seconds: float) -> Taken:
        """Times so many flows one after the other, and then many at once for so long.

        Raises:
            Problem: A flow does not end as its script says.
        """
        whole, first = zip(*[await self.ask() for _ in range(flows)], strict=True)
        end, count = perf_counter() + seconds, 0

        async def one_after_the_other() -> None:
            nonlocal count
            while not count or perf_counter() < end:
                try:
                    await self.ask()
                    count += 1
                except grpc.aio.AioRpcError as refused:
                    # In a crowd the door may have no room: who is refused comes again, as any client would.
                    if refused.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                        raise
                    await asyncio.sleep(_COMES_AGAIN_SECONDS)

        before = cpu_seconds(self._pids)
        async with asyncio.TaskGroup() as group:
            for _ in range(SIDE_BY_SIDE):
                group.create_task(one_after_the_other())
        return Taken(Spread.of(whole), Spread.of(first), count / (cpu_seconds(self._pids) - before))

    async def spread(self, flows: int) -> Spread:
        """Times so many flows one after the other.

        Raises:
            Problem: As `timed` says.
        """
        return Spread.of([(await self.ask())[0] for _ in range(flows)])

    async def asked(self, times: int) -> None:
        """Asks so often and looks at no clock.

        Raises:
            Problem: As `timed` says.
        """
        for _ in range(times):
            await self.ask()

    async def ask(self) -> tuple[float, float]:
        """Asks once and returns the seconds until the end and until the first event.

        Raises:
            Problem: The flow does not end as its script says: the figures would be those of another flow.
        """
        began = perf_counter()
        first, last = 0.0, flow_event_pb2.FlowEvent()
        request = pb.AskRequest(question=question_pb2.Question(text=self._flow.question), together=True)
        async for told in self._gateway.Ask(request, timeout=_SECONDS_MAX):
            first = first or perf_counter() - began
            last = (told.event, *told.further_events)[-1]
        whole = perf_counter() - began
        _check(self._flow, last)
        return whole, first


class Hops:
    """Calls of a server that does nothing."""

    def __init__(self, echo: "echo_grpc.AgentServiceAsyncStub") -> None:
        self._echo = echo

    async def timed(self, times: int, in_a_row: int = 1) -> Spread:
        """Times so many calls in a row, so often."""
        seconds = []
        for _ in range(times):
            began = perf_counter()
            for _ in range(in_a_row):
                await self._echo.Describe(echo_pb.DescribeRequest())
            seconds.append(perf_counter() - began)
        return Spread.of(seconds)


def _check(flow: Flow, last: flow_event_pb2.FlowEvent) -> None:
    answer = last.finished.answer
    asked = answer.usage.model_calls
    degraded = [decision.kind for decision in answer.decisions if decision.fallback_reason]
    if asked == flow.model_calls and not degraded:
        return
    if last.WhichOneof("event") == "failed":
        told = f"it failed: {last.failed.reason} {last.failed.message}"
    else:
        told = (
            f"it asked its model {asked} times, not {flow.model_calls}; fell back: {', '.join(degraded) or 'nothing'}"
        )
    raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", f"{flow.name} did not go as its script says: {told}")
