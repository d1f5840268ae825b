"""`hapju seed`: the sample data set."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from services.cli import options, output

if TYPE_CHECKING:
    from services.tool_gateway.data.seed.messages import SeedReport


def declare(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(seed)


def seed(  # noqa: PLR0913 - each is an option of the command
    *,
    as_of: Annotated[
        datetime | None,
        typer.Option(
            "--as-of",
            formats=["%Y-%m-%d"],
            metavar="DATE",
            help="The day up to which rows run, as YYYY-MM-DD.",
            show_default="today",
        ),
    ] = None,
    url: Annotated[
        str,
        typer.Option(
            "--url",
            parser=options.utf8,
            metavar="URL",
            help="The database, as an SQLAlchemy URL. A password in it is seen by every user of the machine.",
            show_default="HAPJU_SQL_URL, or a file in HAPJU_DATA_DIR",
        ),
    ] = "",
    domain: Annotated[
        str,
        typer.Option("--domain", metavar="NAME", help="Only this domain and what it requires.", show_default="all"),
    ] = "",
    into_sql_url: Annotated[
        bool, typer.Option("--into-sql-url", help="Load into the database that HAPJU_SQL_URL names.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Load anew even if the same is there.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Load the sample data set into a database.

    Data of the same day is left as it is. A load either happens whole or not at all, and replaces the data of another
    day.  Every answer that rests on generated rows says so. A database that HAPJU_SQL_URL names is somebody's: sample
    rows come into it only where --into-sql-url or --url asks for that.
    """
    from services.cli.deployment.sample import load_sample_data, refuse_unasked  # noqa: PLC0415 - help does without SQLAlchemy

    refuse_unasked(url=url, into_sql_url=into_sql_url)
    report = load_sample_data(as_of.replace(tzinfo=UTC) if as_of else None, force=force, url=url, domain=domain)
    if as_json:
        output.print_json(report.model_dump(mode="json"))
    else:
        _print_report(report)


def _print_report(report: "SeedReport") -> None:
    rows = (
        (
            item.dataset_id,
            f"{item.rows:,}",
            f"{item.as_of:%Y-%m-%d}",
            "sample" if item.sample else "published",
            item.source,
        )
        for item in report.datasets
    )
    output.print_table(("data set", "rows", "as of", "kind", "source"), rows, frozenset({"rows"}))
    for sentence in (*report.left_out, *report.notes):
        output.say(sentence)
    did = f"loaded in {report.seconds:.1f} s" if report.loaded else "was there already"
    output.print_line(f"{report.rows:,} rows as of {report.as_of:%Y-%m-%d}: {did}")
