"""The messages of router_service.

Generated from protos/hapju/router/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from typing import Any, Self

from hapju.router.v1 import router_service_pb2
from services.contract.asks import AskedBefore
from services.contract.flow import Attachment, Remembered, RouteDecision, RouterOutput, RunContext, Spent, Turn
from services.contract.mapping import Mapped, dataclass, each, missing, within


@dataclass(frozen=True)
class RouteRequest(Mapped):
    """Requests a route."""

    __slots__ = (
        "run",
        "question",
        "history",
        "intent_hint",
        "router_output",
        "memory",
        "before",
        "attachments",
    )
    MESSAGE = router_service_pb2.RouteRequest
    run: RunContext
    """Required. The flow."""
    question: str
    """Required. The question as the user wrote it."""
    history: tuple[Turn, ...]
    """The turns before it, the oldest first."""
    intent_hint: str
    """The intent, where the client knows it; decides at confidence .99."""
    router_output: RouterOutput | None
    """A reading that replaces routing."""
    memory: tuple[Remembered, ...]
    """What is remembered of the user's earlier conversations, the latest first; for what the question only points to.
    """
    before: tuple[AskedBefore, ...]
    """What the messages before it asked for and what came of that, the latest first; at most eight."""
    attachments: tuple[Attachment, ...]
    """The files that came with it, else those that came last in the conversation; without their content."""

    def __init__(
        self,
        run: RunContext,
        question: str,
        history: tuple[Turn, ...] = (),
        intent_hint: str = "",
        router_output: RouterOutput | None = None,
        memory: tuple[Remembered, ...] = (),
        before: tuple[AskedBefore, ...] = (),
        attachments: tuple[Attachment, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "question", question)
        put(self, "history", history)
        put(self, "intent_hint", intent_hint)
        put(self, "router_output", router_output)
        put(self, "memory", memory)
        put(self, "before", before)
        put(self, "attachments", attachments)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.question,
            self.history,
            self.intent_hint,
            self.router_output,
            self.memory,
            self.before,
            self.attachments,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.question:
            target.question = item
        for item in self.history:
            item.write_to(target.history.add())
        if item := self.intent_hint:
            target.intent_hint = item
        if (item := self.router_output) is not None:
            item.write_to(target.router_output)
        for item in self.memory:
            item.write_to(target.memory.add())
        for item in self.before:
            item.write_to(target.before.add())
        for item in self.attachments:
            item.write_to(target.attachments.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.question,
            each("history", Turn.read_from, source.history),
            source.intent_hint,
            within("router_output", RouterOutput.read_from, source.router_output)
            if source.HasField("router_output")
            else None,
            each("memory", Remembered.read_from, source.memory),
            each("before", AskedBefore.read_from, source.before),
            each("attachments", Attachment.read_from, source.attachments),
        )


@dataclass(frozen=True)
class RouteResponse(Mapped):
    """Returns a route."""

    __slots__ = (
        "route",
        "spent",
    )
    MESSAGE = router_service_pb2.RouteResponse
    route: RouteDecision
    """The route."""
    spent: Spent
    """What it cost."""

    def __init__(self, route: RouteDecision, spent: Spent) -> None:
        put = object.__setattr__
        put(self, "route", route)
        put(self, "spent", spent)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.route,
            self.spent,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.route.write_to(target.route)
        self.spent.write_to(target.spent)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("route", RouteDecision.read_from, source.route) if source.HasField("route") else missing("route"),
            within("spent", Spent.read_from, source.spent) if source.HasField("spent") else missing("spent"),
        )
