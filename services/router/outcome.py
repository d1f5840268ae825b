"""What follows from the standings: scope, gates, several intents, needs and the words to the user (spec 1.5, 1.6)."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.catalog.loader import Catalog
from services.contract.flow import IntentAlternative, NextAction, RouteDecision, ToolMode, VoterScore
from services.contract.router import RouteRequest
from services.plugin.declarations import Intent
from services.plugin.entities import of_kind
from services.router.facts import COVERED_COUNTRIES
from services.router.parts import parts, sentences
from services.router.sight import Eye, Sight
from services.router.weighing import Standing, mean_hundredths, next_action
from services.router.word_lists import word_lists
from services.router.wording import Wording
from services.runtime.identity import Caller

ALTERNATIVES_MAX = 3
ALWAYS_OPEN = "general"
"""The domain of greetings and guidance, which no deployment leaves out."""
_AFTER = frozenset({"cancel_order", "refund_request", "exchange_request"})
_EXCLUSIVE = _AFTER | {"purchase", "add_to_cart", "remove_from_cart"}
_OF_ONE_SHARE = frozenset({"us_single_stock", "kr_single_stock", "explain_drop", "compare_outlook"})
"""Parts of a question that want these are one question on the shares it names."""
_PRICE_LAW_INTENTS = frozenset({"LEGAL_CONSULT", "RISK_ANALYSIS"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that a route is decided on."""

    asked: RouteRequest
    """The request."""
    caller: Caller
    """Who asks."""
    sight: Sight
    """The question as it is seen."""
    ranked: tuple[Standing, ...]
    """The intents, the surest first."""
    source: str
    """Which step of the order of precedence decided."""
    scores: tuple[VoterScore, ...]
    """Every voter's score."""
    graph_need: bool | None
    """What a model said of the graph."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """The intent that was settled on, with what happens next."""

    intent: str
    hundredths: int
    action: NextAction
    reason: str = ""
    several: tuple[str, ...] = ()
    confirms: bool = False


class Reader:
    """Reads the route off the standings; made once."""

    def __init__(self, catalog: Catalog, eye: Eye) -> None:
        self._catalog = catalog
        self._eye = eye

    def decide(self, outcome: Outcome) -> RouteDecision:
        """Return the route."""
        if outcome.sight.question.reading.is_blank:
            choice = _Choice(self._catalog.routing.fallback_intent, 0, NextAction.RESPOND, "EMPTY_QUESTION")
        else:
            choice = self._settled(outcome)
        return self._decision(outcome, choice)

    def _settled(self, outcome: Outcome) -> _Choice:
        gates, fallback = self._catalog.routing.gates, self._catalog.routing.fallback_intent
        top = outcome.ranked[0] if outcome.ranked else Standing(fallback, 0)
        if top.hundredths < round(gates.alternative * 100):
            top = Standing(fallback, top.hundredths)
        several = self._several(outcome, top)
        if several is not None:
            return several
        refused = self._out_of_scope(outcome, top.intent)
        if refused:
            return _Choice(top.intent, top.hundredths, NextAction.RESPOND, refused)
        action = next_action(top.hundredths, gates)
        if top.intent == fallback:
            action = NextAction.CLARIFY
        reason = "INTENT_LOW_CONFIDENCE" if action is NextAction.CLARIFY else ""
        return _Choice(top.intent, top.hundredths, action, reason)

    def _out_of_scope(self, outcome: Outcome, intent: str) -> str:
        """Return why the intent is answered at once, empty where it is not."""
        entry, domain = self._catalog.intent(intent), self._catalog.domain_of(intent)
        if intent in {"greeting", "IRRELEVANT"}:
            return intent.upper()
        if not self._is_enabled(outcome, domain):
            return "DOMAIN_NOT_ENABLED"
        question = outcome.sight.question
        if domain in {"finance", "realty"} and question.countries:
            if not set(question.countries) & set(COVERED_COUNTRIES):
                return "COUNTRY_NOT_COVERED"
            securities = of_kind(question.entities, "security")
            if (
                domain == "finance"
                and securities
                and not any(one.attributes["covered"] == "true" for one in securities)
            ):
                return "SECURITY_NOT_COVERED"
        if entry.requires_login and not outcome.caller.is_logged_in:
            return "LOGIN_REQUIRED"
        return ""

    @staticmethod
    def _is_enabled(outcome: Outcome, domain: str) -> bool:
        domains = outcome.asked.run.domains
        return domain == ALWAYS_OPEN or not domains or domain in domains

    def _several(self, outcome: Outcome, top: Standing) -> _Choice | None:
        """Find two requests in one question: merged where one agent serves both, asked otherwise (spec 1.6.2)."""
        if top.intent == "COMPREHENSIVE":
            return None
        found = self._supplied(outcome) if outcome.source == "hint" else self._by_part(outcome)
        if len(found) < 2 or {one.intent for one in found} <= _OF_ONE_SHARE:
            return None
        pair = sorted(found, key=lambda one: self._catalog.intent(one.intent).priority.rank)[:2]
        names = (pair[0].intent, pair[1].intent)
        mean = mean_hundredths([one.hundredths for one in pair])
        if self._make_one_report(names):
            return _Choice("COMPREHENSIVE", mean, next_action(mean, self._catalog.routing.gates))
        owners = {self._catalog.intent(intent).owners for intent in names}
        if len(owners) == 1 and len(next(iter(owners))) == 1 and not _undoes(names):
            return self._merged(outcome, names, mean)
        if any(self._out_of_scope(outcome, intent) for intent in names):
            return None
        reason = "MULTIPLE_INTENTS_CONFLICT" if set(names) <= _EXCLUSIVE else "MULTIPLE_INTENTS"
        return _Choice(names[0], mean, NextAction.CLARIFY, reason, several=names)

    def _make_one_report(self, names: Sequence[str]) -> bool:
        """Tell whether parts about homes are one whole report: prices with law or risk, or any beside such a report."""
        if "COMPREHENSIVE" in names:
            return {self._catalog.domain_of(intent) for intent in names} == {"realty"}
        return "MARKET_INQUIRY" in names and bool(_PRICE_LAW_INTENTS & set(names))

    def _merged(self, outcome: Outcome, names: Sequence[str], mean: int) -> _Choice | None:
        """Return one agent's two actions as one; two look-ups are one question, read as a whole."""
        if not self._acts(names):
            return None
        merged = "purchase" if "purchase" in names else names[0]
        refused = self._out_of_scope(outcome, merged)
        action = NextAction.RESPOND if refused else next_action(mean, self._catalog.routing.gates)
        return _Choice(merged, mean, action, refused, confirms=True)

    def _supplied(self, outcome: Outcome) -> list[Standing]:
        """Return the intents that a supplied reading is sure enough of to be wanted each (spec 1.5)."""
        least = round(self._catalog.routing.gates.multi_intent * 100)
        return [one for one in outcome.ranked if outcome.asked.router_output and one.hundredths >= least]

    def _by_part(self, outcome: Outcome) -> list[Standing]:
        """Return the intents that the parts of one sentence want for themselves, each once, in order."""
        for sentence in sentences(outcome.sight.question.reading.text):
            pieces = parts(sentence)
            found = self._wanted(pieces, outcome) if len(pieces) > 1 else []
            if len(found) > 1:
                return found
        return []

    def _wanted(self, pieces: Sequence[str], outcome: Outcome) -> list[Standing]:
        run = outcome.asked.run
        found: dict[str, Standing] = {}
        for piece in pieces:
            vote = self._eye.vote_on_part(
                piece, now=run.now, time_zone=run.time_zone, user_type=outcome.caller.user_type
            )
            if vote is not None:
                found.setdefault(vote.intent, Standing(vote.intent, round(vote.score * 100)))
        wanted = [one for one in found.values() if self._is_request(one.intent)]
        # Goods are named in every request on goods: beside another one they are not looked for.
        others = [one for one in wanted if one.intent != "search_product"]
        return others if any(self._catalog.domain_of(one.intent) == "commerce" for one in others) else wanted

    def _is_request(self, intent: str) -> bool:
        """Tell whether a part that wants this is a request of its own: a bare "tell me" is none."""
        return intent != "general_knowledge" and not self._catalog.intent(intent).answered_at_once

    def _acts(self, intents: Sequence[str]) -> bool:
        return any(self._catalog.intent(intent).requires_confirmation for intent in intents)

    def _decision(self, outcome: Outcome, choice: _Choice) -> RouteDecision:
        entry = self._catalog.intent(choice.intent)
        proceeds = choice.action in {NextAction.PROCEED, NextAction.CONFIRM}
        sql, graph = self._needs(outcome, entry) if proceeds else (entry.sql, entry.graph)
        others = self._alternatives(outcome, choice)
        domain = self._catalog.domain_of(choice.intent)
        named = outcome.sight.question.entities
        wording = Wording(self._catalog, outcome.asked.run.locale, self._domains(outcome))
        return RouteDecision(
            domain=domain,
            intent=choice.intent,
            confidence=choice.hundredths / 100,
            alternatives=others,
            selected_type="general_knowledge" if domain == "general" and entry.owners else choice.intent,
            sql_need=sql,
            graph_need=graph,
            tool_mode=ToolMode.PARALLEL if sql and graph else ToolMode.SINGLE,
            target_agents=entry.owners if proceeds else (),
            entities=named if domain == "commerce" else tuple(one for one in named if self._is_shared(one.kind)),
            country_scope=tuple(code for code in outcome.sight.question.countries if code in COVERED_COUNTRIES),
            next_action=choice.action,
            route_source=outcome.source,
            voter_scores=outcome.scores,
            message=self._message(wording, outcome, choice),
            examples=self._examples(wording, choice, others),
            reason=choice.reason,
            requires_confirmation=proceeds and (entry.requires_confirmation or choice.confirms),
        )

    def _is_shared(self, kind: str) -> bool:
        return kind not in self._catalog.kinds or self._catalog.kinds[kind].is_shared

    def _examples(self, wording: Wording, choice: _Choice, others: Sequence[IntentAlternative]) -> tuple[str, ...]:
        """Return what could be asked instead: of an unclear question, and of one that nobody answers here."""
        if choice.action is NextAction.CLARIFY:
            return wording.examples([choice.intent, *(one.intent for one in others)])
        if choice.action is not NextAction.RESPOND and not self._catalog.is_served(choice.intent):
            return wording.served_examples(self._catalog.domain_of(choice.intent))
        return ()

    def _domains(self, outcome: Outcome) -> tuple[str, ...]:
        return tuple(name for name in self._catalog.domains if self._is_enabled(outcome, name))

    def _alternatives(self, outcome: Outcome, choice: _Choice) -> tuple[IntentAlternative, ...]:
        if choice.several:
            return tuple(IntentAlternative(intent, choice.hundredths / 100) for intent in choice.several[1:])
        least = round(self._catalog.routing.gates.alternative * 100)
        others = [one for one in outcome.ranked if one.intent != choice.intent and one.hundredths >= least]
        return tuple(IntentAlternative(one.intent, one.confidence) for one in others[:ALTERNATIVES_MAX])

    def _needs(self, outcome: Outcome, entry: Intent) -> tuple[bool, bool]:
        """Return whether tables and the graph are needed: the intent's defaults, and the words that add the graph."""
        if not entry.graph_words:
            return entry.sql, entry.graph
        reading = outcome.sight.question.reading
        named = any(reading.says(word) for word in word_lists().graph)
        sql = entry.sql or bool(of_kind(outcome.sight.question.entities, "security"))
        return sql, entry.graph or named or (outcome.graph_need is True and not entry.sql)

    def _message(self, wording: Wording, outcome: Outcome, choice: _Choice) -> str:
        if choice.action is NextAction.PROCEED:
            return ""
        if choice.action is NextAction.CONFIRM:
            return wording.say("CONFIRM", intents=[choice.intent])
        reason = "CLARIFY" if choice.reason in {"", "INTENT_LOW_CONFIDENCE"} else choice.reason
        intents = choice.several or (choice.intent,)
        return wording.say(reason, intents=intents, entities=outcome.sight.question.entities)


def _undoes(pair: Sequence[str]) -> bool:
    """Tell whether one of the two takes back what the other does."""
    return {"add_to_cart", "remove_from_cart"} <= set(pair) or len(set(pair) & _AFTER) > 1
