"""Resolves a question's relative dates and its sums, and changes nothing else."""

from datetime import date

from pydantic import Field

from prompts.fields import PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt


class Inputs(PromptInputs):
    """What the rewrite sees."""

    question: Untrusted = Field(max_length=4_000)
    """The question as the user put it; never empty."""
    today: date
    """The flow's day in the user's time zone."""
    time_zone: Trusted
    """The user's IANA time zone."""


class Output(PromptOutput):
    """The rewrite; the planner refuses one that loses an entity or a number."""

    normalised_question: str = Field(min_length=1, max_length=4_000)
    """The question with dates and sums resolved, in its own language."""
    reasoning: Reasoning
    """What was resolved, in one sentence; says so if nothing was."""


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output)
