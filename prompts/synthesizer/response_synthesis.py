"""The answer, written from the agents' results and streamed: summary, actions, cautions."""

from datetime import date

from pydantic import Field

from prompts.fields import PromptInputs, PromptTurn, Trusted, Untrusted
from prompts.prompt import TextPrompt


class FigureLine(PromptInputs):
    """One figure that the answer may quote."""

    label: Untrusted
    """What it is, in the flow's language."""
    value: Untrusted
    """The figure with its digits as they may be quoted, or a word."""
    unit: Untrusted
    """Its unit; empty for a word or a bare count."""
    as_of: Untrusted
    """The day or month that it stands for; empty if it has none."""
    mark: Trusted
    """The mark of the evidence that it rests on, such as [1]; empty if it has none."""


class Finding(PromptInputs):
    """What one agent found."""

    agent: Trusted
    """The agent's name."""
    status: Trusted
    """ANSWERED, LIMITED, INSUFFICIENT_DATA or FAILED."""
    summary: Untrusted
    """Its summary; empty where it has none."""
    figures: tuple[FigureLine, ...] = Field(default=(), max_length=60)
    """Its figures."""


class EvidenceLine(PromptInputs):
    """One piece of evidence that the answer may cite."""

    mark: Trusted
    """How the answer cites it, such as [1]."""
    title: Untrusted
    """What it is."""
    source: Untrusted
    """Where it comes from."""
    as_of: Untrusted
    """How recent it is; empty if it has no date."""
    excerpt: Untrusted
    """What it says."""


class Inputs(PromptInputs):
    """All that the answer may rest on."""

    question: Untrusted = Field(max_length=4_000)
    """The question in the user's own wording."""
    history: tuple[PromptTurn, ...] = ()
    """The turns before, oldest first; empty for a first question."""
    domain: Trusted
    """The route's domain."""
    intent: Trusted
    """The route's intent."""
    today: date
    """The flow's day in the user's time zone."""
    findings: tuple[Finding, ...] = Field(max_length=16)
    """The agents' results in the plan's order; empty if none ran."""
    evidence: tuple[EvidenceLine, ...] = Field(default=(), max_length=30)
    """The evidence, in the order of its marks."""
    cautions: tuple[Untrusted, ...] = Field(default=(), max_length=20)
    """What the answer must warn of, a sentence each."""
    missing: tuple[Untrusted, ...] = Field(default=(), max_length=20)
    """What could not be found, a sentence each."""
    wishes: tuple[Trusted, ...] = Field(default=(), max_length=8)
    """What domains want told in answers of this kind, a sentence or two each."""
    sample: bool
    """Whether some rows are generated sample data."""


PROMPT = TextPrompt.load(__file__, inputs=Inputs)
