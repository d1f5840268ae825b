"""Articles of law as a statement numbers them: 제십조의2 · 민법 623조 · article XII · section twelve."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import chain
from typing import Final

from services.text.numbers.numerals import ENGLISH_NUMBERS, english_words_value, korean_value
from services.text.patterns import Pattern
from services.text.stated.figures import StatedFigure, stated_at
from services.text.stated.units import FigureUnit

NUMBER_WORDS: Final = "|".join((*ENGLISH_NUMBERS, "hundred", "thousand", "million", "billion", "trillion", "zero"))
"""The words of English numbers, one or the other."""
_ARTICLE_KO: Final = Pattern(
    r"제\s?(?P<number>[일이삼사오육칠팔구십백]{1,6})\s?조(?:\s?의\s?(?P<branch>[0-9]{1,2}|[일이삼사오육칠팔구십]{1,3}))?"
)
_ARTICLE_EN: Final = Pattern(
    rf"(?:\b(?:article|section|clause|paragraph|schedule|chapter|regulation|annex|art\.|sec\.|para\.)|§)\s?(?P<number>[0-9]{{1,4}}|[IVXLC]{{1,7}}\b|(?:{NUMBER_WORDS})(?:[\s-](?:{NUMBER_WORDS}))*\b)"
    r"(?:-(?P<branch>[0-9]{1,2}))?",
    re.IGNORECASE,
)
_ARTICLE_PLAIN: Final = Pattern(
    r"(?<=[법령칙례])\s?(?P<number>[0-9]{1,4}|[일이삼사오육칠팔구십백]{1,6})\s?조(?!\s?[0-9]*\s?(?:원|억|만|달러))"
    r"(?:\s?의\s?(?P<branch>[0-9]{1,2}|[일이삼사오육칠팔구십]{1,3}(?![가-힣]{2})))?"
)
_ORDINAL_EN: Final = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|[a-z]+teenth|[a-z]+tieth"
    "|[0-9]{1,4}(?:st|nd|rd|th)"
)
_BESIDE_ARTICLES: Final = Pattern(
    r"(?:별표|별지|부칙|서식)\s?(?:제\s?)?[0-9일이삼사오육칠팔구십]{1,3}(?![0-9])|제\s?[0-9]{1,3}\s?호\s?서식"
    rf"|\b(?:{_ORDINAL_EN})\s(?:article|section|clause|paragraph|schedule|chapter)\b",
    re.IGNORECASE,
)
"""Parts of statutes that no row numbers: schedules, forms, supplements, and articles by their place."""
_ARTICLE_HINT: Final = Pattern(
    r"조|§|별표|별지|부칙|서식|\b(?:art|sec|clause|para|schedule|chapter|regulation|annex)", re.IGNORECASE
)
_BRANCHES_MAX: Final = 1000
_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def articles(text: str) -> Iterator[StatedFigure]:
    """Yield articles of law that are numbered in words, in Roman figures, or without the word that announces them.

    Parts of statutes that no row numbers are unreadable.
    """
    if _ARTICLE_HINT.search(text) is None:
        return
    for match in chain.from_iterable(pattern.finditer(text) for pattern in (_ARTICLE_KO, _ARTICLE_PLAIN, _ARTICLE_EN)):
        said = match.groupdict()
        branch = _number(said.get("branch") or "0") or Decimal(0)
        number = _number(match["number"])
        if number is not None:
            value = number + branch / _BRANCHES_MAX
            yield stated_at(text, match.span(), value, FigureUnit.ARTICLE, step="0.001")
    for match in _BESIDE_ARTICLES.finditer(text):
        yield stated_at(text, match.span(), Decimal(0), FigureUnit.UNREADABLE)


def _number(written: str) -> Decimal | None:
    """Return what digits, Korean or English words or Roman figures write; None where they write no number."""
    if written.isdecimal():
        return Decimal(written)
    if "가" <= written[:1] <= "힣":
        return korean_value(written)
    values = [_ROMAN.get(letter, 0) for letter in written.upper()]
    if all(values):
        return Decimal(sum(-one if one < after else one for one, after in zip(values, (*values[1:], 0), strict=True)))
    return english_words_value(written)
