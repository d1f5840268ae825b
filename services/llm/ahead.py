"""A decision asked for before its inputs are certain, so that a flow waits for fewer models one after another.

    async with ahead(likely) as foreseen:
        ...                                   what makes the inputs certain, a decision itself
        decided = await foreseen.upon(certain)

Where the inputs come out as foreseen the answer is there, or on its way; where they do not, what was asked is given up
and the decision is made on the inputs that hold. Either way the decision rests on its own inputs alone: asking early
changes when a model is asked and never what it is asked. What a given-up question has cost stays in the ledger, the
decision does not, even where it had been made: a flow has each decision once.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from prompts.fields import PromptInputs, PromptOutput
from prompts.prompt import Prompt
from services.llm.decider import Decided, Decider
from services.runtime import ledger

I = TypeVar("I", bound=PromptInputs)  # noqa: E741 - the usual letter for a prompt's Inputs
O = TypeVar("O", bound=PromptOutput)  # noqa: E741 - the usual letter for a prompt's Output


@dataclass(frozen=True, slots=True)
class PendingDecision(Generic[I, O]):
    """A decision to be made; equal to another that would put the same to the same decider."""

    decider: Decider
    """Who decides."""
    prompt: Prompt[I, O]
    """What is asked."""
    inputs: I
    """What it is asked about."""
    rule: Callable[[I], O] = field(compare=False)
    """The deterministic rule."""

    @property
    def takes_time(self) -> bool:
        """Whether a model would be asked; a rule answers at once."""
        return self.decider.configured(self.prompt.head.role)

    async def decide(self) -> Decided[O]:
        """Have it made now."""
        return await self.decider.decide(self.prompt, self.inputs, self.rule)


class Foreseen(Generic[I, O]):
    """A decision that may have been asked for already; get it from `ahead`."""

    def __init__(
        self, likely: PendingDecision[I, O], answer: "asyncio.Task[Decided[O]] | None", book: ledger.Ledger
    ) -> None:
        self._likely = likely
        self._answer = answer
        self._book = book

    async def upon(self, certain: PendingDecision[I, O]) -> Decided[O]:
        """Return the decision on the inputs that have come out."""
        if self._answer is not None:
            if certain == self._likely:
                decided = await self._answer
                ledger.adopt(self._book.decisions)
                return decided
            await _give_up(self._answer)
        return await certain.decide()


@asynccontextmanager
async def ahead(likely: PendingDecision[I, O], *, early: bool = True) -> AsyncIterator[Foreseen[I, O]]:
    """Ask for a decision on likely inputs while the body finds out the certain ones; not `early`, ask nothing yet."""
    with ledger.aside() as book:
        answer = asyncio.create_task(likely.decide()) if early and likely.takes_time else None
    try:
        yield Foreseen(likely, answer, book)
    finally:
        if answer is not None:
            await _give_up(answer)


async def _give_up(answer: "asyncio.Task[Decided[O]]") -> None:
    """Cancel a question that is still open, and wait until its call to the model has ended."""
    answer.cancel()
    await asyncio.wait({answer})
