"""The path of a question, from its admission to its answer; read it beside the picture in the README.

blank? ──► "please enter a question"
policy check ║ routing        side by side; a BLOCK throws the route away
route says ask or respond ──► its own text
plan ── something missing ──► the plan's question
reuse                         what the conversation found before is not looked up again
steps                         agents, side by side where nothing binds them
actions                       what agents ask for: shown, approved, done once
synthesis                     streamed; a lost synthesizer is asked once more, then the results speak for themselves
"""

import asyncio
from collections.abc import Collection
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from services.contract.events import FinalAnswer, Phase, Progress, QuestionKind, Routed
from services.contract.flow import DecisionSource, FailureTag, NextAction, RouteDecision, Spent
from services.contract.policy import CheckPolicyRequest, CheckPolicyResponse, Verdict
from services.contract.router import RouteRequest, RouteResponse
from services.contract.synthesizer import SynthesizedAnswer, SynthesizeRequest
from services.orchestrator import texts
from services.orchestrator.acting import Acting
from services.orchestrator.answer import Reply, answer_of_reply, answer_of_results
from services.orchestrator.calls import Ensemble, LetGo
from services.orchestrator.loop import TeamLoop
from services.orchestrator.planning import PlanDrafting
from services.orchestrator.replies import is_yes
from services.orchestrator.reusing import Reusing
from services.orchestrator.state import FlowState
from services.orchestrator.waiting import Ask, answer_of
from services.runtime import deadlines
from services.runtime.errors import DeadlineExceeded, HapjuError, Internal
from services.text.normalise import is_blank

SYNTHESIS_ATTEMPTS_MAX: Final = 2
"""How often the synthesizer is asked before the results speak for themselves."""

WRITING_SECONDS_MIN: Final = 0.05
"""With less time left no answer is begun: steps that ran out of time leave some hops' margins, and no more."""

_ROUTE_STATUS: Final = {
    NextAction.CONFIRM: "asked",
    NextAction.CLARIFY: "asked",
    NextAction.RESPOND: "out_of_scope",
}


class Conductor:
    """Takes questions along their path."""

    def __init__(self, ensemble: Ensemble, reusing: Reusing, loop: TeamLoop, question_seconds_max: float) -> None:
        self._ensemble = ensemble
        self._reusing = reusing
        self._loop = loop
        self._question_seconds_max = question_seconds_max
        self._drafting = PlanDrafting(ensemble, question_seconds_max)
        self._acting = Acting(ensemble, question_seconds_max)

    async def answer(self, state: FlowState) -> FinalAnswer:
        """Takes one question from admission to its answer, telling every step of the way.

        Raises:
            FlowLeft: The user said stop, or nothing, when asked.
            HapjuError: Where policy, router or planner cannot be had: nothing runs unguarded or on a guess.
        """
        await state.enter(Phase.ADMITTED)
        if is_blank(state.question.text):
            return await self._reply(state, Reply(texts.say(state.locale, "blank"), "guided"))
        early = await self._guard_and_route(state) or await self._plan(state)
        if early is not None:
            return await self._reply(state, early)
        await self._reusing.apply(state)
        await state.enter(Phase.EXECUTING)
        await self._loop.execute(state)
        await self._acting.act(state)
        left = deadlines.remaining_seconds()
        if left is not None and left < WRITING_SECONDS_MIN:
            raise DeadlineExceeded("the time was up before the answer could be written")
        await state.enter(Phase.REVIEWED)
        return answer_of_results(state, await self._synthesize(state))

    async def let_go(self, flow_run_id: str, agents: Collection[str] | None = None) -> LetGo:
        """Waits until no hop works for a flow any more; of agents, those that another driver has called."""
        return await self._ensemble.let_go(flow_run_id, agents)

    def forget(self, flow_run_id: str) -> None:
        """Forgets what is remembered of a flow that is over."""
        self._ensemble.forget(flow_run_id)

    async def _guard_and_route(self, state: FlowState) -> Reply | None:
        await _progress(state, "checking")
        verdict, routed = await self._judge(state)
        await state.account(verdict.spent)
        if verdict.verdict is Verdict.BLOCK:
            state.tag(FailureTag.POLICY_BLOCKED)
            await state.enter(Phase.GUARDED)
            return Reply(verdict.message, "blocked")
        if verdict.verdict is Verdict.WARN:
            state.confirmation_needed = True
            state.cautions.append(verdict.message)
        await state.enter(Phase.GUARDED)
        await state.account(routed.spent)
        state.route = routed.route
        await state.emitter.emit(Routed(routed.route))
        await state.enter(Phase.ROUTED)
        if routed.route.next_action is NextAction.CONFIRM and state.question.interactive:
            return await self._confirm(state, routed.route)
        return _reply_of_route(state, routed.route)

    async def _confirm(self, state: FlowState, route: RouteDecision) -> Reply | None:
        """Asks whether the question is understood; anything but a yes ends the flow with its examples."""
        ask = Ask(QuestionKind.CONFIRM, route.message)
        said = await answer_of(state, ask, self._question_seconds_max)
        if not is_yes(said):
            return _reply_of_route(state, replace(route, next_action=NextAction.CLARIFY))
        state.route = replace(route, next_action=NextAction.PROCEED)
        return None

    async def _judge(self, state: FlowState) -> tuple[CheckPolicyResponse, RouteResponse]:
        """Asks policy and router side by side, so that the check adds no latency (spec 1.4)."""
        run, question, kept = state.run(), state.question, state.checkpoints
        checking = CheckPolicyRequest(run, question.text)
        memory = await state.recall()
        routing = RouteRequest(run, question.text, state.history, question.intent_hint, question.router_output, memory)
        try:
            async with asyncio.TaskGroup() as group:
                verdict = group.create_task(
                    kept.once("policy", CheckPolicyResponse, lambda: self._ensemble.check_policy(checking)),
                    name="policy",
                )
                routed = group.create_task(
                    kept.once("route", RouteResponse, lambda: self._ensemble.route(routing)),
                    name="router",
                )
        except* HapjuError as failures:
            raise _first(failures) from None
        return verdict.result(), routed.result()

    async def _plan(self, state: FlowState) -> Reply | None:
        await _progress(state, "planning")
        obstructed = await self._drafting.draft(state)
        if obstructed is not None or state.plan is None:
            return obstructed
        missing = ", ".join(texts.what(agent, state.locale) for agent in state.plan.unavailable_agents)
        if not any(self._ensemble.serves(step.agent) for step in state.plan.steps):
            return _reply_unavailable(state, missing)
        if missing:
            state.cautions.append(texts.say(state.locale, "partly_available", agents=missing))
        return None

    async def _synthesize(self, state: FlowState) -> SynthesizedAnswer:
        await state.enter(Phase.SYNTHESIZING)
        await _progress(state, "writing")
        kept = state.checkpoints.get("answer", SynthesizedAnswer)
        if kept is not None:
            state.emitter.begin_attempt()
            state.emitter.write(kept.final_response)
            await state.account(kept.spent)
            return kept
        for _ in range(SYNTHESIS_ATTEMPTS_MAX):
            attempt = state.emitter.begin_attempt()
            try:
                return await self._written(state, attempt)
            except HapjuError as error:
                await state.account(error.spent)
        state.tag(FailureTag.RESPONSE_SYNTHESIS_FAILED)
        return _plain_answer(state)

    async def _written(self, state: FlowState, attempt: int) -> SynthesizedAnswer:
        if state.route is None:
            raise ValueError("an answer is written before the route")
        request = SynthesizeRequest(
            run=state.run(),
            question=state.question.text,
            route=state.route,
            results=state.ordered_results(),
            cautions=tuple(state.cautions),
            answer_attempt=attempt,
            history=state.history,
        )
        async with aclosing(self._ensemble.synthesize(request)) as events:
            async for told in events:
                if isinstance(told.event, SynthesizedAnswer):
                    answer = _matching(told.event, state.emitter.text)
                    await state.checkpoints.keep({"answer": answer})
                    await state.account(answer.spent)
                    return answer
                if told.event.text_offset != len(state.emitter.text):
                    raise Internal("the synthesizer's text has a gap", reason="TEXT_GAP")
                state.emitter.write(told.event.text)
        raise Internal("the synthesizer ended without an answer", reason="ANSWER_MISSING")

    async def _reply(self, state: FlowState, reply: Reply) -> FinalAnswer:
        state.emitter.begin_attempt()
        state.emitter.write(reply.text)
        return answer_of_reply(state, reply)


def _reply_of_route(state: FlowState, route: RouteDecision) -> Reply | None:
    if route.next_action is NextAction.PROCEED:
        return None
    if route.next_action is NextAction.CLARIFY:
        state.tag(FailureTag.INTENT_LOW_CONFIDENCE)
    examples = "".join(f"\n- {example}" for example in route.examples)
    status = "guided" if route.intent == "greeting" else _ROUTE_STATUS[route.next_action]
    confirms = route.next_action is NextAction.CONFIRM
    return Reply(route.message + examples, status, route.examples, requires_confirmation=confirms)


def _reply_unavailable(state: FlowState, missing: str) -> Reply:
    examples = state.route.examples if state.route is not None else ()
    text = texts.say(state.locale, "not_available", agents=missing)
    if examples:
        text += "\n" + texts.say(state.locale, "offer") + "".join(f"\n- {example}" for example in examples)
    return Reply(text, "out_of_scope", examples)


def _matching(answer: SynthesizedAnswer, streamed: str) -> SynthesizedAnswer:
    """Refuses an answer whose text is not what was streamed: the client has already read that."""
    if answer.final_response != streamed:
        raise Internal("the synthesizer's answer differs from its stream", reason="TEXT_DIFFERS")
    return answer


def _plain_answer(state: FlowState) -> SynthesizedAnswer:
    """Returns the agents' own summaries, where no synthesizer could be had."""
    summaries = [result.summary for result in state.ordered_results() if result.summary]
    found = summaries or [texts.say(state.locale, "nothing_found")]
    text = "\n\n".join([texts.say(state.locale, "synthesis_lost"), *found, *state.cautions])
    state.emitter.begin_attempt()
    state.emitter.write(text)
    return SynthesizedAnswer(
        final_response=text,
        source=DecisionSource.FALLBACK,
        citations=(),
        data_freshness=(),
        next_suggested_actions=(),
        failure_tags=(FailureTag.RESPONSE_SYNTHESIS_FAILED,),
        evidence_confidence=None,
        dropped_sentences=0,
        spent=Spent(),
    )


def _first(failures: BaseExceptionGroup[HapjuError]) -> HapjuError:
    leaf = failures.exceptions[0]
    return _first(leaf) if isinstance(leaf, BaseExceptionGroup) else leaf


async def _progress(state: FlowState, name: str) -> None:
    await state.emitter.emit(Progress("orchestrator", "", texts.say(state.locale, name)))
