"""One attempt of a step: its tools chosen centrally, its agent run, what happens told."""

from contextlib import aclosing
from datetime import timedelta
from time import perf_counter
from typing import Final

from services.catalog.loader import catalog
from services.contract.agent import RunRequest, RunResult
from services.contract.events import AgentOutcome, AgentSettled, StepStarted, ToolSettled
from services.contract.flow import AgentResult, AgentStatus, ToolCall
from services.orchestrator.calls import Ensemble
from services.orchestrator.machine import Run, StepRun, StepStage, StepState
from services.orchestrator.state import FlowState
from services.orchestrator.tooling import Registry, ToolChoice
from services.runtime.errors import DeadlineExceeded, FailedPrecondition, HapjuError, Unavailable

NOT_NEEDED: Final = "COMPANION_NOT_NEEDED"
"""Why a companion branch is left out: the branch before it found what it needs (spec 2.3)."""
NOT_SERVED: Final = "AGENT_NOT_SERVED"
"""Why a step is left out whose agent this deployment does not run; the answer says so (spec 1.5)."""

LOST: Final = frozenset({AgentOutcome.FAILED, AgentOutcome.TIMED_OUT, AgentOutcome.UNREACHABLE})
"""The ends of an attempt that leave a gap in the answer."""

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

    async def attempt(self, state: FlowState, run: Run, step: StepRun) -> None:
        """Runs a step once, from BEFORE_STEP to AFTER_STEP; its failure is the step's state and no exception."""
        begin = perf_counter()
        step.begin()
        await state.emitter.emit(StepStarted(step.step.step_id, step.step.agent, step.step.task))
        if not self._ensemble.serves(step.step.agent):
            step.outcome, step.reason = AgentOutcome.SKIPPED, NOT_SERVED
        else:
            try:
                step.calls = await self._calls(state, run, step)
                step.reach(StepStage.TOOL_ORCHESTRATED)
                step.reach(StepStage.EXECUTING)
                step.result = await self._result(state, run, step)
                step.outcome, step.reason = _OUTCOMES[step.result.status], step.result.reason
            except HapjuError as error:
                await state.account(error.spent)
                step.outcome, step.reason = _outcome_of(error), error.reason
        step.to(StepState.FAILED if step.outcome in {*LOST, AgentOutcome.SKIPPED} else StepState.COMPLETED)
        if step.state is StepState.COMPLETED:
            step.reach(StepStage.AFTER_STEP)
        latency = timedelta(seconds=perf_counter() - begin)
        settled = AgentSettled(step.step.step_id, step.step.agent, step.outcome, step.reason, latency, step.result)
        await state.emitter.emit(settled)

    async def _calls(self, state: FlowState, run: Run, step: StepRun) -> tuple[ToolCall, ...]:
        """Returns the attempt's calls; where the registry cannot be read, those that the plan suggests."""
        if step.next_calls is not None:
            return step.next_calls
        registry = await self._registry.tools(state.locale)
        # An agent may bind one tool twice, in two ways; it is offered once.
        names = dict.fromkeys(binding.name for binding in catalog().agent(step.step.agent).tools)
        tools = tuple(registry[name] for name in names if name in registry)
        if not tools:
            return step.step.suggested_calls
        known = tuple(call for one in run.steps for call in one.step.suggested_calls)
        async with state.deciding():
            return await self._tool_choice.choose(step.step, tools, known)

    async def _result(self, state: FlowState, run: Run, step: StepRun) -> AgentResult:
        if state.plan is None or state.route is None:
            raise FailedPrecondition("a step runs before the plan")
        found = run.results()
        request = RunRequest(
            run=state.run(),
            step=step.step,
            calls=step.calls,
            prior_results=tuple(found[needed] for needed in step.step.depends_on if needed in found),
            slots=state.plan.slots,
            question=state.plan.normalised_question or state.question.text,
            route=state.route,
        )
        async with aclosing(self._ensemble.run_agent(step.step.agent, request)) as events:
            async for told in events:
                if isinstance(told.event, RunResult):
                    await state.account(told.event.spent)
                    return told.event.result
                if isinstance(told.event, ToolSettled):
                    step.row_count += told.event.row_count
                await state.emitter.emit(told.event)
        raise Unavailable(f"{step.step.agent} ended its run without a result", reason="RESULT_MISSING")


def _outcome_of(error: HapjuError) -> AgentOutcome:
    if isinstance(error, DeadlineExceeded):
        return AgentOutcome.TIMED_OUT
    return AgentOutcome.UNREACHABLE if isinstance(error, Unavailable) else AgentOutcome.FAILED
