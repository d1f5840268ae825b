"""The four things that can be asked about an action: preview, approve, execute, reconcile."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Self

from services.contract.tool import ActionApproval, ActionPreview, ActionReceipt, EffectStatus, ToolFailure
from services.runtime.identity import Caller
from services.tool_gateway.arguments import refusal
from services.tool_gateway.data.writer import DataWriter
from services.tool_gateway.effects.admission import CONDUCTOR, ActionAdmission, ActionCall, AdmittedAction, user_denied
from services.tool_gateway.effects.approvals import ApprovalWord
from services.tool_gateway.effects.backend import EffectBackend
from services.tool_gateway.effects.executions import Executions
from services.tool_gateway.effects.key import EffectKey
from services.tool_gateway.effects.previews import Previews
from services.tool_gateway.effects.reconciling import Reconciling
from services.tool_gateway.figures import LiveFigures
from services.tool_gateway.registry import Registry

MESSENGERS: Final = frozenset({CONDUCTOR, "gateway"})
"""The services that bring a user's word; an agent, whatever its model says, never approves."""


@dataclass(frozen=True, slots=True)
class Actions:
    """Everything about actions of one process."""

    admission: ActionAdmission
    """Which may be tried."""
    previews: Previews
    """What they would do, and the user's word on it."""
    executions: Executions
    """Doing them once."""
    reconciling: Reconciling
    """Settling what is in doubt."""

    @classmethod
    def of(  # noqa: PLR0913 - what the four parts are made of
        cls,
        registry: Registry,
        grants: Mapping[str, frozenset[str]],
        writer: DataWriter,
        backend: EffectBackend | None,
        now: Callable[[], datetime],
        *,
        figures: LiveFigures | None = None,
    ) -> Self:
        """Return the actions over a registry and a database; see the classes for the parts."""
        admission = ActionAdmission(registry, grants)
        executions = Executions(admission, writer, backend, now, figures or LiveFigures())
        reconciling = Reconciling(admission, executions, writer, backend, now)
        return cls(admission, Previews(writer, now), executions, reconciling)

    async def preview(self, call: ActionCall, *, forced: bool = False) -> ActionPreview | ToolFailure:
        """Tell what an action would do; `forced` asks for an approval even where the action needs none."""
        admitted = self.admission.admit(call)
        return (
            await self.previews.preview(admitted, forced=forced) if isinstance(admitted, AdmittedAction) else admitted
        )

    async def approve(self, word: ApprovalWord) -> ActionApproval | ToolFailure:
        """Take a user's word on an approval."""
        if word.caller.service not in MESSENGERS:
            return refusal("UNAUTHORIZED_ACTION", "", "only the user's own word approves, through the gateway")
        return await self.previews.decide(word, lambda action_type: self._denied(action_type, word.caller))

    async def execute(self, call: ActionCall, approval_id: str) -> ActionReceipt | ToolFailure:
        """Do an action once, or return what was done under its key."""
        admitted = self.admission.admit(call)
        if not isinstance(admitted, AdmittedAction):
            return admitted
        return self._worded(await self.executions.execute(admitted, approval_id))

    async def reconcile(self, key: EffectKey, caller: Caller) -> ActionReceipt | ToolFailure:
        """Settle an action of the caller whose outcome is not known."""
        return self._worded(await self.reconciling.reconcile(key, caller))

    def _worded(self, outcome: ActionReceipt | ToolFailure) -> ActionReceipt | ToolFailure:
        """Return what stands in the ledger with the sentence that tells it, made of the row that is kept there."""
        tool = None if isinstance(outcome, ToolFailure) else self.admission.tool_of(outcome.action_type)
        if isinstance(outcome, ToolFailure) or tool is None or tool.effect is None:
            return outcome
        if outcome.status is EffectStatus.FAILED:
            return replace(outcome, told=tool.effect.declined)
        if outcome.status is not EffectStatus.SUCCEEDED or tool.effect.tells is None:
            return outcome
        return replace(outcome, told=tool.effect.tells(tool.row.model_validate_json(outcome.result_json)))

    def _denied(self, action_type: str, caller: Caller) -> ToolFailure | None:
        tool = self.admission.tool_of(action_type)
        if tool is None:
            return refusal("UNKNOWN_ACTION_TYPE", "", f"{action_type} is no longer done")
        return user_denied(tool, caller)
