"""LangGraph with its SQLite checkpointer, in an environment of its own: a peer for the small flow.

The environment is the user's (`--langgraph PYTHON`), or is made once in the user's cache directory.
"""

import json
import subprocess
import venv
from pathlib import Path
from typing import Final

from services.cli.problems import Problem, usage
from services.runtime.environment import process_environment
from tests.bench.overhead.timing import Spread

NONE: Final = "none"
"""What leaves the peer out."""
PACKAGES: Final = ("langgraph>=1.2,<2", "langgraph-checkpoint-sqlite>=3.1,<4")
"""What the environment holds."""
_HOME: Final = Path(".cache") / "hapju" / "langgraph"
_SCRIPT: Final = Path(__file__).parent / "peer_flow.py"
_INSTALL_SECONDS_MAX: Final = 300.0
_RUN_SECONDS_MAX: Final = 60.0
_CHECK: Final = "import langgraph.graph, langgraph.checkpoint.sqlite.aio"


class LangGraph:
    """The peer, by the interpreter that has it."""

    def __init__(self, python: Path) -> None:
        self._python = python

    def timed(self, flows: int) -> Spread:
        """Times so many of its flows.

        Raises:
            Problem: It does not end well; holds what it said.
        """
        done = _run([str(self._python), "-P", str(_SCRIPT), str(flows)], _RUN_SECONDS_MAX)
        if done.returncode:
            raise Problem("INTERNAL", "BENCHMARK_RUN_FAILED", f"LangGraph's flow failed: {done.stderr[-500:].strip()}")
        return Spread.of(json.loads(done.stdout))


def langgraph_at(named: str) -> LangGraph | str:
    """Returns the peer, or why there is none.

    Args:
        named: An interpreter, or NONE; empty makes an environment where there is none yet.

    Raises:
        Problem: An interpreter that the user has named does not have it.
    """
    if named == NONE:
        return "LangGraph was left out, as asked"
    if named:
        if not _has_it(Path(named)):
            raise usage("--langgraph", f"{named} is no Python with {' and '.join(PACKAGES)}")
        return LangGraph(Path(named))
    home = Path.home() / _HOME
    python = home / "bin" / "python"
    if python.exists() and _has_it(python):
        return LangGraph(python)
    try:
        venv.create(home, with_pip=True, clear=True)
        installed = _run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], _INSTALL_SECONDS_MAX)
    except (OSError, subprocess.SubprocessError) as error:
        return f"LangGraph could not be had: {error}"
    if installed.returncode or not _has_it(python):
        return f"LangGraph could not be had: {(installed.stderr.strip().splitlines() or ['pip failed'])[-1]}"
    return LangGraph(python)


def _has_it(python: Path) -> bool:
    try:
        return _run([str(python), "-c", _CHECK], _RUN_SECONDS_MAX).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def _run(command: list[str], seconds_max: float) -> subprocess.CompletedProcess[str]:
    # Its own environment: this process's packages are none of its business.
    environment = {name: value for name, value in process_environment().items() if not name.startswith("PYTHON")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=seconds_max, check=False)
