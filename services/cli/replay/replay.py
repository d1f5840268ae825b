"""`hapju replay`: a recorded flow taken along its path again by this code, and what comes out otherwise."""

from typing import Annotated

import typer

from services.cli import options, output
from services.cli.problems import ExitCode


def declare(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(replay)


def replay(
    flow: Annotated[
        str,
        typer.Argument(
            parser=options.utf8,
            metavar="FLOW",
            help="A flow_run_id, or a file that --record has written.",
            show_default=False,
        ),
    ],
    *,
    record: Annotated[
        str,
        typer.Option(
            parser=options.utf8,
            metavar="FILE",
            help="Write the flow's recording to this file too: a fixture that can be replayed anywhere.",
            show_default=False,
        ),
    ] = "",
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
) -> int:
    """Replay a recorded flow with its recorded model and tool outputs, and report what differs.

    The services of this code run in this process; no model and no tool is called and nothing is done. Decisions are
    compared by place, service, kind, source, output and order, and so are calls of tools, questions, actions, the end
    and the answer. The exit code is 0 where nothing differs and 1 otherwise.
    """
    from services.cli.replay.running import print_played, replayed_flow  # noqa: PLC0415 - help does without gRPC
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    played = replayed_flow(flow, Identity(user, user_type or ""), record)
    if as_json:
        output.print_json(
            {
                "flow_run_id": played.recording.flow_run_id,
                "same": not played.differences,
                "decisions": len(played.replay.decisions),
                "recorded_decisions": len(played.recording.decisions),
                "tool_calls": len(played.recording.tool_exchanges),
                "recorded_by": played.recording.hapju_version,
                "differences": [one.as_json() for one in played.differences],
            }
        )
    else:
        print_played(played)
    return ExitCode.FAILED if played.differences else ExitCode.FINISHED
