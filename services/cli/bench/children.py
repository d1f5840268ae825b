"""Child processes that are measured or measured against; none outlives its `with`."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import IO, Final

from services.cli.bench.report import MEGABYTE
from services.cli.problems import Problem
from services.runtime.settings import process_environment

_STOP_SECONDS_MAX: Final = 10.0


@dataclass(frozen=True, slots=True)
class Cold:
    """One run of a process from its start to its end."""

    first_line_seconds: float
    """From the start until it printed its first line."""
    all_seconds: float
    """From the start until its end."""
    peak_megabytes: float
    """The most memory that it had resident."""


@contextmanager
def serving(module: str, *arguments: str, **environment: str) -> Iterator[IO[str]]:
    """Runs `python -m module` for the body, and yields what it prints; at the end its input ends and it is awaited."""
    child = _started(module, *arguments, **environment)
    try:
        if child.stdout is None:
            raise RuntimeError("the child has no standard output")
        yield child.stdout
    finally:
        child.terminate()
        child.communicate(timeout=_STOP_SECONDS_MAX)


def address_from(lines: IO[str]) -> str:
    """Returns the address that a server prints first.

    Raises:
        Problem: Where it ended instead.
    """
    if not (line := lines.readline()):
        raise Problem("UNAVAILABLE", "BENCHMARK_PEER_FAILED", "a process that is measured against did not start")
    return line.split()[-1]


def cold(module: str, *arguments: str, **environment: str) -> Cold:
    """Runs a process to its end and returns what it took.

    Raises:
        Problem: Where it does not end with 0.
    """
    began = perf_counter()
    child = _started(module, *arguments, **environment)
    if child.stdout is None:
        raise RuntimeError("the child has no standard output")
    child.stdout.readline()
    first_line_seconds = perf_counter() - began
    child.stdout.read()
    # wait4 tells the memory of this child alone; getrusage would tell that of the largest child so far.
    _, status, spent = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            stream.close()
    if child.returncode:
        raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", f"python -m {module} ended with {child.returncode}")
    return Cold(first_line_seconds, perf_counter() - began, spent.ru_maxrss * 1_024 / MEGABYTE)


def _started(module: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own interpreter and modules
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=process_environment(**environment),
    )
