"""The policy check's messages. Field meanings stand in protos/hapju/policy/v1."""

from dataclasses import dataclass
from enum import StrEnum

from hapju.policy.v1 import policy_service_pb2
from services.contract.flow import RunContext, Spent
from services.contract.mapping import message


class Verdict(StrEnum):
    """What becomes of a question."""

    ALLOW = "ALLOW"
    WARN = "WARN"
    BLOCK = "BLOCK"


class PolicyTag(StrEnum):
    """Why a verdict is not ALLOW."""

    PII_REQUEST = "PII_REQUEST"
    ILLEGAL_PRODUCT = "ILLEGAL_PRODUCT"
    MINOR_PROTECTION = "MINOR_PROTECTION"
    EXCESSIVE_QUANTITY = "EXCESSIVE_QUANTITY"
    FRAUDULENT_PATTERN = "FRAUDULENT_PATTERN"
    SYSTEM_MANIPULATION = "SYSTEM_MANIPULATION"
    FORCED_PURCHASE = "FORCED_PURCHASE"
    FALSE_INFORMATION = "FALSE_INFORMATION"
    UNAUTHORIZED_ACCESS = "UNAUTHORIZED_ACCESS"


@message(policy_service_pb2.CheckPolicyRequest)
@dataclass(frozen=True, slots=True)
class CheckPolicyRequest:
    """Requests a verdict."""

    run: RunContext
    question: str


@message(policy_service_pb2.CheckPolicyResponse)
@dataclass(frozen=True, slots=True)
class CheckPolicyResponse:
    """Returns a verdict."""

    verdict: Verdict
    tags: tuple[PolicyTag, ...]
    message: str
    spent: Spent
