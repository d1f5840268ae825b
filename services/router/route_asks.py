"""What a question asks for, put beside its route.

the vote is sure                           its intent stands; the asks that its owners answer join it
the vote is sure, and answers nothing      surer asks of another domain decide the route
the vote is unsure, or a model's alone     likely asks decide the route
the vote needs a log-in                    asks that need none decide the route
several requests were to be told apart     the person is asked first, as the vote says
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.catalog.answerers import answerer_of, is_unread
from services.catalog.leaning import REPLACES
from services.catalog.loader import Catalog
from services.contract.asks import AskForm
from services.contract.flow import NextAction, RouteDecision, ToolMode
from services.plugin.asks.answering import CERTAIN, Claim
from services.router.dates_told import DATE_IMPOSSIBLE
from services.router.voters import LLM

SURE: Final = 0.95
"""Asks of this score decide where the vote is sure of something that none of its agents answers."""
OWN_WORDS: Final = 0.92
"""Asks of this score, which rest on more than words that several domains say, decide where the vote answers nothing."""
ALONE: Final = 0.9
"""Asks of this score, all of one domain, decide where the vote heard a second request that no reader found."""
LIKELY: Final = 0.85
"""Asks of this score decide where the vote is unsure."""
_BESIDE_MAX: Final = 5
"""So many letters beside a name are a particle, or a word that joins."""
_FIRM: Final = frozenset({"hint"})
_STANDS: Final = frozenset({"MULTIPLE_INTENTS", "MULTIPLE_INTENTS_CONFLICT", "DOMAIN_NOT_ENABLED"})
"""Reasons of a route that no ask changes."""
_NOT_COVERED: Final = "_NOT_COVERED"
"""How reasons end that tell a thing outside the data, which is the answer already."""


def with_asks(decision: RouteDecision, claims: Sequence[Claim], catalog: Catalog) -> RouteDecision:
    """Return a route with the asks of its question; see the table above."""
    if not claims or decision.reason == DATE_IMPOSSIBLE:
        return decision
    if decision.reason.endswith(_NOT_COVERED) and not _is_sure_elsewhere(claims, decision):
        return decision
    fitting = [one for one in claims if _fits(one, decision, catalog)]
    if fitting and (decision.next_action is NextAction.PROCEED or decision.route_source in _FIRM):
        return _joined(decision, claims if decision.route_source not in _FIRM else fitting, catalog)
    stands = (decision.reason in _STANDS and not _covers(claims, decision, catalog)) or _waits(
        claims, decision, catalog
    )
    if stands or decision.route_source in _FIRM:
        return _joined(decision, claims, catalog)
    least = min(one.score for one in claims)
    if least >= _needed(decision, claims):
        return _decided(decision, claims, catalog)
    return decision


def _is_sure_elsewhere(claims: Sequence[Claim], decision: RouteDecision) -> bool:
    """Tell whether another domain is surely asked about what is not covered: for an act, or a sum of its own."""
    return all(
        one.score >= CERTAIN
        and (one.ask.form is AskForm.ACT or (one.ask.form is AskForm.AMOUNT and one.is_whole))
        and one.ask.domain != decision.domain
        for one in claims
    )


def _needed(decision: RouteDecision, claims: Sequence[Claim]) -> float:
    """Return how sure asks of another domain have to be to decide a route."""
    if decision.next_action is not NextAction.PROCEED or _is_models_alone(decision):
        return LIKELY
    # Who answers by requests alone, and was read none, would only tell what lies near.
    if not is_unread(decision, decision.target_agents):
        return SURE
    return ALONE if all(map(_is_a_name, claims)) else OWN_WORDS


def _is_a_name(claim: Claim) -> bool:
    """Tell whether a message is a name alone that an ask's domain knows: "송파구는?"."""
    names = "".join(one.words for one in claim.ask.subjects if one.end and one.value and one.value != one.words)
    beside = sum(map(str.isalnum, claim.ask.words)) - sum(map(str.isalnum, names))
    return bool(names) and beside <= _BESIDE_MAX


def _is_models_alone(decision: RouteDecision) -> bool:
    """Tell whether a model's vote alone speaks for a route, and no word of the question does."""
    voters = {one.voter for one in decision.voter_scores if one.intent == decision.intent and one.weight}
    return voters == {LLM}


def _waits(claims: Sequence[Claim], decision: RouteDecision, catalog: Catalog) -> bool:
    """Tell whether a route that needs a log-in is of asks that need one as well."""
    entries = (catalog.intents.get(one.ask.intent) for one in claims)
    return decision.reason == "LOGIN_REQUIRED" and any(one is None or one.requires_login for one in entries)


def _covers(claims: Sequence[Claim], decision: RouteDecision, catalog: Catalog) -> bool:
    """Tell whether asks cover requests that the vote would have told apart: all are of one domain, or it is no two."""
    if decision.reason.startswith("MULTIPLE_INTENTS") and all(one.score >= CERTAIN for one in claims):
        return True
    if decision.reason == "MULTIPLE_INTENTS" and len(claims) == 1 and _goes_on(claims[0]):
        return True
    several = len({one.ask.answerer for one in claims}) > 1 and len({one.ask.domain for one in claims}) == 1
    if decision.reason == "MULTIPLE_INTENTS" and several and all(one.score >= SURE for one in claims):
        # All that is asked is answered at once.
        return True
    domains = {catalog.domain_of(one.ask.intent) for one in claims if one.ask.intent in catalog.intents}
    wanted = {catalog.domain_of(one) for one in (decision.intent, *(other.intent for other in decision.alternatives))}
    if decision.reason != "MULTIPLE_INTENTS" or len(domains) != 1:
        return False
    # The readers of every domain were asked: where those of one alone found a request, the vote heard no second one.
    return wanted == domains or (domains <= wanted and all(one.score >= ALONE for one in claims))


def _goes_on(claim: Claim) -> bool:
    """Tell whether an ask surely goes on from the message before: what it keeps of that one makes it one request."""
    keeps = any(one.value and not one.end for one in claim.ask.subjects)
    return keeps and claim.score >= REPLACES


def _fits(claim: Claim, decision: RouteDecision, catalog: Catalog) -> bool:
    """Tell whether an ask is one of the route's own: an owner of its intent, or an agent of its domain, answers it."""
    answerer = answerer_of(claim.ask)
    if answerer is None:
        return False
    owners = catalog.intents[decision.intent].owners
    return any(name in owners or name.partition(".")[0] == decision.domain for name in answerer.agents)


def _joined(decision: RouteDecision, claims: Sequence[Claim], catalog: Catalog) -> RouteDecision:
    """Return a route with asks; what is surely to be done waits for a yes as its own intent says."""
    asks = tuple(one.ask for one in claims)
    confirmed = decision.requires_confirmation
    if all(one.form is AskForm.ACT and one.intent in catalog.intents for one in asks) and _is_sure(claims):
        confirmed = any(catalog.intent(one.intent).requires_confirmation for one in asks)
    return replace(decision, asks=asks, requires_confirmation=confirmed)


def _is_sure(claims: Sequence[Claim]) -> bool:
    return all(one.score >= SURE for one in claims)


def _decided(decision: RouteDecision, claims: Sequence[Claim], catalog: Catalog) -> RouteDecision:
    first = next((one.ask for one in claims if one.ask.intent in catalog.intents), None)
    if first is None:
        return decision
    confidence = min(*(one.score for one in claims), catalog.routing.gates.cap)
    return replace(
        _towards(decision, first.intent, catalog), confidence=confidence, asks=tuple(one.ask for one in claims)
    )


def stayed(decision: RouteDecision, intent: str, catalog: Catalog) -> RouteDecision:
    """Return the route of a message that asks nothing readable: with what was spoken of, whatever it is like."""
    return _towards(decision, intent, catalog)


def _towards(decision: RouteDecision, intent: str, catalog: Catalog) -> RouteDecision:
    """Return a route to an intent."""
    entry = catalog.intent(intent)
    return replace(
        decision,
        domain=catalog.domain_of(intent),
        intent=intent,
        selected_type=intent,
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
    )
