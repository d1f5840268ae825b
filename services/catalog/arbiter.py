"""Settles whose a question is where words of several domains stand in it.

Each noun speaks for the domain that owns it, and a thing that is named for the domain that reads its kind. Of two
phrases that overlap the longer one speaks. A cue then holds by what it rests on:

its own nouns           it holds; one of a domain that is in every deployment gives way to the nouns of any other
nouns of its ground     it gives way to the nouns of another domain on the same ground
nobody's words          it gives way to every noun of another domain; where there is none, a word that several domains
                        say is meant of its declared owner

Of the readers of asks, those are asked whose own nouns, or their ground's, stand in a message; where nobody's do, all.
"""

import bisect
import functools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from services.catalog.facts import kind_of_fact
from services.catalog.lexicon import Lexicon
from services.catalog.loader import catalog
from services.contract.entities import Entity
from services.plugin.asks.sheet import Sheet
from services.text.reading import meant
from services.text.words import PhraseHit, Vocabulary

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


@dataclass(frozen=True, slots=True)
class SpokenDomains:
    """Of which domains a message speaks."""

    nouns: frozenset[str]
    """Those whose nouns stand in it; what anyone says anywhere is left out."""
    terms: frozenset[str]
    """Those whose terms it names."""


def is_read_by(domain: str, spoken: SpokenDomains) -> bool:
    """Tell whether a domain's reader is asked about a message.

    It is not where nouns or terms of others stand and none of its own or of its ground, whatever names are there: an
    order goes to a place, and a person works at a company. A domain that others build on gives way to their nouns, not
    to their terms, which may be its own as well. What a domain of every deployment says keeps nobody out.
    """
    if any(builds_on(one, domain) for one in spoken.nouns):
        return False
    said = spoken.nouns | spoken.terms
    is_ground = any(builds_on(one, domain) for one in said)
    return not said or is_ground or domain in catalog().lexicon.yielding or not ground_of(domain).isdisjoint(said)


def ground_of(domain: str) -> frozenset[str]:
    """Return a domain with those that it builds on."""
    return catalog().lexicon.ground(domain)


def builds_on(domain: str, other: str) -> bool:
    """Tell whether a domain builds on another one."""
    return domain != other and other in ground_of(domain)


def spoken_of(sheet: Sheet) -> SpokenDomains:
    """Return of which domains a message speaks; "전세" in "전세대출" is no term that it names."""
    kinds, hits = catalog().kinds, _nouns_in(sheet)
    owners = _arbiter().owners(hits, _arbiter().covered(hits))
    nouns = _Places((hit.start, hit.end) for places in hits.values() for hit in places)
    terms = (one for one in _things(sheet) if not kinds[one.kind].is_name and not nouns.hold(one.start, one.end))
    return SpokenDomains(
        frozenset(owners.values()) - catalog().lexicon.yielding, frozenset(kinds[one.kind].domain for one in terms)
    )


def _things(sheet: Sheet) -> list[Entity]:
    """Return what a message names of kinds that any question may have."""
    owners = catalog().kind_owners
    return [one for one in sheet.entities if one.end and one.kind in owners]


@functools.cache
def _nouns() -> tuple[Vocabulary, Vocabulary]:
    """Return the owned nouns, and the phrases that hide them."""
    lexicon = catalog().lexicon
    return Vocabulary(lexicon.owners), Vocabulary(lexicon.idioms)


def _nouns_in(sheet: Sheet) -> Mapping[str, Sequence[PhraseHit]]:
    """Return where owned nouns stand in a message.

    What stands in a number or a name is a part of it, and what is joined to one is its unit or ending: "1%포인트",
    "4%라면", "관악구라면", "마이크로소프트".
    """
    taken = [*((one.start, one.end) for one in sheet.numbers), *((one.start, one.end) for one in _things(sheet))]
    hits, within, ends = _hits(sheet.text), _Places(taken), {end for _, end in taken}
    said = {
        phrase: [
            one
            for one in places
            if one.start not in ends and not within.hold(one.start, one.end) and not _is_torn(one, sheet.text)
        ]
        for phrase, places in hits.items()
    }
    return {phrase: places for phrase, places in said.items() if places}


def _is_torn(hit: PhraseHit, text: str) -> bool:
    """Tell whether a noun of two syllables was found across two words: the 구두 of "구 두 곳"."""
    return len(hit.phrase) == _TWO and " " in text[hit.start : hit.end]


_TWO: Final = 2


class _Places:
    """Places in a text, asked in the time of a search whether one of them is longer than another place and holds it."""

    def __init__(self, places: Iterable[tuple[int, int]]) -> None:
        found = sorted(places)
        self._starts = [start for start, _ in found]
        self._reach = list(accumulate((end for _, end in found), max))

    def hold(self, start: int, end: int) -> bool:
        """Tell whether one of the places holds another one and is longer."""
        before = bisect.bisect_left(self._starts, start)
        until = bisect.bisect_right(self._starts, start)
        return bool(before and self._reach[before - 1] >= end) or bool(until and self._reach[until - 1] > end)


@functools.cache
def _arbiter() -> Arbiter:
    return Arbiter(catalog().lexicon, catalog().kind_owners)


@functools.lru_cache(maxsize=512)
def _hits(text: str) -> Mapping[str, Sequence[PhraseHit]]:
    """Return where a text says and means an owned noun."""
    return meant(text, *_nouns())
