"""The messages of planner_service.

Generated from protos/hapju/planner/v1 by protos/generate.py: change these and run `make protos`.
"""

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


@message(planner_service_pb2.PrepareQuestionRequest)
@dataclass(frozen=True, slots=True)
class PrepareQuestionRequest:
    """Requests what can be decided before the route."""

    run: RunContext
    """Required. The flow."""
    question: str
    """Required. The question as the user wrote it."""
    history: tuple[Turn, ...] = ()
    """The turns before it, the oldest first."""


@message(planner_service_pb2.PrepareQuestionResponse)
@dataclass(frozen=True, slots=True)
class PrepareQuestionResponse:
    """Returns what was decided."""

    spent: Spent
    """The decisions, those alone that a model makes, and what they cost."""


@message(planner_service_pb2.SlotAnswer)
@dataclass(frozen=True, slots=True)
class SlotAnswer:
    """What the user said when asked for a slot."""

    slot: str
    """The slot."""
    text: str
    """The words as the user wrote them."""


@message(planner_service_pb2.DraftPlanRequest)
@dataclass(frozen=True, slots=True)
class DraftPlanRequest:
    """Requests a plan."""

    run: RunContext
    """Required. The flow."""
    question: str
    """Required. The question as the user wrote it."""
    route: RouteDecision
    """Required. How it is understood."""
    history: tuple[Turn, ...] = ()
    """The turns before it, the oldest first."""
    slots: tuple[SlotValue, ...] = ()
    """The slots that this flow has filled already."""
    asked_slots: tuple[str, ...] = ()
    """The slots that this flow has asked for, in order; none is asked for twice, and five at the most."""
    answer: SlotAnswer | None = None
    """The user's answer to the last of them; absent on the first call."""
    memory: tuple[Remembered, ...] = ()
    """What is remembered of the user's earlier conversations, the latest first; at most 2,000 tokens in all."""
    prepared: Spent = Spent()
    """What PrepareQuestion has spent on this question. The response's `spent` includes it: of its decisions those that
    the plan rests on, of its usage all.
    """
    held: tuple[HeldLookUp, ...] = ()
    """What earlier flows of the conversation have found and may stand in for a look-up, the latest first. Where it is
    empty, the first judgement goes by what the conversation shows.
    """


@message(planner_service_pb2.DraftPlanResponse)
@dataclass(frozen=True, slots=True)
class DraftPlanResponse:
    """Returns a plan."""

    plan: ExecutionPlan
    """The plan."""
    spent: Spent
    """What it cost."""
    obstacle: str = ""
    """Why the plan cannot go on: MISSING_REQUIRED_SLOTS where a slot question stands in the plan, INVALID_SLOT_VALUE
    where the answer could not be read, TOO_MANY_QUESTIONS where a sixth would be needed; empty where it can.
    """
