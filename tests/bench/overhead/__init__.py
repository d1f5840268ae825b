"""What a flow costs beside its model: services, checkpoints and tracing, with a model that takes no time.

    flow14       14 model calls, beside a reference of such a flow and beside as many bare hops as it makes
    flow5        5 model calls, beside LangGraph with its SQLite checkpointer
    nested_hop   one more service on the way
    checkpoint   as `python -m tests.bench store` measures it, one flow alone

A flow is measured apart, each service in a process of its own, and packed, all in one. Both sides have the same kind of
model: a function in the services' processes, and for flow14 once more (http) the vendor's SDK and one endpoint. A round
takes both sides one right after the other, and a ratio is the median of the rounds' own.
"""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.bench import store
from tests.bench.children import cold, serving
from tests.bench.overhead.deployment import Grounds
from tests.bench.overhead.flow5 import flow5
from tests.bench.overhead.flow14 import Setting, flow14
from tests.bench.overhead.nested import nested_hop
from tests.bench.overhead.peer import LangGraph, langgraph_at
from tests.bench.overhead.reference import Reference, reference_at
from tests.bench.overhead.sides import Sizes
from tests.bench.report import Note, Report, Result

CHECKPOINT_LIMIT: Final = 2.0
"""What a checkpoint may take beside the bare insert."""
SIDES: Final = (
    "hapju: two agents, reading, checks and data as in use; SQLite checkpoints and events; spans exported over OTLP",
    "reference: five agents with two calls each, and nothing but the calls; SQLite checkpoints; spans kept in memory",
)
"""What the sides of the large flow do."""
_SPANS: Final = "tests.bench.overhead.spans"


def measure(
    rounds: int,
    note: Note,
    *,
    reference: Path | None = None,
    langgraph: str = "",
    sizes: Sizes = Sizes(),  # noqa: B008 - frozen
    seeded: Path | None = None,
) -> Report:
    """Returns the figures.

    Args:
        rounds: Rounds over every side.
        note: Takes lines of progress.
        reference: The reference's folder; none leaves it out.
        langgraph: An interpreter that has LangGraph, or "none"; by default an environment is made for it.
        sizes: How much one round measures.
        seeded: A data directory that holds the sample data already.

    Raises:
        Problem: Where a side does not start, or a flow does not go as its script says.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="hapju-bench-")))
        note("looking for what to measure beside")
        other = stack.enter_context(reference_at(reference))
        peer = langgraph_at(langgraph)
        collector = f"http://{stack.enter_context(serving(_SPANS))}"
        grounds = Grounds(seeded or _seeded(folder, note), collector)
        setting = Setting(rounds, note, sizes, other if isinstance(other, Reference) else None, grounds, folder)
        large, size = flow14(setting, over_http=False)
        large_http, size_http = flow14(setting, over_http=True)
        results = [
            *large,
            *large_http,
            *flow5(setting, peer if isinstance(peer, LangGraph) else None),
            *nested_hop(rounds, note, sizes, collector, folder / "hops"),
            *_checkpoints(rounds, note),
        ]
    left_out = tuple(why for why in (other, peer) if isinstance(why, str))
    return Report(tuple(results), floor="floor", notes=(*SIDES, size, size_http, *left_out))


def _seeded(folder: Path, note: Note) -> Path:
    note("loading the sample data")
    home = folder / "seeded"
    cold("services.cli", "seed", "--json", HAPJU_DATA_DIR=str(home), HAPJU_SQL_URL="", HAPJU_GRAPH_URL="")
    return home


def _checkpoints(rounds: int, note: Note) -> list[Result]:
    report = store.measure(rounds, note)
    alone = (one for one in report.results if one.name in {"checkpoint_c1_p50", "checkpoint_c1_p99"})
    return [replace(one, beside=report.floor, limit=CHECKPOINT_LIMIT) for one in alone]
