"""`hapju sessions`: the caller's conversations, what was said in one, and their deletion."""

from typing import Annotated

import typer

from services.cli import options, output

app = typer.Typer(name="sessions", help="List, show and delete your conversations.", no_args_is_help=True)
SessionId = Annotated[
    str, typer.Argument(parser=options.utf8, metavar="ID", help="The session_id.", show_default=False)
]


@app.command(name="list")
def list_sessions(
    *,
    limit: options.Limit = 20,
    page: options.Page = "",
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
) -> None:
    """List the caller's conversations that have an answer, the latest first."""
    from hapju.gateway.v1 import gateway_service_pb2 as pb  # noqa: PLC0415 - help does without gRPC
    from services.cli import calling  # noqa: PLC0415 - as above
    from services.cli.flows import chain  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    request = pb.ListSessionsRequest(page_size=limit, page_token=page)
    response = calling.sessions(Identity(user, user_type or ""), request)
    if as_json:
        output.print_json(output.message_json(response))
        return
    chain.print_sessions(response.sessions)
    if response.next_page_token:
        output.say(f"more: hapju sessions list --page {response.next_page_token}")


@app.command()
def show(  # noqa: PLR0913 - one argument an option
    session_id: SessionId,
    *,
    limit: options.Limit = 20,
    page: options.Page = "",
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what was said in a conversation, the oldest first."""
    from hapju.gateway.v1 import gateway_service_pb2 as pb  # noqa: PLC0415 - as above
    from services.cli import calling  # noqa: PLC0415 - as above
    from services.cli.flows import chain  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    request = pb.GetSessionRequest(session_id=session_id, page_size=limit, page_token=page)
    response = calling.session(Identity(user, user_type or ""), request)
    if as_json:
        output.print_json(output.message_json(response))
        return
    chain.print_turns(response.turns)
    if response.next_page_token:
        output.say(f"before that: hapju sessions show {session_id} --page {response.next_page_token}")


@app.command()
def delete(
    session_id: SessionId,
    *,
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Delete a conversation with all its flows; nothing of it is kept."""
    from services.cli import calling  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    response = calling.delete_session(Identity(user, user_type or ""), session_id)
    if as_json:
        output.print_json(output.message_json(response))
    else:
        output.say(f"deleted with {response.flows_deleted} flows")
