"""`hapju agents` and `hapju tools`: what this deployment has."""

import typer

from services.cli import options, output


def declare(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(agents)
    app.command()(tools)


def agents(
    *, user: options.User = "", user_type: options.UserTypeOption = None, as_json: options.AsJson = False
) -> None:
    """List the agents: what each answers, which intents it owns and whether it is served."""
    from services.cli import calling  # noqa: PLC0415 - help does without gRPC
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    response = calling.agents(Identity(user, user_type or ""))
    if as_json:
        output.print_json(output.message_json(response))
        return
    rows = (
        (
            agent.description.agent,
            "yes" if agent.served else "no",
            ", ".join(agent.intents),
            ", ".join(agent.description.tools),
            agent.description.answers,
        )
        for agent in response.agents
    )
    output.print_table(("agent", "served", "intents", "tools", "answers"), rows)


def tools(
    *,
    locale: options.Locale = None,
    user: options.User = "",
    user_type: options.UserTypeOption = None,
    as_json: options.AsJson = False,
) -> None:
    """List the tools that the caller may call: what each reads, what it costs, how long it takes."""
    from hapju.tool.v1 import tool_description_pb2 as pb  # noqa: PLC0415 - as above
    from services.cli import calling  # noqa: PLC0415 - as above
    from services.cli.progress import milliseconds  # noqa: PLC0415 - as above
    from services.cli.tokens import Identity  # noqa: PLC0415 - as above

    response = calling.tools(Identity(user, user_type or ""), locale or "en")
    if as_json:
        output.print_json(output.message_json(response))
        return
    rows = (
        (
            tool.name,
            tool.domain,
            pb.ToolCost.Name(tool.cost).removeprefix("TOOL_COST_").lower(),
            pb.SideEffect.Name(tool.side_effect).removeprefix("SIDE_EFFECT_").lower(),
            milliseconds(tool.typical_duration),
            f"{tool.quality:.2f}",
            tool.description,
        )
        for tool in response.tools
    )
    columns = ("tool", "domain", "cost", "changes", "ms", "quality", "description")
    output.print_table(columns, rows, frozenset({"ms", "quality"}))
