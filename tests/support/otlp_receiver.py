"""A real OTLP/gRPC receiver for tests: it takes what services export and says how the spans hang together.

    with OtlpReceiver() as receiver:
        settings = TelemetrySettings(otlp_endpoint=receiver.endpoint)
        ...
        spans = receiver.wait_for(lambda spans: any(span.name == "hapju.flow" for span in spans), timeout_seconds=5)
        tree = SpanTree(spans)
        assert tree.orphans == ()

It serves from threads of its own, so that it takes spans while the test's event loop or main thread is busy.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Self

import grpc
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2, metrics_service_pb2_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

WORKERS = 4
"""Exports that are served side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedSpan:
    """One span as it came over the wire."""

    service: str
    """The resource's service.name."""
    name: str
    """The span's name."""
    kind: str
    """SERVER, CLIENT, INTERNAL, PRODUCER or CONSUMER."""
    trace_id: str
    """32 hex digits."""
    span_id: str
    """16 hex digits."""
    parent_span_id: str
    """16 hex digits, or empty for a root."""
    attributes: dict[str, Any] = field(hash=False)
    """The span's attributes."""
    resource: dict[str, Any] = field(hash=False)
    """The resource's attributes."""
    links: tuple[str, ...]
    """Span ids of the linked spans."""
    events: tuple[str, ...]
    """Names of the span's events."""
    of_events: frozenset[str]
    """Names of the attributes of its events."""
    is_error: bool
    """Whether the status is ERROR."""
    status_message: str
    """The status' description."""
    start_nanoseconds: int
    """When it began, Unix time."""
    end_nanoseconds: int
    """When it ended, Unix time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedMetric:
    """One data point of a metric as it came over the wire."""

    service: str
    """The resource's service.name."""
    name: str
    """The metric's name."""
    attributes: dict[str, Any] = field(hash=False)
    """The point's attributes."""
    value: float
    """The counter's value, or the histogram's count."""


class OtlpReceiver:
    """Listens on a free port of the loopback; a context manager."""

    def __init__(self, *, delay_seconds: float = 0.0) -> None:
        self.delay_seconds = delay_seconds
        """How long each export is kept waiting, to play a slow collector; may be changed while it serves."""
        self._arrived = threading.Condition()
        self._spans: list[ReceivedSpan] = []
        self._metrics: list[ReceivedMetric] = []
        self._stopping = threading.Event()
        self._server = grpc.server(ThreadPoolExecutor(WORKERS, thread_name_prefix="otlp-receiver"))
        trace_service_pb2_grpc.add_TraceServiceServicer_to_server(_Traces(self), self._server)  # type: ignore[no-untyped-call]
        metrics_service_pb2_grpc.add_MetricsServiceServicer_to_server(_Metrics(self), self._server)  # type: ignore[no-untyped-call]
        self.port = self._server.add_insecure_port("127.0.0.1:0")

    @property
    def endpoint(self) -> str:
        """The address for ``otlp_endpoint``."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def spans(self) -> tuple[ReceivedSpan, ...]:
        """What has arrived so far, in order of arrival."""
        with self._arrived:
            return tuple(self._spans)

    @property
    def metrics(self) -> tuple[ReceivedMetric, ...]:
        """The points that have arrived so far, in order of arrival."""
        with self._arrived:
            return tuple(self._metrics)

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._server.stop(grace=None).wait()

    def wait_for(
        self,
        predicate: Callable[[tuple[ReceivedSpan, ...]], bool],
        timeout_seconds: float = 5.0,
    ) -> tuple[ReceivedSpan, ...]:
        """Waits until ``predicate`` holds for all spans that have arrived, and returns them. Blocks.

        Call it through ``asyncio.to_thread`` where the event loop must go on.

        Raises:
            TimeoutError: It did not hold in time; the text shows the tree of what has arrived.
        """
        with self._arrived:
            if not self._arrived.wait_for(lambda: predicate(tuple(self._spans)), timeout_seconds):
                tree = SpanTree(self._spans)
                raise TimeoutError(f"{len(self._spans)} spans after {timeout_seconds} s:\n{tree.render()}")
            return tuple(self._spans)

    def wait_for_metric(self, name: str, timeout_seconds: float = 5.0) -> tuple[ReceivedMetric, ...]:
        """Waits until a point of the metric ``name`` has arrived and returns all of it. Blocks, as ``wait_for``.

        Raises:
            TimeoutError: None came in time; the text names those that did.
        """
        with self._arrived:
            if not self._arrived.wait_for(lambda: any(m.name == name for m in self._metrics), timeout_seconds):
                raise TimeoutError(f"no {name} after {timeout_seconds} s: {sorted({m.name for m in self._metrics})}")
            return tuple(metric for metric in self._metrics if metric.name == name)

    def take(self, spans: Sequence[ReceivedSpan], metrics: Sequence[ReceivedMetric] = ()) -> None:
        """Keeps what an export carried and wakes those who wait."""
        self._stopping.wait(self.delay_seconds)
        with self._arrived:
            self._spans.extend(spans)
            self._metrics.extend(metrics)
            self._arrived.notify_all()


class SpanTree:
    """How spans hang together, over all services."""

    def __init__(self, spans: Sequence[ReceivedSpan]) -> None:
        self.spans = tuple(sorted(spans, key=lambda span: (span.start_nanoseconds, span.span_id)))
        self._by_id = {(span.trace_id, span.span_id): span for span in self.spans}

    @property
    def trace_ids(self) -> frozenset[str]:
        """The traces that the spans belong to."""
        return frozenset(span.trace_id for span in self.spans)

    @property
    def roots(self) -> tuple[ReceivedSpan, ...]:
        """Spans that have no parent."""
        return tuple(span for span in self.spans if not span.parent_span_id)

    @property
    def orphans(self) -> tuple[ReceivedSpan, ...]:
        """Spans whose parent is not among the spans."""
        return tuple(span for span in self.spans if span.parent_span_id and self.parent(span) is None)

    def parent(self, span: ReceivedSpan) -> ReceivedSpan | None:
        """Returns the parent of ``span``, if it is among the spans."""
        return self._by_id.get((span.trace_id, span.parent_span_id))

    def children(self, span: ReceivedSpan) -> tuple[ReceivedSpan, ...]:
        """Returns the spans right below ``span``, in order of their start."""
        of = (span.trace_id, span.span_id)
        return tuple(child for child in self.spans if (child.trace_id, child.parent_span_id) == of)

    def named(self, name: str) -> tuple[ReceivedSpan, ...]:
        """Returns the spans of that name."""
        return tuple(span for span in self.spans if span.name == name)

    def edges(self) -> frozenset[tuple[str, str]]:
        """Returns each (caller, callee) of services where a span of the one is the parent of a span of the other."""
        pairs = ((self.parent(span), span) for span in self.spans)
        return frozenset(
            (parent.service, span.service)
            for parent, span in pairs
            if parent is not None and parent.service != span.service
        )

    def render(self) -> str:
        """Returns the tree as text, one span a line, for the message of a failed test."""
        lines: list[str] = []
        waiting = [(span, 0) for span in reversed((*self.roots, *self.orphans))]
        while waiting:
            span, depth = waiting.pop()
            mark = "?" if span in self.orphans else ("!" if span.is_error else " ")
            milliseconds = (span.end_nanoseconds - span.start_nanoseconds) / 1e6
            lines.append(f"{mark} {'  ' * depth}{span.service}: {span.name} ({milliseconds:.1f} ms)")
            waiting.extend((child, depth + 1) for child in reversed(self.children(span)))
        return "\n".join(lines)


class _Traces(trace_service_pb2_grpc.TraceServiceServicer):
    def __init__(self, receiver: OtlpReceiver) -> None:
        self._receiver = receiver

    def Export(
        self,
        request: trace_service_pb2.ExportTraceServiceRequest,
        context: grpc.ServicerContext,
    ) -> trace_service_pb2.ExportTraceServiceResponse:
        del context
        self._receiver.take(
            [
                _received(span, _values(block.resource.attributes))
                for block in request.resource_spans
                for scope in block.scope_spans
                for span in scope.spans
            ],
        )
        return trace_service_pb2.ExportTraceServiceResponse()


class _Metrics(metrics_service_pb2_grpc.MetricsServiceServicer):
    def __init__(self, receiver: OtlpReceiver) -> None:
        self._receiver = receiver

    def Export(
        self,
        request: metrics_service_pb2.ExportMetricsServiceRequest,
        context: grpc.ServicerContext,
    ) -> metrics_service_pb2.ExportMetricsServiceResponse:
        del context
        self._receiver.take(
            (),
            [
                _point(metric.name, point, _values(block.resource.attributes))
                for block in request.resource_metrics
                for scope in block.scope_metrics
                for metric in scope.metrics
                for point in (*metric.sum.data_points, *metric.histogram.data_points)
            ],
        )
        return metrics_service_pb2.ExportMetricsServiceResponse()


def _received(span: Span, resource: dict[str, Any]) -> ReceivedSpan:
    return ReceivedSpan(
        service=str(resource.get("service.name", "")),
        name=span.name,
        kind=Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_"),
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_span_id=span.parent_span_id.hex(),
        attributes=_values(span.attributes),
        resource=resource,
        links=tuple(link.span_id.hex() for link in span.links),
        events=tuple(event.name for event in span.events),
        of_events=frozenset(one.key for event in span.events for one in event.attributes),
        is_error=span.status.code == Status.StatusCode.STATUS_CODE_ERROR,
        status_message=span.status.message,
        start_nanoseconds=span.start_time_unix_nano,
        end_nanoseconds=span.end_time_unix_nano,
    )


def _point(name: str, point: Any, resource: dict[str, Any]) -> ReceivedMetric:
    count = getattr(point, "count", None)
    value = float(count if count is not None else point.as_int or point.as_double)
    return ReceivedMetric(
        service=str(resource.get("service.name", "")),
        name=name,
        attributes=_values(point.attributes),
        value=value,
    )


def _values(attributes: Sequence[KeyValue]) -> dict[str, Any]:
    return {attribute.key: _value(attribute.value) for attribute in attributes}


def _value(value: AnyValue) -> Any:
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if kind == "array_value":
        return [_value(item) for item in value.array_value.values]
    return getattr(value, kind)
