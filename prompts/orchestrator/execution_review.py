"""The review after the steps: is the question answered, in part, or not."""

from collections.abc import Sequence
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
    """Ids of the steps whose part has no result; empty under yes."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    reasoning: Reasoning
    """Why."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    # What is missing is told to a person: it is chosen from the plan's own parts, whose names are ours.
    steps = [str(line.step) for line in inputs.steps]
    unknown = [one for one in output.missing if one not in steps]
    return [f"missing: ids of steps only; those are {steps}"] if unknown else []


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
