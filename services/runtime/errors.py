"""The one exception tree, and the one table of how each leaves a service.

    HapjuError
    ├── InvalidRequest            INVALID_ARGUMENT     names the fields
    │   └── DeadlineRequired      INVALID_ARGUMENT
    ├── Unauthenticated           UNAUTHENTICATED
    ├── Forbidden                 PERMISSION_DENIED
    ├── NotFound                  NOT_FOUND
    │   ├── UnknownFlow           NOT_FOUND
    │   ├── UnknownSession        NOT_FOUND
    │   └── UnknownTool           NOT_FOUND
    ├── RequestIdReused           ALREADY_EXISTS
    ├── FailedPrecondition        FAILED_PRECONDITION
    ├── ResumePositionInvalid     OUT_OF_RANGE
    ├── LimitExceeded             RESOURCE_EXHAUSTED   names the limit
    │   ├── PayloadTooLarge       RESOURCE_EXHAUSTED
    │   └── Overloaded            RESOURCE_EXHAUSTED   may be tried again
    ├── Unavailable               UNAVAILABLE          may be tried again
    │   ├── ModelUnavailable      UNAVAILABLE
    │   └── Draining              UNAVAILABLE
    ├── DeadlineExceeded          DEADLINE_EXCEEDED
    ├── Aborted                   CANCELLED
    └── Internal                  INTERNAL             fixed text and an error id

An error crosses the wire as google.rpc.Status with ErrorInfo (reason, domain "hapju", metadata), BadRequest where
fields are named, and hapju.flow.v1.Spent; the caller gets an instance of the same class. A foreign status becomes the
class of its code. Anything else leaves as Internal: its text goes to the log only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from hapju.flow.v1 import decision_pb2
from services.contract.flow import Spent
from services.contract.mapping import ContractViolation, from_proto, to_proto

ERROR_DOMAIN: Final = "hapju"
"""The domain of every ErrorInfo of ours."""
DETAILS_KEY: Final = "grpc-status-details-bin"
"""Trailing metadata that carries google.rpc.Status."""
TEXT_CHARACTERS_MAX: Final = 1_000
"""The length of a text in a status: what is beside a response travels in its trailer, which is small."""
VIOLATIONS_MAX: Final = 10
"""How many fields a status names."""
NOTHING_SPENT: Final = Spent()
"""What a call spends that asks no model."""
INTERNAL_MESSAGE: Final = "The service failed; the error id names the log entry."
"""The only text of an Internal error that leaves a service."""


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One field that breaks the contract."""

    field: str
    """Its path, with the wire's names."""
    description: str
    """What is wrong with it, and what is right."""


class HapjuError(Exception):
    """The root of all errors that services tell each other.

    Args:
        message: A sentence for a reader who does not know the implementation; no inner detail.
        reason: An UPPER_SNAKE reason; the class's own by default.
        metadata: Dynamic parts of the message, by name.
        violations: The fields that it concerns.
        spent: What the failed call had spent.
    """

    code: ClassVar[grpc.StatusCode] = grpc.StatusCode.INTERNAL
    default_reason: ClassVar[str] = "INTERNAL"
    retry_seconds: float = 0.0
    """When the call is worth making again; 0 where it is not. One error may know better than its class."""

    def __init__(
        self,
        message: str,
        *,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        violations: tuple[FieldViolation, ...] = (),
        spent: Spent = NOTHING_SPENT,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason or self.default_reason
        self.metadata = dict(metadata or {})
        self.violations = violations
        self.spent = spent
        self.upstream = False
        """True where another service raised it; its caller must not repeat what that service's caller repeats."""

    @property
    def error_id(self) -> str:
        """The id under which the log tells more; empty where nothing more is to be told."""
        return self.metadata.get("error_id", "")


class InvalidRequest(HapjuError):
    """A request that breaks the contract; never worth repeating."""

    code = grpc.StatusCode.INVALID_ARGUMENT
    default_reason = "INVALID_REQUEST"

    @classmethod
    def of(cls, field: str, description: str) -> "InvalidRequest":
        """Return the error for one field."""
        return cls(f"{field}: {description}", violations=(FieldViolation(field, description),))


class DeadlineRequired(InvalidRequest):
    """A call without a deadline."""

    default_reason = "DEADLINE_REQUIRED"


class Unauthenticated(HapjuError):
    """A caller who does not say, or cannot prove, who they are."""

    code = grpc.StatusCode.UNAUTHENTICATED
    default_reason = "UNAUTHENTICATED"


class Forbidden(HapjuError):
    """A caller who may not do this."""

    code = grpc.StatusCode.PERMISSION_DENIED
    default_reason = "FORBIDDEN"


class NotFound(HapjuError):
    """Something that does not exist, or that belongs to somebody else: the two look alike."""

    code = grpc.StatusCode.NOT_FOUND
    default_reason = "NOT_FOUND"


class UnknownFlow(NotFound):
    """No such flow of this caller."""

    default_reason = "UNKNOWN_FLOW"


class UnknownSession(NotFound):
    """No such conversation of this caller."""

    default_reason = "UNKNOWN_SESSION"


class UnknownTool(NotFound):
    """No such tool."""

    default_reason = "UNKNOWN_TOOL"


class RequestIdReused(HapjuError):
    """The same request id with another request."""

    code = grpc.StatusCode.ALREADY_EXISTS
    default_reason = "REQUEST_ID_REUSED"


class FailedPrecondition(HapjuError):
    """Something that cannot be done in the present state."""

    code = grpc.StatusCode.FAILED_PRECONDITION
    default_reason = "FAILED_PRECONDITION"


class ResumePositionInvalid(HapjuError):
    """A sequence that the flow does not have."""

    code = grpc.StatusCode.OUT_OF_RANGE
    default_reason = "RESUME_POSITION_INVALID"


class LimitExceeded(HapjuError):
    """A named limit was reached."""

    code = grpc.StatusCode.RESOURCE_EXHAUSTED
    default_reason = "LIMIT_EXCEEDED"


class PayloadTooLarge(LimitExceeded):
    """A field or message above its size."""

    default_reason = "PAYLOAD_TOO_LARGE"


class QuotaSpent(LimitExceeded):
    """A tenant has asked as much as it is granted."""

    default_reason = "QUOTA_SPENT"


class Overloaded(LimitExceeded):
    """The service has as much to do as it takes."""

    default_reason = "OVERLOADED"
    retry_seconds = 2.0


class Unavailable(HapjuError):
    """A service that cannot be reached now."""

    code = grpc.StatusCode.UNAVAILABLE
    default_reason = "UNAVAILABLE"
    retry_seconds = 1.0


class ModelUnavailable(Unavailable):
    """A model that cannot be reached or does not answer; the reason says how."""

    default_reason = "MODEL_UNAVAILABLE"


class Draining(Unavailable):
    """A service that is about to stop."""

    default_reason = "DRAINING"


class DeadlineExceeded(HapjuError):
    """The time ran out."""

    code = grpc.StatusCode.DEADLINE_EXCEEDED
    default_reason = "DEADLINE_EXCEEDED"


class Aborted(HapjuError):
    """The call was cancelled by another than this caller."""

    code = grpc.StatusCode.CANCELLED
    default_reason = "CANCELLED"


class Internal(HapjuError):
    """A fault of ours."""

    code = grpc.StatusCode.INTERNAL
    default_reason = "INTERNAL"

    @classmethod
    def with_id(cls, error_id: str) -> "Internal":
        """Return the error that leaves in place of an unhandled exception."""
        return cls(INTERNAL_MESSAGE, metadata={"error_id": error_id})


def tree(root: type[HapjuError] = HapjuError) -> tuple[type[HapjuError], ...]:
    """Return every class of the tree below and with `root`, parents first."""
    return (root, *(kind for child in root.__subclasses__() for kind in tree(child)))


def violation_error(violation: ContractViolation) -> InvalidRequest:
    """Return the error for a message that the contract's mapper refused."""
    return InvalidRequest.of(violation.field, violation.problem)


def status_of(error: HapjuError, spent: Spent = NOTHING_SPENT) -> Status:
    """Return the status in which an error leaves; `spent` is added to what the error itself carries."""
    status = Status.FromString(_plain(error))
    if error.violations:
        fields = [
            BadRequest.FieldViolation(field=_bounded(item.field), description=_bounded(item.description))
            for item in error.violations[:VIOLATIONS_MAX]
        ]
        status.details.append(_packed(BadRequest(field_violations=fields)))
    total = Spent((*spent.decisions, *error.spent.decisions), spent.usage + error.spent.usage)
    if total != NOTHING_SPENT:
        status.details.append(_packed(to_proto(total, decision_pb2.Spent)))
    return status


def sent_status(error: HapjuError) -> bytes:
    """Return the status in which an error leaves, as it is sent."""
    if error.violations or error.spent is not NOTHING_SPENT:
        return bytes(status_of(error).SerializeToString())
    return _plain(error)


def _plain(error: HapjuError) -> bytes:
    """Return what every error says, as it is sent. In a flood most say the same, so the parts are made once.

    A message behind another is both of them merged, and the details of both stand one after another.
    """
    said = _said(error.code.value[0], type(error).__name__, error.message, error.reason, tuple(error.metadata.items()))
    return said + _again(error.retry_seconds) if error.retry_seconds else said


@lru_cache(256)
def _said(code: int, kind: str, message: str, reason: str, metadata: tuple[tuple[str, str], ...]) -> bytes:
    told = {name: _bounded(value) for name, value in metadata}
    info = ErrorInfo(reason=reason, domain=ERROR_DOMAIN, metadata={**told, "class": kind})
    return bytes(Status(code=code, message=_bounded(message), details=[_packed(info)]).SerializeToString())


@lru_cache(4_096)
def _again(seconds: float) -> bytes:
    delay = Duration(seconds=int(seconds), nanos=int(seconds % 1 * 1e9))
    return bytes(Status(details=[_packed(RetryInfo(retry_delay=delay))]).SerializeToString())


def _bounded(text: str) -> str:
    return text if len(text) <= TEXT_CHARACTERS_MAX else text[:TEXT_CHARACTERS_MAX] + "…"


def rebuilt(rpc_error: grpc.aio.AioRpcError) -> HapjuError:
    """Return the error that a peer raised, as an instance of the class that it raised there."""
    status = _status_in(rpc_error)
    info, bad_request, spent, retry = ErrorInfo(), BadRequest(), decision_pb2.Spent(), RetryInfo()
    for detail in status.details:
        for target in (info, bad_request, spent, retry):
            if detail.Is(target.DESCRIPTOR):
                detail.Unpack(target)
    metadata = dict(info.metadata)
    kind = _class_of(metadata.pop("class", "") if info.domain == ERROR_DOMAIN else "", rpc_error.code())
    # A foreign status's text may hold anything, so only our own services' messages are passed on.
    told = rpc_error.details() if info.domain == ERROR_DOMAIN else f"a peer answered {rpc_error.code().name}"
    message = INTERNAL_MESSAGE if kind is Internal else (told or kind.default_reason)
    error = kind(
        message,
        reason=info.reason,
        metadata=metadata,
        violations=tuple(FieldViolation(item.field, item.description) for item in bad_request.field_violations),
        spent=from_proto(spent, Spent),
    )
    error.upstream = info.domain == ERROR_DOMAIN
    if error.upstream and (again := retry.retry_delay.ToTimedelta().total_seconds()) > 0:
        error.retry_seconds = again
    return error


def _class_of(name: str, code: grpc.StatusCode) -> type[HapjuError]:
    kinds = tree()[1:]
    named = next((kind for kind in kinds if kind.__name__ == name and kind.code == code), None)
    return named or next((kind for kind in kinds if kind.code == code), Internal)


def _status_in(rpc_error: grpc.aio.AioRpcError) -> Status:
    for key, value in rpc_error.trailing_metadata() or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            return Status.FromString(value)
    return Status()


def _packed(detail: ErrorInfo | BadRequest | RetryInfo | decision_pb2.Spent) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(detail)
    return packed
