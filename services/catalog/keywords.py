"""The keyword voter's rule: how strongly the words of a question speak for each intent."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from services.catalog.arbiter import Arbiter
from services.catalog.loader import Catalog
from services.plugin.declarations import Cue, Intent
from services.text.words import Vocabulary


@dataclass(frozen=True, slots=True)
class KeywordScore:
    """What the words say for one intent."""

    intent: str
    """The intent's id."""
    score: float
    """0 to 1: the strongest of its cues that holds."""
    evidence: tuple[str, ...]
    """For each item of that cue a term that was found, so that a reader can see why."""


@dataclass(frozen=True, slots=True)
class _FlatCue:
    """A cue whose groups are written out, so that an item holds where two sets meet."""

    domain: str
    """Its domain."""
    intent: str
    """The intent that it speaks for."""
    score: float
    """What it gives."""
    all: tuple[frozenset[str], ...]
    """Terms of each item that must be there."""
    none: frozenset[str]
    """Terms that must not be there."""


class KeywordTable:
    """Scores intents by their cues; made once, asked for each question (about 0.1 ms)."""

    def __init__(self, catalog: Catalog, intents: Iterable[Intent] | None = None) -> None:
        """Take the intents of the catalog, or only some of them (the enabled domains)."""
        chosen = frozenset(one.id for one in (catalog.intents.values() if intents is None else intents))
        self.arbiter = Arbiter(catalog.lexicon, catalog.kind_owners)
        """Settles whose a question is."""
        flat = [
            _flat(domain.domain, intent.id, cue, terms_of)
            for domain in catalog.domains.values()
            for terms_of in [_written_out(catalog.lexicon.groups(domain.domain))]
            for intent in domain.intents
            if intent.id in chosen
            for cue in intent.cues
        ]
        self._cues = sorted(flat, key=lambda cue: (-cue.score, -len(cue.all)))
        terms = frozenset().union(*{item for cue in self._cues for item in (*cue.all, cue.none)})
        self.phrases = frozenset(term for term in terms if not term.startswith("#")) | frozenset(catalog.lexicon.owners)
        """Every phrase that some cue asks for; the caller looks them up in the question (`Reading.said`)."""

    def scores(
        self,
        said: Collection[str] | Callable[[str], bool],
        facts: Collection[str],
        covered: Collection[str] = (),
    ) -> tuple[KeywordScore, ...]:
        """Score the intents that any cue speaks for, strongest first.

        Args:
            said: Those of `phrases` that the question says and means (`Reading.said`), or what tells it for one of them
                (`Reading.says`, slower).
            facts: What was read in it (services/catalog/facts.py).
            covered: Those of `said` that speak for no owner (`Arbiter.covered`).
        """
        there = frozenset(filter(said, self.phrases) if callable(said) else said) | {f"#{fact}" for fact in facts}
        owners = self.arbiter.owners(there, covered)
        best: dict[str, KeywordScore] = {}
        for cue in self._cues:
            if cue.intent in best or not cue.none.isdisjoint(there):
                continue
            if any(item.isdisjoint(there) for item in cue.all):
                continue
            rests_on = frozenset[str]().union(*(item & there for item in cue.all))
            if not self.arbiter.holds(cue.domain, rests_on, there, owners):
                continue
            evidence = tuple(min(item & there, key=lambda term: (-len(term), term)) for item in cue.all)
            best[cue.intent] = KeywordScore(cue.intent, cue.score, evidence)
        return tuple(best.values())


@cache
def whole_table(catalog: Catalog) -> tuple[KeywordTable, Vocabulary]:
    """Return the table of all intents of a catalog with the phrases to look up for it: made once for all who ask."""
    table = KeywordTable(catalog)
    return table, Vocabulary(table.phrases)


def _flat(domain: str, intent: str, cue: Cue, terms_of: Callable[[str], frozenset[str]]) -> _FlatCue:
    return _FlatCue(
        domain=domain,
        intent=intent,
        score=cue.score,
        all=tuple(terms_of(item) for item in cue.all),
        none=frozenset().union(*map(terms_of, cue.none)),
    )


def _written_out(groups: Mapping[str, tuple[str, ...]]) -> Callable[[str], frozenset[str]]:
    """Return what gives an item's terms with its groups written out: each item once, however many cues ask for it."""

    @cache
    def terms_of(item: str) -> frozenset[str]:
        parts = item.split("|")
        words = (terms_of(word) for part in parts if part.startswith("@") for word in groups[part[1:]])
        return frozenset(part for part in parts if not part.startswith("@")).union(*words)

    return terms_of
