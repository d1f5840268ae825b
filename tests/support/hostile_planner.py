"""A planner that returns whatever plan a test gives it: a real server in the planner's place."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from hapju.flow.v1 import decision_pb2, plan_pb2
from hapju.planner.v1 import planner_service_pb2 as pb
from hapju.planner.v1 import planner_service_pb2_grpc
from services.runtime.server import Service, start
from services.runtime.settings import Settings

Drafting = Callable[[pb.DraftPlanRequest], pb.DraftPlanResponse]
"""Returns the plan of a request."""


@dataclass
class HostilePlanner:
    """What it has been asked."""

    address: str = ""
    """Where it listens."""
    drafting: Drafting = lambda _: pb.DraftPlanResponse()
    """What it returns."""
    asked: list[pb.DraftPlanRequest] = field(default_factory=list)
    """Every request."""


class _Servicer(planner_service_pb2_grpc.PlannerServiceServicer):
    def __init__(self, planner: HostilePlanner) -> None:
        self._planner = planner

    async def DraftPlan(self, request: pb.DraftPlanRequest, context: object) -> pb.DraftPlanResponse:
        self._planner.asked.append(request)
        return self._planner.drafting(request)

    async def PrepareQuestion(self, request: pb.PrepareQuestionRequest, context: object) -> pb.PrepareQuestionResponse:
        return pb.PrepareQuestionResponse(spent=decision_pb2.Spent(usage=decision_pb2.Usage()))


def step(step_id: str, *needs: str, agent: str = "realty.search") -> plan_pb2.PlanStep:
    """Returns a step."""
    return plan_pb2.PlanStep(
        step_id=step_id,
        agent=agent,
        task="look it up",
        sub_question="강남구 아파트 시세",
        depends_on=needs,
        branch=plan_pb2.BRANCH_SQL,
        required=True,
    )


def plan(*steps: plan_pb2.PlanStep) -> pb.DraftPlanResponse:
    """Returns a plan of these steps."""
    drafted = plan_pb2.ExecutionPlan(
        normalised_question="강남구 아파트 시세", steps=steps, strategy=plan_pb2.STRATEGY_SEQUENTIAL
    )
    drafted.estimated_duration.FromSeconds(1)
    return pb.DraftPlanResponse(plan=drafted, spent=decision_pb2.Spent(usage=decision_pb2.Usage()))


def question(slot: str) -> pb.DraftPlanResponse:
    """Returns a plan that asks for a slot and has no steps."""
    response = plan()
    response.plan.slot_question.CopyFrom(plan_pb2.SlotQuestion(slot=slot, question="그리고요?"))
    return response


@asynccontextmanager
async def hostile_planner(tmp_path: Path) -> AsyncIterator[HostilePlanner]:
    """Serves it."""
    planner = HostilePlanner()

    async def register(server: grpc.aio.Server, service: Service) -> None:
        del service
        planner_service_pb2_grpc.add_PlannerServiceServicer_to_server(_Servicer(planner), server)

    settings = Settings(data_dir=tmp_path, log_level="error")
    running = await start("planner", register, settings, listen="127.0.0.1:0", addresses={})
    planner.address = running.address
    try:
        yield planner
    finally:
        await running.stop(drain_seconds=0)
