"""What is remembered of one question and its answer, a line of a conversation's summary."""

from pydantic import Field

from prompts.fields import PromptInputs, PromptOutput, Reasoning, Untrusted
from prompts.prompt import Prompt

ASKED_CHARACTERS_MAX = 80
"""The length of what was asked, in code points."""
ANSWERED_CHARACTERS_MAX = 120
"""The length of what was answered, in code points."""


class Inputs(PromptInputs):
    """What the summary is made of."""

    question: Untrusted = Field(max_length=4_000)
    """The question as the user wrote it."""
    answer: Untrusted = Field(max_length=4_000)
    """The answer, or its beginning."""


class Output(PromptOutput):
    """The line."""

    asked: str = Field(min_length=1, max_length=ASKED_CHARACTERS_MAX, pattern=r"^[^\n\r]+$")
    """What was asked: its subject in the user's own words, on one line."""
    answered: str = Field(min_length=1, max_length=ANSWERED_CHARACTERS_MAX, pattern=r"^[^\n\r]+$")
    """What was answered, on one line; every figure as the answer has it."""
    reasoning: Reasoning = ""
    """Why it is put so."""


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output)
