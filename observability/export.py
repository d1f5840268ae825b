"""Exports spans over OTLP/gRPC: one bounded queue for all services of a process and one endpoint.

    Telemetry of router --+
    Telemetry of planner -+--> SpanExport (bounded, counted) --> BatchSpanProcessor --> OTLP exporter
    ...                 --+

The first service opens it and the last one flushes and closes it. A collector that is slow or away costs a
span a comparison and nothing else: what does not fit is dropped at once and counted, never waited for.
"""

import collections
import threading
import uuid
from collections.abc import Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Counter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ParentBased, Sampler, TraceIdRatioBased

from observability import attributes as names
from observability.metrics import Instruments
from observability.telemetry import SCOPE, Telemetry, TelemetrySettings


def exporting(service: str, settings: TelemetrySettings) -> Telemetry:
    """Make the telemetry of a service that exports to ``settings.otlp_endpoint``."""
    resource = _resource(service)
    meters = _meter_provider(resource, settings)
    instruments = Instruments.create(meters.get_meter(SCOPE))
    tracers = TracerProvider(
        resource=resource,
        sampler=_sampler(settings.sampled_ratio),
        shutdown_on_exit=False,
    )
    tracers.add_span_processor(ServiceSpans(service, open_export(settings), instruments.spans_dropped))
    return Telemetry(
        service=service,
        settings=settings,
        tracer=tracers.get_tracer(SCOPE),
        instruments=instruments,
        closers=(
            partial(release_export, settings.otlp_endpoint),
            lambda timeout_seconds: meters.shutdown(timeout_millis=timeout_seconds * 1000),
        ),
    )


def _sampler(ratio: float) -> Sampler:
    """Return what decides on traces: by their ids, which all services decide alike, and for what a caller wants kept.

    That a caller wants nothing kept counts for nothing: a client would blind those who run the service.
    """
    by_id = TraceIdRatioBased(ratio)
    return ParentBased(by_id, remote_parent_not_sampled=by_id)


class SpanExport:
    """The shared queue to one endpoint; ``open_export`` hands it out."""

    def __init__(self, settings: TelemetrySettings) -> None:
        self._waiting_max = settings.queue_spans_max
        self._waiting = 0
        self._dropped: dict[str, Counter] = {}
        self._lock = threading.Lock()
        self._exporter = OTLPSpanExporter(
            endpoint=settings.otlp_endpoint,
            timeout=settings.export_timeout_seconds,
        )
        self._batches = BatchSpanProcessor(
            _Counted(self._exporter, self),
            max_queue_size=settings.queue_spans_max,
            schedule_delay_millis=settings.batch_delay_seconds * 1000,
            max_export_batch_size=settings.batch_spans_max,
        )
        self.users = 0
        """Services that have it open."""

    def offer(self, span: ReadableSpan) -> bool:
        """Queue an ended span; False says that the queue was full and the span is dropped."""
        with self._lock:
            if self._waiting >= self._waiting_max:
                return False
            self._waiting += 1
        self._batches.on_end(span)
        return True

    def counting(self, service: str, dropped: Counter) -> None:
        """Have the lost spans of a service counted there, from nothing on: what is first told as lost is a change."""
        self._dropped[service] = dropped
        dropped.add(0)

    def lost(self, spans: Sequence[ReadableSpan]) -> None:
        """Count spans that no collector took, each for its service."""
        services = collections.Counter(str(span.resource.attributes.get(names.SERVICE_NAME)) for span in spans)
        for service, count in services.items():
            if service in self._dropped:
                self._dropped[service].add(count)

    def taken(self, spans: int) -> None:
        """Note that ``spans`` left the queue."""
        with self._lock:
            self._waiting -= spans

    def close(self, timeout_seconds: float) -> None:
        """Flush and close; after ``timeout_seconds`` an export that still retries is cut short. Blocks."""
        cut = threading.Timer(timeout_seconds, self._exporter.shutdown)
        cut.daemon = True
        cut.start()
        try:
            self._batches.shutdown()  # type: ignore[no-untyped-call]
        finally:
            cut.cancel()


class ServiceSpans(SpanProcessor):
    """Hands the spans of one service to the shared export and counts those that were dropped."""

    def __init__(self, service: str, export: SpanExport, dropped: Counter) -> None:
        self._export = export
        self._dropped = dropped
        export.counting(service, dropped)

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Do nothing; a span is exported when it ends."""

    def on_end(self, span: ReadableSpan) -> None:
        """Queue the span or count it as dropped."""
        if span.context is not None and span.context.trace_flags.sampled and not self._export.offer(span):
            self._dropped.add(1)

    def shutdown(self) -> None:
        """Do nothing; ``release_export`` closes what is shared."""

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Say True; the shared export flushes by itself within its delay."""
        del timeout_millis
        return True


class _Counted(SpanExporter):
    """Tells the shared queue how many spans were taken out of it, and which of them nobody took."""

    def __init__(self, exporter: SpanExporter, export: SpanExport) -> None:
        self._exporter = exporter
        self._export = export

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = SpanExportResult.FAILURE
        try:
            result = self._exporter.export(spans)
        finally:
            self._export.taken(len(spans))
            if result is not SpanExportResult.SUCCESS:
                self._export.lost(spans)
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()


_open: Final[dict[str, SpanExport]] = {}
_open_lock = threading.Lock()


def open_export(settings: TelemetrySettings) -> SpanExport:
    """Return the process's export to ``settings.otlp_endpoint``, opened by the first who asks.

    The queue's limits are those of the first; the services of one process share one set of settings.
    """
    with _open_lock:
        export = _open.get(settings.otlp_endpoint)
        if export is None:
            export = _open[settings.otlp_endpoint] = SpanExport(settings)
        export.users += 1
        return export


def release_export(endpoint: str, timeout_seconds: float) -> None:
    """Give the export back; the last user flushes and close it, which blocks up to the timeout."""
    with _open_lock:
        export = _open[endpoint]
        export.users -= 1
        last = export.users == 0
        if last:
            del _open[endpoint]
    if last:
        export.close(timeout_seconds)


def _resource(service: str) -> Resource:
    try:
        release = version("hapju")
    except PackageNotFoundError:
        release = "unknown"
    return Resource.create(
        {
            names.SERVICE_NAME: service,
            names.SERVICE_NAMESPACE: "hapju",
            names.SERVICE_VERSION: release,
            names.SERVICE_INSTANCE_ID: str(uuid.uuid4()),
        },
    )


def _meter_provider(resource: Resource, settings: TelemetrySettings) -> MeterProvider:
    reader = PeriodicExportingMetricReader(
        OTLPMetricExporter(endpoint=settings.otlp_endpoint, timeout=settings.export_timeout_seconds),
        export_interval_millis=settings.metrics_interval_seconds * 1000,
        export_timeout_millis=settings.export_timeout_seconds * 1000,
    )
    return MeterProvider(metric_readers=[reader], resource=resource, shutdown_on_exit=False)
