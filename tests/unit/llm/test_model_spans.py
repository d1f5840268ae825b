"""Each decision and each model call is a span with the conventions' names, and nothing of anybody's words in it."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from observability import attributes as names
from observability.spans import use
from observability.telemetry import TelemetrySettings, current, silent
from prompts.agents import general_knowledge
from prompts.fields import Trusted
from prompts.planner.query_normalization import PROMPT, Inputs, Output
from services.llm.decider import Decider
from services.runtime import ledger
from tests.support.model_server import ModelServer, Reply

Flow = Callable[..., AbstractContextManager[ledger.Ledger]]

KIND = "query_normalization"
INPUTS = Inputs(question="지난달 물가는?", today=date(2026, 3, 2), time_zone=Trusted("Asia/Seoul"))


def rule(inputs: Inputs) -> Output:
    """Leave the question as it is."""
    return Output(normalised_question=inputs.question, reasoning="")


@pytest.fixture
def ended() -> Iterator[InMemorySpanExporter]:
    """The spans that have ended."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with use(replace(silent("planner", TelemetrySettings()), tracer=provider.get_tracer("hapju"))):
        yield exporter


def by_name(ended: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    """Return the spans by name."""
    return {span.name: span for span in ended.get_finished_spans()}


def values(span: ReadableSpan) -> dict[str, object]:
    """Return a span's attributes."""
    return dict(span.attributes or {})


@pytest.mark.asyncio
async def test_a_decision_holds_its_model_call(
    server: ModelServer, decider: Decider, flow: Flow, ended: InMemorySpanExporter
) -> None:
    """The call is a CLIENT span inside the decision's, with model, tokens and finish reason; the decision says who."""
    with flow():
        await decider.decide(PROMPT, INPUTS, rule)
    spans = by_name(ended)
    decision, call = spans["hapju.decide"], spans["chat test-utility"]
    assert (call.kind, call.parent and call.parent.span_id) == (
        SpanKind.CLIENT,
        decision.context and decision.context.span_id,
    )
    assert (
        values(call).items()
        >= {
            names.GEN_AI_OPERATION_NAME: "chat",
            names.GEN_AI_REQUEST_MODEL: "test-utility",
            names.GEN_AI_USAGE_INPUT_TOKENS: 100,
            names.GEN_AI_RESPONSE_FINISH_REASONS: ("stop",),
        }.items()
    )
    assert (
        values(decision).items()
        >= {
            names.DECISION_KIND: KIND,
            names.DECISION_SOURCE: "LLM",
            names.PROMPT_NAME: f"planner/{KIND}",
            names.PROMPT_VERSION: PROMPT.version,
        }.items()
    )
    assert server.count(KIND) == 1


@pytest.mark.asyncio
async def test_a_repair_and_a_failure_are_seen(
    server: ModelServer, decider: Decider, flow: Flow, ended: InMemorySpanExporter
) -> None:
    """A repaired decision says so; a failed call is an error span with its reason, the decision around it is none."""
    good = '{"normalised_question": "q", "reasoning": "r"}'
    server.script(KIND, Reply(text="{}"), Reply(text=good), Reply(status=429), Reply(status=429))
    with flow():
        await decider.decide(PROMPT, INPUTS, rule)
        repaired = values(by_name(ended)["hapju.decide"])
        await decider.decide(PROMPT, INPUTS, rule)
    spans = by_name(ended)
    assert repaired[names.DECISION_REPAIRED] is True
    assert values(spans["chat test-utility"])[names.ERROR_REASON] == "RATE_LIMITED"
    assert spans["chat test-utility"].status.status_code is StatusCode.ERROR
    assert values(spans["hapju.decide"])[names.FALLBACK_REASON] == "RATE_LIMITED"
    assert spans["hapju.decide"].status.status_code is not StatusCode.ERROR


@pytest.mark.asyncio
async def test_a_stream_is_one_call_inside_one_decision(
    decider: Decider, flow: Flow, ended: InMemorySpanExporter
) -> None:
    """A streamed answer has the same two spans, ended when it ends, with its tokens."""
    inputs = general_knowledge.Inputs(question="비밀스러운 질문", today=date(2026, 3, 2))
    with flow():
        answer = "".join([piece async for piece in decider.stream(general_knowledge.PROMPT, inputs)])
    spans = by_name(ended)
    call = values(spans["chat test-agent"])
    assert call[names.GEN_AI_USAGE_OUTPUT_TOKENS] == len(answer)
    assert values(spans["hapju.decide"])[names.DECISION_SOURCE] == "LLM"
    assert spans["chat test-agent"].parent is not None


@pytest.mark.asyncio
async def test_no_span_bears_what_was_asked_or_answered(
    server: ModelServer, decider: Decider, flow: Flow, ended: InMemorySpanExporter
) -> None:
    """Neither the question nor the model's text stands in any attribute, also when the model fails with it."""
    server.script(KIND, Reply(text="비밀 답"), Reply(text="비밀 답"))
    with flow():
        await decider.decide(PROMPT, INPUTS, rule)
    written = str([values(span) for span in ended.get_finished_spans()])
    assert ("물가" in written, "비밀" in written) == (False, False)
    assert all(names.is_registered(name) for span in ended.get_finished_spans() for name in values(span))


@pytest.mark.asyncio
async def test_where_content_is_captured_a_call_bears_what_was_said(
    server: ModelServer, decider: Decider, flow: Flow, ended: InMemorySpanExporter
) -> None:
    """A decision's prompt and answer, and a streamed text, stand as messages by role, secrets in them masked."""
    server.script(KIND, Reply(text='{"normalised_question": "물가 sk-abcdefgh12345678", "reasoning": "r"}'))
    inputs = general_knowledge.Inputs(question="고양이는 왜 가르랑거려?", today=date(2026, 3, 2))
    with use(replace(current(), settings=TelemetrySettings(content_captured=True))), flow():
        await decider.decide(PROMPT, INPUTS, rule)
        written = "".join([piece async for piece in decider.stream(general_knowledge.PROMPT, inputs)])
    spans = by_name(ended)
    asked, answered = said_on(spans["chat test-utility"])
    assert [one["role"] for one in asked] == ["system", "user"]
    assert INPUTS.question in asked[-1]["parts"][0]["content"]
    assert ("물가" in answered[0]["parts"][0]["content"], "sk-abc" in str(answered)) == (True, False)
    _, told = said_on(spans["chat test-agent"])
    assert told == [{"role": "assistant", "parts": [{"type": "text", "content": written}]}]


def said_on(span: ReadableSpan) -> tuple[Any, Any]:
    """Return the messages that a model was asked with and that it answered."""
    found = values(span)
    return tuple(json.loads(str(found[name])) for name in (names.GEN_AI_INPUT_MESSAGES, names.GEN_AI_OUTPUT_MESSAGES))
