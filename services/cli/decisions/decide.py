"""`hapju route` and `hapju plan`: one decision about a question, and nothing that follows from it."""

import typer

from services.cli import options, output


def declare(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(route)
    app.command()(plan)


def route(  # noqa: PLR0913 - one argument an option
    question: options.Question,
    *,
    domain: options.Domains = [],  # noqa: B006 - Typer makes a list of its own
    locale: options.Locale = None,
    session: options.Session = "",
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    timeout: options.TimeoutSeconds = None,
    as_json: options.AsJson = False,
) -> None:
    """Show how a question is understood: domain, intent, who voted for it, what happens next."""
    from services.cli import calling  # noqa: PLC0415 - help does without gRPC
    from services.cli.decisions import shown  # noqa: PLC0415 - help does without gRPC

    asked = shown.asked(question, domain, locale, session, user, user_type, timeout)
    response = calling.routed(asked)
    if as_json:
        output.print_json(output.message_json(response))
    else:
        shown.print_route(response.route)
        shown.print_decisions(response.spent)


def plan(  # noqa: PLR0913 - as above
    question: options.Question,
    *,
    domain: options.Domains = [],  # noqa: B006 - as above
    locale: options.Locale = None,
    session: options.Session = "",
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    timeout: options.TimeoutSeconds = None,
    as_json: options.AsJson = False,
) -> None:
    """Show how a question would be answered: which agents, in which order, with which tool calls."""
    from services.cli import calling  # noqa: PLC0415 - as above
    from services.cli.decisions import shown  # noqa: PLC0415 - as above

    asked = shown.asked(question, domain, locale, session, user, user_type, timeout)
    response = calling.planned(asked)
    if as_json:
        output.print_json(output.message_json(response))
        return
    shown.print_route(response.route)
    if response.HasField("plan"):
        shown.print_plan(response.plan)
    shown.print_decisions(response.spent)
