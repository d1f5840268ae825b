"""Whose a figure is, as a sentence says it: of which of the answer's subjects, or of something that it does not cover.

A subject is named by the words that tell it from the others ("강남구" of "서울특별시 강남구 아파트 매매"), and by any
name of the company, district or country in it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from services.plugin.names import NamedThing, name_keys
from services.text.patterns import Pattern

_TOKEN: Final = Pattern(r"[0-9A-Za-z가-힣&'.\-]+")
_TOKEN_LENGTH_MIN: Final = 2
_COUNTRIES: Final = frozenset({"US", "KR"})
_GRAMMAR: Final = frozenset(
    {"in", "of", "the", "and", "for", "on", "at", "to", "an", "by", "with", "from", "all"}
    | {"price", "prices", "index", "rate", "rates", "value", "total", "items", "average"}
)
"""Words of names that sentences have for other things."""
NOBODY: Final = frozenset({""})
"""The subject of a sentence about something that no evidence is about; no fact has it."""


@dataclass(frozen=True, slots=True)
class SubjectMention:
    """One place of a text that names a subject."""

    subjects: frozenset[str]
    """Those that it may mean; NOBODY for what the evidence is not about."""
    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""
    is_whole: bool = False
    """Whether it is a subject's whole name."""


class Subjects:
    """The subjects of an answer.

    Args:
        names: What the figures are about.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(sorted({name for name in names if name}, key=len, reverse=True))
        """The subjects, the longest first."""
        self._keys = {name: _keys_of(name) for name in self.names}
        self._countries = frozenset().union(*self._keys.values()) & _COUNTRIES if self.names else frozenset()
        self._tokens = self._telling_tokens()
        tokens = sorted(self._tokens, key=len, reverse=True)
        self._token_pattern = Pattern("|".join(_bounded(token) for token in tokens), re.IGNORECASE) if tokens else None

    def mentions(self, text: str, names: Iterable[NamedThing]) -> tuple[SubjectMention, ...]:
        """Return the places of a text that name a subject, in its order; `names` are those that it holds."""
        found = [mention for thing in names if (mention := self._of_name(thing)) is not None]
        found += [
            SubjectMention(frozenset({name}), at, at + len(name), is_whole=True)
            for name in self.names
            for at in _places(text, name)
        ]
        for match in self._token_pattern.finditer(text) if self._token_pattern else ():
            found.append(SubjectMention(self._tokens[match.group().lower()], *match.span()))
        return tuple(sorted(found, key=lambda mention: (mention.start, -mention.end)))

    def meant(self, mentions: Iterable[SubjectMention]) -> frozenset[str] | None:
        """Return the subjects that some mentions name, by whole names or most of their words; None without any."""
        found = tuple(mentions)
        wholes = [one for one in found if one.is_whole and not any(_within(one, other) for other in found)]
        if wholes:
            return frozenset().union(*(one.subjects for one in wholes))
        scores: dict[str, int] = {}
        seen = False
        for mention in found:
            seen = True
            for subject in mention.subjects - NOBODY:
                scores[subject] = scores.get(subject, 0) + mention.end - mention.start
        if not seen:
            return None
        best = max(scores.values(), default=0)
        return frozenset(subject for subject, score in scores.items() if score == best) or NOBODY

    def _of_name(self, thing: NamedThing) -> SubjectMention | None:
        if not thing.key:
            return None
        subjects = frozenset(name for name in self.names if thing.key in self._keys[name])
        if not subjects and thing.key in _COUNTRIES and not self._countries:
            return None
        return SubjectMention(subjects or NOBODY, thing.start, thing.end)

    def _telling_tokens(self) -> dict[str, frozenset[str]]:
        """Return the words that not every subject has, with the subjects that have them."""
        having: dict[str, set[str]] = {}
        for name in self.names:
            for token in _TOKEN.findall(name):
                if len(token) >= _TOKEN_LENGTH_MIN and not token.isdigit() and token.lower() not in _GRAMMAR:
                    having.setdefault(token.lower(), set()).add(name)
        return {token: frozenset(names) for token, names in having.items() if len(names) < len(self.names)}


def _within(one: SubjectMention, other: SubjectMention) -> bool:
    """Tell whether a whole name stands within a longer one."""
    return (
        other.is_whole
        and other is not one
        and other.start <= one.start
        and one.end <= other.end
        and (other.end - other.start > one.end - one.start)
    )


def _keys_of(name: str) -> frozenset[str]:
    keys = name_keys(name)
    countries = {key[:2] for key in keys if key[:2] in _COUNTRIES}
    return keys | countries


def _places(text: str, name: str) -> list[int]:
    places, at = [], text.find(name)
    while at >= 0:
        places.append(at)
        at = text.find(name, at + 1)
    return places


def _bounded(token: str) -> str:
    """Return the pattern of a token at the beginning of a word, and at its end where it is Latin."""
    ending = r"(?![A-Za-z])" if token[-1].isascii() else ""
    return rf"(?<![0-9A-Za-z가-힣]){re.escape(token)}{ending}"
