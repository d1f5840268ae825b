"""The synthesizer's messages. Field meanings stand in protos/hapju/synthesizer/v1."""

from dataclasses import dataclass
from typing import Final

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
from services.contract.mapping import message

WEB_PART: Final = "web.search"
"""What stands in the place of an agent's name in the result that holds pages of the web."""


@message(synthesizer_service_pb2.SynthesizeRequest)
@dataclass(frozen=True, slots=True)
class SynthesizeRequest:
    """Requests an answer."""

    run: RunContext
    question: str
    route: RouteDecision
    results: tuple[AgentResult, ...]
    cautions: tuple[str, ...]
    answer_attempt: int
    history: tuple[Turn, ...] = ()


@message(synthesizer_service_pb2.SynthesizedAnswer)
@dataclass(frozen=True, slots=True)
class SynthesizedAnswer:
    """The whole answer; the last message of its stream."""

    final_response: str
    source: DecisionSource
    citations: tuple[Citation, ...]
    data_freshness: tuple[DataFreshness, ...]
    next_suggested_actions: tuple[str, ...]
    failure_tags: tuple[FailureTag, ...]
    evidence_confidence: float | None
    spent: Spent
    dropped: tuple[Dropped, ...] = ()
    charts: tuple[Chart, ...] = ()


@message(synthesizer_service_pb2.SynthesizeResponse)
@dataclass(frozen=True, slots=True)
class SynthesizeResponse:
    """Tells of an answer."""

    event: Delta | SynthesizedAnswer
