"""The planner's own judgement on what the conversation has found, over its socket."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from services.contract.flow import DecisionSource, Speaker, Sufficiency, Turn
from tests.support.model_server import ModelServer, Reply
from tests.support.understanding import NOW, Understanding, understanding


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A scriptable endpoint."""
    async with ModelServer() as started:
        yield started


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def ruled(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Understanding]:
    """Router and planner without a model."""
    async with understanding(tmp_path_factory.mktemp("ruled"), "router", "planner") as started:
        yield started


def talked(question: str, *, days: float | None = 0.001, answer: str = "찾았습니다.") -> tuple[Turn, ...]:
    """Return a question of the user that was answered so long ago; None for a time that nobody knows."""
    when = None if days is None else NOW - timedelta(days=days)
    return Turn(Speaker.USER, question, when), Turn(Speaker.ASSISTANT, answer, when)


async def judged(by: Understanding, question: str, history: tuple[Turn, ...]) -> Sufficiency:
    """Route and plan a question and return the plan's judgement."""
    route = (await by.route(question, history=history)).route
    plan = (await by.plan(question, route, history=history)).plan
    assert plan.sufficiency is not None
    return plan.sufficiency


EARLIER = "구로구 아파트 전세 시세 알려줘"


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("question", "history", "sufficient", "confidence"),
    [
        ("방금 그 구로구 시세 다시 말해줘", talked(EARLIER), True, 1.0),
        ("방금 그 구로구 시세 다시 말해줘", talked(EARLIER, days=None), True, 1.0),
        ("구로구 전세 시세 알려줘", talked(EARLIER, days=None), True, 0.9),
        ("구로구 전세 시세 알려줘", talked(EARLIER, days=4), True, 0.9),
        ("구로구 전세 시세 알려줘", talked(EARLIER, days=8), False, 0.7),
        ("방금처럼 금천구 전세 시세 알려줘", talked(EARLIER), False, 0.6),
        ("구로구 월세 시세는?", talked(EARLIER), False, 0.6),
        ("방금 그 구로구 시세 다시 말해줘", talked(EARLIER, answer="자료가 없습니다."), False, 0.6),
        ("구로구 전세 시세 알려줘", (), False, 0.7),
        ("구로구 전세 위험한지 분석해줘", talked(EARLIER), False, 0.7),
        ("구로구 전세 시세 지금 새로 조회해줘", talked(EARLIER), False, 0.7),
        ("Look up the latest Guro-gu apartment jeonse prices", talked(EARLIER), False, 0.7),
    ],
)
async def test_by_rule(
    ruled: Understanding,
    question: str,
    history: tuple[Turn, ...],
    sufficient: bool,
    confidence: float,
) -> None:
    """Same subject and fresh is sufficient; age, another place or kind, an empty answer and a missing type are not."""
    came = await judged(ruled, question, history)
    assert (came.is_sufficient, came.confidence) == (sufficient, confidence)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "reply", "expected"),
    [
        ("방금 그 구로구 시세 다시 말해줘", (True, 0.95, "chat_history"), (True, 0.95)),
        ("방금 그 구로구 시세 다시 말해줘", (False, 0.2, "none"), (False, 0.2)),
        ("방금처럼 금천구 전세 시세 알려줘", (True, 0.99, "chat_history"), (False, 0.6)),
        ("방금 그 구로구 시세 다시 말해줘", None, (True, 0.9)),
    ],
)
async def test_by_model(
    tmp_path: Path,
    server: ModelServer,
    question: str,
    reply: tuple[bool, float, str] | None,
    expected: tuple[bool, float],
) -> None:
    """A model's judgement counts, but lifts no mismatch; one that fails leaves the rule's, never above verify."""
    answer = Reply(status=500)
    if reply is not None:
        names = ("is_sufficient", "confidence", "data_source")
        output = {**dict(zip(names, reply, strict=True)), "missing_types": [], "reasoning": "r"}
        answer = Reply(text=json.dumps(output))
    async with understanding(tmp_path, "router", "planner", model_url=server.base_url) as advised:
        server.script("data_sufficiency_check", answer, answer)
        came = await judged(advised, question, talked(EARLIER))
    assert (came.is_sufficient, came.confidence) == expected


@pytest.mark.asyncio(loop_scope="module")
async def test_every_decision_is_recorded(ruled: Understanding) -> None:
    """Rewrite, normalisation, selection, decomposition, strategy and sufficiency each leave their decision."""
    question = "구로구 전세 시세 알려줘"
    route = (await ruled.route(question)).route
    made = (await ruled.plan(question, route)).spent.decisions
    kinds = ["query_rewrite", "query_normalization", "agent_selection", "query_decomposition", "execution_strategy"]
    assert [one.kind for one in made] == [*kinds, "data_sufficiency_check"]
    assert {one.source for one in made} == {DecisionSource.RULE}
