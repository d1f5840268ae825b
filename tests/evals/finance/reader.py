"""Reads the numbers and dates of a finished text for the checker, with nothing of the product's own text layer.

A mistake that the product makes in reading its own figures must not hide itself here: these are plain expressions over
the forms in which people write sums, shares, multiples, counts and dates in Korean and English.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

_NUMBER: Final = r"\d[\d,]*(?:\.\d+)?"
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_NAMED: Final = "|".join(_MONTHS)
_DATES: Final = re.compile(
    rf"(?P<y1>\d{{4}})년 (?P<m1>\d{{1,2}})월(?: (?P<d1>\d{{1,2}})일)?|(?P<y2>\d{{4}})년 (?P<q2>[1-4])분기"
    rf"|(?P<m3>{_NAMED}) (?:(?P<d3>\d{{1,2}}), )?(?P<y3>\d{{4}})|Q(?P<q4>[1-4]) (?P<y4>\d{{4}})|(?P<y5>\d{{4}})년"
)
_SCALES: Final = {"조": 10**12, "억": 10**8, "만": 10**4, "trillion": 10**12, "billion": 10**9, "million": 10**6}
_SUM_KO: Final = re.compile(
    rf"(?P<sign>[+-])?(?=\d)(?:(?P<jo>{_NUMBER})조\s?)?(?:(?P<eok>{_NUMBER})억\s?)?(?:(?P<man>{_NUMBER})만\s?)?"
    rf"(?P<one>{_NUMBER})?(?P<unit>원|달러|명)"
)
_SUM_WORDS_KO: Final = re.compile(r"(?<![가-힣])(?P<words>[일이삼사오육칠팔구십백천만억]{2,}) ?(?P<unit>원|달러)")
_SUM_EN: Final = re.compile(
    rf"(?P<sign>[+-])?(?P<unit>\$|KRW )(?P<one>{_NUMBER})(?: (?P<scale>trillion|billion|million))?"
)
_PEOPLE_EN: Final = re.compile(rf"(?P<sign>[+-])?(?P<one>{_NUMBER})(?: (?P<scale>billion|million))? people")
_SHARE: Final = re.compile(rf"(?P<sign>[+-])?(?P<one>{_NUMBER})(?P<unit>%p|%| percentage points?)")
_COUNT: Final = re.compile(
    rf"(?P<sign>[+-])?(?P<one>{_NUMBER})(?P<unit>배| times|건|회|개월|거래일|주(?= ?범위)|일|-session|-day|-week"
    r"| sessions?| deals| announcement days| months)"
)
_BARE: Final = re.compile(rf"(?<![A-Za-z\d.,])(?P<sign>[+-])?(?P<one>{_NUMBER})(?![A-Za-z\d])")
_UNITS: Final = {
    sign: unit
    for unit, signs in (
        ("KRW", ("원", "KRW ")),
        ("USD", ("달러", "$")),
        ("PERSONS", ("명",)),
        ("PERCENT", ("%",)),
        ("PERCENTAGE_POINT", ("%p", " percentage points", " percentage point")),
        ("RATIO", ("배", " times")),
        ("COUNT", ("건", "회", " deals", " announcement days")),
        ("MONTHS", ("개월", " months")),
        ("WEEKS", ("주", "-week")),
        ("DAYS", ("일", "거래일", "-session", "-day", " sessions", " session")),
    )
    for sign in signs
}
_DIGITS_KO: Final = {sign: value for value, sign in enumerate("영일이삼사오육칠팔구")}
_TENS_KO: Final = {"십": 10, "백": 100, "천": 1_000}


@dataclass(frozen=True)
class Number:
    """One number of a text."""

    value: Decimal
    """As it stands, with a sign that is written."""
    step: Decimal
    """One in its last written place."""
    unit: str
    """The name of its unit; NONE for a bare number."""
    is_signed: bool
    """Whether a sign is written."""
    surface: str
    """As it stands."""
    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""


@dataclass(frozen=True)
class Span:
    """One date of a text: a day, a month, a quarter or a year."""

    first: date
    """Its first day."""
    last: date
    """Its last day."""
    surface: str
    """As it stands."""
    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""

    def holds(self, day: date) -> bool:
        """Tells whether a day lies in it."""
        return self.first <= day <= self.last


def dates_of(text: str) -> list[Span]:
    """Returns the dates of a text in order."""
    return [_span(match) for match in _DATES.finditer(text)]


def numbers_of(text: str) -> list[Number]:
    """Returns the numbers of a text in order, those of dates left out."""
    taken = [(span.start, span.end) for span in dates_of(text)]
    found: list[Number] = []
    for pattern in (_SUM_KO, _SUM_WORDS_KO, _SUM_EN, _PEOPLE_EN, _SHARE, _COUNT, _BARE):
        for match in pattern.finditer(text):
            if not any(start < match.end() and match.start() < end for start, end in taken):
                found.append(_number(match))
                taken.append(match.span())
    return sorted(found, key=lambda one: one.start)


def matches(number: Number, value: Decimal, unit: str) -> bool:
    """Tells whether a number is a value as far as it is written; without a sign its size counts."""
    if unit not in {number.unit, "NONE"} and number.unit != "NONE":
        return False
    told, held = (number.value, value) if number.is_signed else (abs(number.value), abs(value))
    return abs(told - held) * 2 <= number.step


def _number(match: re.Match[str]) -> Number:
    groups = match.groupdict()
    if words := groups.get("words"):
        return Number(
            Decimal(_spelled(words)), Decimal(1), _UNITS[groups["unit"]], is_signed=False,
            surface=match.group(), start=match.start(), end=match.end(),
        )  # fmt: skip
    value, step = Decimal(0), Decimal(1)
    for name, scale in (
        ("jo", 10**12),
        ("eok", 10**8),
        ("man", 10**4),
        ("one", _SCALES.get(groups.get("scale") or "", 1)),
    ):
        if digits := groups.get(name):
            plain = Decimal(digits.replace(",", ""))
            value += plain * scale
            step = Decimal(1).scaleb(int(plain.as_tuple().exponent)) * scale
    unit = _UNITS[groups["unit"]] if groups.get("unit") else "PERSONS" if match.re is _PEOPLE_EN else "NONE"
    signed = -value if groups.get("sign") == "-" else value
    return Number(signed, step, unit, bool(groups.get("sign")), match.group(), *match.span())


def _spelled(words: str) -> int:
    total, part, digit = 0, 0, 0
    for sign in words:
        if sign in _DIGITS_KO:
            digit = _DIGITS_KO[sign]
        elif sign in _TENS_KO:
            part, digit = part + (digit or 1) * _TENS_KO[sign], 0
        else:
            total, part, digit = total + (part + digit or 1) * _SCALES[sign], 0, 0
    return total + part + digit


def _span(match: re.Match[str]) -> Span:
    groups = match.groupdict()
    year = int(next(groups[name] for name in ("y1", "y2", "y3", "y4", "y5") if groups[name]))
    quarter = groups["q2"] or groups["q4"]
    month = int(groups["m1"]) if groups["m1"] else _MONTHS.index(groups["m3"]) + 1 if groups["m3"] else 0
    day = groups["d1"] or groups["d3"]
    if quarter:
        first, last = date(year, int(quarter) * 3 - 2, 1), date(year, int(quarter) * 3, 1)
        last = last.replace(day=monthrange(year, last.month)[1])
    elif day:
        first = last = date(year, month, int(day))
    elif month:
        first, last = date(year, month, 1), date(year, month, monthrange(year, month)[1])
    else:
        first, last = date(year, 1, 1), date(year, 12, 31)
    return Span(first, last, match.group(), *match.span())


def told_days(lines: Iterable[str]) -> Iterator[tuple[str, Number, Span]]:
    """Yields each number of the lines of lists with the date under which it is told.

    That is the date in the brackets right behind it, else that of the line's own head, else that of the list's heading.
    """
    heading: Span | None = None
    for line in lines:
        if not line.startswith("- "):
            heading = next(iter(dates_of(line)), None) if "기준)" in line or "(as of " in line else None
            continue
        head, _, rest = line.partition(": ")
        own = next(iter(dates_of(head)), heading)
        shift = len(line) - len(rest)
        for number in numbers_of(rest):
            behind = re.match(r" \(", rest[number.end :])
            bracket = next(iter(dates_of(rest[number.end : rest.find(")", number.end) + 1])), None) if behind else None
            if (told := bracket or own) is not None:
                yield line[: shift + number.end], number, told
