"""A decision that is asked for before its turn, with a ledger of its own: it is the flow's once it is used.

    prepared = AskedAhead.of(state, likely)       while something else takes its time
    decided, spent = await prepared.used()      at its turn, where its inputs came out so
    await prepared.thrown_away(place)           where they did not, or its turn never came

Who uses it accounts for what it spent at its turn, so that the flow's decisions stand in the order in which they count.
What a thrown-away one has cost is the flow's too.
"""

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from prompts.fields import PromptInputs, PromptOutput
from services.contract.flow import RunContext, Spent, Usage
from services.llm.ahead import PendingDecision
from services.llm.decider import Decided
from services.orchestrator.flow.budget import FlowBudget
from services.orchestrator.speculation.loans import DECISION_CALLS_MAX, Loan
from services.runtime import ledger
from services.runtime import run as context

I = TypeVar("I", bound=PromptInputs)  # noqa: E741 - the usual letter for a prompt's Inputs
O = TypeVar("O", bound=PromptOutput)  # noqa: E741 - the usual letter for a prompt's Output


class Payer(Protocol):
    """The flow that pays for what is asked ahead."""

    budget: FlowBudget
    """What it may spend, and has spent."""

    def run(self, loan: Loan | None = None) -> RunContext:
        """Return what a call made now is told about the flow."""

    async def throw_away(self, place: str, usage: Usage) -> None:
        """Account for what was spent on something that came to nothing."""


def can_spare(state: Payer) -> bool:
    """Return whether a flow can afford one more question that may come to nothing.

    Half of its calls, tokens and money have to be left, and a failure for each question that is open: what is thrown
    away must not be missing at the end, and no limit is passed by asking side by side.
    """
    left, limits, open_now = state.budget.left(), state.budget.limits, len(state.budget.early)
    return (
        left.model_calls - DECISION_CALLS_MAX * (open_now + 1) >= limits.model_calls / 2
        and left.tokens >= limits.tokens / 2
        and left.cost_micro_usd >= limits.cost_micro_usd / 2
        and left.model_failures > open_now
    )


@dataclass(slots=True, eq=False)
class AskedAhead(Generic[I, O]):
    """A decision that is being made before its turn."""

    state: Payer
    """The flow."""
    asking: PendingDecision[I, O]
    """What was asked."""
    book: ledger.Ledger
    """What it has decided and spent so far."""
    answer: "asyncio.Task[Decided[O]]"
    """Its making."""
    loan: ExitStack
    """What is lent to it alone, until it is closed."""

    @classmethod
    def of(cls, state: Payer, likely: PendingDecision[I, O], loan: Loan | None = None) -> Self:
        """Ask for a decision now.

        Args:
            state: The flow.
            likely: What is asked.
            loan: What it is paid from; None lends it what it can come to.
        """
        own = ExitStack()
        loan = loan or own.enter_context(state.budget.lend_to_decision())
        with context.use(state.run(loan)), ledger.opened() as book:
            answer = asyncio.create_task(likely.decide(), name=f"{likely.prompt.kind} ahead")
        state.budget.early.append(book)
        return cls(state, likely, book, answer, own)

    async def used(self) -> tuple[Decided[O], Spent]:
        """Return the decision, and what it has spent, for its user to account for."""
        try:
            decided = await self.answer
        except asyncio.CancelledError:
            self.state.budget.usage += self.book.usage
            raise
        finally:
            self._close()
        return decided, self.book.spent()

    async def taken(self) -> Decided[O]:
        """Return the decision into the current ledger, as if it were made now."""
        decided, spent = await self.used()
        ledger.adopt(spent.decisions)
        ledger.add_usage(spent.usage)
        return decided

    async def thrown_away(self, place: str) -> None:
        """Give the decision up; its cost stays the flow's.

        Args:
            place: What the decision was for.
        """
        await self._cut()
        await self.state.throw_away(place, self.book.usage)

    async def lost(self) -> None:
        """Give the decision up with the flow's work, of which nothing more is kept."""
        await self._cut()
        self.state.budget.usage += self.book.usage

    async def _cut(self) -> None:
        self.answer.cancel()
        try:
            await asyncio.wait({self.answer})
        finally:
            self._close()

    def _close(self) -> None:
        self.state.budget.early.remove(self.book)
        self.loan.close()
