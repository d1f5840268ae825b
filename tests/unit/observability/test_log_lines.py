"""Log lines: one JSON object each, with the service, the trace and the flow, and no secret in it."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from observability.logging import configure_logging, get_logger
from observability.spans import bind_flow, current_ids, span, use
from observability.telemetry import TelemetrySettings, silent

FLOW = "01931234-5678-7123-8123-0123456789ab"


@pytest.fixture(autouse=True)
def restored_logging() -> Iterator[None]:
    """Puts the process's logging back as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Returns the lines on stderr; stdout belongs to the answer and stays empty."""
    captured = capsys.readouterr()
    assert captured.out == ""
    return [json.loads(line) for line in captured.err.splitlines()]


def test_a_line_bears_service_trace_and_flow(capsys: pytest.CaptureFixture[str]) -> None:
    """Our own loggers and the standard library's write the same fields."""
    configure_logging(TelemetrySettings())
    with use(silent("router", TelemetrySettings())), span("work"), bind_flow(FLOW):
        trace_id, span_id = current_ids()
        get_logger("services.router").info("routed", rows=3, region="강남구")
        logging.getLogger("some.library").warning("slow by %d ms", 30)
    ours, theirs = lines(capsys)
    shared = {"service": "router", "trace_id": trace_id, "span_id": span_id, "flow_run_id": FLOW}
    assert {"event": "routed", "level": "info", "logger": "services.router", "rows": 3, "region": "강남구"}.items() <= (
        ours.items()
    )
    assert {"event": "slow by 30 ms", "level": "warning", "logger": "some.library"}.items() <= theirs.items()
    assert shared.items() <= ours.items()
    assert shared.items() <= theirs.items()
    assert set(ours) - set(theirs) == {"rows", "region"}


def test_secrets_and_content_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    """Secrets are masked in fields, messages and tracebacks; a question is left out."""
    configure_logging(TelemetrySettings())
    log = get_logger("x")
    log.warning("connecting", url="redis://:pw@h", password="pw", question="내 질문")
    logging.getLogger("y").error("no answer from redis://:pw@h")
    log.warning("failed", exc_info=ConnectionError("redis://:pw@h"))
    connecting, _, failed = written = lines(capsys)
    assert all("pw" not in json.dumps(line) for line in [{**line, "password": ""} for line in written])
    assert connecting["password"] == "[masked]"
    assert "question" not in connecting
    assert "ConnectionError: redis://:[masked]@h" in failed["exception"]


def test_the_level_holds_for_all(capsys: pytest.CaptureFixture[str]) -> None:
    """Records below the level are not written, and talkative libraries stay at warnings."""
    configure_logging(TelemetrySettings(log_level="info"))
    get_logger("x").debug("no")
    logging.getLogger("y").debug("no")
    logging.getLogger("httpx").info("no")
    get_logger("x").info("yes")
    assert [line["event"] for line in lines(capsys)] == ["yes"]


def test_setting_up_twice_writes_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Each service of a process sets the logging up; a record is still one line."""
    for _ in range(3):
        configure_logging(TelemetrySettings())
    logging.getLogger("y").warning("once")
    assert [line["event"] for line in lines(capsys)] == ["once"]


def test_a_record_that_cannot_be_formatted_does_not_raise(capsys: pytest.CaptureFixture[str]) -> None:
    """A library's malformed record is reported and the code that logs goes on."""
    configure_logging(TelemetrySettings())
    ours = logging.getLogger().handlers[-1]
    ours.handle(logging.LogRecord("y", logging.WARNING, __file__, 1, "%d", ("no number",), None))
    assert "TypeError" in capsys.readouterr().err


def test_values_that_json_does_not_know_are_written_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    """An object in a field becomes its text."""
    configure_logging(TelemetrySettings())
    get_logger("x").info("values", error=ValueError("broken"), ratio=0.5, none=None)
    (line,) = lines(capsys)
    assert (line["error"], line["ratio"]) == ("broken", 0.5)


def test_the_console_format_is_text(capsys: pytest.CaptureFixture[str]) -> None:
    """For a person a line is text, with the same fields and no colour codes off a terminal."""
    configure_logging(TelemetrySettings(log_format="console"))
    get_logger("x").info("routed", rows=3)
    written = capsys.readouterr().err
    assert "routed" in written
    assert "rows=3" in written
    assert "\x1b" not in written


def test_a_service_loads_nothing_that_draws() -> None:
    """What structlog would draw tracebacks with is not loaded with the services, and is there for who asks for it."""
    asked = "import services, structlog, sys; assert 'rich' not in sys.modules; import rich; print(rich.__name__)"
    told = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True, timeout=60)
    assert told.stdout == "rich\n"
