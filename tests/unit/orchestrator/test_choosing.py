"""Calls chosen before their step's turn: used where the step is asked about alike, else thrown away and paid for."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
import pytest_asyncio

from prompts.prompt import ModelRole
from services.contract.agent import RunRequest, RunResponse, RunResult
from services.contract.flow import AgentResult, AgentStatus, Budget, PlanStep, Spent
from services.contract.tool import SideEffect, ToolCost, ToolDescription
from services.durable.checkpoints import Checkpoint, Checkpoints
from services.llm.decider import Decider
from services.llm.formats import OutputModes
from services.llm.providers.openai_compatible import CallTimeouts, OpenAiCompatible
from services.orchestrator.flow.state import CUT, FlowState
from services.orchestrator.speculation.loans import DECISION_CALLS_MAX
from services.orchestrator.steps.assessment import Assessor
from services.orchestrator.steps.attempt import Steps
from services.orchestrator.steps.loop import TeamLoop
from services.orchestrator.steps.review import Reviewer
from services.orchestrator.steps.tooling import ToolChoice
from tests.support.model_server import ModelServer, Reply
from tests.unit.orchestrator.test_loop import METRIC, judgement, plan_step, state_of

KIND = "tool_orchestration"
JUDGED = "execution_orchestration"
SECONDS = 5.0
SEARCHES = (plan_step("s1", "realty.search"), plan_step("s2", "realty.search", "s1"))
UNTIED = (*SEARCHES, plan_step("s3", "realty.search"))


def described(name: str) -> ToolDescription:
    """Returns a tool that takes a region."""
    schema = json.dumps({"type": "object", "properties": {"region_code": {"type": "string"}}}).encode()
    second = timedelta(seconds=1)
    return ToolDescription(
        name,
        name,
        schema,
        f"{name}.v1",
        b"{}",
        "rows",
        "realty",
        "market",
        ToolCost.LOW,
        second,
        1.0,
        (),
        (),
        SideEffect.NONE,
        "",
        second,
        1,
        "",
        None,
    )


@dataclass
class Agents:
    """Agents that find something once the model has been asked for so many choices, and a registry of two tools."""

    server: ModelServer
    waits_for: int = 0
    seen: list[int] = field(default_factory=list)
    """How many choices the model had been asked for when each step ran."""
    budgets: list[int] = field(default_factory=list)
    """How many calls each step was left."""

    def serves(self, agent: str) -> bool:
        """Serves every agent."""
        return bool(agent)

    async def tools(self, locale: str) -> dict[str, ToolDescription]:
        """Has tools of the search agent."""
        del locale
        return {name: described(name) for name in ("market_data", "real_estate_search")}

    async def run_agent(self, agent: str, request: RunRequest) -> AsyncGenerator[RunResponse]:
        """Finds something."""
        await self.server.until(lambda it: it.count(KIND) >= self.waits_for, SECONDS)
        self.seen.append(self.server.count(KIND))
        self.budgets.append(request.run.budget.model_calls)
        result = AgentResult(agent, request.step.step_id, AgentStatus.ANSWERED, "found", metrics=(METRIC,))
        yield RunResponse(RunResult(result, Spent()))


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    """The scriptable endpoint."""
    async with ModelServer() as started:
        yield started


@asynccontextmanager
async def looping(server: ModelServer, agents: Agents, *, ahead: bool = True) -> AsyncIterator[TeamLoop]:
    """The loop over the real client."""
    client = OpenAiCompatible(server.base_url, "key", CallTimeouts(SECONDS, SECONDS, SECONDS, SECONDS))
    decider = Decider("orchestrator", model=client, model_names={ModelRole.SUPERVISOR: "m"}, modes=OutputModes("auto"))
    steps = Steps(agents, ToolChoice(decider), tools_ahead=ahead)  # type: ignore[arg-type]
    try:
        yield TeamLoop(steps, Assessor(decider), Reviewer(decider))
    finally:
        await client.aclose()


async def executed(
    server: ModelServer, *steps: PlanStep, waits_for: int = 0, ahead: bool = True, limits: Budget | None = None
) -> tuple[FlowState, Agents]:
    """Runs the loop over a plan."""
    agents = Agents(server, waits_for)
    state, _ = await state_of(*steps)
    state.budget.limits = limits or state.budget.limits
    async with looping(server, agents, ahead=ahead) as loop:
        await loop.execute(state)
    assert state.budget.early == []
    return state, agents


def kinds(state: FlowState) -> list[str]:
    """Returns the kinds of a flow's decisions, in order."""
    return [decision.kind for decision in state.budget.decisions]


@pytest.mark.asyncio
async def test_a_later_steps_calls_are_chosen_while_the_first_step_runs(server: ModelServer) -> None:
    """The first agent waits for the second step's choice to be asked for; that choice counts at its own turn."""
    state, agents = await executed(server, *SEARCHES, waits_for=2)
    assert (agents.seen, server.count(KIND)) == ([2, 2], 2)
    assert kinds(state) == [KIND, JUDGED] * 2
    assert state.budget.usage.model_calls == len(server.calls)


@pytest.mark.asyncio
async def test_a_choice_made_ahead_is_paid_once(server: ModelServer) -> None:
    """Its own loan pays for it: the step that it is for has the whole half of what was free beside that loan."""
    limits = Budget(model_calls=40, tokens=1_000_000, model_failures=3, cost_micro_usd=0)
    state, agents = await executed(server, *SEARCHES, waits_for=2, limits=limits)
    before = 2  # the first step's choice and its judgement
    assert agents.budgets[1] == (limits.model_calls - before - DECISION_CALLS_MAX) // 2
    assert state.budget.left().model_calls == limits.model_calls - 4
    slow, agents = await executed(server, *SEARCHES, ahead=False, limits=limits)
    assert agents.budgets[1] == (limits.model_calls - before) // 2 - 1
    assert slow.budget.left() == state.budget.left()


@pytest.mark.asyncio
async def test_both_shapes_decide_alike(server: ModelServer) -> None:
    """With the shortcut off each step is asked about at its turn: the same decisions in the same order."""
    fast, _ = await executed(server, *SEARCHES)
    slow, agents = await executed(server, *SEARCHES, ahead=False)
    assert [seen - 2 for seen in agents.seen] == [1, 2]
    assert [(one.kind, one.input_digest, one.output_json) for one in fast.budget.decisions if one.kind == KIND] == [
        (one.kind, one.input_digest, one.output_json) for one in slow.budget.decisions if one.kind == KIND
    ]
    assert (kinds(fast), fast.budget.usage) == (kinds(slow), slow.budget.usage)


@pytest.mark.asyncio
async def test_a_choice_for_a_step_that_is_left_out_is_paid_for_and_not_decided(server: ModelServer) -> None:
    """The first step answers all: what the second one's choice has cost stays, for the next driver too."""
    server.script(JUDGED, Reply(text=judgement("skip_remaining")))
    state, _ = await executed(server, *SEARCHES, waits_for=2)
    assert kinds(state) == [KIND, JUDGED]
    assert state.budget.usage.model_calls == len(server.calls) == 3
    cut = state.checkpoints.get(f"{CUT}step/s2/choice/1", Spent)
    assert cut is not None
    assert (cut.decisions, cut.usage.model_calls) == ((), 1)


@pytest.mark.asyncio
async def test_a_choice_for_a_step_that_an_assessment_has_changed_is_made_anew(server: ModelServer) -> None:
    """The third step is to build on the first: its choice was another step's, and is thrown away."""
    server.script(JUDGED, Reply(text=judgement("collaborate", primary="s3", supporting="s1")))
    state, _ = await executed(server, *UNTIED, waits_for=3)
    assert kinds(state) == [KIND, JUDGED] * 3
    assert server.count(KIND) == 4
    assert state.budget.usage.model_calls == len(server.calls)


@pytest.mark.asyncio
async def test_a_flow_that_is_short_of_budget_asks_for_nothing_ahead(server: ModelServer) -> None:
    """Where a thrown-away choice would be missed later, each step is asked about at its turn."""
    _, agents = await executed(server, *SEARCHES, limits=Budget(10, 100_000, 3, 1_000_000))
    assert agents.seen == [2, 2]
    _, agents = await executed(server, *SEARCHES, limits=Budget(3, 100_000, 3, 1_000_000))
    assert [seen - 2 for seen in agents.seen] == [1, 2]


@pytest.mark.asyncio
async def test_a_flow_that_is_cancelled_leaves_no_choice_open(server: ModelServer) -> None:
    """The calls of open choices end with the flow's work, and count."""
    server.always(Reply(hang=True))
    state, _ = await state_of(*SEARCHES)
    async with looping(server, Agents(server)) as loop:
        work = asyncio.create_task(loop.execute(state))
        await server.until(lambda it: it.count(KIND) == 2, SECONDS)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        await server.until(lambda it: it.open_requests == 0, SECONDS)
    assert (state.budget.usage.model_calls, state.budget.early, state.budget.decisions) == (2, [], [])


@pytest.mark.asyncio
async def test_the_next_driver_asks_for_nothing_that_is_kept(server: ModelServer) -> None:
    """Over the checkpoints of a finished run the path comes out alike, and no model is asked."""
    kept: dict[str, Checkpoint] = {}

    async def record(made: tuple[Checkpoint, ...]) -> None:
        kept.update({one.name: one for one in made})

    first, _ = await state_of(*SEARCHES)
    first.checkpoints = Checkpoints(record)
    async with looping(server, Agents(server)) as loop:
        await loop.execute(first)
    asked = len(server.calls)
    again, _ = await state_of(*SEARCHES)
    again.checkpoints = Checkpoints(kept=kept)
    async with looping(server, Agents(server)) as loop:
        await loop.execute(again)
    assert len(server.calls) == asked
    assert (kinds(again), again.budget.usage) == (kinds(first), first.budget.usage)
