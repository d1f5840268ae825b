"""The tool gateway's side of actions: a person's word handed over, an action done, an outcome asked for.

Every call may be repeated: an approval returns its first decision, and the key of an action keeps it from happening
twice.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final, TypeVar

from services.contract.asks import Said
from services.contract.events import ActionOutcome, ActionSettled
from services.contract.tool import (
    ActionReceipt,
    ApprovalVerdict,
    ApproveActionRequest,
    ApproveActionResponse,
    EffectStatus,
    ExecuteActionRequest,
    ExecuteActionResponse,
    ReconcileActionRequest,
    ReconcileActionResponse,
    ToolFailure,
)
from services.orchestrator.calls import Ensemble
from services.orchestrator.flow.state import FlowState
from services.runtime import deadlines
from services.runtime.errors import (
    DeadlineExceeded,
    FailedPrecondition,
    Forbidden,
    HapjuError,
    InvalidRequest,
    NotFound,
    Unauthenticated,
    Unavailable,
)

TRIES_MAX: Final = 4
"""How often an action is asked for whose outcome is not heard; its key keeps it from happening twice."""
TRY_SHARE: Final = 0.5
"""Of the time that is left, what one try may take: an outcome that is not heard is asked for, and told, in time."""
PAUSE_SECONDS: Final = 0.2
"""The first pause between two tries; each further one is twice as long."""

T = TypeVar("T")


class Effects:
    """Has actions approved, done and settled.

    Args:
        ensemble: Knows the tool gateway.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        self._ensemble = ensemble

    async def reconciled(self, state: FlowState, asked: ReconcileActionRequest) -> ReconcileActionResponse:
        """Ask the ledger what became of an action, once in the flow's life."""

        async def heard() -> ReconcileActionResponse:
            return ReconcileActionResponse(await _outcome(self._ensemble.reconcile_action(asked)))

        place = f"reconciled/{asked.proposed_by}/{asked.step_id}/{asked.ordinal}"
        return await state.checkpoints.once(place, ReconcileActionResponse, heard)

    async def approve(
        self, state: FlowState, place: str, approval_id: str, digest: str, verdict: ApprovalVerdict
    ) -> ApproveActionResponse:
        """Hand over a person's word on what they were shown, once in the flow's life."""
        request = ApproveActionRequest(state.run(), approval_id, digest, verdict)

        async def approved() -> ApproveActionResponse:
            try:
                return await _again(lambda: self._ensemble.approve_action(request))
            except HapjuError as error:
                # Without its approval an action is not done, whatever became of the word.
                return ApproveActionResponse(unheard(error))

        return await state.checkpoints.once(f"{place}/approval", ApproveActionResponse, approved)

    async def executed(
        self, state: FlowState, place: str, request: ExecuteActionRequest
    ) -> tuple[ActionSettled, Said | None]:
        """Have an action done, once in the flow's life; return what became of it and the sentence that tells it."""
        done = await state.checkpoints.once(f"{place}/receipt", ExecuteActionResponse, lambda: self._execute(request))
        return settled_as(request, done.outcome), done.outcome.told

    async def _execute(self, request: ExecuteActionRequest) -> ExecuteActionResponse:
        """Ask for an action until its outcome is heard, a few times, and settle one that is in doubt by asking."""
        asked = ReconcileActionRequest(request.run, request.step_id, request.ordinal, request.proposed_by)
        outcome: ActionReceipt | ToolFailure = _NOT_TRIED
        for trial in range(TRIES_MAX):
            outcome = await _outcome(self._ensemble.execute_action(request))
            if isinstance(outcome, ActionReceipt) and outcome.status in _OPEN:
                outcome = await _outcome(self._ensemble.reconcile_action(asked))
            if not _is_open(outcome):
                break
            await asyncio.sleep(PAUSE_SECONDS * 2**trial)
        return ExecuteActionResponse(outcome)


_NOT_TRIED: Final = ToolFailure("NOT_TRIED", "", "", retryable=True)
_REFUSED: Final = (InvalidRequest, Unauthenticated, Forbidden, NotFound, FailedPrecondition)
"""Statuses by which nothing was done; with any other one it is not known."""
_OPEN: Final = frozenset({EffectStatus.PENDING, EffectStatus.STARTED, EffectStatus.IN_DOUBT})


def _is_open(outcome: ActionReceipt | ToolFailure) -> bool:
    """Return whether asking again may tell more."""
    return outcome.retryable if isinstance(outcome, ToolFailure) else outcome.status in _OPEN


async def _outcome(call: Awaitable[ExecuteActionResponse | ReconcileActionResponse]) -> ActionReceipt | ToolFailure:
    """Return what came of a call; where that was not heard it is open, and never the end of the flow."""
    try:
        with deadlines.within_share(TRY_SHARE):
            return (await call).outcome
    except HapjuError as error:
        return unheard(error)


def unheard(error: HapjuError) -> ToolFailure:
    """Return the failure of a call that ended with a status: refused, or unknown and worth asking for again."""
    return ToolFailure(error.reason, error.message, "", retryable=not isinstance(error, _REFUSED))


async def _again(call: Callable[[], Awaitable[T]]) -> T:
    """Make a call that is safe to repeat again while its peer cannot be reached."""
    for trial in range(TRIES_MAX - 1):
        try:
            return await call()
        except (Unavailable, DeadlineExceeded):
            await asyncio.sleep(PAUSE_SECONDS * 2**trial)
    return await call()


def settled_as(
    request: ExecuteActionRequest | ReconcileActionRequest, outcome: ActionReceipt | ToolFailure, action_type: str = ""
) -> ActionSettled:
    """Return what became of an action, by what the ledger says or by why nothing was done."""
    asked_for = request.action_type if isinstance(request, ExecuteActionRequest) else action_type
    base = ActionSettled(request.step_id, request.ordinal, asked_for, ActionOutcome.REFUSED)
    if isinstance(outcome, ToolFailure):
        # A failure that may be mended later can hide a claim that another try holds: only the ledger knows.
        kind = ActionOutcome.IN_DOUBT if outcome.retryable else ActionOutcome.REFUSED
        return replace(base, outcome=kind, reason=outcome.reason)
    kind = ActionOutcome.DONE if outcome.status is EffectStatus.SUCCEEDED else ActionOutcome.IN_DOUBT
    if outcome.status is EffectStatus.FAILED:
        kind = ActionOutcome.REFUSED
    return replace(
        base,
        outcome=kind,
        reason="" if kind is ActionOutcome.DONE else outcome.failure_reason or outcome.status.value,
        effect_key=outcome.effect_key,
        result_json=outcome.result_json,
        result_schema_id=outcome.result_schema_id,
    )
