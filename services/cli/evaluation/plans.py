"""Scores plans of a planning set, the intent being given; the strategy is scored apart."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from services.catalog.loader import catalog
from services.cli.evaluation.asking import AskedRow, Services, said_in
from services.cli.evaluation.holding import need_read, with_held
from services.cli.evaluation.rows import Row
from services.cli.evaluation.score import Miss, Score
from services.contract.flow import ExecutionPlan, IntentAlternative, NextAction, RouteDecision
from services.contract.planner import SlotAnswer
from services.planner.recalled import Recalling
from services.planner.rules import checked, planning_rules
from services.runtime.settings import Settings

NEEDED: Final = ("id", "query", "expect")
QUESTIONS_MAX: Final = 5
_CONFIRMED: Final = 0.9


async def score_plans(rows: Iterable[Row], services: Services, settings: Settings) -> Score:
    """Return the score of rows."""
    score, recalling = Score(), Recalling(catalog(), planning_rules())
    for row in rows:
        score.rows += 1
        want, said = row["expect"], said_in(row, settings)
        route = _confirmed(row, await services.route(said, want.get("intent") or ""))
        plan = with_held(await completed(services, said, route), row, need_read(recalling, said, route), said)
        wrong = plan_faults(plan, want)
        got = " > ".join(step.agent for step in plan.steps)
        miss = Miss(row["id"], "plan", f"{got}: {'; '.join(wrong)}", str(want.get("must_include")))
        score.count("plan", right=not wrong, miss=miss)
        score.by_intent[want.get("intent") or "-"][not wrong] += 1
        if want.get("strategy_scored") is not False and want.get("strategy"):
            allowed = want.get("acceptable_strategies") or [want["strategy"]]
            strategy = plan.strategy.value.lower()
            score.count("strategy", right=strategy in allowed, miss=Miss(row["id"], "strategy", strategy, str(allowed)))
    return score


async def completed(services: Services, said: AskedRow, route: RouteDecision) -> ExecutionPlan:
    """Return the plan after the slots that it asks for are answered, one a turn."""
    drafted, slots = await services.plan(said, route), checked(planning_rules(), catalog()).slots
    asked: list[str] = []
    while (question := drafted.plan.slot_question) is not None and len(asked) < QUESTIONS_MAX:
        asked.append(question.slot)
        answer = SlotAnswer(question.slot, slots[question.slot].example)
        drafted = await services.plan(said, route, slots=drafted.plan.slots, asked_slots=asked, answer=answer)
    return drafted.plan


def _confirmed(row: Row, route: RouteDecision) -> RouteDecision:
    """Return the route as it is once the user wants each of several intents."""
    confirmed = row.get("context", {}).get("confirmed_intents", ())
    if not confirmed:
        return route
    others = tuple(IntentAlternative(intent, _CONFIRMED) for intent in confirmed[1:])
    return replace(route, next_action=NextAction.PROCEED, reason="MULTIPLE_INTENTS", alternatives=others)


def plan_faults(plan: ExecutionPlan, want: Row) -> list[str]:
    """Return what is wrong with a plan in view of what a row wants; empty for a right one."""
    agents = [step.agent.partition(".")[2] for step in plan.steps]
    faults = [f"no {name}" for name in want.get("must_include", ()) if name not in agents]
    faults += [f"none of {names}" for names in want.get("must_include_any", ()) if not set(names) & set(agents)]
    faults += [f"has {name}" for name in want.get("must_not_include", ()) if name in agents]
    for first, second in want.get("precedence", ()):
        if first not in agents or second not in agents or agents.index(first) >= agents.index(second):
            faults.append(f"{first} not before {second}")
    for step in want.get("steps", ()):
        faults += _step_faults(plan, step)
    return faults


def _step_faults(plan: ExecutionPlan, want: Row) -> list[str]:
    names = want.get("agent_any") or [want["agent"]]
    of_agent = [step for step in plan.steps if step.agent.partition(".")[2] in names]
    faults = []
    if want.get("branch") and all(step.branch.value.lower() != want["branch"] for step in of_agent):
        faults.append(f"{names[0]}: no {want['branch']} branch")
    if want.get("condition") and not any(step.condition for step in of_agent):
        faults.append(f"{names[0]}: no condition")
    return faults
