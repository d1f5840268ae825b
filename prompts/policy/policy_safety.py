"""May this question be answered? ALLOW, WARN or BLOCK with tags (spec 1.4, rulings 1.6.4)."""

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


class PolicyTag(StrEnum):
    """Why a question is not simply allowed."""

    PII_REQUEST = "PII_REQUEST"
    ILLEGAL_PRODUCT = "ILLEGAL_PRODUCT"
    MINOR_PROTECTION = "MINOR_PROTECTION"
    EXCESSIVE_QUANTITY = "EXCESSIVE_QUANTITY"
    FRAUDULENT_PATTERN = "FRAUDULENT_PATTERN"
    SYSTEM_MANIPULATION = "SYSTEM_MANIPULATION"
    FORCED_PURCHASE = "FORCED_PURCHASE"
    FALSE_INFORMATION = "FALSE_INFORMATION"
    UNAUTHORIZED_ACCESS = "UNAUTHORIZED_ACCESS"


class Inputs(PromptInputs):
    """What the check sees; nothing but the user's own words may change its verdict."""

    question: Untrusted = Field(max_length=4_000)
    """The question as the user put it; never empty."""
    user_type: Trusted
    """consumer, seller or none, from the authenticated caller."""


class Output(PromptOutput):
    """The verdict."""

    verdict: Verdict
    """ALLOW, WARN or BLOCK."""
    tags: tuple[PolicyTag, ...] = Field(max_length=5)
    """Why; empty exactly when the verdict is ALLOW."""
    reason: Reasoning
    """One sentence for the user: what is not possible, without repeating personal data."""
    confidence: Confidence = None
    """How sure, 0 to 1."""


def _problems(_inputs: Inputs, output: Output) -> Sequence[str]:
    if (output.verdict is Verdict.ALLOW) == bool(output.tags):
        return (f"tags: {output.verdict} has {'no' if output.verdict is Verdict.ALLOW else 'at least one'} tag",)
    only_warnings = set(output.tags) <= {PolicyTag.EXCESSIVE_QUANTITY}
    if output.verdict is Verdict.BLOCK and only_warnings:
        return ("verdict: EXCESSIVE_QUANTITY alone gives WARN",)
    return ()


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
