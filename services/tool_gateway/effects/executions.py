"""Doing an action once.

    own database       one transaction: claim the key, do it, use the approval, write the outcome
    outside system     transaction: claim the key (PENDING), reserve, use the approval
                       transaction: STARTED -> the system is asked -> transaction: make it final, write the outcome
                       no answer: IN_DOUBT, which `Reconciling` settles

An action once claimed is carried on when its caller goes away. Equal calls in one process wait for the one that runs;
those of other processes look into the ledger until it holds an outcome.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog
from sqlalchemy import Connection

from services.contract.tool import ActionReceipt, EffectStatus, ToolFailure
from services.plugin.tools.effect import Applied, EffectRefused, Money, Scope
from services.tool_gateway.arguments import refusal
from services.tool_gateway.data.reader import DatabaseUnavailable
from services.tool_gateway.data.writer import DataWriter, WriteBusy
from services.tool_gateway.effects import approvals, ledger
from services.tool_gateway.effects.admission import ActionAdmission, AdmittedAction
from services.tool_gateway.effects.backend import EffectBackend, OutcomeUnknown
from services.tool_gateway.effects.key import EffectKey
from services.tool_gateway.effects.ledger import AlreadyClaimed, LedgerEntry
from services.tool_gateway.figures import LiveFigures
from services.tool_gateway.places import NoPlace, Places

LEASE_MARGIN: Final = timedelta(seconds=5)
"""How much longer than its tool's timeout a claim is left alone."""
_CLAIMS_MAX: Final = 3
_LOOK_EVERY_SECONDS: Final = 0.05
# What tells of the tool's own trouble; any other refusal is an answer, for which the tool has worked.
_TROUBLES: Final = frozenset({"TOOL_FAILED", "OVERLOADED", "IN_PROGRESS"})
_log = structlog.get_logger(__name__)


class NothingDone(Exception):
    """Rolls a transaction back and tells why.

    Attributes:
        failure: What the caller is told.
    """

    def __init__(self, failure: ToolFailure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Executions:
    """Does actions.

    Args:
        admission: Says which tool does what, and which actions may be tried.
        writer: The database.
        backend: Where money is moved; None where it is booked in our own database.
        now: The clock.
        figures: Take each execution in.
    """

    def __init__(
        self,
        admission: ActionAdmission,
        writer: DataWriter,
        backend: EffectBackend | None,
        now: Callable[[], datetime],
        figures: LiveFigures,
    ) -> None:
        self._admission = admission
        self._figures = figures
        self._places = Places()
        self._writer = writer
        self._backend = backend
        self._now = now
        self._process = secrets.token_hex(16)
        self._running: dict[EffectKey, tuple[str, asyncio.Task[ActionReceipt | ToolFailure]]] = {}

    async def execute(self, admitted: AdmittedAction, approval_id: str) -> ActionReceipt | ToolFailure:
        """Do an action, or return what was done under its key."""
        key = admitted.call.key
        running = self._running.get(key)
        if running is not None and running[0] != admitted.arguments_digest:
            return _key_reused()
        task = running[1] if running is not None else asyncio.create_task(self._guarded(admitted, approval_id))
        if running is None:
            self._running[key] = (admitted.arguments_digest, task)
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Wait for the actions that are being done."""
        tasks = [task for _, task in self._running.values()]
        if tasks:
            await asyncio.wait(tasks)

    async def _guarded(self, admitted: AdmittedAction, approval_id: str) -> ActionReceipt | ToolFailure:
        """Turn what goes wrong into data; what is unforeseen is logged under an id."""
        began = time.perf_counter()
        outcome = await self._outcome(admitted, approval_id)
        succeeded = isinstance(outcome, ActionReceipt) or outcome.reason not in _TROUBLES
        self._figures.called(admitted.tool, time.perf_counter() - began, self._now(), succeeded=succeeded)
        return outcome

    async def _outcome(self, admitted: AdmittedAction, approval_id: str) -> ActionReceipt | ToolFailure:
        tool = admitted.tool
        try:
            async with self._places.of(tool):
                return await self._execute(admitted, approval_id)
        except NoPlace:
            return refusal("OVERLOADED", "", f"{tool.name} runs {tool.concurrency_max} calls already", retryable=True)
        except NothingDone as nothing:
            # Ids that are not the caller's look like missing ones to them; here they leave a trace.
            _log.info("action_refused", action_type=admitted.call.action_type, reason=nothing.failure.reason)
            return nothing.failure
        except WriteBusy:
            return refusal("OVERLOADED", "", "the database is busy; nothing was done", retryable=True)
        except DatabaseUnavailable:
            # A connection may have been lost at the commit; under the same key the ledger tells what happened.
            return refusal("TOOL_FAILED", "", "the database cannot be reached; ask again", retryable=True)
        except Exception as error:  # noqa: BLE001 - an effect's failure is an outcome
            error_id = secrets.token_hex(8)
            _log.error("action_failed", action_type=admitted.call.action_type, error_id=error_id, exc_info=error)
            return refusal("TOOL_FAILED", "", f"{tool.name} failed; error id {error_id}", retryable=True)

    async def _execute(self, admitted: AdmittedAction, approval_id: str) -> ActionReceipt | ToolFailure:
        for _ in range(_CLAIMS_MAX):
            try:
                entry = await self._writer.transact(lambda connection: self._begin(connection, admitted, approval_id))
            except AlreadyClaimed:
                continue
            if entry.arguments_digest != admitted.arguments_digest:
                return _key_reused()
            if not entry.ended and entry.status is not EffectStatus.IN_DOUBT:
                entry = await self._carried_out(entry, admitted)
            if entry.status in {EffectStatus.PENDING, EffectStatus.STARTED}:
                return refusal("IN_PROGRESS", "", "the action is being done; ask again", retryable=True)
            return ledger.receipt(entry, admitted.tool.rows_schema_id)
        return refusal("IN_PROGRESS", "", "the action is being done; ask again", retryable=True)

    def _begin(self, connection: Connection, admitted: AdmittedAction, approval_id: str) -> LedgerEntry:
        """Claim the key and do what can be done here, or return what stands under it; all in one transaction."""
        recorded = ledger.find(connection, admitted.call.key)
        if recorded is not None:
            return recorded
        now = self._now()
        entry = self._entry(admitted, approval_id, now)
        ledger.claim(connection, entry)
        scope = Scope(connection, admitted.call.caller, now, admitted.call.key.text)
        applied = apply(admitted, scope)
        _use_approval(connection, admitted, applied, approval_id, now)
        result_json = applied.result.model_dump_json()
        if applied.money is not None and self._backend is not None:
            ledger.reserve(connection, entry.key, applied.money, result_json)
            return replace(entry, money=applied.money, result_json=result_json)
        if admitted.effect.settle is not None:
            result_json = admitted.effect.settle(applied.result, scope, True).model_dump_json()
        ledger.end(connection, entry.key, result_json=result_json, now=now)
        return replace(entry, status=EffectStatus.SUCCEEDED, result_json=result_json, ended_at=now)

    def _entry(self, admitted: AdmittedAction, approval_id: str, now: datetime) -> LedgerEntry:
        call = admitted.call
        return LedgerEntry(
            key=call.key,
            caller=call.caller,
            session_id=call.session_id,
            action_type=call.action_type,
            tool=admitted.tool.name,
            tool_version=admitted.tool.version,
            definition_digest=admitted.tool.digest,
            arguments_digest=admitted.arguments_digest,
            arguments=admitted.canonical.decode(),
            approval_id=approval_id,
            status=EffectStatus.PENDING,
            money=None,
            result_json="",
            started_at=now,
            claimed_by=self._process,
            lease_until=now + self._lease(admitted),
        )

    def _lease(self, admitted: AdmittedAction) -> timedelta:
        return timedelta(seconds=admitted.tool.timeout_seconds) + LEASE_MARGIN

    async def _carried_out(self, entry: LedgerEntry, admitted: AdmittedAction) -> LedgerEntry:
        """Have the outside system do what is claimed, if the claim is ours; else wait for whoever holds it."""
        if entry.claimed_by != self._process:
            entry = await self._waited(entry, admitted)
        if entry.status is EffectStatus.PENDING and entry.claimed_by == self._process:
            return await self._ask(entry, admitted.tool.timeout_seconds)
        return entry

    async def _waited(self, entry: LedgerEntry, admitted: AdmittedAction) -> LedgerEntry:
        """Look into the ledger until the entry has ended, is free to be taken over, or the tool's time is up."""
        until = asyncio.get_running_loop().time() + admitted.tool.timeout_seconds
        while not entry.ended and asyncio.get_running_loop().time() < until:
            overdue = entry.lease_until is not None and entry.lease_until < self._now()
            if overdue or entry.status is EffectStatus.IN_DOUBT:
                return await self._writer.transact(partial(self._left, entry=entry, admitted=admitted))
            await asyncio.sleep(_LOOK_EVERY_SECONDS)
            entry = await self._writer.transact(partial(_found, entry=entry))
        return entry

    def _left(self, connection: Connection, entry: LedgerEntry, admitted: AdmittedAction) -> LedgerEntry:
        """Take over what was never asked for; what was asked for and not answered is in doubt."""
        ledger.take_over(connection, entry, self._process, self._now(), self._lease(admitted))
        ledger.doubt(connection, entry.key)
        return _found(connection, entry)

    async def _ask(self, entry: LedgerEntry, timeout_seconds: float) -> LedgerEntry:
        backend, money = self._backend, entry.money
        if backend is None or money is None:
            raise RuntimeError(f"{entry.key.text} waits for a backend that is not configured")
        if not await self._writer.transact(lambda connection: ledger.start(connection, entry.key, self._process)):
            return await self._writer.transact(lambda connection: _found(connection, entry))
        try:
            return await self._answered(entry, backend, money, timeout_seconds)
        except (WriteBusy, DatabaseUnavailable) as trouble:
            # The answer could not be written down: it is asked for again when the claim is over.
            _log.warning("effect_not_recorded", effect_key=entry.key.text, why=str(trouble))
            return replace(entry, status=EffectStatus.STARTED)

    async def _answered(
        self, entry: LedgerEntry, backend: EffectBackend, money: Money, timeout_seconds: float
    ) -> LedgerEntry:
        try:
            reply = await backend.perform(entry.key.text, money, timeout_seconds)
        except OutcomeUnknown as unknown:
            _log.warning("effect_in_doubt", effect_key=entry.key.text, why=str(unknown))
            return await self._writer.transact(lambda connection: _doubted(connection, entry))
        return await self.settle(entry.key, done=reply.done, reason=reply.reason, reconciled=False)

    async def settle(self, key: EffectKey, *, done: bool, reason: str, reconciled: bool) -> LedgerEntry:
        """Write the outcome of an outside effect and make its reservation final, or take it back."""

        def work(connection: Connection) -> LedgerEntry:
            entry = ledger.find(connection, key, lock=True)
            if entry is None:
                raise RuntimeError(f"{key.text} has left the ledger")
            if entry.ended:
                return entry
            now = self._now()
            result = self._settled(entry, Scope(connection, entry.caller, now, key.text), done=done)
            failure = "" if done else "EFFECT_DECLINED"
            message = "" if done else f"no money was moved: {reason or 'it was never asked for'}"
            ledger.end(
                connection,
                key,
                result_json=result,
                failure_reason=failure,
                failure_message=message,
                now=now,
                reconciled=reconciled,
            )
            return _found(connection, entry)

        return await self._writer.transact(work)

    def _settled(self, entry: LedgerEntry, scope: Scope, *, done: bool) -> str:
        tool = self._admission.tool_of(entry.action_type)
        if tool is None or tool.effect is None or tool.effect.settle is None:
            raise RuntimeError(f"no tool settles {entry.action_type} any more")
        reserved = tool.row.model_validate_json(entry.result_json)
        return tool.effect.settle(reserved, scope, done).model_dump_json()


def apply(admitted: AdmittedAction, scope: Scope) -> Applied:
    """Do what the effect does in the scope's transaction.

    Raises:
        NothingDone: It may not be done.
    """
    try:
        return admitted.effect.apply(admitted.arguments, scope)
    except EffectRefused as refused:
        raise NothingDone(refusal(refused.reason, refused.field, refused.message, told=refused.told)) from None


def _use_approval(
    connection: Connection, admitted: AdmittedAction, applied: Applied, approval_id: str, now: datetime
) -> None:
    call = admitted.call
    needed = admitted.effect.confirmation_required or approvals.was_asked(connection, call.key)
    if not needed and not approval_id:
        return
    refused = approvals.use(
        connection,
        approval_id,
        admitted.action_digest(applied.shown),
        key=call.key,
        caller=call.caller,
        session_id=call.session_id,
        now=now,
    )
    if refused is not None:
        raise NothingDone(refused)


def _found(connection: Connection, entry: LedgerEntry) -> LedgerEntry:
    return ledger.find(connection, entry.key) or entry


def _doubted(connection: Connection, entry: LedgerEntry) -> LedgerEntry:
    ledger.doubt(connection, entry.key)
    return _found(connection, entry)


def _key_reused() -> ToolFailure:
    return refusal("KEY_REUSED", "", "another action was asked for under this flow, step and ordinal")
