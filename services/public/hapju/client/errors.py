"""What a call can fail with.

CallFailed
├── InvalidRequest      the request breaks the contract; names the fields
├── Unauthenticated     the token is missing or does not hold
├── Forbidden           the caller may not do this
├── NotFound            there is none, or it is somebody else's
├── Refused             it cannot be done as things stand: done before, too late, in use
├── LimitExceeded       a named limit is reached
├── Unavailable         hapju cannot be reached now
├── DeadlineExceeded    the time ran out
├── Cancelled           the call was cancelled by another
├── Internal            a fault of hapju; the error id names the log entry
├── FlowFailed          the flow ended without an answer
└── FlowCancelled       somebody stopped the flow
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from hapju.flow.v1 import flow_event_pb2

DETAILS_KEY: Final = "grpc-status-details-bin"
"""Trailing metadata that carries google.rpc.Status."""
DOMAIN: Final = "hapju"
"""The domain of hapju's own errors; one of another domain comes from what lies between."""


@dataclass(eq=False)
class CallFailed(Exception):
    """Why a call failed."""

    code: str
    """The google.rpc.Code name, for example "UNAVAILABLE"."""
    message: str
    """A sentence for a person."""
    reason: str = ""
    """An UPPER_SNAKE reason; empty where the error is not hapju's own."""
    violations: tuple[tuple[str, str], ...] = ()
    """The fields that it concerns, each with what is wrong with it."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Ids and limits that the message is about."""
    retry_after_seconds: float | None = None
    """How long to wait before the call is made again; None where hapju does not say."""

    def __str__(self) -> str:
        """Return the code and the message."""
        return f"{self.code}: {self.message}"

    @property
    def may_retry(self) -> bool:
        """True where the same call may succeed later; one that changes something needs an id of its own to be safe."""
        return self.retry_after_seconds is not None or self.code == "UNAVAILABLE"

    @property
    def is_own(self) -> bool:
        """True where hapju itself said so."""
        return bool(self.reason)


class InvalidRequest(CallFailed):
    """A request that breaks the contract."""


class Unauthenticated(CallFailed):
    """A caller who does not say, or cannot prove, who they are."""


class Forbidden(CallFailed):
    """A caller who may not do this."""


class NotFound(CallFailed):
    """Something that does not exist, or is somebody else's."""


class Refused(CallFailed):
    """Something that cannot be done as things stand."""


class LimitExceeded(CallFailed):
    """A limit was reached; the metadata names it."""


class Unavailable(CallFailed):
    """Nothing answers now."""


class DeadlineExceeded(CallFailed):
    """The time ran out."""


class Cancelled(CallFailed):
    """The call was cancelled by another."""


class Internal(CallFailed):
    """A fault of hapju."""


class FlowFailed(CallFailed):
    """A flow that ended without an answer."""


class FlowCancelled(CallFailed):
    """A flow that somebody stopped."""


_KINDS: Final[dict[str, type[CallFailed]]] = {
    "INVALID_ARGUMENT": InvalidRequest,
    "OUT_OF_RANGE": InvalidRequest,
    "UNAUTHENTICATED": Unauthenticated,
    "PERMISSION_DENIED": Forbidden,
    "NOT_FOUND": NotFound,
    "ALREADY_EXISTS": Refused,
    "FAILED_PRECONDITION": Refused,
    "ABORTED": Refused,
    "RESOURCE_EXHAUSTED": LimitExceeded,
    "UNAVAILABLE": Unavailable,
    "DEADLINE_EXCEEDED": DeadlineExceeded,
    "CANCELLED": Cancelled,
}


def error_from(rpc_error: grpc.RpcError) -> CallFailed:
    """Return what a call's status says."""
    told: Any = rpc_error  # both kinds of gRPC errors are calls
    info, bad_request, retry = ErrorInfo(), BadRequest(), RetryInfo()
    known = set()
    for detail in _status_in(told).details:
        for target in (info, bad_request, retry):
            if detail.Is(target.DESCRIPTOR):
                detail.Unpack(target)
                known.add(type(target))
    own = info.domain == DOMAIN
    metadata = {name: value for name, value in info.metadata.items() if own and name != "class"}
    code = told.code().name
    return _KINDS.get(code, Internal)(
        code,
        told.details() or code,
        info.reason if own else "",
        tuple((one.field, one.description) for one in bad_request.field_violations),
        metadata,
        retry.retry_delay.ToTimedelta().total_seconds() if RetryInfo in known else None,
    )


def error_of_end(event: flow_event_pb2.FlowEvent, flow_run_id: str) -> CallFailed:
    """Return what a flow's end without an answer says."""
    metadata = {"flow_run_id": flow_run_id}
    if event.WhichOneof("event") == "failed":
        failed = event.failed
        ids = {"error_id": failed.error_id} if failed.error_id else {}
        return FlowFailed(failed.code, failed.message, failed.reason, metadata=metadata | ids)
    return FlowCancelled("CANCELLED", "the flow was cancelled", event.cancelled.reason, metadata=metadata)


def _status_in(told: Any) -> Status:
    for key, value in told.trailing_metadata() or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            return Status.FromString(value)
    return Status()
