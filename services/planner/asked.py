"""The steps that answer the asks of a question: one for each agent that serves some, with the calls that they need."""

import json
from collections.abc import Iterable

from services.catalog.asks import answerer_of
from services.contract.asks import Ask
from services.contract.flow import Branch, RouteDecision, ToolCall
from services.planner.selection import Draft
from services.plugin.asks.answering import Call

CALLS_MAX = 12
"""The most calls that one step makes."""


def ask_drafts(route: RouteDecision) -> tuple[Draft, ...]:
    """Return a step for each agent that answers asks, in the order in which they were asked; none without asks.

    A step waits for those that answer what its asks depend on.
    """
    agents: dict[str, list[Ask]] = {}
    for ask in route.asks:
        if (answerer := answerer_of(ask)) is not None:
            agents.setdefault(answerer.agent, []).append(ask)
    places = {ask.ask_id: place for place, asks in enumerate(agents.values()) for ask in asks}
    return tuple(
        Draft(
            agent=agent,
            intent=asks[0].intent or route.intent,
            branch=Branch.SQL,
            needs=tuple(sorted({places[one] for ask in asks for one in ask.depends_on if places.get(one, at) < at})),
            sub_question=" ".join(dict.fromkeys(ask.words for ask in asks)),
            required=True,
            ask_ids=tuple(ask.ask_id for ask in asks),
            calls=calls_of(asks),
        )
        for at, (agent, asks) in enumerate(agents.items())
    )


def calls_of(asks: Iterable[Ask]) -> tuple[ToolCall, ...]:
    """Return the tool calls that asks need, each once."""
    calls = (call for ask in asks if (answerer := answerer_of(ask)) is not None for call in answerer.calls(ask))
    return tuple(dict.fromkeys(map(_tool_call, calls)))[:CALLS_MAX]


def _tool_call(call: Call) -> ToolCall:
    document = json.dumps(dict(call.arguments), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return ToolCall(call.tool, document.encode(), f"hapju.tool.{call.tool}.arguments.v1")
