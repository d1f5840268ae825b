"""`python -m tests.bench`: what things cost, each beside what the bare library takes for the same in the same run.

Every figure is a median over interleaved rounds; ratios matter, because wall time moves by a fifth between runs.
"""

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from services.cli import options, output
from services.cli.app import run
from services.cli.problems import usage

_NAMES: Final = "flow hops overhead store stream tools understanding walk lines"
_MODULES: Final = {**{name: name for name in _NAMES.split()}, "": "quickly"}
"""What measures, by the name of the benchmark: modules of this folder with `measure(rounds, note) -> Report`."""
_KNOWN: Final = ", ".join(filter(None, _MODULES))

app = typer.Typer(name="tests.bench", add_completion=False, pretty_exceptions_enable=False)


def main() -> None:
    """Runs the benchmark that the process was started with, and ends the process."""
    sys.exit(run(sys.argv[1:], app))


@app.command()
def bench(
    name: Annotated[
        str,
        typer.Argument(parser=options.utf8, metavar="[NAME]", help=f"What to measure: {_KNOWN}.", show_default=False),
    ] = "",
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Measure a cold question: time, memory, seeding.")] = False,
    rounds: Annotated[
        int, typer.Option(min=1, max=100, metavar="N", help="Rounds, interleaved; --quick makes 3 at most.")
    ] = 5,
    model_latency_ms: Annotated[
        int | None,
        typer.Option(min=0, max=10_000, metavar="MS", help="For flow: how long a model takes; 200 by default."),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="overhead: folder of a reference of the flow, which is run beside it; none leaves it out.",
            show_default=False,
        ),
    ] = None,
    langgraph: Annotated[
        str,
        typer.Option(
            metavar="PYTHON",
            help="overhead: a Python that has LangGraph; none leaves it out.",
            show_default="an environment in ~/.cache/hapju, made at first use",
        ),
    ] = "",
    as_json: options.AsJson = False,
) -> None:
    """Measure what things cost on this machine.

    flow measures a complex question that a slow model decides on, with every shortcut on and with every one off. hops
    measures a call, a stream's message and the first event of a question, each through the runtime and through bare
    grpc.aio. store measures a checkpoint beside the bare insert of such a row. stream measures a model's tokens on
    their way to the client. tools measures a read through the tool gateway beside the bare driver's, and searches.
    understanding measures router and planner without a model. overhead measures whole flows of 14 and of 5 model calls
    whose model takes no time, beside a reference of such a flow, bare calls and LangGraph. walk counts the files and
    functions that a plain question runs, lines the lines of the product by folder. --quick asks a question in a new
    process. The figures are printed and none is judged.
    """
    if bool(name) == quick:
        raise usage("NAME", f"name one benchmark, or give --quick; known: {_KNOWN}")
    if name not in _MODULES:
        raise usage("NAME", f"{name!r} is no benchmark; known: {_KNOWN}")
    given = _given(name, reference, langgraph, model_latency_ms)
    from tests.bench.report import Report, print_report  # noqa: PLC0415 - help does without gRPC

    report: Report = importlib.import_module(f"tests.bench.{_MODULES[name]}").measure(rounds, output.say, **given)
    if as_json:
        output.print_json(report.as_json())
    else:
        print_report(report)


def _given(name: str, reference: Path | None, langgraph: str, model_latency_ms: int | None) -> dict[str, Any]:
    """Return what one benchmark alone is given; refuse what goes with another."""
    for option, value in (("--reference", reference), ("--langgraph", langgraph)):
        if value and name != "overhead":
            raise usage(option, "goes with overhead alone")
    if model_latency_ms is not None and name != "flow":
        raise usage("--model-latency-ms", "only flow asks a model that takes its time")
    if name == "overhead":
        return {"reference": reference, "langgraph": langgraph}
    return {} if model_latency_ms is None else {"latency_ms": model_latency_ms}
