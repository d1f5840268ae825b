"""The keyword and the scope voter; the third, the model, is asked in routing.py."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from services.catalog.keywords import whole_table
from services.catalog.loader import Catalog
from services.router.facts import Understood
from services.router.features import seen
from services.router.fitting import model_for
from services.router.masking import Masker
from services.router.rulings import DomainRulings
from services.router.weighing import Vote
from services.text.encoder import encode
from services.text.words import Vocabulary

KEYWORD = "keyword"
SCOPE = "scope"
LLM = "llm"

_SHARES: Final = ((0.90, 0.97), (0.70, 0.93), (0.50, 0.88), (0.35, 0.75))
"""From which share of the model an intent gets which confidence, as left-out texts bear it out; below, none does."""
_AGREES: Final = 0.50
"""From this share on the letters bear out what the words say, and the meaning is not asked."""


class KeywordVoter:
    """Votes by the catalog's cues."""

    def __init__(self, catalog: Catalog) -> None:
        self._weight = catalog.routing.weights.keyword
        self._table, self._vocabulary = whole_table(catalog)
        self._idioms = Vocabulary(catalog.lexicon.idioms)

    @property
    def phrases(self) -> frozenset[str]:
        """Every phrase that a cue asks for."""
        return self._table.phrases

    def vote(self, question: Understood) -> Vote | None:
        """Return the vote, or None where no cue holds."""
        return self.vote_on(question, (question,))

    def vote_on(self, question: Understood, said: Sequence[Understood]) -> Vote | None:
        """Return the vote on a question of which several turns say a part."""
        turns = [turn.reading.meant(self._vocabulary, self._idioms) for turn in said]
        covered = [self._table.arbiter.covered(hits) for hits in turns]
        speaking = frozenset[str]().union(*(hits.keys() - hidden for hits, hidden in zip(turns, covered, strict=True)))
        phrases = frozenset[str]().union(*turns)
        found = self._table.scores(phrases, question.facts, phrases - speaking)
        if not found:
            return None
        evidence = ", ".join(found[0].evidence)
        return Vote(KEYWORD, self._weight, {one.intent: one.score for one in found}, f"words: {evidence}")


class ScopeVoter:
    """Votes by likeness to what people say for each intent, and by whether what is named fits the domain."""

    def __init__(self, catalog: Catalog, data_dir: Path | None = None) -> None:
        """`data_dir` keeps a model that is fitted to the installed domains."""
        self._catalog = catalog
        self._weight = catalog.routing.weights.scope
        self._rulings = DomainRulings(catalog)
        self._masker = Masker(catalog)
        self._model = model_for(catalog, data_dir)

    def vote(self, question: Understood, words: Vote | None) -> Vote | None:
        """Return the vote, or None where no intent is likely; the encoder is asked only where letters do not settle it.

        Args:
            question: The question.
            words: What the keyword voter says.
        """
        view = seen(question, self._masker)
        shares = self._fitting(self._model.by_letters(view), question)
        if words is not None and shares.get(words.intent, 0.0) >= _AGREES:
            return self._vote(shares, "letters")
        vector = encode([view.wording])[0]
        return self._vote(self._fitting(self._model.by_meaning(view, vector), question), "meaning")

    def vote_on_part(self, question: Understood) -> Vote | None:
        """Return the vote on a part of a question by its letters alone."""
        view = seen(question, self._masker)
        return self._vote(self._fitting(self._model.by_letters(view), question), "letters")

    def _vote(self, shares: Mapping[str, float], by: str) -> Vote | None:
        scores = {}
        for intent, share in sorted(shares.items(), key=lambda item: -item[1]):
            confidence = next((score for least, score in _SHARES if share >= least), None)
            if confidence is not None:
                scores[intent] = confidence
        return Vote(SCOPE, self._weight, scores, f"{by}: {max(shares.values()):.2f}") if scores else None

    def _fitting(self, shares: Mapping[str, float], question: Understood) -> dict[str, float]:
        """Return the shares among the intents that the entities leave possible.

        Those of domains that are not installed keep theirs: what is meant for one of them is no other's.
        """
        known, possible = self._catalog.intents, self._rulings.leaves_possible
        ours = {one: share for one, share in shares.items() if one in known and possible(one, question.entities)}
        total = sum(ours.values()) + sum(share for one, share in shares.items() if one not in known) or 1.0
        return {intent: share / total for intent, share in ours.items()}
