"""Plans and judgements that would never end are stopped by a named limit, and nothing is spent beyond it."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hapju.planner.v1 import planner_service_pb2
from services.orchestrator.flow.planning import QUESTIONS_MAX
from services.orchestrator.steps.assessment import ADDED_STEPS_MAX
from services.orchestrator.steps.machine import RETRIES_MAX
from services.orchestrator.steps.recovery import STEPS_MAX
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster, Told, embedded
from tests.support.faults.ensemble import FaultyEnsemble
from tests.support.faults.proxy import Faults
from tests.support.hostile_planner import HostilePlanner, hostile_planner, plan, question, step
from tests.support.model_server import ModelServer
from tests.support.models import SENSIBLE, Answer, Asked
from tests.support.tokens import token

HOMES = "강남구 아파트 매매 시세 알려줘"
BEFORE_THE_PLAN = {"policy_safety", "intent_analysis"}
"""What a model is asked before there is a plan."""
pytestmark = pytest.mark.asyncio


def settings_of(model: ModelServer) -> dict[str, Any]:
    """Returns the settings of a model that is asked."""
    return {"openai_base_url": model.base_url, "openai_api_key": "test", "llm_call_timeout_seconds": 5.0}


@asynccontextmanager
async def planned_by(tmp_path: Path, data: Path) -> AsyncIterator[tuple[Cluster, HostilePlanner, ModelServer]]:
    """Runs an ensemble whose planner is hostile and whose model is not."""
    async with (
        ModelServer() as model,
        hostile_planner(tmp_path) as planner,
        embedded(tmp_path, data, elsewhere={"planner": planner.address}, **settings_of(model)) as cluster,
    ):
        yield cluster, planner, model


def spent(told: Told) -> list[Any]:
    """Returns what a flow has begun to spend on its steps."""
    return told.of("step_started") + told.of("tool_settled") + told.of("agent_settled") + told.of("delta")


PLANS: dict[str, tuple[str, planner_service_pb2.DraftPlanResponse]] = {
    "800 steps": ("PLAN_STEPS_MAX", plan(*(step(f"s{n}") for n in range(800)))),
    "one step too many": ("PLAN_STEPS_MAX", plan(*(step(f"s{n}") for n in range(STEPS_MAX + 1)))),
    "no steps": ("PLAN_EMPTY", plan()),
    "a circle": ("PLAN_CYCLE", plan(step("s1", "s3"), step("s2", "s1"), step("s3", "s2"))),
    "a step that needs itself": ("PLAN_CYCLE", plan(step("s1"), step("s2", "s2"))),
    "an unknown agent": ("PLAN_AGENT_UNKNOWN", plan(step("s1"), step("s2", agent="realty.oracle"))),
    "the orchestrator itself": ("PLAN_AGENT_UNKNOWN", plan(step("s1", agent="orchestrator"))),
    "a need that is not there": ("PLAN_DEPENDENCY_UNKNOWN", plan(step("s1", "s9"))),
    "one id twice": ("PLAN_STEP_REPEATED", plan(step("s1"), step("s1"))),
}


def _given(
    response: planner_service_pb2.DraftPlanResponse, _: planner_service_pb2.DraftPlanRequest
) -> planner_service_pb2.DraftPlanResponse:
    return response


async def test_a_plan_outside_its_limits_is_refused_before_anything_is_spent(tmp_path: Path, data: Path) -> None:
    """Each such plan fails its flow by the name of its limit; no agent, tool or model is called for it."""
    async with planned_by(tmp_path, data) as (cluster, planner, model):
        for name, (reason, response) in PLANS.items():
            planner.drafting = partial(_given, response)
            asked = len(model.calls)
            told = await cluster.ask(HOMES)
            assert told.terminal == ["failed"], name
            assert (told.events[-1].failed.reason, spent(told)) == (reason, []), name
            assert "한도" in told.events[-1].failed.message
            assert {call.kind for call in model.calls[asked:]} <= BEFORE_THE_PLAN, name
            assert told.events[-1].failed.usage.model_calls == len(model.calls) - asked


async def test_a_plan_of_as_many_steps_as_may_run_is_run(tmp_path: Path, data: Path) -> None:
    """The limit is the limit: a plan that just holds is run to its end."""
    steps = [step(f"s{n}", *([f"s{n - 1}"] if n else []), agent="realty.analysis") for n in range(STEPS_MAX)]
    async with planned_by(tmp_path, data) as (cluster, planner, _):
        planner.drafting = lambda _: plan(*steps)
        told = await cluster.ask(HOMES)
    assert told.terminal == ["finished"]
    assert {one.step_id for one in told.of("step_started")} == {one.step_id for one in steps}


async def test_a_planner_that_only_asks_is_stopped(tmp_path: Path, data: Path) -> None:
    """A planner that has another question after each answer is asked no more once the user has answered five."""
    async with planned_by(tmp_path, data) as (cluster, planner, _):
        planner.drafting = lambda request: question(f"slot_{len(request.asked_slots)}")
        client = FaultyEnsemble(Faults(), data, token(dev_key(tmp_path), "kim"), cluster.channel)
        told = await client.ask(HOMES, "session-1", 60.0, ["강남구"] * 20)
    assert told.terminal == ["finished"]
    assert len(told.of("question_asked")) == QUESTIONS_MAX
    assert len(planner.asked) == QUESTIONS_MAX + 1
    assert spent(told)[:-1] == []
    assert told.answer.context_meta.status == "asked"


def _always(action: str, **fields: Any) -> Answer:
    """A judgement that is the same after every step."""
    judged = {"quality_score": 0.1, "relevance": 0.1, "action": action, "confidence": 0.9, "reasoning": "more"}
    return lambda _: json.dumps({**judged, **fields}, ensure_ascii=False)


def _delegating(asked: Asked) -> str:
    """Hands on to whoever has just been asked, and to the others in turn."""
    done = [line["agent"] for line in asked.lines("done")]
    agent = "realty.search" if len(done) % 2 else "realty.analysis"
    return _always("add_agent", next_agent=agent, task=f"again, time {len(done)}")(asked)


def _first_alone(cases: dict[str, Answer]) -> list[Any]:
    """Return the names of cases of which the first two are tried in each run, the others in the long one."""
    return [*list(cases)[:2], *(pytest.param(name, marks=pytest.mark.long) for name in list(cases)[2:])]


HOSTILE: dict[str, Answer] = {
    "adds agents for ever": _always("add_agent", next_agent="finance.real_estate", task="once more"),
    "delegates to itself": _always("add_agent", next_agent="realty.search", task="do it yourself"),
    "delegates in a circle": _delegating,
    "adds an unknown agent": _always("add_agent", next_agent="realty.oracle", task="ask it"),
    "collaborates for ever": _always("collaborate", primary="s1", supporting="s1", collaboration_type="refinement"),
}


@pytest.mark.parametrize("name", _first_alone(HOSTILE))
async def test_a_judge_that_never_has_enough_is_stopped(tmp_path: Path, data: Path, name: str) -> None:
    """At most three steps are added and each runs twice at most, whatever the model says after each."""
    answers = {**SENSIBLE, "execution_orchestration": HOSTILE[name]}
    async with ModelServer(answers) as model, embedded(tmp_path, data, **settings_of(model)) as cluster:
        told = await cluster.ask(HOMES)
    assert told.terminal == ["finished"]
    planned = told.of("planned")[-1].plan.steps
    attempts = Counter(one.step_id for one in told.of("step_started"))
    assert len(attempts) <= len(planned) + ADDED_STEPS_MAX
    assert max(attempts.values()) <= 1 + RETRIES_MAX
    assert told.answer.usage.model_calls == len(model.calls)


def _steps(*agents: str, needs: list[list[int]] | None = None) -> Answer:
    """A selection of agents as a model writes it."""

    def said(asked: Asked) -> str:
        steps = [
            {"agent": agent, "task": asked.data("question")[:200], "depends_on": needs[n] if needs else []}
            for n, agent in enumerate(agents)
        ]
        return json.dumps({"steps": steps, "confidence": 0.9, "reasoning": "the team"}, ensure_ascii=False)

    return said


SELECTIONS: dict[str, Answer] = {
    "800 agents": _steps(*["realty.search"] * 800),
    "a circle": _steps("realty.search", "realty.analysis", needs=[[2], [1]]),
    "an unknown agent": _steps("realty.oracle"),
    "the planner itself": _steps("planner"),
}


@pytest.mark.parametrize("name", _first_alone(SELECTIONS))
async def test_a_model_that_plans_beyond_every_limit_is_not_followed(tmp_path: Path, data: Path, name: str) -> None:
    """Such a selection is asked for once more, then the planner's rule plans; the flow runs few steps and answers."""
    answers = {**SENSIBLE, "agent_selection": SELECTIONS[name]}
    async with ModelServer(answers) as model, embedded(tmp_path, data, **settings_of(model)) as cluster:
        told = await cluster.ask(HOMES)
    assert told.terminal == ["finished"]
    assert {one.step_id for one in told.of("step_started")} <= {
        one.step_id for one in told.of("planned")[-1].plan.steps
    }
    assert len(told.of("planned")[-1].plan.steps) <= 2
    assert model.count("agent_selection") <= 2
    assert told.answer.usage.model_calls == len(model.calls)


@pytest.mark.parametrize("calls_max", [0, 3, 7])
async def test_no_model_is_called_beyond_the_budget(tmp_path: Path, data: Path, calls_max: int) -> None:
    """With a judge that never has enough, the model's server counts no more calls than the flow was given."""
    answers = {**SENSIBLE, "execution_orchestration": HOSTILE["delegates in a circle"]}
    async with (
        ModelServer(answers) as model,
        embedded(tmp_path, data, model_calls_max=calls_max, **settings_of(model)) as cluster,
    ):
        told = await cluster.ask(HOMES)
    assert told.terminal == ["finished"]
    assert len(model.calls) <= calls_max
    assert told.answer.usage.model_calls == len(model.calls)
    assert told.answer.final_response
