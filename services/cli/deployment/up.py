"""`hapju up`: many services in one process, until it is told to stop."""

from typing import Annotated

import typer

from services.cli import options


def declare(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(up)


def up(
    *,
    only: Annotated[
        list[str],
        typer.Option(
            "--only",
            parser=options.utf8,
            metavar="NAME",
            help="Run this service or agent; repeat it for several. The others are called at HAPJU_<NAME>_ADDR.",
            show_default="all of them",
        ),
    ] = [],  # noqa: B006 - Typer makes a list of its own
) -> None:
    """Run the services in this process, and print where each listens.

    Each listens at HAPJU_<NAME>_ADDR, or at its default port on this machine; the gateway at HAPJU_LISTEN where that is
    set, and over HTTP at HAPJU_HTTP_LISTEN, by default 127.0.0.1:8080 or a free port. SIGTERM and SIGINT let running
    calls end, for as long as HAPJU_DRAIN_SECONDS_MAX, and then stop the services.
    """
    from services.cli.deployment.running import run_services  # noqa: PLC0415 - help does without gRPC

    run_services(options.names(only))
