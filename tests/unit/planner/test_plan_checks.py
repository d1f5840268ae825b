"""Every defect of a plan is found and listed."""

from datetime import timedelta

import pytest

from services.contract.flow import Branch, ExecutionPlan, PlanStep, SlotQuestion, Strategy
from services.planner.checks import STEPS_MAX, defects, levels

KNOWN = ("realty.search", "realty.analysis")


def step(step_id: str, *needs: str, agent: str = "realty.search") -> PlanStep:
    """Return a step."""
    return PlanStep(step_id, agent, "task", "question", needs, Branch.SQL, (), (), "", required=False)


def plan(*steps: PlanStep, question: SlotQuestion | None = None) -> ExecutionPlan:
    """Return a plan."""
    return ExecutionPlan("q", (), None, steps, Strategy.SEQUENTIAL, timedelta(0), question, ())


def found(*steps: PlanStep, required: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the defects of a plan of these steps."""
    return defects(plan(*steps), known_agents=KNOWN, required_agents=required)


def test_a_sound_plan_has_none() -> None:
    """Known agents, unique ids, needs that stand before."""
    assert found(step("s1"), step("s2", "s1", agent="realty.analysis"), required=("realty.search",)) == ()


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((), "at least one"),
        (tuple(step(f"s{number}") for number in range(STEPS_MAX + 1)), "at most 12"),
        ((step("s1"), step("s1")), "not unique"),
        ((step("s1", agent="realty.oracle"),), "not declared"),
        ((step("s1", "s9"),), "no step"),
        ((step("s1", "s1"),), "cycle"),
        ((step("s1", "s2"), step("s2", "s1")), "cycle"),
        ((step("s1", "s2"), step("s2")), "stands before"),
    ],
)
def test_each_defect_is_named(steps: tuple[PlanStep, ...], words: str) -> None:
    """One defect, one line that says it."""
    assert any(words in line for line in found(*steps))


def test_all_defects_are_listed_in_a_fixed_order() -> None:
    """Several defects are told at once, the same way each time."""
    steps = (step("s1", "s9", agent="realty.oracle"), step("s1"))
    first = found(*steps, required=("realty.analysis",))
    assert len(first) == 4
    assert first == found(*steps, required=("realty.analysis",))


def test_a_waiting_plan_needs_no_steps() -> None:
    """A slot question stands in place of steps."""
    waiting = plan(question=SlotQuestion("region", "?", ()))
    assert defects(waiting, known_agents=KNOWN, required_agents=("realty.search",)) == ()


def test_levels_hold_what_may_run_together() -> None:
    """A diamond has three levels."""
    steps = (step("s1"), step("s2", "s1"), step("s3", "s1"), step("s4", "s2", "s3"))
    assert [[one.step_id for one in level] for level in levels(steps)] == [["s1"], ["s2", "s3"], ["s4"]]
