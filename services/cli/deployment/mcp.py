"""`hapju mcp`: hapju as a server of the Model Context Protocol on standard input and output."""

from typing import Annotated

import typer

from services.cli import options


def declare(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(mcp)


def mcp(
    *,
    pins: Annotated[
        bool,
        typer.Option(
            "--pins",
            help="Print instead the digests of tools and agent cards that HAPJU_MCP_SERVERS and HAPJU_A2A_AGENTS name.",
        ),
    ] = False,
    user: options.User = "",
    user_type: options.UserTypeOption = None,
) -> None:
    """Serve MCP on standard input and output, for an agent that starts this command.

    Its tools ask, plan and look at flows, for the user that is named or that HAPJU_TOKEN says, at HAPJU_GATEWAY or with
    every service in this process. A gateway that serves HTTP has the same server at /mcp.
    """
    from services.cli.deployment.stdio import print_pins, serve  # noqa: PLC0415 - help does without gRPC and the SDK
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    if pins:
        print_pins()
        return
    serve(Identity(user, user_type or ""))
