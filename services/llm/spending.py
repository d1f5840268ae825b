"""What a flow may still spend on models, and what a decision spends.

The budget in the run context is what was left when the current ledger was opened; the ledger knows what has gone
since. A call is written down when it begins, so that decisions made side by side see each other's calls.
"""

from typing import Final

from services.contract.flow import DecisionSource, Usage
from services.llm.model import FailureReason, TokenCount
from services.runtime import deadlines, ledger, run

ANSWER_MARGIN_SECONDS: Final = 0.1
"""What stays of a deadline after a model call, for the rule and the way back."""
CALL_SECONDS_MIN: Final = 0.05
"""With less than this a model is not asked."""
DECISION_SHARE: Final = 0.5
"""A decision's call takes at most this share of the time left, so that a slow model cannot use up the deadline."""


def refusal() -> FailureReason | None:
    """Return why no model may be asked now, or None if one may."""
    budget, spent = run.current().budget, ledger.spent()
    failures = sum(decision.source is DecisionSource.FALLBACK for decision in spent.decisions)
    tokens = spent.usage.input_tokens + spent.usage.output_tokens
    cost = spent.usage.cost_micro_usd
    if budget.model_failures <= failures:
        return FailureReason.MODEL_FAILURES_SPENT
    if budget.model_calls <= spent.usage.model_calls:
        return FailureReason.MODEL_CALLS_SPENT
    if budget.tokens <= tokens:
        return FailureReason.TOKENS_SPENT
    # Without configured prices nothing costs anything, and an allowance of nothing is then no obstacle.
    if cost and budget.cost_micro_usd <= cost:
        return FailureReason.COST_SPENT
    return FailureReason.DEADLINE_SPENT if stream_seconds() < CALL_SECONDS_MIN else None


def decision_seconds() -> float:
    """Return how long a decision's call may take; infinite without a deadline."""
    return stream_seconds() * DECISION_SHARE


def stream_seconds() -> float:
    """Return how long a streamed answer may take; infinite without a deadline."""
    left = deadlines.remaining_seconds()
    return float("inf") if left is None else left - ANSWER_MARGIN_SECONDS


class Spending:
    """The usage of one decision, in the ledger from the first moment on."""

    def __init__(self) -> None:
        self.usage = Usage()
        """What it has spent so far."""

    def call_begins(self) -> None:
        """Count a request; it stays counted if it is cancelled."""
        self._add(Usage(model_calls=1))

    def call_ended(self, tokens: TokenCount) -> None:
        """Count what an answered request used."""
        self._add(Usage(input_tokens=tokens.input, output_tokens=tokens.output))

    def handed_over(self) -> Usage:
        """Take the usage back out of the ledger and return it, for the decision that will bear it."""
        spent = self.usage
        ledger.add_usage(Usage(-spent.model_calls, -spent.input_tokens, -spent.output_tokens))
        return spent

    def _add(self, usage: Usage) -> None:
        self.usage += usage
        ledger.add_usage(usage)
