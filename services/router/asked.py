"""What a question asks for, put beside its route.

the route answers in the same domain      the asks join it
the route is unsure, or answers at once   sure asks decide it
the route answers in another domain       sure asks of one other domain decide it, where its own has none
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.catalog.asks import read_asks
from services.catalog.loader import Catalog
from services.contract.flow import NextAction, RouteDecision, ToolMode
from services.contract.router import RouteRequest
from services.plugin.asks.answering import Claim
from services.plugin.asks.sheet import Sheet
from services.router.facts import Understood
from services.runtime.identity import Caller

SURE: Final = 0.9
"""Asks of this score decide where the vote says something else."""
LIKELY: Final = 0.85
"""Asks of this score decide where the vote is unsure."""
_FIRM: Final = frozenset({"hint"})


def with_asks(
    decision: RouteDecision, asked: RouteRequest, question: Understood, caller: Caller, catalog: Catalog
) -> RouteDecision:
    """Return a route with the asks of its question; see the table above."""
    reading = question.reading
    if reading.is_blank:
        return decision
    own = tuple(one for one in question.entities if one.end)
    sheet = Sheet(reading.text, reading.language, reading.today, own, caller.user_type)
    claims = read_asks(sheet, asked.before, asked.run.domains)
    if not claims:
        return decision
    if decision.route_source in _FIRM:
        return _joined(decision, [one for one in claims if one.ask.domain == decision.domain])
    least = min(one.score for one in claims)
    if decision.next_action is NextAction.PROCEED and any(one.ask.domain == decision.domain for one in claims):
        return _joined(decision, claims)
    proceeds = decision.next_action is NextAction.PROCEED
    if least >= (SURE if proceeds else LIKELY):
        return _decided(decision, claims, catalog)
    return decision


def _joined(decision: RouteDecision, claims: Sequence[Claim]) -> RouteDecision:
    return replace(decision, asks=tuple(one.ask for one in claims))


def _decided(decision: RouteDecision, claims: Sequence[Claim], catalog: Catalog) -> RouteDecision:
    first = claims[0].ask
    entry = catalog.intent(first.intent)
    return replace(
        decision,
        domain=first.domain,
        intent=first.intent,
        confidence=min(*(one.score for one in claims), catalog.routing.gates.cap),
        selected_type=first.intent,
        sql_need=entry.sql,
        graph_need=entry.graph,
        tool_mode=ToolMode.PARALLEL if entry.sql and entry.graph else ToolMode.SINGLE,
        target_agents=entry.owners,
        next_action=NextAction.PROCEED,
        route_source="asks",
        message="",
        examples=(),
        reason="",
        requires_confirmation=entry.requires_confirmation,
        asks=tuple(one.ask for one in claims),
    )
