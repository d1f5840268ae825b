"""Decisions on a question that are made before its route: the same ones, once, at the plan's turn."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from services.contract.flow import DecisionSource, RouteDecision, Spent, Usage
from tests.support.model_server import ModelServer, Reply
from tests.support.understanding import Understanding, said, understanding

HISTORY = said("지난달 미국 실업률 알려줘", "4.3%입니다.")
FOLLOW_UP = "그럼 지난달 기준금리는?"
WORDED = ("query_rewrite", "query_normalization")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A scriptable endpoint."""
    async with ModelServer() as started:
        yield started


@pytest_asyncio.fixture
async def advised(tmp_path: Path, server: ModelServer) -> AsyncIterator[Understanding]:
    """A planner with a model, and a router."""
    async with understanding(tmp_path, "router", "planner", model_url=server.base_url) as started:
        yield started


@pytest_asyncio.fixture
async def route(tmp_path: Path) -> RouteDecision:
    """The follow-up's route."""
    async with understanding(tmp_path / "ruled", "router") as ruled:
        return (await ruled.route(FOLLOW_UP, history=HISTORY)).route


def rewrite(text: str, *, latency_seconds: float = 0.0) -> Reply:
    """Return a rewrite."""
    return Reply(text=json.dumps({"rewritten_question": text, "reasoning": "r"}), latency_seconds=latency_seconds)


def worded(spent: Spent) -> list[tuple[str, DecisionSource, str]]:
    """Return the decisions on the wording, with what they came to."""
    made = [one for one in spent.decisions if one.kind in WORDED]
    return [(one.kind, one.source, next(iter(json.loads(one.output_json).values()))) for one in made]


@pytest.mark.asyncio
async def test_what_was_prepared_is_the_plans(
    advised: Understanding, server: ModelServer, route: RouteDecision
) -> None:
    """A plan takes what was decided before its route, asks for none of it again, and bears its cost once."""
    prepared = await advised.prepare(FOLLOW_UP, history=HISTORY)
    assert [kind for kind, _, _ in worded(prepared)] == list(WORDED)
    asked = {kind: server.count(kind) for kind in WORDED}
    fast = await advised.plan(FOLLOW_UP, route, history=HISTORY, prepared=prepared)
    assert {kind: server.count(kind) for kind in WORDED} == asked == dict.fromkeys(WORDED, 1)
    slow = await advised.plan(FOLLOW_UP, route, history=HISTORY)
    assert fast.plan == slow.plan
    assert worded(fast.spent) == worded(slow.spent)
    kinds = [[one.kind for one in answer.spent.decisions] for answer in (fast, slow)]
    assert kinds[0] == kinds[1]
    assert fast.spent.usage == slow.spent.usage


@pytest.mark.asyncio
async def test_days_are_resolved_beside_the_rewrite(
    advised: Understanding, server: ModelServer, route: RouteDecision
) -> None:
    """The two are asked side by side; a rewrite that changes the question has its days resolved anew, decided once."""
    server.script("query_rewrite", rewrite("지난달 미국 기준금리는?", latency_seconds=0.2))
    prepared = await advised.prepare(FOLLOW_UP, history=HISTORY)
    first, second = (one for one in server.spans if one.kind == "query_normalization")
    (rewriting,) = (one for one in server.spans if one.kind == "query_rewrite")
    assert (first.overlaps(rewriting), second.overlaps(rewriting)) == (True, False)
    drafted = await advised.plan(FOLLOW_UP, route, history=HISTORY, prepared=prepared)
    assert [(kind, text) for kind, _, text in worded(drafted.spent)] == [
        ("query_rewrite", "지난달 미국 기준금리는?"),
        ("query_normalization", "지난달 미국 기준금리는?"),
    ]
    assert server.count("query_normalization") == 2
    assert drafted.spent.usage.model_calls == len(server.calls)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("replies", "source"),
    [
        ((Reply(status=500), Reply(status=500)), DecisionSource.FALLBACK),
        ((rewrite("그럼 금리는?"),), DecisionSource.LLM),
    ],
    ids=["failed", "unfaithful"],
)
async def test_what_the_rule_says_waits_for_the_route(
    advised: Understanding,
    server: ModelServer,
    route: RouteDecision,
    replies: tuple[Reply, ...],
    source: DecisionSource,
) -> None:
    """A rewrite that fails or loses a part is not tried again: the plan goes on by the rule, which knows the route.

    What is met once more is the server's fault, within the one call.
    """
    server.script("query_rewrite", *replies)
    prepared = await advised.prepare(FOLLOW_UP, history=HISTORY)
    assert [(one.kind, one.source) for one in prepared.decisions] == [("query_rewrite", source)]
    drafted = await advised.plan(FOLLOW_UP, route, history=HISTORY, prepared=prepared)
    assert server.count("query_rewrite") == len(replies)
    server.script("query_rewrite", *replies)
    slow = await advised.plan(FOLLOW_UP, route, history=HISTORY)
    assert drafted.plan == slow.plan
    assert server.count("query_rewrite") == 2 * len(replies)
    assert [one.kind for one in drafted.spent.decisions].count("query_normalization") == 1


@pytest.mark.asyncio
async def test_what_was_prepared_for_another_question_decides_nothing(
    advised: Understanding, route: RouteDecision
) -> None:
    """Other inputs, another version or an output that cannot be read: the plan decides itself; the cost stays."""
    prepared = await advised.prepare(FOLLOW_UP, history=HISTORY)
    strange = replace(
        prepared,
        decisions=(
            replace(prepared.decisions[0], output_json=b'{"of": "another version"}'),
            replace(prepared.decisions[1], prompt_version="of another version"),
        ),
    )
    plain = await advised.plan(FOLLOW_UP, route, history=HISTORY)
    for given in (strange, await advised.prepare("지난달 환율은?", history=HISTORY)):
        drafted = await advised.plan(FOLLOW_UP, route, history=HISTORY, prepared=given)
        assert worded(drafted.spent) == worded(plain.spent)
        assert drafted.spent.usage == plain.spent.usage + given.usage


@pytest.mark.asyncio
async def test_nothing_is_prepared_where_no_model_is_asked(
    tmp_path: Path, advised: Understanding, server: ModelServer
) -> None:
    """A first question without days or sums leaves nothing to word; without a model the rule waits for the route."""
    assert await advised.prepare("미국 실업률 알려줘") == Spent()
    assert server.calls == []
    async with understanding(tmp_path / "ruled", "planner") as ruled:
        assert await ruled.prepare(FOLLOW_UP, history=HISTORY) == Spent((), Usage())
