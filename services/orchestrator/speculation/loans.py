"""Parts of what a flow may still spend, lent to what runs side by side, so that together it stays within.

What a call costs is known when it has ended. Until then a part of what is left is lent to it and is nobody else's;
what it did spend takes the loan's place when it is accounted for, and the rest of the loan comes back with its end.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from services.contract.flow import Budget, Usage

DECISION_CALLS_MAX: Final = 4
"""Calls that one decision can come to: an answer and its repair, each refused in a format once."""
FIRST_AT_ONCE: Final = 3
"""How many calls a question begins with, side by side: policy, router and the planner's wording."""
DECISION_TOKENS_MAX: Final = 20_000
"""Tokens lent to one decision; the largest prompt, its answer and a repair take less."""


@dataclass(slots=True, eq=False)
class Loan:
    """A part of what is left, lent to one piece of work."""

    budget: Budget
    """What of it is left."""

    def spend(self, usage: Usage) -> None:
        """Take what has been accounted for out of it."""
        self.budget = less(self.budget, usage)


class Loans:
    """What one flow has lent. Failures are not lent: each borrower is told how many are left."""

    def __init__(self) -> None:
        self._open: list[Loan] = []

    def beside(self, left: Budget) -> Budget:
        """Return what of a rest is not lent."""
        for loan in self._open:
            left = less(left, _whole(loan.budget))
        return left

    @contextmanager
    def lend(self, left: Budget, among: int = 1) -> Iterator[Loan]:
        """Lend an equal part of what of a rest is not lent, all of it to one alone.

        Args:
            left: The rest.
            among: How many it has to do for, this one counted.
        """
        free = self.beside(left)
        calls, tokens, cost = (-(-part // among) for part in (free.model_calls, free.tokens, free.cost_micro_usd))
        with self._lent(Budget(calls, tokens, free.model_failures, cost)) as loan:
            yield loan

    @contextmanager
    def lend_to_decision(self, left: Budget) -> Iterator[Loan]:
        """Lend what one decision can come to, or what of a rest is not lent."""
        with self._lent(_of_decision(self.beside(left))) as loan:
            yield loan

    @contextmanager
    def lend_beside_decision(self, left: Budget) -> Iterator[Loan]:
        """Lend what of a rest is not lent, but for what one decision can come to that is made meanwhile."""
        free = self.beside(left)
        with self._lent(less(free, _whole(_of_decision(free)))) as loan:
            yield loan

    @contextmanager
    def _lent(self, budget: Budget) -> Iterator[Loan]:
        loan = Loan(budget)
        self._open.append(loan)
        try:
            yield loan
        finally:
            self._open.remove(loan)


def _of_decision(free: Budget) -> Budget:
    calls, tokens = min(free.model_calls, DECISION_CALLS_MAX), min(free.tokens, DECISION_TOKENS_MAX)
    cost = -(-free.cost_micro_usd * tokens // free.tokens) if free.tokens else 0
    return Budget(calls, tokens, free.model_failures, cost)


def _whole(budget: Budget) -> Usage:
    return Usage(budget.model_calls, budget.tokens, cost_micro_usd=budget.cost_micro_usd)


def less(budget: Budget, usage: Usage) -> Budget:
    """Return what is left of a budget, never below 0; failures stand apart."""
    return replace(
        budget,
        model_calls=max(0, budget.model_calls - usage.model_calls),
        tokens=max(0, budget.tokens - usage.input_tokens - usage.output_tokens),
        cost_micro_usd=max(0, budget.cost_micro_usd - usage.cost_micro_usd),
    )
