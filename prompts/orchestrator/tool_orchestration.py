"""Which tools a step calls, with which arguments, and which it leaves out."""

import json
from collections.abc import Iterator, Sequence
from typing import ClassVar

from pydantic import Field

from prompts.fields import Confidence, ObjectText, PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt

CALLS_MAX = 12


class ToolBrief(PromptInputs):
    """One tool that may be called."""

    name: Trusted
    """Its name in the registry."""
    description: Trusted
    """What it returns."""
    parameters_schema: Trusted
    """JSON Schema of its arguments, as text."""


class KnownValue(PromptInputs):
    """A value that was resolved already: a region's code, a security, a date range, a slot."""

    name: Trusted
    """What it is."""
    value: Untrusted
    """The value as text."""


class EarlierCall(PromptInputs):
    """A call of this flow that has returned a result."""

    tool: Trusted
    """The tool's name."""
    arguments: Untrusted
    """Its arguments, as JSON text."""


class Inputs(PromptInputs):
    """What the choice sees: the step in view of the whole flow."""

    question: Untrusted = Field(max_length=4_000)
    """The normalised question."""
    agent: Trusted
    """The agent that runs the step."""
    task: Untrusted
    """The step's task."""
    tools: tuple[ToolBrief, ...] = Field(min_length=1)
    """The tools that the agent may use."""
    known_values: tuple[KnownValue, ...] = ()
    """Resolved values; empty if the question names none."""
    earlier_calls: tuple[EarlierCall, ...] = ()
    """Calls whose results the flow already has; empty in a first step."""


class ChosenCall(PromptOutput):
    """One call."""

    tool: str = Field(max_length=64)
    """Name of an offered tool."""
    arguments: ObjectText = Field(max_length=4_000)
    """One JSON object as text that satisfies the tool's parameters."""


class SkippedTool(PromptOutput):
    """A tool that is left out."""

    tool: str = Field(max_length=64)
    """Name of an offered tool."""
    reason: str = Field(min_length=1, max_length=200)
    """Why it is not called."""


class Output(PromptOutput):
    """The choice."""

    trailing_commas_repaired: ClassVar[bool] = False

    calls: tuple[ChosenCall, ...] = Field(max_length=CALLS_MAX)
    """The calls, in order; empty if the flow already has all that the step needs."""
    skipped: tuple[SkippedTool, ...] = Field(max_length=32)
    """The tools left out, each with its reason."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    reasoning: Reasoning
    """Why these calls."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    offered = sorted(tool.name for tool in inputs.tools)
    named = [("calls", call.tool) for call in output.calls] + [("skipped", tool.tool) for tool in output.skipped]
    unknown = [
        f"{where}: {tool!r} is not offered; offered are {offered}" for where, tool in named if tool not in offered
    ]
    calls = [(call.tool, call.arguments) for call in output.calls]
    twice = ["calls: the same call occurs twice"] if len(set(calls)) != len(calls) else []
    return [*unknown, *twice, *(problem for call in output.calls for problem in _unfit(inputs, call))]


def _unfit(inputs: Inputs, call: ChosenCall) -> Iterator[str]:
    """Yield where a call's arguments do not satisfy its tool's schema."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - loads a dozen packages, and only a model proposes calls

    schemas = {str(tool.name): json.loads(tool.parameters_schema) for tool in inputs.tools}
    if call.tool in schemas:
        for error in Draft202012Validator(schemas[call.tool]).iter_errors(json.loads(call.arguments)):
            yield f"calls: arguments of {call.tool}: {error.json_path}: {error.message}"


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
