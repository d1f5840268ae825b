"""Does what agents ask for: previewed, shown, approved by the user's own word, and done once.

    preview ─ cannot be done ──────────────────────────────► REFUSED
       │                                                      (so is one whose preview cannot be had)
       ├ needs no approval ────────────────────► execute ──► DONE
       └ approval, asked for side by side ─ yes ► approve ─► execute ─► DONE, REFUSED or IN_DOUBT
                          ├ no ────────────────────────────► REJECTED
                          ├ stop, or nobody in time ───────► the flow is cancelled
                          └ nobody can be asked ───────────► AWAITING_APPROVAL

Flow, step and ordinal are the key under which the ledger of effects holds an action. The next driver of the flow has
the same key, so an action whose outcome was lost with its driver is asked for again and happens once.
"""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from services.contract.events import (
    ActionOutcome,
    ActionSettled,
    PendingAction,
    QuestionKind,
    ShownAction,
    ShownField,
)
from services.contract.flow import ActionRequest, FailureTag
from services.contract.tool import (
    ActionPreview,
    ApprovalVerdict,
    ExecuteActionRequest,
    PreviewActionRequest,
    PreviewActionResponse,
    ToolFailure,
)
from services.orchestrator import texts
from services.orchestrator.acts.effects import Effects, unheard
from services.orchestrator.acts.told import Came, sentence_of, target_of, with_answers
from services.orchestrator.acts.word import word_on
from services.orchestrator.calls import Ensemble
from services.orchestrator.flow.desk import PersonQuestion
from services.orchestrator.flow.state import FlowState
from services.orchestrator.flow.waiting import answers_of
from services.orchestrator.steps.tooling import KnownTools
from services.runtime.errors import HapjuError

ACTIONS_MAX: Final = 8
"""How many actions one flow does; what an agent asks for beyond is refused."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One action at its place in the flow."""

    step_id: str
    ordinal: int
    request: ActionRequest

    @property
    def place(self) -> str:
        return f"action/{self.step_id}/{self.ordinal}"

    def settled(self, outcome: ActionOutcome, reason: str) -> ActionSettled:
        return ActionSettled(self.step_id, self.ordinal, self.request.action_type, outcome, reason)


class Acting:
    """Acts.

    Args:
        ensemble: Whom it acts through.
        question_seconds_max: How long a person is waited for; an approval's own expiry may be nearer.
    """

    def __init__(self, ensemble: Ensemble, question_seconds_max: float) -> None:
        self._ensemble = ensemble
        self.effects = Effects(ensemble)
        self._question_seconds_max = question_seconds_max
        self._registry = KnownTools(ensemble)

    async def act(self, state: FlowState) -> None:
        """Do what the flow's results ask for; what became of it is left in the flow's state and told.

        Raises:
            FlowLeft: The user said stop, or nothing in time, when asked; what is done stays done.
        """
        wanted = [
            _Wanted(step_id, ordinal, request)
            for step_id, result in state.findings.results.items()
            for ordinal, request in enumerate(result.action_requests)
        ]
        now, beyond = wanted[:ACTIONS_MAX], wanted[ACTIONS_MAX:]
        previews = await _side_by_side([self._previewed(state, one) for one in now])
        words = await self._words(state, dict(zip(now, previews, strict=True)))
        settled = [self._settled(state, one, preview, words) for one, preview in zip(now, previews, strict=True)]
        refused = [Came(one.settled(ActionOutcome.REFUSED, "TOO_MANY_ACTIONS"), one.request.ask_id) for one in beyond]
        await tell(state, (*await _side_by_side(settled), *refused))

    async def proposed(self, state: FlowState, step_id: str, ordinal: int, request: ActionRequest) -> Came:
        """Show one action under this flow's key and leave it waiting for the user's word; nothing is done."""
        wanted = _Wanted(step_id, ordinal, request)
        return await self._settled(state, wanted, await self._previewed(state, wanted, forced=True), {})

    async def _previewed(
        self, state: FlowState, wanted: _Wanted, *, forced: bool = False
    ) -> ActionPreview | ToolFailure:
        place = f"{wanted.place}/preview"
        forced = forced or state.confirmation_needed
        forced = forced or (state.route is not None and state.route.requires_confirmation)
        previewed = await state.checkpoints.once(
            place, PreviewActionResponse, lambda: self._preview(state, wanted, forced=forced)
        )
        return previewed.outcome

    async def _words(
        self, state: FlowState, previews: Mapping[_Wanted, ActionPreview | ToolFailure]
    ) -> Mapping[_Wanted, str]:
        """Ask for the user's word on all that needs it, at once: whoever stops it does so before any is done."""
        asked = {
            wanted: await self._approval(state, wanted, preview)
            for wanted, preview in previews.items()
            if isinstance(preview, ActionPreview) and preview.confirmation_required
        }
        if not asked or not state.question.interactive:
            return {}
        return dict(zip(asked, await answers_of(state, tuple(asked.values())), strict=True))

    async def _settled(
        self,
        state: FlowState,
        wanted: _Wanted,
        preview: ActionPreview | ToolFailure,
        words: Mapping[_Wanted, str],
    ) -> Came:
        ask_id = wanted.request.ask_id
        if isinstance(preview, ToolFailure):
            return Came(wanted.settled(ActionOutcome.REFUSED, preview.reason), ask_id, told=preview.told)
        word = word_on(words[wanted], preview.words) if wanted in words else None
        if preview.confirmation_required and word is None:
            waits = wanted.settled(
                ActionOutcome.AWAITING_APPROVAL, "NOT_INTERACTIVE" if wanted not in words else "OVERTAKEN"
            )
            return Came(replace(waits, pending=_pending(state, preview, wanted)), ask_id, preview.fields, preview.asks)
        if preview.confirmation_required and word is not None:
            verdict = ApprovalVerdict.APPROVE if word.approves else ApprovalVerdict.REJECT
            approved = await self.effects.approve(
                state, wanted.place, preview.approval_id, preview.action_digest, verdict
            )
            if not word.approves:
                return Came(wanted.settled(ActionOutcome.REJECTED, "USER_REJECTED"), ask_id, preview.fields)
            if isinstance(approved.outcome, ToolFailure):
                return Came(wanted.settled(ActionOutcome.REFUSED, approved.outcome.reason), ask_id, preview.fields)
        request = ExecuteActionRequest(
            run=state.run(),
            step_id=wanted.step_id,
            ordinal=wanted.ordinal,
            action_type=wanted.request.action_type,
            arguments_json=wanted.request.arguments_json,
            arguments_schema_id=wanted.request.arguments_schema_id,
            approval_id=preview.approval_id,
        )
        settled, told = await self.effects.executed(state, wanted.place, request)
        settled = replace(settled, pending=_pending(state, preview, wanted))
        return Came(settled, ask_id, preview.fields, told)

    async def _preview(self, state: FlowState, wanted: _Wanted, *, forced: bool) -> PreviewActionResponse:
        request = PreviewActionRequest(
            run=state.run(),
            step_id=wanted.step_id,
            ordinal=wanted.ordinal,
            action_type=wanted.request.action_type,
            arguments_json=wanted.request.arguments_json,
            arguments_schema_id=wanted.request.arguments_schema_id,
            confirmation_forced=forced,
        )
        try:
            return await self._ensemble.preview_action(request)
        except HapjuError as error:
            # What was not shown is not done.
            return PreviewActionResponse(unheard(error))

    async def _approval(
        self, state: FlowState, wanted: _Wanted, preview: ActionPreview
    ) -> tuple[PersonQuestion, float]:
        """Return what asks the user for their word on exactly what they are shown, and for how long."""
        seconds = self._question_seconds_max
        if preview.expire_time is not None:
            seconds = min(seconds, max(0.0, (preview.expire_time - state.clock()).total_seconds()))
        tools = await self._registry.tools(state.locale)
        role = tools[preview.tool].required_role if preview.tool in tools else ""
        action = target_of(preview.fields) or preview.action_type
        ask = PersonQuestion(
            QuestionKind.APPROVAL,
            texts.say(state.locale, "approve", action=action)
            if preview.asks is None
            else preview.asks.of(state.locale),
            options=texts.yes_no(state.locale),
            name=f"{wanted.place}/approval",
            allowed_roles=(role,) if role else (),
            action=_shown(preview),
        )
        return ask, seconds


async def tell(state: FlowState, came: Sequence[Came]) -> None:
    """Tell what became of actions: as the answers of their asks, and of those that were for none as cautions."""
    for step_id, result in state.findings.results.items():
        own = [one for one in came if one.settled.step_id == step_id and one.ask_id]
        state.findings.results[step_id] = with_answers(result, own) if own else result
    answers = {answer.ask_id: answer for result in state.findings.results.values() for answer in result.answers}
    for one in came:
        settled = replace(one.settled, answer=answers.get(one.ask_id))
        await state.emitter.emit(settled)
        state.findings.actions.append(settled)
        if (tag := _TAGS.get(settled.outcome)) is not None:
            state.tag(tag)
        if not one.ask_id:
            state.cautions.append(sentence_of(one).of(state.locale))


_TAGS: Final = {
    ActionOutcome.REFUSED: FailureTag.TOOL_GATEWAY_REJECTED,
    ActionOutcome.REJECTED: FailureTag.USER_DECLINED,
}
"""How a flow is tagged whose action was not done."""


def _pending(state: FlowState, preview: ActionPreview, wanted: _Wanted) -> PendingAction:
    return PendingAction(
        flow_run_id=state.flow_run_id,
        approval_id=preview.approval_id,
        action=_shown(preview),
        arguments_json=wanted.request.arguments_json,
        arguments_schema_id=wanted.request.arguments_schema_id,
        expire_time=preview.expire_time,
    )


def _shown(preview: ActionPreview) -> ShownAction:
    fields = (ShownField(one.name, one.label, one.kind.value, one.number, one.text) for one in preview.fields)
    return ShownAction(preview.action_type, preview.action_digest, tuple(fields), preview.words)


async def _side_by_side(calls: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Make calls side by side; the first that fails ends the others and is what is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(call) for call in calls]
    except* Exception as failures:  # noqa: BLE001 - whoever asked for them is told
        raise _first(failures) from None
    return [task.result() for task in tasks]


def _first(failures: BaseExceptionGroup[Exception]) -> Exception:
    leaf = failures.exceptions[0]
    return _first(leaf) if isinstance(leaf, BaseExceptionGroup) else leaf
