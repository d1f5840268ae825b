"""What the tests of the command line share: a scripted gateway, and a command run in this process."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from hapju.gateway.v1 import gateway_service_pb2_grpc
from services.cli.app import run
from tests.unit.cli.scripted_gateway import ScriptedGateway

Outcome = tuple[int, str, str]


@pytest.fixture
def gateway(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ScriptedGateway]:
    """A scripted gateway that HAPJU_GATEWAY names."""
    scripted = ScriptedGateway()
    server = grpc.server(ThreadPoolExecutor(max_workers=4))
    gateway_service_pb2_grpc.add_GatewayServiceServicer_to_server(scripted, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    monkeypatch.setenv("HAPJU_GATEWAY", f"127.0.0.1:{port}")
    monkeypatch.setenv("HAPJU_DATA_DIR", str(tmp_path))
    yield scripted
    scripted.cancelled.set()
    server.stop(0).wait()


@contextmanager
def _deaf_to_former_loops() -> Iterator[None]:
    """Keeps from standard error what grpc.aio says of loops that have been closed: a process has one poller for all.

    A command has a loop of its own. What was under way when one ended is handed to the next one's loop in a process
    that runs several, as the tests do and the command line does not.
    """
    logger = logging.getLogger("asyncio")

    def passes(record: logging.LogRecord) -> bool:
        return "PollerCompletionQueue._handle_events" not in record.getMessage()

    logger.addFilter(passes)
    try:
        yield
    finally:
        logger.removeFilter(passes)


@pytest.fixture
def hapju(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Runs a command in this process and returns its exit code, standard output and standard error."""

    def call(*arguments: str) -> Outcome:
        with _deaf_to_former_loops():
            code = int(run(arguments))
        written = capsys.readouterr()
        return code, written.out, written.err

    return call
