"""What the language reads otherwise beside the words of some trade; the domains give the words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields

NOTHING = r"(?!)"
"""The pattern of no word at all."""


@dataclass(frozen=True, slots=True)
class Speech:
    """Words of trades, Korean and English, by what the language makes of them."""

    counters: tuple[str, ...] = ()
    """What a trade counts its pieces in, beside the language's own counters."""
    wanted: tuple[str, ...] = ()
    """Words beside which a number alone counts pieces: where the pieces are put."""
    scored: tuple[str, ...] = ()
    """What a number behind it is a score of, and no count of pieces."""
    aged: tuple[str, ...] = ()
    """What stands behind the age of a person: "30대" before it counts no pieces."""
    left_over: tuple[str, ...] = ()
    """What stays from one season to the next: "이월" before it is no February."""
    monthly: tuple[str, ...] = ()
    """What is published by the month, so that "May" and "March" before it are months."""
    attributes: tuple[str, ...] = ()
    """What a thing has: who asks what that is asks for its value, and not what a word means."""


def joined(parts: Iterable[Speech]) -> Speech:
    """Return the words of all parts together."""
    told = tuple(parts)
    return Speech(*(tuple(word for one in told for word in getattr(one, field.name)) for field in fields(Speech)))


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of any of the words, the longest first; of none where there are none."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or NOTHING
