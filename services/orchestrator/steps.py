"""One attempt of a step: its tools chosen centrally, its agent run, what happens told."""

import json
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import timedelta
from time import perf_counter
from typing import Final

from services.catalog.loader import catalog
from services.contract.agent import RunRequest, RunResult
from services.contract.events import AgentOutcome, AgentSettled, StepStarted, ToolOutcomeKind, ToolSettled
from services.contract.flow import AgentResult, AgentStatus, PlanStep, Spent, ToolCall
from services.orchestrator.calls import Ensemble
from services.orchestrator.checkpoints import Checkpoints
from services.orchestrator.machine import Run, StepRun, StepStage, StepState
from services.orchestrator.state import FlowState
from services.orchestrator.tooling import Registry, ToolChoice
from services.runtime import deadlines, ledger
from services.runtime import run as context
from services.runtime.errors import DeadlineExceeded, FailedPrecondition, HapjuError, Unavailable

NOT_NEEDED: Final = "COMPANION_NOT_NEEDED"
"""Why a companion branch is left out: the branch before it found what it needs (spec 2.3)."""
NOT_SERVED: Final = "AGENT_NOT_SERVED"
"""Why a step is left out whose agent this deployment does not run; the answer says so (spec 1.5)."""

ATTEMPT_SHARE: Final = 0.5
"""Of the time that a flow has left, what one attempt of a step may take: the rest is for another one and the answer."""

LOST: Final = frozenset({AgentOutcome.FAILED, AgentOutcome.TIMED_OUT, AgentOutcome.UNREACHABLE})
"""The ends of an attempt that leave a gap in the answer."""

_OUTCOMES: Final = {
    AgentStatus.ANSWERED: AgentOutcome.ANSWERED,
    AgentStatus.LIMITED: AgentOutcome.ANSWERED,
    AgentStatus.INSUFFICIENT_DATA: AgentOutcome.INSUFFICIENT_DATA,
    AgentStatus.FAILED: AgentOutcome.FAILED,
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How one attempt ended, as it is kept."""

    settled: AgentSettled
    """How it settled, as it is told."""
    spent: Spent
    """What the agent decided and spent."""
    step: PlanStep
    """The step."""
    calls: tuple[ToolCall, ...]
    """The calls that it made."""
    row_count: int
    """Rows that its tools returned."""

    def checkpoints(self, place: str) -> dict[str, object]:
        """Returns the messages that are kept of it, by name."""
        rows = ToolSettled(self.step.step_id, "", ToolOutcomeKind.RETURNED, self.row_count, False, "", timedelta())
        return {
            place: self.settled,
            f"{place}/spent": self.spent,
            f"{place}/calls": replace(self.step, suggested_calls=self.calls),
            f"{place}/rows": rows,
        }


def _ended_before(kept: Checkpoints, place: str) -> Ended | None:
    """Returns how an attempt ended under a former driver, or None where it did not."""
    settled, spent = kept.get(place, AgentSettled), kept.get(f"{place}/spent", Spent)
    made, rows = kept.get(f"{place}/calls", PlanStep), kept.get(f"{place}/rows", ToolSettled)
    if settled is None or spent is None or made is None or rows is None:
        return None
    return Ended(settled, spent, made, made.suggested_calls, rows.row_count)


class Steps:
    """Runs the steps of flows."""

    def __init__(self, ensemble: Ensemble, tool_choice: ToolChoice) -> None:
        self._ensemble = ensemble
        self._tool_choice = tool_choice
        self._registry = Registry(ensemble)

    async def attempt(self, state: FlowState, run: Run, step: StepRun) -> None:
        """Runs a step once, from BEFORE_STEP to AFTER_STEP; its failure is the step's state and no exception.

        An attempt that a former driver of the flow has finished is not made again.
        """
        step.begin()
        await state.emitter.emit(StepStarted(step.step.step_id, step.step.agent, step.step.task))
        place = f"step/{step.step.step_id}/{step.retries + 1}"
        ended = _ended_before(state.checkpoints, place)
        if ended is None:
            ended = await self._ended(state, run, step, place)
            # Kept before anybody is told: what has settled is not done again.
            await state.checkpoints.keep(ended.checkpoints(place))
        else:
            await state.account(state.checkpoints.get(f"{place}/choice/spent", Spent) or Spent())
        await state.account(ended.spent)
        settled = ended.settled
        step.calls, step.result, step.row_count = ended.calls, settled.result, ended.row_count
        step.outcome, step.reason = settled.outcome, settled.reason
        step.to(StepState.FAILED if step.outcome in {*LOST, AgentOutcome.SKIPPED} else StepState.COMPLETED)
        if step.state is StepState.COMPLETED:
            for stage in (StepStage.TOOL_ORCHESTRATED, StepStage.EXECUTING, StepStage.AFTER_STEP):
                step.reach(stage)
        await state.emitter.emit(settled)

    async def _ended(self, state: FlowState, run: Run, step: StepRun, place: str) -> Ended:
        begin, result, spent = perf_counter(), None, Spent()
        step.calls = ()
        if not self._ensemble.serves(step.step.agent):
            outcome, reason = AgentOutcome.SKIPPED, NOT_SERVED
        else:
            try:
                with deadlines.within_share(ATTEMPT_SHARE):
                    step.calls = await self._calls(state, run, step, place)
                    ran = await self._result(state, run, step)
                result, spent = ran.result, ran.spent
                outcome, reason = _OUTCOMES[result.status], result.reason
            except HapjuError as error:
                spent, outcome, reason = error.spent, _outcome_of(error), error.reason
        latency = timedelta(seconds=perf_counter() - begin)
        settled = AgentSettled(step.step.step_id, step.step.agent, outcome, reason, latency, result)
        return Ended(settled, spent, step.step, step.calls, step.row_count)

    async def _calls(self, state: FlowState, run: Run, step: StepRun, place: str) -> tuple[ToolCall, ...]:
        """Returns the attempt's calls; where the registry cannot be read, those that the plan suggests."""
        if step.next_calls is not None:
            return step.next_calls
        if not step.step.suggested_calls and run.takers.get(step.step.step_id):
            # What it would look up is held already.
            return ()
        kept = state.checkpoints
        chosen, spent = kept.get(f"{place}/choice", PlanStep), kept.get(f"{place}/choice/spent", Spent)
        if chosen is None or spent is None:
            registry = await self._registry.tools(state.locale)
            # An agent may bind one tool twice, in two ways; it is offered once.
            names = dict.fromkeys(binding.name for binding in catalog().agent(step.step.agent).tools)
            tools = tuple(registry[name] for name in names if name in registry)
            if not tools:
                return step.step.suggested_calls
            known = tuple(call for one in run.steps for call in one.step.suggested_calls)
            with context.use(state.run()), ledger.opened() as book:
                calls = await self._tool_choice.choose(step.step, tools, known)
            chosen, spent = replace(step.step, suggested_calls=calls), book.spent()
            await kept.keep({f"{place}/choice": chosen, f"{place}/choice/spent": spent})
        await state.account(spent)
        return chosen.suggested_calls

    async def _result(self, state: FlowState, run: Run, step: StepRun) -> RunResult:
        if state.plan is None or state.route is None:
            raise FailedPrecondition("a step runs before the plan")
        request = RunRequest(
            run=state.run(),
            step=step.step,
            calls=step.calls,
            prior_results=run.given(step),
            slots=state.plan.slots,
            question=state.plan.normalised_question or state.question.text,
            route=state.route,
        )
        async with aclosing(self._ensemble.run_agent(step.step.agent, request)) as events:
            async for told in events:
                if isinstance(told.event, RunResult):
                    if not step.calls:
                        step.row_count = rows_of(told.event.result)
                    return told.event
                if isinstance(told.event, ToolSettled):
                    step.row_count += told.event.row_count
                await state.emitter.emit(told.event)
        raise Unavailable(f"{step.step.agent} ended its run without a result", reason="RESULT_MISSING")


def rows_of(result: AgentResult) -> int:
    """Returns how many rows a result rests on."""
    return sum(len(json.loads(piece.rows_json)) for piece in result.evidence)


def _outcome_of(error: HapjuError) -> AgentOutcome:
    if isinstance(error, DeadlineExceeded):
        return AgentOutcome.TIMED_OUT
    return AgentOutcome.UNREACHABLE if isinstance(error, Unavailable) else AgentOutcome.FAILED
