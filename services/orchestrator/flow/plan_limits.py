"""What a plan has to hold before anything is spent on it: the planner is a service like any other, and may be wrong.

    PLAN_EMPTY                 no steps, though nothing is asked of the user
    PLAN_STEPS_MAX             more steps than a flow may run
    PLAN_CALLS_MAX             a step with more calls than an agent may make
    PLAN_STEP_REPEATED         two steps of one id
    PLAN_AGENT_UNKNOWN         a step for somebody who is no agent: another service, or the orchestrator itself
    PLAN_DEPENDENCY_UNKNOWN    a step that needs one that is not there
    PLAN_CYCLE                 steps that need each other, or themselves

A plan that does not hold is refused whole, by the name of the limit; none is repaired or cut.
"""

from collections.abc import Collection, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final

from services.contract.flow import ExecutionPlan, PlanStep
from services.orchestrator.steps.recovery import STEPS_MAX
from services.runtime.errors import LimitExceeded

CALLS_MAX: Final = 16
"""Calls that one step may suggest: as many as an agent makes."""
PLAN_LIMITS: Final = frozenset(
    {
        *("PLAN_EMPTY", "PLAN_STEPS_MAX", "PLAN_CALLS_MAX", "PLAN_STEP_REPEATED"),
        *("PLAN_AGENT_UNKNOWN", "PLAN_DEPENDENCY_UNKNOWN", "PLAN_CYCLE"),
    }
)
"""The names of the limits, as reasons of errors."""


def check_plan(plan: ExecutionPlan, agents: Collection[str]) -> None:
    """Refuse a plan that is to be run and is outside its limits.

    Args:
        plan: The plan, of which nothing is asked of the user any more.
        agents: Every agent that the catalog declares.

    Raises:
        LimitExceeded: Its reason is one of PLAN_LIMITS.
    """
    for reason, why in _problems(plan, agents):
        raise LimitExceeded(f"the plan is not run: {why}", reason=reason)


def _problems(plan: ExecutionPlan, agents: Collection[str]) -> Iterator[tuple[str, str]]:
    # First of all its size: whatever else is looked at costs time for each step.
    yield from _sizes(plan)
    names = (*(step.agent for step in plan.steps), *plan.unavailable_agents)
    for agent in (name for name in names if name not in agents):
        yield "PLAN_AGENT_UNKNOWN", f"{agent[:100]!r} is no agent"
    ids = {step.step_id for step in plan.steps}
    if len(ids) < len(plan.steps):
        yield "PLAN_STEP_REPEATED", "two of its steps have one id"
    for name in (name for step in plan.steps for name in step.depends_on if name not in ids):
        yield "PLAN_DEPENDENCY_UNKNOWN", f"{name[:100]!r} is needed and is no step"
    if circle := _in_circles(plan.steps):
        yield "PLAN_CYCLE", f"steps {', '.join(circle)} need each other"


def _sizes(plan: ExecutionPlan) -> Iterator[tuple[str, str]]:
    steps = plan.steps
    if not steps and not plan.unavailable_agents:
        yield "PLAN_EMPTY", "it has no steps"
    if len(steps) > STEPS_MAX:
        yield "PLAN_STEPS_MAX", f"it has {len(steps)} steps, at most {STEPS_MAX} are run"
    most = max((len(step.suggested_calls) for step in steps), default=0)
    if most > CALLS_MAX:
        yield "PLAN_CALLS_MAX", f"a step has {most} calls, at most {CALLS_MAX} are made"


def _in_circles(steps: Sequence[PlanStep]) -> list[str]:
    sorter = TopologicalSorter({step.step_id: step.depends_on for step in steps})
    try:
        sorter.prepare()
    except CycleError as circle:
        return [str(name) for name in circle.args[1]]
    return []
