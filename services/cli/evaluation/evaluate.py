"""`hapju eval`: how good policy, router, planner, text layer and whole answers are on questions with what is right."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from services.cli import options, output
from services.cli.problems import ExitCode


class SetKind(StrEnum):
    """What a set scores."""

    ROUTING = "routing"
    """Policy, intent, next action and entities."""
    PLANS = "plans"
    """Steps and strategy."""
    FOLLOWUPS = "followups"
    """Reuse of held data."""
    AMOUNTS = "amounts"
    """Sums, areas and dates."""
    ANSWERS = "answers"
    """Whole answers, by what a person asked for."""
    TEXT = "text"
    """The same as amounts."""


def declare(app: typer.Typer) -> None:
    """Add the command."""
    app.command("eval")(evaluate)


def evaluate(  # noqa: PLR0913 - one argument an option
    kind: Annotated[
        SetKind, typer.Argument(metavar="KIND", help="routing, plans, followups, amounts (also: text) or answers.")
    ],
    file: Annotated[
        str, typer.Argument(parser=options.utf8, metavar="FILE", help="Rows as JSON, one a line.", show_default=False)
    ],
    *,
    only: Annotated[
        list[str],
        typer.Option("--only", parser=options.utf8, metavar="ID", help="Run this row alone; may be repeated."),
    ] = [],  # noqa: B006 - Typer makes a list of its own
    model: Annotated[
        bool, typer.Option("--model", help="Answers: the configured model takes part; without it every rule decides.")
    ] = False,
    least: Annotated[
        float, typer.Option("--min", min=0.0, max=1.0, metavar="SHARE", help="End with 1 where an accuracy is lower.")
    ] = 0.0,
    as_json: options.AsJson = False,
) -> int:
    """Score a set of questions: accuracy by what is scored, by trait and by intent, and every miss.

    The real services run in this process over sockets; a model takes part only where one is configured. Each row's
    clock is the set's own. Whole answers go by this machine's clock, on copies of the data folder that are thrown away.
    The exit code is 0 whatever the accuracy, unless --min is given.
    """
    from services.cli.evaluation.running import evaluated  # noqa: PLC0415 - help does without gRPC
    from services.cli.evaluation.score import print_score  # noqa: PLC0415 - as above

    chosen = SetKind.AMOUNTS if kind is SetKind.TEXT else kind
    score = evaluated(chosen.value, Path(file), only=frozenset(only), model=model)
    if as_json:
        output.print_json(score.as_json(kind.value))
    else:
        print_score(score)
    return ExitCode.FINISHED if score.worst >= least and (not score.hard_fails or not least) else ExitCode.FAILED
