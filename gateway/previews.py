"""Decisions alone: how a question would be understood and answered. No flow starts and nothing runs."""

from __future__ import annotations

from dataclasses import dataclass

from hapju.planner.v1 import planner_service_pb2, planner_service_pb2_grpc
from hapju.router.v1 import router_service_pb2, router_service_pb2_grpc
from services.contract.flow import Budget, ExecutionPlan, NextAction, Question, RouteDecision, RunContext, Spent
from services.contract.mapping import from_proto, to_proto
from services.contract.planner import DraftPlanRequest, DraftPlanResponse
from services.contract.router import RouteRequest, RouteResponse
from services.runtime.clock import Clock
from services.runtime.ids import new_flow_run_id
from services.runtime.settings import Settings


@dataclass(frozen=True, slots=True)
class Preview:
    """How a question would be taken."""

    flow_run_id: str
    """The id that its decisions bear."""
    route: RouteDecision
    """How it is understood."""
    plan: ExecutionPlan | None
    """How it would be answered; None where the route ends the flow, or none was asked for."""
    spent: Spent
    """What that cost."""


class QuestionPreviews:
    """Asks router and planner without starting a flow."""

    def __init__(
        self,
        router: router_service_pb2_grpc.RouterServiceAsyncStub,
        planner: planner_service_pb2_grpc.PlannerServiceAsyncStub,
        settings: Settings,
        clock: Clock,
    ) -> None:
        self._router = router
        self._planner = planner
        self._settings = settings
        self._clock = clock

    async def route(self, question: Question) -> Preview:
        """Return how a question would be understood."""
        run = self._run(question)
        asked = RouteRequest(
            run,
            question.text,
            question.history,
            question.intent_hint,
            question.router_output,
            attachments=question.attachments,
        )
        response = await self._router.Route(to_proto(asked, router_service_pb2.RouteRequest))
        routed = from_proto(response, RouteResponse)
        return Preview(run.flow_run_id, routed.route, None, routed.spent)

    async def plan(self, question: Question) -> Preview:
        """Return how a question would be answered."""
        routed = await self.route(question)
        if routed.route.next_action is not NextAction.PROCEED:
            return routed
        run = self._run(question, routed.flow_run_id)
        asked = DraftPlanRequest(run, question.text, routed.route, question.history)
        response = await self._planner.DraftPlan(to_proto(asked, planner_service_pb2.DraftPlanRequest))
        drafted = from_proto(response, DraftPlanResponse)
        spent = Spent((*routed.spent.decisions, *drafted.spent.decisions), routed.spent.usage + drafted.spent.usage)
        return Preview(run.flow_run_id, routed.route, drafted.plan, spent)

    def _run(self, question: Question, flow_run_id: str = "") -> RunContext:
        settings = self._settings
        return RunContext(
            flow_run_id=flow_run_id or new_flow_run_id(),
            session_id=question.session_id,
            locale=question.locale,
            now=question.now or self._clock(),
            time_zone=question.time_zone,
            budget=Budget(
                settings.model_calls_max,
                settings.tokens_max,
                settings.model_failures_max,
                settings.cost_micro_usd_max,
            ),
            domains=question.domains,
        )
