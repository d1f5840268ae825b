"""A reference implementation of the flow, whose folder the user names: the plumbing of such a flow and nothing else.

It is run as it is, in a copy of its folder, with the interpreter and the libraries of this process. What it has to
bring: `flow_ref.py`, which takes one JSON object of settings and prints one of figures, and `bench.proto`.
"""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import Any, Final

from services.cli.problems import Problem, usage
from services.runtime.environment import process_environment
from tests.bench.overhead.timing import SIDE_BY_SIDE, Spread, Taken

_DRIVER: Final = "flow_ref.py"
_PROTO: Final = "bench.proto"
_SECONDS_MAX: Final = 120.0
_STOP_SECONDS_MAX: Final = 10.0
_LAYOUTS: Final = {"apart": "multi", "packed": "one"}
_FLOW: Final = {"agents": 5, "agent_calls": 2, "critic": 1}
"""Router, planner, five agents with two calls each, critic and synthesizer: 14 model calls."""
_FEATURES: Final = {"tcp": 1, "ckpt": "normal", "trace": "light", "conc": SIDE_BY_SIDE}
"""Over TCP as ours, with checkpoints and light tracing."""
_MICRO: Final = 1_000.0


class Reference:
    """A copy of a reference's folder, ready to run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def timed(self, layout: str, flows: int, seconds: float, endpoint: str = "") -> Taken:
        """Times the reference's flows: one after the other, and many at once for so long.

        Raises:
            Problem: It does not end well; holds what it said.
        """
        model = {"llm": "openai", "llm_base": endpoint} if endpoint else {"llm": "func"}
        asked = {**_FLOW, **_FEATURES, **model, "layout": _LAYOUTS[layout], "n": flows, "secs": seconds}
        return _taken(_run(self._folder, json.dumps(asked)))


@contextmanager
def reference_at(named: Path | None) -> Iterator[Reference | str]:
    """Yields the reference of a folder, or why there is none.

    Raises:
        Problem: A folder that the user has named holds no reference.
    """
    if named is None:
        yield "no reference; name one with --reference"
        return
    if not (named / _DRIVER).is_file():
        raise usage("--reference", f"{named} holds no {_DRIVER}")
    if importlib.util.find_spec("grpc_tools") is None:
        yield "the reference needs grpcio-tools, which is not installed here"
        return
    with TemporaryDirectory(prefix="hapju-bench-") as home:
        # It writes into its folder and beside it.
        copy = Path(home) / "reference"
        copytree(named, copy, ignore=ignore_patterns("*_pb2*.py", "__pycache__"))
        (Path(home) / "logs").mkdir()
        _compile(copy)
        yield Reference(copy)


def _compile(folder: Path) -> None:
    """Makes its messages anew, for the libraries that are installed here."""
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I.", "--python_out=.", "--grpc_python_out=.", _PROTO]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", f"the reference's {_PROTO}: {done.stderr[-500:].strip()}")


def _run(folder: Path, asked: str) -> dict[str, Any]:
    environment = process_environment(BENCH_PY=sys.executable, PYTHONPATH=str(folder))
    with subprocess.Popen(
        [sys.executable, _DRIVER, asked],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            said, complaint = child.communicate(timeout=_SECONDS_MAX)
        finally:
            # It ends its own children when it is asked to end, not when it is killed.
            child.terminate()
            child.wait(_STOP_SECONDS_MAX)
    if child.returncode:
        raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", f"the reference failed: {complaint[-500:].strip()}")
    figures: dict[str, Any] = json.loads(said.strip().splitlines()[-1])
    return figures


def _taken(figures: dict[str, Any]) -> Taken:
    return Taken(
        flow=_spread(figures["flow"]),
        first_event=_spread(figures["first_event"]),
        per_core=float(figures["c16"]["flows_per_core_s"]),
    )


def _spread(figures: dict[str, float]) -> Spread:
    return Spread(figures["p50"] / _MICRO, figures["p99"] / _MICRO)
