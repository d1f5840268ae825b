"""What a flow may still spend on models, and what a decision spends.

The budget in the run context is what was left when the current ledger was opened; the ledger knows what has gone
since. A call is written down when it begins, with the most that it may come to, so that decisions made side by side
see each other's calls and none of them can go beyond what is left. What it did use takes that place when it ends.
"""

from typing import Final

from services.contract.flow import DecisionSource, Usage
from services.llm.model import FailureReason
from services.runtime import deadlines, ledger, run

ANSWER_MARGIN_SECONDS: Final = 0.1
"""What stays of a deadline after a model call, for the rule and the way back."""
CALL_SECONDS_MIN: Final = 0.05
"""With less than this a model is not asked."""
DECISION_SHARE: Final = 0.5
"""A decision's call takes at most this share of the time left, so that a slow model cannot use up the deadline."""


def refusal(claim: Usage) -> FailureReason | None:
    """Return why a call that may come to `claim` must not be made now, or None if it may."""
    budget, spent = run.current().budget, ledger.spent()
    failures = sum(decision.source is DecisionSource.FALLBACK for decision in spent.decisions)
    wanted = spent.usage + ledger.reserved() + claim
    if budget.model_failures <= failures:
        return FailureReason.MODEL_FAILURES_SPENT
    if budget.model_calls <= spent.usage.model_calls:
        return FailureReason.MODEL_CALLS_SPENT
    if budget.tokens < wanted.input_tokens + wanted.output_tokens:
        return FailureReason.TOKENS_SPENT
    # A call of a model without a price costs nothing, and an allowance of nothing is then no obstacle.
    if claim.cost_micro_usd and budget.cost_micro_usd < wanted.cost_micro_usd:
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
        self._claim = Usage()

    def call_begins(self, claim: Usage) -> None:
        """Count a request and hold back what it may come to; a cancelled one stays counted and held back."""
        self._settle(claim)
        self._add(Usage(model_calls=1))

    def call_ended(self, used: Usage) -> None:
        """Count what an answered request used, in place of what was held back for it."""
        self._settle()
        self._add(used)

    def handed_over(self) -> Usage:
        """Take the usage back out of the ledger and return it, for the decision that will bear it."""
        self._settle()
        ledger.add_usage(-self.usage)
        return self.usage

    def _settle(self, claim: Usage = Usage()) -> None:
        ledger.reserve(claim + -self._claim)
        self._claim = claim

    def _add(self, usage: Usage) -> None:
        self.usage += usage
        ledger.add_usage(usage)
