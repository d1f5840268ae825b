"""The order and the wording of an answer's citations, and nothing else of it; a switch turns it off."""

from collections.abc import Sequence
from datetime import date

from pydantic import Field

from prompts.fields import PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt

TITLE_CHARS_MAX = 120
"""How long a title may be worded."""


class CitationLine(PromptInputs):
    """One citation as it stands."""

    mark: Trusted
    """What it is called in this list, such as c1; it says nothing of its place."""
    title: Untrusted
    """Its title."""
    source: Untrusted
    """Where it comes from."""
    as_of: Untrusted
    """How recent it is; empty if it has no date."""


class Inputs(PromptInputs):
    """The list as it stands."""

    question: Untrusted = Field(max_length=4_000)
    """The question that the answer is for."""
    today: date
    """The flow's day in the user's time zone."""
    citations: tuple[CitationLine, ...] = Field(min_length=1, max_length=10)
    """The citations in the order in which the answer uses them."""


class WordedCitation(PromptOutput):
    """One citation as it is to stand."""

    mark: str = Field(max_length=8)
    """The mark of the citation; each of the list once."""
    title: str = Field(min_length=1, max_length=TITLE_CHARS_MAX)
    """Its title, shortened or made clearer; it names the same thing and adds no figure, date or name."""


class Output(PromptOutput):
    """The list as it is to stand."""

    citations: tuple[WordedCitation, ...] = Field(min_length=1, max_length=10)
    """Every citation once, the most telling first."""
    reasoning: Reasoning
    """What was changed, in one sentence."""


def problems(inputs: Inputs, output: Output) -> Sequence[str]:
    """Return what is wrong with a list: a citation that is missing, twice there or invented."""
    wanted = sorted(line.mark for line in inputs.citations)
    given = sorted(line.mark for line in output.citations)
    return () if wanted == given else (f"citations: the marks must be {wanted}, each once; these are {given}",)


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=problems)
