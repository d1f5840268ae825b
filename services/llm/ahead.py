"""A decision asked for before its inputs are certain, so that a flow waits for fewer models one after another.

    async with ahead(likely) as foreseen:
        ...                                   what makes the inputs certain, a decision itself
        decided = await foreseen.upon(certain)

Where the inputs come out as foreseen the answer is there, or on its way; where they do not, what was asked is given up
and the decision is made on the inputs that hold. Either way the decision rests on its own inputs alone: asking early
changes when a model is asked and never what it is asked. What a given-up question has cost stays in the ledger. An
answer that came to it before is no decision: early or late, the same ones are recorded.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from prompts.fields import PromptInputs, PromptOutput
from prompts.prompt import Prompt
from services.llm.decider import Decided, Decider
from services.llm.records import input_digest
from services.runtime import ledger

I = TypeVar("I", bound=PromptInputs)  # noqa: E741 - the usual letter for a prompt's Inputs
O = TypeVar("O", bound=PromptOutput)  # noqa: E741 - the usual letter for a prompt's Output


@dataclass(frozen=True, slots=True)
class Asking(Generic[I, O]):
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

    def __init__(self, likely: Asking[I, O], answer: "asyncio.Task[Decided[O]] | None") -> None:
        self._likely = likely
        self._answer = answer

    async def upon(self, certain: Asking[I, O]) -> Decided[O]:
        """Return the decision on the inputs that have come out."""
        if self._answer is not None:
            if certain == self._likely:
                return await self._answer
            await self._throw_away(self._answer)
        return await certain.decide()

    async def _throw_away(self, answer: "asyncio.Task[Decided[O]]") -> None:
        """Give a question up; an answer that came already decides nothing and is no decision of the flow."""
        await _give_up(answer)
        if not answer.cancelled():
            ledger.withdraw(self._likely.prompt.kind, input_digest(self._likely.inputs))


@asynccontextmanager
async def ahead(likely: Asking[I, O], *, early: bool = True) -> AsyncIterator[Foreseen[I, O]]:
    """Ask for a decision on likely inputs while the body finds out the certain ones; not `early`, ask nothing yet."""
    answer = asyncio.create_task(likely.decide()) if early and likely.takes_time else None
    try:
        yield Foreseen(likely, answer)
    finally:
        if answer is not None:
            await _give_up(answer)


async def _give_up(answer: "asyncio.Task[Decided[O]]") -> None:
    """Cancel a question that is still open, and wait until its call to the model has ended."""
    answer.cancel()
    await asyncio.wait({answer})
