"""What an action would do, found by doing it and rolling back, and the approval that is bound to it."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from services.contract.tool import ActionApproval, ActionField, ActionFieldKind, ActionPreview, ToolFailure
from services.plugin.data.columns import installed_columns
from services.plugin.tools.effect import SHOWN_CHARACTERS_MAX, Applied, Scope, Shown, cleaned
from services.tool_gateway.arguments import refusal
from services.tool_gateway.data.reader import DatabaseUnavailable
from services.tool_gateway.data.writer import DataWriter, WriteBusy
from services.tool_gateway.effects import approvals
from services.tool_gateway.effects.admission import AdmittedAction
from services.tool_gateway.effects.approvals import ApprovalAsked, ApprovalWord
from services.tool_gateway.effects.executions import NothingDone, apply

_NUMBERS: Final = frozenset({ActionFieldKind.MONEY_KRW, ActionFieldKind.QUANTITY})


class Previews:
    """Shows actions and takes the user's word on them.

    Args:
        writer: The database.
        now: The clock.
    """

    def __init__(self, writer: DataWriter, now: Callable[[], datetime]) -> None:
        self._writer = writer
        self._now = now

    async def preview(self, admitted: AdmittedAction, *, forced: bool) -> ActionPreview | ToolFailure:
        """Return what the action would do; where it needs an approval (or `forced`), open one."""
        try:
            applied = await self._writer.transact(lambda connection: self._tried(connection, admitted))
            digest = admitted.action_digest(applied.shown)
            if not (admitted.effect.confirmation_required or forced):
                return _preview(admitted, applied, digest, None)
            return await self._writer.transact(lambda connection: self._asked(connection, admitted, applied, digest))
        except NothingDone as nothing:
            return nothing.failure
        except WriteBusy:
            return refusal("OVERLOADED", "", "the database is busy", retryable=True)
        except DatabaseUnavailable:
            return refusal("TOOL_FAILED", "", "the data is not available; `hapju seed` loads it", retryable=True)

    async def decide(
        self, word: ApprovalWord, denied: Callable[[str], ToolFailure | None]
    ) -> ActionApproval | ToolFailure:
        """Take the user's word on an approval; `denied` says whether they may do actions of its type."""

        def work(connection: Connection) -> ActionApproval | ToolFailure:
            action_type = approvals.action_type_of(connection, word)
            refused = None if action_type is None else denied(action_type)
            return refused or approvals.decide(connection, word, self._now())

        try:
            return await self._writer.transact(work)
        except (WriteBusy, DatabaseUnavailable):
            return refusal("OVERLOADED", "", "the database is busy; say it again", retryable=True)

    def _tried(self, connection: Connection, admitted: AdmittedAction) -> Applied:
        with connection.begin_nested() as attempt:
            applied = apply(admitted, Scope(connection, admitted.call.caller, self._now(), admitted.call.key.text))
            attempt.rollback()
        return applied

    def _asked(self, connection: Connection, admitted: AdmittedAction, applied: Applied, digest: str) -> ActionPreview:
        call, now = admitted.call, self._now()
        if approvals.open_count(connection, call.caller, now) >= approvals.OPEN_MAX:
            waiting = f"{approvals.OPEN_MAX} actions wait for the user's word already"
            raise NothingDone(refusal("OVERLOADED", "", waiting, retryable=True))
        asked = ApprovalAsked(call.key, call.caller, call.session_id, call.action_type, digest)
        return _preview(admitted, applied, digest, approvals.ask(connection, asked, now))


def _preview(
    admitted: AdmittedAction, applied: Applied, digest: str, approval: tuple[str, datetime] | None
) -> ActionPreview:
    return ActionPreview(
        action_type=admitted.call.action_type,
        tool=admitted.tool.name,
        tool_version=admitted.tool.version,
        arguments_json=admitted.canonical,
        action_digest=digest,
        fields=tuple(_field(shown, admitted) for shown in applied.shown),
        confirmation_required=approval is not None,
        approval_id="" if approval is None else approval[0],
        expire_time=None if approval is None else approval[1],
        asks=None if admitted.effect.asks is None else admitted.effect.asks(applied.result),
        words=(*admitted.effect.words, *admitted.effect.words_of(applied.result)),
    )


def _field(shown: Shown, admitted: AdmittedAction) -> ActionField:
    language = _language(admitted.call.locale)
    written = str(shown.number) if shown.kind in _NUMBERS else _called(shown, admitted.tool.domain, language)
    label = admitted.effect.labels[shown.name].said(language)
    return ActionField(shown.name, label, shown.kind, shown.number, written[:SHOWN_CHARACTERS_MAX])


def _called(shown: Shown, domain: str, language: str) -> str:
    """Return a text as a person calls it: by its domain's columns where it is a code, else the text itself."""
    columns = installed_columns().get(domain)
    column = columns.columns.get(shown.name) if columns is not None else None
    word = column.words.get(shown.text) if column is not None else None
    return cleaned(shown.text) if word is None else word.of(language)


def _language(locale: str) -> str:
    return "en" if locale.lower().startswith("en") else "ko"
