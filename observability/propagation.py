"""How a trace and its flow travel: the ids of the running code, and what of them stands in a call's metadata.

traceparent   00-<trace id>-<span id>-<flags>       W3C trace context
tracestate    the vendors' part, handed on as it is
baggage       hapju.flow_run_id=<UUID>              W3C baggage; nothing else of it is taken over
"""

import re
from collections.abc import Iterable, MutableSequence
from typing import Final

from opentelemetry import baggage, trace
from opentelemetry.context import Context
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags
from opentelemetry.trace.span import TraceState

from observability import attributes as names

TRACEPARENT: Final = "traceparent"
"""Metadata key of the W3C trace context."""
TRACESTATE: Final = "tracestate"
"""Metadata key of the vendors' part of the W3C trace context."""
BAGGAGE: Final = "baggage"
"""Metadata key of the W3C baggage."""

FLOW_RUN_ID_SHAPE: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
"""A flow_run_id: a UUID as text."""
BAGGAGE_CHARACTERS_MAX: Final = 8_192
"""A longer baggage header is ignored, as the W3C recommendation allows."""

_HEADERS: Final = frozenset({TRACEPARENT, TRACESTATE, BAGGAGE})
_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?")


def current_flow_run_id() -> str:
    """Return the flow's id from the baggage, or an empty text outside any flow."""
    return flow_of(None)


def current_ids() -> tuple[str, str]:
    """Return the current trace id (32 hex digits) and span id (16), both empty outside any span."""
    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return "", ""
    return f"{context.trace_id:032x}", f"{context.span_id:016x}"


def current_traceparent() -> str:
    """Return the W3C traceparent of the current span or an empty text; a flow keeps it for its resume."""
    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return ""
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags):02x}"


def inject(metadata: MutableSequence[tuple[str, str | bytes]]) -> None:
    """Append the current traceparent, tracestate and the flow's baggage to a call's metadata."""
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
    """Read the caller's span and the flow's id out of a call's metadata.

    A malformed header counts as none. Of the baggage only ``hapju.flow_run_id`` is taken, and only when it is
    a UUID: whatever else a client sends goes no further.
    """
    headers = {key: value for key, value in metadata if key in _HEADERS and isinstance(value, str)}
    context = Context()
    parent = span_context(headers.get(TRACEPARENT, ""), headers.get(TRACESTATE, ""))
    if parent is not None:
        context = trace.set_span_in_context(NonRecordingSpan(parent), context)
    flow_run_id = _flow_in(headers.get(BAGGAGE, ""))
    return baggage.set_baggage(names.FLOW_RUN_ID, flow_run_id, context) if flow_run_id else context


def flow_of(context: Context | None) -> str:
    """Return the flow's id in a context's baggage, None being the current one, or an empty text."""
    flow_run_id = baggage.get_baggage(names.FLOW_RUN_ID, context)
    return flow_run_id if isinstance(flow_run_id, str) else ""


def _flow_in(header: str) -> str:
    if not header or len(header) > BAGGAGE_CHARACTERS_MAX:
        return ""
    for member in header.split(","):
        key, _, value = member.split(";", 1)[0].partition("=")
        if key.strip() == names.FLOW_RUN_ID and FLOW_RUN_ID_SHAPE.fullmatch(value.strip()):
            return value.strip()
    return ""


def span_context(traceparent: str, tracestate: str = "") -> SpanContext | None:
    """Return the span that a traceparent names, or None when it is malformed."""
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
