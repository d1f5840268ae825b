"""What an agent's rows say about its task, in a few sentences; a switch turns it off."""

from enum import StrEnum

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, Trusted, Untrusted
from prompts.prompt import Prompt


class PrimaryTrend(StrEnum):
    """Where the thing that was asked about is heading."""

    BULL = "BULL"
    BEAR = "BEAR"
    NEUTRAL = "NEUTRAL"


class MetricLine(PromptInputs):
    """One computed or read figure, written as the answer may write it."""

    label: Untrusted
    """What it is, in the flow's language."""
    value: Untrusted
    """The figure with its digits as they may be quoted, or a word."""
    unit: Untrusted
    """Its unit; empty for a word or a bare count."""
    as_of: Untrusted
    """The day or month that it stands for; empty if it has none."""


class RowLine(PromptInputs):
    """One row that the figures rest on."""

    evidence_id: Trusted
    """The evidence that it belongs to."""
    text: Untrusted
    """The row, as a line of text."""


class Inputs(PromptInputs):
    """What the agent found."""

    question: Untrusted = Field(max_length=4_000)
    """The question, or the step's part of it."""
    agent: Trusted
    """The agent's name."""
    metrics: tuple[MetricLine, ...] = Field(default=(), max_length=60)
    """The figures; empty where only rows were found."""
    rows: tuple[RowLine, ...] = Field(default=(), max_length=60)
    """The rows, newest first; may be a part of them."""
    sample: bool
    """Whether the rows are generated sample data."""


class Output(PromptOutput):
    """The summary; every number in it is checked against the figures and rows afterwards."""

    summary: str = Field(min_length=1, max_length=1_500)
    """Two to four sentences in the question's language."""
    key_drivers: tuple[str, ...] = Field(max_length=5)
    """What stands out, a short phrase each; empty if nothing does."""
    primary_trend: PrimaryTrend
    """BULL, BEAR or NEUTRAL; NEUTRAL where the figures show no direction."""
    confidence: Confidence = None
    """How well the rows answer the question, 0 to 1."""


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output)
