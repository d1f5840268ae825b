"""Settles effects whose outcome is not known: on request, and every few seconds for all that nobody is at any more."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final

import structlog
from sqlalchemy import Connection

from services.contract.tool import ActionReceipt, EffectStatus, ToolFailure
from services.runtime.identity import Caller
from services.tool_gateway.arguments import refusal
from services.tool_gateway.data.reader import DatabaseUnavailable
from services.tool_gateway.data.writer import DataWriter, WriteBusy
from services.tool_gateway.effects import approvals, ledger
from services.tool_gateway.effects.admission import ActionAdmission
from services.tool_gateway.effects.backend import EffectBackend, OutcomeUnknown
from services.tool_gateway.effects.executions import Executions
from services.tool_gateway.effects.key import EffectKey
from services.tool_gateway.effects.ledger import LedgerEntry

SWEEP_SECONDS: Final = 5.0
"""How often effects without an outcome are looked for."""
SWEPT_MAX: Final = 50
"""How many are settled in one round."""
_log = structlog.get_logger(__name__)


class Reconciling:
    """Asks where an effect was to be done what became of it, and never does it again.

    Args:
        admission: Names the schema of a result.
        executions: Writes outcomes.
        writer: The database.
        backend: Where money is moved; None where no effect leaves our own database.
        now: The clock.
    """

    def __init__(
        self,
        admission: ActionAdmission,
        executions: Executions,
        writer: DataWriter,
        backend: EffectBackend | None,
        now: Callable[[], datetime],
    ) -> None:
        self._admission = admission
        self._executions = executions
        self._writer = writer
        self._backend = backend
        self._now = now

    async def reconcile(self, key: EffectKey, caller: Caller) -> ActionReceipt | ToolFailure:
        """Settle one effect of the caller; what is being done right now is left alone."""
        try:
            entry = await self._writer.transact(lambda connection: ledger.find(connection, key))
        except (WriteBusy, DatabaseUnavailable):
            return refusal("OVERLOADED", "", "the ledger cannot be read now", retryable=True)
        if entry is None or (entry.caller.tenant, entry.caller.user_id) != (caller.tenant, caller.user_id):
            return refusal("NOT_FOUND", "", "there is no such action")
        if not entry.ended and not self._is_at_work(entry):
            entry = await self._settled(entry)
        tool = self._admission.tool_of(entry.action_type)
        return ledger.receipt(entry, "" if tool is None else tool.rows_schema_id)

    async def sweep(self) -> int:
        """Settle what can be settled, a bounded number of effects, and return how many were; drop old approvals."""
        left = await self._writer.transact(self._left)
        settled = 0
        for entry in left:
            settled += (await self._settled(entry)).ended
        return settled

    async def run(self) -> None:
        """Sweep until cancelled."""
        while True:
            try:
                settled = await self.sweep()
                if settled:
                    _log.info("effects_settled", count=settled)
            except (WriteBusy, DatabaseUnavailable):
                # Not seeded yet, or busy: the next round tries again.
                pass
            except Exception as error:  # noqa: BLE001 - one bad entry must not end the sweeping of all others
                _log.error("sweep_failed", exc_info=error)
            await asyncio.sleep(SWEEP_SECONDS)

    def _left(self, connection: Connection) -> list[LedgerEntry]:
        now = self._now()
        approvals.purge(connection, now)
        return list(ledger.unsettled(connection, now, SWEPT_MAX))

    def _is_at_work(self, entry: LedgerEntry) -> bool:
        in_doubt = entry.status is EffectStatus.IN_DOUBT
        return not in_doubt and entry.lease_until is not None and entry.lease_until >= self._now()

    async def _settled(self, entry: LedgerEntry) -> LedgerEntry:
        if self._backend is None:
            _log.error("effect_without_backend", effect_key=entry.key.text, status=entry.status)
            return entry
        await self._writer.transact(lambda connection: ledger.doubt(connection, entry.key))
        try:
            outcome = await self._backend.settle(entry.key.text)
        except OutcomeUnknown:
            return await self._writer.transact(lambda connection: ledger.find(connection, entry.key)) or entry
        return await self._executions.settle(entry.key, done=outcome.done, reason="", reconciled=True)
