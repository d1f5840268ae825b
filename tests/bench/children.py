"""Child processes that are measured or measured against; none outlives its `with`."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from time import perf_counter
from typing import IO, Final

from services.catalog.topology import topology
from services.cli.problems import Problem
from services.runtime.environment import process_environment
from tests.bench.report import MEGABYTE

_PROJECT: Final = Path(__file__).parents[2]
"""Where a benchmark's own modules are found."""
_STOP_SECONDS_MAX: Final = 30.0
_SAID_CHARACTERS_MAX: Final = 2_000


@dataclass(frozen=True, slots=True)
class Cold:
    """One run of a process from its start to its end."""

    first_line_seconds: float
    """From the start until it printed its first line."""
    all_seconds: float
    """From the start until its end."""
    cpu_seconds: float
    """Processor time of the process; the steadiest of these figures."""
    peak_megabytes: float
    """The most memory that it had resident."""


@dataclass(frozen=True, slots=True)
class Served:
    """A process that serves."""

    address: str
    """What its first line ends with."""
    pid: int
    """Its process id."""


def apart(folder: str) -> dict[str, str]:
    """Returns an environment in which services neither meet others nor leave anything behind."""
    free = {process.address_variable: "127.0.0.1:0" for process in topology().processes.values()}
    return {**free, "HAPJU_LISTEN": "", "HAPJU_DATA_DIR": folder, "HAPJU_SQL_URL": "", "HAPJU_LOG_LEVEL": "warning"}


@dataclass(frozen=True, slots=True)
class Command:
    """What is run: `python -m module arguments`."""

    module: str
    """The module."""
    arguments: tuple[str, ...] = ()
    """Its arguments."""
    environment: dict[str, str] = field(default_factory=dict)
    """What its environment has beside this process's own."""


@contextmanager
def serving(module: str, *arguments: str, **environment: str) -> Iterator[str]:
    """Runs `python -m module` for the body, and yields the address that its first line ends with.

    Raises:
        Problem: Where it ends before it listens; holds what it said.
    """
    with served(module, *arguments, **environment) as running:
        yield running.address


@contextmanager
def served(module: str, *arguments: str, **environment: str) -> Iterator[Served]:
    """Runs `python -m module` as `serving` does, and yields its process id as well.

    Raises:
        Problem: Where it ends before it listens; holds what it said.
    """
    with all_served([Command(module, arguments, environment)]) as (running,):
        yield running


@contextmanager
def all_served(commands: Sequence[Command]) -> Iterator[tuple[Served, ...]]:
    """Runs several processes as `served` does one; they start side by side.

    Raises:
        Problem: Where one ends before it listens; holds what it said.
    """
    with ExitStack() as stack:
        begun = [
            (command.module, stack.enter_context(_running(command.module, *command.arguments, **command.environment)))
            for command in commands
        ]
        try:
            yield tuple(_listening(module, *run) for module, run in begun)
        finally:
            for _, (child, _, _) in begun:
                child.terminate()
            for _, (child, _, _) in begun:
                child.communicate(timeout=_STOP_SECONDS_MAX)


def free_addresses(count: int) -> list[str]:
    """Returns addresses that were free a moment ago; a service that finds its own taken does not start."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]
    finally:
        for one in sockets:
            one.close()


def cpu_seconds(pids: Iterable[int]) -> float:
    """Returns the processor time that processes have taken, with every thread of theirs."""
    nanoseconds = 0
    for pid in pids:
        for task in Path(f"/proc/{pid}/task").iterdir():
            nanoseconds += int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return nanoseconds / 1e9


def cold(module: str, *arguments: str, **environment: str) -> Cold:
    """Runs a process to its end and returns what it took.

    Raises:
        Problem: Where it does not end with 0; holds what it said.
    """
    began = perf_counter()
    with _running(module, *arguments, **environment) as (child, lines, said):
        lines.readline()
        first_line_seconds = perf_counter() - began
        lines.read()
        # wait4 tells what this child alone took; getrusage would tell the sum, and the largest, of all children.
        _, status, spent = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        all_seconds = perf_counter() - began
        if child.returncode:
            raise _failed(module, said)
    peak_megabytes = spent.ru_maxrss * 1_024 / MEGABYTE
    return Cold(first_line_seconds, all_seconds, spent.ru_utime + spent.ru_stime, peak_megabytes)


@contextmanager
def _running(
    module: str, *arguments: str, **environment: str
) -> Iterator[tuple[subprocess.Popen[str], IO[str], IO[str]]]:
    # What a child says goes to a file: a pipe that nobody reads would fill up and stop it.
    with (
        TemporaryFile("w+", encoding="utf-8") as said,
        subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            encoding="utf-8",
            env=process_environment(**environment),
            cwd=_PROJECT,
        ) as child,
    ):
        if child.stdout is None:
            raise RuntimeError("the child has no standard output")
        yield child, child.stdout, said


def _listening(module: str, child: subprocess.Popen[str], lines: IO[str], said: IO[str]) -> Served:
    if not (line := lines.readline()):
        raise _failed(module, said)
    return Served(line.split()[-1], child.pid)


def _failed(module: str, said: IO[str]) -> Problem:
    said.seek(0)
    text = said.read()[-_SAID_CHARACTERS_MAX:].strip()
    return Problem("INTERNAL", "BENCHMARK_RUN_FAILED", f"python -m {module} failed: {text}")
