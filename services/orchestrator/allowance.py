"""What a flow may spend on models, lent out in parts, so that side by side it stays within its limits (spec 1.2).

What a call costs is known when it has ended. Until then a part of what is left is lent to it and is nobody else's;
what it did spend takes the loan's place when it is accounted for, and the rest of the loan comes back with its end.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from services.contract.flow import Budget, DecisionSource, Spent, Usage

DECISION_CALLS_MAX: Final = 4
"""Calls that one decision can come to: an answer and its repair, each refused in a format once."""
DECISION_TOKENS_MAX: Final = 20_000
"""Tokens lent to one decision; the largest prompt, its answer and a repair take less."""


@dataclass(slots=True)
class Loan:
    """A part of what is left, lent to one piece of work."""

    budget: Budget
    """What of it is left."""

    def spend(self, usage: Usage) -> None:
        """Takes what has been accounted for out of it."""
        self.budget = _less(self.budget, usage)


class Allowance:
    """What one flow may spend, and has spent.

    Attributes:
        usage: What it has spent.
    """

    def __init__(self, limits: Budget) -> None:
        self.usage = Usage()
        self._limits = limits
        self._failures = 0
        self._loans: list[Loan] = []

    @property
    def left(self) -> Budget:
        """What may still be spent and is not lent; never below 0. Failures are not lent but looked up."""
        left = _less(self._limits, self.usage)
        for loan in self._loans:
            lent = loan.budget
            left = _less(left, Usage(lent.model_calls, lent.tokens, cost_micro_usd=lent.cost_micro_usd))
        return replace(left, model_failures=max(0, self._limits.model_failures - self._failures))

    @contextmanager
    def lend(self, among: int = 1) -> Iterator[Loan]:
        """Lends an equal part of what is left, all of it to one alone.

        Args:
            among: How many are still to get their part, this one counted.
        """
        left = self.left
        calls, tokens, cost = (-(-part // among) for part in (left.model_calls, left.tokens, left.cost_micro_usd))
        with self._lent(Budget(calls, tokens, left.model_failures, cost)) as loan:
            yield loan

    @contextmanager
    def lend_to_decision(self) -> Iterator[Loan]:
        """Lends what one decision can come to, or what is left."""
        left = self.left
        calls, tokens = min(left.model_calls, DECISION_CALLS_MAX), min(left.tokens, DECISION_TOKENS_MAX)
        cost = -(-left.cost_micro_usd * tokens // left.tokens) if left.tokens else 0
        with self._lent(Budget(calls, tokens, left.model_failures, cost)) as loan:
            yield loan

    def spend(self, spent: Spent, loan: Loan | None = None) -> None:
        """Accounts for what a piece of work has spent, out of its loan where it had one."""
        self.usage += spent.usage
        self._failures += sum(decision.source is DecisionSource.FALLBACK for decision in spent.decisions)
        if loan is not None:
            loan.spend(spent.usage)

    @contextmanager
    def _lent(self, budget: Budget) -> Iterator[Loan]:
        loan = Loan(budget)
        self._loans.append(loan)
        try:
            yield loan
        finally:
            self._loans.remove(loan)


def _less(budget: Budget, usage: Usage) -> Budget:
    return replace(
        budget,
        model_calls=max(0, budget.model_calls - usage.model_calls),
        tokens=max(0, budget.tokens - usage.input_tokens - usage.output_tokens),
        cost_micro_usd=max(0, budget.cost_micro_usd - usage.cost_micro_usd),
    )
