"""What follows from the standings: scope, gates, several intents, needs and the words to the user."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from services.catalog.loader import Catalog
from services.contract.flow import IntentAlternative, NextAction, RouteDecision, ToolMode, VoterScore
from services.contract.router import RouteRequest
from services.plugin.asks.closings import is_closing
from services.plugin.declarations import Intent
from services.plugin.entities import of_kind
from services.plugin.entries import Bilingual
from services.plugin.rulings import Coverage
from services.router.dates_told import DATE_IMPOSSIBLE, impossible_date
from services.router.rulings import DomainRulings
from services.router.sight import Eye, Sight
from services.router.weighing import Standing, mean_hundredths, next_action
from services.router.wording import Wording
from services.runtime.identity import Caller
from services.text.ko.morphemes import Morpheme, morphemes
from services.text.patterns import Pattern

ALTERNATIVES_MAX = 3


@dataclass(frozen=True, slots=True)
class RouteGrounds:
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


class RouteReader:
    """Reads the route off the standings; made once."""

    def __init__(self, catalog: Catalog, eye: Eye) -> None:
        self._catalog = catalog
        self._eye = eye
        self._rulings = DomainRulings(catalog)

    def decide(self, outcome: RouteGrounds) -> RouteDecision:
        """Return the route."""
        if outcome.sight.question.reading.is_blank:
            choice = _Choice(self._catalog.fallback_intent, 0, NextAction.RESPOND, "EMPTY_QUESTION")
        else:
            choice = self._settled(outcome)
        return self._decision(outcome, choice)

    def _settled(self, outcome: RouteGrounds) -> _Choice:
        gates, fallback = self._catalog.routing.gates, self._catalog.fallback_intent
        top = outcome.ranked[0] if outcome.ranked else Standing(fallback, 0)
        if impossible_date(outcome.sight.question.reading) and not self._catalog.intent(top.intent).answered_at_once:
            return _Choice(top.intent, top.hundredths, NextAction.CLARIFY, DATE_IMPOSSIBLE)
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

    def _out_of_scope(self, outcome: RouteGrounds, intent: str) -> str:
        """Return why the intent is answered at once, empty where it is not."""
        entry, domain = self._catalog.intent(intent), self._catalog.domain_of(intent)
        if entry.reply is not None:
            return intent.upper()
        if not self._is_enabled(outcome, domain):
            return "DOMAIN_NOT_ENABLED"
        uncovered = self._uncovered(outcome, domain)
        if uncovered is not None:
            return f"{uncovered[0].upper()}_NOT_COVERED"
        if entry.requires_login and not outcome.caller.is_logged_in:
            return "LOGIN_REQUIRED"
        return ""

    def _uncovered(self, outcome: RouteGrounds, domain: str) -> tuple[str, Coverage] | None:
        question = outcome.sight.question
        return self._rulings.uncovered(domain, question.entities, question.countries)

    def _is_enabled(self, outcome: RouteGrounds, domain: str) -> bool:
        domains = outcome.asked.run.domains
        return self._catalog.domains[domain].always or not domains or domain in domains

    def _several(self, outcome: RouteGrounds, top: Standing) -> _Choice | None:
        """Find two requests in one question: merged where one agent serves both, asked otherwise."""
        if self._rulings.is_whole(top.intent):
            return None
        found = self._supplied(outcome) if outcome.source == "hint" else self._by_part(outcome)
        if len(found) < 2 or self._rulings.is_one_question([one.intent for one in found]):
            return None
        pair = sorted(found, key=lambda one: self._catalog.intent(one.intent).priority)[:2]
        names = (pair[0].intent, pair[1].intent)
        mean = mean_hundredths([one.hundredths for one in pair])
        report = self._rulings.report_of(names)
        if report is not None:
            return _Choice(report, mean, next_action(mean, self._catalog.routing.gates))
        owners = {self._catalog.intent(intent).owners for intent in names}
        if len(owners) == 1 and len(next(iter(owners))) == 1 and not self._rulings.undo_each_other(names):
            return self._merged(outcome, names, mean)
        if any(self._out_of_scope(outcome, intent) for intent in names):
            return None
        reason = "MULTIPLE_INTENTS_CONFLICT" if self._rulings.exclude_each_other(names) else "MULTIPLE_INTENTS"
        return _Choice(names[0], mean, NextAction.CLARIFY, reason, several=names)

    def _merged(self, outcome: RouteGrounds, names: Sequence[str], mean: int) -> _Choice | None:
        """Return one agent's two actions as one; two look-ups are one question, read as a whole."""
        acting = [intent for intent in names if self._catalog.intent(intent).requires_confirmation]
        if not acting:
            return None
        merged = acting[0]
        refused = self._out_of_scope(outcome, merged)
        action = NextAction.RESPOND if refused else next_action(mean, self._catalog.routing.gates)
        return _Choice(merged, mean, action, refused, confirms=True)

    def _supplied(self, outcome: RouteGrounds) -> list[Standing]:
        """Return the intents that a supplied reading is sure enough of to be wanted each."""
        least = round(self._catalog.routing.gates.multi_intent * 100)
        return [one for one in outcome.ranked if outcome.asked.router_output and one.hundredths >= least]

    def _by_part(self, outcome: RouteGrounds) -> list[Standing]:
        """Return the intents that the parts of one sentence want for themselves, each once, in order."""
        for sentence in sentences(outcome.sight.question.reading.text):
            pieces = parts(sentence)
            found = self._wanted(pieces, outcome) if len(pieces) > 1 else []
            if len(found) > 1:
                return found
        return []

    def _wanted(self, pieces: Sequence[str], outcome: RouteGrounds) -> list[Standing]:
        run = outcome.asked.run
        found: dict[str, Standing] = {}
        for piece in pieces:
            vote = self._eye.vote_on_part(
                piece, now=run.now, time_zone=run.time_zone, user_type=outcome.caller.user_type
            )
            if vote is not None:
                found.setdefault(vote.intent, Standing(vote.intent, round(vote.score * 100)))
        requests = [name for name in found if not self._catalog.intent(name).answered_at_once]
        return [found[name] for name in self._rulings.wanted(requests)]

    def _decision(self, outcome: RouteGrounds, choice: _Choice) -> RouteDecision:
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
            selected_type=entry.owners[0].partition(".")[2] if entry.direct else choice.intent,
            sql_need=sql,
            graph_need=graph,
            tool_mode=ToolMode.PARALLEL if sql and graph else ToolMode.SINGLE,
            target_agents=entry.owners if proceeds else (),
            entities=tuple(one for one in named if self._belongs(one.kind, domain)),
            country_scope=self._rulings.covered(outcome.sight.question.countries),
            next_action=choice.action,
            route_source=outcome.source,
            voter_scores=outcome.scores,
            message=self._message(wording, outcome, choice),
            examples=self._examples(wording, choice, others),
            reason=choice.reason,
            requires_confirmation=proceeds and (entry.requires_confirmation or choice.confirms),
        )

    def _belongs(self, kind: str, domain: str) -> bool:
        """Tell whether a question of a domain has entities of a kind."""
        known = self._catalog.kinds.get(kind)
        return known is None or known.is_shared or known.domain == domain

    def _examples(self, wording: Wording, choice: _Choice, others: Sequence[IntentAlternative]) -> tuple[str, ...]:
        """Return what could be asked instead: of an unclear question, and of one that nobody answers here."""
        if choice.reason == DATE_IMPOSSIBLE:
            return ()
        if choice.action is NextAction.CLARIFY:
            return wording.examples([choice.intent, *(one.intent for one in others)])
        if choice.action is not NextAction.RESPOND and not self._catalog.is_served(choice.intent):
            return wording.served_examples(self._catalog.domain_of(choice.intent))
        return ()

    def _reply(self, outcome: RouteGrounds, entry: Intent, domain: str) -> Bilingual | None:
        """Return the reply to the first group of words that the question says; None where it says none."""
        groups, reading = self._catalog.lexicon.groups(domain), outcome.sight.question.reading
        told = next((one.text for one in entry.replies if any(map(reading.says, groups.get(one.words, ())))), None)
        closes = entry.welcomes and outcome.asked.history and is_closing(outcome.asked.question)
        # A conversation that is closed in other words is no beginning of one.
        return entry.replies[0].text if told is None and closes and entry.replies else told

    def _domains(self, outcome: RouteGrounds) -> tuple[str, ...]:
        return tuple(name for name in self._catalog.domains if self._is_enabled(outcome, name))

    def _alternatives(self, outcome: RouteGrounds, choice: _Choice) -> tuple[IntentAlternative, ...]:
        if choice.several:
            return tuple(IntentAlternative(intent, choice.hundredths / 100) for intent in choice.several[1:])
        least = round(self._catalog.routing.gates.alternative * 100)
        others = [one for one in outcome.ranked if one.intent != choice.intent and one.hundredths >= least]
        return tuple(IntentAlternative(one.intent, one.confidence) for one in others[:ALTERNATIVES_MAX])

    def _needs(self, outcome: RouteGrounds, entry: Intent) -> tuple[bool, bool]:
        """Return whether tables and the graph are needed: the intent's defaults, and the words that add the graph."""
        if entry.graph_words is None:
            return entry.sql, entry.graph
        words = self._catalog.lexicon.groups(self._catalog.domain_of(entry.id))[entry.graph_words]
        named = any(outcome.sight.question.reading.says(word) for word in words)
        return entry.sql, entry.graph or named or (outcome.graph_need is True and not entry.sql)

    def _message(self, wording: Wording, outcome: RouteGrounds, choice: _Choice) -> str:
        if choice.action is NextAction.PROCEED:
            return ""
        if choice.action is NextAction.CONFIRM:
            return wording.say("CONFIRM", intents=[choice.intent])
        if choice.reason == DATE_IMPOSSIBLE:
            return wording.say(choice.reason, words=impossible_date(outcome.sight.question.reading))
        entry, domain = self._catalog.intent(choice.intent), self._catalog.domain_of(choice.intent)
        if choice.action is NextAction.RESPOND and choice.reason == choice.intent.upper() and entry.reply is not None:
            return wording.fill(self._reply(outcome, entry, domain) or entry.reply)
        uncovered = self._uncovered(outcome, domain) if choice.reason.endswith("_NOT_COVERED") else None
        if uncovered is not None:
            kind, coverage = uncovered
            return wording.fill(coverage.text, names=of_kind(outcome.sight.question.entities, kind))
        reason = "CLARIFY" if choice.reason in {"", "INTENT_LOW_CONFIDENCE"} else choice.reason
        return wording.say(reason, intents=choice.several or (choice.intent,))


PARTS_MAX = 4
_SENTENCE_ENDS = Pattern(r"[.!?](?=\s)|\n")
_JOINING_WORDS = Pattern(
    r"\s(?:and also|and|or|그리고|또|또한|및|아니면)\s|;|,\s(?=and\b|or\b)|(?<=[는은인한건])지(?:랑|이랑|하고|와)\s"
    # "취소할지 교환할지" and "살까 말까 담을까" weigh one against the other.
    r"|(?<=[할을갈쓸살])지\s(?=\S+\s?\S*지\s)|(?<=[할을갈쓸살])까\s(?=\S+\s?\S*까\s)"
    r"|(?<=[가-힣])이든지?\s",
    re.IGNORECASE,
)
# Particles and endings that join two requests: 조회랑 확인, 쓰고 보여줘, 환불하든지. "사고 싶다" is one request.
_JOINING_PARTICLES = frozenset({"랑", "이랑", "하고", "와", "과", "이나"})
_JOINING_ENDINGS = frozenset({"고", "구", "든지", "든가", "거나"})
# "흐름과 함께 보여줘" asks for one thing.
_TOGETHER = frozenset({"함께", "같이", "비교", "다르", "같", "비슷", "비슷하", "차이", "상관", "관련", "관계"})
# "A 말고 B" and "A 아니고 B" are one request for B.
_SETTING_ASIDE = frozenset({"말", "아니", "빼"})


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a normalised text, in order."""
    edges = [0, *(match.end() for match in _SENTENCE_ENDS.finditer(text)), len(text)]
    pieces = (text[start:end].strip() for start, end in pairwise(edges))
    return tuple(piece for piece in pieces if piece)


def parts(sentence: str) -> tuple[str, ...]:
    """Return the parts of a sentence in order, at most `PARTS_MAX`; one part where nothing is coordinated."""
    cuts = sorted({match.end() for match in _JOINING_WORDS.finditer(sentence)} | set(_joints(sentence)))
    pieces = (sentence[start:end].strip() for start, end in pairwise([0, *cuts, len(sentence)]))
    return tuple(piece for piece in pieces if piece)[:PARTS_MAX]


def _joints(sentence: str) -> list[int]:
    pieces = morphemes(sentence)
    return [
        piece.end
        for before, piece, after in zip(pieces, pieces[1:], pieces[2:], strict=False)
        if _joins(piece, after) and before.lemma not in _SETTING_ASIDE
    ]


def _joins(piece: Morpheme, after: Morpheme) -> bool:
    if piece.tags[-1] in {"JC", "JKB"}:
        return piece.surface in _JOINING_PARTICLES and _TOGETHER.isdisjoint({after.surface, after.lemma})
    return piece.tags[-1] == "EC" and piece.surface in _JOINING_ENDINGS and after.tags[0] != "VX"
