"""The loop over a plan's steps: run what is ready, judge what came back, act on the judgement.

    ready steps ─► attempt, side by side ─► judge each ─► continue · add an agent · skip what is left · collaborate
        ▲                                        │
        └──────────── once more, another way ◄───┘  where the result is too little

What fails ends its step only: a required one is run once more where that may mend it, then another tool or agent is
asked in its place, and the answer says what is missing.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from prompts.orchestrator.execution_orchestration import NextStep, Output
from prompts.orchestrator.execution_review import Achieved
from prompts.orchestrator.execution_review import Output as Review
from services.contract.events import AgentOutcome, AgentSettled, Progress, Reviewed
from services.contract.flow import Branch, FailureTag, PlanStep
from services.contract.forms import COMPANION_OF
from services.grounding.restating import Restating
from services.orchestrator import texts
from services.orchestrator.flow.state import FlowState
from services.orchestrator.speculation.judging import Judgements, StepJudging, says_again
from services.orchestrator.steps.assessment import ADDED_STEPS_MAX, QUALITY_MIN, Assessor, quality_of, question_of
from services.orchestrator.steps.attempt import LOST, NOT_NEEDED, Steps
from services.orchestrator.steps.machine import Run, RunState, StepRun, StepStage, StepState
from services.orchestrator.steps.once_more import another_run
from services.orchestrator.steps.recovery import STEPS_MAX, Recovery, is_worth_another_try
from services.orchestrator.steps.review import REVIEW, REVIEW_AGAIN, REVIEW_KIND, Reviewer, has_run, told, with_missing
from services.orchestrator.steps.variation import same_calls, widened
from services.runtime import deadlines
from services.runtime.errors import FailedPrecondition

STEPS_AT_ONCE_MAX: Final = 4
"""How many steps of one flow run side by side."""
RETRY_SECONDS_MIN: Final = 0.5
"""With less time left nothing is run again."""


async def _nothing() -> None:
    """Nothing was begun."""


class TeamLoop:
    """Executes plans."""

    def __init__(self, steps: Steps, assessor: Assessor, reviewer: Reviewer, *, together: bool = True) -> None:
        """`together`: steps that ran side by side are judged side by side."""
        self._steps = steps
        self._judging = StepJudging(assessor, together=together)
        self._reviewer = reviewer
        self._recovery = Recovery(steps)

    async def execute(self, state: FlowState) -> None:
        """Run the flow's plan until nothing is left to run; results and tags are left in the flow's state."""
        if state.plan is None:
            raise FailedPrecondition("there is no plan to execute")
        steps = [StepRun(step) for step in state.plan.steps]
        run = Run(state.plan.strategy, steps, held=state.findings.held, takers=state.findings.takers)
        await self._run(state, run)

    async def _run(self, state: FlowState, run: Run) -> None:
        """Take a run from its beginning to what is left of it: the review."""
        state.run_of_steps = run
        run.to(RunState.PRE_EXECUTION)
        run.to(RunState.STRATEGY_DETERMINED)
        run.to(RunState.TEAM_LOOP)
        choosing = self._steps.choosing
        async with self._steps.settling(run):
            try:
                while ready := run.ready()[:STEPS_AT_ONCE_MAX]:
                    await self._attempt_all(state, run, ready)
                    await self._conclude_all(state, run, ready)
                    await choosing.drop_needless(run)
            finally:
                await choosing.give_up(run)
            await self._steps.settle(state, run)
        run.to(RunState.POST_EXECUTION)

    async def review(self, state: FlowState, before_more: Callable[[], Awaitable[None]] = _nothing) -> None:
        """Have what was found reviewed, and another way tried where it does not bear on the question.

        What is missing joins the cautions of the flow's state.

        Args:
            state: The flow.
            before_more: Lets go of what was begun with the results as they stand, before others are looked for.
        """
        run = state.run_of_steps
        if run is None:
            raise FailedPrecondition("there is no run to review")
        if has_run(run):
            review = await self._reviewed(state, run, REVIEW)
            if review.goal_achieved is Achieved.NO and (again := await self._again(state, run)) is not None:
                await before_more()
                await state.emitter.emit(Progress("orchestrator", "", texts.say(state.locale, "once_more")))
                run = again
                await self._run(state, run)
                review = await self._reviewed(state, run, REVIEW_AGAIN)
            state.cautions[:] = with_missing(state, told(state, run, review))
        run.to(RunState.REVIEWED)
        run.to(RunState.COMPLETED)

    async def _reviewed(self, state: FlowState, run: Run, place: str) -> Review:
        # What was all said before was reviewed then.
        found = [step for step in run.steps if step.result is not None]
        is_known = bool(found) and all(says_again(state, run, step) for step in found)
        settled = (REVIEW_KIND,) if is_known else ()
        review = await state.decide(place, Review, lambda: self._reviewer.review(state, run), settled)
        state.findings.review = told(state, run, review)
        await state.emitter.emit(Reviewed(state.findings.review))
        return review

    @staticmethod
    async def _again(state: FlowState, run: Run) -> Run | None:
        """Return the run that tries another way, once a run has ended with its review."""
        again = await another_run(state, run, has_time=_time_for_more())
        if again is not None:
            run.to(RunState.REVIEWED)
            run.to(RunState.COMPLETED)
        return again

    async def _attempt_all(self, state: FlowState, run: Run, ready: list[StepRun]) -> None:
        wanted = [step for step in ready if _companion_wanted(run, step)]
        for step in ready:
            if step not in wanted:
                await self._skip(state, step, NOT_NEEDED)
        async with asyncio.TaskGroup() as group:
            for step in wanted:
                group.create_task(self._steps.attempt(state, run, step), name=f"step {step.step.step_id}")

    async def _conclude_all(self, state: FlowState, run: Run, ran: list[StepRun]) -> None:
        """Take steps from their attempts' ends to their own, those without a result first."""
        for step in ran:
            if step.state is StepState.FAILED:
                await self._conclude_failed(state, run, step)
        async with self._judging.begun(state, run, ran) as judgements:
            for step in ran:
                if step.state is StepState.COMPLETED:
                    await self._conclude(state, run, step, judgements)

    async def _conclude_failed(self, state: FlowState, run: Run, step: StepRun) -> None:
        """Take a step that has failed to one more attempt, or out: another one may take its place."""
        if is_worth_another_try(step) and _time_for_more():
            step.to(StepState.RETRYING)
            return
        step.to(StepState.SKIPPED)
        _note_loss(state, step)
        await self._mend(state, run, step)

    async def _conclude(self, state: FlowState, run: Run, step: StepRun, judgements: Judgements) -> None:
        """Take a step that has a result to its end, or to one more attempt."""
        judged = await self._judging.judged(state, run, step, judgements)
        step.reach(StepStage.RESULT_ANALYZED)
        step.quality = quality_of(run, step, judged)
        run.quality_scores[step.step.step_id] = step.quality
        if step.quality < QUALITY_MIN and self._runs_again(step):
            step.to(StepState.RETRYING)
            return
        step.keep_better()
        step.to(StepState.ACCEPTED if step.quality >= QUALITY_MIN else StepState.PARTIALLY_ACCEPTED)
        _note_little(state, step)
        state.findings.results = run.results()
        await self._mend(state, run, step)
        await self._act(state, run, judged)

    async def _mend(self, state: FlowState, run: Run, step: StepRun) -> None:
        """Have another way looked for, where there is the time to go it."""
        if _time_for_more():
            await self._recovery.mend(state, run, step)

    def _runs_again(self, step: StepRun) -> bool:
        """Prepare a step that found too little for another way; return whether there is one."""
        wider = widened(step.calls)
        if wider is None or not step.can_retry or not _time_for_more():
            return False
        step.next_calls = wider
        return True

    async def _act(self, state: FlowState, run: Run, judged: Output) -> None:
        if judged.action is NextStep.SKIP_REMAINING:
            for step in run.remaining():
                if not step.step.required and not step.stands_in:
                    await self._skip(state, step, "NOT_NEEDED")
        elif judged.action is NextStep.ADD_AGENT and run.added < ADDED_STEPS_MAX and len(run.steps) < STEPS_MAX:
            self._add(state, run, judged)
        elif judged.action is NextStep.COLLABORATE:
            _collaborate(run, judged)

    def _add(self, state: FlowState, run: Run, judged: Output) -> None:
        """Add a step, unless it would ask an agent for what it has been asked for in the same way."""
        earlier = [step for step in run.steps if step.step.agent == judged.next_agent]
        calls = widened(earlier[-1].calls or earlier[-1].step.suggested_calls) if earlier else ()
        if calls is None or any(same_calls(calls, step.calls) for step in earlier):
            return
        step = PlanStep(
            step_id=f"added{run.added + 1}",
            agent=judged.next_agent,
            task=_task(state, judged),
            sub_question=question_of(state),
            depends_on=(),
            branch=earlier[-1].step.branch if earlier else Branch.SQL,
            suggested_calls=calls,
            keywords=(),
            condition="",
            required=False,
        )
        run.steps.append(StepRun(step, is_added=True))

    async def _skip(self, state: FlowState, step: StepRun, reason: str) -> None:
        step.to(StepState.SKIPPED)
        step.reason = reason
        await state.emitter.emit(_skipped(step))


def _task(state: FlowState, judged: Output) -> str:
    """Return what an added step is to find out: a model's words where they restate the question, else the agent's."""
    question, own = question_of(state), texts.what(judged.next_agent, state.locale)
    restating = Restating((question, own), now=state.now, time_zone=state.question.time_zone)
    return restating.kept(judged.task, own)


def _companion_wanted(run: Run, step: StepRun) -> bool:
    """Return whether a step runs: always, but for a companion branch that nobody asked for."""
    if not step.step.condition.startswith(COMPANION_OF):
        return True
    wanted = step.step.condition.removeprefix(COMPANION_OF)
    first = next((one.result for one in run.steps if one.step.step_id == wanted), None)
    return first is not None and first.needs_companion_branch


def _collaborate(run: Run, judged: Output) -> None:
    """Let a step that is left receive another's whole result and run next."""
    primary = next((step for step in run.remaining() if step.step.step_id == judged.primary), None)
    if primary is None:
        return  # It has begun or is over since the judgement was asked for.
    if judged.supporting not in primary.step.depends_on:
        primary.step = replace(primary.step, depends_on=(*primary.step.depends_on, judged.supporting))
    run.steps.remove(primary)
    place = next((i for i, step in enumerate(run.steps) if step.state is StepState.PENDING), len(run.steps))
    run.steps.insert(place, primary)


def _time_for_more() -> bool:
    left = deadlines.remaining_seconds()
    return left is None or left > RETRY_SECONDS_MIN


def _skipped(step: StepRun) -> AgentSettled:
    return AgentSettled(step.step.step_id, step.step.agent, AgentOutcome.SKIPPED, step.reason, timedelta(), None)


def _note_little(state: FlowState, step: StepRun) -> None:
    """Say where a step is accepted in part; where it found nothing at all, the review says so."""
    found = step.result is not None and bool(step.result.metrics or step.result.evidence)
    if step.state is StepState.PARTIALLY_ACCEPTED and found:
        state.cautions.append(texts.say(state.locale, "little_found", part=texts.what(step.step.agent, state.locale)))


def _note_loss(state: FlowState, step: StepRun) -> None:
    if step.outcome not in LOST:
        return
    rejected = step.reason == FailureTag.TOOL_GATEWAY_REJECTED.value
    state.tag(FailureTag.TOOL_GATEWAY_REJECTED if rejected else FailureTag.AGENT_CALL_FAILED)
    state.cautions.append(texts.say(state.locale, "agent_lost", part=texts.what(step.step.agent, state.locale)))
