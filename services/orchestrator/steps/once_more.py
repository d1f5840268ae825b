"""What is tried once more where the review finds that nothing found bears on the question.

    review: no ─► look-ups that can be widened ─► run, and reviewed again ─► the answer, honest about what it is
               └► none, or no budget or time ───────────────────────────► as above

What was lost is not tried: recovery has gone its ways by then. Neither is a flow that is to do something: asked again,
an agent would ask for its action again. Which steps are added is kept for the next driver.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from services.contract.flow import ExecutionPlan, PlanStep
from services.orchestrator.flow.state import FlowState
from services.orchestrator.speculation.early import can_spare
from services.orchestrator.steps.assessment import ADDED_STEPS_MAX
from services.orchestrator.steps.machine import RETRIES_MAX, Run, StepRun, StepState
from services.orchestrator.steps.recovery import STEPS_MAX
from services.orchestrator.steps.variation import same_calls, widened
from services.runtime.errors import FailedPrecondition

ONCE_MORE: Final = "once_more"
"""The checkpoint of the steps that are added."""
_GOOD: Final = frozenset({StepState.ACCEPTED, StepState.PARTIALLY_ACCEPTED})


async def another_run(state: FlowState, run: Run, *, has_time: bool) -> Run | None:
    """Return a run that goes on from one that has ended, by steps that try another way; None where there are none.

    Args:
        state: The flow.
        run: Its run, reviewed.
        has_time: Whether there is the time for it.
    """
    if state.plan is None:
        raise FailedPrecondition("a run is reviewed before the plan")
    plan = state.plan

    async def found() -> ExecutionPlan:
        acts = any(one.action_requests for one in state.findings.results.values())
        allowed = has_time and not acts and can_spare(state)
        return replace(plan, steps=tuple(_other_ways(run)) if allowed else ())

    added = (await state.checkpoints.once(ONCE_MORE, ExecutionPlan, found)).steps
    if not added:
        return None
    steps = [StepRun(one, is_added=True, retries=RETRIES_MAX, next_calls=one.suggested_calls) for one in added]
    scores = dict(run.quality_scores)
    return Run(run.strategy, [*run.steps, *steps], quality_scores=scores, held=run.held, takers=run.takers)


def _other_ways(run: Run) -> Iterator[PlanStep]:
    """Yield a step for each look-up that can be widened to what has not been asked for, as many as may be added."""
    asked = [step.calls for step in run.steps if step.calls]
    number, room = 0, min(ADDED_STEPS_MAX - run.added, STEPS_MAX - len(run.steps))
    for step in run.steps:
        # An ask's calls are what it names: widened they would answer another one.
        calls = widened(step.calls) if step.state in _GOOD and not step.step.asks else None
        if room <= 0 or calls is None or any(same_calls(calls, before) for before in asked):
            continue
        room, number = room - 1, number + 1
        asked.append(calls)
        yield replace(
            step.step,
            step_id=f"again{number}",
            depends_on=(),
            suggested_calls=calls,
            condition="",
            required=False,
        )
