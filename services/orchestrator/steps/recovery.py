"""What is done about a step that failed, in whole or in a tool of its own.

    what failed                       what is done
    the agent, step required          once more, then another agent that can look at the same, then without it
    the agent, other step             without it
    a tool, whole step failed         once more where the step is required, then another tool for the same data
    a tool, others returned rows      another tool for the same data
    a tool that needs another first   that one, then the tool
    a service that is not reached     its channel has tried three times: nothing is repeated here, else as above
    a tool that timed out twice       the tool gateway has tried again: nothing is repeated here, else as above

Each way adds one step, or two, among the flow's three added ones, and is told in the stream and in the answer. Which
step it was is kept: the next driver of the flow takes the same way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from services.catalog.loader import catalog
from services.contract.events import AgentOutcome, Progress
from services.contract.flow import ExecutionPlan, PlanStep
from services.orchestrator import texts
from services.orchestrator.flow.state import FlowState
from services.orchestrator.steps.alternatives import (
    AlternativePool,
    Instead,
    calls_made,
    dependencies_first,
    failed_tools,
    instead_of_agent,
    instead_of_tools,
    unmet_tools,
)
from services.orchestrator.steps.assessment import ADDED_STEPS_MAX, question_of
from services.orchestrator.steps.attempt import LOST, Steps
from services.orchestrator.steps.machine import Run, StepRun
from services.runtime.errors import FailedPrecondition

STEPS_MAX: Final = 16
"""Steps of one flow, added ones counted."""
TRIED_OUT: Final = frozenset({"UNAVAILABLE", "DRAINING", "CIRCUIT_OPEN", "TIMED_OUT"})
"""Reasons of failures that the hop before has tried again already: over all hops nothing is tried over three times."""
_RETRIED: Final = frozenset({AgentOutcome.FAILED, AgentOutcome.TIMED_OUT})


def is_worth_another_try(step: StepRun) -> bool:
    """Return whether a step that failed is run once more."""
    return step.step.required and step.can_retry and step.outcome in _RETRIED and step.reason not in TRIED_OUT


class Recovery:
    """Finds other ways."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    async def mend(self, state: FlowState, run: Run, step: StepRun) -> None:
        """Add what stands in for what a step has lost that is over, where there is such and the flow may add it."""
        if step.is_added or not _has_lost(step):
            return
        added = await self._added(state, run, step)
        if not added or run.added + len(added) > ADDED_STEPS_MAX or len(run.steps) + len(added) > STEPS_MAX:
            return
        other = ", ".join(dict.fromkeys(texts.what(one.agent, state.locale) for one in added))
        looking = texts.say(state.locale, "looking_instead", other=other)
        await state.emitter.emit(Progress("orchestrator", added[0].step_id, looking))
        state.cautions.append(texts.say(state.locale, "looked_instead", other=other))
        place = run.steps.index(step) + 1
        run.steps[place:place] = [
            StepRun(one, is_added=True, stands_in=True, next_calls=one.suggested_calls) for one in added
        ]
        _wait_for(run, step, added)

    async def _added(self, state: FlowState, run: Run, step: StepRun) -> tuple[PlanStep, ...]:
        """Return the steps to be added, once in the flow's life."""
        if state.plan is None:
            raise FailedPrecondition("a step is over before the plan")
        plan, place = state.plan, f"step/{step.step.step_id}/instead"

        async def found() -> ExecutionPlan:
            ways = await self._instead(state, run, step)
            return replace(plan, steps=tuple(_steps_of(state, run, step, ways)))

        return (await state.checkpoints.once(place, ExecutionPlan, found)).steps

    async def _instead(self, state: FlowState, run: Run, step: StepRun) -> tuple[Instead, ...]:
        agent, failed, unmet = step.step.agent, failed_tools(step.result), unmet_tools(step.result)
        asked = {one.step.agent for one in run.steps}

        def is_there(name: str) -> bool:
            return catalog().agent(name).domain in state.question.domains and self._steps.serves(name)

        def is_new(name: str) -> bool:
            return is_there(name) and (name not in asked or (name == agent and bool(failed)))

        tools = await self._steps.choosing.registry(state.locale)
        offer = AlternativePool(catalog(), tools, is_new)
        calls = calls_made(offer, step.calls or step.step.suggested_calls, step.step.branch)
        if unmet and (ways := dependencies_first(replace(offer, may_ask=is_there), agent, calls, unmet)):
            return ways
        found = instead_of_tools(offer, agent, calls, failed) if failed else None
        if step.result is None:
            found = instead_of_agent(offer, agent, calls)
        return (found,) if found is not None else ()


def _wait_for(run: Run, lost: StepRun, added: Sequence[PlanStep]) -> None:
    """Let what builds on a step build on what stands in for it as well."""
    names = tuple(one.step_id for one in added)
    for later in run.remaining():
        if lost.step.step_id in later.step.depends_on and later.step.step_id not in names:
            later.step = replace(later.step, depends_on=(*later.step.depends_on, *names))


def _has_lost(step: StepRun) -> bool:
    """Return whether something is to be replaced: a tool of an agent that answered, or a required agent."""
    if step.result is not None:
        return bool(failed_tools(step.result))
    return step.outcome in LOST and step.step.required


def _steps_of(state: FlowState, run: Run, lost: StepRun, ways: Sequence[Instead]) -> Iterator[PlanStep]:
    """Yield the steps that are added, each after the one before."""
    needs: tuple[str, ...] = ()
    for number, instead in enumerate(ways, run.added + 1):
        step_id = f"added{number}"
        yield PlanStep(
            step_id=step_id,
            agent=instead.agent,
            task=lost.step.task,
            sub_question=question_of(state),
            depends_on=needs,
            branch=instead.branch,
            suggested_calls=instead.calls,
            keywords=lost.step.keywords,
            condition="",
            required=False,
        )
        needs = (step_id,)
