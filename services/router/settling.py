"""What settles a question's intent before anybody votes.

hint        the client names the intent, or a caller hands a finished reading over
detector    a thing is named whose kind decides, as a domain declares
shortcut    the conversation is closed, or common knowledge is asked for with no word of any domain
"""

from services.catalog.facts import entity_facts
from services.catalog.loader import Catalog
from services.contract.forms import shown
from services.contract.router import RouteRequest
from services.plugin.asks.closings import is_closing
from services.plugin.entities import of_kind
from services.plugin.rulings import Detection
from services.router.rulings import DomainRulings
from services.router.sight import Sight
from services.router.weighing import Ballot, Vote, alone
from services.runtime.errors import InvalidRequest
from services.runtime.run import because

_DETECTED = 0.95


class Settling:
    """Settles intents by rule.

    Args:
        catalog: What is answered.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._rulings = DomainRulings(catalog)

    def of(self, asked: RouteRequest, sight: Sight) -> Ballot | None:
        """Return the ballot of the first rule that decides, or None: then the voters do."""
        return self._given(asked) or self._closed(asked) or self._detected(sight) or self._short_cut(sight)

    def check_names(self, asked: RouteRequest) -> None:
        """Refuse a request that names an intent which there is not; raise InvalidRequest."""
        given = {"intent_hint": asked.intent_hint}
        if asked.router_output is not None:
            given["router_output.primary_intent"] = asked.router_output.primary_intent or "(none)"
            for number, one in enumerate(asked.router_output.alternative_intents):
                given[f"router_output.alternative_intents.{number}.intent"] = one.intent
        for field, intent in given.items():
            if intent and intent not in self._catalog.intents:
                known = ", ".join(sorted(self._catalog.intents))
                raise InvalidRequest.of(field, f"{shown(intent)} is no intent; known are {known}")

    def _given(self, asked: RouteRequest) -> Ballot | None:
        cap = self._catalog.routing.gates.cap
        if asked.router_output is not None:
            output = asked.router_output
            votes = {one.intent: one.confidence for one in output.alternative_intents}
            return alone(
                Vote(
                    "hint",
                    1.0,
                    {**votes, output.primary_intent: output.confidence},
                    because("요청이 정해 준 것", "given"),
                ),
                cap,
            )
        if asked.intent_hint:
            hint = self._catalog.routing.gates.hint
            return alone(
                Vote("hint", 1.0, {asked.intent_hint: hint}, because("클라이언트의 힌트", "the client's hint")),
                cap,
            )
        return None

    def _closed(self, asked: RouteRequest) -> Ballot | None:
        """Take thanks and a close for what they are, whatever stands before them."""
        welcoming = next((one.id for one in self._catalog.intents.values() if one.welcomes), None)
        if welcoming is None or not is_closing(asked.question):
            return None
        vote = Vote("shortcut", 1.0, {welcoming: _DETECTED}, because("대화를 맺는 말", "closes the conversation"))
        return alone(vote, self._catalog.routing.gates.cap)

    def _detected(self, sight: Sight) -> Ballot | None:
        """Detect a question on a thing whose kind decides, unless its words plainly want something else."""
        entities, words = sight.question.entities, sight.keyword
        found = self._rulings.detection(entities)
        wanted = words or sight.scope
        if found is None or (wanted is not None and self._catalog.domain_of(wanted.intent) != found[0]):
            return None
        detection = found[1]
        named = of_kind(entities, detection.kind)
        intent = _detected_intent(detection, sight, entity_facts(named[:1]), is_one=len(named) == 1)
        scores = dict(wanted.scores) if wanted is not None else {}
        for other in detection.by_fact.values():
            scores.pop(other, None)
        scores[intent] = max(_DETECTED, scores.get(intent, 0.0))
        labels = ", ".join(one.label or one.value for one in named)
        vote = Vote("detector", 1.0, scores, because(f"질문에 나온 것: {labels}", f"named in the question: {labels}"))
        return alone(vote, self._catalog.routing.gates.cap)

    def _short_cut(self, sight: Sight) -> Ballot | None:
        """Answer what anyone may know, and what a word means, where no domain is asked."""
        words, known = sight.keyword, self._rulings.explaining
        if known is None or (sight.scope is not None and not self._is_everywhere(sight.scope.intent)):
            return None
        cap = self._catalog.routing.gates.cap
        asks_meaning = "definition" in sight.question.facts and not sight.follows_up
        if asks_meaning and self._rulings.explains(words.intent if words is not None else None):
            return alone(
                Vote("shortcut", 1.0, {known: _DETECTED}, because("낱말의 뜻을 묻는 말", "asks what a word means")),
                cap,
            )
        if words is None or words.intent != known or words.score < self._catalog.routing.gates.proceed:
            return None
        if not all(self._is_everywhere(intent) for intent in words.scores):
            return None
        return alone(Vote("shortcut", 1.0, {known: words.score}, words.reason), cap)

    def _is_everywhere(self, intent: str) -> bool:
        return self._catalog.domains[self._catalog.domain_of(intent)].always


def _detected_intent(detection: Detection, sight: Sight, facts: frozenset[str], *, is_one: bool) -> str:
    """Return what is wanted of the things of a kind that decides: what the words say, else by the first of them."""
    by_fact, words, likely = detection.by_fact, sight.keyword, sight.likely
    if words is not None and words.intent not in by_fact.values():
        return words.intent
    if likely is not None and likely.intent in detection.likely:
        return likely.intent
    return next(intent for fact, intent in by_fact.items() if fact in facts) if is_one else detection.several
