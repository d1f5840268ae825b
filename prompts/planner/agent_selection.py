"""Which agents answer, with what task and in which order."""

from collections.abc import Sequence

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt

STEPS_MAX = 8


class AgentBrief(PromptInputs):
    """One agent that may be chosen."""

    name: Trusted
    """Its name in the catalog."""
    answers: Trusted
    """What it answers."""
    declines: Trusted
    """What it does not answer; may be empty."""


class Inputs(PromptInputs):
    """What the selection sees."""

    question: Untrusted = Field(max_length=4_000)
    """The normalised question."""
    domain: Trusted
    """The route's domain."""
    intent: Trusted
    """The route's intent."""
    agents: tuple[AgentBrief, ...] = Field(min_length=1)
    """The agents that the intent may use and that can be reached."""


class SelectedStep(PromptOutput):
    """One agent's part."""

    agent: str = Field(max_length=64)
    """Name of an offered agent."""
    task: str = Field(min_length=1, max_length=400)
    """What this agent is to find out, in one sentence."""
    depends_on: tuple[int, ...] = Field(max_length=STEPS_MAX)
    """Numbers, from 1, of earlier steps whose result this one needs; empty if none."""


class Output(PromptOutput):
    """The selection, in the order of execution."""

    steps: tuple[SelectedStep, ...] = Field(min_length=1, max_length=STEPS_MAX)
    """The steps; as few as answer the question."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    reasoning: Reasoning
    """Why these and no others."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    offered = sorted(agent.name for agent in inputs.agents)
    found: list[str] = []
    for number, step in enumerate(output.steps, start=1):
        if step.agent not in offered:
            found.append(f"steps.{number}.agent: {step.agent!r} is not offered; offered are {offered}")
        if any(not 1 <= needed < number for needed in step.depends_on):
            found.append(f"steps.{number}.depends_on: only numbers of earlier steps, from 1 to {number - 1}")
    return found


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
