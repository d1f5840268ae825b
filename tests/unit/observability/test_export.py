"""Export over OTLP: what arrives, and that a collector which is slow or away harms no service."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from observability import attributes as names
from observability.setup import Telemetry, TelemetrySettings, configure
from observability.spans import bind_flow, extract, span, use
from observability.telemetry import current
from tests.support.otlp_receiver import OtlpReceiver, SpanTree

FLOW = "01931234-5678-7123-8123-0123456789ab"


def settings(endpoint: str, **changed: Any) -> TelemetrySettings:
    """Settings that export soon and give up soon."""
    soon = TelemetrySettings(
        otlp_endpoint=endpoint,
        batch_delay_seconds=0.02,
        export_timeout_seconds=1.0,
        metrics_interval_seconds=60.0,
    )
    return replace(soon, **changed)


@asynccontextmanager
async def configured(service: str, chosen: TelemetrySettings) -> AsyncIterator[Telemetry]:
    """A telemetry that is shut down at the end."""
    telemetry = configure(service, chosen)
    try:
        yield telemetry
    finally:
        await telemetry.shutdown(timeout_seconds=2.0)


@pytest.mark.asyncio
async def test_services_of_one_process_export_one_trace_under_their_own_names() -> None:
    """Spans of two services in one process arrive as one tree, each under its service's resource."""
    with OtlpReceiver() as receiver:
        chosen = settings(receiver.endpoint)
        async with configured("orchestrator", chosen) as orchestrator, configured("router", chosen) as router:
            with use(orchestrator), span(names.SPAN_FLOW), bind_flow(FLOW):
                with use(router), span(names.SPAN_DECIDE):
                    pass
                assert current() is orchestrator
            tree = SpanTree(await asyncio.to_thread(receiver.wait_for, lambda spans: len(spans) == 2))
    assert frozenset({("orchestrator", "router")}) == tree.edges()
    assert tree.orphans == ()
    assert len(tree.trace_ids) == 1
    assert {FLOW} == {one.attributes[names.FLOW_RUN_ID] for one in tree.spans}
    assert {"hapju"} == {one.resource[names.SERVICE_NAMESPACE] for one in tree.spans}


@pytest.mark.parametrize(("flags", "ratio", "kept"), [("00", 1.0, True), ("00", 0.0, False), ("01", 0.0, True)])
@pytest.mark.asyncio
async def test_a_client_asks_for_a_trace_and_forbids_none(flags: str, ratio: float, *, kept: bool) -> None:
    """What a caller does not want kept is kept as the setting says: whoever runs the service decides."""
    parent = extract([("traceparent", f"00-{'a' * 32}-{'b' * 16}-{flags}")])
    with OtlpReceiver() as receiver:
        async with configured("gateway", settings(receiver.endpoint, sampled_ratio=ratio)) as gateway:
            with use(gateway), span(names.SPAN_FLOW, parent=parent) as started:
                assert started.is_recording() is kept


@pytest.mark.asyncio
async def test_shutdown_flushes_spans_and_metrics() -> None:
    """What ended before the shutdown has arrived after it, long before the next regular export."""
    with OtlpReceiver() as receiver:
        telemetry = configure("router", settings(receiver.endpoint, batch_delay_seconds=60.0))
        with use(telemetry), span("last"):
            telemetry.instruments.decision_made("intent", "RULE")
            telemetry.instruments.rpc_served("hapju.router.v1.RouterService/Route", "OK", 0.01)
            telemetry.instruments.rpc_made("hapju.router.v1.RouterService/Route", "OK", 0.01)
            telemetry.instruments.tool_called("macro_series", "ok", 0.1)
            telemetry.instruments.model_called("small", 0.2, error_type="timeout")
            telemetry.instruments.tokens_used("small", input_tokens=10, output_tokens=5)
            telemetry.instruments.flow_ended("finished", 0.1)
        assert await telemetry.shutdown(timeout_seconds=5.0) is True
        assert [one.name for one in receiver.spans] == ["last"]
        arrived = receiver.metrics
    assert all(names.is_registered(name) for metric in arrived for name in (metric.name, *metric.attributes))
    counted = {(metric.service, metric.value) for metric in arrived if metric.name == names.METRIC_DECISIONS}
    assert {("router", 1.0)} == counted
    assert len({metric.name for metric in arrived}) == 10


@pytest.mark.asyncio
async def test_one_service_may_stop_while_another_goes_on() -> None:
    """The shared export lives until its last service stops."""
    with OtlpReceiver() as receiver:
        chosen = settings(receiver.endpoint)
        async with configured("router", chosen) as router:
            async with configured("planner", chosen):
                pass
            with use(router), span("after"):
                pass
            spans = await asyncio.to_thread(receiver.wait_for, lambda spans: len(spans) == 1)
    assert [one.name for one in spans] == ["after"]


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_slow_collector_costs_spans_and_no_time() -> None:
    """With a full queue further spans are dropped at once and counted; the queue stays within its bound."""
    with OtlpReceiver(delay_seconds=60.0) as receiver:
        chosen = settings(receiver.endpoint, queue_spans_max=8, batch_spans_max=4)
        telemetry = configure("router", chosen)
        with use(telemetry):
            begun = time.perf_counter()
            for _ in range(200):
                with span("work"):
                    pass
            took_seconds = time.perf_counter() - begun
        receiver.delay_seconds = 0.0
        await telemetry.shutdown(timeout_seconds=3.0)
        dropped = receiver.wait_for_metric(names.METRIC_SPANS_DROPPED)
    assert took_seconds < 0.5
    assert sum(point.value for point in dropped) >= 200 - 8 - 4


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_collector_that_is_away_does_not_keep_a_service_from_stopping() -> None:
    """Shutdown ends within its bound, the event loop going on meanwhile, and says that not all was flushed."""
    with OtlpReceiver(delay_seconds=60.0) as receiver:
        telemetry = configure("router", settings(receiver.endpoint, export_timeout_seconds=30.0))
        with use(telemetry), span("lost"):
            pass
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        ticking = asyncio.create_task(tick())
        begun = time.perf_counter()
        assert await telemetry.shutdown(timeout_seconds=0.3) is False
        ticking.cancel()
    assert 0.3 <= time.perf_counter() - begun < 1.0
    assert ticks >= 10


@pytest.mark.asyncio
async def test_without_an_endpoint_shutdown_has_nothing_to_do() -> None:
    """A silent telemetry stops at once."""
    assert await configure("router", TelemetrySettings()).shutdown(timeout_seconds=0.001) is True


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"sampled_ratio": 1.5}, "sampled_ratio"),
        ({"batch_spans_max": 0}, "batch_spans_max"),
        ({"queue_spans_max": 10, "batch_spans_max": 11}, "batch_spans_max"),
        ({"export_timeout_seconds": 0.0}, "export_timeout_seconds"),
        ({"otlp_endpoint": "collector:4317"}, "otlp_endpoint"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(changed: dict[str, Any], field: str) -> None:
    """A wrong value is refused where it is set, and the text names the field."""
    with pytest.raises(ValueError, match=field):
        TelemetrySettings(**changed)
