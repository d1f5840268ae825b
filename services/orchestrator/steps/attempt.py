"""One attempt of a step: its tools chosen centrally, its agent run, what happens told.

    tools chosen ─► agent run ─► computed ─► its summary written ─► settled: kept, then told
                                    └──────────── judged, built on ────────────┘

What an agent has computed is handed on while a model still writes its summary (HAPJU_EARLY_RESULTS). Until the review
the flow decides by the computed result, whenever the summary comes; from then on it has the result as it was settled.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from time import perf_counter
from typing import Any, Final

import structlog

from observability import attributes as names
from observability.spans import AttributeValue, set_attributes, span
from observability.telemetry import current as current_telemetry
from services.contract.agent import RunRequest, RunResult
from services.contract.events import AgentOutcome, AgentSettled, StepStarted, ToolOutcomeKind, ToolSettled
from services.contract.flow import AgentResult, AgentStatus, PlanStep, Spent, ToolCall
from services.durable.checkpoints import Checkpoints
from services.durable.requests import shown_text
from services.orchestrator.calls import Ensemble
from services.orchestrator.flow.attached import attached_to
from services.orchestrator.flow.state import FlowState
from services.orchestrator.speculation.choosing import Choosing
from services.orchestrator.speculation.loans import Loan
from services.orchestrator.steps.machine import Run, StepRun, StepStage, StepState
from services.orchestrator.steps.tooling import ToolChoice
from services.runtime import deadlines
from services.runtime.errors import DeadlineExceeded, FailedPrecondition, HapjuError, Unavailable

ATTEMPT_SHARE: Final = 0.5
"""Of the time that a flow has left, what one attempt of a step may take: the rest is for another one and the answer."""
NOT_NEEDED: Final = "COMPANION_NOT_NEEDED"
"""Why a companion branch is left out: the branch before it found what it needs."""
NOT_SERVED: Final = "AGENT_NOT_SERVED"
"""Why a step is left out whose agent this deployment does not run; the answer says so."""

LOST: Final = frozenset({AgentOutcome.FAILED, AgentOutcome.TIMED_OUT, AgentOutcome.UNREACHABLE})
"""The ends of an attempt that leave a gap in the answer."""

_log = structlog.get_logger(__name__)
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
        """Return the messages that are kept of it, by name."""
        rows = ToolSettled(self.step.step_id, "", ToolOutcomeKind.RETURNED, self.row_count, False, "", timedelta())
        return {
            place: self.settled,
            f"{place}/spent": self.spent,
            f"{place}/calls": replace(self.step, suggested_calls=self.calls),
            f"{place}/rows": rows,
        }


def _ended_before(kept: Checkpoints, place: str) -> Ended | None:
    """Return how an attempt ended under a former driver, or None where it did not."""
    settled, spent = kept.get(place, AgentSettled), kept.get(f"{place}/spent", Spent)
    made, rows = kept.get(f"{place}/calls", PlanStep), kept.get(f"{place}/rows", ToolSettled)
    if settled is None or spent is None or made is None or rows is None:
        return None
    return Ended(settled, spent, made, made.suggested_calls, rows.row_count)


@dataclass(slots=True)
class _Attempt:
    """One attempt while it lasts."""

    state: FlowState
    run: Run
    step: StepRun
    place: str
    computed: "asyncio.Future[Ended]"
    """What can be gone on with before it has settled."""
    began: float = field(default_factory=perf_counter)
    calls: tuple[ToolCall, ...] = ()
    row_count: int = 0

    def ended(self, result: AgentResult | None, outcome: AgentOutcome, reason: str, spent: Spent) -> Ended:
        """Return how it has ended now."""
        latency = timedelta(seconds=perf_counter() - self.began)
        settled = AgentSettled(self.step.step.step_id, self.step.step.agent, outcome, reason, latency, result)
        return Ended(settled, spent, self.step.step, self.calls, self.row_count)

    def found(self, result: AgentResult, spent: Spent) -> Ended:
        """Return how it has ended with a result."""
        return self.ended(result, _OUTCOMES[result.status], result.reason, spent)


class Steps:
    """Runs the steps of flows.

    Args:
        ensemble: The agents.
        tool_choice: Puts the question for their calls.
        tools_ahead: Whether it is put before their turn.
        early: Whether a result is taken as computed, before its summary is written.
    """

    def __init__(
        self, ensemble: Ensemble, tool_choice: ToolChoice, *, tools_ahead: bool = True, early: bool = True
    ) -> None:
        self._ensemble = ensemble
        self.choosing = Choosing(ensemble, tool_choice, ahead=tools_ahead)
        """Chooses their calls."""
        self._early = early

    def serves(self, agent: str) -> bool:
        """Return whether this deployment runs an agent."""
        return self._ensemble.serves(agent)

    @asynccontextmanager
    async def settling(self, run: Run) -> AsyncIterator[None]:
        """Leave nothing of a run's attempts running behind it."""
        try:
            yield
        finally:
            await _give_up([step.settling for step in run.steps if step.settling is not None])

    async def settle(self, state: FlowState, run: Run) -> None:
        """Wait until every attempt of a run has settled; the flow's results are then those that were told."""
        for step in run.steps:
            await step.settle()
        state.findings.results = run.results()

    async def attempt(self, state: FlowState, run: Run, step: StepRun) -> None:
        """Run a step once, from BEFORE_STEP to AFTER_STEP; its failure is the step's state and no exception.

        Where its agent still writes, the rest of the attempt is the step's `settling`. An attempt that a former driver
        of the flow has finished is not made again.
        """
        await step.settle()
        step.begin()
        await state.emitter.emit(StepStarted(step.step.step_id, step.step.agent, step.step.task))
        place = f"step/{step.step.step_id}/{step.retries + 1}"
        attempt = _Attempt(state, run, step, place, asyncio.get_running_loop().create_future())
        rest = asyncio.create_task(self._settled(attempt), name=place)
        either: set[asyncio.Future[Any]] = {rest, attempt.computed}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await _give_up([rest])
            raise
        # What was computed comes first even where the rest has come with it: the same flow decides by the same.
        settled = attempt.computed.result().settled if attempt.computed.done() else rest.result()
        step.settling = rest if attempt.computed.done() else None
        step.calls, step.result, step.row_count = attempt.calls, settled.result, attempt.row_count
        step.outcome, step.reason = settled.outcome, settled.reason
        step.to(StepState.FAILED if step.outcome in {*LOST, AgentOutcome.SKIPPED} else StepState.COMPLETED)
        if step.state is StepState.COMPLETED:
            for stage in (StepStage.TOOL_ORCHESTRATED, StepStage.EXECUTING, StepStage.AFTER_STEP):
                step.reach(stage)

    async def _settled(self, attempt: _Attempt) -> AgentSettled:
        """Take an attempt to its end, and tell it."""
        state, kept, place = attempt.state, attempt.state.checkpoints, attempt.place
        ended = _ended_before(kept, place)
        # A part is left for what is decided beside the steps that run.
        with state.budget.lend(attempt.run.under_way + 1) as loan:
            if ended is None:
                ended = await self._ended(attempt, loan)
                # Kept before anybody is told: what has settled is not done again.
                await kept.keep(ended.checkpoints(place))
            else:
                await _account_choice(attempt)
                if (computed := _ended_before(kept, f"{place}/computed")) is not None:
                    attempt.calls, attempt.row_count = computed.calls, computed.row_count
                    attempt.computed.set_result(computed)
            attempt.calls, attempt.row_count = ended.calls, ended.row_count
            await state.account(ended.spent, loan)
        await state.emitter.emit(ended.settled)
        return ended.settled

    async def _ended(self, attempt: _Attempt, loan: Loan) -> Ended:
        step = attempt.step
        described: dict[str, AttributeValue] = {
            names.STEP_ID: step.step.step_id,
            names.STEP_ATTEMPT: step.retries + 1,
            names.AGENT_ID: step.step.agent,
        }
        with span(names.SPAN_STEP, attributes=described):
            ended = await self._attempted(attempt, loan)
            outcome = ended.settled.outcome.value
            set_attributes({names.AGENT_OUTCOME: outcome})
        current_telemetry().instruments.agent_ran(step.step.agent, outcome)
        return ended

    async def _attempted(self, attempt: _Attempt, loan: Loan) -> Ended:
        if not self._ensemble.serves(attempt.step.step.agent):
            return attempt.ended(None, AgentOutcome.SKIPPED, NOT_SERVED, Spent())
        try:
            with deadlines.within_share(ATTEMPT_SHARE):
                ran = await self._begun(attempt, loan)
            return attempt.found(ran.result, ran.spent)
        except HapjuError as error:
            if attempt.computed.done() and (result := attempt.computed.result().settled.result) is not None:
                # Nothing is lost but its wording.
                _log.warning("agent_lost_while_it_wrote", agent=attempt.step.step.agent, reason=error.reason)
                return attempt.found(result, error.spent)
            return attempt.ended(None, _outcome_of(error), error.reason, error.spent)

    async def _begun(self, attempt: _Attempt, loan: Loan) -> RunResult:
        """Choose the attempt's calls and run its agent; where a former driver has computed, the agent alone."""
        computed = _ended_before(attempt.state.checkpoints, f"{attempt.place}/computed")
        if computed is None:
            attempt.calls = await self.choosing.calls(attempt.state, attempt.run, attempt.step, attempt.place, loan)
        else:
            # A former driver was lost while the agent wrote: nothing is read again.
            await _account_choice(attempt)
            attempt.calls, attempt.row_count = computed.calls, computed.row_count
            attempt.computed.set_result(computed)
        return await self._ran(attempt, loan)

    async def _ran(self, attempt: _Attempt, loan: Loan) -> RunResult:
        state, step = attempt.state, attempt.step
        if state.plan is None or state.route is None:
            raise FailedPrecondition("a step runs before the plan")
        request = RunRequest(
            run=state.run(loan),
            step=step.step,
            calls=attempt.calls,
            prior_results=attempt.run.given(step),
            slots=state.plan.slots,
            question=state.plan.normalised_question or shown_text(state.question),
            route=state.route,
            computed=attempt.computed.result().settled.result if attempt.computed.done() else None,
            said_before=state.findings.said_before.get(step.step.step_id, ()),
            attachments=await attached_to(state, step.step.asks),
        )
        async with aclosing(self._ensemble.run_agent(step.step.agent, request)) as events:
            async for told in events:
                event = told.event
                if isinstance(event, RunResult):
                    self._count_held(attempt, event.result)
                    return event
                if isinstance(event, AgentResult):
                    await self._take_computed(attempt, event)
                    continue
                if isinstance(event, ToolSettled):
                    attempt.row_count += event.row_count
                await state.emitter.emit(event)
        raise Unavailable(f"{step.step.agent} ended its run without a result", reason="RESULT_MISSING")

    async def _take_computed(self, attempt: _Attempt, result: AgentResult) -> None:
        """Let the flow go on with a result whose summary is still written, once it is kept."""
        if not self._early or attempt.computed.done():
            return
        self._count_held(attempt, result)
        computed = attempt.found(result, Spent())
        await attempt.state.checkpoints.keep(computed.checkpoints(f"{attempt.place}/computed"))
        attempt.computed.set_result(computed)

    @staticmethod
    def _count_held(attempt: _Attempt, result: AgentResult) -> None:
        """Count the rows of a result that no call brought."""
        if not attempt.calls:
            attempt.row_count = rows_of(result)


async def _account_choice(attempt: _Attempt) -> None:
    """Account for the choice of tools of an attempt that a former driver began."""
    state = attempt.state
    await state.account(state.checkpoints.get(f"{attempt.place}/choice/spent", Spent) or Spent())


async def _give_up(tasks: list["asyncio.Task[AgentSettled]"]) -> None:
    """Cancel attempts, and wait until they have let go of their calls."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def rows_of(result: AgentResult) -> int:
    """Return how many rows a result rests on."""
    return sum(len(json.loads(piece.rows_json)) for piece in result.evidence)


def _outcome_of(error: HapjuError) -> AgentOutcome:
    if isinstance(error, DeadlineExceeded):
        return AgentOutcome.TIMED_OUT
    return AgentOutcome.UNREACHABLE if isinstance(error, Unavailable) else AgentOutcome.FAILED
