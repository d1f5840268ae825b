"""The judgements on steps that ran side by side: asked for side by side, and taken one after another.

    s1  judged ──────► acted upon ─┐
    s2  judged ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ┴─► the plan stayed: used · it changed: thrown away, and judged anew

What is foreseen is that the steps ahead are accepted and the plan goes on: what most judgements come to.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from prompts.orchestrator.execution_orchestration import PROMPT, Inputs, Output
from services.catalog.reuse import says_nothing_new
from services.orchestrator.flow.state import FlowState
from services.orchestrator.speculation.early import AskedAhead, can_spare
from services.orchestrator.steps.assessment import Assessor
from services.orchestrator.steps.machine import Run, StepRun, StepState

Judgements = dict[str, AskedAhead[Inputs, Output]]
"""Judgements that were asked for before their turn, by step."""


class StepJudging:
    """Judges the steps of flows.

    Args:
        assessor: Puts the question.
        together: Whether it is put for steps that ran side by side at once.
    """

    def __init__(self, assessor: Assessor, *, together: bool) -> None:
        self._assessor = assessor
        self._together = together

    @asynccontextmanager
    async def begun(self, state: FlowState, run: Run, ran: Sequence[StepRun]) -> AsyncIterator[Judgements]:
        """Ask for the judgements on steps that have run, but for the first, whose turn it is; the body takes them."""
        completed = [step for step in ran if step.state is StepState.COMPLETED]
        early: Judgements = {}
        for place, step in enumerate(completed[1:] if self._together else (), start=1):
            asking = self._assessor.asking(state, run, step, accepted=completed[:place])
            is_made = state.checkpoints.has(place_of(step))
            is_open = asking.takes_time and not is_made and not says_again(state, run, step)
            if is_open and can_spare(state):
                early[step.step.step_id] = AskedAhead.of(state, asking)
        try:
            yield early
            for step in completed:
                if (left := early.pop(step.step.step_id, None)) is not None:
                    await left.thrown_away(place_of(step))
        finally:
            while early:
                await early.popitem()[1].lost()

    async def judged(self, state: FlowState, run: Run, step: StepRun, early: Judgements) -> Output:
        """Return the judgement on a step at its turn, once in the flow's life."""
        asking, place = self._assessor.asking(state, run, step), place_of(step)
        prepared = early.pop(step.step.step_id, None)
        if prepared is not None and prepared.asking != asking:
            await prepared.thrown_away(place)
            prepared = None

        async def made() -> Output:
            decided = await asking.decide() if prepared is None else await prepared.taken()
            return decided.output

        settled = (PROMPT.kind,) if says_again(state, run, step) else ()
        return await state.decide(place, Output, made, settled)


def says_again(state: FlowState, run: Run, step: StepRun) -> bool:
    """Return whether a step has come to what its agent said in an earlier flow: that was judged then."""
    before = state.findings.said_before.get(step.step.step_id, ())
    return step.result is not None and says_nothing_new(step.result, before, run.given(step))


def place_of(step: StepRun) -> str:
    """Return the place in the flow of the judgement on a step's present attempt."""
    return f"step/{step.step.step_id}/{step.retries + 1}/assessment"
