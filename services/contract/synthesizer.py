"""The messages of synthesizer_service.

Generated from protos/hapju/synthesizer/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from typing import Any, Self

from hapju.synthesizer.v1 import synthesizer_service_pb2
from services.contract.charts import Chart
from services.contract.drops import Dropped
from services.contract.events import Delta
from services.contract.flow import (
    AgentResult,
    Citation,
    DataFreshness,
    DecisionSource,
    FailureTag,
    RouteDecision,
    RunContext,
    Spent,
    Turn,
)
from services.contract.mapping import Cases, Mapped, dataclass, each, missing, within


@dataclass(frozen=True)
class SynthesizeRequest(Mapped):
    """Requests an answer."""

    __slots__ = (
        "run",
        "question",
        "route",
        "results",
        "cautions",
        "answer_attempt",
        "history",
    )
    MESSAGE = synthesizer_service_pb2.SynthesizeRequest
    run: RunContext
    """Required. The flow."""
    question: str
    """Required. The question as the user wrote it."""
    route: RouteDecision
    """Required. How it is understood."""
    results: tuple[AgentResult, ...]
    """What the agents found, in the order of the steps."""
    cautions: tuple[str, ...]
    """Cautions that the answer has to carry, in the flow's language."""
    answer_attempt: int
    """The attempt that the deltas belong to, from 1."""
    history: tuple[Turn, ...]
    """The conversation before the question, oldest first; it tells what a follow-up means and is no evidence."""

    def __init__(
        self,
        run: RunContext,
        question: str,
        route: RouteDecision,
        results: tuple[AgentResult, ...],
        cautions: tuple[str, ...],
        answer_attempt: int,
        history: tuple[Turn, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "question", question)
        put(self, "route", route)
        put(self, "results", results)
        put(self, "cautions", cautions)
        put(self, "answer_attempt", answer_attempt)
        put(self, "history", history)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.question,
            self.route,
            self.results,
            self.cautions,
            self.answer_attempt,
            self.history,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.question:
            target.question = item
        self.route.write_to(target.route)
        for item in self.results:
            item.write_to(target.results.add())
        target.cautions.extend(self.cautions)
        if item := self.answer_attempt:
            target.answer_attempt = item
        for item in self.history:
            item.write_to(target.history.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.question,
            within("route", RouteDecision.read_from, source.route) if source.HasField("route") else missing("route"),
            each("results", AgentResult.read_from, source.results),
            tuple(source.cautions),
            source.answer_attempt,
            each("history", Turn.read_from, source.history),
        )


@dataclass(frozen=True)
class SynthesizedAnswer(Mapped):
    """The whole answer."""

    __slots__ = (
        "final_response",
        "source",
        "citations",
        "data_freshness",
        "next_suggested_actions",
        "failure_tags",
        "evidence_confidence",
        "dropped",
        "spent",
        "charts",
    )
    MESSAGE = synthesizer_service_pb2.SynthesizedAnswer
    final_response: str
    """The text; equals the concatenated deltas."""
    source: DecisionSource
    """Who composed it."""
    citations: tuple[Citation, ...]
    """What it rests on."""
    data_freshness: tuple[DataFreshness, ...]
    """How fresh that is."""
    next_suggested_actions: tuple[str, ...]
    """What the user may do next, in the flow's language."""
    failure_tags: tuple[FailureTag, ...]
    """What went less than well."""
    evidence_confidence: float | None
    """0 to 1; absent where nothing was cited."""
    dropped: tuple[Dropped, ...]
    """What was left out of the text and its citations because nothing holds it, in order."""
    spent: Spent
    """What it cost."""
    charts: tuple[Chart, ...]
    """Pictures of what was asked, three at most."""

    def __init__(
        self,
        final_response: str,
        source: DecisionSource,
        citations: tuple[Citation, ...],
        data_freshness: tuple[DataFreshness, ...],
        next_suggested_actions: tuple[str, ...],
        failure_tags: tuple[FailureTag, ...],
        evidence_confidence: float | None,
        dropped: tuple[Dropped, ...],
        spent: Spent,
        charts: tuple[Chart, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "final_response", final_response)
        put(self, "source", source)
        put(self, "citations", citations)
        put(self, "data_freshness", data_freshness)
        put(self, "next_suggested_actions", next_suggested_actions)
        put(self, "failure_tags", failure_tags)
        put(self, "evidence_confidence", evidence_confidence)
        put(self, "dropped", dropped)
        put(self, "spent", spent)
        put(self, "charts", charts)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.final_response,
            self.source,
            self.citations,
            self.data_freshness,
            self.next_suggested_actions,
            self.failure_tags,
            self.evidence_confidence,
            self.dropped,
            self.spent,
            self.charts,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.final_response:
            target.final_response = item
        target.source = self.source.number
        for item in self.citations:
            item.write_to(target.citations.add())
        for item in self.data_freshness:
            item.write_to(target.data_freshness.add())
        target.next_suggested_actions.extend(self.next_suggested_actions)
        target.failure_tags.extend(item.number for item in self.failure_tags)
        if (item := self.evidence_confidence) is not None:
            target.evidence_confidence = item
        for item in self.dropped:
            item.write_to(target.dropped.add())
        self.spent.write_to(target.spent)
        for item in self.charts:
            item.write_to(target.charts.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.final_response,
            within("source", DecisionSource.read_from, source.source),
            each("citations", Citation.read_from, source.citations),
            each("data_freshness", DataFreshness.read_from, source.data_freshness),
            tuple(source.next_suggested_actions),
            each("failure_tags", FailureTag.read_from, source.failure_tags),
            source.evidence_confidence if source.HasField("evidence_confidence") else None,
            each("dropped", Dropped.read_from, source.dropped),
            within("spent", Spent.read_from, source.spent) if source.HasField("spent") else missing("spent"),
            each("charts", Chart.read_from, source.charts),
        )


@dataclass(frozen=True)
class SynthesizeResponse(Mapped):
    """Tells of an answer."""

    __slots__ = ("event",)
    MESSAGE = synthesizer_service_pb2.SynthesizeResponse
    event: Delta | SynthesizedAnswer
    """What happened."""

    def __init__(self, event: Delta | SynthesizedAnswer) -> None:
        put = object.__setattr__
        put(self, "event", event)

    def as_tuple(self) -> tuple[Any, ...]:
        return (self.event,)

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        _SYNTHESIZERESPONSE_EVENT.write(target, self.event)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(_SYNTHESIZERESPONSE_EVENT.read(source))


_SYNTHESIZERESPONSE_EVENT = Cases("event", delta=Delta, answer=SynthesizedAnswer)
