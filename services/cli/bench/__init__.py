"""`hapju bench`: what things cost, each beside what the bare library takes for the same in the same run.

Every figure is a median over interleaved rounds; ratios matter, because wall time moves by a fifth between runs.
"""

import importlib
from typing import Annotated, Final

import typer

from services.cli import options, output
from services.cli.problems import usage

_MODULES: Final = {
    **{name: name for name in ("flow", "hops", "store", "stream", "tools", "understanding")},
    "": "quickly",
}
"""What measures, by the name of the benchmark: modules of this package with `measure(rounds, note) -> Report`."""
_KNOWN: Final = ", ".join(filter(None, _MODULES))


def declare(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(bench)


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
    as_json: options.AsJson = False,
) -> None:
    """Measure what things cost on this machine.

    flow measures a complex question that a slow model decides on, with every shortcut on and with every one off. hops
    measures a call, a stream's message and the first event of a question, each through the runtime and through bare
    grpc.aio. store measures a checkpoint beside the bare insert of such a row. stream measures a model's tokens on
    their way to the client. tools measures a read through the tool gateway beside the bare driver's, and searches.
    understanding measures router and planner without a model. --quick asks a question in a new process. The figures are
    printed and none is judged.
    """
    if bool(name) == quick:
        raise usage("NAME", f"name one benchmark, or give --quick; known: {_KNOWN}")
    if name not in _MODULES:
        raise usage("NAME", f"{name!r} is no benchmark; known: {_KNOWN}")
    if model_latency_ms is not None and name != "flow":
        raise usage("--model-latency-ms", "only flow asks a model that takes its time")
    from services.cli.bench.report import Report, print_report  # noqa: PLC0415 - help does without gRPC

    module = importlib.import_module(f"services.cli.bench.{_MODULES[name]}")
    given = {} if model_latency_ms is None else {"latency_ms": model_latency_ms}
    report: Report = module.measure(rounds, output.say, **given)
    if as_json:
        output.print_json(report.as_json())
    else:
        print_report(report)
