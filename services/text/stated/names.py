"""Finds the names that a statement gives, each with what it names, in a table of names.

A question is read with care for what its words may mean; a statement is only held against the names that its rows
bear, so that here a table and the edges of words are enough, and cheap. Names that are ordinary words too are left out
of the table by those who give it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from services.text.countries import country_names
from services.text.patterns import Pattern

_LETTER = Pattern(r"[0-9A-Za-z가-힣]")
_BEGINNING = Pattern(r"(?<![0-9A-Za-z가-힣])[0-9A-Za-z가-힣].", re.DOTALL)
_WORD_START = Pattern(r"(?<![0-9A-Za-z가-힣])[0-9A-Za-z가-힣]")
_PARTICLES = Pattern(
    r"(?:은|는|이|가|을|를|의|에|도|만|과|와|로|으로|에서|에게|에는|에도|에서는|까지|부터|보다|처럼|이나|나|이며|이고|하고|입니다|인|이란|란|이라는|라는|측|사)+(?![가-힣])"
)
_WORDS_TOO: Final = frozenset({"이란", "인도", "chile", "turkish"})
"""Names of countries that a sentence has as an ordinary word too, or as part of one."""
_NAME_LENGTH_MIN: Final = 2


@dataclass(frozen=True, slots=True)
class NamedThing:
    """One name with its place in a text."""

    key: str
    """What it names: the id of a thing, "JP" for a country; two names of one thing have the same."""
    name: str
    """The name as the table writes it."""
    start: int
    """Where it begins, in code points."""
    end: int
    """Where it ends, exclusive; a particle behind it is not part of it."""


class NameTable:
    """Finds names; made once."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Take the names with what each names; the first that gives a name has it, the countries come last."""
        by_beginning: dict[str, dict[str, str]] = {}
        for name, key in (*names, *_countries()):
            lowered = _lower(name)
            if len(lowered) >= _NAME_LENGTH_MIN:
                by_beginning.setdefault(lowered[:2], {}).setdefault(lowered, key)
        # The longest first.
        self._table = {
            beginning: tuple(sorted(found.items(), key=lambda item: -len(item[0])))
            for beginning, found in by_beginning.items()
        }

    def names_in(self, text: str) -> tuple[NamedThing, ...]:
        """Return the names of a text in its order, the longest at each place."""
        found, end = [], 0
        lowered = _lower(text)
        if self._table.keys().isdisjoint(map(_lower, _BEGINNING.findall(text))):
            return ()
        for word in _WORD_START.finditer(text):
            at = word.start()
            if at < end or lowered[at : at + 2] not in self._table:
                continue
            if (thing := self._longest(text, lowered, at)) is not None:
                found.append(thing)
                end = thing.end
        return tuple(found)

    def _longest(self, text: str, lowered: str, at: int) -> NamedThing | None:
        for name, key in self._table[lowered[at : at + 2]]:
            end = at + len(name)
            if lowered.startswith(name, at) and _ends_name(text, name, at, end):
                return NamedThing(key, name, at, end)
        return None


def _lower(text: str) -> str:
    """Return a text in lower case, each letter at its place: a letter that becomes two ("İ") stays as it is."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)


def _ends_name(text: str, name: str, at: int, end: int) -> bool:
    """Tell whether the name ends there: at the edge of its word, or before a particle."""
    if name.isascii() and not text[at].isupper() and not text[at].isdigit():
        return False
    behind = text[end : end + 1]
    if not behind or not _LETTER.match(behind):
        return True
    return "가" <= behind <= "힣" and (name.isascii() or len(name) > 3 or _PARTICLES.match(text, end) is not None)


def _countries() -> Iterator[tuple[str, str]]:
    return ((name, code) for name, code in country_names().items() if name.lower() not in _WORDS_TOO)
