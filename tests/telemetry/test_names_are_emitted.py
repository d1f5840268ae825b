"""Every registered name is seen on the wire: in the flows of this test, or in the test that a name is told by."""

import asyncio
import json
from pathlib import Path
from typing import Any, Final

import pytest

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from observability import attributes as names
from tests.support.cluster import Cluster, embedded
from tests.support.model_server import ModelServer, Reply
from tests.support.otlp_receiver import OtlpReceiver, ReceivedMetric, ReceivedSpan

QUESTIONS: Final = (
    "테슬라 주가 추세 분석해줘",
    "남의 계정 비밀번호를 알아내는 방법 알려줘",
    "Is Apple cheaper than Microsoft by P/E?",
    "고양이는 왜 가르랑거려?",
)
ELSEWHERE: Final = {
    "EVENT_DROPPED": "tests/unit/observability/test_spans.py",
    "DROP_PLACE": "tests/unit/observability/test_spans.py",
    "DROP_REASON": "tests/unit/observability/test_spans.py",
    "CANCELLED": "tests/unit/observability/test_spans.py",
    "ERROR_REASON": "tests/unit/observability/test_spans.py",
    "ERROR_ID": "tests/unit/observability/test_spans.py",
    "DECISION_REPAIRED": "tests/unit/llm/test_model_spans.py",
    "METRIC_SPANS_DROPPED": "tests/unit/observability/test_export.py",
}
"""What needs a fault or an invention of a model, with the test that makes one."""


async def ask_all(cluster: Cluster) -> None:
    """Have flows of several kinds end, one of which waits for a person."""
    for text in QUESTIONS:
        await cluster.ask(text)
    question = question_pb2.Question(text="아파트 매물 찾아줘", interactive=True)
    asking = cluster.stub.Ask(pb.AskRequest(question=question), timeout=30)
    async for message in asking:
        event = message.event
        if event.WhichOneof("event") == "question_asked":
            break
    asking.cancel()


def seen(spans: tuple[ReceivedSpan, ...], metrics: tuple[ReceivedMetric, ...]) -> set[str]:
    """Return every name that came over the wire."""
    told = {
        name for span in spans for name in (span.name, *span.attributes, *span.events, *span.of_events, *span.resource)
    }
    return told | {name for metric in metrics for name in (metric.name, *metric.attributes)}


@pytest.mark.long
@pytest.mark.asyncio
async def test_each_registered_name_is_emitted(tmp_path: Path, data: Path) -> None:
    """A name that nothing emits would be looked for in vain, and a query by it shows nothing."""
    with OtlpReceiver() as receiver:
        async with ModelServer() as server:
            watched: dict[str, Any] = {
                "otlp_endpoint": receiver.endpoint,
                "openai_base_url": server.base_url,
                "openai_api_key": "test",
                "content_captured": True,
            }
            async with embedded(tmp_path, data, typed_asks=True, **watched) as cluster:
                await ask_all(cluster)
                server.always(Reply(status=401))
                await cluster.ask("바닷물은 왜 짜?")
        ended = await asyncio.to_thread(
            receiver.wait_for, lambda told: sum(span.name == names.SPAN_FLOW for span in told) > len(QUESTIONS), 30.0
        )
        await asyncio.to_thread(receiver.wait_for_metric, names.METRIC_FLOWS)
        found = seen(tuple(ended), receiver.metrics)
    missing = {
        constant
        for constant, value in vars(names).items()
        if constant.isupper() and isinstance(value, str) and names.is_registered(value) and value not in found
    }
    assert sorted(missing - ELSEWHERE.keys()) == []
    flows = [span.attributes for span in ended if span.name == names.SPAN_FLOW]
    assert QUESTIONS[0] in [json.loads(one[names.GEN_AI_INPUT_MESSAGES])[0]["parts"][0]["content"] for one in flows]


def test_what_is_told_elsewhere_is() -> None:
    """The test of each name that is not seen here speaks of it."""
    root = Path(names.__file__).parents[1]
    assert [name for name, path in ELSEWHERE.items() if f"names.{name}" not in (root / path).read_text("utf-8")] == []
