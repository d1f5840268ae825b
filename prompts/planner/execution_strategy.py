"""How the steps of a plan run: one after another, side by side, or as facts come out."""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt


class Strategy(StrEnum):
    """How steps run."""

    SEQUENTIAL = "SEQUENTIAL"
    PARALLEL = "PARALLEL"
    ADAPTIVE = "ADAPTIVE"
    CONDITIONAL_PARALLEL = "CONDITIONAL_PARALLEL"


class StepBrief(PromptInputs):
    """One step of the plan."""

    step_id: Trusted
    """Its id."""
    agent: Trusted
    """Who does it."""
    branch: Trusted
    """SQL, GRAPH or LLM_DIRECT."""
    depends_on: tuple[Trusted, ...] = ()
    """Ids of steps that it needs."""
    is_conditional: bool = False
    """Whether it runs only if a fact holds."""


class Inputs(PromptInputs):
    """What the choice of strategy sees."""

    question: Untrusted = Field(max_length=4_000)
    """The question, made whole."""
    steps: tuple[StepBrief, ...] = Field(min_length=1)
    """The steps."""


class Output(PromptOutput):
    """The strategy."""

    strategy: Strategy
    """How the steps run."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    reasoning: Reasoning
    """Why, in one sentence."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    conditional = any(step.is_conditional for step in inputs.steps)
    both = {"SQL", "GRAPH"} <= {str(step.branch) for step in inputs.steps}
    if conditional and output.strategy is not Strategy.ADAPTIVE:
        return ("strategy: a step has a condition, so it is ADAPTIVE",)
    if output.strategy is Strategy.CONDITIONAL_PARALLEL and not both:
        return ("strategy: CONDITIONAL_PARALLEL needs a SQL and a GRAPH step",)
    if output.strategy is Strategy.PARALLEL and any(step.depends_on for step in inputs.steps):
        return ("strategy: PARALLEL steps need nothing of each other",)
    return ()


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
