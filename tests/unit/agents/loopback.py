"""Agents over real sockets: a strict tool gateway that answers what a test wrote down, and the agent's own service."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc

from hapju.agent.v1 import agent_service_pb2, agent_service_pb2_grpc
from hapju.tool.v1 import tool_gateway_service_pb2 as tool_pb
from hapju.tool.v1 import tool_gateway_service_pb2_grpc
from services.agents.servicer import register as register_agent
from services.contract.agent import AgentDescription, RunRequest, RunResponse, RunResult
from services.contract.events import Progress, ToolSettled
from services.contract.flow import (
    AgentResult,
    Branch,
    Budget,
    NextAction,
    PlanStep,
    Provenance,
    RouteDecision,
    RunContext,
    ToolCall,
    ToolMode,
)
from services.contract.mapping import from_proto, to_proto
from services.contract.tool import InvokeToolRequest, InvokeToolResponse, ToolFailure, ToolResult
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.errors import HapjuError
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.ids import new_flow_run_id
from services.runtime.server import Register, RunningService, Service, start
from services.runtime.settings import Settings

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
AS_OF = "2026-11-26T21:00:00Z"


Outcome = ToolResult | ToolFailure | HapjuError | None


@dataclass
class ScriptedGateway:
    """A tool gateway that answers each tool's calls with the outcomes of its script, in order; anything else fails."""

    script: dict[str, list[Outcome]]
    """Outcomes by tool; None waits until the call is cancelled."""
    calls: list[InvokeToolRequest] = field(default_factory=list)
    """What was asked, in order of arrival."""
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a call waits."""
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a waiting call was cancelled."""
    at_once: int = 0
    """Calls that are served now."""
    at_once_most: int = 0
    """The most calls that were served side by side."""

    async def answer(self, request: InvokeToolRequest) -> ToolResult | ToolFailure:
        self.calls.append(request)
        self.at_once += 1
        self.at_once_most = max(self.at_once, self.at_once_most)
        try:
            await asyncio.sleep(0.01)
            outcome = self.script[request.tool].pop(0)
            if outcome is None:
                self.waiting.set()
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        finally:
            self.at_once -= 1
        if isinstance(outcome, HapjuError):
            raise outcome
        assert outcome is not None
        return outcome


class _Servicer(tool_gateway_service_pb2_grpc.ToolGatewayServiceServicer):
    def __init__(self, gateway: ScriptedGateway) -> None:
        self._gateway = gateway

    async def InvokeTool(self, request: tool_pb.InvokeToolRequest, context: object) -> tool_pb.InvokeToolResponse:
        outcome = await self._gateway.answer(from_proto(request, InvokeToolRequest))
        return to_proto(InvokeToolResponse(outcome), tool_pb.InvokeToolResponse)

    async def ListTools(self, request: tool_pb.ListToolsRequest, context: object) -> tool_pb.ListToolsResponse:
        raise AssertionError("an agent lists no tools")

    async def DescribeTool(self, request: tool_pb.DescribeToolRequest, context: object) -> tool_pb.DescribeToolResponse:
        raise AssertionError("an agent describes no tool")

    async def PreviewAction(
        self, request: tool_pb.PreviewActionRequest, context: object
    ) -> tool_pb.PreviewActionResponse:
        raise AssertionError("an agent acts through nobody here")

    async def ApproveAction(
        self, request: tool_pb.ApproveActionRequest, context: object
    ) -> tool_pb.ApproveActionResponse:
        raise AssertionError("an agent acts through nobody here")

    async def ExecuteAction(
        self, request: tool_pb.ExecuteActionRequest, context: object
    ) -> tool_pb.ExecuteActionResponse:
        raise AssertionError("an agent acts through nobody here")

    async def ReconcileAction(
        self, request: tool_pb.ReconcileActionRequest, context: object
    ) -> tool_pb.ReconcileActionResponse:
        raise AssertionError("an agent acts through nobody here")


def registering(gateway: ScriptedGateway) -> Register:
    """Returns what registers the double as a service."""

    async def register(server: grpc.aio.Server, service: Service) -> None:  # noqa: ARG001
        tool_gateway_service_pb2_grpc.add_ToolGatewayServiceServicer_to_server(_Servicer(gateway), server)

    return register


@dataclass
class Ensemble:
    """An agent that listens, its tool gateway, and a caller."""

    agent: RunningService
    """The agent's service."""
    gateway: RunningService
    """The tool gateway's."""
    stub: Any
    """The agent as a caller sees it."""
    name: str
    """The agent."""

    async def run(self, asked: RunRequest, *, seconds: float = 10.0) -> "Told":
        """Runs a step to its end."""
        told = Told()
        async with aclosing(self.events(asked, seconds=seconds)) as events:
            async for event in events:
                told.events.append(event)
        return told

    async def events(self, asked: RunRequest, *, seconds: float = 10.0) -> AsyncGenerator["Event", None]:
        """Runs a step and yields what it tells."""
        with acting_for(Caller("u1", service="orchestrator")), deadlines.within(seconds):
            call = self.stub.Run(to_proto(asked, agent_service_pb2.RunRequest))
            try:
                async for message in call:
                    yield from_proto(message, RunResponse).event
            finally:
                call.cancel()

    async def describe(self) -> AgentDescription:
        """Asks the agent what it is for."""
        with acting_for(Caller("u1")), deadlines.within(5):
            answer = await self.stub.Describe(agent_service_pb2.DescribeRequest())
        return from_proto(answer, AgentDescription)


Event = Progress | ToolSettled | AgentResult | RunResult


@dataclass
class Told:
    """What a run told."""

    events: list[Event] = field(default_factory=list)
    """Its events in order."""

    @property
    def end(self) -> RunResult:
        """The run's last event."""
        last = self.events[-1]
        assert isinstance(last, RunResult)
        return last

    @property
    def result(self) -> AgentResult:
        """The result."""
        return self.end.result

    @property
    def computed(self) -> list[AgentResult]:
        """What was told as computed before the result."""
        return [event for event in self.events if isinstance(event, AgentResult)]

    @property
    def settled(self) -> list[ToolSettled]:
        """The tool calls that ended."""
        return [event for event in self.events if isinstance(event, ToolSettled)]

    @property
    def progress(self) -> list[str]:
        """What the agent said it was doing."""
        return [event.message for event in self.events if isinstance(event, Progress)]

    def metrics(self, subject: str = "") -> dict[str, str]:
        """Returns the metrics' values or words by name."""
        found = [metric for metric in self.result.metrics if subject in {"", metric.subject}]
        return {metric.name: metric.value or metric.word for metric in found}


@asynccontextmanager
async def ensemble(
    name: str, data_dir: Path, register_gateway: Register, change: Callable[[Settings], Settings] = lambda given: given
) -> AsyncIterator[Ensemble]:
    """Starts a tool gateway and the agent `name`, both over loopback, and stops them."""
    settings = change(Settings(data_dir=data_dir, drain_seconds_max=1.0))
    gateway = await start("tool_gateway", register_gateway, settings, listen="127.0.0.1:0", addresses={})
    addresses = {"tool_gateway": gateway.address}
    agent = await start(name, register_agent, settings, listen="127.0.0.1:0", addresses=addresses)
    peers = Peers("orchestrator", {name: agent.address}, Assertions(settings.assertion_key))
    stub = peers.stub(agent_service_pb2_grpc.AgentServiceStub, name)
    try:
        yield Ensemble(agent, gateway, stub, name)
    finally:
        await peers.close()
        await agent.stop()
        await gateway.stop()


def tool_result(tool: str, rows: Sequence[dict[str, Any]], **changed: Any) -> ToolResult:
    """Returns a result with sample rows of the tool's first schema; `changed` replaces its fields."""
    provenance = Provenance(
        source="a test",
        dataset="sample_test",
        table=tool,
        filters_json=b"{}",
        as_of_time=NOW - timedelta(hours=12),
        row_count=len(rows),
        template_id=f"{tool}.v1",
        fingerprint="f" * 64,
        sample=True,
    )
    result = ToolResult(
        rows_json=json.dumps(rows, ensure_ascii=False).encode(),
        rows_schema_id=f"hapju.tool.{tool}.rows.v1",
        row_count=len(rows),
        truncated=False,
        provenance=provenance,
        replayed=False,
        latency=timedelta(milliseconds=3),
        note="",
    )
    return replace(result, **changed)


def call(tool: str, **arguments: Any) -> ToolCall:
    """Returns a call with these arguments."""
    return ToolCall(tool, json.dumps(arguments).encode(), f"hapju.tool.{tool}.arguments.v1")


def asked(agent: str, *calls: ToolCall, locale: str = "ko", question: str = "어떤가요?") -> RunRequest:
    """Returns a step for an agent."""
    budget = Budget(model_calls=10, tokens=100_000, model_failures=3, cost_micro_usd=0)
    run = RunContext(new_flow_run_id(), "s1", locale, NOW, "Asia/Seoul", budget, ("finance", "realty", "commerce"))
    step = PlanStep("s1", agent, "look it up", question, (), Branch.SQL, (), (), "", required=True)
    route = RouteDecision(
        domain=agent.partition(".")[0],
        intent="us_single_stock",
        confidence=0.95,
        alternatives=(),
        selected_type="us_single_stock",
        sql_need=True,
        graph_need=False,
        tool_mode=ToolMode.SINGLE,
        target_agents=(agent,),
        entities=(),
        country_scope=("US",),
        next_action=NextAction.PROCEED,
        route_source="keyword",
        voter_scores=(),
        message="",
        examples=(),
        reason="",
        requires_confirmation=False,
    )
    return RunRequest(run, step, calls, (), (), question, route)
