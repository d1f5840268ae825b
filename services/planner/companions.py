"""The opposite branch of a step that reads one branch alone, run once where the step asks for it. Pure."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from services.contract.flow import Branch, ExecutionPlan, PlanStep
from services.contract.forms import COMPANION_OF

_OPPOSITE: Final = {Branch.SQL: Branch.GRAPH, Branch.GRAPH: Branch.SQL}


def with_companions(plan: ExecutionPlan, *, agents: Collection[str], graph_tools: Collection[str]) -> ExecutionPlan:
    """Return the plan with a step for the opposite branch behind each step that may come to need it.

    Where the plan reads both branches already there is none: they run side by side.

    Args:
        plan: A sound plan.
        agents: Full names of the agents that read two branches.
        graph_tools: The tools that read the graph.
    """
    branches = {step.branch for step in plan.steps}
    if not plan.steps or set(_OPPOSITE) <= branches:
        return plan
    return replace(plan, steps=(*plan.steps, *_companions(plan.steps, agents, graph_tools)))


def _companions(
    steps: tuple[PlanStep, ...], agents: Collection[str], graph_tools: Collection[str]
) -> Iterator[PlanStep]:
    able = [step for step in steps if step.agent in agents and _can_cross(step, graph_tools)]
    for number, step in enumerate(able, start=len(steps) + 1):
        yield replace(
            step,
            step_id=f"s{number}",
            branch=_OPPOSITE[step.branch],
            depends_on=(step.step_id,),
            condition=f"{COMPANION_OF}{step.step_id}",
            required=False,
        )


def _can_cross(step: PlanStep, graph_tools: Collection[str]) -> bool:
    """Tell whether a step holds a call of the branch that it does not read; one that answers asks makes all."""
    other = None if step.asks else _OPPOSITE.get(step.branch)
    return other is not None and any(
        (call.tool in graph_tools) is (other is Branch.GRAPH) for call in step.suggested_calls
    )
