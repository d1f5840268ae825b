"""The planner's messages. Field meanings stand in protos/hapju/planner/v1."""

from dataclasses import dataclass

from hapju.planner.v1 import planner_service_pb2
from services.contract.flow import ExecutionPlan, RouteDecision, RunContext, Spent, Turn
from services.contract.mapping import message


@message(planner_service_pb2.DraftPlanRequest)
@dataclass(frozen=True, slots=True)
class DraftPlanRequest:
    """Requests a plan."""

    run: RunContext
    question: str
    route: RouteDecision
    history: tuple[Turn, ...] = ()


@message(planner_service_pb2.DraftPlanResponse)
@dataclass(frozen=True, slots=True)
class DraftPlanResponse:
    """Returns a plan."""

    plan: ExecutionPlan
    spent: Spent
