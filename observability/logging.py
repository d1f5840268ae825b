"""Log lines of all services: JSON objects on stderr that bear the service, the trace and the flow.

structlog's loggers and the standard library's (those of grpc, uvicorn, OpenTelemetry) end in one chain:

    event -> exception as text -> masked -> level, timestamp -> service, trace_id, span_id, flow_run_id -> line
"""

import logging
import sys
from typing import Any, Final, cast

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

from observability.redaction import keep
from observability.spans import current_flow_run_id, current_ids
from observability.telemetry import TelemetrySettings, current

__all__ = ["configure_logging", "get_logger"]

_LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
# Whoever else logs is a library.
_OWN_PACKAGES: Final = ("services", "gateway", "observability", "prompts", "hapju")


def get_logger(name: str) -> FilteringBoundLogger:
    """Return a logger whose lines bear ``logger=name``; events are constants, what varies is a field."""
    return cast("FilteringBoundLogger", structlog.get_logger(name))


_GRPC_SERVER: Final = "grpc._cython.cygrpc"
_HEALTH_WATCH: Final = "[/grpc.health.v1.Health/Watch]"


def configure_logging(settings: TelemetrySettings) -> None:
    """Set the logging of the whole process up; the last call wins.

    Lines are written at once and whole, by the thread that logs: the last line before a crash is then there
    to read.
    """
    level = _LEVELS[settings.log_level]
    chain = _chain(content_captured=settings.content_captured)
    renderer = _renderer(settings)
    structlog.configure(
        processors=[*chain, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=_StderrLogger,
        cache_logger_on_first_use=False,
    )
    handler = _StderrHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *chain, renderer],
        ),
    )
    root = logging.getLogger()
    for former in [former for former in root.handlers if isinstance(former, _StderrHandler)]:
        root.removeHandler(former)
    root.addHandler(handler)
    # Below WARNING libraries tell what passes through them: a driver its statements' values, a client its bodies.
    root.setLevel(max(level, logging.WARNING))
    for own in _OWN_PACKAGES:
        logging.getLogger(own).setLevel(level)
    logging.getLogger(_GRPC_SERVER).addFilter(_is_no_ended_health_watch)


def _is_no_ended_health_watch(record: logging.LogRecord) -> bool:
    """Drop what grpc says when a stop ends the peers' health watches: they live until then by design."""
    return _HEALTH_WATCH not in record.getMessage()


class _StderrLogger:
    """Writes rendered lines to the stderr of the moment: one that is put in its place later is honoured."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        """The name that ``get_logger`` was given."""

    def msg(self, line: str) -> None:
        """Write one line in one call, so that lines of several threads do not mix."""
        sys.stderr.write(line + "\n")
        sys.stderr.flush()

    debug = info = warning = error = critical = exception = fatal = log = msg


class _StderrHandler(logging.Handler):
    """The root handler of the standard library's records."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; a record that cannot be formatted is reported as the standard library does."""
        try:
            _StderrLogger().msg(self.format(record))
        except Exception:  # noqa: BLE001 - logging must never raise into the code that logs
            self.handleError(record)


def _chain(*, content_captured: bool) -> list[Processor]:
    def mask(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        kept = ((name, keep(name, value, content_captured=content_captured)) for name, value in event.items())
        return {name: value for name, value in kept if value is not None}

    return [
        structlog.processors.format_exc_info,
        mask,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_ids,
    ]


def _add_ids(logger: WrappedLogger, _: str, event: EventDict) -> EventDict:
    trace_id, span_id = current_ids()
    if isinstance(logger, _StderrLogger):
        event["logger"] = logger.name
    event["service"] = current().service
    event["trace_id"] = trace_id
    event["span_id"] = span_id
    event["flow_run_id"] = current_flow_run_id()
    return event


def _renderer(settings: TelemetrySettings) -> Processor:
    if settings.log_format == "console":
        return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    return structlog.processors.JSONRenderer(ensure_ascii=False, default=_as_text)


def _as_text(value: Any) -> str:
    return str(value)
