"""The messages of experiment.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from datetime import timedelta
from typing import Any, Self

from hapju.flow.v1 import experiment_pb2
from services.contract.flow import Usage
from services.contract.mapping import Mapped, dataclass, missing, span, within, write_span


@dataclass(frozen=True)
class VariantReport(Mapped):
    """What one variant of an experiment has come to."""

    __slots__ = (
        "variant",
        "flows",
        "answered",
        "latency_p50",
        "latency_p99",
        "usage",
        "judged",
        "searches_avoided",
        "labelled",
        "correct_skips",
        "incorrect_skips",
        "correct_searches",
        "incorrect_searches",
        "usage_where_use_was_right",
    )
    MESSAGE = experiment_pb2.VariantReport
    variant: str
    """The variant, for example "hybrid"."""
    flows: int
    """Flows that have ended under it."""
    answered: int
    """Those of them that ended with an answer."""
    latency_p50: timedelta
    """Wall time of an ended flow, median; a person's time is in it."""
    latency_p99: timedelta
    """The same, 99th percentile."""
    usage: Usage
    """What all of them have spent."""
    judged: int
    """Flows in which there was something held to judge."""
    searches_avoided: int
    """Those of them that searched nothing anew."""
    labelled: int
    """Flows of which somebody has said what was right."""
    correct_skips: int
    """Of these, flows that rightly took what was held."""
    incorrect_skips: int
    """Flows that took what was held and should have searched."""
    correct_searches: int
    """Flows that rightly searched."""
    incorrect_searches: int
    """Flows that searched and could have taken what was held."""
    usage_where_use_was_right: Usage
    """What the flows have spent in which taking what was held was right."""

    def __init__(
        self,
        variant: str,
        flows: int,
        answered: int,
        latency_p50: timedelta,
        latency_p99: timedelta,
        usage: Usage = Usage(),
        judged: int = 0,
        searches_avoided: int = 0,
        labelled: int = 0,
        correct_skips: int = 0,
        incorrect_skips: int = 0,
        correct_searches: int = 0,
        incorrect_searches: int = 0,
        usage_where_use_was_right: Usage = Usage(),
    ) -> None:
        put = object.__setattr__
        put(self, "variant", variant)
        put(self, "flows", flows)
        put(self, "answered", answered)
        put(self, "latency_p50", latency_p50)
        put(self, "latency_p99", latency_p99)
        put(self, "usage", usage)
        put(self, "judged", judged)
        put(self, "searches_avoided", searches_avoided)
        put(self, "labelled", labelled)
        put(self, "correct_skips", correct_skips)
        put(self, "incorrect_skips", incorrect_skips)
        put(self, "correct_searches", correct_searches)
        put(self, "incorrect_searches", incorrect_searches)
        put(self, "usage_where_use_was_right", usage_where_use_was_right)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.variant,
            self.flows,
            self.answered,
            self.latency_p50,
            self.latency_p99,
            self.usage,
            self.judged,
            self.searches_avoided,
            self.labelled,
            self.correct_skips,
            self.incorrect_skips,
            self.correct_searches,
            self.incorrect_searches,
            self.usage_where_use_was_right,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.variant:
            target.variant = item
        if item := self.flows:
            target.flows = item
        if item := self.answered:
            target.answered = item
        write_span(target.latency_p50, self.latency_p50)
        write_span(target.latency_p99, self.latency_p99)
        self.usage.write_to(target.usage)
        if item := self.judged:
            target.judged = item
        if item := self.searches_avoided:
            target.searches_avoided = item
        if item := self.labelled:
            target.labelled = item
        if item := self.correct_skips:
            target.correct_skips = item
        if item := self.incorrect_skips:
            target.incorrect_skips = item
        if item := self.correct_searches:
            target.correct_searches = item
        if item := self.incorrect_searches:
            target.incorrect_searches = item
        self.usage_where_use_was_right.write_to(target.usage_where_use_was_right)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.variant,
            source.flows,
            source.answered,
            within("latency_p50", span, source.latency_p50)
            if source.HasField("latency_p50")
            else missing("latency_p50"),
            within("latency_p99", span, source.latency_p99)
            if source.HasField("latency_p99")
            else missing("latency_p99"),
            within("usage", Usage.read_from, source.usage) if source.HasField("usage") else Usage(),
            source.judged,
            source.searches_avoided,
            source.labelled,
            source.correct_skips,
            source.incorrect_skips,
            source.correct_searches,
            source.incorrect_searches,
            within("usage_where_use_was_right", Usage.read_from, source.usage_where_use_was_right)
            if source.HasField("usage_where_use_was_right")
            else Usage(),
        )
