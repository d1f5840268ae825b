"""The keyword and the scope voter; the third, the model, is asked in routing.py (spec 1.5)."""

from collections.abc import Sequence
from datetime import UTC, datetime

from services.catalog.keywords import KeywordTable
from services.catalog.loader import Catalog
from services.router.facts import Understood
from services.router.masking import Masker
from services.router.similarity import ExampleIndex
from services.router.weighing import Vote
from services.text.reading import read
from services.text.words import Vocabulary

_EXAMPLE_TIME = datetime(2026, 1, 15, tzinfo=UTC)
"""Any day will do: of an example's dates only the words are looked at."""

KEYWORD = "keyword"
SCOPE = "scope"
LLM = "llm"

_LIKE = ((0.60, 0.97), (0.48, 0.93), (0.38, 0.88))
"""From which likeness to its best example an intent gets which confidence; below the last one nobody gets any."""
_NEAR = 0.6
"""An intent this near to the best one, as a share of its likeness, gets a share of its confidence."""
_CONTRADICTS = 0.72
"""Below this likeness an example does not contradict the words of the question."""


class KeywordVoter:
    """Votes by the catalog's cues."""

    def __init__(self, catalog: Catalog) -> None:
        self._weight = catalog.routing.weights.keyword
        self._table = KeywordTable(catalog)
        self._vocabulary = Vocabulary(self._table.phrases)
        self._idioms = Vocabulary(catalog.routing.idioms)

    @property
    def phrases(self) -> frozenset[str]:
        """Every phrase that a cue asks for."""
        return self._table.phrases

    def vote(self, question: Understood) -> Vote | None:
        """Return the vote, or None where no cue holds."""
        return self.vote_on(question, (question,))

    def vote_on(self, question: Understood, said: Sequence[Understood]) -> Vote | None:
        """Return the vote on a question of which several turns say a part."""
        phrases = frozenset[str]().union(*(turn.reading.said(self._vocabulary, self._idioms) for turn in said))
        found = self._table.scores(phrases, question.facts)
        if not found:
            return None
        evidence = ", ".join(found[0].evidence)
        return Vote(KEYWORD, self._weight, {one.intent: one.score for one in found}, f"words: {evidence}")


class ScopeVoter:
    """Votes by likeness to the example utterances of each intent, and by whether what is named fits the domain."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._weight = catalog.routing.weights.scope
        self._masker = Masker(catalog)
        self._index = ExampleIndex(
            [
                (intent.id, self._masker.mask(read(example, now=_EXAMPLE_TIME)))
                for intent in catalog.intents.values()
                for examples in intent.examples.values()
                for example in examples
            ]
        )

    def vote(self, question: Understood, words: Vote | None) -> Vote | None:
        """Return the vote, or None where no example is like the question.

        Likeness cannot tell apart what one agent does and undoes (into the cart, out of the cart), and a faint one
        says nothing against plain words: there it has no voice.
        """
        likeness = self._index.likeness(self._masker.mask(question.reading))
        fitting = {intent: like for intent, like in likeness.items() if self._fits(intent, question)}
        best = max(fitting.values(), default=0.0)
        most = _confidence(best)
        if most is None:
            return None
        near = sorted((intent for intent, like in fitting.items() if like >= best * _NEAR), key=lambda i: -fitting[i])
        scores = {intent: round(most * (fitting[intent] / best) ** 0.5, 2) for intent in near}
        vote = Vote(SCOPE, self._weight, scores, f"likeness {best:.2f}")
        return None if words is not None and self._is_no_witness(vote, words, best) else vote

    def _is_no_witness(self, vote: Vote, words: Vote, best: float) -> bool:
        if words.intent == vote.intent:
            return False
        if vote.intent == self._catalog.routing.fallback_intent:
            return True
        siblings = self._catalog.intent(words.intent).owners == self._catalog.intent(vote.intent).owners
        return siblings or best < _CONTRADICTS

    def _fits(self, intent: str, question: Understood) -> bool:
        """Tell whether the entities leave the intent possible: a single share has one, a look-up of a region none."""
        domain = self._catalog.domain_of(intent)
        if intent in {"us_single_stock", "kr_single_stock", "explain_drop", "compare_outlook"}:
            return bool(question.entities.securities)
        return not (question.entities.securities and domain == "realty")


def _confidence(likeness: float) -> float | None:
    return next((confidence for least, confidence in _LIKE if likeness >= least), None)
