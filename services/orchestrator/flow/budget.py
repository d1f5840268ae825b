"""What a flow may spend, what it has spent and on which decisions, and what is lent of the rest."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from services.contract.flow import Budget, Decision, DecisionSource, Usage
from services.orchestrator.speculation.loans import Loan, Loans, less
from services.runtime.ledger import Ledger
from services.runtime.settings import Settings


@dataclass(slots=True)
class FlowBudget:
    """The budget of one flow while it runs."""

    limits: Budget
    """What may be spent in all."""
    usage: Usage = Usage()
    """What has been spent."""
    loans: Loans = field(default_factory=Loans)
    """What of the rest is lent to work that has not ended."""
    decisions: list[Decision] = field(default_factory=list)
    """Every decision, in order."""
    early: list[Ledger] = field(default_factory=list)
    """What is being spent on decisions that were asked for before their turn; part of the usage once they are used or
    thrown away."""

    def left(self) -> Budget:
        """Return what has not been spent, lent or not; never below 0."""
        return self._left(sum((book.usage for book in self.early), self.usage))

    def beside_loans(self) -> Budget:
        """Return what has neither been spent nor lent."""
        return self.loans.beside(self._left(self.usage))

    def lend(self, among: int = 1) -> AbstractContextManager[Loan]:
        """Lend a part of what is left to a call that runs beside others, `among` of them with this one."""
        return self.loans.lend(self._left(self.usage), among)

    def lend_to_decision(self) -> AbstractContextManager[Loan]:
        """Lend what one decision can come to."""
        return self.loans.lend_to_decision(self._left(self.usage))

    def lend_beside_decision(self) -> AbstractContextManager[Loan]:
        """Lend what is left but for what one decision can come to."""
        return self.loans.lend_beside_decision(self._left(self.usage))

    def _left(self, usage: Usage) -> Budget:
        failures = sum(decision.source is DecisionSource.FALLBACK for decision in self.decisions)
        left = less(self.limits, usage)
        return replace(left, model_failures=max(0, self.limits.model_failures - failures))


def limits_from(settings: Settings) -> Budget:
    """Return what a flow may spend in all."""
    return Budget(
        model_calls=settings.model_calls_max,
        tokens=settings.tokens_max,
        model_failures=settings.model_failures_max,
        cost_micro_usd=settings.cost_micro_usd_max,
    )
