"""The models that questions have waited for in vain, as all services tell it of their decisions.

Each service learns by itself that a model does not answer (`services.llm.circuits`), and so a question would wait in
each of them. What one has waited for the orchestrator tells the others, for this question and for those that follow.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from typing import Final

from services.contract.flow import Decision, DecisionSource
from services.llm.circuits import AWAY_SECONDS, PATIENCE_SECONDS, QUESTIONS
from services.llm.model import FailureReason

_PATIENCE: Final = timedelta(seconds=PATIENCE_SECONDS)


@dataclass(slots=True)
class _Away:
    """A model that did not answer."""

    since: float
    """When it was waited for in vain, or last tried."""
    passed: set[str] = field(default_factory=set)
    """The questions that have gone by it since."""
    trying: str = ""
    """The question that asks it all the same."""

    def lets(self, question: str) -> bool:
        """Return whether a question asks it: one in QUESTIONS does, or the first after AWAY_SECONDS."""
        if question == self.trying:
            return True
        is_due = len(self.passed) >= QUESTIONS - 1 or monotonic() - self.since >= AWAY_SECONDS
        if not is_due or question in self.passed:
            self.passed.add(question)
            return False
        self.trying, self.since = question, monotonic()
        self.passed.clear()
        return True


class ModelsAway:
    """What the flows of an orchestrator know of the models together."""

    def __init__(self) -> None:
        self._away: dict[str, _Away] = {}
        self._answered: dict[str, float] = {}

    def of(self, question: str) -> tuple[str, ...]:
        """Return the models that a question does without."""
        return tuple(model for model, away in self._away.items() if not away.lets(question))

    def hear(self, decision: Decision) -> None:
        """Learn from a decision who made it, and whom it has waited for."""
        model, now = decision.model, monotonic()
        if decision.source is DecisionSource.LLM:
            self._answered[model] = now
            self._away.pop(model, None)
        elif self._has_waited(decision, now):
            self._away[model] = _Away(now)

    def _has_waited(self, decision: Decision, now: float) -> bool:
        """Return whether it waited with patience, and its model answered nobody meanwhile."""
        waited = decision.fallback_reason == FailureReason.TIMED_OUT and decision.latency >= _PATIENCE
        return waited and self._answered.get(decision.model, -1.0) < now - decision.latency.total_seconds()
