"""Decisions made side by side: the same ones as one after another, in fewer steps of waiting (issue 6, item 9)."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.integration.test_model import llm_settings
from tests.support.cluster import Told, embedded
from tests.support.model_server import ModelServer, Reply, Span
from tests.support.models import SENSIBLE, Asked

QUESTION = "강남구 아파트 시세와 리스크를 종합 분석해줘"
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


async def _asked(home: Path, data: Path, *questions: str, **settings: Any) -> tuple[list[Told], list[Span]]:
    """Returns what was told of questions of one conversation, and the model's calls for the last of them."""
    home.mkdir()
    async with (
        ModelServer(ANSWERS) as server,
        embedded(home, data, **llm_settings(server.base_url), **settings) as cluster,
    ):
        told: list[Told] = []
        server.always(Reply(latency_seconds=SECONDS))
        for question in questions:
            server.spans.clear()
            session = told[0].of("accepted")[0].session_id if told else ""
            told.append(await cluster.ask(question, session_id=session))
        return told, sorted(server.spans, key=lambda one: one.began)


def _of(spans: list[Span], kind: str) -> list[Span]:
    return [one for one in spans if one.kind == kind]


def _kinds(told: Told) -> Counter[str]:
    return Counter(decision.kind for decision in told.answer.decisions)


@pytest.mark.asyncio
async def test_a_result_is_judged_while_its_summary_is_written(tmp_path: Path, data: Path) -> None:
    """Each step's summary and judgement overlap; with the shortcut off none do, and both shapes decide alike."""
    (fast,), early = await _asked(tmp_path / "fast", data, QUESTION)
    (slow,), late = await _asked(tmp_path / "slow", data, QUESTION, early_results=False)
    summaries, judged = _of(early, "agent_summary"), _of(early, "execution_orchestration")
    assert len(summaries) == 2
    assert all(one.overlaps(other) for one, other in zip(summaries, judged, strict=False))
    assert not any(one.overlaps(other) for one in _of(late, "agent_summary") for other in late if other is not one)
    assert _kinds(fast) == _kinds(slow)
    assert [one.outcome for one in fast.of("agent_settled")] == [one.outcome for one in slow.of("agent_settled")]
    assert fast.answer.final_response == slow.answer.final_response
