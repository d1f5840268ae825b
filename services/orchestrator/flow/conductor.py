"""The path of a question, from its admission to its answer; read it beside the picture in the README.

blank? ──► "please enter a question"
policy check ║ routing        side by side, and what a plan decides without a route; a BLOCK throws them away
route says ask or respond ──► its own text
plan ── something missing ──► the plan's question
reuse                         what the conversation found before is not looked up again
steps                         agents, side by side where nothing binds them
review ║ synthesis            side by side where nothing is to be done; nothing is told before the review is over
actions                       what agents ask for: shown, approved, done once
synthesis                     streamed; a lost synthesizer is asked once more, then the results speak for themselves
"""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Final

from observability import attributes as names
from observability.spans import set_attributes
from services.catalog.loader import catalog
from services.contract.events import FinalAnswer, Phase, Progress, QuestionKind, Routed
from services.contract.flow import (
    FailureTag,
    NextAction,
    RouteDecision,
    Warning,  # noqa: A004 - the contract's word
)
from services.contract.policy import CheckPolicyRequest, CheckPolicyResponse, Verdict
from services.contract.router import RouteRequest, RouteResponse
from services.llm.history import history_of
from services.orchestrator import texts
from services.orchestrator.acts.acting import Acting
from services.orchestrator.acts.approving import Approving, WordMeant, told_of_nothing
from services.orchestrator.calls import Ensemble, LetGo
from services.orchestrator.flow.answer import Reply, answer_of_reply, answer_of_results
from services.orchestrator.flow.attached import attached, unread
from services.orchestrator.flow.desk import PersonQuestion
from services.orchestrator.flow.planning import PlanDrafting
from services.orchestrator.flow.replies import is_yes
from services.orchestrator.flow.reusing import Reusing, asked_before
from services.orchestrator.flow.state import FlowState
from services.orchestrator.flow.waiting import answer_of
from services.orchestrator.flow.writing import Writing
from services.orchestrator.speculation.loans import FIRST_AT_ONCE
from services.orchestrator.speculation.preparing import Prepared, Preparing
from services.orchestrator.steps.loop import TeamLoop
from services.runtime.errors import HapjuError
from services.text.normalise import is_blank

_ROUTE: Final = "route"
"""The route's place in a flow."""
_ROUTE_STATUS: Final = {
    NextAction.CONFIRM: "asked",
    NextAction.CLARIFY: "asked",
    NextAction.RESPOND: "out_of_scope",
}


class Conductor:
    """Takes questions along their path."""

    def __init__(  # noqa: PLR0913 - the stages of the path
        self,
        ensemble: Ensemble,
        reusing: Reusing,
        loop: TeamLoop,
        writing: Writing,
        question_seconds_max: float,
        *,
        preparing: Preparing,
        route_beside_policy: bool = True,
    ) -> None:
        self._ensemble = ensemble
        self._preparing = preparing
        self._reusing = reusing
        self._loop = loop
        self._writing = writing
        self._route_beside_policy = route_beside_policy
        self._question_seconds_max = question_seconds_max
        self._drafting = PlanDrafting(ensemble, reusing, question_seconds_max)
        self._acting = Acting(ensemble, question_seconds_max)
        self._approving = Approving(self._acting)

    async def answer(self, state: FlowState) -> FinalAnswer:
        """Take one question from admission to its answer, telling every step of the way.

        Raises:
            FlowLeft: The user said stop, or nothing, when asked.
            HapjuError: Where policy, router or planner cannot be had: nothing runs unguarded or on a guess.
        """
        await state.enter(Phase.ADMITTED)
        if is_blank(state.question.text) and not state.question.attachments:
            return await self._reply(state, Reply(texts.say(state.locale, "blank"), "guided"))
        meant = await self._approving.meant(state)
        if meant is not None:
            return await self._given_word(state, meant)
        await _note_length(state)
        async with self._preparing.begun(state) as prepared:
            early = await self._guard_and_route(state) or await self._plan(state, prepared)
        if early is not None:
            return await self._reply(state, early)
        await self._approving.settle_doubts(state)
        await self._reusing.apply(state)
        await state.enter(Phase.EXECUTING)
        await self._loop.execute(state)
        async with self._writing.begun(state) as held:
            await self._loop.review(state, partial(self._writing.void, state, held))
            await self._acting.act(state)
            return answer_of_results(state, await self._writing.written(state, held))

    async def _given_word(self, state: FlowState, meant: WordMeant) -> FinalAnswer:
        """Answer a message that gives the user's word on what the conversation showed them; it is not routed."""
        refused = await self._guarded(state, await self._checked(state, beside=False))
        if refused is not None:
            return await self._reply(state, refused)
        await state.enter(Phase.EXECUTING)
        await self._approving.carry_out(state, meant)
        return answer_of_results(state, await self._writing.written(state, None))

    async def let_go(self, flow_run_id: str, agents: Collection[str] | None = None) -> LetGo:
        """Wait until no hop works for a flow any more; of agents, those that another driver has called."""
        return await self._ensemble.let_go(flow_run_id, agents)

    def forget(self, flow_run_id: str) -> None:
        """Forget what is remembered of a flow that is over."""
        self._ensemble.forget(flow_run_id)

    async def _guarded(self, state: FlowState, verdict: CheckPolicyResponse) -> Reply | None:
        """Take the verdict in; return the reply that ends the flow where it says stop."""
        await state.account(verdict.spent)
        set_attributes({names.POLICY_VERDICT: verdict.verdict.value})
        if verdict.verdict is Verdict.BLOCK:
            _pay_for_route(state)
            state.tag(FailureTag.POLICY_BLOCKED)
            await state.enter(Phase.GUARDED)
            return Reply(verdict.message, "blocked")
        if verdict.verdict is Verdict.WARN:
            state.confirmation_needed = True
            state.cautions.append(verdict.message)
        await state.enter(Phase.GUARDED)
        return None

    async def _guard_and_route(self, state: FlowState) -> Reply | None:
        await _progress(state, "checking")
        refused = await self._guarded(state, await self._checked(state))
        if refused is not None:
            return refused
        routed = await self._routed(state)
        await state.account(routed.spent)
        state.route = routed.route
        await state.emitter.emit(Routed(routed.route))
        await state.enter(Phase.ROUTED)
        if not routed.route.asks and (told := told_of_nothing(state.question.text)):
            return Reply(texts.say(state.locale, told), "asked")
        if routed.route.next_action is NextAction.CONFIRM and state.question.interactive:
            return await self._confirm(state, routed.route)
        return unread(state) or _reply_of_route(state, routed.route)

    async def _confirm(self, state: FlowState, route: RouteDecision) -> Reply | None:
        """Ask whether the question is understood; anything but a yes ends the flow with its examples."""
        ask = PersonQuestion(QuestionKind.CONFIRM, route.message)
        said = await answer_of(state, ask, self._question_seconds_max)
        if not is_yes(said):
            return _reply_of_route(state, replace(route, next_action=NextAction.CLARIFY))
        state.route = replace(route, next_action=NextAction.PROCEED)
        return None

    async def _checked(self, state: FlowState, *, beside: bool = True) -> CheckPolicyResponse:
        """Ask for the verdict, and for the route beside it, so that the check adds no latency."""
        check = partial(state.checkpoints.once, "policy", CheckPolicyResponse, partial(self._check, state))
        if not (beside and self._route_beside_policy):
            return await check()
        try:
            async with asyncio.TaskGroup() as group:
                verdict = group.create_task(check(), name="policy")
                group.create_task(self._routed(state), name="router")
        except* HapjuError as failures:
            raise _first(failures) from None
        return verdict.result()

    async def _routed(self, state: FlowState) -> RouteResponse:
        """Ask how the question is understood, once in the flow's life."""
        return await state.checkpoints.once(_ROUTE, RouteResponse, partial(self._route, state))

    async def _check(self, state: FlowState) -> CheckPolicyResponse:
        with state.budget.lend(FIRST_AT_ONCE) as loan:
            return await self._ensemble.check_policy(CheckPolicyRequest(state.run(loan), state.question.text))

    async def _route(self, state: FlowState) -> RouteResponse:
        asked, supplied, memory = state.question, state.question.router_output, await state.recall()
        before, files = await asked_before(state), await attached(state)
        with state.budget.lend(FIRST_AT_ONCE) as loan:
            request = RouteRequest(
                state.run(loan), asked.text, state.history, asked.intent_hint, supplied, memory, before, files
            )
            return await self._ensemble.route(request)

    async def _plan(self, state: FlowState, prepared: Prepared) -> Reply | None:
        await _progress(state, "planning")
        obstructed = await self._drafting.draft(state, prepared)
        if obstructed is not None or state.plan is None:
            return obstructed
        missing = ", ".join(texts.what(agent, state.locale) for agent in state.plan.unavailable_agents)
        if not any(self._ensemble.serves(step.agent) for step in state.plan.steps):
            return _reply_unavailable(state, missing)
        if missing:
            state.cautions.append(texts.say(state.locale, "partly_available", agents=missing))
        return None

    async def _reply(self, state: FlowState, reply: Reply) -> FinalAnswer:
        state.emitter.begin_attempt()
        state.emitter.write(reply.text)
        return answer_of_reply(state, reply)


def _reply_of_route(state: FlowState, route: RouteDecision) -> Reply | None:
    if route.next_action is NextAction.PROCEED:
        return None
    if route.next_action is NextAction.CLARIFY:
        excluding = route.reason == FailureTag.MULTIPLE_INTENTS_CONFLICT.value
        state.tag(FailureTag.MULTIPLE_INTENTS_CONFLICT if excluding else FailureTag.INTENT_LOW_CONFIDENCE)
    examples = "".join(f"\n- {example}" for example in route.examples)
    welcomes = catalog().intent(route.intent).welcomes
    status = "guided" if welcomes else _ROUTE_STATUS[route.next_action]
    confirms = route.next_action is NextAction.CONFIRM
    return Reply(route.message + examples, status, route.examples, requires_confirmation=confirms)


def _pay_for_route(state: FlowState) -> None:
    """Account for a route that was found beside the verdict and is thrown away."""
    routed = state.checkpoints.get(_ROUTE, RouteResponse)
    if routed is not None:
        state.budget.usage += routed.spent.usage


def _reply_unavailable(state: FlowState, missing: str) -> Reply:
    examples = state.route.examples if state.route is not None else ()
    text = texts.say(state.locale, "not_available", agents=missing)
    if examples:
        text += "\n" + texts.say(state.locale, "offer") + "".join(f"\n- {example}" for example in examples)
    return Reply(text, "out_of_scope", examples)


def _first(failures: BaseExceptionGroup[HapjuError]) -> HapjuError:
    leaf = failures.exceptions[0]
    return _first(leaf) if isinstance(leaf, BaseExceptionGroup) else leaf


async def _note_length(state: FlowState) -> None:
    """Tell where the conversation is longer than what can be told of it to a model, even in summary."""
    if not history_of(state.history).fits:
        state.tag(FailureTag.CONTEXT_OVERFLOW)
        reason = FailureTag.CONTEXT_OVERFLOW.value
        await state.warn(Warning(reason, texts.say(state.locale, "conversation_long"), "orchestrator"))


async def _progress(state: FlowState, name: str) -> None:
    await state.emitter.emit(Progress("orchestrator", "", texts.say(state.locale, name)))
