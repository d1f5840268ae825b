"""`hapju experiment`: what the variants of an experiment have come to, and what would have been right in a flow."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from services.cli import options, output

if TYPE_CHECKING:
    from hapju.flow.v1 import experiment_pb2
    from services.cli.tokens import Identity

app = typer.Typer(name="experiment", help="Compare the variants of an experiment.", no_args_is_help=True)
OPERATOR = "operator"
"""Who looks at every user's flows in dev mode, where the command line signs its own tokens."""
COLUMNS = (
    "variant",
    "flows",
    "answered",
    "p50 ms",
    "p99 ms",
    "model calls",
    "tokens",
    "cost USD",
    "judged",
    "avoided",
    "labelled",
    "right",
    "wrongly used",
    "wrongly searched",
    "calls where use was right",
)
"""The report's headings."""


class Name(StrEnum):
    """The experiments."""

    DATA_REUSE = "data_reuse"
    """How it is judged whether what a conversation has found will do."""


class Label(StrEnum):
    """What may have been right."""

    USE = "use"
    """To take what was held."""
    SEARCH = "search"
    """To look it up."""


Experiment = Annotated[Name, typer.Option("--experiment", help="The experiment.")]


@app.command()
def report(
    *,
    experiment: Experiment = Name.DATA_REUSE,
    user: options.User = "",
    as_json: options.AsJson = False,
) -> None:
    """Show each variant: answers, time, cost, searches avoided, and how often that was right where it is known.

    In dev mode the flows of every user count, unless --user names one; elsewhere those that HAPJU_TOKEN may see.
    """
    from services.cli import calling  # noqa: PLC0415 - help does without gRPC

    response = calling.experiment(_identity(user), experiment.value)
    if as_json:
        output.print_json({"experiment": experiment.value, **output.message_json(response)})
        return
    rows = [_row(one) for one in response.variants]
    output.print_table(COLUMNS, rows, frozenset(COLUMNS[1:]))


@app.command()
def label(
    flow_run_id: Annotated[
        str, typer.Argument(parser=options.utf8, metavar="ID", help="The flow_run_id.", show_default=False)
    ],
    right: Annotated[Label, typer.Argument(help="What would have been right: use or search.", show_default=False)],
    *,
    experiment: Experiment = Name.DATA_REUSE,
    user: options.User = "",
    as_json: options.AsJson = False,
) -> None:
    """Say what would have been right in a flow; the report then counts whether it was done."""
    from services.cli import calling  # noqa: PLC0415 - as above

    response = calling.label(_identity(user), flow_run_id, experiment.value, right.value)
    if as_json:
        output.print_json(output.message_json(response))
    else:
        output.say(f"{flow_run_id}: {right.value} would have been right")


def _identity(user: str) -> "Identity":
    """Return the user that is named, else in dev mode an evaluator, who sees every user's flows."""
    from services.cli.environment import settings_now  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    settings = settings_now()
    if user or settings.auth_mode != "dev" or settings.token.get_secret_value():
        return Identity(user)
    return Identity(OPERATOR, roles=("evaluator",))


def _row(one: "experiment_pb2.VariantReport") -> tuple[str, ...]:
    from services.cli.progress import milliseconds  # noqa: PLC0415 - as above

    usage, share = one.usage, f"{one.answered / one.flows:.0%}" if one.flows else "-"
    right = f"{one.correct_skips + one.correct_searches}/{one.labelled}"
    labelled_use = one.correct_skips + one.incorrect_searches
    calls = f"{one.usage_where_use_was_right.model_calls / labelled_use:.1f}" if labelled_use else "-"
    tokens = usage.input_tokens + usage.output_tokens
    return (
        one.variant,
        str(one.flows),
        share,
        milliseconds(one.latency_p50),
        milliseconds(one.latency_p99),
        str(usage.model_calls),
        f"{tokens:,}",
        f"{usage.cost_micro_usd / 1_000_000:.4f}",
        str(one.judged),
        str(one.searches_avoided),
        str(one.labelled),
        right,
        str(one.incorrect_skips),
        str(one.incorrect_searches),
        calls,
    )
