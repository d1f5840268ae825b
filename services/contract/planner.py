"""The planner's messages. Field meanings stand in protos/hapju/planner/v1."""

from dataclasses import dataclass

from hapju.planner.v1 import planner_service_pb2
from services.contract.flow import (
    ExecutionPlan,
    HeldLookUp,
    Remembered,
    RouteDecision,
    RunContext,
    SlotValue,
    Spent,
    Turn,
)
from services.contract.mapping import message


@message(planner_service_pb2.SlotAnswer)
@dataclass(frozen=True, slots=True)
class SlotAnswer:
    """What the user said when asked for a slot."""

    slot: str
    text: str


@message(planner_service_pb2.PrepareQuestionRequest)
@dataclass(frozen=True, slots=True)
class PrepareQuestionRequest:
    """Requests what can be decided before the route."""

    run: RunContext
    question: str
    history: tuple[Turn, ...] = ()


@message(planner_service_pb2.PrepareQuestionResponse)
@dataclass(frozen=True, slots=True)
class PrepareQuestionResponse:
    """Returns what was decided."""

    spent: Spent


@message(planner_service_pb2.DraftPlanRequest)
@dataclass(frozen=True, slots=True)
class DraftPlanRequest:
    """Requests a plan."""

    run: RunContext
    question: str
    route: RouteDecision
    history: tuple[Turn, ...] = ()
    slots: tuple[SlotValue, ...] = ()
    asked_slots: tuple[str, ...] = ()
    answer: SlotAnswer | None = None
    memory: tuple[Remembered, ...] = ()
    prepared: Spent = Spent()
    held: tuple[HeldLookUp, ...] = ()


@message(planner_service_pb2.DraftPlanResponse)
@dataclass(frozen=True, slots=True)
class DraftPlanResponse:
    """Returns a plan."""

    plan: ExecutionPlan
    spent: Spent
    obstacle: str = ""
