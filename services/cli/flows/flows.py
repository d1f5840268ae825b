"""`hapju flows`: what flows did, link by link."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli import options, output

app = typer.Typer(name="flows", help="Show flows and the chain of calls in each.", no_args_is_help=True)
FlowId = Annotated[str, typer.Argument(parser=options.utf8, metavar="ID", help="The flow_run_id.", show_default=False)]


@app.command(name="list")
def list_flows(  # noqa: PLR0913 - one argument an option
    *,
    session: Annotated[
        str, typer.Option(parser=options.utf8, metavar="ID", help="Only this conversation.", show_default=False)
    ] = "",
    limit: options.Limit = 20,
    page: options.Page = "",
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
) -> None:
    """List the caller's flows, the newest first."""
    from hapju.gateway.v1 import gateway_service_pb2 as pb  # noqa: PLC0415 - help does without gRPC
    from services.cli import calling  # noqa: PLC0415 - as above
    from services.cli.flows import chain  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    request = pb.ListFlowsRequest(page_size=limit, page_token=page, session_id=session)
    response = calling.flows(Identity(user, user_type or ""), request)
    if as_json:
        output.print_json(output.message_json(response))
        return
    chain.print_flows(response.flows)
    if response.next_page_token:
        output.say(f"more: hapju flows list --page {response.next_page_token}")


@app.command()
def watch(  # noqa: PLR0913 - one argument an option
    flow_run_id: FlowId,
    *,
    after: Annotated[int, typer.Option(min=0, metavar="N", help="Only what came after this sequence.")] = 0,
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
    events: options.Events = False,
) -> None:
    """Watch a flow to its end, as `hapju ask` tells its own; leaving it changes nothing."""
    from services.cli import calling  # noqa: PLC0415 - help does without gRPC
    from services.cli.ask.following import Followed, OutputForm, follow_flow  # noqa: PLC0415 - as above
    from services.cli.ask.person import can_answer  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above
    from services.text.language import language_of  # noqa: PLC0415 - as above

    identity = Identity(user, user_type or "")
    language = language_of(calling.flow(identity, flow_run_id).record.summary.question)
    interactive = not (events or as_json) and can_answer()
    watched = Followed(identity, language, interactive, lambda gateway: gateway.watch(flow_run_id, after), flow_run_id)
    raise typer.Exit(
        follow_flow(watched, OutputForm.EVENTS if events else OutputForm.JSON if as_json else OutputForm.TEXT)
    )


@app.command()
def show(
    flow_run_id: FlowId,
    *,
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Show one flow: its call chain in order, and the same as a tree of services."""
    from services.cli import calling  # noqa: PLC0415 - as above
    from services.cli.flows import chain  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    record = calling.flow(Identity(user, user_type or ""), flow_run_id).record
    if as_json:
        output.print_json(output.message_json(record))
    else:
        chain.print_record(record)


@app.command()
def document(
    flow_run_id: FlowId,
    *,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file; by default the document's title.", show_default=False)
    ] = None,
    user: options.User = "",
    user_type: options.UserTypeOption = None,
) -> None:
    """Keep the document that a flow's answer made final as a Word file."""
    from services.cli import calling  # noqa: PLC0415 - as above
    from services.cli.problems import Problem  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    identity = Identity(user, user_type or "")
    events = calling.flow(identity, flow_run_id).record.events
    held = [one for event in events for one in event.finished.answer.documents]
    if not held:
        raise Problem("NOT_FOUND", "UNKNOWN_DOCUMENT", f"the answer of flow {flow_run_id} holds no document")
    made = calling.document(identity, flow_run_id, held[0].document_id)
    place = out or Path(made.file_name)
    place.write_bytes(made.content)
    output.say(str(place))
