"""What the tests of the benchmarks share: the command, run in this process."""

from collections.abc import Callable

import pytest

from services.cli.app import run
from tests.bench.command import app


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs `python -m tests.bench` in this process and returns its exit code, standard output and standard error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        code = int(run(arguments, app))
        written = capsys.readouterr()
        return code, written.out, written.err

    return call
