"""A person's word on what an earlier message of the conversation showed them, given in a message of its own.

    it says yes and nothing else, and the last message showed an action    approved, and done under its own key
    it says yes, names the action, and other subjects came between          the same
    it says a bare yes after other subjects                                 no word on it: its domain shows it anew
    it says no                                                              rejected, nothing is done
    the time to approve is over, or what would be done has changed          shown anew, with a new approval
    it says yes again to what is done                                       what was done is told again
    the outcome was not known                                               it is asked for, and told once known

An action keeps the key of the flow that proposed it: however often a yes is said, and wherever, it happens once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from services.catalog.loader import catalog
from services.contract.asks import AnswerState, Ask, AskAnswer, Said
from services.contract.events import ActionOutcome, ActionSettled, PendingAction, Routed
from services.contract.flow import ActionRequest, AgentResult, AgentStatus, NextAction, RouteDecision, ToolMode
from services.contract.recording import EarlierFlow
from services.contract.tool import (
    ApprovalVerdict,
    ExecuteActionRequest,
    ReconcileActionRequest,
    ToolFailure,
)
from services.orchestrator import texts
from services.orchestrator.acts.acting import Acting, tell
from services.orchestrator.acts.effects import settled_as
from services.orchestrator.acts.told import Came
from services.orchestrator.acts.word import ActionWord, word_on
from services.orchestrator.flow.state import FlowState
from services.plugin.asks.closings import is_closing

WORD_CHARACTERS_MAX: Final = 80
"""A longer message says more than a word on an action."""
SURE: Final = 0.99
"""How sure it is what a message that is a word on an action is about."""
_ANEW: Final = frozenset({"APPROVAL_EXPIRED", "APPROVAL_MISMATCH", "APPROVAL_REJECTED", "NOT_FOUND"})
"""Why an approval holds no more, for which what would be done is shown anew."""


@dataclass(frozen=True, slots=True)
class WordMeant:
    """What a message gives a person's word on."""

    flow: EarlierFlow
    """The flow that proposed it or did it."""
    actions: tuple[ActionSettled, ...]
    """Its actions that are meant."""
    word: ActionWord
    """What is said."""


class Approving:
    """Carries out what a later message approves.

    Args:
        acting: Does actions.
    """

    def __init__(self, acting: Acting) -> None:
        self._acting = acting

    async def meant(self, state: FlowState) -> WordMeant | None:
        """Return what a message gives a word on; None where it says something else, or nothing waits."""
        if not state.caller.is_logged_in or not state.history or len(state.question.text) > WORD_CHARACTERS_MAX:
            return None
        return meant_by(state.question.text, await state.earlier())

    async def carry_out(self, state: FlowState, meant: WordMeant) -> None:
        """Do what is meant, or do not; the flow's route, results and actions tell it as any other flow's do."""
        asks, open_ = _spoken_of(meant)
        state.route = _route_of(asks)
        await state.emitter.emit(Routed(state.route))
        came = [await self._settled(state, meant, one) for one in meant.actions]
        for ask in asks:
            own = [one for one in came if one.ask_id == ask.ask_id]
            step_id = own[0].settled.step_id if own else ""
            if own and step_id not in state.findings.results:
                state.findings.results[step_id] = _result(step_id, state.route)
            if own:
                answers = (*state.findings.results[step_id].answers, AskAnswer(ask.ask_id, ask.form, AnswerState.OPEN))
                state.findings.results[step_id] = replace(
                    state.findings.results[step_id], answers=_with_told(answers, meant)
                )
        if open_ and state.findings.results:
            step_id, result = next(iter(state.findings.results.items()))
            state.findings.results[step_id] = replace(result, answers=(*result.answers, *open_))
        await tell(state, came)

    async def settle_doubts(self, state: FlowState) -> None:
        """Ask what became of what the last message left unknown, and tell it where it is known now."""
        if not state.caller.is_logged_in or not state.history:
            return
        for settled in _in_doubt(await state.earlier()):
            pending = settled.pending
            if pending is None:
                continue
            asked = ReconcileActionRequest(state.run(), settled.step_id, settled.ordinal, pending.flow_run_id)
            outcome = (await self._acting.effects.reconciled(state, asked)).outcome
            known = settled_as(asked, outcome, settled.action_type)
            if known.outcome is not ActionOutcome.IN_DOUBT:
                await state.emitter.emit(known)
                state.findings.actions.append(known)
                state.cautions.append(_of_outcome(known, outcome.told).of(state.locale))

    async def _settled(self, state: FlowState, meant: WordMeant, settled: ActionSettled) -> Came:
        ask_id = settled.answer.ask_id if settled.answer is not None else ""
        pending = settled.pending
        if settled.outcome is ActionOutcome.DONE or pending is None:
            sentence = settled.answer.sentence if settled.answer is not None else None
            return Came(settled, ask_id, told=_again(sentence))
        place = f"approval/{settled.step_id}/{settled.ordinal}"
        verdict = ApprovalVerdict.APPROVE if meant.word.approves else ApprovalVerdict.REJECT
        digest = pending.action.action_digest
        approved = (await self._acting.effects.approve(state, place, pending.approval_id, digest, verdict)).outcome
        if not meant.word.approves:
            rejected = replace(settled, outcome=ActionOutcome.REJECTED, reason="USER_REJECTED", pending=None)
            return Came(rejected, ask_id, told=texts.both("action_let_be"))
        if isinstance(approved, ToolFailure) and approved.reason in _ANEW:
            return await self._anew(state, settled, pending, ask_id)
        request = _execution(state, settled, pending)
        done, told = await self._acting.effects.executed(state, place, request)
        if done.outcome is ActionOutcome.REFUSED and done.reason in _ANEW:
            return await self._anew(state, settled, pending, ask_id)
        return Came(replace(done, pending=pending), ask_id, told=told or _of_outcome(done, None))

    async def _anew(self, state: FlowState, settled: ActionSettled, pending: PendingAction, ask_id: str) -> Came:
        """Show an action again whose approval holds no more; nothing is done by the word on the old one."""
        request = ActionRequest(settled.action_type, pending.arguments_json, pending.arguments_schema_id, ask_id)
        came = await self._acting.proposed(state, settled.step_id, settled.ordinal, request)
        if came.settled.outcome is ActionOutcome.AWAITING_APPROVAL and came.told is not None:
            return replace(came, told=_joined(texts.both("shown_anew"), came.told))
        return came


def meant_by(message: str, flows: Sequence[EarlierFlow]) -> WordMeant | None:
    """Return what a message gives a word on: what waits in the last flow, or before others where it names it."""
    for at, flow in enumerate(flows):
        open_actions = tuple(one for one in flow.actions if one.outcome is ActionOutcome.AWAITING_APPROVAL)
        done = tuple(one for one in flow.actions if one.outcome is ActionOutcome.DONE and one.answer is not None)
        word = next((_word(message, one) for one in open_actions), None)
        if word is not None and (at == 0 or word.names):
            return WordMeant(flow, open_actions, word)
        again = _word(message, done[0]) if done and not open_actions and at == 0 else None
        if again is not None and again.approves:
            return WordMeant(flow, done, again)
        if flow.actions or _acts(flow):
            return None
    return None


def told_of_nothing(message: str) -> str:
    """Return which text answers a message that is a yes or a no and nothing else, where nothing waits for one."""
    word = word_on(message, ()) if len(message) <= WORD_CHARACTERS_MAX else None
    if word is None or is_closing(message):
        return ""
    return "nothing_waits" if word.approves else "nothing_changed"


def _word(message: str, settled: ActionSettled) -> ActionWord | None:
    return word_on(message, settled.pending.action.words if settled.pending is not None else ())


def _acts(flow: EarlierFlow) -> bool:
    """Tell whether a flow was asked to do something: what was proposed before it is not meant any more."""
    return flow.asked is not None and any(ask.form == "ACT" for ask in flow.asked.asks)


def _in_doubt(flows: Sequence[EarlierFlow]) -> Iterator[ActionSettled]:
    """Yield what is not known of the last flow that did something."""
    last = next((flow for flow in flows if flow.actions), None)
    if last is not None:
        yield from (one for one in last.actions if one.outcome is ActionOutcome.IN_DOUBT)


def _execution(state: FlowState, settled: ActionSettled, pending: PendingAction) -> ExecuteActionRequest:
    return ExecuteActionRequest(
        run=state.run(),
        step_id=settled.step_id,
        ordinal=settled.ordinal,
        action_type=settled.action_type,
        arguments_json=pending.arguments_json,
        arguments_schema_id=pending.arguments_schema_id,
        approval_id=pending.approval_id,
        proposed_by=pending.flow_run_id,
    )


def _spoken_of(meant: WordMeant) -> tuple[tuple[Ask, ...], tuple[AskAnswer, ...]]:
    """Return the asks of the earlier message that a word is on or that still lack something, with what these lack.

    What was answered beside them is answered, and no word is on it.
    """
    asked = meant.flow.asked
    if asked is None:
        return (), ()
    acts = {one.answer.ask_id for one in meant.actions if one.answer is not None}
    acts = acts or {ask.ask_id for ask in asked.asks}
    open_ = tuple(one for one in asked.answers if one.state is AnswerState.ASKING and one.ask_id not in acts)
    kept = acts | {one.ask_id for one in open_}
    return tuple(ask for ask in asked.asks if ask.ask_id in kept), open_


def _with_told(answers: Sequence[AskAnswer], meant: WordMeant) -> tuple[AskAnswer, ...]:
    """Return answers that tell of the things that the proposal told of."""
    before = {one.ask_id: one for one in (meant.flow.asked.answers if meant.flow.asked is not None else ())}
    return tuple(replace(one, told=before[one.ask_id].told) if one.ask_id in before else one for one in answers)


def _route_of(asks: Sequence[Ask]) -> RouteDecision:
    """Return the route of a message that is a word on what was asked before."""
    known, intent = catalog(), asks[0].intent
    entry = known.intent(intent)
    return RouteDecision(
        domain=known.domain_of(intent),
        intent=intent,
        confidence=SURE,
        alternatives=(),
        selected_type=intent,
        sql_need=entry.sql,
        graph_need=entry.graph,
        tool_mode=ToolMode.SINGLE,
        target_agents=entry.owners,
        entities=(),
        country_scope=(),
        next_action=NextAction.PROCEED,
        route_source="approval",
        voter_scores=(),
        message="",
        examples=(),
        reason="",
        requires_confirmation=entry.requires_confirmation,
        asks=tuple(asks),
    )


def _result(step_id: str, route: RouteDecision) -> AgentResult:
    return AgentResult(route.target_agents[0], step_id, AgentStatus.ANSWERED, confidence=SURE)


def _of_outcome(settled: ActionSettled, told: Said | None) -> Said:
    return told or texts.both(f"outcome_{settled.outcome.value.lower()}")


def _again(sentence: Said | None) -> Said:
    already = texts.both("action_already")
    if sentence is None:
        return already
    return sentence if sentence.ko.startswith(already.ko) else _joined(already, sentence)


def _joined(one: Said, other: Said) -> Said:
    return Said(f"{one.ko} {other.ko}", f"{one.en} {other.en}")
