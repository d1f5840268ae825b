"""With a model: it decides and writes. With a model that fails in any way: the rule does, and says so."""

import asyncio
import json
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from hapju.flow.v1 import decision_pb2, failure_pb2, question_pb2
from services.llm.build import models_replaced
from services.llm.providers.openai_compatible import CallTimeouts, OpenAiCompatible
from services.runtime.environment import PROFILES
from services.runtime.settings import SHORTCUTS
from tests.support.cluster import embedded
from tests.support.model_server import ModelServer, Reply
from tests.support.models import SENSIBLE, Asked

QUESTIONS = (
    "애플 주가 추세 분석해줘",
    "What is the latest US unemployment rate and how has it moved?",
    "강남구 아파트 전세 시세 알려줘",
    "20만원 이하 무선 이어폰 추천해줘",
)
LEASE = "이 계약서 봐줘"
OF_README = ("강남구 아파트 전세 시세 알려줘", "애플 주가 추세 분석해줘", LEASE, "3조는 어때?", "미국 기준금리 알려줘")
"""What the README asks, and one more."""
ATTACHED = {
    LEASE: (
        question_pb2.Attachment(
            name="lease.txt",
            text="제1조 (보증금) 보증금은 1억원으로 한다. 제2조 (수선) 모든 수선비는 임차인이 부담한다. 제3조 (기간)"
            " 임대인과 임차인은 기간을 2년으로 한다.",
        ),
    )
}
READINGS = {
    QUESTIONS[0]: ("finance", "us_single_stock", "finance.equity"),
    QUESTIONS[1]: ("finance", "indicator_lookup", "finance.macro"),
    QUESTIONS[2]: ("realty", "MARKET_INQUIRY", "realty.search"),
    QUESTIONS[3]: ("commerce", "get_recommendation", "commerce.product_search"),
}
"""How a model that understands the questions reads them: domain, intent and agent."""


def _intent(asked: Asked) -> str:
    domain, intent, _ = READINGS[asked.data("question")]
    chosen = {"domain": domain, "intent": intent, "confidence": 0.95, "alternatives": [], "reasoning": "plain"}
    return json.dumps({**chosen, "sql_need": True, "graph_need": False})


def _agents(asked: Asked) -> str:
    agent = next(agent for _, _, agent in READINGS.values() if agent in asked.offers())
    step = {"agent": agent, "task": asked.data("question"), "depends_on": []}
    return json.dumps({"steps": [step], "confidence": 0.9, "reasoning": "it answers this"})


KNOWING = {**SENSIBLE, "intent_analysis": _intent, "agent_selection": _agents}
FAULTS = {
    "429": (Reply(status=429), "RATE_LIMITED"),
    "500": (Reply(status=500), "SERVER_ERROR"),
    "malformed": (Reply(text='{"verdict": "ALLO'), ""),
    "slow": (Reply(hang=True), "TIMED_OUT"),
    "cut": (Reply(cut_after=1, cut="reset"), ""),
    "html": (Reply(body="<html>busy</html>", content_type="text/html"), ""),
}
OFTEN = 3
"""So many of the faults, each of another kind, are made in each run; the others in the long one."""
SOURCES = decision_pb2.DecisionSource


def llm_settings(base_url: str) -> dict[str, Any]:
    """Returns settings for a model that is to answer quickly or not at all."""
    return {
        "openai_base_url": base_url,
        "openai_api_key": "test",
        "llm_call_timeout_seconds": 2.0,
        "llm_first_token_timeout_seconds": 1.0,
        "llm_idle_timeout_seconds": 1.0,
        "llm_connect_timeout_seconds": 1.0,
    }


@pytest.mark.asyncio
async def test_the_model_decides_and_writes(tmp_path: Path, data: Path) -> None:
    """With a model that answers inside the schema every answer is its own, with usage counted and no warning."""
    async with ModelServer(KNOWING) as server, embedded(tmp_path, data, **llm_settings(server.base_url)) as cluster:
        for question in QUESTIONS:
            told = await cluster.ask(question)
            answer = told.answer
            assert (answer.source, list(answer.warnings)) == (SOURCES.DECISION_SOURCE_LLM, []), question
            asked = [decision for decision in answer.decisions if decision.source == SOURCES.DECISION_SOURCE_LLM]
            assert answer.usage.model_calls >= len(asked) >= 3
            assert answer.usage.input_tokens > 0
            assert all(decision.model and decision.prompt_version for decision in asked)
            assert answer.final_response == told.text


@pytest.mark.asyncio
async def test_a_follow_up_is_written_in_its_conversation(tmp_path: Path, data: Path) -> None:
    """What was asked and answered before in the session stands before the model that writes the next answer."""
    async with ModelServer() as server, embedded(tmp_path, data, **llm_settings(server.base_url)) as cluster:
        told = await cluster.ask(QUESTIONS[0])
        await cluster.ask("그럼 테슬라 주가 추세는?", session_id=told.of("accepted")[0].session_id)
        first, second = (
            str(call.body["messages"][-1]["content"]) for call in server.calls if call.kind == "response_synthesis"
        )
    assert 'name="history"' not in first
    history, _, rest = second.partition('name="history"')[2].partition("</data>")
    assert QUESTIONS[0] in history
    assert told.answer.final_response[:20] in history
    assert "테슬라" in rest


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_long_conversation_is_told_in_summary_but_for_its_last_exchanges(tmp_path: Path, data: Path) -> None:
    """Of what was said early a model hears the openings; where not even these have room, the flow says so."""
    speakers = (question_pb2.SPEAKER_USER, question_pb2.SPEAKER_ASSISTANT)
    history = [
        question_pb2.Turn(speaker=speakers[place % 2], text=f"message {place}.\nbehind {place}.") for place in range(16)
    ]
    endless = [question_pb2.Turn(speaker=speakers[place % 2], text=f"{place} " + "long " * 70) for place in range(100)]
    async with ModelServer() as server, embedded(tmp_path, data, **llm_settings(server.base_url)) as cluster:
        whole = await cluster.ask(QUESTIONS[0], history=history)
        prompts = [str(call.body["messages"][-1]["content"]) for call in server.calls]
        cut = await cluster.ask(QUESTIONS[0], history=endless)
    heard = [prompt.partition('name="history"')[2] for prompt in prompts if 'name="history"' in prompt]
    assert heard
    for history_told in heard:
        assert all(f"message {place}." in history_told for place in range(16))
        assert [f"behind {place}." in history_told for place in range(16)] == [False] * 10 + [True] * 6
    assert (list(whole.answer.failure_tags), list(whole.answer.warnings)) == ([], [])
    assert list(cut.answer.failure_tags) == [failure_pb2.FAILURE_TAG_CONTEXT_OVERFLOW]
    assert [warning.reason for warning in cut.answer.warnings] == ["CONTEXT_OVERFLOW"]
    assert cut.answer.context_meta.status == whole.answer.context_meta.status


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "fault", [*list(FAULTS)[:OFTEN], *(pytest.param(one, marks=pytest.mark.long) for one in list(FAULTS)[OFTEN:])]
)
async def test_a_failing_model_leaves_the_rule(tmp_path: Path, data: Path, fault: str) -> None:
    """Whatever the model does, each flow ends once, by the rule, with a warning that names the reason.

    A model that was not reached is left alone by the questions that follow, which say so.
    """
    reply, reason = FAULTS[fault]
    async with ModelServer(KNOWING) as server, embedded(tmp_path, data, **llm_settings(server.base_url)) as cluster:
        server.always(reply)
        for question in QUESTIONS:
            answer = (told := await cluster.ask(question)).answer
            assert told.terminal == ["finished"]
            reasons = {warning.reason for warning in answer.warnings}
            is_left = question != QUESTIONS[0] and "MODEL_AWAY" in reasons
            assert is_left or SOURCES.DECISION_SOURCE_FALLBACK in {decision.source for decision in answer.decisions}
            assert answer.source in {SOURCES.DECISION_SOURCE_FALLBACK, SOURCES.DECISION_SOURCE_RULE}
            assert is_left or answer.context_meta.fallback_used
            assert reasons
            assert is_left or {reason} <= reasons or not reason, reasons
            assert all(warning.message for warning in answer.warnings)
            assert answer.citations


@pytest.mark.asyncio
async def test_a_model_that_is_not_there_leaves_the_rule(tmp_path: Path, data: Path) -> None:
    """A refused connection is a fallback like any other."""
    async with embedded(tmp_path, data, **llm_settings("http://127.0.0.1:9/v1")) as cluster:
        answer = (await cluster.ask(QUESTIONS[0])).answer
        assert "CONNECTION" in {warning.reason for warning in answer.warnings}
        assert answer.citations


@pytest.mark.long
@pytest.mark.asyncio
async def test_after_three_failures_the_model_is_asked_no_more(tmp_path: Path, data: Path) -> None:
    """A flow bears three failures of the model; the rest of it goes by rule without asking."""
    async with ModelServer(KNOWING) as server, embedded(tmp_path, data, **llm_settings(server.base_url)) as cluster:
        server.always(Reply(status=500))
        answer = (await cluster.ask(QUESTIONS[0])).answer
        assert len(server.calls) <= 8  # each of them once more
        assert "MODEL_FAILURES_SPENT" in {warning.reason for warning in answer.warnings}


@pytest.mark.asyncio
async def test_a_cancel_closes_the_model_call(tmp_path: Path, data: Path) -> None:
    """A client that leaves while a model is being asked leaves no open request at the model."""
    settings = llm_settings("") | {"llm_call_timeout_seconds": 30.0}
    async with (
        ModelServer(KNOWING) as server,
        embedded(tmp_path, data, **(settings | {"openai_base_url": server.base_url})) as cluster,
    ):
        server.always(Reply(hang=True))
        asking = asyncio.create_task(cluster.ask(QUESTIONS[0]))
        await server.until(lambda s: s.open_requests > 0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await server.until(lambda s: s.open_requests == 0, timeout_seconds=2.0)


@pytest.mark.asyncio
async def test_a_spent_budget_degrades_and_still_answers(tmp_path: Path, data: Path) -> None:
    """At its ceiling of model calls a flow goes on by rule, says so and answers."""
    settings = llm_settings("") | {"model_calls_max": 1}
    async with (
        ModelServer(KNOWING) as server,
        embedded(tmp_path, data, **(settings | {"openai_base_url": server.base_url})) as cluster,
    ):
        answer = (await cluster.ask(QUESTIONS[2])).answer
        assert "MODEL_CALLS_SPENT" in {warning.reason for warning in answer.warnings}
        assert answer.citations


@pytest.mark.long
@pytest.mark.asyncio
async def test_side_by_side_a_flow_stays_within_its_calls(tmp_path: Path, data: Path) -> None:
    """What is asked at once, here and at other hops, shares the flow's calls: the model is never asked once more."""
    settings = llm_settings("") | {"llm_call_timeout_seconds": 30.0}
    async with ModelServer(KNOWING) as server:
        server.always(Reply(latency_seconds=0.02))
        for calls_max in (1, 4, 9):
            limited = settings | {"openai_base_url": server.base_url, "model_calls_max": calls_max}
            async with embedded(tmp_path / str(calls_max), data, **limited) as cluster:
                before = len(server.calls)
                answer = (await cluster.ask("애플이랑 엔비디아 전망 비교")).answer
                assert 0 < len(server.calls) - before <= calls_max
                assert answer.usage.model_calls == len(server.calls) - before
                assert "MODEL_CALLS_SPENT" in {warning.reason for warning in answer.warnings}


@pytest.mark.asyncio
async def test_one_question_waits_though_each_service_is_a_process(tmp_path: Path, data: Path) -> None:
    """A model hangs, and no service knows what another has learnt: it is asked once, and no question after waits."""
    patience = {"llm_call_timeout_seconds": 2.5, "llm_first_token_timeout_seconds": 2.5}
    one_model = dict.fromkeys(("model_router", "model_utility", "model_agent", "model_supervisor"), "small")
    async with ModelServer(KNOWING) as server:
        server.always(Reply(hang=True))
        timeouts = CallTimeouts(connect_seconds=1.0, first_token_seconds=2.5, idle_seconds=2.5, call_seconds=2.5)
        settings = {**llm_settings(server.base_url), **patience, **one_model, **dict.fromkeys(SHORTCUTS, False)}
        with models_replaced(lambda _: OpenAiCompatible(server.base_url, "test", timeouts)):
            async with embedded(tmp_path, data, **settings) as cluster:
                for question in (*QUESTIONS, *QUESTIONS):
                    warnings = (await cluster.ask(question)).answer.warnings
                    assert "MODEL_AWAY" in {warning.reason for warning in warnings}
                    assert len(server.calls) == 1, question


@pytest.mark.slow
@pytest.mark.parametrize("latency_seconds", [3.5, 30.0])
@pytest.mark.asyncio
async def test_a_slow_model_of_ones_own_leaves_an_answer_within_twenty_seconds(
    tmp_path: Path, data: Path, latency_seconds: float
) -> None:
    """By the profile for it, whether each call is answered just in time or none is: hapju's own questions in turn."""
    async with ModelServer(KNOWING) as server:
        server.always(Reply(latency_seconds=latency_seconds))
        own: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test", "typed_asks": True}
        async with embedded(tmp_path, data, **{**own, **PROFILES["local"]}) as cluster:
            await cluster.ask("안녕")
            for question in OF_README:
                before, began = len(server.calls), monotonic()
                told = await cluster.ask(question, attachments=ATTACHED.get(question, ()))
                print(f"{monotonic() - began:.1f} s, {len(server.calls) - before} calls: {question}")  # noqa: T201
                assert told.terminal == ["finished"]
                assert monotonic() - began <= 20.0, question
