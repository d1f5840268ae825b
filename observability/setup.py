"""Sets a service's traces, metrics and logs up; serve() alone calls it."""

from observability.logging import configure_logging
from observability.telemetry import Telemetry, TelemetrySettings, silent

__all__ = ["Telemetry", "TelemetrySettings", "configure"]


def configure(service: str, settings: TelemetrySettings) -> Telemetry:
    """Make the telemetry of one service and set the process's logging up.

    With no endpoint nothing is exported, no thread is started and no exporter is imported; spans then record
    nothing but still have ids, which travel to the peers and stand in the log lines.

    Args:
        service: The service's catalog name, for example ``router`` or ``finance.macro``.
        settings: The same for all services of a process.

    Returns:
        The telemetry, which the caller makes current with ``spans.use`` and shuts down at the end.
    """
    configure_logging(settings)
    if not settings.otlp_endpoint:
        return silent(service, settings)
    # Imported only here: the exporter costs tens of milliseconds and megabytes that a silent service saves.
    from observability.export import exporting  # noqa: PLC0415 - see above

    return exporting(service, settings)
