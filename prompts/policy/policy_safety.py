"""May this question be answered? ALLOW, WARN or BLOCK with tags."""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt


class Verdict(StrEnum):
    """What happens to the question."""

    ALLOW = "ALLOW"
    WARN = "WARN"
    BLOCK = "BLOCK"


class Tag(PromptInputs):
    """Why a question may not simply be allowed; the core and the installed domains say what there is."""

    name: Trusted
    """Its name."""
    meaning: Trusted
    """What such a question asks for."""
    warns: bool = False
    """Whether alone it gives WARN."""


class Inputs(PromptInputs):
    """What the check sees; nothing but the user's own words may change its verdict."""

    question: Untrusted = Field(max_length=4_000)
    """The question as the user put it; never empty."""
    user_type: Trusted
    """consumer, seller or none, from the authenticated caller."""
    tags: tuple[Tag, ...] = Field(min_length=1)
    """The tags that may be given."""
    allows: tuple[Trusted, ...] = ()
    """What is no reason for a tag."""


class Output(PromptOutput):
    """The verdict."""

    verdict: Verdict
    """ALLOW, WARN or BLOCK."""
    tags: tuple[str, ...] = Field(max_length=5)
    """Why, by the tags' names; empty exactly when the verdict is ALLOW."""
    reason: Reasoning
    """One sentence for the user: what is not possible, without repeating personal data."""
    confidence: Confidence = None
    """How sure, 0 to 1."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    if (output.verdict is Verdict.ALLOW) == bool(output.tags):
        return (f"tags: {output.verdict} has {'no' if output.verdict is Verdict.ALLOW else 'at least one'} tag",)
    warns = {str(tag.name): tag.warns for tag in inputs.tags}
    if unknown := [tag for tag in output.tags if tag not in warns]:
        return (f"tags: {unknown[0]!r} is none of {', '.join(warns)}",)
    if output.verdict is Verdict.BLOCK and all(warns[tag] for tag in output.tags):
        return (f"verdict: {output.tags[0]} alone gives WARN",)
    return ()


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
