"""What value did the user give for the slot that was asked for?"""

from collections.abc import Sequence

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt

VALUE_CHARS_MAX = 200


class Inputs(PromptInputs):
    """What the extraction sees."""

    slot: Trusted
    """The slot's name."""
    asked: Trusted
    """The question that the user was asked."""
    options: tuple[Untrusted, ...] = ()
    """The options that were offered; empty where any value will do. A place's name may stem from the user's words."""
    question: Untrusted = Field(max_length=4_000)
    """The request that the slot belongs to."""
    answer: Untrusted = Field(max_length=4_000)
    """The user's answer."""


class Output(PromptOutput):
    """The value, which the planner reads and checks as it would read the user's own words."""

    value: str = Field(max_length=VALUE_CHARS_MAX)
    """The value in as few words as say it; empty if the answer gives none."""
    is_another_request: bool
    """Whether the user asks for something else instead of answering."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    reasoning: Reasoning
    """Why, in one sentence."""


def _problems(_inputs: Inputs, output: Output) -> Sequence[str]:
    if output.is_another_request and output.value:
        return ("value: is empty where the user asks for something else",)
    return ()


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
