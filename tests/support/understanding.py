"""Policy, router and planner as real services over loopback, with the calls that tests make to them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from hapju.planner.v1 import planner_service_pb2, planner_service_pb2_grpc
from hapju.policy.v1 import policy_service_pb2, policy_service_pb2_grpc
from hapju.router.v1 import router_service_pb2, router_service_pb2_grpc
from services.contract.flow import (
    Budget,
    HeldLookUp,
    RouteDecision,
    RouterOutput,
    RunContext,
    SlotValue,
    Speaker,
    Spent,
    Turn,
)
from services.contract.mapping import from_proto, to_proto
from services.contract.planner import (
    DraftPlanRequest,
    DraftPlanResponse,
    PrepareQuestionRequest,
    PrepareQuestionResponse,
    SlotAnswer,
)
from services.contract.policy import CheckPolicyRequest, CheckPolicyResponse
from services.contract.router import RouteRequest, RouteResponse
from services.planner.servicer import register as register_planner
from services.policy.servicer import register as register_policy
from services.router.servicer import register as register_router
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.ids import new_flow_run_id
from services.runtime.server import Register, start
from services.runtime.settings import Settings

NOW = datetime.fromisoformat("2026-11-27T09:00+09:00")
DOMAINS = ("realty", "finance", "commerce", "general")
CONSUMER = Caller("u-1", user_type="consumer")
SELLER = Caller("u-2", user_type="seller")
ANONYMOUS = Caller("")
_SECONDS = 30.0


def run_context(
    *, locale: str = "ko", domains: Sequence[str] = DOMAINS, model_calls: int = 40, now: datetime = NOW
) -> RunContext:
    """Return the run context of a new flow."""
    budget = Budget(model_calls=model_calls, tokens=200_000, model_failures=3, cost_micro_usd=0)
    return RunContext(new_flow_run_id(), "s-1", locale, now, "Asia/Seoul", budget, tuple(domains))


def said(*texts: str) -> tuple[Turn, ...]:
    """Return a history in which user and assistant take turns, the user first."""
    speakers = (Speaker.USER, Speaker.ASSISTANT)
    return tuple(Turn(speakers[place % 2], text, None) for place, text in enumerate(texts))


@dataclass(frozen=True, slots=True)
class Understanding:
    """The stubs of those services that were started."""

    stubs: dict[str, Any]
    """Stub by service."""

    async def check(self, question: str, *, caller: Caller = CONSUMER, locale: str = "ko") -> CheckPolicyResponse:
        """Ask the policy service."""
        asked = CheckPolicyRequest(run_context(locale=locale), question)
        request = to_proto(asked, policy_service_pb2.CheckPolicyRequest)
        with acting_for(caller), deadlines.within(_SECONDS):
            return from_proto(await self.stubs["policy"].CheckPolicy(request), CheckPolicyResponse)

    async def route(
        self,
        question: str,
        *,
        caller: Caller = CONSUMER,
        locale: str = "ko",
        domains: Sequence[str] = DOMAINS,
        history: Sequence[Turn] = (),
        intent_hint: str = "",
        router_output: RouterOutput | None = None,
    ) -> RouteResponse:
        """Ask the router."""
        run = run_context(locale=locale, domains=domains)
        asked = RouteRequest(run, question, tuple(history), intent_hint, router_output)
        request = to_proto(asked, router_service_pb2.RouteRequest)
        with acting_for(caller), deadlines.within(_SECONDS):
            return from_proto(await self.stubs["router"].Route(request), RouteResponse)

    async def plan(
        self,
        question: str,
        route: RouteDecision,
        *,
        locale: str = "ko",
        history: Sequence[Turn] = (),
        slots: Sequence[SlotValue] = (),
        asked_slots: Sequence[str] = (),
        answer: SlotAnswer | None = None,
        prepared: Spent = Spent(),
        held: Sequence[HeldLookUp] = (),
    ) -> DraftPlanResponse:
        """Ask the planner."""
        asked = DraftPlanRequest(
            run_context(locale=locale),
            question,
            route,
            tuple(history),
            tuple(slots),
            tuple(asked_slots),
            answer,
            prepared=prepared,
            held=tuple(held),
        )
        request = to_proto(asked, planner_service_pb2.DraftPlanRequest)
        with acting_for(CONSUMER), deadlines.within(_SECONDS):
            return from_proto(await self.stubs["planner"].DraftPlan(request), DraftPlanResponse)

    async def prepare(self, question: str, *, history: Sequence[Turn] = (), locale: str = "ko") -> Spent:
        """Ask the planner for what needs no route."""
        asked = PrepareQuestionRequest(run_context(locale=locale), question, tuple(history))
        request = to_proto(asked, planner_service_pb2.PrepareQuestionRequest)
        with acting_for(CONSUMER), deadlines.within(_SECONDS):
            return from_proto(await self.stubs["planner"].PrepareQuestion(request), PrepareQuestionResponse).spent


_SERVICES: dict[str, tuple[Register, Any]] = {
    "policy": (register_policy, policy_service_pb2_grpc.PolicyServiceStub),
    "router": (register_router, router_service_pb2_grpc.RouterServiceStub),
    "planner": (register_planner, planner_service_pb2_grpc.PlannerServiceStub),
}


@asynccontextmanager
async def understanding(
    folder: Path, *names: str, model_url: str = "", call_seconds: float = 3.0, **fields: Any
) -> AsyncIterator[Understanding]:
    """Start the named services, in a data folder of their own and with some settings, and stop them at the end."""
    model = {"openai_base_url": model_url, "openai_api_key": "key", "llm_call_timeout_seconds": call_seconds}
    settings = Settings.model_validate({"data_dir": folder, **(model if model_url else {}), **fields})
    running = {
        name: await start(name, _SERVICES[name][0], settings, listen="127.0.0.1:0", addresses={}) for name in names
    }
    peers = Peers("gateway", {name: one.address for name, one in running.items()}, Assertions(settings.assertion_key))
    try:
        yield Understanding({name: peers.stub(_SERVICES[name][1], name) for name in names})
    finally:
        await peers.close()
        for one in running.values():
            await one.stop(0.5)
