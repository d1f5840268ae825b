"""What people, models and their endpoints say stands in no log line, whatever level is logged."""

import logging
from pathlib import Path

import pytest
import sqlalchemy as sa

from services.runtime.settings import dev_key
from services.tool_gateway.data.writer import DataWriter
from tests.support.cluster import embedded
from tests.support.model_server import ModelServer, Reply
from tests.support.tokens import token

SAID = "카나리아새 애플 주가 추세 분석해줘"
PERSON = "canary-person-4711"
KEY = "canary-key-not-of-any-known-shape-0815"
ENDPOINT = "canary-of-the-endpoint"
CANARIES = ("카나리아새", KEY, ENDPOINT)


@pytest.mark.asyncio
@pytest.mark.parametrize("level", ["debug", "info", "warning", "error"])
async def test_no_level_tells_what_was_said(
    tmp_path: Path, data: Path, level: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """A refusal that repeats question and key, at every level: the log names the decision and its reason alone."""
    async with ModelServer() as server:
        server.always(Reply(status=400, body=f'{{"error": {{"message": "{ENDPOINT} {KEY} {SAID}"}}}}'))
        base = server.base_url
        async with embedded(tmp_path, data, log_level=level, openai_base_url=base, openai_api_key=KEY) as cluster:
            told = await cluster.ask(SAID, token=token(dev_key(tmp_path), PERSON))
    logged = capfd.readouterr().err
    assert told.terminal == ["finished"]
    assert [canary for canary in CANARIES if canary in logged] == []
    assert "fell back to its rule" in logged or level == "error"


def test_libraries_tell_nothing_below_warning(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A driver that would print each statement's values is heard at no level."""
    from observability.logging import configure_logging  # noqa: PLC0415 - sets the process up
    from observability.telemetry import TelemetrySettings  # noqa: PLC0415

    configure_logging(TelemetrySettings(log_level="debug"))
    logging.getLogger("a.library.nobody.knows").debug("values: %s", SAID)
    writer = DataWriter.open(f"sqlite:///{tmp_path / 'x.db'}")
    (tmp_path / "x.db").touch()
    with writer._engine.begin() as connection:
        connection.execute(sa.text("SELECT :said"), {"said": SAID}).all()
    writer._engine.dispose()
    assert "카나리아새" not in capfd.readouterr().err
