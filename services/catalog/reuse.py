"""What reused rows change in a plan, as pure data: steps that are left out, and who takes their rows (spec 2.5.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from services.catalog.sufficiency import FIRST_FAIR, SURE, Use
from services.contract.flow import DecisionSource, ExecutionPlan, PlanStep, Sufficiency

_REALTY = "realty"
_REALTY_SEARCH = "realty.search"
_REALTY_ANALYSIS = "realty.analysis"


@dataclass(frozen=True, slots=True)
class Reused:
    """A plan in which held rows take the place of what would be read."""

    plan: ExecutionPlan
    """The steps that run."""
    left_out: tuple[PlanStep, ...]
    """The steps, or the reads of steps, whose place the reused rows take."""
    takers: Mapping[str, tuple[str, ...]]
    """By step that runs, the ids of left-out steps whose rows it receives."""


def first_use(sufficiency: Sufficiency, source: DecisionSource) -> Use:
    """Return what the first judgement comes to; a FALLBACK's verdict is never above verify."""
    hundredths = round(sufficiency.confidence * 100)
    if not sufficiency.is_sufficient or sufficiency.missing_types or hundredths <= FIRST_FAIR:
        return Use.SEARCH
    return Use.USE if hundredths > SURE and source is not DecisionSource.FALLBACK else Use.VERIFY


def with_reused(plan: ExecutionPlan) -> Reused:
    """Return the plan with search left out.

    In realty the search step goes; elsewhere the owner agents' reads do, and their steps stay. A plan that would be
    empty keeps one step over the reused rows. A plan that reads nothing is returned as it is.
    """
    if plan.steps and all(step.agent.partition(".")[0] == _REALTY for step in plan.steps):
        return _without_search(plan)
    reading = tuple(step for step in plan.steps if step.suggested_calls)
    steps = tuple(replace(step, suggested_calls=()) for step in plan.steps)
    return Reused(replace(plan, steps=steps), reading, {step.step_id: (step.step_id,) for step in reading})


def _without_search(plan: ExecutionPlan) -> Reused:
    left_out = tuple(step for step in plan.steps if step.agent == _REALTY_SEARCH)
    gone = {step.step_id for step in left_out}
    takers = {
        step.step_id: tuple(name for name in step.depends_on if name in gone)
        for step in plan.steps
        if step.step_id not in gone
    }
    rest = tuple(
        replace(step, depends_on=tuple(name for name in step.depends_on if name not in gone))
        for step in plan.steps
        if step.step_id not in gone
    )
    if not rest and left_out:
        over = replace(left_out[0], agent=_REALTY_ANALYSIS, suggested_calls=(), depends_on=())
        return Reused(replace(plan, steps=(over,)), left_out, {over.step_id: tuple(sorted(gone))})
    return Reused(replace(plan, steps=rest), left_out, {step_id: names for step_id, names in takers.items() if names})
