"""Spans, their ids and how they travel from one service to the next."""

import asyncio
import enum
import gc
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from observability import attributes as names
from observability.spans import (
    SpanKind,
    bind_flow,
    current_flow_run_id,
    current_ids,
    current_traceparent,
    extract,
    inject,
    set_attributes,
    span,
    spanned,
    use,
)
from observability.telemetry import TelemetrySettings, current, silent
from services.contract.drops import Dropped, DropPlace, DropReason
from services.grounding.verdict import trace

FLOW = "01931234-5678-7123-8123-0123456789ab"
TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Reason(enum.Enum):
    """A reason as the error table has them."""

    TOOL_TIMEOUT = "TOOL_TIMEOUT"


class ToolTimeoutError(Exception):
    """An error with a reason and an id, as the runtime's errors have."""

    reason = Reason.TOOL_TIMEOUT
    error_id = "e-17"


@pytest.fixture
def ended() -> Iterator[InMemorySpanExporter]:
    """The spans that ended in a service named router, which is the current one."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    recording = replace(silent("router", TelemetrySettings()), tracer=provider.get_tracer("hapju"))
    with use(recording):
        yield exporter


def only(ended: InMemorySpanExporter) -> ReadableSpan:
    """Returns the one span that ended."""
    (one,) = ended.get_finished_spans()
    return one


async def numbers(count: int) -> AsyncGenerator[tuple[int, str]]:
    """Yields numbers with the span id under which each was made."""
    for number in range(count):
        await asyncio.sleep(0)
        yield number, current_ids()[1]


def test_spans_nest_and_bear_the_flow(ended: InMemorySpanExporter) -> None:
    """A span inside another is its child, and each inside a flow bears its id."""
    with span("outer"), bind_flow(FLOW), span(names.SPAN_DECIDE, attributes={names.DECISION_KIND: "intent"}):
        pass
    inner, outer = ended.get_finished_spans()
    assert inner.parent is not None
    assert outer.context is not None
    assert inner.parent.span_id == outer.context.span_id
    assert dict(inner.attributes or {}) == {names.FLOW_RUN_ID: FLOW, names.DECISION_KIND: "intent"}
    assert dict(outer.attributes or {}) == {names.FLOW_RUN_ID: FLOW}


def test_an_error_leaves_its_reason_and_not_its_text(ended: InMemorySpanExporter) -> None:
    """The span of a failed body bears class, reason and error id; the exception's text is nowhere on it."""
    with pytest.raises(ToolTimeoutError), span("work"):
        raise ToolTimeoutError("내 주민번호 900101-1234567")
    failed = only(ended)
    expected = {
        names.ERROR_TYPE: "ToolTimeoutError",
        names.ERROR_REASON: "TOOL_TIMEOUT",
        names.ERROR_ID: "e-17",
    }
    assert expected == dict(failed.attributes or {})
    assert failed.status.status_code is StatusCode.ERROR
    assert failed.status.description == "TOOL_TIMEOUT"
    assert failed.events == ()


def test_an_error_without_a_reason_is_named_by_its_class(ended: InMemorySpanExporter) -> None:
    """Any other exception is described by its class alone."""
    with pytest.raises(ValueError, match="secret words"), span("work"):
        raise ValueError("secret words")
    assert only(ended).status.description == "ValueError"
    assert dict(only(ended).attributes or {}) == {names.ERROR_TYPE: "ValueError"}


@pytest.mark.asyncio
async def test_cancelled_work_is_no_error(ended: InMemorySpanExporter) -> None:
    """The span of a cancelled task says so and has no error status."""

    async def work() -> None:
        with span("work"):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert only(ended).status.status_code is StatusCode.UNSET
    assert dict(only(ended).attributes or {}) == {names.CANCELLED: True}


@pytest.mark.asyncio
async def test_tasks_of_a_group_are_children_of_the_span_that_started_them(ended: InMemorySpanExporter) -> None:
    """Side by side work hangs below the span in which it was started, also in a thread."""

    def in_thread() -> None:
        with span("thread"):
            pass

    async def in_task() -> None:
        with span("task"):
            await asyncio.sleep(0)

    with span("outer"):
        async with asyncio.TaskGroup() as group:
            group.create_task(in_task())
            group.create_task(asyncio.to_thread(in_thread))
    *inner, outer = ended.get_finished_spans()
    assert outer.context is not None
    assert {outer.context.span_id} == {child.parent.span_id for child in inner if child.parent is not None}
    assert {"task", "thread"} == {child.name for child in inner}


@pytest.mark.asyncio
async def test_a_stream_has_its_span_only_while_its_source_works(ended: InMemorySpanExporter) -> None:
    """The source runs under the stream's span, the consumer does not, and the messages are counted."""
    with span("consumer"):
        consumer = current_ids()[1]
        seen = [(number, inside, current_ids()[1]) async for number, inside in spanned(numbers(3), "stream")]
    stream = ended.get_finished_spans()[0]
    assert stream.context is not None
    stream_id = f"{stream.context.span_id:016x}"
    assert [(number, stream_id, consumer) for number in range(3)] == seen
    assert dict(stream.attributes or {}) == {names.STREAM_MESSAGES: 3}


@pytest.mark.asyncio
async def test_a_source_keeps_its_flow_from_one_item_to_the_next(ended: InMemorySpanExporter) -> None:
    """A flow that is bound around the yields of a source holds for all of it and does not leak to the consumer."""

    async def source() -> AsyncGenerator[str]:
        with bind_flow(FLOW), span("inner"):
            for _ in range(3):
                yield current_flow_run_id() + current_ids()[1]
                with span("work"):
                    await asyncio.sleep(0)

    seen = [(item, current_flow_run_id()) async for item in spanned(source(), "stream")]
    assert len(set(seen)) == 1
    assert seen[0][0].startswith(FLOW)
    assert seen[0][1] == ""
    works = [one for one in ended.get_finished_spans() if one.name == "work"]
    assert [dict(one.attributes or {}) for one in works] == [{names.FLOW_RUN_ID: FLOW}] * 3
    assert current_ids() == ("", "")


@pytest.mark.asyncio
async def test_an_abandoned_stream_ends_its_span_and_its_source(ended: InMemorySpanExporter) -> None:
    """A consumer that stops early closes the source at once; the span says cancelled, not error."""
    closed: list[bool] = []

    async def source() -> AsyncGenerator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    stream = spanned(source(), "stream")
    assert await anext(stream) == 1
    await stream.aclose()
    assert closed == [True]
    assert dict(only(ended).attributes or {}) == {names.STREAM_MESSAGES: 1, names.CANCELLED: True}


@pytest.mark.asyncio
async def test_a_failing_stream_bears_the_error(ended: InMemorySpanExporter) -> None:
    """An exception of the source passes through and marks the span."""

    async def source() -> AsyncGenerator[int]:
        yield 1
        raise ToolTimeoutError

    with pytest.raises(ToolTimeoutError):
        _ = [item async for item in spanned(source(), "stream")]
    assert only(ended).status.description == "TOOL_TIMEOUT"


@pytest.mark.asyncio
async def test_a_span_closed_from_another_task_harms_nobody(
    ended: InMemorySpanExporter,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A span around a yield that another task closes ends, and logs no failure to detach."""

    async def wrong() -> AsyncGenerator[int]:
        with span("around"):
            yield 1

    generator = wrong()
    await asyncio.create_task(generator.__anext__())
    with span("another"):
        another = current_ids()
        await asyncio.create_task(generator.aclose())
        assert another == current_ids()
    gc.collect()
    assert [one.name for one in ended.get_finished_spans()] == ["around", "another"]
    assert caplog.records == []


def test_a_trace_and_its_flow_cross_the_wire(ended: InMemorySpanExporter) -> None:
    """What inject writes, extract reads: same trace, right parent, same flow."""
    metadata: list[tuple[str, str | bytes]] = []
    with span("client", kind=SpanKind.CLIENT), bind_flow(FLOW):
        inject(metadata)
    with span("server", kind=SpanKind.SERVER, parent=extract(metadata)):
        assert current_flow_run_id() == FLOW
    client, server = ended.get_finished_spans()
    assert client.context is not None
    assert server.context is not None
    assert server.parent is not None
    assert (client.context.trace_id, client.context.span_id) == (server.context.trace_id, server.parent.span_id)
    assert dict(server.attributes or {}) == {names.FLOW_RUN_ID: FLOW}


def test_nothing_is_injected_outside_a_span() -> None:
    """Outside any span and flow a call's metadata stays as it was."""
    metadata: list[tuple[str, str | bytes]] = [("a", "b")]
    inject(metadata)
    assert metadata == [("a", "b")]


@pytest.mark.parametrize(
    "header",
    [
        "",
        "00-0-0-01",
        TRACEPARENT.upper(),
        TRACEPARENT[:-3],
        "ff" + TRACEPARENT[2:],
        "00-" + "0" * 32 + "-" + "0" * 16 + "-01",
        "한글",
    ],
)
def test_a_malformed_traceparent_counts_as_none(ended: InMemorySpanExporter, header: str) -> None:
    """A header that is no traceparent starts a new trace and raises nothing."""
    with span("server", parent=extract([("traceparent", header)])):
        pass
    assert only(ended).parent is None


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (f"a=b, hapju.flow_run_id={FLOW};x=y", FLOW),
        ("hapju.flow_run_id=not-a-uuid", ""),
        ("hapju.flow_run_id=" + "a" * 9000, ""),
        (f"other.flow_run_id={FLOW}", ""),
        ("hapju.flow_run_id", ""),
    ],
)
def test_of_the_baggage_only_the_flow_is_taken(header: str, expected: str) -> None:
    """Only a well-formed flow id is taken over; nothing else that a client sends travels on."""
    onward: list[tuple[str, str | bytes]] = []
    with span("server", parent=extract([("baggage", header), ("baggage-bin", b"x")])):
        assert expected == current_flow_run_id()
        inject(onward)
    assert [f"hapju.flow_run_id={expected}"] * bool(expected) == [v for k, v in onward if k == "baggage"]


def test_a_tracestate_travels_on() -> None:
    """The vendors' part of a trace is handed to the next service."""
    onward: list[tuple[str, str | bytes]] = []
    with span("server", parent=extract([("traceparent", TRACEPARENT), ("tracestate", "vendor=1")])):
        inject(onward)
    assert dict(onward)["tracestate"] == "vendor=1"


def test_a_resumed_flow_links_to_the_span_it_was_left_in(ended: InMemorySpanExporter) -> None:
    """A stored traceparent becomes a link; one that is malformed is passed over."""
    with span("first"):
        stored = current_traceparent()
    with span("second", links=[stored, "broken"]):
        pass
    first, second = ended.get_finished_spans()
    assert first.context is not None
    assert [first.context.span_id] == [link.context.span_id for link in second.links]


def test_a_flow_id_must_be_a_uuid() -> None:
    """Text that is no UUID never enters the baggage."""
    with pytest.raises(ValueError, match="flow_run_id"), bind_flow("내 질문"):
        pass


def test_content_stays_off_a_span_unless_captured(ended: InMemorySpanExporter) -> None:
    """A prompt is no attribute by default, and is one, masked, when content is captured."""
    content = {names.GEN_AI_INPUT_MESSAGES: "redis://:pw@h 물어봐"}
    with span("chat"):
        set_attributes(content)
    capturing = replace(current(), settings=TelemetrySettings(content_captured=True))
    with use(capturing), span("chat"):
        set_attributes(content)
    without, with_content = ended.get_finished_spans()
    assert dict(without.attributes or {}) == {}
    assert dict(with_content.attributes or {}) == {names.GEN_AI_INPUT_MESSAGES: "redis://:[masked]@h 물어봐"}


def test_a_silent_service_has_ids_that_travel() -> None:
    """With nothing exported, spans still have a trace id, which the next service shares."""
    with use(silent("router", TelemetrySettings())):
        assert current_ids() == ("", "")
        assert current_traceparent() == ""
        metadata: list[tuple[str, str | bytes]] = []
        with span("client"):
            trace_id = current_ids()[0]
            inject(metadata)
        with span("server", parent=extract(metadata)) as server:
            assert trace_id == current_ids()[0]
            assert server.is_recording() is False


def test_an_event_bears_registered_names_and_no_content(ended: InMemorySpanExporter) -> None:
    """What was left out of a text is an event of the span at work, with its place, reason and step, never its words."""
    lost = Dropped(DropPlace.CLAIM, DropReason.UNSUPPORTED_CAUSE, "a text of a model", "because", "s1")
    with span(names.SPAN_STEP):
        trace([lost])
    (event,) = only(ended).events
    assert event.name == names.EVENT_DROPPED
    assert names.is_registered(event.name)
    assert dict(event.attributes or {}) == {
        names.DROP_PLACE: "CLAIM",
        names.DROP_REASON: "UNSUPPORTED_CAUSE",
        names.STEP_ID: "s1",
    }
