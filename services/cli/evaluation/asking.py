"""Policy, router and planner as real services over sockets, asked as rows say; a model only where one is configured."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from hapju.planner.v1 import planner_service_pb2, planner_service_pb2_grpc
from hapju.policy.v1 import policy_service_pb2, policy_service_pb2_grpc
from hapju.router.v1 import router_service_pb2, router_service_pb2_grpc
from services.catalog.loader import catalog
from services.catalog.topology import topology
from services.cli.embedded import embedded_settings
from services.cli.ensemble import Layout, LocalServices
from services.cli.evaluation.rows import Row, clock_of, zone_of
from services.contract.flow import Budget, RouteDecision, RunContext, SlotValue, Speaker, Turn
from services.contract.mapping import from_proto, to_proto
from services.contract.planner import DraftPlanRequest, DraftPlanResponse, SlotAnswer
from services.contract.policy import CheckPolicyRequest, CheckPolicyResponse
from services.contract.router import RouteRequest, RouteResponse
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.ids import new_flow_run_id
from services.runtime.settings import Settings

NAMES: Final = ("policy", "router", "planner")
_CALL_SECONDS: Final = 60.0
_SPEAKERS: Final = {"user": Speaker.USER, "assistant": Speaker.ASSISTANT}


@dataclass(frozen=True, slots=True)
class AskedRow:
    """A question in its circumstances."""

    text: str
    """The words."""
    run: RunContext
    """Clock, language and domains."""
    caller: Caller
    """Who asks."""
    history: tuple[Turn, ...] = ()
    """What was said before."""


class Services:
    """Asks the services; get it from `started`."""

    def __init__(self, peers: Peers) -> None:
        self._policy: Any = peers.stub(policy_service_pb2_grpc.PolicyServiceStub, "policy")
        self._router: Any = peers.stub(router_service_pb2_grpc.RouterServiceStub, "router")
        self._planner: Any = peers.stub(planner_service_pb2_grpc.PlannerServiceStub, "planner")

    async def check(self, said: AskedRow) -> CheckPolicyResponse:
        """Return the policy's verdict."""
        request = to_proto(CheckPolicyRequest(said.run, said.text), policy_service_pb2.CheckPolicyRequest)
        with acting_for(said.caller), deadlines.within(_CALL_SECONDS):
            return from_proto(await self._policy.CheckPolicy(request), CheckPolicyResponse)

    async def route(self, said: AskedRow, intent_hint: str = "") -> RouteDecision:
        """Return the route."""
        asked = RouteRequest(said.run, said.text, said.history, intent_hint)
        request = to_proto(asked, router_service_pb2.RouteRequest)
        with acting_for(said.caller), deadlines.within(_CALL_SECONDS):
            return from_proto(await self._router.Route(request), RouteResponse).route

    async def plan(
        self,
        said: AskedRow,
        route: RouteDecision,
        *,
        slots: Sequence[SlotValue] = (),
        asked_slots: Sequence[str] = (),
        answer: SlotAnswer | None = None,
    ) -> DraftPlanResponse:
        """Return the plan, or the question that it waits for."""
        asked = DraftPlanRequest(said.run, said.text, route, said.history, tuple(slots), tuple(asked_slots), answer)
        request = to_proto(asked, planner_service_pb2.DraftPlanRequest)
        with acting_for(said.caller), deadlines.within(_CALL_SECONDS):
            return from_proto(await self._planner.DraftPlan(request), DraftPlanResponse)


@asynccontextmanager
async def started(settings: Settings) -> AsyncIterator[Services]:
    """Run the three services inside this process for the body, on free loopback ports."""
    quiet = embedded_settings(settings)
    layout = Layout(NAMES, lambda _: "127.0.0.1:0")
    async with LocalServices(quiet, topology(), layout) as ensemble:
        peers = Peers("gateway", ensemble.addresses, Assertions(quiet.assertion_key))
        try:
            yield Services(peers)
        finally:
            await peers.close()


def said_in(row: Row, settings: Settings) -> AskedRow:
    """Return the question of a row with its `context`."""
    context = row.get("context", {})
    history = tuple(Turn(_SPEAKERS[turn["role"]], turn["content"], None) for turn in context.get("history", ()))
    user_type = context.get("user_type") or ""
    user_id = "u-1" if context.get("is_logged_in") else ""
    caller = Caller(user_id, user_type="" if user_type == "none" else user_type)
    domains = tuple(context.get("enabled_domains") or catalog().domains)
    return AskedRow(row["query"], run_of(row, settings, clock_of(row), domains), caller, history)


def run_of(row: Row, settings: Settings, now: datetime, domains: Sequence[str] = ()) -> RunContext:
    """Return a new flow's context at a moment."""
    budget = Budget(
        model_calls=settings.model_calls_max,
        tokens=settings.tokens_max,
        model_failures=settings.model_failures_max,
        cost_micro_usd=settings.cost_micro_usd_max,
    )
    enabled = tuple(domains) or tuple(catalog().domains)
    return RunContext(new_flow_run_id(), "", str(row.get("locale", "ko")), now, zone_of(row), budget, enabled)
