"""The keyword and the scope voter; the third, the model, is asked in routing.py (spec 1.5)."""

from collections.abc import Sequence

from services.catalog.keywords import KeywordTable
from services.catalog.loader import Catalog
from services.router.facts import Understood
from services.router.similarity import ExampleIndex
from services.router.weighing import Vote
from services.text.words import Vocabulary

KEYWORD = "keyword"
SCOPE = "scope"
LLM = "llm"

_LIKE = ((0.62, 0.97), (0.48, 0.93), (0.40, 0.88))
"""From which likeness to its best example an intent gets which confidence; below the last one it gets none."""
_CLEAR_LEAD = 0.05
"""A likeness this much below the best one does not count as a reading of its own."""


class KeywordVoter:
    """Votes by the catalog's cues."""

    def __init__(self, catalog: Catalog) -> None:
        self._weight = catalog.routing.weights.keyword
        self._table = KeywordTable(catalog)
        self._vocabulary = Vocabulary(self._table.phrases)

    def vote(self, question: Understood) -> Vote | None:
        """Return the vote, or None where no cue holds."""
        return self.vote_on(question, (question,))

    def vote_on(self, question: Understood, said: Sequence[Understood]) -> Vote | None:
        """Return the vote on a question of which several turns say a part."""
        phrases = frozenset[str]().union(*(turn.reading.said(self._vocabulary) for turn in said))
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
        self._index = ExampleIndex(
            [
                (intent.id, example)
                for intent in catalog.intents.values()
                for examples in intent.examples.values()
                for example in examples
            ]
        )

    def vote(self, question: Understood) -> Vote | None:
        """Return the vote, or None where no example is like the question."""
        likeness = self._index.likeness(question.reading.text)
        best = max(likeness.values(), default=0.0)
        scores = {
            intent: confidence
            for intent, like in likeness.items()
            if like >= best - _CLEAR_LEAD and (confidence := _confidence(like)) and self._fits(intent, question)
        }
        return Vote(SCOPE, self._weight, scores, f"likeness {best:.2f}") if scores else None

    def _fits(self, intent: str, question: Understood) -> bool:
        """Tell whether the entities leave the intent possible: a single share has one, a look-up of a region none."""
        domain = self._catalog.domain_of(intent)
        if intent in {"us_single_stock", "kr_single_stock", "explain_drop", "compare_outlook"}:
            return bool(question.entities.securities)
        return not (question.entities.securities and domain == "realty")


def _confidence(likeness: float) -> float | None:
    return next((confidence for least, confidence in _LIKE if likeness >= least), None)
