"""`hapju bench`: what things cost, each beside what bare grpc.aio costs in the same run.

Every figure is a median over interleaved rounds; ratios matter, because wall time moves by a fifth between runs.
"""

from collections.abc import Callable
from typing import Annotated

import typer

from services.cli import options, output
from services.cli.problems import usage

_KNOWN = "hops, stream, understanding"


def declare(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(bench)


def bench(
    name: Annotated[
        str,
        typer.Argument(
            parser=options.utf8,
            metavar="[NAME]",
            help="What to measure: hops, stream or understanding.",
            show_default=False,
        ),
    ] = "",
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Measure a cold question: time, memory, seeding.")] = False,
    rounds: Annotated[
        int, typer.Option(min=1, max=100, metavar="N", help="Rounds, interleaved; --quick makes 3 at most.")
    ] = 5,
    as_json: options.AsJson = False,
) -> None:
    """Measure what things cost on this machine.

    hops measures a call, a stream's message and the first event of a question, each through the runtime and through
    bare grpc.aio. stream measures a model's tokens on their way to the client. understanding measures router and
    planner without a model. --quick asks a question in a new process. The figures are printed and none is judged.
    """
    if bool(name) == quick:
        raise usage("NAME", f"name one benchmark, or give --quick; known: {_KNOWN}")
    from services.cli.bench import hops, quickly, stream, understanding  # noqa: PLC0415 - help does without gRPC
    from services.cli.bench.report import Note, Report, print_report  # noqa: PLC0415 - as above

    measures: dict[str, Callable[[int, Note], Report]] = {
        "hops": hops.measure,
        "stream": stream.measure,
        "understanding": understanding.measure,
        "": quickly.measure,
    }
    if name not in measures:
        raise usage("NAME", f"{name!r} is no benchmark; known: {_KNOWN}")
    report = measures[name](rounds, output.say)
    if as_json:
        output.print_json(report.as_json())
    else:
        print_report(report)
