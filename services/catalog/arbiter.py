"""Settles whose a question is where words of several domains stand in it.

Each noun speaks for the domain that owns it, and a thing that is named for the domain that reads its kind. Of two
phrases that overlap the longer one speaks. A cue then holds by what it rests on:

its own nouns           it holds; one of a domain that is in every deployment gives way to the nouns of any other
nouns of its ground     it gives way to the nouns of another domain on the same ground
nobody's words          it gives way to every noun of another domain; where there is none, a word that several domains
                        say is meant of its declared owner
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from services.catalog.facts import kind_of_fact
from services.catalog.lexicon import Lexicon
from services.text.words import PhraseHit

_FACT: Final = "#"


class Arbiter:
    """Tells which cues hold; made once."""

    def __init__(self, lexicon: Lexicon, kind_owners: Mapping[str, str]) -> None:
        """`kind_owners` are the domains by the kinds of entities that they read."""
        self._lexicon = lexicon
        self._kind_owners = kind_owners

    def covered(self, hits: Mapping[str, Sequence[PhraseHit]]) -> frozenset[str]:
        """Return the phrases of a text that stand only inside a longer one of another owner."""
        owners = self._lexicon.owners
        owned = [hit for phrase, places in hits.items() if phrase in owners for hit in places]

        def inside(hit: PhraseHit) -> bool:
            around = (one for one in owned if one.start <= hit.start and hit.end <= one.end)
            longer = (one for one in around if one.end - one.start > hit.end - hit.start)
            return any(owners[one.phrase] != owners.get(hit.phrase) for one in longer)

        return frozenset(phrase for phrase, places in hits.items() if all(inside(hit) for hit in places))

    def owners(self, terms: Iterable[str], covered: Collection[str]) -> Mapping[str, str]:
        """Return the owner of each phrase and fact of a question that speaks for one."""
        found = {}
        for term in terms:
            if term.startswith(_FACT):
                owner = self._kind_owners.get(kind_of_fact(term))
            else:
                owner = self._lexicon.owners.get(term) if term not in covered else None
            if owner is not None:
                found[term] = owner
        return found

    def holds(self, domain: str, rests_on: Collection[str], terms: Collection[str], owners: Mapping[str, str]) -> bool:
        """Tell whether a cue of a domain holds.

        Args:
            domain: Its domain.
            rests_on: The phrases and facts that fill its items.
            terms: All phrases and facts of the question.
            owners: The owner of each of these that has one.
        """
        ground = self._lexicon.ground(domain)
        own = {owners[term] for term in rests_on if owners.get(term) in ground}
        others = {term: owner for term, owner in owners.items() if owner not in ground}
        nouns = {owner for term, owner in others.items() if not term.startswith(_FACT)}
        if domain in own:
            return domain not in self._lexicon.yielding or not nouns
        if own:
            return not any(self._lexicon.ground(owner) & own for owner in nouns)
        return not others and self._is_meant(domain, rests_on, terms)

    def _is_meant(self, domain: str, rests_on: Iterable[str], terms: Iterable[str]) -> bool:
        """Tell whether the words of several domains are meant of this one, the words that a cue rests on first."""
        bare = self._lexicon.bare
        claimed = {bare[term] for term in rests_on if term in bare} or {bare[term] for term in terms if term in bare}
        return not claimed or domain in claimed
