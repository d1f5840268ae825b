"""A direct answer from general knowledge, streamed; it says that no internal data was consulted."""

from datetime import date

from pydantic import Field

from prompts.fields import PromptInputs, PromptTurn, Untrusted
from prompts.prompt import TextPrompt


class Inputs(PromptInputs):
    """What the answer may draw on."""

    question: Untrusted = Field(max_length=4_000)
    """The question as the user put it."""
    history: tuple[PromptTurn, ...] = ()
    """The turns before, oldest first; empty for a first question."""
    today: date
    """The flow's day in the user's time zone."""


PROMPT = TextPrompt.load(__file__, inputs=Inputs)
