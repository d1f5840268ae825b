"""`hapju ask`: one question, its progress, its answer and its sources."""

import typer

from services.cli import options
from services.cli.problems import usage


def declare(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(ask)


def ask(  # noqa: PLR0913 - one argument an option
    question: options.Question = "",
    *,
    attach: options.Attached = [],  # noqa: B006 - Typer makes a list of its own
    domain: options.Domains = [],  # noqa: B006 - Typer makes a list of its own
    locale: options.Locale = None,
    session: options.Session = "",
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    request_id: options.RequestId = "",
    timeout: options.TimeoutSeconds = None,
    as_json: options.AsJson = False,
    events: options.Events = False,
    no_chart: options.NoChart = False,
) -> None:
    """Ask a question and print the answer as it is written; with a file, the words may be left out.

    Where something is missing, a person at a terminal is asked for it; otherwise the question is the answer.
    Progress goes to standard error; the answer and its sources go to standard output. Where a service begins the
    answer anew, a line says that the text above it is void; through a pipe the new text then comes whole, at the end.
    Scripts that need nothing but the valid text use --json or --events.
    """
    from hapju.client.files import attachment  # noqa: PLC0415 - help does without gRPC
    from services.cli.ask.following import OutputForm, follow  # noqa: PLC0415 - as above
    from services.cli.ask.person import can_answer  # noqa: PLC0415 - help does without gRPC
    from services.cli.questions import CommandQuestion  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    if not question and not attach:
        raise usage("QUESTION", "is missing")
    asked = CommandQuestion(
        question,
        options.names(domain),
        locale or "",
        session,
        request_id,
        timeout,
        Identity(user, user_type or ""),
        attachments=tuple(map(attachment, attach)),
        interactive=not (events or as_json) and can_answer(),
    )
    text = OutputForm.PLAIN if no_chart else OutputForm.TEXT
    code = follow(asked, OutputForm.EVENTS if events else OutputForm.JSON if as_json else text)
    raise typer.Exit(code)
