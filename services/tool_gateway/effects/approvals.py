"""Approvals: bound to exactly what was shown, given by the user's own word, used once, over at a moment.

Every change is one UPDATE whose condition holds everything that has to be true, the expiry included; the reason of a
refusal is looked up afterwards. Somebody else's approval looks like a missing one.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, select
from uuid_utils import uuid7

from services.contract.tool import ActionApproval, ApprovalVerdict, ToolFailure
from services.runtime.identity import Caller
from services.tool_gateway.arguments import refusal
from services.tool_gateway.data.effects_schema import APPROVALS
from services.tool_gateway.effects.key import EffectKey

APPROVAL_SECONDS: Final = 300
"""How long an approval can be given and used, from the preview on."""
KEPT: Final = timedelta(days=30)
"""How long an approval is kept after it was over."""
OPEN_MAX: Final = 50
"""How many undecided approvals a user may have at once."""
_PURGED_MAX: Final = 500
_MISSING: Final = "there is no such approval"


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """What an approval is asked for."""

    key: EffectKey
    """The action's key."""
    caller: Caller
    """The user who is asked."""
    session_id: str
    """The conversation in which they are shown it."""
    action_type: str
    """The action's type."""
    digest: str
    """Digest of everything that was shown and would be done."""


def ask(connection: Connection, asked: ApprovalAsked, now: datetime) -> tuple[str, datetime]:
    """Open an approval and return its id and when it is over; an earlier open one of the same key is void."""
    key = and_(*_of_key(asked.key), APPROVALS.c.status.in_(("PENDING", "APPROVED")))
    connection.execute(APPROVALS.update().where(key).values(status="REJECTED"))
    approval_id, expires = str(uuid7()), now + timedelta(seconds=APPROVAL_SECONDS)
    connection.execute(
        APPROVALS.insert(),
        {
            "approval_id": approval_id,
            "action_digest": asked.digest,
            "tenant": asked.caller.tenant,
            "user_id": asked.caller.user_id,
            "session_id": asked.session_id,
            "flow_run_id": asked.key.flow_run_id,
            "step_id": asked.key.step_id,
            "ordinal": asked.key.ordinal,
            "action_type": asked.action_type,
            "status": "PENDING",
            "created_at": _naive(now),
            "expires_at": _naive(expires),
            "decided_at": None,
            "decided_by": "",
        },
    )
    return approval_id, expires


def open_count(connection: Connection, caller: Caller, now: datetime) -> int:
    """Return how many approvals of a user wait for a word, counted up to `OPEN_MAX`."""
    waiting = and_(*_of_user(caller), APPROVALS.c.status == "PENDING", APPROVALS.c.expires_at > _naive(now))
    return len(connection.execute(select(APPROVALS.c.approval_id).where(waiting).limit(OPEN_MAX)).all())


def was_asked(connection: Connection, key: EffectKey) -> bool:
    """Return whether an approval was ever opened for a key: from then on the action needs one."""
    return connection.execute(select(APPROVALS.c.approval_id).where(*_of_key(key)).limit(1)).first() is not None


@dataclass(frozen=True, slots=True)
class ApprovalWord:
    """What a user says on an approval."""

    approval_id: str
    """The approval."""
    digest: str
    """Digest of what they were shown."""
    verdict: ApprovalVerdict
    """What they say."""
    caller: Caller
    """Who says it, by the assertion of the call that brings it."""
    session_id: str
    """The conversation in which they say it."""


def action_type_of(connection: Connection, word: ApprovalWord) -> str | None:
    """Return what kind of action an approval of the user is about; None where there is no such approval."""
    row = _own(connection, word.approval_id, word.caller, word.session_id)
    return None if row is None else str(row.action_type)


def decide(connection: Connection, word: ApprovalWord, now: datetime) -> ActionApproval | ToolFailure:
    """Take the user's word; the same word again returns the first decision."""
    status = "APPROVED" if word.verdict is ApprovalVerdict.APPROVE else "REJECTED"
    decidable = and_(
        APPROVALS.c.approval_id == word.approval_id,
        APPROVALS.c.action_digest == word.digest,
        APPROVALS.c.session_id == word.session_id,
        *_of_user(word.caller),
        APPROVALS.c.status == "PENDING",
        APPROVALS.c.expires_at > _naive(now),
    )
    values = {"status": status, "decided_at": _naive(now), "decided_by": word.caller.user_id}
    taken = connection.execute(APPROVALS.update().where(decidable).values(values)).rowcount == 1
    row = _own(connection, word.approval_id, word.caller, word.session_id)
    if row is None:
        return refusal("NOT_FOUND", "approval_id", _MISSING)
    if row.action_digest != word.digest:
        return _mismatch()
    said = "REJECTED" if row.status == "REJECTED" else "APPROVED"
    if row.status == "PENDING":
        return _expired()
    if not taken and (said != status or row.decided_at is None):
        return refusal("APPROVAL_REJECTED", "approval_id", f"it was {said.lower()} already")
    return _approval(row, word.verdict)


def use(  # noqa: PLR0913 - everything that an approval is bound to
    connection: Connection,
    approval_id: str,
    digest: str,
    *,
    key: EffectKey,
    caller: Caller,
    session_id: str,
    now: datetime,
) -> ToolFailure | None:
    """Use an approval for an action; return why it does not hold, or None where it was used now."""
    if not approval_id:
        return refusal("APPROVAL_REQUIRED", "approval_id", "the user has to approve this action first")
    holds = and_(
        APPROVALS.c.approval_id == approval_id,
        APPROVALS.c.action_digest == digest,
        APPROVALS.c.session_id == session_id,
        *_of_user(caller),
        *_of_key(key),
        APPROVALS.c.status == "APPROVED",
        APPROVALS.c.expires_at > _naive(now),
    )
    if connection.execute(APPROVALS.update().where(holds).values(status="USED")).rowcount == 1:
        return None
    return _why(_own(connection, approval_id, caller, session_id), digest, key)


def purge(connection: Connection, now: datetime) -> int:
    """Delete approvals that were over long ago, a bounded number at a time; return how many."""
    old = select(APPROVALS.c.approval_id).where(APPROVALS.c.expires_at < _naive(now - KEPT)).limit(_PURGED_MAX)
    gone = [row.approval_id for row in connection.execute(old)]
    if gone:
        connection.execute(APPROVALS.delete().where(APPROVALS.c.approval_id.in_(gone)))
    return len(gone)


def _why(row: Row[Any] | None, digest: str, key: EffectKey) -> ToolFailure:
    if row is None:
        return refusal("NOT_FOUND", "approval_id", _MISSING)
    if row.status == "USED":
        return refusal("APPROVAL_USED", "approval_id", "it was used for an action already")
    if row.action_digest != digest or (row.flow_run_id, row.step_id, row.ordinal) != (
        key.flow_run_id,
        key.step_id,
        key.ordinal,
    ):
        return _mismatch()
    if row.status == "REJECTED":
        return refusal("APPROVAL_REJECTED", "approval_id", "the action was rejected, or shown anew since")
    if row.status == "PENDING":
        return refusal("APPROVAL_REQUIRED", "approval_id", "the user has not approved this action")
    return _expired()


def _mismatch() -> ToolFailure:
    return refusal("APPROVAL_MISMATCH", "action_digest", "what would be done is not what was shown; preview it anew")


def _expired() -> ToolFailure:
    return refusal("APPROVAL_EXPIRED", "approval_id", "the time to approve is over; preview the action anew")


def _own(connection: Connection, approval_id: str, caller: Caller, session_id: str) -> Row[Any] | None:
    own = and_(APPROVALS.c.approval_id == approval_id, APPROVALS.c.session_id == session_id, *_of_user(caller))
    return connection.execute(select(APPROVALS).where(own)).first()


def _of_user(caller: Caller) -> tuple[Any, Any]:
    return APPROVALS.c.tenant == caller.tenant, APPROVALS.c.user_id == caller.user_id


def _of_key(key: EffectKey) -> tuple[Any, Any, Any]:
    return (
        APPROVALS.c.flow_run_id == key.flow_run_id,
        APPROVALS.c.step_id == key.step_id,
        APPROVALS.c.ordinal == key.ordinal,
    )


def _approval(row: Row[Any], verdict: ApprovalVerdict) -> ActionApproval:
    return ActionApproval(
        approval_id=row.approval_id,
        action_digest=row.action_digest,
        verdict=verdict,
        decide_time=row.decided_at.replace(tzinfo=UTC),
        expire_time=row.expires_at.replace(tzinfo=UTC),
    )


def _naive(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)
