"""`hapju migrate`: the databases of a deployment, brought to this version's schema before its services start."""

from typing import Annotated

import typer

from services.cli import options, output
from services.cli.options import Sample


def declare(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(migrate)


def migrate(
    *,
    sample: Annotated[
        Sample,
        typer.Option("--sample", help="Load the sample data too: only into an embedded database, or into any."),
    ] = Sample.NEVER,
    wait_seconds: Annotated[
        int,
        typer.Option("--wait", metavar="SECONDS", min=0, max=3_600, help="How long to wait for a database."),
    ] = 60,
    as_json: options.AsJson = False,
) -> None:
    """Bring the data database and a flow store that is given by URL to the newest schema.

    One writer at a time: whoever comes second waits, and finds the work done. Both stores may live in one database, and
    it does not matter which was there first. An embedded flow store is brought up by the orchestrator that owns it.
    """
    from services.cli.deployment.databases import migrated  # noqa: PLC0415 - help does without SQLAlchemy

    done = migrated(sample, wait_seconds=wait_seconds)
    if as_json:
        output.print_json({"migrated": done})
    else:
        for store, said in done.items():
            output.print_line(f"{store}: {said}")
