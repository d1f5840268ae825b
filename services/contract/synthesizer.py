"""The messages of synthesizer_service.

Generated from protos/hapju/synthesizer/v1 by protos/generate.py: change these and run `make protos`.
"""

from dataclasses import dataclass

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


@message(synthesizer_service_pb2.SynthesizeRequest)
@dataclass(frozen=True, slots=True)
class SynthesizeRequest:
    """Requests an answer."""

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
    history: tuple[Turn, ...] = ()
    """The conversation before the question, oldest first; it tells what a follow-up means and is no evidence."""


@message(synthesizer_service_pb2.SynthesizedAnswer)
@dataclass(frozen=True, slots=True)
class SynthesizedAnswer:
    """The whole answer."""

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
    charts: tuple[Chart, ...] = ()
    """Pictures of what was asked, three at most."""


@message(synthesizer_service_pb2.SynthesizeResponse)
@dataclass(frozen=True, slots=True)
class SynthesizeResponse:
    """Tells of an answer."""

    event: Delta | SynthesizedAnswer
    """What happened."""
