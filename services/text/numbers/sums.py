"""What a trade says of sums of money without saying their unit; the domains give the words."""

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from services.text.patterns import Pattern

_DIGITS = r"[0-9][0-9,]{2,6}"
_START = r"(?<![0-9/.,-])"
_NOTHING = r"(?!)"


@dataclass(frozen=True, slots=True)
class SumWords:
    """Words of a trade for sums; each text is a pattern, and an empty one says nothing."""

    nouns: str = ""
    """Nouns behind which a bare number of three digits or more is a sum whose unit has to be asked."""
    large: str = ""
    """What a trade calls the first of two sums that it says as one, in 만원: "1000/70"."""
    small: str = ""
    """What it calls the second, "월" for one that is paid by the month among it."""
    signs: str = ""
    """Words that say that such a pair may stand in the text, so that "10/70" is no day."""


@dataclass(frozen=True, slots=True)
class SumPatterns:
    """The patterns that the words make."""

    noun: Pattern
    """A noun right before the figure."""
    sign: Pattern
    """That a pair is spoken of."""
    slashed: Pattern
    """"1000/70"."""
    spoken: tuple[Pattern, ...]
    """The same two figures in words, either way round; only where a sign is."""
    second: Pattern
    """The second of a pair behind a first that has its unit."""


@functools.cache
def patterns_of(words: tuple[SumWords, ...], counters: str) -> SumPatterns:
    """Return the patterns of all words together.

    Args:
        words: The words of each trade.
        counters: What a figure counts that is no money.
    """
    nouns, large, small, signs = (
        _any(getattr(one, name) for one in words) for name in ("nouns", "large", "small", "signs")
    )
    pair = Pattern(
        rf"{_START}(?P<large>[0-9][0-9,]{{0,6}})\s?/\s?(?P<small>[0-9]{{1,4}})(?![0-9/])(?:\s?만\s?원?|\s?원)?"
    )
    return SumPatterns(
        noun=Pattern(rf"(?:예산|가격|연봉|연소득|소득|금액|{nouns})(?:은|는|이|가|을|를|에|만)?\s*$"),
        sign=Pattern(signs, re.IGNORECASE),
        slashed=pair if words else Pattern(_NOTHING),
        spoken=(
            Pattern(
                rf"{_START}(?P<large>{_DIGITS})(?:만)?\s?(?:에|이고)\s?(?:{small})?\s?(?P<small>[0-9]{{1,4}})(?:만)?"
                r"(?![0-9/,.]|\s?[천억원%개평층])"
            ),
            Pattern(
                rf"(?:(?!월\s?[0-9])(?:{small})|(?<![가-힣0-9])월)\s?(?P<small>[0-9]{{1,4}})(?:만)?\s?(?:에|이고|,)?"
                rf"\s?(?:{large})\s?(?P<large>{_DIGITS})(?:만)?(?![0-9/,.]|\s?(?:[천억원]|{counters}))"
            ),
        ),
        second=Pattern(
            rf"\s?(?:/\s?(?:월\s?)?|(?:에|이고|,)\s?(?:{small})(?:는|은)?\s?)(?P<small>[0-9]{{1,4}})"
            rf"(?![0-9/,.]|\s?(?:[천만억원]|{counters}))"
            if words
            else _NOTHING
        ),
    )


def _any(patterns: Iterable[str]) -> str:
    return "|".join(one for one in patterns if one) or _NOTHING
