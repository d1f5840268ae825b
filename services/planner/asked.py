"""The steps that answer the asks of a question: one for each agent that serves some, with the calls that they need."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from services.catalog.answerers import answerer_of
from services.catalog.loader import Catalog
from services.contract.asks import Ask
from services.contract.entities import Entity
from services.contract.flow import Branch, RouteDecision, SlotValue, ToolCall
from services.planner.selection import GRAPH_DATA, Draft
from services.plugin.asks.answering import Answerer, Call

_CODE: Final = "_code"
CALLS_MAX = 12
"""The most calls that one step makes."""


def ask_drafts(route: RouteDecision, catalog: Catalog) -> tuple[Draft, ...]:
    """Return a step for each agent that answers asks, in the order in which they were asked; none without asks.

    A step waits for those that answer what its asks depend on.
    """
    agents: dict[str, list[Ask]] = {}
    for ask in route.asks:
        if (answerer := answerer_of(ask)) is not None and (agent := _agent_of(answerer, route, catalog)):
            agents.setdefault(agent, []).append(ask)
    places = {ask.ask_id: place for place, asks in enumerate(agents.values()) for ask in asks}
    return tuple(
        Draft(
            agent=agent,
            intent=asks[0].intent or route.intent,
            branch=_branch_of(asks, catalog),
            needs=tuple(sorted({places[one] for ask in asks for one in ask.depends_on if places.get(one, at) < at})),
            sub_question=" ".join(dict.fromkeys(ask.words for ask in asks)),
            required=True,
            asks=tuple(asks),
            calls=calls_of(asks),
        )
        for at, (agent, asks) in enumerate(agents.items())
    )


def _branch_of(asks: Iterable[Ask], catalog: Catalog) -> Branch:
    """Return the branch of a step: that of the graph where a call reads it."""
    tools = {call.tool for call in calls_of(asks)}
    return Branch.GRAPH if any(catalog.tool(name).data_type == GRAPH_DATA for name in tools) else Branch.SQL


def with_rest(asked: Sequence[Draft], ruled: Sequence[Draft], intent: str) -> tuple[Draft, ...]:
    """Return the steps that answer asks and behind them what the intent would have besides, for asks that stay open.

    The rest runs only where an ask is not answered: it is skipped otherwise. What another intent has that the user
    wants as well, of which no ask is typed, is no rest: it runs beside.

    Args:
        asked: The steps that answer asks.
        ruled: The steps that the intents have by rule.
        intent: The route's intent.
    """
    if not asked:
        return tuple(ruled)
    agents = {one.agent for one in asked}
    rest = [one for one in ruled if one.agent not in agents and not one.condition]
    before = tuple(range(len(asked)))
    beside = {one.intent for one in ruled} - {intent, *(one.intent for one in asked)}
    rest = [
        replace(one, needs=()) if one.intent in beside else replace(one, needs=before, required=False) for one in rest
    ]
    return (*asked, *rest)


def _agent_of(answerer: Answerer, route: RouteDecision, catalog: Catalog) -> str:
    """Return the agent that serves an ask; empty where none of its agents is installed and served."""
    served = [name for name in answerer.agents if name in catalog.agents and catalog.agents[name].served]
    owners = catalog.intents[route.intent].owners
    return next((name for name in served if name in owners), served[0] if served else "")


def is_told_apart(route: RouteDecision) -> bool:
    """Tell whether the asks of a route name what they are about: nothing has to be asked before they are answered."""
    return all(
        not any(one.alternatives for one in ask.subjects) and (answerer is None or answerer.is_given(ask))
        for ask in route.asks
        for answerer in (answerer_of(ask),)
    )


def calls_of(asks: Iterable[Ask]) -> tuple[ToolCall, ...]:
    """Return the tool calls that asks need, each once."""
    calls = (call for ask in asks if (answerer := answerer_of(ask)) is not None for call in answerer.calls(ask))
    return tuple(dict.fromkeys(map(_tool_call, calls)))[:CALLS_MAX]


def _tool_call(call: Call) -> ToolCall:
    document = json.dumps(dict(call.arguments), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return ToolCall(call.tool, document.encode(), f"hapju.tool.{call.tool}.arguments.v1")


def with_slots(route: RouteDecision, known: Iterable[SlotValue]) -> RouteDecision:
    """Return a route whose asks take over what the user has said since: which of several places was meant.

    A slot `<kind>_code` holds the value that replaces an ambiguous subject of the kind, or one that is missing.
    """
    said = {one.slot: str(json.loads(one.value_json)) for one in known if one.slot.endswith(_CODE)}
    if not said or not route.asks:
        return route
    return replace(route, asks=tuple(_filled(ask, said) for ask in route.asks))


def _filled(ask: Ask, said: Mapping[str, str]) -> Ask:
    answerer = answerer_of(ask)
    kinds = {one.kind for one in ask.subjects}
    subjects = tuple(
        replace(one, value=said[f"{one.kind}{_CODE}"], label=_label(one, said[f"{one.kind}{_CODE}"]), alternatives=())
        if one.alternatives and f"{one.kind}{_CODE}" in said
        else one
        for one in ask.subjects
    )
    lacking = [kind for kind in (answerer.needs if answerer else ()) if kind not in kinds and f"{kind}{_CODE}" in said]
    added = tuple(Entity(kind, said[f"{kind}{_CODE}"]) for kind in lacking)
    return replace(ask, subjects=(*subjects, *added))


def _label(one: Entity, value: str) -> str:
    return next((other.label for other in one.alternatives if other.value == value), one.label)
