"""The loop against a strict script of agents: what comes back decides what happens next."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

import pytest

from prompts.prompt import ModelRole
from services.contract.agent import RunRequest, RunResponse, RunResult
from services.contract.events import (
    AgentOutcome,
    AgentSettled,
    FlowEvent,
    GoalAchieved,
    Review,
    Reviewed,
    ToolOutcomeKind,
    ToolSettled,
)
from services.contract.flow import (
    ActionRequest,
    AgentResult,
    AgentStatus,
    Branch,
    Budget,
    DecisionSource,
    ExecutionPlan,
    FailureTag,
    Metric,
    NextAction,
    PlanStep,
    Question,
    RouteDecision,
    Spent,
    Strategy,
    ToolCall,
    ToolMode,
    ToolProbe,
)
from services.contract.tool import ToolDescription
from services.durable.checkpoints import Checkpoints
from services.llm.decider import Decider
from services.llm.formats import OutputModes
from services.orchestrator import texts
from services.orchestrator.flow.budget import FlowBudget
from services.orchestrator.flow.state import FlowState
from services.orchestrator.steps import once_more
from services.orchestrator.steps.assessment import Assessor
from services.orchestrator.steps.attempt import Steps
from services.orchestrator.steps.loop import TeamLoop
from services.orchestrator.steps.machine import RunState, StepState
from services.orchestrator.steps.review import Reviewer
from services.orchestrator.steps.tooling import ToolChoice
from services.runtime import deadlines
from services.runtime.clock import utc_now
from services.runtime.errors import HapjuError, Unavailable
from services.runtime.identity import Caller
from services.runtime.ids import new_flow_run_id
from services.runtime.streams import Emitter
from tests.support.scripted_model import ScriptedModel, Step

if TYPE_CHECKING:
    from services.orchestrator.flow.desk import Desk

NOW = datetime(2026, 3, 2, tzinfo=UTC)
METRIC = Metric("m", "값", "1", "", "count", NOW, ("e",), "강남구")


@dataclass
class Found:
    """What an agent finds in one run."""

    rows: int
    status: AgentStatus = AgentStatus.ANSWERED
    wants_companion: bool = False
    reason: str = ""
    probes: tuple[ToolProbe, ...] = ()

    def result(self, agent: str, step_id: str) -> AgentResult:
        """Returns it as an agent's result."""
        return AgentResult(
            agent,
            step_id,
            self.status,
            summary=f"{self.rows} rows",
            metrics=(METRIC,) if self.rows else (),
            reason=self.reason,
            needs_companion_branch=self.wants_companion,
            tool_probes=self.probes,
        )


@dataclass
class ScriptedEnsemble:
    """Agents by script: each run takes the next thing that its agent finds; a run without one fails the test."""

    script: dict[str, list[Found | HapjuError]]
    asked: list[RunRequest] = field(default_factory=list)

    def serves(self, agent: str) -> bool:
        """Serves every agent that has a script."""
        return agent in self.script

    async def tools(self, locale: str) -> dict[str, ToolDescription]:
        """Has no registry: the plan's calls are taken."""
        del locale
        return {}

    async def run_agent(self, agent: str, request: RunRequest) -> AsyncGenerator[RunResponse]:
        """Plays the next thing that the agent finds."""
        self.asked.append(request)
        found = self.script[agent].pop(0)
        if isinstance(found, HapjuError):
            raise found
        for call in request.calls:
            settled = ToolSettled(
                request.step.step_id,
                call.tool,
                ToolOutcomeKind.RETURNED,
                found.rows,
                replayed=False,
                reason="",
                latency=timedelta(),
            )
            yield RunResponse(settled)
        result = found.result(agent, request.step.step_id)
        yield RunResponse(RunResult(result, Spent()))


def plan_step(step_id: str, agent: str, *needs: str, **fields: Any) -> PlanStep:
    """Returns a step with one call."""
    arguments = {"region_code": "11680", "property_type": "apartment"}
    call = ToolCall("market_data", json.dumps(arguments).encode(), "hapju.tool.market_data.arguments.v1")
    step = PlanStep(step_id, agent, f"task {step_id}", "q", needs, Branch.SQL, (call,), (), "", required=False)
    return replace(step, **fields)


async def state_of(*steps: PlanStep, strategy: Strategy = Strategy.SEQUENTIAL) -> tuple[FlowState, list[FlowEvent]]:
    """Returns a planned flow and the list of its durable events."""
    events: list[FlowEvent] = []

    async def keep(*kept: FlowEvent) -> None:
        events.extend(kept)

    route = RouteDecision(
        "realty",
        "MARKET_INQUIRY",
        0.9,
        (),
        "MARKET_INQUIRY",
        True,
        False,
        ToolMode.SINGLE,
        (),
        (),
        (),
        NextAction.PROCEED,
        "vote",
        (),
        "",
        (),
        "",
        False,
    )
    state = FlowState(
        flow_run_id=new_flow_run_id(),
        question=Question("강남구 시세", "ko", ("realty", "finance"), "s", "Asia/Seoul"),
        clock=utc_now,
        deadline=deadlines.Deadline.after(30),
        caller=Caller("u"),
        now=NOW,
        emitter=Emitter(utc_now, keep),
        budget=FlowBudget(Budget(40, 100_000, 3, 1_000_000)),
        checkpoints=Checkpoints(),
        desk=cast("Desk", None),
        route=route,
        plan=ExecutionPlan("강남구 시세", (), None, steps, strategy, timedelta(), None, ()),
    )
    return state, events


async def executed(
    ensemble: ScriptedEnsemble, *steps: PlanStep, model: ScriptedModel | None = None, **fields: Any
) -> tuple[FlowState, list[AgentSettled]]:
    """Runs the loop over a plan and returns the flow and how its attempts settled."""
    state, events = await state_of(*steps, **fields)
    names = {ModelRole.SUPERVISOR: "m"} if model is not None else {}
    decider = Decider("orchestrator", model=model, model_names=names, modes=OutputModes("json_schema"))
    loop = TeamLoop(Steps(ensemble, ToolChoice(decider)), Assessor(decider), Reviewer(decider))  # type: ignore[arg-type]
    await loop.execute(state)
    await loop.review(state)
    await state.emitter.settled()
    assert {agent: [] for agent in ensemble.script} == ensemble.script, "a scripted run was left over"
    return state, [event.event for event in events if isinstance(event.event, AgentSettled)]


def states(state: FlowState) -> dict[str, StepState]:
    """Returns where each step ended."""
    assert state.run_of_steps is not None
    return {step.step.step_id: step.state for step in state.run_of_steps.steps}


@pytest.mark.asyncio
async def test_five_results_of_a_look_up_leave_the_rest_out() -> None:
    """Worked example (a): search returns five or more, and analysis and document are skipped with their reason."""
    ensemble = ScriptedEnsemble({"realty.search": [Found(6)], "realty.analysis": [], "realty.document": []})
    plan = (
        plan_step("s1", "realty.search"),
        plan_step("s2", "realty.analysis", "s1"),
        plan_step("s3", "realty.document", "s2"),
    )
    state, settled = await executed(ensemble, *plan)
    assert states(state) == {"s1": StepState.ACCEPTED, "s2": StepState.SKIPPED, "s3": StepState.SKIPPED}
    assert [(one.step_id, one.reason) for one in settled[1:]] == [("s2", "NOT_NEEDED"), ("s3", "NOT_NEEDED")]
    assert state.cautions == []


@pytest.mark.asyncio
async def test_a_required_step_is_never_left_out() -> None:
    """What the intent requires runs, however many rows the search returned."""
    ensemble = ScriptedEnsemble({"realty.search": [Found(9)], "realty.analysis": [Found(1)]})
    plan = (plan_step("s1", "realty.search"), plan_step("s2", "realty.analysis", "s1", required=True))
    state, _ = await executed(ensemble, *plan)
    assert states(state) == {"s1": StepState.ACCEPTED, "s2": StepState.ACCEPTED}


@pytest.mark.asyncio
async def test_two_results_are_searched_again_another_way() -> None:
    """Worked example (b): two rows are too few; the search runs again, widened, and its five rows count."""
    ensemble = ScriptedEnsemble({"realty.search": [Found(2), Found(5)]})
    state, settled = await executed(ensemble, plan_step("s1", "realty.search"))
    assert [one.outcome for one in settled] == [AgentOutcome.ANSWERED, AgentOutcome.ANSWERED]
    first, second = (json.loads(request.calls[0].arguments_json) for request in ensemble.asked)
    assert (first.get("property_type"), second.get("property_type")) == ("apartment", None)
    assert first["region_code"] == second["region_code"]
    assert state.findings.results["s1"].summary == "5 rows"
    assert StepState.ACCEPTED is states(state)["s1"]


@pytest.mark.asyncio
async def test_a_second_search_that_finds_less_does_not_replace_the_first() -> None:
    """The richer of two results is kept, and accepted in part."""
    ensemble = ScriptedEnsemble({"realty.search": [Found(2), Found(1)]})
    state, _ = await executed(ensemble, plan_step("s1", "realty.search"))
    assert (state.findings.results["s1"].summary, states(state)["s1"]) == ("2 rows", StepState.PARTIALLY_ACCEPTED)


@pytest.mark.asyncio
async def test_an_agent_receives_what_it_depends_on() -> None:
    """Worked example (c): analysis receives the whole result of search."""
    ensemble = ScriptedEnsemble({"realty.search": [Found(4)], "realty.analysis": [Found(1)]})
    plan = (plan_step("s1", "realty.search"), plan_step("s2", "realty.analysis", "s1"))
    state, _ = await executed(ensemble, *plan)
    assert (state.findings.results["s1"],) == ensemble.asked[1].prior_results


@pytest.mark.asyncio
async def test_a_lost_agent_ends_its_step_only() -> None:
    """An unreachable agent is tagged and told in the cautions; independent steps go on."""
    ensemble = ScriptedEnsemble({"finance.macro": [Unavailable("gone")], "finance.equity": [Found(3)]})
    plan = (plan_step("s1", "finance.macro"), plan_step("s2", "finance.equity"))
    state, settled = await executed(ensemble, *plan, strategy=Strategy.PARALLEL)
    assert AgentOutcome.UNREACHABLE in [one.outcome for one in settled]
    assert ({"s2"}, [FailureTag.AGENT_CALL_FAILED]) == (set(state.findings.results), state.tags)
    assert len(state.cautions) == 1


@pytest.mark.asyncio
async def test_a_required_agent_that_fails_is_run_once_more() -> None:
    """A required step's failure is met with one more attempt; an optional step's is not."""
    failed = Found(0, AgentStatus.FAILED)
    ensemble = ScriptedEnsemble({"finance.macro": [failed, Found(3)], "finance.equity": [failed]})
    plan = (plan_step("s1", "finance.macro", required=True), plan_step("s2", "finance.equity"))
    state, _ = await executed(ensemble, *plan)
    assert states(state) == {"s1": StepState.ACCEPTED, "s2": StepState.SKIPPED}


@pytest.mark.asyncio
@pytest.mark.parametrize(("wants", "expected"), [(True, StepState.ACCEPTED), (False, StepState.SKIPPED)])
async def test_a_companion_branch_runs_where_it_is_asked_for(wants: bool, expected: StepState) -> None:
    """The opposite branch runs once, and only where the first asked for it."""
    script: list[Found | HapjuError] = [Found(3, wants_companion=wants)]
    ensemble = ScriptedEnsemble({"finance.macro": script + ([Found(2)] if wants else [])})
    companion = plan_step("s2", "finance.macro", "s1", branch=Branch.GRAPH, condition="companion_of:s1")
    state, _ = await executed(ensemble, plan_step("s1", "finance.macro"), companion)
    assert expected is states(state)["s2"]


def judgement(action: str, **fields: Any) -> str:
    """Returns what a model says after a step."""
    given = {"quality_score": 0.8, "relevance": 0.8, "action": action, "confidence": 0.8, "reasoning": "r"}
    return json.dumps(
        {**given, "next_agent": "", "task": "", "primary": "", "supporting": "", "collaboration_type": "", **fields}
    )


def reviewed(achieved: str, *missing: str) -> Step:
    """Returns a model's review."""
    review = {"goal_achieved": achieved, "score": 0.2, "missing": missing, "confidence": 0.8, "reasoning": "r"}
    return Step("execution_review", json.dumps(review))


NOT_ANSWERED = "찾은 자료는 질문하신 내용에 대한 답이 되지 못합니다."
IN_PART = "찾은 자료로는 질문하신 내용의 일부만 답할 수 있습니다."


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("second", "caution"), [(reviewed("yes"), []), (reviewed("no"), [NOT_ANSWERED]), (reviewed("partial"), [IN_PART])]
)
async def test_what_does_not_answer_is_looked_for_once_more(second: Step, caution: list[str]) -> None:
    """A no sends the look-up wider, once; the second review stands, and the answer says what it is not."""
    going_on = Step("execution_orchestration", judgement("continue"))
    model = ScriptedModel(going_on, reviewed("no"), going_on, second)
    ensemble = ScriptedEnsemble({"realty.search": [Found(4), Found(3)]})
    state, settled = await executed(ensemble, plan_step("s1", "realty.search"), model=model)
    assert [one.step_id for one in settled] == ["s1", "again1"]
    asked = [json.loads(request.calls[0].arguments_json) for request in ensemble.asked]
    assert asked == [{"region_code": "11680", "property_type": "apartment"}, {"region_code": "11680"}]
    assert state.cautions == caution
    assert list(state.findings.results) == ["s1", "again1"]
    assert state.run_of_steps is not None
    assert state.run_of_steps.state is RunState.COMPLETED
    assert state.findings.review is not None
    assert state.findings.review.goal_achieved.name.lower() == json.loads(second.text)["goal_achieved"]


@pytest.mark.asyncio
async def test_a_no_with_no_other_way_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be widened, and where half the budget is gone, nothing more is run, and the answer says so."""
    going_on = Step("execution_orchestration", judgement("continue"))
    untied = replace(plan_step("s1", "finance.macro"), suggested_calls=(ToolCall("macro_series", b"{}", "a.v1"),))
    ensemble = ScriptedEnsemble({"finance.macro": [Found(4)]})
    state, settled = await executed(ensemble, untied, model=ScriptedModel(going_on, reviewed("no")))
    assert (len(settled), state.cautions) == (1, [NOT_ANSWERED])
    monkeypatch.setattr(once_more, "can_spare", lambda _: False)
    ensemble = ScriptedEnsemble({"realty.search": [Found(4)]})
    model = ScriptedModel(going_on, reviewed("no", "s1"))
    state, settled = await executed(ensemble, plan_step("s1", "realty.search"), model=model)
    assert (len(settled), state.cautions[0]) == (1, NOT_ANSWERED)
    assert any(texts.what("realty.search", "ko") in caution for caution in state.cautions)


@pytest.mark.asyncio
async def test_what_is_to_be_done_is_asked_for_once() -> None:
    """A flow whose agent asks for an action looks for nothing more, whatever its review says."""
    state, _ = await state_of(plan_step("s1", "realty.search"))
    decider = Decider("orchestrator", model=None, model_names={}, modes=OutputModes("json_schema"))
    agents = ScriptedEnsemble({"realty.search": [Found(4)]})
    loop = TeamLoop(Steps(agents, ToolChoice(decider)), Assessor(decider), Reviewer(decider))  # type: ignore[arg-type]
    await loop.execute(state)
    assert state.run_of_steps is not None
    (step,) = state.run_of_steps.steps
    assert step.result is not None
    wish = ActionRequest("CREATE_ORDER", b"{}", "a.v1")
    step.result = state.findings.results["s1"] = replace(step.result, metrics=(), action_requests=(wish,))
    await loop.review(state)
    assert state.findings.review == Review(GoalAchieved.NO, 0.0)
    assert len(agents.asked) == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("rows", [1, 0])
async def test_what_was_said_before_is_not_judged_anew(rows: int) -> None:
    """A step that comes to what its agent said in an earlier flow is judged and reviewed by rule; another is asked."""
    state, _ = await state_of(plan_step("s1", "realty.analysis", suggested_calls=()))
    before = Found(1).result("realty.analysis", "s2")
    state.findings.said_before = {"s1": (before,)}
    judging = [Step("execution_orchestration", judgement("continue")), reviewed("yes")]
    model = ScriptedModel(*(judging if not rows else []))
    decider = Decider(
        "orchestrator", model=model, model_names={ModelRole.SUPERVISOR: "m"}, modes=OutputModes("json_schema")
    )
    agents = ScriptedEnsemble({"realty.analysis": [Found(rows)]})
    loop = TeamLoop(Steps(agents, ToolChoice(decider)), Assessor(decider), Reviewer(decider))  # type: ignore[arg-type]
    await loop.execute(state)
    await loop.review(state)
    assert agents.asked[0].said_before == (before,)
    source = DecisionSource.RULE if rows else DecisionSource.LLM
    assert [(one.kind, one.source) for one in state.budget.decisions] == [
        ("execution_orchestration", source),
        ("execution_review", source),
    ]
    assert len(model.requests) == (0 if rows else 2)


@pytest.mark.asyncio
async def test_a_review_is_told_as_it_came_out() -> None:
    """Each review is an event of its own with score and what is missing, whoever made it."""
    state, events = await state_of(plan_step("s1", "finance.macro"))
    decider = Decider("orchestrator", model=None, model_names={}, modes=OutputModes("json_schema"))
    agents: Any = ScriptedEnsemble({"finance.macro": [Found(0, AgentStatus.INSUFFICIENT_DATA)] * 2})
    loop = TeamLoop(Steps(agents, ToolChoice(decider)), Assessor(decider), Reviewer(decider))
    await loop.execute(state)
    await loop.review(state)
    await state.emitter.settled()
    told = [event.event.review for event in events if isinstance(event.event, Reviewed)]
    assert told == [Review(GoalAchieved.NO, 0.0)]
    assert state.findings.review == told[-1]
    assert state.cautions == []


@pytest.mark.asyncio
async def test_a_model_adds_an_agent_within_the_bound() -> None:
    """Steps are added up to the limit; what it asks for in the same way again is not; the review's gap is told."""
    again = Step("execution_orchestration", judgement("add_agent", next_agent="finance.equity", task="주가도 본다"))
    model = ScriptedModel(again, again, reviewed("partial", "s1"))
    ensemble = ScriptedEnsemble({"finance.macro": [Found(3)], "finance.equity": [Found(3)]})
    state, _ = await executed(ensemble, plan_step("s1", "finance.macro"), model=model)
    assert list(states(state)) == ["s1", "added1"]
    assert any(texts.what("finance.macro", "ko") in caution for caution in state.cautions)
