"""What people state that tells one situation of law from another (law_facts.yaml)."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, Literal

from services.plugin.documents import read_yaml
from services.plugin.entries import Entry
from services.text.patterns import Pattern

_PACKAGE: Final = "services.domains.realty.asks.law"
FILE: Final = "law_facts.yaml"
"""What tells a situation from its neighbours."""
Declared = Mapping[Literal["has", "lacks", "needs"], tuple[str, ...]]
"""What a situation declares of facts, by their names."""


class SituationFacts(Entry):
    """What people state that tells one situation from another."""

    facts: Mapping[str, Mapping[str, str]]
    """Regular expressions by name, in groups: by whom, on what, what they do, in which state, what holds, what is asked."""
    situations: Mapping[str, Declared]
    """For each situation the facts that speak for it, those that it cannot be with and those that it cannot be without:
    of alternatives, joined by a stroke, one has to be stated."""
    kin: tuple[frozenset[str], ...]
    """Situations of which either answers what is near to both."""

    def by_name(self) -> dict[str, str]:
        """Return all facts by their names."""
        return {name: words for group in self.facts.values() for name, words in group.items()}


def states_a_fact(text: str) -> bool:
    """Tell whether a text states who, what or how of some situation; what it asks, and holds, anything may."""
    return any(_is_stated(group, text) for group in ("who", "about", "does", "state"))


def says_who_does(text: str) -> bool:
    """Tell whether a text states who does something, or on what and when, which tells a situation in whatever words."""
    who = _is_stated("who", text) or (_is_stated("about", text) and _is_stated("state", text))
    return who and _is_stated("does", text)


def _is_stated(group: str, text: str) -> bool:
    """Tell whether a text states a fact of a group."""
    return any(compiled(words).search(text) for words in facts().facts[group].values())


@cache
def facts() -> SituationFacts:
    """Return what tells situations from their neighbours."""
    return SituationFacts.model_validate(read_yaml(_PACKAGE, FILE))


@lru_cache(maxsize=512)
def compiled(words: str) -> Pattern:
    """Return the pattern of some words."""
    return Pattern(words, re.IGNORECASE)
