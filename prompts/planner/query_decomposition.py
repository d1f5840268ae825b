"""Which part of a question each chosen agent answers, after which other one, and on what condition."""

from collections.abc import Sequence

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt

STEPS_MAX = 8


class AgentPart(PromptInputs):
    """One agent that was chosen."""

    name: Trusted
    """Its full name."""
    answers: Trusted
    """What it answers, in the flow's language."""


class Inputs(PromptInputs):
    """What the decomposition sees."""

    question: Untrusted = Field(max_length=4_000)
    """The question, made whole."""
    intent: Trusted
    """The route's intent."""
    agents: tuple[AgentPart, ...] = Field(min_length=1)
    """The agents that were chosen, in the order in which they were."""


class Part(PromptOutput):
    """One step."""

    agent: str = Field(max_length=64)
    """Name of a chosen agent."""
    sub_question: str = Field(min_length=1, max_length=400)
    """The part of the question that it answers."""
    depends_on: tuple[int, ...] = Field(max_length=STEPS_MAX)
    """Numbers, from 1, of earlier steps whose result this one needs; empty if none."""
    condition: str = Field(max_length=200)
    """The fact that must hold for it to run; empty where it always runs."""


class Output(PromptOutput):
    """The steps, in the order of execution."""

    steps: tuple[Part, ...] = Field(min_length=1, max_length=STEPS_MAX)
    """One step for each chosen agent at least."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    reasoning: Reasoning
    """Why so, in one sentence."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    chosen = [str(agent.name) for agent in inputs.agents]
    found: list[str] = []
    for number, step in enumerate(output.steps, start=1):
        if step.agent not in chosen:
            found.append(f"steps.{number}.agent: {step.agent!r} is not chosen; chosen are {chosen}")
        if any(not 1 <= needed < number for needed in step.depends_on):
            found.append(f"steps.{number}.depends_on: only numbers of earlier steps, from 1 to {number - 1}")
    left_out = sorted(set(chosen) - {step.agent for step in output.steps})
    return [*found, *([f"steps: none for {left_out}"] if left_out else [])]


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
