"""What is wrong with a plan: every defect is listed, none is repaired in silence."""

from collections.abc import Collection, Sequence

from services.contract.flow import ExecutionPlan, PlanStep

STEPS_MAX = 12


def defects(plan: ExecutionPlan, *, known_agents: Collection[str], required_agents: Collection[str]) -> tuple[str, ...]:
    """Return every defect of a plan, in a fixed order; empty for a sound one.

    Args:
        plan: The plan.
        known_agents: Full names of the agents that the catalog declares.
        required_agents: Agents without whom the intent cannot be answered.
    """
    if plan.slot_question is not None:
        return ()
    steps = plan.steps
    found = [] if steps else ["steps: a plan has at least one"]
    if len(steps) > STEPS_MAX:
        found.append(f"steps: {len(steps)}, at most {STEPS_MAX}")
    ids = [step.step_id for step in steps]
    found += [f"step_id {name!r}: not unique" for name in sorted({name for name in ids if ids.count(name) > 1})]
    unknown = [step for step in steps if step.agent not in known_agents]
    found += [f"{step.step_id}: agent {step.agent!r} is not declared" for step in unknown]
    loose = [(step.step_id, name) for step in steps for name in step.depends_on if name not in ids]
    found += [f"{step_id}: depends on {name!r}, which is no step" for step_id, name in loose]
    found += [f"{name}: in a cycle" for name in _in_cycles(steps)]
    found += _out_of_order(steps)
    present = {step.agent for step in steps}
    found += [f"agent {name}: required and not in the plan" for name in sorted(set(required_agents) - present)]
    return tuple(found)


def levels(steps: Sequence[PlanStep]) -> tuple[tuple[PlanStep, ...], ...]:
    """Return the steps of an acyclic plan by level: those of one level need nothing of each other."""
    placed: dict[str, int] = {}
    rest = list(steps)
    while rest:
        ready = [step for step in rest if all(name in placed for name in step.depends_on)]
        if not ready:
            break
        for step in ready:
            placed[step.step_id] = 1 + max((placed[name] for name in step.depends_on), default=-1)
        rest = [step for step in rest if step.step_id not in placed]
    depth = max(placed.values(), default=-1) + 1
    return tuple(tuple(step for step in steps if placed.get(step.step_id) == level) for level in range(depth))


def _in_cycles(steps: Sequence[PlanStep]) -> list[str]:
    needs = {step.step_id: set(step.depends_on) for step in steps}
    while free := {name for name, needed in needs.items() if not needed & set(needs)}:
        needs = {name: needed for name, needed in needs.items() if name not in free}
    return sorted(needs)


def _out_of_order(steps: Sequence[PlanStep]) -> list[str]:
    """Return the steps that stand before one that they need: reading a plan from the top runs it."""
    before: set[str] = set()
    found = []
    for step in steps:
        late = [name for name in step.depends_on if name not in before and name != step.step_id]
        found += [f"{step.step_id}: stands before {name!r}, which it needs" for name in late if _exists(steps, name)]
        before.add(step.step_id)
    return found


def _exists(steps: Sequence[PlanStep], name: str) -> bool:
    return any(step.step_id == name for step in steps)
