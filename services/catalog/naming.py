"""Finds what the catalog names in a question: macro series, kinds of homes and of deals, product categories."""

import functools
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

from services.plugin.declarations import NamedKind, Series


class Place(Protocol):
    """Where a phrase stands in a text."""

    @property
    def phrase(self) -> str:
        """The phrase that was looked for."""
        ...

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        ...


FindLongest = Callable[[Iterable[str]], Sequence[Place]]
"""Returns the places of phrases that lie inside no longer one (`PhraseIndex.find_longest`)."""


def series_named(
    series: Sequence[Series], find_longest: FindLongest, countries: Collection[str], default_country: str
) -> tuple[str, ...]:
    """Return the ids of the macro series that a question names, in the order of the text, each once.

    Args:
        series: The series of the catalog.
        find_longest: Looks phrases up in the question.
        countries: The countries that it names, "US" or "KR"; a name that both have means those.
        default_country: Whose figure a shared name means where no country is named.
    """
    by_alias = _by_alias(tuple(series))
    found: dict[str, None] = {}
    for place in find_longest(by_alias):
        for one in _of_countries(by_alias[place.phrase], countries, default_country):
            found.setdefault(one.id)
    return tuple(found)


def kinds_named(kinds: Sequence[NamedKind], find_longest: FindLongest) -> tuple[str, ...]:
    """Return the ids of the kinds that a question names, in the order of the text, each once."""
    by_word = _by_word(tuple(kinds))
    return tuple(dict.fromkeys(by_word[place.phrase] for place in find_longest(by_word)))


@functools.lru_cache(maxsize=8)
def _by_alias(series: tuple[Series, ...]) -> dict[str, list[Series]]:
    by_alias: dict[str, list[Series]] = {}
    for one in series:
        for alias in sorted({one.id, one.name.ko, one.name.en, *one.aliases}):
            by_alias.setdefault(alias.casefold(), []).append(one)
    return by_alias


@functools.lru_cache(maxsize=8)
def _by_word(kinds: tuple[NamedKind, ...]) -> dict[str, str]:
    return {word.casefold(): kind.id for kind in kinds for word in sorted({kind.name.ko, kind.name.en, *kind.words})}


def _of_countries(candidates: list[Series], countries: Collection[str], default_country: str) -> list[Series]:
    named = [one for one in candidates if one.country in countries]
    if named or len({one.country for one in candidates}) == 1:
        return named or candidates
    return [one for one in candidates if one.country == default_country]
