"""Worked examples of the loop and the judgements, whole, by rule and by a model."""

import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hapju.flow.v1 import flow_event_pb2, plan_pb2
from services.runtime.settings import dev_key
from services.tool_gateway.data.copying import copy_folder
from tests.support.cluster import Cluster, Told, embedded
from tests.support.model_server import ModelServer
from tests.support.models import SENSIBLE, Answer, Asked
from tests.support.tokens import token

OUTCOMES = flow_event_pb2.AgentOutcome
FEW = "DELETE FROM {table} WHERE region_code = '11680' AND property_type = 'apartment' AND rowid NOT IN ({kept})"
FLATS = "SELECT rowid FROM {table} WHERE region_code = '11680' AND property_type = 'apartment' AND deal_type = 'sale'"


@pytest.fixture
def few(data: Path, tmp_path: Path) -> Path:
    """A copy of the data that holds two rows of flats in 강남구: a price and a listing."""
    folder = tmp_path / "few"
    copy_folder(data.parent, folder)
    with sqlite3.connect(folder / "data.db") as database:
        for table in ("realty_market_prices", "realty_listings"):
            database.execute(FEW.format(table=table, kept=f"{FLATS.format(table=table)} LIMIT 1"))
    return folder / "data.db"


def _reads(domain: str, intent: str, *agents: str) -> dict[str, Answer]:
    """A model that reads the question so, and chooses these agents, each after the one before."""
    route = {"domain": domain, "intent": intent, "confidence": 0.95, "alternatives": [], "reasoning": "plain"}

    def steps(named: str, extra: dict[str, Any]) -> Callable[[Asked], str]:
        def said(asked: Asked) -> str:
            parts = [
                {"agent": agent, named: asked.data("question")[:200], "depends_on": [n] if n else [], **extra}
                for n, agent in enumerate(agents)
            ]
            return json.dumps({"steps": parts, "confidence": 0.9, "reasoning": "the team"})

        return said

    return {
        "intent_analysis": lambda _: json.dumps({**route, "sql_need": True, "graph_need": False}),
        "agent_selection": steps("task", {}),
        "query_decomposition": steps("sub_question", {"condition": ""}),
    }


@asynccontextmanager
async def _cluster(tmp_path: Path, data: Path, model: dict[str, Answer] | None) -> AsyncIterator[Cluster]:
    """The ensemble, with a model that answers so, or with none."""
    if model is None:
        async with embedded(tmp_path / "state", data) as cluster:
            yield cluster
        return
    async with ModelServer({**SENSIBLE, **model}) as server:
        settings: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path / "state", data, **settings) as cluster:
            yield cluster


def _outcomes(told: Told) -> list[tuple[str, str]]:
    return [(one.agent, OUTCOMES.Name(one.outcome).removeprefix("AGENT_OUTCOME_")) for one in told.of("agent_settled")]


def _skip_when_enough(asked: Asked) -> str:
    """Judges as the example does: five results answer a plain question."""
    rows = max(line["row_count"] for line in asked.lines("done"))
    action = "skip_remaining" if rows >= 5 else "continue"
    judged = {"quality_score": 0.9, "relevance": 0.9, "action": action, "confidence": 0.9}
    return json.dumps({**judged, "reasoning": f"{rows} results"})


@pytest.mark.asyncio
async def test_five_results_make_the_rest_needless(tmp_path: Path, data: Path) -> None:
    """(a) A model plans a search and what could follow it; the search finds enough, and nothing else runs."""
    model = _reads("realty", "LEGAL_CONSULT", "realty.search", "realty.analysis")
    async with _cluster(tmp_path, data, model | {"execution_orchestration": _skip_when_enough}) as cluster:
        told = await cluster.ask("전세금 인상 가능한가요?")
    plan = told.of("planned")[-1].plan
    assert [step.agent for step in plan.steps] == ["realty.search", "realty.analysis"]
    assert sum(tool.row_count for tool in told.of("tool_settled")) >= 5
    # The skip is decided by what was computed; the search settles once its words have come, or failed to.
    assert sorted(_outcomes(told)) == [("realty.analysis", "SKIPPED"), ("realty.search", "ANSWERED")]
    assert [agent.agent_name for agent in told.answer.selected_agents] == ["realty.search"]


@pytest.mark.asyncio
@pytest.mark.parametrize("model", [None, _reads("realty", "MARKET_INQUIRY", "realty.search")], ids=["rule", "model"])
async def test_two_results_are_too_few(tmp_path: Path, few: Path, model: dict[str, Answer] | None) -> None:
    """(b) Two rows: the search runs again with other arguments, finds five or more, and is done."""
    if model is not None:
        low = {"quality_score": 0.3, "relevance": 0.5, "action": "continue", "confidence": 0.9}

        def judged(asked: Asked) -> str:
            rows = max(line["row_count"] for line in asked.lines("done"))
            return json.dumps({**low, "quality_score": 0.3 if rows < 3 else 0.9, "reasoning": f"{rows} rows"})

        def chosen(asked: Asked) -> str:
            output = json.loads(SENSIBLE["tool_orchestration"](asked))
            homes = [call for call in output["calls"] if call["tool"] in {"market_data", "real_estate_search"}]
            left = [{"tool": call["tool"], "reason": "not asked"} for call in output["calls"] if call not in homes]
            return json.dumps({**output, "calls": homes, "skipped": [*output["skipped"], *left]})

        model = {**model, "execution_orchestration": judged, "tool_orchestration": chosen}
    async with _cluster(tmp_path, few, model) as cluster:
        told = await cluster.ask("강남 아파트 시세")
    rows = {tool: [one.row_count for one in told.of("tool_settled") if one.tool == tool] for tool in _tools(told)}
    assert {tool: len(counts) for tool, counts in rows.items()} == {"market_data": 2, "real_estate_search": 2}
    assert sum(counts[0] for counts in rows.values()) == 2
    assert sum(counts[1] for counts in rows.values()) >= 5
    assert [agent for agent, _ in _outcomes(told)] == ["realty.search"] * 2
    assert told.answer.context_meta.status == "ok"


def _tools(told: Told) -> set[str]:
    return {one.tool for one in told.of("tool_settled")}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "model", [None, _reads("realty", "COMPREHENSIVE", "realty.search", "realty.analysis")], ids=["rule", "model"]
)
async def test_the_analysis_receives_what_the_search_found(
    tmp_path: Path, data: Path, model: dict[str, Answer] | None
) -> None:
    """(c) and [001] '강남구 시세 + 리스크 분석': search, then analysis over its rows, one after the other."""
    async with _cluster(tmp_path, data, model) as cluster:
        told = await cluster.ask("강남구 시세 + 리스크 분석")
    route, plan = told.of("routed")[-1].route, told.of("planned")[-1].plan
    assert (route.intent, plan.strategy) == ("COMPREHENSIVE", plan_pb2.STRATEGY_SEQUENTIAL)
    assert [step.agent for step in plan.steps] == ["realty.search", "realty.analysis"]
    assert {"market_data", "real_estate_search"} <= {call.tool for call in plan.steps[0].suggested_calls}
    search, analysis = (agent.output for agent in told.answer.selected_agents)
    assert analysis.metrics
    found = {piece.evidence_id for piece in search.evidence}
    rested_on = {name for metric in analysis.metrics for name in metric.evidence_ids}
    assert rested_on
    assert rested_on <= found | {piece.evidence_id for piece in analysis.evidence}
    assert found & {piece.evidence_id for piece in analysis.evidence} or rested_on & found


@pytest.mark.asyncio
async def test_the_examples_hold_where_questions_are_read_as_asks(tmp_path: Path, data: Path) -> None:
    """By rule alone: what one step answers needs no other; what asks for risk too gets the analysis over its rows."""
    async with embedded(tmp_path / "state", data, typed_asks=True) as cluster:
        plain = await cluster.ask("강남구 아파트 시세")
        both = await cluster.ask("강남구 시세 + 리스크 분석")
        report = await cluster.ask("마포구 아파트 투자 보고서 만들어줘")
    assert _outcomes(plain) == [("realty.search", "ANSWERED")]
    assert plain.answer.context_meta.status == "ok"
    search, analysis = (agent.output for agent in both.answer.selected_agents)
    rested_on = {name for metric in analysis.metrics for name in metric.evidence_ids}
    assert rested_on & {piece.evidence_id for piece in search.evidence}
    assert _planned(report)[:2] == ["realty.search", "realty.analysis"]
    assert {"realty.search", "realty.analysis"} <= {one.agent_name for one in report.answer.selected_agents}


def _planned(told: Told) -> list[str]:
    return [step.agent for step in told.of("planned")[-1].plan.steps]


@pytest.mark.asyncio
async def test_the_follow_ups_of_the_third_source(tmp_path: Path, data: Path) -> None:
    """[003] The prices of two minutes ago do; another district searches; with week-old prices law is missing."""
    async with _cluster(tmp_path, data, None) as cluster:
        bearer = token(dev_key(tmp_path / "state"), "kim", roles=("evaluator",))
        first = await cluster.ask("강남구 시세 알려줘", token=bearer)
        session = first.of("accepted")[0].session_id
        start = datetime.now(UTC)

        async def said(text: str, after: timedelta) -> Told:
            return await cluster.ask(text, token=bearer, session_id=session, now=start + after)

        sufficient = await said("방금 검색한 시세로 투자 수익률 계산해줘", timedelta(minutes=2))
        elsewhere = await said("서초구 시세 분석해줘", timedelta(minutes=3))
        week_old = await said("위험도 분석해줘", timedelta(days=8))
    decision = sufficient.of("data_reuse_decision")[0]
    assert (decision.use, decision.confidence > 0.9, sufficient.of("tool_settled")) == ("use", True, [])
    assert "realty.analysis" in {agent.agent_name for agent in sufficient.answer.selected_agents}
    assert (elsewhere.of("data_reuse_decision")[0].use, bool(elsewhere.of("tool_settled"))) == ("search", True)
    lacking = week_old.of("data_reuse_decision")[0]
    assert (lacking.use, "legal: 가진 것이 없음" in lacking.reasoning) == ("search", True)
    assert {"legal_search", "market_data"} <= _tools(week_old)


@pytest.mark.asyncio
async def test_a_vague_question_gets_no_agents(tmp_path: Path, data: Path) -> None:
    """[004] '뭐가 좋을까' is asked back with examples; no plan and no agent."""
    async with _cluster(tmp_path, data, None) as cluster:
        told = await cluster.ask("뭐가 좋을까")
    assert (told.answer.context_meta.status, told.of("planned"), told.of("step_started")) == ("asked", [], [])
    assert 2 <= len(told.answer.next_suggested_actions) <= 3


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("text", "reading", "agents", "confidence", "confirms"),
    [
        ("노트북 추천해줘", {"get_recommendation": 0.92}, {"commerce.reco_fit"}, 0.92, False),
        (
            "이 상품 장바구니에 넣고 결제할게",
            {"add_to_cart": 0.88, "purchase": 0.85},
            {"commerce.order_flow"},
            0.865,
            True,
        ),
        ("뭐가 좋을까", {"get_recommendation": 0.55}, set(), 0.55, False),
    ],
)
async def test_the_gates_of_the_fourth_source(  # noqa: PLR0917 - a row of the table
    tmp_path: Path,
    data: Path,
    text: str,
    reading: dict[str, float],
    agents: set[str],
    confidence: float,
    confirms: bool,
) -> None:
    """[004] A reading supplied by a trusted caller keeps its confidences, and passes the same gates."""
    async with _cluster(tmp_path, data, None) as cluster:
        bearer = token(dev_key(tmp_path / "state"), "kim", roles=("evaluator", "router"), user_type="consumer")
        (intent, score), *others = reading.items()
        alternatives = [{"intent": other, "confidence": less} for other, less in others]
        supplied = {"primary_intent": intent, "confidence": score, "alternative_intents": alternatives}
        told = await cluster.ask(text, token=bearer, router_output=supplied)
    route = told.of("routed")[-1].route
    assert route.confidence == pytest.approx(confidence, abs=0.0051)
    assert route.requires_confirmation is confirms
    assert agents <= set(route.target_agents)
