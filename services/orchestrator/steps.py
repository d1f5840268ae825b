"""Runs a plan's steps: each as soon as those that it depends on have ended, independent ones side by side."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from time import perf_counter
from typing import Final

from services.catalog.loader import catalog
from services.contract.agent import RunRequest, RunResult
from services.contract.events import AgentOutcome, AgentSettled, StepStarted
from services.contract.flow import COMPANION_OF, AgentResult, AgentStatus, FailureTag, PlanStep, Spent, ToolCall
from services.contract.tool import ToolDescription
from services.orchestrator import texts
from services.orchestrator.calls import Ensemble
from services.orchestrator.state import FlowState
from services.orchestrator.tooling import Registry, ToolChoice
from services.runtime import ledger
from services.runtime.errors import DeadlineExceeded, HapjuError, Unavailable

STEPS_AT_ONCE_MAX: Final = 4
"""How many steps of one flow run side by side."""

NOT_NEEDED: Final = "COMPANION_NOT_NEEDED"
"""Why a companion branch is left out: the branch before it found what it needs (spec 2.3)."""
NOT_SERVED: Final = "AGENT_NOT_SERVED"
"""Why a step is left out whose agent this deployment does not run; the answer says so (spec 1.5)."""

_OUTCOMES: Final = {
    AgentStatus.ANSWERED: AgentOutcome.ANSWERED,
    AgentStatus.LIMITED: AgentOutcome.ANSWERED,
    AgentStatus.INSUFFICIENT_DATA: AgentOutcome.INSUFFICIENT_DATA,
    AgentStatus.FAILED: AgentOutcome.FAILED,
}


class Steps:
    """Runs the steps of flows."""

    def __init__(self, ensemble: Ensemble, tool_choice: ToolChoice) -> None:
        self._ensemble = ensemble
        self._tool_choice = tool_choice
        self._registry = Registry(ensemble)

    async def run_all(self, state: FlowState) -> None:
        """Runs every step of the flow's plan; a step's failure ends that step only."""
        steps = state.plan.steps if state.plan is not None else ()
        registry = await self._registry.tools(state.locale)
        ended = {step.step_id: asyncio.Event() for step in steps}
        places = asyncio.Semaphore(STEPS_AT_ONCE_MAX)

        async def run_one(step: PlanStep) -> None:
            for needed in step.depends_on:
                await ended[needed].wait()
            async with places:
                if companion_wanted(state, step):
                    await self._run(state, step, registry)
                else:
                    await _skip(state, step, NOT_NEEDED)
            ended[step.step_id].set()

        async with asyncio.TaskGroup() as group:
            for step in steps:
                group.create_task(run_one(step), name=f"step {step.step_id}")

    async def _run(self, state: FlowState, step: PlanStep, registry: dict[str, ToolDescription]) -> None:
        await state.emitter.emit(StepStarted(step.step_id, step.agent, step.task))
        place, kept = f"step/{step.step_id}", state.checkpoints
        settled, spent = kept.get(place, AgentSettled), kept.get(f"{place}/spent", Spent)
        if settled is None or spent is None:
            settled, spent = await self._settled(state, step, registry)
            # Kept before anybody is told: a step that has settled does not run again.
            await kept.keep({place: settled, f"{place}/spent": spent})
        await state.account(spent)
        if settled.result is not None:
            state.results[step.step_id] = settled.result
        if settled.outcome in {AgentOutcome.FAILED, AgentOutcome.TIMED_OUT, AgentOutcome.UNREACHABLE}:
            _note_loss(state, step, settled.reason)
        await state.emitter.emit(settled)

    async def _settled(
        self, state: FlowState, step: PlanStep, registry: dict[str, ToolDescription]
    ) -> tuple[AgentSettled, Spent]:
        begin = perf_counter()
        result: AgentResult | None = None
        spent = Spent()
        if not self._ensemble.serves(step.agent):
            outcome, reason = AgentOutcome.SKIPPED, NOT_SERVED
        else:
            try:
                calls = await self._calls(state, step, registry)
                ran = await self._result(state, step, calls)
                result, spent = ran.result, ran.spent
                outcome, reason = _OUTCOMES[result.status], result.reason
            except HapjuError as error:
                spent, outcome, reason = error.spent, _outcome_of(error), error.reason
        latency = timedelta(seconds=perf_counter() - begin)
        return AgentSettled(step.step_id, step.agent, outcome, reason, latency, result), spent

    async def _calls(
        self,
        state: FlowState,
        step: PlanStep,
        registry: dict[str, ToolDescription],
    ) -> tuple[ToolCall, ...]:
        """Returns the step's calls; where the registry cannot be read, those that the plan suggests."""
        bindings = catalog().agent(step.agent).tools
        tools = tuple(registry[binding.name] for binding in bindings if binding.name in registry)
        if not tools:
            return step.suggested_calls
        place, kept = f"step/{step.step_id}/calls", state.checkpoints
        chosen, spent = kept.get(place, PlanStep), kept.get(f"{place}/spent", Spent)
        if chosen is None or spent is None:
            with ledger.opened() as book:
                chosen = replace(step, suggested_calls=await self._tool_choice.choose(step, tools))
            spent = book.spent()
            await kept.keep({place: chosen, f"{place}/spent": spent})
        await state.account(spent)
        return chosen.suggested_calls

    async def _result(self, state: FlowState, step: PlanStep, calls: tuple[ToolCall, ...]) -> RunResult:
        if state.plan is None or state.route is None:
            raise ValueError("a step runs before the plan")
        request = RunRequest(
            run=state.run(),
            step=step,
            calls=calls,
            prior_results=tuple(state.results[needed] for needed in step.depends_on if needed in state.results),
            slots=state.plan.slots,
            question=state.plan.normalised_question or state.question.text,
            route=state.route,
        )
        async with aclosing(self._ensemble.run_agent(step.agent, request)) as events:
            async for told in events:
                if isinstance(told.event, RunResult):
                    return told.event
                await state.emitter.emit(told.event)
        raise Unavailable(f"{step.agent} ended its run without a result", reason="RESULT_MISSING")


def companion_wanted(state: FlowState, step: PlanStep) -> bool:
    """Returns whether a step runs: always, but for a companion branch that nobody asked for."""
    if not step.condition.startswith(COMPANION_OF):
        return True
    first = state.results.get(step.condition.removeprefix(COMPANION_OF))
    return first is not None and first.needs_companion_branch


async def _skip(state: FlowState, step: PlanStep, reason: str) -> None:
    skipped = AgentSettled(step.step_id, step.agent, AgentOutcome.SKIPPED, reason, timedelta(), None)
    await state.emitter.emit(skipped)


def _outcome_of(error: HapjuError) -> AgentOutcome:
    if isinstance(error, DeadlineExceeded):
        return AgentOutcome.TIMED_OUT
    return AgentOutcome.UNREACHABLE if isinstance(error, Unavailable) else AgentOutcome.FAILED


def _note_loss(state: FlowState, step: PlanStep, reason: str) -> None:
    rejected = reason == FailureTag.TOOL_GATEWAY_REJECTED.value
    state.tag(FailureTag.TOOL_GATEWAY_REJECTED if rejected else FailureTag.AGENT_CALL_FAILED)
    state.cautions.append(texts.say(state.locale, "agent_lost", task=step.task))
