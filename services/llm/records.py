"""How a decision is written down: in the ledger of the current call, on its span and in the metrics."""

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from time import perf_counter
from typing import TypeVar

from opentelemetry.util.types import AttributeValue

from observability import attributes as names
from observability import telemetry
from observability.spans import set_attributes
from prompts.fields import PromptInputs, PromptOutput
from prompts.prompt import BasePrompt
from services.contract.flow import Decision, DecisionSource, Usage
from services.llm.model import ModelFailure
from services.llm.spending import Spending
from services.runtime import ledger
from services.runtime.clock import utc_now

I = TypeVar("I", bound=PromptInputs)  # noqa: E741 - the usual letter for a prompt's Inputs


@dataclass(frozen=True, slots=True)
class DecisionOutcome:
    """Who decided, and how it came to that."""

    source: DecisionSource
    """LLM, RULE or FALLBACK."""
    reason: str = ""
    """A FailureReason where a model should have decided and did not."""
    model: str = ""
    """The model that was asked; empty under RULE."""


class DecisionEntry:
    """The record of one decision in the making: opened when it is asked for, written when it is made."""

    def __init__(self, service: str, prompt: BasePrompt[I], inputs: I) -> None:
        self._service = service
        self._prompt = prompt
        self.input_digest = input_digest(inputs)
        """The digest of the inputs, as the record bears it."""
        self._begun = perf_counter()
        self.spent = Spending()
        """What the decision has spent so far."""
        self.unasked: ModelFailure | None = None
        """Why no model was asked for a text; None where one was."""

    def write(
        self, outcome: DecisionOutcome, output_json: bytes, *, confidence: float | None = None, reasoning: str = ""
    ) -> None:
        """Write the decision down.

        Raises:
            LookupError: Outside any call.
        """
        decision = Decision(
            service=self._service,
            kind=self._prompt.kind,
            source=outcome.source,
            prompt_version=self._prompt.version,
            model=outcome.model,
            input_digest=self.input_digest,
            output_json=output_json,
            confidence=confidence,
            reasoning=reasoning,
            fallback_reason=outcome.reason,
            latency=self.latency,
            usage=self.spent.handed_over(),
            decide_time=utc_now(),
        )
        ledger.record(decision)
        set_attributes(_described(decision))
        telemetry.current().instruments.decision_made(decision.kind, decision.source)

    @property
    def latency(self) -> timedelta:
        """Wall time since the decision was asked for."""
        return timedelta(seconds=perf_counter() - self._begun)

    @property
    def usage(self) -> Usage:
        """What the decision has cost."""
        return self.spent.usage


def input_digest(inputs: PromptInputs) -> str:
    """Return the SHA-256 of the inputs' canonical JSON, in hex: equal inputs, equal digest."""
    values = inputs.model_dump(mode="json")
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def reasoning_of(output: PromptOutput) -> str:
    """Return the output's own account of itself, empty where it gives none."""
    return str(getattr(output, "reasoning", "") or getattr(output, "reason", ""))


def asked(prompt: BasePrompt[I]) -> dict[str, AttributeValue]:
    """Return what a decision's span bears from its beginning."""
    return {
        names.DECISION_KIND: prompt.kind,
        names.PROMPT_NAME: f"{prompt.owner}/{prompt.kind}",
        names.PROMPT_VERSION: prompt.version,
    }


def _described(decision: Decision) -> dict[str, AttributeValue]:
    described: dict[str, AttributeValue] = {names.DECISION_SOURCE: decision.source.value}
    if decision.confidence is not None:
        described[names.DECISION_CONFIDENCE] = decision.confidence
    if decision.fallback_reason:
        described[names.FALLBACK_REASON] = decision.fallback_reason
    return described
