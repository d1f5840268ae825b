"""What is known already is not fetched again: the second judgement, on what the conversation's flows found (spec 2.5).

held results ─► judged ─┬─ use ────► they take the search's place in the plan
                        ├─ verify ─► a person is asked; where none can be, they are used with their age said
                        └─ search ─► the plan stays; what is held and fits is left out of the reads
"""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import structlog

from services.catalog.loader import catalog
from services.catalog.reuse import with_reused
from services.catalog.sufficiency import (
    FIRST_FAIR,
    Held,
    Need,
    Use,
    Verdict,
    first_hundredths,
    judged,
    need_of,
    still_missing,
    use_at,
)
from services.contract.events import (
    AgentOutcome,
    AgentSettled,
    DataReuseDecision,
    HeldData,
    QuestionKind,
    QuestionOption,
)
from services.contract.flow import AgentResult, ExecutionPlan
from services.contract.recording import EarlierFlow
from services.orchestrator import texts
from services.orchestrator.experiments import DATA_REUSE, HYBRID, NO_REUSE, SUPERVISOR_ONLY, variant_of
from services.orchestrator.replies import is_yes
from services.orchestrator.state import FlowState
from services.orchestrator.waiting import Ask, answer_of

HELD_PLACE: Final = "held"
"""Held results are told as steps of this name, counted from 1."""
TITLES_MAX: Final = 3
"""How many titles of held data are said."""
USE_PREVIOUS: Final = "use_previous"
"""The answer that takes the earlier data."""
SEARCH_NEW: Final = "search_new"
"""The answer that looks it up anew; the default."""
SETTLED_KINDS: Final = ("agent_summary", "execution_orchestration", "execution_review")
"""What is not put to a model where held results are all that a plan comes to: each was summed up and judged when it was
found, and that they answer this question is what has just been judged."""
_FIRST_JUDGEMENT: Final = "data_sufficiency_check"

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Kept:
    """One type of data in one earlier result."""

    held: Held
    """As the rules judge it."""
    result: AgentResult
    """The result that holds it."""
    flow_run_id: str
    """The flow that found it."""


class Reusing:
    """Judges what is held and changes plans by it.

    Args:
        wanted: The setting that turns reuse on.
        question_seconds_max: How long a person is waited for.
    """

    def __init__(self, *, wanted: bool, question_seconds_max: float) -> None:
        self._wanted = wanted
        self._question_seconds_max = question_seconds_max

    async def apply(self, state: FlowState) -> None:
        """Changes the flow's plan by what is held already; tells what was decided where anything is held.

        Raises:
            FlowLeft: The user said stop when asked.
        """
        plan, variant = state.plan, variant_of(state.assignments, DATA_REUSE) or HYBRID
        if (
            not self._wanted
            or variant == NO_REUSE
            or plan is None
            or plan.need is None
            or not plan.need.required_types
            or not state.history
        ):
            return
        kept, need = _kept(await _earlier(state)), need_of(plan.need)
        if not kept:
            return
        verdict = judged(
            need,
            [one.held for one in kept],
            now=state.now,
            types=catalog().routing.held_types,
            first_hundredths=_first_hundredths(state, plan),
        )
        if variant == SUPERVISOR_ONLY:
            verdict = _by_the_planner_alone(verdict, plan)
        chosen = [one for one in kept if any(one.held is held for held in verdict.chosen)]
        use, confirmed = await self._settled(state, verdict, chosen)
        if use is Use.SEARCH:
            fits = set() if confirmed else set(need.required_types) - set(still_missing(need, verdict))
            given = _hold_beside(state, plan, [one for one in chosen if one.held.data_type in fits])
        else:
            beside = _as_good(kept, chosen, need, state)
            given = _take_place(state, plan, _results([*chosen, *beside]))
        await _tell(state, _decision(state, verdict, use, chosen, given), confirmed=confirmed)

    async def _settled(self, state: FlowState, verdict: Verdict, chosen: Sequence[_Kept]) -> tuple[Use, bool]:
        """Returns what becomes of the data, and whether a person has said so."""
        if verdict.use is not Use.VERIFY:
            return verdict.use, False
        if not state.question.interactive:
            state.cautions.append(texts.say(state.locale, "reuse_aged", age=_age_said(state, chosen)))
            return Use.VERIFY, False
        said = await answer_of(state, _question(state, verdict, chosen), self._question_seconds_max)
        return (Use.USE if said == USE_PREVIOUS or is_yes(said) else Use.SEARCH), True


async def _earlier(state: FlowState) -> tuple[EarlierFlow, ...]:
    """Returns the conversation's earlier flows; none where they cannot be loaded, which means search."""
    try:
        return await state.earlier()
    except Exception:  # noqa: BLE001 - whatever the store raises, the question is answered by searching (spec 2.5)
        _log.warning("earlier results cannot be loaded", flow_run_id=state.flow_run_id, exc_info=True)
        return ()


def _kept(earlier: Sequence[EarlierFlow]) -> list[_Kept]:
    kept = []
    for flow in earlier:
        if flow.need is None:
            continue
        subject = need_of(flow.need).subject
        for found in flow.found:
            rows: Counter[str] = Counter()
            for piece in found.result.evidence:
                rows[piece.data_type] += len(json.loads(piece.rows_json))
            held = (Held(data_type, count, subject, found.found_at) for data_type, count in rows.items())
            kept += [_Kept(one, found.result, flow.flow_run_id) for one in held]
    return kept


def _by_the_planner_alone(verdict: Verdict, plan: ExecutionPlan) -> Verdict:
    """Returns the first judgement in the second one's place: neither counts nor ages are measured here.

    That something is held at all, and of what the question asks, no variant does without.
    """
    first = plan.sufficiency
    hundredths = round(first.confidence * 100) if first is not None and first.is_sufficient else 0
    use = use_at(hundredths, is_complete=verdict.is_complete, fair=FIRST_FAIR)
    issues = (first.reasoning,) if first is not None and use is not Use.USE else ()
    return replace(verdict, hundredths=hundredths, use=use, issues=issues)


def _first_hundredths(state: FlowState, plan: ExecutionPlan) -> int:
    made = [decision for decision in state.decisions if decision.kind == _FIRST_JUDGEMENT]
    return first_hundredths(plan.sufficiency, made[-1].source) if made and plan.sufficiency is not None else 100


def _as_good(kept: Sequence[_Kept], chosen: Sequence[_Kept], need: Need, state: FlowState) -> list[_Kept]:
    """Returns what the chosen results hold beside the required types, where that by itself need not be read anew."""
    results = {id(one.result) for one in chosen}

    def does(held: Held) -> bool:
        alone = replace(need, required_types=(held.data_type,))
        return judged(alone, [held], now=state.now, types=catalog().routing.held_types).use is not Use.SEARCH

    beside = (one for one in kept if id(one.result) in results and one.held.data_type not in need.required_types)
    return [one for one in beside if does(one.held)]


def _results(chosen: Sequence[_Kept]) -> tuple[AgentResult, ...]:
    """Returns the chosen results, each once and marked with the flow that found it, with what was chosen of it."""
    types: dict[tuple[str, str], set[str]] = {}
    first: dict[tuple[str, str], _Kept] = {}
    for one in chosen:
        key = (one.flow_run_id, one.result.step_id)
        types.setdefault(key, set()).add(one.held.data_type)
        first.setdefault(key, one)
    return tuple(_part(one, types[key]) for key, one in first.items())


def _part(kept: _Kept, data_types: Collection[str]) -> AgentResult:
    """Returns of an earlier result what rests on data of some types; what it asked for then is not asked for again."""
    evidence = tuple(piece for piece in kept.result.evidence if piece.data_type in data_types)
    ids = {piece.evidence_id for piece in evidence}
    metrics = tuple(metric for metric in kept.result.metrics if ids.issuperset(metric.evidence_ids))
    return replace(
        kept.result,
        evidence=evidence,
        metrics=metrics,
        action_requests=(),
        needs_companion_branch=False,
        reused_flow_run_id=kept.flow_run_id,
    )


def _take_place(state: FlowState, plan: ExecutionPlan, results: tuple[AgentResult, ...]) -> tuple[AgentResult, ...]:
    """Lets held results take the place of what would be read; returns those that do."""
    reused = with_reused(plan, {result.agent for result in results})
    agents = {step.step_id: step.agent for step in plan.steps}
    if reused.drops_steps:
        state.held, state.takers = results, dict.fromkeys(reused.takers, results)
    else:
        # The step itself hands its held rows on: they count once.
        own = {name: tuple(one for one in results if one.agent == agents[name]) for name in reused.takers}
        state.held, state.takers = (), own
    state.plan = reused.plan
    if reused.adds_nothing:
        state.settled_kinds = SETTLED_KINDS
    return results if reused.drops_steps else tuple(one for given in state.takers.values() for one in given)


def _hold_beside(state: FlowState, plan: ExecutionPlan, fitting: Sequence[_Kept]) -> tuple[AgentResult, ...]:
    """Gives what fits to every step: whoever would read it again leaves that out (the third judgement)."""
    state.held = _results(fitting)
    state.takers = {step.step_id: state.held for step in plan.steps} if state.held else {}
    return state.held


def _decision(
    state: FlowState, verdict: Verdict, use: Use, chosen: Sequence[_Kept], given: Sequence[AgentResult]
) -> DataReuseDecision:
    name = "reuse_used" if use is not Use.SEARCH else "reuse_partly" if given else "reuse_searched"
    return DataReuseDecision(
        message=texts.say(state.locale, name, what=_what(given), age=_age_said(state, chosen)),
        source=chosen[0].held.source if given else "none",
        reasoning="; ".join(verdict.issues) or "the same subject, fresh enough",
        confidence=verdict.confidence,
        use=use.value,
        flow_run_ids=tuple(dict.fromkeys(result.reused_flow_run_id for result in given)),
    )


async def _tell(state: FlowState, decision: DataReuseDecision, *, confirmed: bool) -> None:
    state.reuse = replace(decision, user_confirmed=confirmed and decision.use != Use.SEARCH)
    await state.emitter.emit(state.reuse)
    for number, result in enumerate(state.held, 1):
        name = f"{HELD_PLACE}{number}"
        await state.emitter.emit(AgentSettled(name, result.agent, AgentOutcome.REUSED, "", timedelta(), result))


def _question(state: FlowState, verdict: Verdict, chosen: Sequence[_Kept]) -> Ask:
    what, age = _what(_results(chosen)), _age_said(state, chosen)
    choices = tuple(
        QuestionOption(
            value, texts.say(state.locale, f"{value}_label"), texts.say(state.locale, f"{value}_description")
        )
        for value in (USE_PREVIOUS, SEARCH_NEW)
    )
    return Ask(
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


def _age(state: FlowState, chosen: Sequence[_Kept]) -> timedelta:
    found = [one.held.found_at for one in chosen if one.held.found_at is not None]
    return max(timedelta(), state.now - min(found)) if found else timedelta()


def _age_said(state: FlowState, chosen: Sequence[_Kept]) -> str:
    """Returns the age of the oldest part in the largest unit that it fills."""
    age = _age(state, chosen)
    for unit in ("day", "hour", "minute"):
        count = age // timedelta(**{f"{unit}s": 1})
        if count:
            return texts.say(state.locale, unit if count == 1 else f"{unit}s", count=str(count))
    return texts.say(state.locale, "moment")
