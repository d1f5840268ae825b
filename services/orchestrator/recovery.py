"""What is done about a step that failed, in whole or in a tool of its own (spec 2.4).

    what failed                       what is done
    the agent, step required          once more, then another agent that can look at the same, then without it
    the agent, other step             without it
    a tool, whole step failed         once more where the step is required, then another tool for the same data
    a tool, others returned rows      another tool for the same data
    a service that is not reached     its channel has tried three times: nothing is repeated here, else as above
    a tool that timed out twice       the tool gateway has tried again: nothing is repeated here, else as above

Each way adds one step at most, among the flow's three added ones, and is told in the stream and in the answer. Which
step it was is kept: the next driver of the flow takes the same way.
"""

from dataclasses import replace
from typing import Final

from services.catalog.loader import catalog
from services.contract.events import AgentOutcome, Progress
from services.contract.flow import PlanStep
from services.orchestrator import texts
from services.orchestrator.alternatives import (
    Instead,
    Offer,
    calls_made,
    failed_tools,
    instead_of_agent,
    instead_of_tools,
)
from services.orchestrator.assessment import ADDED_STEPS_MAX, question_of
from services.orchestrator.machine import Run, StepRun
from services.orchestrator.state import FlowState
from services.orchestrator.steps import LOST, Steps

STEPS_MAX: Final = 16
"""Steps of one flow, added ones counted."""
TRIED_OUT: Final = frozenset({"UNAVAILABLE", "DRAINING", "CIRCUIT_OPEN", "TIMED_OUT"})
"""Reasons of failures that the hop before has tried again already: over all hops nothing is tried over three times."""
_RETRIED: Final = frozenset({AgentOutcome.FAILED, AgentOutcome.TIMED_OUT})


def is_worth_another_try(step: StepRun) -> bool:
    """Returns whether a step that failed is run once more."""
    return step.step.required and step.can_retry and step.outcome in _RETRIED and step.reason not in TRIED_OUT


class Recovery:
    """Finds other ways."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    async def mend(self, state: FlowState, run: Run, step: StepRun) -> None:
        """Adds a step in place of what a step that is over has lost, where there is one and the flow may add it."""
        if step.is_added or run.added >= ADDED_STEPS_MAX or len(run.steps) >= STEPS_MAX or not _has_lost(step):
            return
        added = await self._added(state, run, step)
        if not added.agent:
            return
        other = texts.what(added.agent, state.locale)
        await state.emitter.emit(
            Progress("orchestrator", added.step_id, texts.say(state.locale, "looking_instead", other=other))
        )
        state.cautions.append(texts.say(state.locale, "looked_instead", other=other))
        mended = StepRun(added, is_added=True, next_calls=added.suggested_calls)
        run.steps.insert(run.steps.index(step) + 1, mended)
        for later in run.remaining():
            if step.step.step_id in later.step.depends_on and later is not mended:
                later.step = replace(later.step, depends_on=(*later.step.depends_on, added.step_id))

    async def _added(self, state: FlowState, run: Run, step: StepRun) -> PlanStep:
        """Returns the step to be added, once in the flow's life; without an agent where there is none."""
        place = f"step/{step.step.step_id}/instead"

        async def found() -> PlanStep:
            return _step_of(state, run, step, await self._instead(state, run, step))

        return await state.checkpoints.once(place, PlanStep, found)

    async def _instead(self, state: FlowState, run: Run, step: StepRun) -> Instead | None:
        failed = failed_tools(step.result)
        asked = {one.step.agent for one in run.steps}

        def may_ask(agent: str) -> bool:
            is_free = agent not in asked or (agent == step.step.agent and bool(failed))
            enabled = catalog().agent(agent).domain in state.question.domains
            return is_free and enabled and self._steps.serves(agent)

        offer = Offer(catalog(), await self._steps.choosing.registry(state.locale), may_ask)
        calls = calls_made(offer, step.calls or step.step.suggested_calls, step.step.branch)
        if failed:
            return instead_of_tools(offer, step.step.agent, calls, failed)
        return instead_of_agent(offer, step.step.agent, calls)


def _has_lost(step: StepRun) -> bool:
    """Returns whether something is to be replaced: a tool of an agent that answered, or a required agent."""
    if step.result is not None:
        return bool(failed_tools(step.result))
    return step.outcome in LOST and step.step.required


def _step_of(state: FlowState, run: Run, lost: StepRun, instead: Instead | None) -> PlanStep:
    """Returns the step that is added; one without an agent stands for none."""
    step_id = f"added{run.added + 1}"
    if instead is None:
        return replace(lost.step, step_id=step_id, agent="", suggested_calls=())
    return PlanStep(
        step_id=step_id,
        agent=instead.agent,
        task=lost.step.task,
        sub_question=question_of(state),
        depends_on=(),
        branch=instead.branch,
        suggested_calls=instead.calls,
        keywords=lost.step.keywords,
        condition="",
        required=False,
    )
