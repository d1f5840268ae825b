"""`hapju backup`: a copy of the embedded databases as they are now, while their services run."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli import options, output


def declare(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(backup)


def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the copy is written; it must not be there.")],
    *,
    as_json: options.AsJson = False,
) -> None:
    """Copy the databases of HAPJU_DATA_DIR, which services may go on using.

    Flows are copied before the data, which so knows of an act that was done in between: a flow that asks for it again
    is told of it, and nothing is done twice. To restore, stop the services and put the copy in place of HAPJU_DATA_DIR.
    Databases that were given by URL are backed up by their own tools: `pg_dump`, flows and data together.
    """
    from services.cli.deployment.copies import backed_up  # noqa: PLC0415 - help does without settings

    copied = backed_up(folder)
    if as_json:
        output.print_json({"copied": copied})
    else:
        for name, size in copied.items():
            output.print_line(f"{name}: {size:,} bytes")
