"""Rewrites a question so that it stands alone: pronouns and ellipsis filled in from the conversation."""

from pydantic import Field

from prompts.fields import PromptInputs, PromptOutput, PromptTurn, Reasoning, Untrusted
from prompts.prompt import Prompt


class Inputs(PromptInputs):
    """What the rewrite sees."""

    question: Untrusted = Field(max_length=4_000)
    """The question as the user put it; never empty."""
    history: tuple[PromptTurn, ...] = ()
    """The turns before, oldest first; empty for a first question."""


class Output(PromptOutput):
    """The rewrite; the planner refuses one that loses an entity or a number."""

    rewritten_question: str = Field(min_length=1, max_length=4_000)
    """The question, complete in itself, in its own language."""
    reasoning: Reasoning
    """What was filled in, in one sentence; says so if nothing was."""


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output)
