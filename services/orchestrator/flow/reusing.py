"""What is known already is not fetched again: the second judgement, on what the conversation's flows found.

held results ─► judged ─┬─ use ────► they take the search's place in the plan
                        ├─ verify ─► a person is asked; where none can be, they are used with their age said
                        └─ search ─► the plan stays; what is held and fits is left out of the reads
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

import structlog

from services.catalog.loader import catalog
from services.catalog.reuse import with_reused
from services.catalog.sufficiency import (
    FIRST_FAIR,
    HeldResult,
    Need,
    SufficiencyVerdict,
    Use,
    first_hundredths,
    judged,
    need_of,
    still_missing,
    use_at,
)
from services.contract.asks import AskedBefore
from services.contract.events import (
    AgentOutcome,
    AgentSettled,
    DataReuseDecision,
    HeldData,
    QuestionKind,
    QuestionOption,
)
from services.contract.flow import AgentResult, ExecutionPlan, HeldLookUp
from services.contract.recording import EarlierFlow
from services.durable.experiments import DATA_REUSE, NO_REUSE, SUPERVISOR_ONLY, variant_of
from services.orchestrator import texts
from services.orchestrator.flow.desk import PersonQuestion
from services.orchestrator.flow.holding import HeldPart, Holdings, results_of
from services.orchestrator.flow.replies import is_yes
from services.orchestrator.flow.state import FlowState
from services.orchestrator.flow.waiting import answer_of
from services.runtime.run import because

HELD_PLACE: Final = "held"
"""Held results are told as steps of this name, counted from 1."""
LOOK_UPS_MAX: Final = 40
"""How many look-ups the planner is told of, the latest first."""
TITLES_MAX: Final = 3
"""How many titles of held data are said."""
ASKED_MAX: Final = 8
"""How many earlier messages a new one may point back to."""
USE_PREVIOUS: Final = "use_previous"
"""The answer that takes the earlier data."""
SEARCH_NEW: Final = "search_new"
"""The answer that looks it up anew; the default."""
SETTLED_KINDS: Final = ("agent_summary", "execution_orchestration", "execution_review")
"""What is not put to a model where held results are all that a plan comes to: each was summed up and judged when it was
found, and that they answer this question is what has just been judged."""
_FIRST_JUDGEMENT: Final = "data_sufficiency_check"

_log = structlog.get_logger(__name__)


class Reusing:
    """Judges what is held and changes plans by it.

    Args:
        wanted: The setting that turns reuse on.
        question_seconds_max: How long a person is waited for.
    """

    def __init__(self, *, wanted: bool, question_seconds_max: float) -> None:
        self._wanted = wanted
        self._question_seconds_max = question_seconds_max

    async def look_ups(self, state: FlowState) -> tuple[HeldLookUp, ...]:
        """Return what a plan of the flow may be drawn up by: what the conversation holds, the latest first."""
        return tuple(one.look_up for one in (await self._holdings(state)).kept[:LOOK_UPS_MAX])

    async def apply(self, state: FlowState) -> None:
        """Change the flow's plan by what is held already; tell what was decided where anything is held.

        Raises:
            FlowLeft: The user said stop when asked.
        """
        plan = state.plan
        if plan is None or plan.need is None or not plan.need.required_types:
            return
        holdings, need = await self._holdings(state), need_of(plan.need)
        kept = holdings.kept
        if not kept:
            return
        verdict = judged(
            need,
            [one.held for one in kept],
            now=state.now,
            types=catalog().held_types,
            first_hundredths=_first_hundredths(state, plan),
        )
        if variant_of(state.assignments, DATA_REUSE) == SUPERVISOR_ONLY:
            verdict = _by_the_planner_alone(verdict, plan)
        chosen = [one for one in kept if any(one.held is held for held in verdict.chosen)]
        use, confirmed = await self._settled(state, verdict, chosen)
        if use is Use.SEARCH:
            fits = set() if confirmed else set(need.required_types) - set(still_missing(need, verdict))
            given = _hold_beside(state, plan, [one for one in chosen if one.held.data_type in fits])
        else:
            beside = _as_good(kept, chosen, need, state)
            given = _take_place(state, plan, results_of([*chosen, *beside]), holdings)
        await _tell(state, _decision(state, verdict, use, chosen, given), confirmed=confirmed)

    async def _holdings(self, state: FlowState) -> Holdings:
        """Return what is held, read once a flow; nothing where reuse is off, or the flow is not to reuse anything."""
        if not self._wanted or variant_of(state.assignments, DATA_REUSE) == NO_REUSE or not state.history:
            return Holdings()
        if state.findings.holdings is None:
            state.findings.holdings = Holdings.of(await earlier_flows(state))
        return state.findings.holdings

    async def _settled(
        self, state: FlowState, verdict: SufficiencyVerdict, chosen: Sequence[HeldPart]
    ) -> tuple[Use, bool]:
        """Return what becomes of the data, and whether a person has said so."""
        if verdict.use is not Use.VERIFY:
            return verdict.use, False
        if not state.question.interactive:
            state.cautions.append(texts.say(state.locale, "reuse_aged", age=_age_said(state, chosen)))
            return Use.VERIFY, False
        said = await answer_of(state, _question(state, verdict, chosen), self._question_seconds_max)
        return (Use.USE if said == USE_PREVIOUS or is_yes(said) else Use.SEARCH), True


async def asked_before(state: FlowState) -> tuple[AskedBefore, ...]:
    """Return what earlier messages of the conversation asked for, the latest first."""
    if not state.history:
        return ()
    flows = await earlier_flows(state)
    return tuple(flow.asked for flow in flows if flow.asked is not None)[:ASKED_MAX]


async def earlier_flows(state: FlowState) -> tuple[EarlierFlow, ...]:
    """Return the conversation's earlier flows; none where they cannot be loaded, which means search."""
    try:
        return await state.earlier()
    except Exception:  # noqa: BLE001 - whatever the store raises, the question is answered by searching
        _log.warning("earlier results cannot be loaded", flow_run_id=state.flow_run_id, exc_info=True)
        return ()


def _by_the_planner_alone(verdict: SufficiencyVerdict, plan: ExecutionPlan) -> SufficiencyVerdict:
    """Return the first judgement in the second one's place: neither counts nor ages are measured here.

    That something is held at all, and of what the question asks, no variant does without.
    """
    first = plan.sufficiency
    hundredths = round(first.confidence * 100) if first is not None and first.is_sufficient else 0
    use = use_at(hundredths, is_complete=verdict.is_complete, fair=FIRST_FAIR)
    issues = (first.reasoning,) if first is not None and use is not Use.USE else ()
    return replace(verdict, hundredths=hundredths, use=use, issues=issues)


def _first_hundredths(state: FlowState, plan: ExecutionPlan) -> int:
    made = [decision for decision in state.budget.decisions if decision.kind == _FIRST_JUDGEMENT]
    return first_hundredths(plan.sufficiency, made[-1].source) if made and plan.sufficiency is not None else 100


def _as_good(kept: Sequence[HeldPart], chosen: Sequence[HeldPart], need: Need, state: FlowState) -> list[HeldPart]:
    """Return what the chosen results hold beside the required types, where that by itself need not be read anew."""
    results = {id(one.result) for one in chosen}

    def does(held: HeldResult) -> bool:
        alone = replace(need, required_types=(held.data_type,))
        return judged(alone, [held], now=state.now, types=catalog().held_types).use is not Use.SEARCH

    beside = (one for one in kept if id(one.result) in results and one.held.data_type not in need.required_types)
    return [one for one in beside if does(one.held)]


def _take_place(
    state: FlowState, plan: ExecutionPlan, results: tuple[AgentResult, ...], holdings: Holdings
) -> tuple[AgentResult, ...]:
    """Let held results take the place of what would be read; return those that do.

    A step that is left, and that reads nothing itself, is told what its agent has said before: where it comes to the
    same again, that was summed up and judged then.
    """
    reused = with_reused(plan, {result.agent for result in results}, catalog().domains)
    agents = {step.step_id: step.agent for step in plan.steps}
    if reused.drops_steps:
        state.findings.held, state.findings.takers = results, dict.fromkeys(reused.takers, results)
    else:
        # The step itself hands its held rows on: they count once.
        own = {name: tuple(one for one in results if one.agent == agents[name]) for name in reused.takers}
        state.findings.held, state.findings.takers = (), own
    said = {step.step_id: holdings.said_by(step.agent) for step in reused.left if not step.suggested_calls}
    state.findings.said_before = {name: before for name, before in said.items() if before}
    state.plan = reused.plan
    if reused.adds_nothing:
        state.settled_kinds = SETTLED_KINDS
    return results if reused.drops_steps else tuple(one for given in state.findings.takers.values() for one in given)


def _hold_beside(state: FlowState, plan: ExecutionPlan, fitting: Sequence[HeldPart]) -> tuple[AgentResult, ...]:
    """Give what fits to every step: whoever would read it again leaves that out (the third judgement)."""
    state.findings.held = results_of(fitting)
    state.findings.takers = {step.step_id: state.findings.held for step in plan.steps} if state.findings.held else {}
    return state.findings.held


def _decision(
    state: FlowState, verdict: SufficiencyVerdict, use: Use, chosen: Sequence[HeldPart], given: Sequence[AgentResult]
) -> DataReuseDecision:
    name = "reuse_used" if use is not Use.SEARCH else "reuse_partly" if given else "reuse_searched"
    return DataReuseDecision(
        message=texts.say(state.locale, name, what=_what(given), age=_age_said(state, chosen)),
        source=chosen[0].held.source if given else "none",
        reasoning="; ".join(verdict.issues) or because("같은 내용이고 아직 새로움", "the same subject, fresh enough"),
        confidence=verdict.confidence,
        use=use.value,
        flow_run_ids=tuple(dict.fromkeys(result.reused_flow_run_id for result in given)),
    )


async def _tell(state: FlowState, decision: DataReuseDecision, *, confirmed: bool) -> None:
    state.findings.reuse = replace(decision, user_confirmed=confirmed and decision.use != Use.SEARCH)
    await state.emitter.emit(state.findings.reuse)
    for number, result in enumerate(state.findings.held, 1):
        name = f"{HELD_PLACE}{number}"
        await state.emitter.emit(AgentSettled(name, result.agent, AgentOutcome.REUSED, "", timedelta(), result))


def _question(state: FlowState, verdict: SufficiencyVerdict, chosen: Sequence[HeldPart]) -> PersonQuestion:
    what, age = _what(results_of(chosen)), _age_said(state, chosen)
    choices = tuple(
        QuestionOption(
            value, texts.say(state.locale, f"{value}_label"), texts.say(state.locale, f"{value}_description")
        )
        for value in (USE_PREVIOUS, SEARCH_NEW)
    )
    return PersonQuestion(
        QuestionKind.REUSE,
        texts.say(state.locale, "reuse_question", what=what, age=age),
        options=(USE_PREVIOUS, SEARCH_NEW),
        choices=choices,
        held_data=HeldData(what, _age(state, chosen), verdict.issues),
        default=SEARCH_NEW,
    )


def _what(results: Sequence[AgentResult]) -> str:
    titles = dict.fromkeys(piece.title for result in results for piece in result.evidence)
    return ", ".join(list(titles)[:TITLES_MAX])


def _age(state: FlowState, chosen: Sequence[HeldPart]) -> timedelta:
    found = [one.held.found_at for one in chosen if one.held.found_at is not None]
    return max(timedelta(), state.now - min(found)) if found else timedelta()


def _age_said(state: FlowState, chosen: Sequence[HeldPart]) -> str:
    """Return the age of the oldest part in the largest unit that it fills."""
    age = _age(state, chosen)
    for unit in ("day", "hour", "minute"):
        count = age // timedelta(**{f"{unit}s": 1})
        if count:
            return texts.say(state.locale, unit if count == 1 else f"{unit}s", count=str(count))
    return texts.say(state.locale, "moment")
