"""The ensemble as the orchestrator calls it: one typed method for each call, with what it costs handed back."""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Protocol

from hapju.agent.v1 import agent_service_pb2, agent_service_pb2_grpc
from hapju.planner.v1 import planner_service_pb2, planner_service_pb2_grpc
from hapju.policy.v1 import policy_service_pb2, policy_service_pb2_grpc
from hapju.router.v1 import router_service_pb2, router_service_pb2_grpc
from hapju.runtime.v1 import hop_service_pb2, hop_service_pb2_grpc
from hapju.synthesizer.v1 import synthesizer_service_pb2, synthesizer_service_pb2_grpc
from hapju.tool.v1 import tool_gateway_service_pb2, tool_gateway_service_pb2_grpc
from services.contract.agent import RunRequest, RunResponse
from services.contract.flow import RunContext, Usage
from services.contract.mapping import from_proto, to_proto
from services.contract.planner import (
    DraftPlanRequest,
    DraftPlanResponse,
    PrepareQuestionRequest,
    PrepareQuestionResponse,
)
from services.contract.policy import CheckPolicyRequest, CheckPolicyResponse
from services.contract.router import RouteRequest, RouteResponse
from services.contract.synthesizer import SynthesizeRequest, SynthesizeResponse
from services.contract.tool import (
    ApproveActionRequest,
    ApproveActionResponse,
    ExecuteActionRequest,
    ExecuteActionResponse,
    PreviewActionRequest,
    PreviewActionResponse,
    ReconcileActionRequest,
    ReconcileActionResponse,
    ToolDescription,
)
from services.runtime import deadlines
from services.runtime.calls import Peers, messages
from services.runtime.errors import HapjuError, Unavailable

TOOLS: Final = "tool_gateway"
"""The hop behind all others."""
STAGE_SHARE: Final = 0.7
"""What a stage that nothing can do without may take of the time left: what is over then can still be told."""
_SERVICES: Final = ("policy", "router", "planner", "synthesizer")


@dataclass(frozen=True, slots=True)
class LetGo:
    """What the hops of a flow say when it is to be over."""

    working: tuple[str, ...] = ()
    """Those that still work for it, or did not say."""
    usage: Usage = Usage()
    """What its calls had spent that were cut before they could say so."""


class Ensemble(Protocol):
    """Whom the orchestrator plays with."""

    async def check_policy(self, request: CheckPolicyRequest) -> CheckPolicyResponse:
        """Return the verdict on a question."""

    async def route(self, request: RouteRequest) -> RouteResponse:
        """Return how a question is understood."""

    async def prepare_question(self, request: PrepareQuestionRequest) -> PrepareQuestionResponse:
        """Return what is decided on a question before its route."""

    async def draft_plan(self, request: DraftPlanRequest) -> DraftPlanResponse:
        """Return how a question is to be answered."""

    def run_agent(self, agent: str, request: RunRequest) -> AsyncGenerator[RunResponse]:
        """Run one step at an agent and tell what happens; the result comes last."""

    def synthesize(self, request: SynthesizeRequest) -> AsyncGenerator[SynthesizeResponse]:
        """Write the answer; the whole of it comes last."""

    async def cut_short(self, peer: str, flow_run_id: str) -> LetGo:
        """Wait until one hop works for a flow no more, and return what the calls had spent that were cut there."""

    async def tools(self, locale: str) -> dict[str, ToolDescription]:
        """Return the tool registry, by name."""

    async def preview_action(self, request: PreviewActionRequest) -> PreviewActionResponse:
        """Tell what an action would do, and open an approval where it needs one."""

    async def approve_action(self, request: ApproveActionRequest) -> ApproveActionResponse:
        """Hand over the user's word on an approval; the same word again changes nothing."""

    async def execute_action(self, request: ExecuteActionRequest) -> ExecuteActionResponse:
        """Do an action once for its key, however often it is called."""

    async def reconcile_action(self, request: ReconcileActionRequest) -> ReconcileActionResponse:
        """Settle an action whose outcome is not known, by asking where it was to be done."""

    async def let_go(self, flow_run_id: str, agents: Collection[str] | None = None) -> LetGo:
        """Wait until no hop works for a flow any more; ask those that it has called from here, or these agents'."""

    def forget(self, flow_run_id: str) -> None:
        """Forget which hops a flow has called."""

    def serves(self, agent: str) -> bool:
        """Return whether this deployment has an address for an agent."""


class PeerEnsemble:
    """The ensemble over gRPC."""

    def __init__(self, peers: Peers) -> None:
        self._peers = peers
        self._called: dict[str, set[str]] = {}
        self._policy = peers.stub(policy_service_pb2_grpc.PolicyServiceStub, "policy")
        self._router = peers.stub(router_service_pb2_grpc.RouterServiceStub, "router")
        self._planner = peers.stub(planner_service_pb2_grpc.PlannerServiceStub, "planner")
        self._synthesizer = peers.stub(synthesizer_service_pb2_grpc.SynthesizerServiceStub, "synthesizer")
        self._tools = peers.stub(tool_gateway_service_pb2_grpc.ToolGatewayServiceStub, "tool_gateway")

    async def check_policy(self, request: CheckPolicyRequest) -> CheckPolicyResponse:
        """Return the verdict on a question."""
        self._to("policy", request.run)
        with deadlines.within_share(STAGE_SHARE):
            response = await self._policy.CheckPolicy(to_proto(request, policy_service_pb2.CheckPolicyRequest))
        return from_proto(response, CheckPolicyResponse)

    async def route(self, request: RouteRequest) -> RouteResponse:
        """Return how a question is understood."""
        self._to("router", request.run)
        with deadlines.within_share(STAGE_SHARE):
            response = await self._router.Route(to_proto(request, router_service_pb2.RouteRequest))
        return from_proto(response, RouteResponse)

    async def prepare_question(self, request: PrepareQuestionRequest) -> PrepareQuestionResponse:
        """Return what is decided on a question before its route."""
        self._to("planner", request.run)
        asked = to_proto(request, planner_service_pb2.PrepareQuestionRequest)
        with deadlines.within_share(STAGE_SHARE):
            response = await self._planner.PrepareQuestion(asked)
        return from_proto(response, PrepareQuestionResponse)

    async def draft_plan(self, request: DraftPlanRequest) -> DraftPlanResponse:
        """Return how a question is to be answered."""
        self._to("planner", request.run)
        with deadlines.within_share(STAGE_SHARE):
            response = await self._planner.DraftPlan(to_proto(request, planner_service_pb2.DraftPlanRequest))
        return from_proto(response, DraftPlanResponse)

    async def run_agent(self, agent: str, request: RunRequest) -> AsyncGenerator[RunResponse]:
        """Run one step at an agent and tell what happens; the result comes last."""
        self._to(agent, request.run)
        stub = self._peers.stub(agent_service_pb2_grpc.AgentServiceStub, agent)
        call = stub.Run(to_proto(request, agent_service_pb2.RunRequest))
        async with aclosing(messages(call)) as told:
            async for message in told:
                yield from_proto(message, RunResponse)

    async def synthesize(self, request: SynthesizeRequest) -> AsyncGenerator[SynthesizeResponse]:
        """Write the answer; the whole of it comes last."""
        self._to("synthesizer", request.run)
        call = self._synthesizer.Synthesize(to_proto(request, synthesizer_service_pb2.SynthesizeRequest))
        async with aclosing(messages(call)) as told:
            async for message in told:
                yield from_proto(message, SynthesizeResponse)

    async def tools(self, locale: str) -> dict[str, ToolDescription]:
        """Return the tool registry, by name."""
        request = tool_gateway_service_pb2.ListToolsRequest(locale=locale)
        listed = await self._tools.ListTools(request)
        return {tool.name: from_proto(tool, ToolDescription) for tool in listed.tools}

    async def preview_action(self, request: PreviewActionRequest) -> PreviewActionResponse:
        """Tell what an action would do, and open an approval where it needs one."""
        asked = to_proto(request, tool_gateway_service_pb2.PreviewActionRequest)
        return from_proto(await self._tools.PreviewAction(asked), PreviewActionResponse)

    async def approve_action(self, request: ApproveActionRequest) -> ApproveActionResponse:
        """Hand over the user's word on an approval; the same word again changes nothing."""
        asked = to_proto(request, tool_gateway_service_pb2.ApproveActionRequest)
        return from_proto(await self._tools.ApproveAction(asked), ApproveActionResponse)

    async def execute_action(self, request: ExecuteActionRequest) -> ExecuteActionResponse:
        """Do an action once for its key, however often it is called."""
        asked = to_proto(request, tool_gateway_service_pb2.ExecuteActionRequest)
        return from_proto(await self._tools.ExecuteAction(asked), ExecuteActionResponse)

    async def reconcile_action(self, request: ReconcileActionRequest) -> ReconcileActionResponse:
        """Settle an action whose outcome is not known, by asking where it was to be done."""
        asked = to_proto(request, tool_gateway_service_pb2.ReconcileActionRequest)
        return from_proto(await self._tools.ReconcileAction(asked), ReconcileActionResponse)

    async def let_go(self, flow_run_id: str, agents: Collection[str] | None = None) -> LetGo:
        """Wait until no hop works for a flow any more.

        The tool gateway is asked after the others: until an agent has let go it may call it once more. Of a hop with
        several replicas one is asked.

        Args:
            flow_run_id: The flow.
            agents: Agents that another driver of it has called, with whom the services are asked; None where this
                process has driven it, and knows.
        """
        called = self._called.get(flow_run_id, set())
        if agents is not None:
            called = {*called, *_SERVICES, *(agent for agent in agents if self.serves(agent))}
        first = await asyncio.gather(*(self.cut_short(peer, flow_run_id) for peer in sorted(called - {TOOLS})))
        told = [*first, await self.cut_short(TOOLS, flow_run_id)]
        usage = sum((one.usage for one in told), Usage())
        return LetGo(tuple(peer for one in told for peer in one.working), usage)

    def forget(self, flow_run_id: str) -> None:
        """Forget which hops a flow has called."""
        self._called.pop(flow_run_id, None)

    async def cut_short(self, peer: str, flow_run_id: str) -> LetGo:
        """Wait until one hop works for a flow no more, and return what the calls had spent that were cut there."""
        stub = self._peers.stub(hop_service_pb2_grpc.HopServiceStub, peer)
        request = hop_service_pb2.AwaitFlowEndRequest(flow_run_id=flow_run_id)
        try:
            response = await stub.AwaitFlowEnd(request)
        except Unavailable:
            # A hop that is gone works for nobody.
            return LetGo()
        except HapjuError:
            return LetGo((peer,))
        return LetGo((peer,) if response.running else (), from_proto(response.interrupted, Usage))

    def _to(self, peer: str, run: RunContext) -> None:
        self._called.setdefault(run.flow_run_id, set()).add(peer)

    def serves(self, agent: str) -> bool:
        """Return whether this deployment has an address for an agent."""
        return self._peers.knows(agent)
