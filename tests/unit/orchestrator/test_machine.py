"""The states of runs and steps: what is drawn is allowed, anything else raises."""

from itertools import product

import pytest

from services.contract.flow import Branch, PlanStep, Strategy
from services.orchestrator.steps.machine import STEP_MOVES, IllegalMove, Run, RunState, StepRun, StepStage, StepState


def step(name: str = "s1", *needs: str) -> StepRun:
    """Returns a step that has not begun."""
    return StepRun(PlanStep(name, "finance.macro", "t", "q", needs, Branch.SQL, (), (), "", required=True))


@pytest.mark.parametrize(("state", "to"), list(product(StepState, StepState)))
def test_a_step_moves_only_as_drawn(state: StepState, to: StepState) -> None:
    """Each pair of states is either in the drawing and allowed, or raises."""
    one = step()
    one.state = state
    if to in STEP_MOVES[state]:
        one.to(to)
        assert to is one.state
    else:
        with pytest.raises(IllegalMove):
            one.to(to)


def test_a_step_is_run_again_once() -> None:
    """The second retry raises, whatever came before."""
    one = step()
    for state in (StepState.IN_PROGRESS, StepState.COMPLETED, StepState.RETRYING, StepState.IN_PROGRESS):
        one.to(state)
    one.to(StepState.FAILED)
    with pytest.raises(IllegalMove, match="run again before"):
        one.to(StepState.RETRYING)


def test_an_attempt_passes_its_stages_in_order() -> None:
    """No stage is left out, and a new attempt begins at the first."""
    one = step()
    with pytest.raises(IllegalMove):
        one.reach(StepStage.EXECUTING)
    for stage in tuple(StepStage)[1:]:
        one.reach(stage)
    one.state = StepState.COMPLETED
    one.to(StepState.RETRYING)
    assert StepStage.BEFORE_STEP is one.stage


def test_a_run_moves_forward_only() -> None:
    """States of a run come in their order."""
    run = Run(Strategy.SEQUENTIAL, [])
    with pytest.raises(IllegalMove):
        run.to(RunState.TEAM_LOOP)
    for state in tuple(RunState)[1:]:
        run.to(state)
    with pytest.raises(IllegalMove):
        run.to(RunState.INITIALIZED)


@pytest.mark.parametrize(("strategy", "expected"), [(Strategy.PARALLEL, ["a", "b"]), (Strategy.SEQUENTIAL, ["a"])])
def test_ready_steps_wait_for_what_they_need(strategy: Strategy, expected: list[str]) -> None:
    """A step is ready when its dependencies have ended; a sequential run takes one at a time."""
    run = Run(strategy, [step("a"), step("b"), step("c", "a", "b")])
    assert expected == [one.step.step_id for one in run.ready()]
    for one in run.steps[:2]:
        one.state = StepState.ACCEPTED
    assert [one.step.step_id for one in run.ready()] == ["c"]
