"""The ledger of effects: what was begun under which key, and how it ended.

    PENDING  claimed, nobody was asked     STARTED  an outside system was asked
    SUCCEEDED | FAILED  the end            IN_DOUBT  asked, and no answer; ends in one of the two by reconciling

Every function works inside the caller's transaction. A state changes only from a named one, in one statement, so that
of two who try only one does.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, or_, select
from sqlalchemy.exc import IntegrityError

from services.contract.tool import ActionReceipt, EffectKind, EffectStatus
from services.plugin.tools.effect import Money
from services.runtime.identity import Caller
from services.tool_gateway.data.effects_schema import EFFECTS
from services.tool_gateway.effects.key import EffectKey

MESSAGE_CHARACTERS_MAX: Final = 500
PENDING_LEFT: Final = timedelta(seconds=60)
"""How long a claim that nobody carries out any more waits for its flow to come back."""


class AlreadyClaimed(Exception):
    """Somebody else holds the key: what they did has to be read anew."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One effect as the ledger holds it."""

    key: EffectKey
    """Its key."""
    caller: Caller
    """The user whose it is; roles and service are not kept."""
    session_id: str
    """The conversation in which it was asked for."""
    action_type: str
    """The action's type."""
    tool: str
    """The tool."""
    tool_version: int
    """The tool's version when it was claimed."""
    definition_digest: str
    """The tool's definition when it was claimed."""
    arguments_digest: str
    """Digest of tool, arguments and user: what has to be equal under an equal key."""
    arguments: str
    """Canonical arguments, JSON."""
    approval_id: str
    """The approval that it used; empty where none."""
    status: EffectStatus
    """How it stands."""
    money: Money | None
    """What an outside system is asked for; None where the effect is in our own database."""
    result_json: str
    """The row that tells what was done, or while it is open what was reserved."""
    started_at: datetime
    """When it was claimed, UTC and aware."""
    ended_at: datetime | None = None
    """When its outcome became known."""
    failure_reason: str = ""
    """Tag of a failure."""
    failure_message: str = ""
    """Text of a failure."""
    reconciled: bool = False
    """Whether the outcome was learned by reconciling."""
    claimed_by: str = ""
    """The process that is at it."""
    lease_until: datetime | None = None
    """Until when others leave it alone."""

    @property
    def ended(self) -> bool:
        """Whether its outcome is known."""
        return self.status in {EffectStatus.SUCCEEDED, EffectStatus.FAILED}


def find(connection: Connection, key: EffectKey, *, lock: bool = False) -> LedgerEntry | None:
    """Return what stands under a key; `lock` holds the row until the transaction ends."""
    query = select(EFFECTS).where(_is(key))
    row = connection.execute(query.with_for_update() if lock else query).first()
    return None if row is None else _entry(row)


def claim(connection: Connection, entry: LedgerEntry) -> None:
    """Write a new entry.

    Raises:
        AlreadyClaimed: The key is taken; the transaction has to be rolled back.
    """
    try:
        connection.execute(EFFECTS.insert(), _columns(entry))
    except IntegrityError:
        raise AlreadyClaimed from None


def reserve(connection: Connection, key: EffectKey, money: Money, result_json: str) -> None:
    """Write down what an outside system is to be asked for, and what was reserved for it."""
    request = json.dumps({"kind": money.kind, "amount_krw": money.amount_krw, "order_id": money.order_id})
    connection.execute(EFFECTS.update().where(_is(key)).values(request=request, result=result_json))


def take_over(connection: Connection, entry: LedgerEntry, claimed_by: str, now: datetime, lease: timedelta) -> bool:
    """Take a PENDING entry whose holder is gone; return False where somebody else was faster."""
    gone = and_(EFFECTS.c.status == EffectStatus.PENDING, EFFECTS.c.lease_until < _naive(now))
    values = {"claimed_by": claimed_by, "lease_until": _naive(now + lease)}
    return connection.execute(EFFECTS.update().where(_is(entry.key), gone).values(values)).rowcount == 1


def start(connection: Connection, key: EffectKey, claimed_by: str) -> bool:
    """Say that the outside system is being asked; return False where the entry is not ours to start."""
    ours = and_(EFFECTS.c.status == EffectStatus.PENDING, EFFECTS.c.claimed_by == claimed_by)
    return connection.execute(EFFECTS.update().where(_is(key), ours).values(status=EffectStatus.STARTED)).rowcount == 1


def doubt(connection: Connection, key: EffectKey) -> bool:
    """Say that an asked system gave no answer; return False where the outcome is known already."""
    asked = EFFECTS.c.status == EffectStatus.STARTED
    return (
        connection.execute(EFFECTS.update().where(_is(key), asked).values(status=EffectStatus.IN_DOUBT)).rowcount == 1
    )


def end(  # noqa: PLR0913 - each is a column of the end
    connection: Connection,
    key: EffectKey,
    *,
    result_json: str = "",
    failure_reason: str = "",
    failure_message: str = "",
    now: datetime,
    reconciled: bool = False,
) -> None:
    """Write an outcome; a failure has a reason."""
    values = {
        "status": EffectStatus.FAILED if failure_reason else EffectStatus.SUCCEEDED,
        "result": "" if failure_reason else result_json,
        "failure_reason": failure_reason,
        "failure_message": failure_message[:MESSAGE_CHARACTERS_MAX],
        "reconciled": reconciled,
        "ended_at": _naive(now),
    }
    connection.execute(EFFECTS.update().where(_is(key)).values(values))


def unsettled(connection: Connection, now: datetime, limit: int) -> Sequence[LedgerEntry]:
    """Return entries that nobody is at any more and whose outcome is not known, the oldest first."""
    moment = _naive(now)
    left = or_(
        EFFECTS.c.status == EffectStatus.IN_DOUBT,
        and_(EFFECTS.c.status == EffectStatus.STARTED, EFFECTS.c.lease_until < moment),
        and_(EFFECTS.c.status == EffectStatus.PENDING, EFFECTS.c.lease_until < moment - PENDING_LEFT),
    )
    query = select(EFFECTS).where(left).order_by(EFFECTS.c.started_at).limit(limit)
    return [_entry(row) for row in connection.execute(query)]


def receipt(entry: LedgerEntry, result_schema_id: str) -> ActionReceipt:
    """Return what every caller under the key is told; equal for all of them."""
    succeeded = entry.status is EffectStatus.SUCCEEDED
    return ActionReceipt(
        action_type=entry.action_type,
        tool=entry.tool,
        effect_key=entry.key.text,
        status=entry.status,
        result_json=entry.result_json.encode() if succeeded else b"",
        result_schema_id=result_schema_id,
        failure_reason=entry.failure_reason,
        failure_message=entry.failure_message,
        start_time=entry.started_at,
        end_time=entry.ended_at,
        reconciled=entry.reconciled,
    )


def _is(key: EffectKey) -> Any:
    return and_(
        EFFECTS.c.flow_run_id == key.flow_run_id, EFFECTS.c.step_id == key.step_id, EFFECTS.c.ordinal == key.ordinal
    )


def _naive(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)


def _aware(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=UTC)


def _columns(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "flow_run_id": entry.key.flow_run_id,
        "step_id": entry.key.step_id,
        "ordinal": entry.key.ordinal,
        "effect_key": entry.key.text,
        "tenant": entry.caller.tenant,
        "user_id": entry.caller.user_id,
        "session_id": entry.session_id,
        "action_type": entry.action_type,
        "tool": entry.tool,
        "tool_version": entry.tool_version,
        "definition_digest": entry.definition_digest,
        "arguments_digest": entry.arguments_digest,
        "arguments": entry.arguments,
        "approval_id": entry.approval_id or None,
        "status": entry.status,
        "claimed_by": entry.claimed_by,
        "lease_until": _naive(entry.lease_until or entry.started_at),
        "request": "",
        "result": entry.result_json,
        "failure_reason": entry.failure_reason,
        "failure_message": entry.failure_message,
        "reconciled": entry.reconciled,
        "started_at": _naive(entry.started_at),
        "ended_at": None if entry.ended_at is None else _naive(entry.ended_at),
    }


def _entry(row: Row[Any]) -> LedgerEntry:
    asked = json.loads(row.request) if row.request else None
    return LedgerEntry(
        key=EffectKey(row.flow_run_id, row.step_id, row.ordinal),
        caller=Caller(user_id=row.user_id, tenant=row.tenant),
        session_id=row.session_id,
        action_type=row.action_type,
        tool=row.tool,
        tool_version=row.tool_version,
        definition_digest=row.definition_digest,
        arguments_digest=row.arguments_digest,
        arguments=row.arguments,
        approval_id=row.approval_id or "",
        status=EffectStatus(row.status),
        money=None if asked is None else Money(EffectKind(asked["kind"]), asked["amount_krw"], asked["order_id"]),
        result_json=row.result,
        started_at=row.started_at.replace(tzinfo=UTC),
        ended_at=_aware(row.ended_at),
        failure_reason=row.failure_reason,
        failure_message=row.failure_message,
        reconciled=bool(row.reconciled),
        claimed_by=row.claimed_by,
        lease_until=_aware(row.lease_until),
    )
