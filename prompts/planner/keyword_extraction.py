"""Words to search by, asked for only where the plan found none."""

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, Reasoning, Untrusted
from prompts.prompt import Prompt

KEYWORDS_MAX = 8


class Inputs(PromptInputs):
    """What the extraction sees."""

    question: Untrusted = Field(max_length=4_000)
    """The part of the question that a step answers."""


class Output(PromptOutput):
    """The words."""

    keywords: tuple[str, ...] = Field(max_length=KEYWORDS_MAX)
    """Words to search by, the most telling first; empty where the question has none."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    reasoning: Reasoning
    """Why these, in one sentence."""


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output)
