"""From a route to a plan: what is missing is asked for, one question a turn, as long as the user can answer.

draft ─► steps                                    go on
▲  └─► something is missing ─ interactive ─► ask ─► the answer goes into the next draft
│                           └ otherwise ───► the question ends the flow
│      the answer cannot be read ─ it is another request ─► its route ─┐
└──────────────────────────────────────────────────────────────────────┘
└ it is not ─────────────► said, and the flow ends
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from services.catalog.loader import catalog
from services.contract.events import Phase, Planned, QuestionKind, Routed
from services.contract.flow import FailureTag, NextAction, RouteDecision, SlotQuestion, SlotValue
from services.contract.forms import CHOICE
from services.contract.planner import DraftPlanRequest, DraftPlanResponse, SlotAnswer
from services.contract.policy import CheckPolicyRequest, CheckPolicyResponse, Verdict
from services.contract.router import RouteRequest, RouteResponse
from services.durable.requests import shown_text
from services.orchestrator import texts
from services.orchestrator.calls import Ensemble
from services.orchestrator.flow.answer import Reply
from services.orchestrator.flow.desk import PersonQuestion
from services.orchestrator.flow.plan_limits import check_plan
from services.orchestrator.flow.reusing import Reusing
from services.orchestrator.flow.state import FlowState
from services.orchestrator.flow.waiting import answer_of
from services.orchestrator.speculation.preparing import Prepared, draft_place

CHANGES_MAX: Final = 3
"""How often a user may change their mind within one flow."""
QUESTIONS_MAX: Final = 5
"""How many questions one request of the user's is worth, whatever the planner asks."""
DRAFTS_MAX: Final = 12
"""A bound on drafting: five questions and three changes need less."""


@dataclass(slots=True)
class _Collected:
    """What the user has been asked and has said."""

    slots: tuple[SlotValue, ...] = ()
    asked: tuple[str, ...] = ()
    answer: SlotAnswer | None = None


class PlanDrafting:
    """Drafts plans with the user's help."""

    def __init__(self, ensemble: Ensemble, reusing: Reusing, question_seconds_max: float) -> None:
        self._ensemble = ensemble
        self._reusing = reusing
        self._question_seconds_max = question_seconds_max

    async def draft(self, state: FlowState, prepared: Prepared) -> Reply | None:
        """Fill in the flow's plan; return the reply that ends the flow where there can be none.

        Args:
            state: The flow.
            prepared: What was decided on its question before the route was known; the first draft takes it.

        Raises:
            FlowLeft: The user said stop, or nothing, when asked.
            LimitExceeded: The plan is outside its limits; the reason says which.
            HapjuError: Planner or router cannot be had.
        """
        collected, changes = _Collected(), 0
        for number in range(1, DRAFTS_MAX + 1):
            drafted = await self._drafted(state, collected, number, prepared)
            asked = drafted.plan.slot_question
            obstacle = drafted.obstacle
            if asked is not None and asked.slot in collected.asked:
                # No slot is asked for twice: its answer could not be read.
                asked, obstacle = None, FailureTag.INVALID_SLOT_VALUE.value
            if asked is not None:
                if not state.question.interactive:
                    state.tag(FailureTag.MISSING_REQUIRED_SLOTS)
                    return Reply(_in_words(asked), "asked", asked.options)
                if len(collected.asked) == QUESTIONS_MAX:
                    return _obstructed(state, FailureTag.TOO_MANY_QUESTIONS.value)
                collected = await self._asked(state, drafted, collected, asked)
            elif not obstacle:
                check_plan(drafted.plan, catalog().agents)
                return None
            elif changes == CHANGES_MAX:
                return _obstructed(state, obstacle)
            else:
                ended = await self._followed(state, collected, obstacle, number)
                if ended is not None:
                    return ended
                collected, changes = _Collected(), changes + 1
        return _obstructed(state, FailureTag.TOO_MANY_QUESTIONS.value)

    async def _drafted(
        self, state: FlowState, collected: _Collected, number: int, prepared: Prepared
    ) -> DraftPlanResponse:
        draft = partial(self._draft, state, collected, prepared)
        drafted = await state.checkpoints.once(draft_place(number), DraftPlanResponse, draft)
        prepared.is_used = True
        await state.account(drafted.spent)
        state.plan = drafted.plan
        await state.emitter.emit(Planned(drafted.plan))
        await state.enter(Phase.PLANNED)
        return drafted

    async def _draft(self, state: FlowState, collected: _Collected, prepared: Prepared) -> DraftPlanResponse:
        request = DraftPlanRequest(
            run=state.run(),
            question=shown_text(state.question),
            route=_route_of(state),
            history=state.history,
            slots=collected.slots,
            asked_slots=collected.asked,
            answer=collected.answer,
            memory=await state.recall(),
            prepared=await prepared.spent(),
            held=await self._reusing.look_ups(state),
        )
        return await self._ensemble.draft_plan(request)

    async def _asked(
        self,
        state: FlowState,
        drafted: DraftPlanResponse,
        collected: _Collected,
        asked: SlotQuestion,
    ) -> _Collected:
        ask = PersonQuestion(QuestionKind.SLOT, asked.question, asked.slot, asked.options)
        said = await answer_of(state, ask, self._question_seconds_max)
        return _Collected(drafted.plan.slots, (*collected.asked, asked.slot), SlotAnswer(asked.slot, said))

    async def _followed(self, state: FlowState, collected: _Collected, obstacle: str, number: int) -> Reply | None:
        """Follow what the user said instead of an answer, where it is another request; else returns the flow's end."""
        if collected.answer is None:
            return _obstructed(state, obstacle)
        said, run, kept = collected.answer.text, state.run(), state.checkpoints
        checking = CheckPolicyRequest(run, said)
        verdict = await kept.once(
            f"change/{number}/policy", CheckPolicyResponse, lambda: self._ensemble.check_policy(checking)
        )
        await state.account(verdict.spent)
        if verdict.verdict is Verdict.BLOCK:
            state.tag(FailureTag.POLICY_BLOCKED)
            return Reply(verdict.message, "blocked")
        routing = RouteRequest(run, said, state.history)
        routed = await kept.once(f"change/{number}/route", RouteResponse, lambda: self._ensemble.route(routing))
        await state.account(routed.spent)
        if routed.route.next_action is not NextAction.PROCEED or routed.route.intent == _route_of(state).intent:
            return _obstructed(state, obstacle)
        state.question = replace(state.question, text=said)
        state.route = routed.route
        await state.emitter.emit(Routed(routed.route))
        await state.enter(Phase.ROUTED)
        return None


def _route_of(state: FlowState) -> RouteDecision:
    if state.route is None:
        raise ValueError("a plan is asked for before the route")
    return state.route


def _obstructed(state: FlowState, obstacle: str) -> Reply:
    state.tag(FailureTag(obstacle))
    many = obstacle == FailureTag.TOO_MANY_QUESTIONS.value
    return Reply(texts.say(state.locale, "too_many_questions" if many else "unreadable_answer"), "asked")


def _in_words(asked: SlotQuestion) -> str:
    """Return a question with its choices numbered, so that a client which shows text alone shows them too."""
    if not asked.slot.endswith(CHOICE):
        return asked.question
    lines = (f"{number}. {option}" for number, option in enumerate(asked.options, start=1))
    return "\n".join((asked.question, *lines))
