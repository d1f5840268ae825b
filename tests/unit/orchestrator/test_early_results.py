"""What an agent has computed is judged and built on while its summary is still written (HAPJU_EARLY_RESULTS)."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from services.contract.agent import RunRequest, RunResponse, RunResult
from services.contract.events import AgentOutcome, AgentSettled, FlowEvent
from services.contract.flow import AgentResult, Decision, DecisionSource, PlanStep, Spent, Usage
from services.durable.checkpoints import Checkpoint, Checkpoints
from services.llm.decider import Decider
from services.llm.formats import OutputModes
from services.orchestrator.flow.state import FlowState
from services.orchestrator.steps.assessment import Assessor
from services.orchestrator.steps.attempt import Steps
from services.orchestrator.steps.loop import TeamLoop
from services.orchestrator.steps.machine import StepState
from services.orchestrator.steps.review import Reviewer
from services.orchestrator.steps.tooling import ToolChoice
from services.runtime.errors import HapjuError, Unavailable
from tests.unit.orchestrator.test_loop import NOW, Found, ScriptedEnsemble, plan_step, state_of, states

SECONDS_MAX = 5.0
"""What waits for something that cannot come fails after this."""
CHAIN = (plan_step("s1", "realty.search"), plan_step("s2", "realty.analysis", "s1", required=True))


@dataclass
class Pen:
    """How one agent words what it has computed."""

    down: asyncio.Event = field(default_factory=asyncio.Event)
    """It writes until this is set."""
    fails: HapjuError | None = None
    """What its call ends with instead of a result."""
    is_used: bool = False
    """True once it writes."""
    is_left: bool = False
    """True once its call was closed while it wrote."""


@dataclass
class WritingEnsemble(ScriptedEnsemble):
    """Agents that tell what they have computed and then write; without a pen their summary is there at once."""

    pens: dict[str, Pen] = field(default_factory=dict)

    async def run_agent(self, agent: str, request: RunRequest) -> AsyncGenerator[RunResponse]:
        """Computes, tells it, writes, and tells the result."""
        if request.computed is not None:
            self.asked.append(request)
            yield RunResponse(_written(request.computed))
            return
        async for told in super().run_agent(agent, request):
            if not isinstance(told.event, RunResult):
                yield told
                continue
            yield RunResponse(told.event.result)
            await self._write(agent)
            yield RunResponse(_written(told.event.result))

    async def _write(self, agent: str) -> None:
        pen = self.pens.get(agent)
        if pen is None:
            return
        pen.is_used = True
        try:
            await pen.down.wait()
        except asyncio.CancelledError:
            pen.is_left = True
            raise
        if pen.fails is not None:
            raise pen.fails


async def until(holds: Callable[[], bool]) -> None:
    """Waits until something holds."""
    async with asyncio.timeout(SECONDS_MAX):
        while not holds():
            await asyncio.sleep(0)


def _written(result: AgentResult) -> RunResult:
    decision = Decision(
        result.agent, "agent_summary", DecisionSource.LLM, "1", "m", "", b"{}", None, "", "", timedelta(), Usage(1), NOW
    )
    return RunResult(replace(result, summary=f"written: {result.summary}"), Spent((decision,), Usage(1)))


def loop_over(ensemble: ScriptedEnsemble, *, early: bool = True) -> TeamLoop:
    """Returns a loop without a model."""
    decider = Decider("orchestrator", model=None, model_names={}, modes=OutputModes("json_schema"))
    steps = Steps(ensemble, ToolChoice(decider), early=early)  # type: ignore[arg-type]
    return TeamLoop(steps, Assessor(decider), Reviewer(decider))


async def executed(
    ensemble: ScriptedEnsemble, *steps: PlanStep, early: bool = True
) -> tuple[FlowState, list[FlowEvent]]:
    """Runs the loop over a plan to its end."""
    state, events = await state_of(*steps)
    async with asyncio.timeout(SECONDS_MAX):
        await loop_over(ensemble, early=early).execute(state)
        await state.emitter.settled()
    return state, events


def settled(events: list[FlowEvent]) -> list[AgentSettled]:
    """Returns how attempts settled, as it was told."""
    return [event.event for event in events if isinstance(event.event, AgentSettled)]


def chain(**pens: Pen) -> WritingEnsemble:
    """Returns the agents of the chain."""
    script: dict[str, list[Found | HapjuError]] = {"realty.search": [Found(4)], "realty.analysis": [Found(1)]}
    return WritingEnsemble(script, pens={f"realty.{agent}": pen for agent, pen in pens.items()})


@pytest.mark.asyncio
async def test_a_step_runs_on_while_the_one_before_still_writes() -> None:
    """The dependent step gets the computed result; the flow ends with the written one, told once for each step."""
    pen = Pen()
    ensemble = chain(search=pen)
    state, events = await state_of(*CHAIN)
    running = asyncio.create_task(loop_over(ensemble).execute(state))
    await until(lambda: len(ensemble.asked) == 2)
    assert [one.summary for one in ensemble.asked[1].prior_results] == ["4 rows"]
    assert ("realty.search", "agent_summary") not in [(one.service, one.kind) for one in state.budget.decisions]
    pen.down.set()
    async with asyncio.timeout(SECONDS_MAX):
        await running
    await state.emitter.settled()
    assert [state.findings.results[name].summary for name in ("s1", "s2")] == ["written: 4 rows", "written: 1 rows"]
    told = {one.step_id: one.result.summary for one in settled(events) if one.result is not None}
    assert (told, len(settled(events))) == ({"s1": "written: 4 rows", "s2": "written: 1 rows"}, 2)
    assert state.budget.usage.model_calls == 2
    assert [one.kind for one in state.budget.decisions].count("agent_summary") == 2


@pytest.mark.asyncio
async def test_both_shapes_decide_alike() -> None:
    """With the shortcut off the summaries come first; decisions, ends and results are the same."""
    ends = []
    for early in (True, False):
        state, events = await executed(chain(), *CHAIN, early=early)
        kinds = sorted((one.service, one.kind, one.output_json) for one in state.budget.decisions)
        outcomes = sorted((one.step_id, one.outcome, one.result) for one in settled(events))
        ends.append((kinds, outcomes, states(state), state.findings.results, state.budget.usage))
    assert ends[0] == ends[1]


@pytest.mark.asyncio
async def test_an_agent_lost_while_it_writes_has_lost_its_words_only() -> None:
    """The computed result stands with the rule's summary; nothing is run again, and nothing said to be missing."""
    pen = Pen(fails=Unavailable("gone"))
    pen.down.set()
    ensemble = chain(search=pen)
    state, events = await executed(ensemble, *CHAIN)
    assert len(ensemble.asked) == 2
    assert (state.findings.results["s1"].summary, state.cautions, state.tags) == ("4 rows", [], [])
    assert [one.outcome for one in settled(events)] == [AgentOutcome.ANSWERED] * 2


@pytest.mark.asyncio
async def test_a_step_that_runs_again_has_settled_before() -> None:
    """Too few rows are looked up once more; the richer result is kept as it was written, each attempt told once."""
    ensemble = WritingEnsemble({"realty.search": [Found(2), Found(1)]})
    state, events = await executed(ensemble, plan_step("s1", "realty.search"))
    assert [one.result.summary for one in settled(events) if one.result] == ["written: 2 rows", "written: 1 rows"]
    assert (state.findings.results["s1"].summary, states(state)["s1"]) == (
        "written: 2 rows",
        StepState.PARTIALLY_ACCEPTED,
    )


@pytest.mark.asyncio
async def test_a_cancelled_flow_leaves_no_agent_writing() -> None:
    """Every call is closed when the work is cancelled, also those whose step the loop has left behind."""
    ensemble = chain(search=Pen(), analysis=Pen())
    pens = ensemble.pens
    state, events = await state_of(*CHAIN)
    running = asyncio.create_task(loop_over(ensemble).execute(state))
    await until(lambda: all(pen.is_used for pen in pens.values()))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert [pen.is_left for pen in pens.values()] == [True, True]
    assert settled(events) == []


@pytest.mark.asyncio
async def test_the_next_driver_reads_nothing_again() -> None:
    """What was computed is kept before it is judged: a flow that is gone on with asks for the words alone."""
    kept: dict[str, Checkpoint] = {}

    async def record(made: tuple[Checkpoint, ...]) -> None:
        kept.update({one.name: one for one in made})

    first, (state, _) = chain(search=Pen()), await state_of(*CHAIN)
    state.checkpoints = Checkpoints(record)
    running = asyncio.create_task(loop_over(first).execute(state))
    await until(lambda: len(first.asked) == 2)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    second, (state, events) = chain(), await state_of(*CHAIN)
    second.script = {"realty.search": [], "realty.analysis": [Found(1)]}
    state.checkpoints = Checkpoints(record, kept)
    async with asyncio.timeout(SECONDS_MAX):
        await loop_over(second).execute(state)
        await state.emitter.settled()
    computed = {one.step.step_id: one.computed.summary for one in second.asked if one.computed is not None}
    # The step behind it may have ended under the first driver.
    assert computed == {"s1": "4 rows"}
    assert state.findings.results["s1"].summary == "written: 4 rows"
    assert sorted(one.step_id for one in settled(events)) == ["s1", "s2"]


@pytest.mark.asyncio
async def test_the_next_driver_decides_by_the_same() -> None:
    """A step that had settled is judged and built on as it was computed, as its first driver has done or would have."""
    kept: dict[str, Checkpoint] = {}

    async def record(made: tuple[Checkpoint, ...]) -> None:
        kept.update({one.name: one for one in made})

    first, (state, _) = chain(analysis=Pen()), await state_of(*CHAIN)
    state.checkpoints = Checkpoints(record)
    running = asyncio.create_task(loop_over(first).execute(state))
    await until(lambda: "step/s1/1" in kept and len(first.asked) == 2)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    for name in [name for name in kept if name.startswith("step/s2")]:
        del kept[name]
    second, (state, events) = chain(), await state_of(*CHAIN)
    second.script = {"realty.search": [], "realty.analysis": [Found(1)]}
    state.checkpoints = Checkpoints(record, kept)
    async with asyncio.timeout(SECONDS_MAX):
        await loop_over(second).execute(state)
        await state.emitter.settled()
    assert [one.prior_results[0].summary for one in (first.asked[1], second.asked[0])] == ["4 rows"] * 2
    assert state.findings.results["s1"].summary == "written: 4 rows"
    assert sorted(one.step_id for one in settled(events)) == ["s1", "s2"]
