"""What a conversation has found is not looked up again, unless it is of something else, too little or too old."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from hapju.flow.v1 import flow_event_pb2
from services.runtime.settings import dev_key
from tests.integration.test_conversation import Talk
from tests.support.cluster import Cluster, Told, embedded
from tests.support.model_server import ModelServer
from tests.support.models import SENSIBLE
from tests.support.tokens import token

HOMES = "강남구 아파트 전세 시세 알려줘"
AGAIN = "방금 찾은 강남구 아파트 전세 시세 다시 정리해줘"
REUSED = flow_event_pb2.AGENT_OUTCOME_REUSED


@pytest_asyncio.fixture
async def cluster(tmp_path: Path, data: Path) -> AsyncIterator[Cluster]:
    """The ensemble in this process."""
    async with embedded(tmp_path, data, typed_asks=False) as running:
        yield running


async def _conversation(cluster: Cluster, *questions: str, **fields: Any) -> list[Told]:
    """Asks one question after the other in one conversation."""
    told: list[Told] = []
    for question in questions:
        session = told[0].of("accepted")[0].session_id if told else ""
        told.append(await cluster.ask(question, session_id=session, **fields))
    return told


def _figures(told: Told) -> set[tuple[str, str, str]]:
    agents = told.answer.selected_agents
    return {(one.subject, one.name, one.value) for agent in agents for one in agent.output.metrics}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "again"),
    [
        (HOMES, AGAIN),
        ("애플 주가 추세 분석해줘", "방금 본 애플 주가 추세 다시 알려줘"),
        ("What is the latest US unemployment rate?", "Show me that US unemployment rate again"),
        ("20만원 이하 무선 이어폰 추천해줘", "방금 추천한 무선 이어폰 다시 보여줘"),
    ],
)
async def test_the_same_is_not_looked_up_again(cluster: Cluster, question: str, again: str) -> None:
    """The second flow calls no tool, says so before anything runs, and its figures are the first one's, marked."""
    first, second = await _conversation(cluster, question, again)
    assert first.of("tool_settled")
    assert not second.of("tool_settled")
    [decision] = second.of("data_reuse_decision")
    assert (decision.use, decision.source, list(decision.flow_run_ids)) == (
        "use",
        "chat_history",
        [first.answer.flow_run_id],
    )
    names = [event.WhichOneof("event") for event in second.events]
    assert names.index("data_reuse_decision") < names.index("step_started")
    meta = second.answer.context_meta
    assert (meta.data_reused, meta.reused_data_source, meta.user_confirmed) == (True, "chat_history", False)
    assert _figures(first) <= _figures(second)
    evidence = {piece.evidence_id for agent in first.answer.selected_agents for piece in agent.output.evidence}
    cited = {one.evidence_id for one in second.answer.citations}
    assert cited
    assert cited <= evidence


@pytest.mark.asyncio
async def test_another_region_is_looked_up(cluster: Cluster) -> None:
    """Held data of another region is never used; why, the event says."""
    _, other = await _conversation(cluster, HOMES, "서초구 아파트 전세 시세 알려줘")
    [decision] = other.of("data_reuse_decision")
    assert (decision.use, list(decision.flow_run_ids), "region" in decision.reasoning) == ("search", [], True)
    assert other.of("tool_settled")
    assert not other.answer.context_meta.data_reused
    subjects = {subject for subject, _, _ in _figures(other)}
    assert subjects
    assert not any("강남" in subject for subject in subjects)


@pytest.mark.asyncio
async def test_only_what_is_missing_is_looked_up(cluster: Cluster) -> None:
    """Prices are held and law is not: the search reads law alone, and the analysis has both."""
    _, told = await _conversation(cluster, HOMES, "방금 검색한 강남구 아파트 전세 시세로 위험도 분석해줘")
    [decision] = told.of("data_reuse_decision")
    assert (decision.use, len(decision.flow_run_ids)) == ("search", 1)
    tools = {one.tool for one in told.of("tool_settled")}
    assert "legal_search" in tools
    assert "market_data" not in tools
    outcomes = [one.outcome for one in told.of("agent_settled")]
    assert outcomes.count(REUSED) == 1
    types = {piece.data_type for agent in told.answer.selected_agents for piece in agent.output.evidence}
    assert {"market", "legal"} <= types


@pytest.mark.asyncio
async def test_what_was_analysed_is_analysed_anew_for_another_question(cluster: Cluster) -> None:
    """An analysis over held prices stands for nothing but its own question: the next one computes its own figures."""
    told = await _conversation(cluster, HOMES, AGAIN, "방금 찾은 강남구 아파트 전세 시세로 위험도도 봐줘")
    assert told[1].answer.context_meta.data_reused
    yields = await cluster.ask(
        "방금 검색한 강남구 아파트 전세 시세로 투자 수익률 계산해줘",
        session_id=told[0].of("accepted")[0].session_id,
        intent_hint="MARKET_INQUIRY",
    )
    assert yields.answer.context_meta.data_reused
    assert not yields.of("tool_settled")
    [decision] = yields.of("data_reuse_decision")
    assert list(decision.flow_run_ids) == [told[0].answer.flow_run_id]
    said = " ".join(agent.output.summary for agent in yields.answer.selected_agents)
    assert "수익률" in said


@pytest.mark.asyncio
async def test_a_contract_is_asked_for_once(cluster: Cluster) -> None:
    """What is asked of a contract later in the conversation is answered from the one that was given."""
    text = (
        "제1조 임대인 갑과 임차인 을은 보증금 1억원에 임대차 계약을 맺는다. 임대차 기간은 1년으로 한다. "
        "임차인은 갱신요구권을 포기한다. 보증금은 계약이 끝나면 반환한다."
    )
    hint = {"intent_hint": "CONTRACT_REVIEW"}
    first, again = await _conversation(
        cluster, f"이 계약서 검토해줘: '{text}'", "방금 검토한 계약서에서 불리한 문구만 다시 짚어줘", **hint
    )
    assert first.of("tool_settled")
    assert [one.use for one in again.of("data_reuse_decision")] == ["use"]
    assert not again.of("tool_settled")
    assert "갱신" in again.answer.final_response
    assert _figures(first) <= _figures(again)


@pytest.mark.asyncio
async def test_another_user_has_nothing_held(cluster: Cluster, tmp_path: Path) -> None:
    """What one user found stands in for nothing of another's."""
    key = dev_key(tmp_path)
    await cluster.ask(HOMES, token=token(key, "kim"))
    told = await cluster.ask(AGAIN, token=token(key, "lee"))
    assert not told.of("data_reuse_decision")
    assert told.of("tool_settled")


async def _aged(cluster: Cluster, tmp_path: Path, days: float, **fields: Any) -> tuple[str, dict[str, Any]]:
    """Looks homes up and returns a token and fields for a question some days later in the same conversation."""
    bearer = token(dev_key(tmp_path), "kim", roles=("evaluator",))
    first = await cluster.ask(HOMES, token=bearer)
    later = datetime.now(UTC) + timedelta(days=days)
    return bearer, {"session_id": first.of("accepted")[0].session_id, "now": later, **fields}


@pytest.mark.asyncio
@pytest.mark.parametrize(("days", "use", "tools"), [(2, "use", False), (4, "verify", False), (8, "search", True)])
async def test_old_prices_are_said_to_be_old_and_then_looked_up(
    cluster: Cluster, tmp_path: Path, days: float, use: str, tools: bool
) -> None:
    """Within three days they are used, within seven with their age said where nobody can be asked, then read anew."""
    bearer, fields = await _aged(cluster, tmp_path, days)
    told = await cluster.ask("강남구 아파트 전세 시세 다시 알려줘", token=bearer, **fields)
    assert told.of("data_reuse_decision")[0].use == use
    assert bool(told.of("tool_settled")) is tools
    assert ("4일 전에 찾은 자료" in told.answer.final_response) is (use == "verify")


@pytest.mark.asyncio
@pytest.mark.parametrize(("said", "reused"), [("use_previous", True), ("응", True), ("search_new", False)])
async def test_a_person_is_asked_where_it_is_unsure(cluster: Cluster, tmp_path: Path, said: str, reused: bool) -> None:
    """The question tells what is held, how old it is and what either answer leads to; the answer decides."""
    bearer, fields = await _aged(cluster, tmp_path, 4)
    talk = Talk(cluster, "강남구 아파트 전세 시세 다시 알려줘", bearer=bearer, **fields)
    asked = (await talk.until("question_asked")).question_asked
    assert asked.kind == flow_event_pb2.QUESTION_KIND_REUSE
    assert [one.value for one in asked.choices] == list(asked.options) == ["use_previous", "search_new"]
    assert all(one.label and one.description for one in asked.choices)
    assert asked.default_answer == "search_new"
    assert asked.held_data.age.ToTimedelta() >= timedelta(days=4)
    assert asked.held_data.summary
    assert asked.held_data.issues
    await talk.answer(asked, said)
    await talk.until("finished", "failed", "cancelled")
    meta = talk.told.answer.context_meta
    assert (meta.data_reused, meta.user_confirmed, bool(talk.told.of("tool_settled"))) == (reused, reused, not reused)


@pytest.mark.asyncio
async def test_nobodys_answer_means_search(tmp_path: Path, data: Path) -> None:
    """When the wait is over the data is looked up; the flow goes on and is not cancelled."""
    async with embedded(tmp_path, data, reuse_question_seconds_max=0.3) as cluster:
        bearer, fields = await _aged(cluster, tmp_path, 4)
        talk = Talk(cluster, "강남구 아파트 전세 시세 다시 알려줘", bearer=bearer, **fields)
        await talk.until("question_asked")
        await talk.until("finished", "failed", "cancelled")
        assert talk.told.terminal == ["finished"]
        assert talk.told.of("tool_settled")


@pytest.mark.asyncio
async def test_reuse_can_be_turned_off(tmp_path: Path, data: Path) -> None:
    """Without the switch everything is looked up, and nothing is said of it."""
    async with embedded(tmp_path, data, data_reuse=False) as cluster:
        _, told = await _conversation(cluster, HOMES, AGAIN)
    assert told.of("tool_settled")
    assert not told.of("data_reuse_decision")


@pytest.mark.asyncio
async def test_a_lying_model_cannot_make_another_regions_data_do(tmp_path: Path, data: Path) -> None:
    """A first judgement that calls everything sufficient does not lift a mismatch."""
    sure = {"is_sufficient": True, "confidence": 1.0, "data_source": "chat_history", "missing_types": []}
    knowing = {**SENSIBLE, "data_sufficiency_check": lambda _: json.dumps({**sure, "reasoning": "all is there"})}
    async with ModelServer(knowing) as server:
        model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path, data, **model) as cluster, asyncio.timeout(60):
            hint = {"intent_hint": "MARKET_INQUIRY"}
            _, other = await _conversation(cluster, HOMES, "서초구 아파트 전세 시세 알려줘", **hint)
    assert not other.answer.context_meta.data_reused
    assert other.of("tool_settled")
