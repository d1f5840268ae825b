"""The messages of policy_service.

Generated from protos/hapju/policy/v1 by protos/generate.py: change these and run `make protos`.
"""

from dataclasses import dataclass
from enum import StrEnum

from hapju.policy.v1 import policy_service_pb2
from services.contract.flow import RunContext, Spent
from services.contract.mapping import message


class Verdict(StrEnum):
    """What becomes of a question."""

    ALLOW = "ALLOW"
    """It goes on."""
    WARN = "WARN"
    """It goes on with a caution, and every action needs a confirmation."""
    BLOCK = "BLOCK"
    """It stops here."""


class PolicyTag(StrEnum):
    """Why a verdict is not ALLOW."""

    PII_REQUEST = "PII_REQUEST"
    """Asks for personal data."""
    ILLEGAL_PRODUCT = "ILLEGAL_PRODUCT"
    """Asks for goods that may not be sold."""
    MINOR_PROTECTION = "MINOR_PROTECTION"
    """Asks for goods that a minor may not have."""
    EXCESSIVE_QUANTITY = "EXCESSIVE_QUANTITY"
    """Asks for far more than a person uses."""
    FRAUDULENT_PATTERN = "FRAUDULENT_PATTERN"
    """Looks like fraud."""
    SYSTEM_MANIPULATION = "SYSTEM_MANIPULATION"
    """Tries to turn the system against its rules."""
    FORCED_PURCHASE = "FORCED_PURCHASE"
    """Wants to make somebody buy."""
    FALSE_INFORMATION = "FALSE_INFORMATION"
    """Wants something false said."""
    UNAUTHORIZED_ACCESS = "UNAUTHORIZED_ACCESS"
    """Wants what belongs to somebody else."""


@message(policy_service_pb2.CheckPolicyRequest)
@dataclass(frozen=True, slots=True)
class CheckPolicyRequest:
    """Requests a verdict."""

    run: RunContext
    """Required. The flow."""
    question: str
    """Required. The question as the user wrote it."""


@message(policy_service_pb2.CheckPolicyResponse)
@dataclass(frozen=True, slots=True)
class CheckPolicyResponse:
    """Returns a verdict."""

    verdict: Verdict
    """The verdict."""
    tags: tuple[PolicyTag, ...]
    """Why it is not ALLOW; empty under ALLOW."""
    message: str
    """Under BLOCK what the user is told, with what is allowed instead; under WARN the caution. In the flow's language.
    """
    spent: Spent
    """What it cost."""
