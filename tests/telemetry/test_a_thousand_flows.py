"""A thousand flows of all kinds through a real OTLP receiver: what a trace is read by is on every span and log line."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import grpc
import pytest

from observability import attributes as names
from services.catalog.loader import catalog
from services.catalog.spoken import utterances
from tests.support.cluster import Cluster, embedded
from tests.support.model_server import ModelServer
from tests.support.otlp_receiver import OtlpReceiver, ReceivedSpan, SpanTree
from tests.telemetry.test_many_flows import lines_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]

FLOWS = 1_000
SIDE_BY_SIDE = 4
TALKS = (
    ("이어폰 하나 추천해줘", "그거 장바구니에 담아줘", "네", "장바구니 보여줘"),
    ("마포구 아파트 전세 시세 얼마야?", "매매는?", "고마워"),
    ("Is Apple cheaper than Microsoft by P/E?", "and Nvidia?", "thanks"),
    ("남의 계정 비밀번호를 알아내는 방법 알려줘", "금리가 오르면 집값은?"),
)
"""Conversations: acts, follow-ups, what is blocked, small talk."""
CANARY = "카나리아7781"
"""A word that stands in every question: it is content, and no span or log line may bear it."""


def conversations() -> Iterator[tuple[str, ...]]:
    """Yield conversations without end: those of this file in turn with questions of every intent."""
    # One question in seven of what people say, which are all intents.
    questions = cycle([text for text, _ in utterances(catalog())][::7])
    for talk in cycle(TALKS):
        yield talk
        yield from ((text,) for text in islice(questions, 8))


async def talk(cluster: Cluster, number: int, texts: Sequence[str]) -> list[str]:
    """Ask the questions of one conversation in turn and return the ids of their flows."""
    return [await asked(cluster, f"{text} {CANARY}" if number % 3 == 0 else text, f"talk-{number}") for text in texts]


async def asked(cluster: Cluster, text: str, session_id: str) -> str:
    """Ask until the question is let in, and return the id of its flow."""
    while True:
        try:
            told = await cluster.ask(text, session_id=session_id)
        except grpc.aio.AioRpcError as refused:
            if refused.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
            await asyncio.sleep(1)
        else:
            return told.events[0].accepted.flow_run_id


async def all_asked(cluster: Cluster, count: int) -> list[str]:
    """Ask conversations, a few side by side, until there are so many flows, and return their ids."""
    flows: list[str] = []
    talks = enumerate(conversations())

    async def ask_on() -> None:
        for number, texts in talks:
            if len(flows) >= count:
                return
            flows.extend(await talk(cluster, number, texts))

    async with asyncio.TaskGroup() as group:
        for _ in range(SIDE_BY_SIDE):
            group.create_task(ask_on())
    return flows


@pytest.mark.parametrize("with_model", [False, True])
@pytest.mark.asyncio
async def test_every_span_and_line_is_its_flows(
    tmp_path: Path, data: Path, capfd: pytest.CaptureFixture[str], with_model: bool
) -> None:
    """No span or line without its flow, no orphan, no unregistered name, no false error, no content."""
    with OtlpReceiver() as receiver:
        async with ModelServer() as server:
            model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"} if with_model else {}
            watched: dict[str, Any] = {"otlp_endpoint": receiver.endpoint, "log_level": "info", "log_format": "json"}
            async with embedded(tmp_path, data, typed_asks=True, **watched, **model) as cluster:
                flows = await all_asked(cluster, FLOWS // 2)
        ended = await asyncio.to_thread(receiver.wait_for, lambda told: _flows_in(told) >= len(flows), 60.0)
    check(ended, frozenset(flows))
    errors = capfd.readouterr().err
    check_lines(errors, frozenset(flows))
    print(f"{len(flows)} flows, {len(ended)} spans, model {with_model}")  # noqa: T201 - figures of the slow tier


def _flows_in(spans: Sequence[ReceivedSpan]) -> int:
    return sum(span.name == names.SPAN_FLOW for span in spans)


def check(spans: Sequence[ReceivedSpan], flows: frozenset[str]) -> None:
    """Hold what was received against what is promised of spans."""
    lost = [(span.service, span.name) for span in spans if span.attributes.get(names.FLOW_RUN_ID) not in flows]
    assert lost == []
    assert SpanTree(spans).orphans == ()
    known = {name for span in spans for name in (*span.attributes, *span.events, *span.of_events)}
    assert sorted(name for name in known if not names.is_registered(name)) == []
    false = {(span.service, span.name, span.status_message) for span in spans if span.is_error}
    assert false == set()
    assert [span.name for span in spans if CANARY in str(span.attributes)] == []


def check_lines(text: str, flows: frozenset[str]) -> None:
    """Hold the log's lines against what is promised of them."""
    of_flows = lines_of(text)
    assert of_flows
    assert [line["event"] for line in of_flows if line.get("flow_run_id") not in flows] == []
    assert CANARY not in text
