"""The review after the steps: is the question answered, in part, or not (spec 2.2)."""

from enum import StrEnum

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.orchestrator.execution_orchestration import StepLine
from prompts.prompt import Prompt


class Achieved(StrEnum):
    """Whether the goal was reached."""

    YES = "yes"
    PARTIAL = "partial"
    NO = "no"


class Inputs(PromptInputs):
    """What the review sees."""

    question: Untrusted = Field(max_length=4_000)
    """The normalised question."""
    intent: Trusted
    """The route's intent."""
    steps: tuple[StepLine, ...] = Field(min_length=1, max_length=16)
    """Every step with what came of it, skipped ones too."""


class Output(PromptOutput):
    """The review."""

    goal_achieved: Achieved
    """yes, partial or no."""
    score: float = Field(ge=0, le=1)
    """How much of the question is answered, 0 to 1."""
    missing: tuple[str, ...] = Field(default=(), max_length=8)
    """What is missing, one short phrase each, in the language of the question; empty under yes."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    reasoning: Reasoning
    """Why."""


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output)
