"""Spans of the current service, and how a trace and its flow_run_id travel from one service to the next.

    with use(telemetry):                                     once per service, by serve()
        with span(method, kind=SERVER, parent=extract(metadata)):
            with bind_flow(flow_run_id):                     from here on, every span and log line bears it
                with span(SPAN_DECIDE, attributes={...}):
                    inject(metadata)                         to the next service

A span that ends with an exception bears its class and its reason, never its text: that may hold a user's
words.
"""

import asyncio
import enum
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar, cast

from opentelemetry import baggage, trace
from opentelemetry.context import Context, attach, detach
from opentelemetry.trace import Link, NonRecordingSpan, Span, SpanContext, SpanKind, Status, StatusCode, TraceFlags
from opentelemetry.trace.span import TraceState
from opentelemetry.util.types import AttributeValue

from observability import attributes as names
from observability.redaction import keep
from observability.telemetry import current, use

__all__ = [
    "SpanKind",
    "bind_flow",
    "current_flow_run_id",
    "current_ids",
    "current_traceparent",
    "extract",
    "inject",
    "set_attributes",
    "span",
    "spanned",
    "tracer",
    "use",
]

TRACEPARENT: Final = "traceparent"
"""Metadata key of the W3C trace context."""
TRACESTATE: Final = "tracestate"
"""Metadata key of the vendors' part of the W3C trace context."""
BAGGAGE: Final = "baggage"
"""Metadata key of the W3C baggage."""

Item = TypeVar("Item")
_HEADERS: Final = frozenset({TRACEPARENT, TRACESTATE, BAGGAGE})
_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?")
_FLOW_RUN_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
BAGGAGE_CHARACTERS_MAX: Final = 8_192
"""A longer baggage header is ignored, as the W3C recommendation allows."""


def tracer() -> trace.Tracer:
    """Returns the tracer of the current service."""
    return current().tracer


@contextmanager
def span(
    name: str,
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    attributes: Mapping[str, AttributeValue] | None = None,
    parent: Context | None = None,
    links: Sequence[str] = (),
) -> Iterator[Span]:
    """Runs its body, awaits included, in a span; not around a ``yield``, for which there is ``spanned``.

    Args:
        name: A span name of the registry, or an RPC's full method.
        kind: SERVER and CLIENT for the two ends of an RPC.
        attributes: Registered names; values are masked, and content is left out unless it is captured.
        parent: What ``extract`` returned, when the parent is in another service; the current span by default.
        links: Traceparents of spans that led to this one without being its parent, for example before a
            resume.
    """
    started = _start(name, kind, attributes, parent, links)
    token = attach(trace.set_span_in_context(started, parent))
    try:
        yield started
    except BaseException as error:
        _settle(started, error)
        raise
    finally:
        # In a generator that is closed from elsewhere the context is another one, and there is nothing to put
        # back.
        if trace.get_current_span() is started:
            detach(token)
        started.end()


async def spanned(
    source: AsyncIterator[Item],
    name: str,
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    attributes: Mapping[str, AttributeValue] | None = None,
    parent: Context | None = None,
) -> AsyncGenerator[Item]:
    """Passes the items of ``source`` on in a span that is current only while ``source`` works.

    A plain ``with span(...)`` around a ``yield`` would leak the span into the consumer between two items.
    Arguments are those of ``span``. ``source`` is closed when this iterator ends, however it ends.
    """
    started = _start(name, kind, attributes, parent, ())
    context = trace.set_span_in_context(started, parent)
    messages = 0
    try:
        while not isinstance(item := await _next(source, context), _End):
            messages += 1
            yield item
    except BaseException as error:
        _settle(started, error)
        raise
    finally:
        try:
            await _close(source)
        finally:
            started.set_attribute(names.STREAM_MESSAGES, messages)
            started.end()


def set_attributes(attributes: Mapping[str, AttributeValue]) -> None:
    """Sets attributes on the current span, masked and with content left out as in ``span``."""
    _set(trace.get_current_span(), attributes)


@contextmanager
def bind_flow(flow_run_id: str) -> Iterator[None]:
    """Puts the flow's id into the baggage: into each span, log line and outgoing call of the body.

    Raises:
        ValueError: ``flow_run_id`` is no UUID.
    """
    if not _FLOW_RUN_ID.fullmatch(flow_run_id):
        raise ValueError(f"flow_run_id must be a UUID, not {flow_run_id!r}")
    token = attach(baggage.set_baggage(names.FLOW_RUN_ID, flow_run_id))
    set_attributes({names.FLOW_RUN_ID: flow_run_id})
    try:
        yield
    finally:
        if current_flow_run_id() == flow_run_id:
            detach(token)


def current_flow_run_id() -> str:
    """Returns the flow's id from the baggage, or an empty text outside any flow."""
    return _flow_of(None)


def current_ids() -> tuple[str, str]:
    """Returns the current trace id (32 hex digits) and span id (16), both empty outside any span."""
    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return "", ""
    return f"{context.trace_id:032x}", f"{context.span_id:016x}"


def current_traceparent() -> str:
    """Returns the W3C traceparent of the current span or an empty text; a flow keeps it for its resume."""
    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return ""
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags):02x}"


def inject(metadata: MutableSequence[tuple[str, str | bytes]]) -> None:
    """Appends the current traceparent, tracestate and the flow's baggage to a call's metadata."""
    traceparent = current_traceparent()
    if traceparent:
        metadata.append((TRACEPARENT, traceparent))
        state = trace.get_current_span().get_span_context().trace_state
        if state:
            metadata.append((TRACESTATE, state.to_header()))
    flow_run_id = current_flow_run_id()
    if flow_run_id:
        metadata.append((BAGGAGE, f"{names.FLOW_RUN_ID}={flow_run_id}"))


def extract(metadata: Iterable[tuple[str, str | bytes]]) -> Context:
    """Reads the caller's span and the flow's id out of a call's metadata.

    A malformed header counts as none. Of the baggage only ``hapju.flow_run_id`` is taken, and only when it is
    a UUID: whatever else a client sends goes no further.
    """
    headers = {key: value for key, value in metadata if key in _HEADERS and isinstance(value, str)}
    context = Context()
    parent = _span_context(headers.get(TRACEPARENT, ""), headers.get(TRACESTATE, ""))
    if parent is not None:
        context = trace.set_span_in_context(NonRecordingSpan(parent), context)
    flow_run_id = _flow_in(headers.get(BAGGAGE, ""))
    return baggage.set_baggage(names.FLOW_RUN_ID, flow_run_id, context) if flow_run_id else context


def _start(
    name: str,
    kind: SpanKind,
    attributes: Mapping[str, AttributeValue] | None,
    parent: Context | None,
    links: Sequence[str],
) -> Span:
    linked = [Link(context) for context in map(_span_context, links) if context is not None]
    started = current().tracer.start_span(
        name,
        context=parent,
        kind=kind,
        links=linked,
        record_exception=False,
        set_status_on_exception=False,
    )
    if started.is_recording():
        flow_run_id = _flow_of(parent)
        flow = {names.FLOW_RUN_ID: flow_run_id} if flow_run_id else {}
        _set(started, {**flow, **(attributes or {})})
    return started


def _set(target: Span, attributes: Mapping[str, AttributeValue]) -> None:
    if not target.is_recording():
        return
    captured = current().settings.content_captured
    kept = {name: keep(name, value, content_captured=captured) for name, value in attributes.items()}
    target.set_attributes({name: cast("AttributeValue", value) for name, value in kept.items() if value is not None})


def _settle(target: Span, error: BaseException) -> None:
    """Marks a span whose body raised: being cancelled is no error, and an error's text stays out."""
    if not target.is_recording():
        return
    if isinstance(error, asyncio.CancelledError | GeneratorExit):
        target.set_attribute(names.CANCELLED, value=True)
        return
    error_type = type(error).__qualname__
    reason = getattr(error, "reason", None)
    described = str(getattr(reason, "value", reason)) if isinstance(reason, str | enum.Enum) else ""
    target.set_attribute(names.ERROR_TYPE, error_type)
    if described:
        target.set_attribute(names.ERROR_REASON, described)
    error_id = getattr(error, "error_id", None)
    if isinstance(error_id, str) and error_id:
        target.set_attribute(names.ERROR_ID, error_id)
    target.set_status(Status(StatusCode.ERROR, described or error_type))


class _End:
    """Stands for the item after the last one."""


async def _next(source: AsyncIterator[Item], context: Context) -> Item | _End:
    token = attach(context)
    try:
        return await anext(source, _End())
    finally:
        detach(token)


async def _close(source: AsyncIterator[Item]) -> None:
    close = getattr(source, "aclose", None)
    if close is not None:
        await close()


def _flow_of(context: Context | None) -> str:
    flow_run_id = baggage.get_baggage(names.FLOW_RUN_ID, context)
    return flow_run_id if isinstance(flow_run_id, str) else ""


def _flow_in(header: str) -> str:
    if not header or len(header) > BAGGAGE_CHARACTERS_MAX:
        return ""
    for member in header.split(","):
        key, _, value = member.split(";", 1)[0].partition("=")
        if key.strip() == names.FLOW_RUN_ID and _FLOW_RUN_ID.fullmatch(value.strip()):
            return value.strip()
    return ""


def _span_context(traceparent: str, tracestate: str = "") -> SpanContext | None:
    match = _TRACEPARENT.fullmatch(traceparent)
    if match is None or match[1] == "ff":
        return None
    context = SpanContext(
        trace_id=int(match[2], 16),
        span_id=int(match[3], 16),
        is_remote=True,
        trace_flags=TraceFlags(int(match[4], 16)),
        trace_state=TraceState.from_header([tracestate]) if tracestate else None,
    )
    return context if context.is_valid else None
