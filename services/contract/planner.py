"""The messages of planner_service.

Generated from protos/hapju/planner/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from typing import Any, Self

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
from services.contract.mapping import Mapped, dataclass, each, missing, within


@dataclass(frozen=True)
class PrepareQuestionRequest(Mapped):
    """Requests what can be decided before the route."""

    __slots__ = (
        "run",
        "question",
        "history",
    )
    MESSAGE = planner_service_pb2.PrepareQuestionRequest
    run: RunContext
    """Required. The flow."""
    question: str
    """Required. The question as the user wrote it."""
    history: tuple[Turn, ...]
    """The turns before it, the oldest first."""

    def __init__(self, run: RunContext, question: str, history: tuple[Turn, ...] = ()) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "question", question)
        put(self, "history", history)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.question,
            self.history,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.question:
            target.question = item
        for item in self.history:
            item.write_to(target.history.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.question,
            each("history", Turn.read_from, source.history),
        )


@dataclass(frozen=True)
class PrepareQuestionResponse(Mapped):
    """Returns what was decided."""

    __slots__ = ("spent",)
    MESSAGE = planner_service_pb2.PrepareQuestionResponse
    spent: Spent
    """The decisions, those alone that a model makes, and what they cost."""

    def __init__(self, spent: Spent) -> None:
        put = object.__setattr__
        put(self, "spent", spent)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.spent,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.spent.write_to(target.spent)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(within("spent", Spent.read_from, source.spent) if source.HasField("spent") else missing("spent"))


@dataclass(frozen=True)
class SlotAnswer(Mapped):
    """What the user said when asked for a slot."""

    __slots__ = (
        "slot",
        "text",
    )
    MESSAGE = planner_service_pb2.SlotAnswer
    slot: str
    """The slot."""
    text: str
    """The words as the user wrote them."""

    def __init__(self, slot: str, text: str) -> None:
        put = object.__setattr__
        put(self, "slot", slot)
        put(self, "text", text)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.slot,
            self.text,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.slot:
            target.slot = item
        if item := self.text:
            target.text = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.slot, source.text)


@dataclass(frozen=True)
class DraftPlanRequest(Mapped):
    """Requests a plan."""

    __slots__ = (
        "run",
        "question",
        "route",
        "history",
        "slots",
        "asked_slots",
        "answer",
        "memory",
        "prepared",
        "held",
    )
    MESSAGE = planner_service_pb2.DraftPlanRequest
    run: RunContext
    """Required. The flow."""
    question: str
    """Required. The question as the user wrote it."""
    route: RouteDecision
    """Required. How it is understood."""
    history: tuple[Turn, ...]
    """The turns before it, the oldest first."""
    slots: tuple[SlotValue, ...]
    """The slots that this flow has filled already."""
    asked_slots: tuple[str, ...]
    """The slots that this flow has asked for, in order; none is asked for twice, and five at the most."""
    answer: SlotAnswer | None
    """The user's answer to the last of them; absent on the first call."""
    memory: tuple[Remembered, ...]
    """What is remembered of the user's earlier conversations, the latest first; at most 2,000 tokens in all."""
    prepared: Spent
    """What PrepareQuestion has spent on this question. The response's `spent` includes it: of its decisions those that
    the plan rests on, of its usage all.
    """
    held: tuple[HeldLookUp, ...]
    """What earlier flows of the conversation have found and may stand in for a look-up, the latest first. Where it is
    empty, the first judgement goes by what the conversation shows.
    """

    def __init__(
        self,
        run: RunContext,
        question: str,
        route: RouteDecision,
        history: tuple[Turn, ...] = (),
        slots: tuple[SlotValue, ...] = (),
        asked_slots: tuple[str, ...] = (),
        answer: SlotAnswer | None = None,
        memory: tuple[Remembered, ...] = (),
        prepared: Spent = Spent(),
        held: tuple[HeldLookUp, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "question", question)
        put(self, "route", route)
        put(self, "history", history)
        put(self, "slots", slots)
        put(self, "asked_slots", asked_slots)
        put(self, "answer", answer)
        put(self, "memory", memory)
        put(self, "prepared", prepared)
        put(self, "held", held)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.question,
            self.route,
            self.history,
            self.slots,
            self.asked_slots,
            self.answer,
            self.memory,
            self.prepared,
            self.held,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.question:
            target.question = item
        self.route.write_to(target.route)
        for item in self.history:
            item.write_to(target.history.add())
        for item in self.slots:
            item.write_to(target.slots.add())
        target.asked_slots.extend(self.asked_slots)
        if (item := self.answer) is not None:
            item.write_to(target.answer)
        for item in self.memory:
            item.write_to(target.memory.add())
        self.prepared.write_to(target.prepared)
        for item in self.held:
            item.write_to(target.held.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.question,
            within("route", RouteDecision.read_from, source.route) if source.HasField("route") else missing("route"),
            each("history", Turn.read_from, source.history),
            each("slots", SlotValue.read_from, source.slots),
            tuple(source.asked_slots),
            within("answer", SlotAnswer.read_from, source.answer) if source.HasField("answer") else None,
            each("memory", Remembered.read_from, source.memory),
            within("prepared", Spent.read_from, source.prepared) if source.HasField("prepared") else Spent(),
            each("held", HeldLookUp.read_from, source.held),
        )


@dataclass(frozen=True)
class DraftPlanResponse(Mapped):
    """Returns a plan."""

    __slots__ = (
        "plan",
        "spent",
        "obstacle",
    )
    MESSAGE = planner_service_pb2.DraftPlanResponse
    plan: ExecutionPlan
    """The plan."""
    spent: Spent
    """What it cost."""
    obstacle: str
    """Why the plan cannot go on: MISSING_REQUIRED_SLOTS where a slot question stands in the plan, INVALID_SLOT_VALUE
    where the answer could not be read, TOO_MANY_QUESTIONS where a sixth would be needed; empty where it can.
    """

    def __init__(self, plan: ExecutionPlan, spent: Spent, obstacle: str = "") -> None:
        put = object.__setattr__
        put(self, "plan", plan)
        put(self, "spent", spent)
        put(self, "obstacle", obstacle)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.plan,
            self.spent,
            self.obstacle,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.plan.write_to(target.plan)
        self.spent.write_to(target.spent)
        if item := self.obstacle:
            target.obstacle = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("plan", ExecutionPlan.read_from, source.plan) if source.HasField("plan") else missing("plan"),
            within("spent", Spent.read_from, source.spent) if source.HasField("spent") else missing("spent"),
            source.obstacle,
        )
