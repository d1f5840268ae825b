"""The messages of policy_service.

Generated from protos/hapju/policy/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from typing import Any, Self

from hapju.policy.v1 import policy_service_pb2
from services.contract.flow import RunContext, Spent
from services.contract.mapping import Mapped, Numbered, dataclass, each, missing, numbered, within


@numbered(policy_service_pb2.Verdict)
class Verdict(Numbered):
    """What becomes of a question."""

    ALLOW = "ALLOW"
    """It goes on."""
    WARN = "WARN"
    """It goes on with a caution, and every action needs a confirmation."""
    BLOCK = "BLOCK"
    """It stops here."""


@numbered(policy_service_pb2.PolicyTag)
class PolicyTag(Numbered):
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


@dataclass(frozen=True)
class CheckPolicyRequest(Mapped):
    """Requests a verdict."""

    __slots__ = (
        "run",
        "question",
    )
    MESSAGE = policy_service_pb2.CheckPolicyRequest
    run: RunContext
    """Required. The flow."""
    question: str
    """Required. The question as the user wrote it."""

    def __init__(self, run: RunContext, question: str) -> None:
        put = object.__setattr__
        put(self, "run", run)
        put(self, "question", question)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.run,
            self.question,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.run.write_to(target.run)
        if item := self.question:
            target.question = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("run", RunContext.read_from, source.run) if source.HasField("run") else missing("run"),
            source.question,
        )


@dataclass(frozen=True)
class CheckPolicyResponse(Mapped):
    """Returns a verdict."""

    __slots__ = (
        "verdict",
        "tags",
        "message",
        "spent",
    )
    MESSAGE = policy_service_pb2.CheckPolicyResponse
    verdict: Verdict
    """The verdict."""
    tags: tuple[PolicyTag, ...]
    """Why it is not ALLOW; empty under ALLOW."""
    message: str
    """Under BLOCK what the user is told, with what is allowed instead; under WARN the caution. In the flow's language.
    """
    spent: Spent
    """What it cost."""

    def __init__(self, verdict: Verdict, tags: tuple[PolicyTag, ...], message: str, spent: Spent) -> None:
        put = object.__setattr__
        put(self, "verdict", verdict)
        put(self, "tags", tags)
        put(self, "message", message)
        put(self, "spent", spent)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.verdict,
            self.tags,
            self.message,
            self.spent,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        target.verdict = self.verdict.number
        target.tags.extend(item.number for item in self.tags)
        if item := self.message:
            target.message = item
        self.spent.write_to(target.spent)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("verdict", Verdict.read_from, source.verdict),
            each("tags", PolicyTag.read_from, source.tags),
            source.message,
            within("spent", Spent.read_from, source.spent) if source.HasField("spent") else missing("spent"),
        )
