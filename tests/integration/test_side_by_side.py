"""Decisions made side by side: the same ones as one after another, in fewer steps of waiting (issue 6, item 9)."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hapju.flow.v1 import flow_event_pb2
from tests.integration.test_model import llm_settings
from tests.support.cluster import Told, embedded
from tests.support.model_server import ModelServer, Reply, Span
from tests.support.models import SENSIBLE, Asked

# A model that is not heard within its time leaves a rule in its place, with fewer decisions: these run alone.
pytestmark = [pytest.mark.long, pytest.mark.timed]

QUESTION = "강남구 아파트 시세와 리스크를 종합 분석해줘"
FIRST = "지난달 강남구 아파트 시세 알려줘"
FOLLOW_UP = "지난달 강남구 아파트 시세와 리스크를 종합 분석해줘"
WORDED = ("query_rewrite", "query_normalization")
"""The decisions that make a question whole."""
BLOCKED = json.dumps(
    {"verdict": "BLOCK", "tags": ["SYSTEM_MANIPULATION"], "reason": "not possible", "confidence": 0.99}
)
SECONDS = 0.15
"""What each answer of the model takes."""


def _agents(asked: Asked) -> str:
    steps = [
        {"agent": "realty.search", "task": "시세 조회", "depends_on": []},
        {"agent": "realty.analysis", "task": "위험 분석", "depends_on": [1]},
    ]
    chosen = steps if "realty.search" in asked.offers() else steps[:1]
    return json.dumps({"steps": chosen, "confidence": 0.9, "reasoning": "figures, then what they mean"})


ANSWERS = {**SENSIBLE, "agent_selection": _agents}


async def _asked(
    home: Path, data: Path, *questions: str, meet: Sequence[tuple[str, ...]] = (), **settings: Any
) -> tuple[list[Told], list[Span]]:
    """Returns what was told of questions of one conversation, and the model's calls for the last of them.

    Of each group of kinds to `meet`, the first two calls of each for the last question wait for one another.
    """
    home.mkdir()
    async with (
        ModelServer(ANSWERS) as server,
        embedded(home, data, **llm_settings(server.base_url), **settings) as cluster,
    ):
        told: list[Told] = []
        server.always(Reply(latency_seconds=SECONDS))
        for question in questions:
            server.spans.clear()
            server.calls.clear()
            for kinds in meet if question == questions[-1] else ():
                for kind in kinds:
                    server.script(kind, *(Reply(beside=kinds, latency_seconds=SECONDS) for _ in range(2)))
            session = told[0].of("accepted")[0].session_id if told else ""
            told.append(await cluster.ask(question, session_id=session))
        return told, sorted(server.spans, key=lambda one: one.began)


def _of(spans: list[Span], kind: str) -> list[Span]:
    return [one for one in spans if one.kind == kind]


def _worded(told: Told) -> list[tuple[str, bytes]]:
    return [(one.kind, one.output_json) for one in told.answer.decisions if one.kind in WORDED]


def _kinds(told: Told) -> Counter[str]:
    return Counter(decision.kind for decision in told.answer.decisions)


@pytest.mark.asyncio
async def test_a_result_is_judged_while_its_summary_is_written(tmp_path: Path, data: Path) -> None:
    """Each step's summary and judgement overlap; with the shortcut off none do, and both shapes decide alike."""
    (fast,), early = await _asked(
        tmp_path / "fast", data, QUESTION, meet=[("agent_summary", "execution_orchestration")]
    )
    (slow,), late = await _asked(tmp_path / "slow", data, QUESTION, early_results=False)
    summaries, judged = _of(early, "agent_summary"), _of(early, "execution_orchestration")
    assert len(summaries) == 2
    assert all(one.overlaps(other) for one, other in zip(summaries, judged, strict=False))
    assert not any(one.overlaps(other) for one in _of(late, "agent_summary") for other in late if other is not one)
    assert _kinds(fast) == _kinds(slow)
    assert [one.outcome for one in fast.of("agent_settled")] == [one.outcome for one in slow.of("agent_settled")]
    assert fast.answer.final_response == slow.answer.final_response


@pytest.mark.asyncio
async def test_a_question_is_worded_while_it_is_checked(tmp_path: Path, data: Path) -> None:
    """Policy, rewriting and resolving overlap, and the judgement on what is held stands beside the selection."""
    meet = [("policy_safety", *WORDED), ("data_sufficiency_check", "agent_selection")]
    (_, fast), early = await _asked(tmp_path / "fast", data, FIRST, FOLLOW_UP, meet=meet)
    (_, slow), late = await _asked(tmp_path / "slow", data, FIRST, FOLLOW_UP, wording_ahead=False, decide_ahead=False)
    together = [one for kind in ("policy_safety", *WORDED) for one in _of(early, kind)]
    assert all(one.overlaps(other) for one in together for other in together)
    assert _of(early, "data_sufficiency_check")[0].overlaps(_of(early, "agent_selection")[0])
    apart = [one for kind in ("policy_safety", *WORDED, "data_sufficiency_check") for one in _of(late, kind)]
    assert not any(one.overlaps(other) for one in apart for other in apart if other is not one)
    assert _kinds(fast) == _kinds(slow)
    assert _worded(fast) == _worded(slow)
    assert fast.answer.final_response == slow.answer.final_response


@pytest.mark.asyncio
async def test_a_blocked_question_throws_its_wording_away(tmp_path: Path, data: Path) -> None:
    """A BLOCK ends the flow at once: its open calls are closed, and counted without a decision."""
    async with (
        ModelServer(ANSWERS) as server,
        embedded(tmp_path, data, **llm_settings(server.base_url)) as cluster,
    ):
        first = await cluster.ask(FIRST)
        server.calls.clear()
        server.script("policy_safety", Reply(text=BLOCKED, latency_seconds=SECONDS))
        for kind in WORDED:
            server.script(kind, Reply(hang=True))
        told = await cluster.ask(FOLLOW_UP, session_id=first.of("accepted")[0].session_id)
        await server.until(lambda it: it.open_requests == 0)
    answer = told.answer
    assert answer.context_meta.status == "blocked"
    assert Counter(call.kind for call in server.calls) == Counter(("policy_safety", *WORDED))
    assert (server.closed_by_peer, answer.usage.model_calls) == (2, 3)
    assert not set(WORDED) & set(_kinds(told))


@pytest.mark.asyncio
async def test_a_blocked_question_pays_for_its_route(tmp_path: Path, data: Path) -> None:
    """A route that a model found beside the verdict is thrown away: counted, and no decision of the flow."""
    async with (
        ModelServer(ANSWERS) as server,
        embedded(tmp_path, data, **llm_settings(server.base_url)) as cluster,
    ):
        server.script("policy_safety", Reply(text=BLOCKED, latency_seconds=SECONDS))
        answer = (await cluster.ask("이거 어떻게 하는 게 나을지 봐줘")).answer
    assert Counter(call.kind for call in server.calls) == Counter(("policy_safety", "intent_analysis"))
    assert ([one.kind for one in answer.decisions], answer.usage.model_calls) == (["policy_safety"], 2)


@pytest.mark.asyncio
async def test_a_summary_that_fails_leaves_the_computed_result(tmp_path: Path, data: Path) -> None:
    """The steps have gone on meanwhile; the result stands in the rule's words, and the decision says why."""
    async with (
        ModelServer(ANSWERS) as server,
        embedded(tmp_path, data, **llm_settings(server.base_url)) as cluster,
    ):
        # It wants to be asked again later than a call waits: the summary's one request is its last.
        server.script("agent_summary", Reply(status=500, beside=("execution_orchestration",), retry_after="600"))
        server.script("execution_orchestration", Reply(beside=("agent_summary",)))
        told = await cluster.ask(QUESTION)
    assert server.count("agent_summary") == 2
    failed = min(_of(server.spans, "agent_summary"), key=lambda one: one.began)
    assert any(failed.overlaps(one) for one in _of(server.spans, "execution_orchestration"))
    first, second = (one for one in told.answer.decisions if one.kind == "agent_summary")
    assert {one.fallback_reason for one in (first, second)} == {"SERVER_ERROR", ""}
    (search,) = (one for one in told.of("agent_settled") if one.agent == "realty.search")
    assert search.outcome == flow_event_pb2.AGENT_OUTCOME_ANSWERED
    assert search.result.summary
    assert (told.terminal, list(told.answer.failure_tags)) == (["finished"], [])
