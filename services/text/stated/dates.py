"""Days, months, quarters and years that a statement names in figures, as far as it names them.

Other than the dates of a question (`dates.py`) these are read against no today: a statement's "11월 26일" fits that day
of any year, and it is a set of known days that decides whether it is right.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from services.text.calendar import YEAR_MAX, YEAR_MIN
from services.text.patterns import Pattern

_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month_name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>[0-9]{4})"
_MONTH_WORDS = (
    "January",
    "February",
    "April",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MONTHS_AND_WORDS = ("March", "May")
_BEFORE_MONTHS = ("in", "of", "since", "by", "from", "to", "until", "for", "late", "early", "last", "than")
_MONTH_LEADS = "|".join(rf"(?<=\b{word}\s)" for word in _BEFORE_MONTHS)
_MONTHS_KO_LONGEST_FIRST = "십일월|십이월|일월|이월|삼월|사월|오월|유월|칠월|팔월|구월|시월"
_MONTHS_KO = {
    "일월": 1,
    "이월": 2,
    "삼월": 3,
    "사월": 4,
    "오월": 5,
    "유월": 6,
    "칠월": 7,
    "팔월": 8,
    "구월": 9,
    "시월": 10,
    "십일월": 11,
    "십이월": 12,
}
_PATTERNS = tuple(
    Pattern(rf"(?<![0-9A-Za-z.,\-/])(?:{pattern})(?![0-9])", re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}(?P<mark>[-/]|\.\s?)(?P<month>[0-9]{{1,2}})(?P=mark)(?P<day>[0-9]{{1,2}})\.?(?:T[0-9:.+Z]+)?",
        rf"{_YEAR}-(?P<month>[0-9]{{2}})(?!-)",
        rf"{_YEAR}\s?년\s?(?P<month>[0-9]{{1,2}})\s?월(?:\s?(?P<day>[0-9]{{1,2}})\s?일)?",
        rf"(?:{_YEAR}\s?년\s?)(?P<quarter>[1-4])\s?(?:/\s?4\s?)?분기",
        rf"{_YEAR}\s?년\s?(?P<half>상|하)반기",
        rf"{_YEAR}\s?년(?!\s?(?:간|동안|차|만기))",
        r"(?P<month>[0-9]{1,2})\s?월(?:\s?(?P<day>[0-9]{1,2})\s?일)?",
        r"(?P<quarter>[1-4])\s?(?:/\s?4\s?)?분기(?!\s?(?:연속|동안|째|만))",
        rf"{_MONTH}\s{_DAY}(?:,\s?|\s){_YEAR}",
        rf"{_DAY}\s{_MONTH}\s{_YEAR}",
        rf"{_MONTH},?\s{_YEAR}",
        rf"{_MONTH}\s{_DAY}",
        rf"{_DAY}\s{_MONTH}\b",
        rf"(?:q(?P<quarter>[1-4])|(?P<quarter_word>first|second|third|fourth)\squarter)(?:\s(?:of\s)?{_YEAR})?",
        rf"(?:(?<=\bin\s)|(?<=\bof\s)|(?<=\bsince\s)|(?<=\bby\s)|(?<=\bduring\s)){_YEAR}",
        rf"(?-i:(?P<month_word>{'|'.join(_MONTH_WORDS)}))(?![A-Za-z])",
        rf"(?:{_MONTH_LEADS})(?-i:(?P<month_or_word>{'|'.join(_MONTHS_AND_WORDS)}))(?![A-Za-z])",
        rf"(?<![가-힣])(?P<month_ko>{_MONTHS_KO_LONGEST_FIRST})(?=[에의은까부말초중보]|\s|[.,)]|$)",
    )
)
_QUARTER_WORDS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class When:
    """A day or a period, with as much of it as the words name."""

    year: int | None
    """The year; None where none was said."""
    first_month: int
    """First month of the period, 1 to 12."""
    last_month: int
    """Last month of the period."""
    day: int | None
    """The day of the month; None for a whole period."""

    def holds(self, day: date) -> bool:
        """Tell whether `day` is the day that is named, or lies in the period."""
        return (
            self.year in {None, day.year}
            and self.first_month <= day.month <= self.last_month
            and self.day in {None, day.day}
        )

    def covers(self, other: "When") -> bool:
        """Tell whether `other` names this day or period, or a part of it."""
        return (
            self.year in {None, other.year}
            and self.first_month <= other.first_month
            and other.last_month <= self.last_month
            and self.day in {None, other.day}
        )


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A date with its place in the text."""

    when: When
    """What it names."""
    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""


def named_dates(text: str) -> Iterator[NamedDate]:
    """Yield the dates of a text, the longest reading of each place; what is no date of the calendar is none."""
    taken = bytearray(len(text))
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            when = _when(match)
            if when is not None and not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
                yield NamedDate(when, *match.span())


def _when(match: re.Match[str]) -> When | None:
    parts = match.groupdict()
    year = int(parts["year"]) if parts.get("year") else None
    day = int(parts["day"]) if parts.get("day") else None
    first, last = _months(parts)
    is_year = year is None or YEAR_MIN <= year <= YEAR_MAX
    if not is_year or not 1 <= first <= last <= 12 or not _is_day(year, first, day):
        return None
    return When(year, first, last, day)


def _months(parts: dict[str, str | None]) -> tuple[int, int]:
    if spelled := parts.get("month_ko"):
        return _MONTHS_KO[spelled], _MONTHS_KO[spelled]
    if name := parts.get("month_name") or parts.get("month_word") or parts.get("month_or_word"):
        month = _MONTH_NAMES.index(name[:3].lower()) + 1
        return month, month
    if digits := parts.get("month"):
        return int(digits), int(digits)
    if half := parts.get("half"):
        return (1, 6) if half == "상" else (7, 12)
    word = parts.get("quarter_word")
    quarter = _QUARTER_WORDS.index(word.lower()) + 1 if word else int(parts.get("quarter") or 0)
    return (3 * quarter - 2, 3 * quarter) if quarter else (1, 12)


def _is_day(year: int | None, month: int, day: int | None) -> bool:
    try:
        date(year or 2000, month, 1 if day is None else day)
    except ValueError:
        return False
    return True
