"""What does the question want? Domain, intent and whether figures or relations are needed."""

from collections.abc import Sequence

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, PromptTurn, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt


class IntentBrief(PromptInputs):
    """One intent that may be chosen."""

    name: Trusted
    """Its name in the catalog."""
    description: Trusted
    """What it covers, in the flow's language."""


class DomainBrief(PromptInputs):
    """One enabled domain with its intents."""

    name: Trusted
    """Its name in the catalog."""
    description: Trusted
    """What it covers, in the flow's language."""
    told_apart: Trusted = Trusted("")
    """What tells it from the others; empty where its description says enough."""
    intents: tuple[IntentBrief, ...] = Field(min_length=1)
    """The intents of this domain."""


class Inputs(PromptInputs):
    """What the router's model vote sees."""

    question: Untrusted = Field(max_length=4_000)
    """The question as the user put it; never empty."""
    domains: tuple[DomainBrief, ...] = Field(min_length=1)
    """The domains that this deployment enables."""
    history: tuple[PromptTurn, ...] = ()
    """The turns before, oldest first; empty for a first question."""


class Alternative(PromptOutput):
    """Another reading of the question."""

    intent: str = Field(max_length=64)
    """Name of an offered intent, not the chosen one."""
    confidence: Confidence = None
    """How likely this reading is, 0 to 1."""


class Output(PromptOutput):
    """The reading of the question."""

    domain: str = Field(max_length=64)
    """Name of an offered domain."""
    intent: str = Field(max_length=64)
    """Name of an intent of that domain."""
    confidence: Confidence = None
    """How sure, 0 to 1."""
    alternatives: tuple[Alternative, ...] = Field(max_length=3)
    """Other readings, likeliest first; empty if there is none."""
    sql_need: bool
    """Whether figures, prices or rows are needed."""
    graph_need: bool
    """Whether causes, relations, outlook or risk are asked for."""
    reasoning: Reasoning
    """Why, in one or two sentences."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    offered = {str(domain.name): [str(intent.name) for intent in domain.intents] for domain in inputs.domains}
    if output.domain not in offered:
        return (f"domain: {output.domain!r} is not offered; offered are {sorted(offered)}",)
    if output.intent not in offered[output.domain]:
        return (f"intent: {output.intent!r} is not of {output.domain}, which has {offered[output.domain]}",)
    every = {intent for intents in offered.values() for intent in intents}
    return [
        f"alternatives: {alternative.intent!r} is not offered"
        for alternative in output.alternatives
        if alternative.intent not in every
    ]


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
