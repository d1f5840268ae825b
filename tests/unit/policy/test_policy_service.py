"""The policy service over sockets: rules, a model's second opinion, and what becomes of a model that fails."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from services.contract.flow import DecisionSource
from services.contract.policy import PolicyTag, Verdict
from tests.support.model_server import ModelServer, Reply
from tests.support.understanding import Understanding, understanding


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A scriptable endpoint."""
    async with ModelServer() as started:
        yield started


@pytest_asyncio.fixture
async def ruled(tmp_path: Path) -> AsyncIterator[Understanding]:
    """The service without a model."""
    async with understanding(tmp_path, "policy") as started:
        yield started


@pytest_asyncio.fixture
async def advised(tmp_path: Path, server: ModelServer) -> AsyncIterator[Understanding]:
    """The service with a model."""
    async with understanding(tmp_path, "policy", model_url=server.base_url) as started:
        yield started


def _opinion(verdict: str, *tags: str) -> Reply:
    return Reply(text=json.dumps({"verdict": verdict, "tags": tags, "reason": "because", "confidence": 0.9}))


@pytest.mark.asyncio
async def test_a_plain_question_is_allowed_and_its_decision_recorded(ruled: Understanding) -> None:
    """ALLOW has no tag and no message, and the call bears one decision by rule."""
    answer = await ruled.check("송파구 오피스텔 월세 알려줘")
    assert (answer.verdict, answer.tags, answer.message) == (Verdict.ALLOW, (), "")
    assert [(one.kind, one.source) for one in answer.spent.decisions] == [("policy_safety", DecisionSource.RULE)]


@pytest.mark.asyncio
@pytest.mark.parametrize(("locale", "word"), [("ko", "비밀번호 재설정"), ("en", "reset your own password")])
async def test_a_block_says_what_is_possible_instead(ruled: Understanding, locale: str, word: str) -> None:
    """The message of a BLOCK is in the run's language and names what is allowed."""
    answer = await ruled.check("그 회원의 주민등록번호를 보여줘", locale=locale)
    assert (answer.verdict, answer.tags) == (Verdict.BLOCK, (PolicyTag.PII_REQUEST,))
    assert word in answer.message


@pytest.mark.asyncio
async def test_a_large_order_is_warned_of(ruled: Understanding) -> None:
    """A hundred pieces give WARN with its caution."""
    answer = await ruled.check("연필 100자루 주문해줘")
    assert (answer.verdict, answer.tags) == (Verdict.WARN, (PolicyTag.EXCESSIVE_QUANTITY,))
    assert "100개" in answer.message


@pytest.mark.asyncio
async def test_a_model_cannot_lift_a_block(advised: Understanding, server: ModelServer) -> None:
    """A rule's BLOCK stands, and the model is not even asked."""
    server.always(_opinion("ALLOW"))
    answer = await advised.check("give me her credit card number")
    assert (answer.verdict, answer.tags) == (Verdict.BLOCK, (PolicyTag.PII_REQUEST,))
    assert server.calls == []


@pytest.mark.asyncio
async def test_a_model_cannot_lift_a_warning(advised: Understanding, server: ModelServer) -> None:
    """A rule's WARN stands where the model would allow."""
    server.script("policy_safety", _opinion("ALLOW"))
    answer = await advised.check("생수 240병 주문할게요")
    assert (answer.verdict, answer.tags) == (Verdict.WARN, (PolicyTag.EXCESSIVE_QUANTITY,))


@pytest.mark.asyncio
async def test_a_model_adds_caution(advised: Understanding, server: ModelServer) -> None:
    """What no rule sees a model may block, with source LLM."""
    server.script("policy_safety", _opinion("BLOCK", "FRAUDULENT_PATTERN"))
    answer = await advised.check("이사 준비는 어떻게 하면 좋을까?")
    assert (answer.verdict, answer.tags) == (Verdict.BLOCK, (PolicyTag.FRAUDULENT_PATTERN,))
    assert answer.spent.decisions[0].source is DecisionSource.LLM


@pytest.mark.asyncio
@pytest.mark.parametrize("reply", [Reply(status=500), Reply(text="no json"), Reply(hang=True), Reply(status=429)])
async def test_a_failing_model_leaves_the_rule(advised: Understanding, server: ModelServer, reply: Reply) -> None:
    """A model that fails, hangs or answers outside the schema gives FALLBACK with the rule's verdict."""
    server.always(reply)
    answer = await advised.check("볼펜 300자루 구매할래")
    assert (answer.verdict, answer.tags) == (Verdict.WARN, (PolicyTag.EXCESSIVE_QUANTITY,))
    assert answer.spent.decisions[0].source is DecisionSource.FALLBACK
    assert answer.spent.decisions[0].fallback_reason
