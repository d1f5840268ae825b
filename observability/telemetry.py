"""The telemetry of one service, and which service's telemetry the running code belongs to.

Several services may run in one process, so nothing here is global to it: each service has its own tracer and
meter, whose resource carries its name, and a context variable says which of them the current task works for.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal

from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from opentelemetry.trace import Tracer

from observability.metrics import Instruments

SCOPE: Final = "hapju"
"""Name of the instrumentation scope of every tracer and meter."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetrySettings:
    """How a process exports what it observes; the runtime's settings fill it in."""

    otlp_endpoint: str = ""
    """OTLP/gRPC address with its scheme, http:// for plain text or https://; empty exports nothing."""
    log_format: Literal["json", "console"] = "json"
    """One JSON object a line, or text for a person."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Records below this level are not written."""
    content_captured: bool = False
    """Whether questions, prompts and answers may stand in spans and log lines (see ``redaction``)."""
    sampled_ratio: float = 1.0
    """Share of the traces that are exported, 0 to 1, the same in each process; a caller may want one more kept."""
    queue_spans_max: int = 4_096
    """Spans of the process that may wait for export; further ones are dropped and counted."""
    batch_spans_max: int = 512
    """Spans that leave in one export, at most ``queue_spans_max``."""
    batch_delay_seconds: float = 0.5
    """How long a span waits for others before it is exported."""
    export_timeout_seconds: float = 5.0
    """How long one export may take, retries included."""
    metrics_interval_seconds: float = 15.0
    """How often the metrics are exported."""

    def __post_init__(self) -> None:
        """Refuse values out of range.

        Raises:
            ValueError: A value is out of its range; the text names the field.
        """
        if not 0.0 <= self.sampled_ratio <= 1.0:
            raise ValueError(f"sampled_ratio must be between 0 and 1, not {self.sampled_ratio}")
        if not 1 <= self.batch_spans_max <= self.queue_spans_max:
            raise ValueError(
                f"batch_spans_max must be between 1 and queue_spans_max={self.queue_spans_max}, "
                f"not {self.batch_spans_max}",
            )
        for name in ("batch_delay_seconds", "export_timeout_seconds", "metrics_interval_seconds"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)}")
        if self.otlp_endpoint and not self.otlp_endpoint.startswith(("http://", "https://")):
            raise ValueError(f"otlp_endpoint must begin with http:// or https://, not {self.otlp_endpoint!r}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Telemetry:
    """What one service observes with; ``observability.setup.configure`` makes it."""

    service: str
    """The service's catalog name; it stands in the resource and in each log line."""
    settings: TelemetrySettings
    """The settings that it was made from."""
    tracer: Tracer
    """Starts the service's spans; use ``observability.spans`` instead of calling it."""
    instruments: Instruments
    """The service's metrics."""
    closers: tuple[Callable[[float], None], ...] = field(default=())
    """Blocking functions that flush and close what exports, each given the seconds that it may take."""

    async def shutdown(self, timeout_seconds: float) -> bool:
        """Flush and close the exporters in a thread of their own; the event loop goes on.

        Returns:
            True when all was flushed in time; on False the rest is lost and the daemon thread is left behind,
            since a collector that hangs must not keep a service from stopping.
        """
        if not self.closers:
            return True
        loop = asyncio.get_running_loop()
        closed = asyncio.Event()

        def close_all() -> None:
            for close in self.closers:
                try:
                    close(timeout_seconds)
                except Exception:  # noqa: BLE001 - one exporter's failure must not keep the others open
                    _log.warning("an exporter failed to close", exc_info=True)
            if not loop.is_closed():
                loop.call_soon_threadsafe(closed.set)

        threading.Thread(target=close_all, name=f"telemetry-shutdown-{self.service}", daemon=True).start()
        try:
            async with asyncio.timeout(timeout_seconds):
                await closed.wait()
        except TimeoutError:
            return False
        return True


_current: ContextVar[Telemetry | None] = ContextVar("hapju_telemetry", default=None)


def current() -> Telemetry:
    """Return the telemetry of the service that the task works for; outside any, one that is silent."""
    return _current.get() or _silent()


@contextmanager
def use(telemetry: Telemetry) -> Iterator[Telemetry]:
    """Make ``telemetry`` the current one in this task and in those that inherit its context."""
    token = _current.set(telemetry)
    try:
        yield telemetry
    finally:
        _current.reset(token)


def silent(service: str, settings: TelemetrySettings) -> Telemetry:
    """Make a telemetry that exports nothing; its spans record nothing but have ids for the log lines."""
    provider = TracerProvider(sampler=ALWAYS_OFF, resource=Resource.get_empty(), shutdown_on_exit=False)
    return Telemetry(
        service=service,
        settings=settings,
        tracer=provider.get_tracer(SCOPE),
        instruments=Instruments.create(NoOpMeterProvider().get_meter(SCOPE)),
    )


@cache
def _silent() -> Telemetry:
    return silent("", TelemetrySettings())
