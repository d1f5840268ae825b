"""What a user asked in earlier conversations says what a question points to; nobody else's does."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from hapju.flow.v1 import decision_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster, Told, embedded
from tests.support.model_server import ModelServer, Reply
from tests.support.tokens import token

POINTING = "아까 그 지역 아파트 매매 시세 알려줘"
pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def cluster(tmp_path: Path, data: Path) -> AsyncIterator[Cluster]:
    """The ensemble in this process."""
    async with embedded(tmp_path, data) as running:
        yield running


def _regions(told: Told) -> set[str]:
    calls = [call for planned in told.of("planned") for step in planned.plan.steps for call in step.suggested_calls]
    return {json.loads(call.arguments_json).get("region_code", "") for call in calls}


async def test_an_earlier_conversation_says_what_is_meant(cluster: Cluster, tmp_path: Path) -> None:
    """A new conversation goes on where the last one was, for its own user alone; a deleted one is not remembered."""
    key = dev_key(tmp_path)
    kim, lee = token(key, "kim"), token(key, "lee")
    await cluster.ask("노원구 아파트 전세 시세 알려줘", token=kim)
    assert _regions(await cluster.ask(POINTING, token=kim)) == {"11350"}
    for other in (lee, ""):
        asked = await cluster.ask(POINTING, token=other)
        assert (asked.answer.context_meta.status, _regions(asked)) == ("asked", set())
    listed = await cluster.stub.ListSessions(
        pb.ListSessionsRequest(), timeout=10, metadata=(("authorization", f"Bearer {kim}"),)
    )
    for session in listed.sessions:
        request = pb.DeleteSessionRequest(session_id=session.session_id)
        await cluster.stub.DeleteSession(request, timeout=10, metadata=(("authorization", f"Bearer {kim}"),))
    assert (await cluster.ask(POINTING, token=kim)).answer.context_meta.status == "asked"


async def test_nobody_in_particular_remembers_nothing(cluster: Cluster) -> None:
    """Callers who do not say who they are share no memory with each other."""
    await cluster.ask("노원구 아파트 전세 시세 알려줘")
    assert (await cluster.ask(POINTING)).answer.context_meta.status == "asked"


async def test_the_question_and_its_conversation_come_first(cluster: Cluster, tmp_path: Path) -> None:
    """What is named there is never overridden by what is remembered."""
    kim = token(dev_key(tmp_path), "kim")
    await cluster.ask("노원구 아파트 전세 시세 알려줘", token=kim)
    own = await cluster.ask("그 지역 말고 서초구 아파트 매매 시세 알려줘", token=kim)
    assert _regions(own) == {"11650"}
    session = own.of("accepted")[0].session_id
    assert _regions(await cluster.ask(POINTING, token=kim, session_id=session)) == {"11650"}


async def test_a_model_reads_it_too(tmp_path: Path, data: Path) -> None:
    """Router and planner show their models what the question points to, as the user's own words."""
    async with ModelServer() as server:
        model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path, data, **model) as cluster:
            kim = token(dev_key(tmp_path), "kim")
            await cluster.ask("노원구 아파트 전세 시세 알려줘", token=kim, intent_hint="MARKET_INQUIRY")
            server.calls.clear()
            told = await cluster.ask(POINTING, token=kim, intent_hint="MARKET_INQUIRY")
    assert _regions(told) == {"11350"}
    [rewriting] = [call for call in server.calls if call.kind == "query_rewrite"]
    assert "노원구" in rewriting.body["messages"][-1]["content"]


async def _summary(cluster: Cluster, bearer: str, holds: Callable[[str], bool]) -> str:
    """Waits until the summary of the user's one conversation is as it is to be, and returns it."""
    metadata = (("authorization", f"Bearer {bearer}"),)
    summary = ""
    async with asyncio.timeout(10):
        while not holds(summary):
            await asyncio.sleep(0.05)
            listed = await cluster.stub.ListSessions(pb.ListSessionsRequest(), timeout=10, metadata=metadata)
            summary = listed.sessions[0].summary
    return summary


@pytest.mark.parametrize(
    ("reply", "by_model"),
    [
        (Reply(text='{"asked": "노원구 아파트 전세", "answered": "전세가를 안내함"}', latency_seconds=0.3), True),
        (Reply(text='{"asked": "노원구 아파트 전세", "answered": "평균 123,456,789원"}'), False),
        (Reply(text='{"asked": "' + "가" * 81 + '", "answered": "안내함"}'), False),
        (Reply(status=500), False),
    ],
)
async def test_a_model_sums_up_after_the_end(tmp_path: Path, data: Path, reply: Reply, by_model: bool) -> None:
    """Its line takes the rule's place where it holds, after the answer was told; decision and cost are the flow's."""
    async with ModelServer() as server:
        server.script("conversation_summary", reply, reply)
        model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path, data, conversation_summary=True, **model) as cluster:
            kim = token(dev_key(tmp_path), "kim")
            told = await cluster.ask("노원구 아파트 전세 시세 알려줘", token=kim, intent_hint="MARKET_INQUIRY")
            by_rule = await _summary(cluster, kim, bool) if not by_model else ""
            await server.until(lambda it: it.count("conversation_summary") >= 1 and not it.open_requests)
            wanted = "노원구 아파트 전세 → 전세가를 안내함"
            kept = await asyncio.wait_for(_kept_decision(tmp_path, told.answer.flow_run_id), 10)
            if by_model:
                assert await _summary(cluster, kim, lambda summary: summary == wanted) == wanted
            else:
                assert await _summary(cluster, kim, bool) == by_rule
                assert by_rule.startswith("노원구 아파트 전세 시세 알려줘 → ")
            shown = await cluster.stub.GetFlow(
                pb.GetFlowRequest(flow_run_id=told.answer.flow_run_id), timeout=10, metadata=_as(kim)
            )
    assert (kept.kind, kept.service) == ("conversation_summary", "orchestrator")
    [after] = shown.record.after
    assert (after.name, after.order) == ("conversation_summary", len(shown.record.chain) + 1)
    assert after.name not in {link.name for link in shown.record.chain}
    usage, spent = shown.record.summary.usage, kept.usage
    assert usage.model_calls == told.answer.usage.model_calls + spent.model_calls > told.answer.usage.model_calls
    assert usage.input_tokens == told.answer.usage.input_tokens + spent.input_tokens
    assert not any(one.kind == "conversation_summary" for one in told.answer.decisions)


def _as(bearer: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {bearer}"),)


async def _kept_decision(tmp_path: Path, flow_run_id: str) -> decision_pb2.Decision:
    query = "SELECT message FROM flow_checkpoints WHERE flow_run_id = ? AND name = 'summary'"
    while True:
        with sqlite3.connect(tmp_path / "flows.db") as kept:
            found = kept.execute(query, (flow_run_id,)).fetchone()
        if found is not None:
            return decision_pb2.Spent.FromString(found[0]).decisions[0]
        await asyncio.sleep(0.05)


async def test_without_the_setting_no_model_sums_up(tmp_path: Path, data: Path) -> None:
    """The rule's line is all there is, and the model is not asked for another."""
    async with ModelServer() as server:
        model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path, data, **model) as cluster:
            kim = token(dev_key(tmp_path), "kim")
            await cluster.ask("노원구 아파트 전세 시세 알려줘", token=kim, intent_hint="MARKET_INQUIRY")
            await _summary(cluster, kim, bool)
    assert server.count("conversation_summary") == 0
