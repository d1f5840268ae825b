"""What a command ends with when it does not succeed, as a person, a script and a shell see it.

0     the flow finished, also when it asks back, blocks or has no data
1     it failed
2     the command cannot be carried out as it was given: usage, settings, INVALID_ARGUMENT
130   it was cancelled
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hapju.client import CallFailed
    from hapju.flow.v1 import flow_event_pb2
    from services.runtime.errors import HapjuError


class ExitCode(IntEnum):
    """What the process ends with."""

    FINISHED = 0
    """The command did what it was asked."""
    FAILED = 1
    """It could not."""
    USAGE = 2
    """It cannot be done as it was asked."""
    CANCELLED = 130
    """Somebody stopped it."""


@dataclass(eq=False)
class Problem(Exception):
    """Why a command did not succeed."""

    code: str
    """The google.rpc.Code name, for example "INVALID_ARGUMENT"."""
    reason: str
    """An UPPER_SNAKE reason."""
    message: str
    """A sentence for the user."""
    exit_code: ExitCode = ExitCode.FAILED
    """What the process ends with."""
    violations: tuple[tuple[str, str], ...] = ()
    """The fields that it concerns, each with what is wrong with it."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Ids and limits that the message is about: flow_run_id, error_id, limit."""

    def __str__(self) -> str:
        """Return the message with the ids that help to find out more."""
        ids = [f"{name} {self.metadata[name]}" for name in ("error_id", "flow_run_id") if self.metadata.get(name)]
        return f"{self.message} ({', '.join(ids)})" if ids else self.message

    def as_json(self) -> dict[str, Any]:
        """Return the object that a command with --json prints in place of its answer."""
        violations = [{"field": name, "description": description} for name, description in self.violations]
        error = {"code": self.code, "reason": self.reason, "message": self.message, "violations": violations}
        return {"error": {**error, "metadata": dict(self.metadata)}}


def usage(field_name: str, description: str, reason: str = "USAGE") -> Problem:
    """Return the problem of an argument, an option or a setting that cannot be used."""
    message = f"{field_name}: {description}" if field_name else description
    violations = ((field_name, description),) if field_name else ()
    return Problem("INVALID_ARGUMENT", reason, message, ExitCode.USAGE, violations)


def problem_from_settings(text: str) -> Problem:
    """Return the problem of a setting; its text begins with the variable's name."""
    name = text.split(maxsplit=1)[0].partition("=")[0].rstrip(":")
    violations = ((name, text),) if name.isupper() else ()
    return Problem("INVALID_ARGUMENT", "SETTINGS_INVALID", text, ExitCode.USAGE, violations)


def interrupted() -> Problem:
    """Return the problem of a command that the user stopped."""
    return Problem("CANCELLED", "CLIENT_CANCELLED", "cancelled", ExitCode.CANCELLED)


def problem_from_error(error: "HapjuError") -> Problem:
    """Return the problem of a call that ended with a status."""
    exit_code = {"INVALID_ARGUMENT": ExitCode.USAGE, "CANCELLED": ExitCode.CANCELLED}.get(error.code.name)
    return Problem(
        error.code.name,
        error.reason,
        error.message,
        exit_code or ExitCode.FAILED,
        tuple((item.field, item.description) for item in error.violations),
        error.metadata,
    )


def problem_from_failure(failure: "CallFailed") -> Problem:
    """Return the problem of a call that the client says has failed."""
    exit_code = {"INVALID_ARGUMENT": ExitCode.USAGE, "CANCELLED": ExitCode.CANCELLED}.get(failure.code)
    return Problem(
        failure.code,
        failure.reason or failure.code,
        failure.message,
        exit_code or ExitCode.FAILED,
        failure.violations,
        failure.metadata,
    )


def problem_from_end(event: "flow_event_pb2.FlowEvent", flow_run_id: str) -> Problem | None:
    """Return the problem of a flow that ended without an answer, or None for any other event."""
    metadata = {"flow_run_id": flow_run_id} if flow_run_id else {}
    if event.WhichOneof("event") == "failed":
        failed = event.failed
        if failed.error_id:
            metadata["error_id"] = failed.error_id
        return Problem(failed.code, failed.reason, failed.message, metadata=metadata)
    if event.WhichOneof("event") == "cancelled":
        message = "the flow was cancelled"
        return Problem("CANCELLED", event.cancelled.reason, message, ExitCode.CANCELLED, metadata=metadata)
    return None
