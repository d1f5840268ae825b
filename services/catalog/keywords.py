"""The keyword voter's rule: how strongly the words of a question speak for each intent."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from services.catalog.loader import Catalog
from services.catalog.model import Cue, Fact, Intent


@dataclass(frozen=True, slots=True)
class KeywordScore:
    """What the words say for one intent."""

    intent: str
    """The intent's id."""
    score: float
    """0 to 1: the strongest of its cues that holds."""
    evidence: tuple[str, ...]
    """The terms of that cue that were found, so that a reader can see why."""


class KeywordTable:
    """Scores intents by their cues; made once, asked for each question."""

    def __init__(self, catalog: Catalog, intents: Iterable[Intent] | None = None) -> None:
        """Take the intents of the catalog, or only some of them (the enabled domains)."""
        chosen = catalog.intents.values() if intents is None else intents
        self._groups = catalog.routing.groups
        self._cues = [
            (intent.id, cue) for intent in chosen for cue in sorted(intent.cues, key=_strength, reverse=True)
        ]

    def scores(self, says: Callable[[str], bool], facts: Collection[Fact | str]) -> tuple[KeywordScore, ...]:
        """Score the intents that any cue speaks for, strongest first.

        Args:
            says: Tells whether the question says a phrase and means it (`Reading.says`).
            facts: What was read in it, by `Fact`.
        """
        asked = _Question(says, frozenset(str(fact) for fact in facts), self._groups)
        best: dict[str, tuple[Cue, tuple[str, ...]]] = {}
        for intent, cue in self._cues:
            if intent in best:
                continue
            found = asked.evidence(cue)
            if found is not None:
                best[intent] = (cue, found)
        ranked = sorted(best.items(), key=lambda item: _strength(item[1][0]), reverse=True)
        return tuple(KeywordScore(intent, cue.score, found) for intent, (cue, found) in ranked)


def _strength(cue: Cue) -> tuple[float, int]:
    return cue.score, len(cue.all)


class _Question:
    """Answers for one question, each phrase and group asked once."""

    def __init__(
        self, says: Callable[[str], bool], facts: frozenset[str], groups: dict[str, tuple[str, ...]]
    ) -> None:
        self._says, self._facts, self._groups = says, facts, groups
        self._known: dict[str, str | None] = {}

    def evidence(self, cue: Cue) -> tuple[str, ...] | None:
        """Return the terms that were found for each item of the cue, or None when it does not hold."""
        found = []
        for item in cue.all:
            term = self._any(item)
            if term is None:
                return None
            found.append(term)
        if any(self._any(item) is not None for item in cue.none):
            return None
        return tuple(found)

    def _any(self, item: str) -> str | None:
        if item not in self._known:
            self._known[item] = next((found for term in item.split("|") if (found := self._term(term))), None)
        return self._known[item]

    def _term(self, term: str) -> str | None:
        if term not in self._known:
            self._known[term] = self._look_up(term)
        return self._known[term]

    def _look_up(self, term: str) -> str | None:
        if term.startswith("#"):
            return term if term[1:] in self._facts else None
        if term.startswith("@"):
            return next((word for word in self._groups[term[1:]] if self._term(word)), None)
        return term if self._says(term) else None
