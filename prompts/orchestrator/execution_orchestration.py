"""The assessment after a step: how good its result is, and what to do next."""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt


class NextStep(StrEnum):
    """What to do after a step."""

    CONTINUE = "continue"
    ADD_AGENT = "add_agent"
    SKIP_REMAINING = "skip_remaining"
    COLLABORATE = "collaborate"


class StepLine(PromptInputs):
    """One step in a line."""

    step: Trusted
    """Its id."""
    agent: Trusted
    """Its agent."""
    task: Untrusted
    """What it is to find out."""
    outcome: Trusted
    """ANSWERED, LIMITED, INSUFFICIENT_DATA, FAILED, or pending."""
    row_count: int = Field(ge=0)
    """Rows that its tools returned."""
    summary: Untrusted
    """What it found, in the rule's words where a model is still writing them; empty where nothing came back."""
    required: bool
    """Whether the intent cannot be answered without it."""


class AgentOffer(PromptInputs):
    """An agent that may be added."""

    name: Trusted
    """Its name in the catalog."""
    answers: Trusted
    """What it answers."""


class Inputs(PromptInputs):
    """What the assessment sees."""

    question: Untrusted = Field(max_length=4_000)
    """The normalised question."""
    intent: Trusted
    """The route's intent."""
    intent_confidence: float = Field(ge=0, le=1)
    """The route's confidence."""
    assessed: Trusted
    """Id of the step that has just ended."""
    done: tuple[StepLine, ...] = Field(min_length=1, max_length=16)
    """The steps that have ended, in order; the assessed one is among them."""
    left: tuple[StepLine, ...] = Field(default=(), max_length=16)
    """The steps that have not begun; empty after the last."""
    agents: tuple[AgentOffer, ...] = Field(default=(), max_length=32)
    """The agents that may be added; empty where no step may be added any more."""


class Output(PromptOutput):
    """The assessment."""

    quality_score: float = Field(ge=0, le=1)
    """How well the result serves its task, 0 to 1; below 0.5 it is too little or beside the point."""
    relevance: float = Field(ge=0, le=1)
    """How much of it bears on the question, 0 to 1."""
    action: NextStep
    """What to do next."""
    next_agent: str = Field(default="", max_length=64)
    """Under add_agent the agent to add; else empty."""
    task: str = Field(default="", max_length=400)
    """Under add_agent what it is to find out; else empty."""
    primary: str = Field(default="", max_length=64)
    """Under collaborate the id of the step that runs next; else empty."""
    supporting: str = Field(default="", max_length=64)
    """Under collaborate the id of the step whose whole result it receives; else empty."""
    collaboration_type: str = Field(default="", max_length=64)
    """Under collaborate what for, such as data_refinement; else empty."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    reasoning: Reasoning
    """Why."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    offered = sorted(str(agent.name) for agent in inputs.agents)
    left = sorted(str(line.step) for line in inputs.left)
    done = sorted(str(line.step) for line in inputs.done)
    checks = {
        NextStep.ADD_AGENT: [
            (output.next_agent in offered, f"next_agent: {output.next_agent!r} is not offered; offered are {offered}"),
            (bool(output.task), "task: add_agent needs one"),
        ],
        NextStep.COLLABORATE: [
            (output.primary in left, f"primary: {output.primary!r} has not begun; those are {left}"),
            (output.supporting in done, f"supporting: {output.supporting!r} has not ended; those are {done}"),
        ],
    }
    return [problem for holds, problem in checks.get(output.action, []) if not holds]


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
