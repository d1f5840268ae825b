"""Who asks what of the door, and how it ends: one log line for each call of a client, without a word of what was said.

The Guard writes it; a handler adds what it alone knows. A call that is refused has a line as one that is served has.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import structlog

from observability.spans import bind_flow
from services.runtime.identity import Caller

DOOR: Final = "/hapju.gateway.v1."
"""How the names of calls begin that clients make."""
OK: Final = "OK"
NOBODY: Final = Caller()
_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class DoorCall:
    """What is known of a call that is served."""

    rpc: str
    caller: Caller
    outcome: str = OK
    """How it ended: a status, or for a question that was heard to its end the flow's own."""
    reason: str = ""
    flow_run_id: str = ""

    def ended(self, status: str, reason: str = "") -> None:
        """Take the status of a call that did not end well, unless its client had heard how the flow stands."""
        if self.outcome == OK:
            self.outcome, self.reason = status, reason


_asked: ContextVar[DoorCall | None] = ContextVar("hapju_asked", default=None)


@contextmanager
def audited(method: str, caller: Caller = NOBODY) -> Iterator[DoorCall]:
    """Have a call told of once it has ended, where a client makes it; the others have their spans."""
    asked = DoorCall(method.rpartition("/")[2], caller)
    if not method.startswith(DOOR):
        yield asked
        return
    kept, began = _asked.set(asked), perf_counter()
    try:
        yield asked
    finally:
        _asked.reset(kept)
        _tell(asked, perf_counter() - began)


def refused(method: str, caller: Caller, status: str, reason: str, seconds: float) -> None:
    """Tell of a call of a client for which nothing was begun."""
    if method.startswith(DOOR):
        _tell(DoorCall(method.rpartition("/")[2], caller, status, reason), seconds)


def note(*, flow_run_id: str = "", outcome: str = "") -> None:
    """Add to the line of the call that is being served which flow it is about, or how that ended."""
    asked = _asked.get()
    if asked is not None:
        asked.flow_run_id = flow_run_id or asked.flow_run_id
        asked.outcome = outcome or asked.outcome


def _tell(asked: DoorCall, seconds: float) -> None:
    who = {"tenant": asked.caller.tenant, "user": asked.caller.user_id} if asked.caller.user_id else {"user": ""}
    told = {"rpc": asked.rpc, **who, "outcome": asked.outcome, "reason": asked.reason, "seconds": round(seconds, 3)}
    if not asked.flow_run_id:
        _log.info("asked", **told)
        return
    with bind_flow(asked.flow_run_id):
        _log.info("asked", **told)
