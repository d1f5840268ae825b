"""`hapju answer` and `hapju cancel`: a person's word to a flow that runs."""

from typing import Annotated

import typer

from services.cli import options, output

FlowId = Annotated[str, typer.Argument(parser=options.utf8, metavar="ID", help="The flow_run_id.", show_default=False)]


def declare(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(answer)
    app.command()(cancel)


def answer(  # noqa: PLR0913 - one argument an option
    flow_run_id: FlowId,
    reply: Annotated[
        str, typer.Argument(parser=options.utf8, metavar="[ANSWER]", help="What to answer.", show_default=False)
    ] = "",
    *,
    question: Annotated[
        str,
        typer.Option(parser=options.utf8, metavar="ID", help="The question, where several wait.", show_default=False),
    ] = "",
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Answer what a flow asks; without an answer, show what it waits with.

    An approval is given for exactly what is shown.
    """
    from hapju.gateway.v1 import gateway_service_pb2 as pb  # noqa: PLC0415 - help does without gRPC
    from services.cli import calling  # noqa: PLC0415 - as above
    from services.cli.ask import open_questions  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    identity = Identity(user, user_type or "")
    asked = open_questions.open_in(calling.flow(identity, flow_run_id).record)
    if not reply:
        for one in asked:
            output.print_json(output.message_json(one)) if as_json else open_questions.print_question(one)
        return
    chosen = open_questions.chosen(asked, question)
    request = pb.AnswerQuestionRequest(
        flow_run_id=flow_run_id,
        question_id=chosen.question_id,
        answer=reply,
        action_digest=chosen.action.action_digest,
    )
    response = calling.answered(identity, request)
    if as_json:
        output.print_json(output.message_json(response))
    else:
        output.print_line(open_questions.outcome(response))


def cancel(
    flow_run_id: FlowId,
    *,
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
) -> None:
    """Cancel a flow at every hop, and print where it stands."""
    from services.cli import calling  # noqa: PLC0415 - help does without gRPC
    from services.cli.flows.chain import phase_name  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    response = calling.cancelled(Identity(user, user_type or ""), flow_run_id)
    if as_json:
        output.print_json(output.message_json(response))
    else:
        output.print_line(phase_name(response.phase))
