"""Decisions that an earlier call has made for this one, each taken where its turn comes with the same inputs.

    made = Made.of(spent)             what they have cost counts in this call from now on
    decided = await made.upon(asking) the decision as it was made; made now where there is none, or its inputs differ

One that is taken stands in this call's ledger, so that a flow has it once, at its turn. Of one that is not, the cost
alone remains.
"""

from typing import Self, TypeVar

from pydantic import ValidationError

from prompts.fields import PromptInputs, PromptOutput
from services.contract.flow import Decision, Spent
from services.llm.ahead import PendingDecision
from services.llm.decider import Decided
from services.llm.records import input_digest
from services.runtime import ledger

I = TypeVar("I", bound=PromptInputs)  # noqa: E741 - the usual letter for a prompt's Inputs
O = TypeVar("O", bound=PromptOutput)  # noqa: E741 - the usual letter for a prompt's Output


class Made:
    """What was made before; make it with `of`."""

    def __init__(self, decisions: tuple[Decision, ...]) -> None:
        self._left = list(decisions)

    @classmethod
    def of(cls, spent: Spent) -> Self:
        """Count what an earlier call has spent in the current ledger, and offer its decisions.

        Raises:
            LookupError: Outside any call.
        """
        ledger.add_usage(spent.usage)
        return cls(spent.decisions)

    async def upon(self, asking: PendingDecision[I, O]) -> Decided[O]:
        """Return a decision on these inputs: the one that was made before, else one that is made now."""
        return self._taken(asking) or await asking.decide()

    def _taken(self, asking: PendingDecision[I, O]) -> Decided[O] | None:
        prompt, digest = asking.prompt, input_digest(asking.inputs)
        wanted = (prompt.kind, prompt.version, digest)
        for one in self._left if asking.takes_time else ():
            if (one.kind, one.prompt_version, one.input_digest) != wanted:
                continue
            try:
                output = prompt.output.model_validate_json(one.output_json)
            except ValidationError:
                # Made by another version of this code.
                continue
            self._left.remove(one)
            ledger.adopt((one,))
            return Decided(output, one.source, one.fallback_reason, one.model, one.usage, one.latency)
        return None
