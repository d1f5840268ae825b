"""What a row's session holds, and what its question needs: the input of the second judgement."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from services.catalog.loader import catalog
from services.catalog.reading import read_question
from services.catalog.reuse import with_reused
from services.catalog.sufficiency import HeldResult, Need, Use, judged
from services.cli.evaluation.asking import AskedRow
from services.cli.evaluation.rows import Row
from services.contract.flow import ExecutionPlan, RouteDecision
from services.planner.recalled import Recalling

_FIGURES: Final = frozenset({"rows", "age_minutes"})
"""What a row says of a held result beside what it is about."""


def need_read(recalling: Recalling, said: AskedRow, route: RouteDecision) -> Need:
    """Return what a question needs."""
    reading = read_question(said.text, now=said.run.now, time_zone=said.run.time_zone)
    subject = recalling.subject(reading, route.entities)
    return Need(catalog().intent(route.intent).required_data, subject, recalling.given_types(reading))


def with_held(plan: ExecutionPlan, row: Row, need: Need, said: AskedRow) -> ExecutionPlan:
    """Return the plan as the flow runs it: held rows that will do take the place of what would be read.

    Args:
        plan: The planner's plan.
        row: A row whose context may tell what is held: {type: {rows, age_minutes, and what it is about by kind}}.
        need: What its question needs.
        said: The question.
    """
    held = [_held(data_type, one, need, said) for data_type, one in row.get("context", {}).get("held", {}).items()]
    if not held:
        return plan
    verdict = judged(need, held, now=said.run.now, types=catalog().held_types)
    if verdict.use is not Use.USE:
        return plan
    return with_reused(plan, {step.agent for step in plan.steps}, catalog().domains).plan


def _held(data_type: str, one: Row, need: Need, said: AskedRow) -> HeldResult:
    """Return a held result; in what the row leaves unsaid it is about what the question asks."""
    stated = {name: frozenset({str(value)}) for name, value in one.items() if name not in _FIGURES and value}
    subject = replace(need.subject, facets={**need.subject.facets, **stated})
    found_at = said.run.now - timedelta(minutes=float(one.get("age_minutes", 0)))
    return HeldResult(data_type, int(one.get("rows", 0)), subject, found_at)
