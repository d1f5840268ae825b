"""Which months a question on homes is about: one that it names, or two that it compares.

back       "지난 1년", "a year ago", "전년 대비"      the newest month against as many months before it
since      "since March", "올해 들어"                  that month, or the last before the year, against the newest
between    "작년 9월과 올해 9월"                       the two
within     "2025년에 얼마나 올랐어"                    the month before the period against its last
at         "작년 말 기준", "2026년 3월 시세"           that period alone
"""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from services.plugin.asks.sheet import Sheet

YEAR: Final = 12
_YEAR_ON_YEAR: Final = (
    r"(?:전년|작년|지난\s?해)\s?(?:같은|동|이맘때|대비|보다|이\s?시기|이\s?때|비교|에\s?비|과|와|이랑)|일\s?년\s?전"
    r"|year[- ]on[- ]year|\byoy\b|(?:a|one|last) year (?:ago|earlier|before)|this time last year|same (?:month|time|period) (?:of )?last year|from last year|than last year|(?:over|in|during|within|for) the (?:last|past) year\b|(?:last|past) (?:12|twelve) months"
)
_MONTH_ON_MONTH: Final = (
    r"(?:전월|전달|지난\s?달)\s?(?:대비|보다|에\s?비|과|와|이랑)|month[- ]on[- ]month|\bmom\b|(?:than|from) last month"
)
_QUARTER_ON_QUARTER: Final = (
    r"(?:전|지난)\s?분기\s?(?:대비|보다|에\s?비)|quarter[- ]on[- ]quarter|(?:than|from) last quarter"
)
_AGE: Final = re.compile(r"\s?(?:된|차|식|이내\s?준공|짜리|old\b|이상\s?된)")
_BACK: Final = re.compile(r"\s?(?:전|새|사이|만에|동안|간|대비|치|ago|earlier)?")
_RELATIVE: Final = re.compile(
    r"지난|최근|요|직전|(?<![0-9])[0-9]{1,2}\s?(?:년|개월|달)|\b(?:last|past|recent|previous)\b|ago", re.IGNORECASE
)


_YEARS: Final = (1990, 2100)


@dataclass(frozen=True, slots=True)
class Months:
    """The months of a question, each by its first day; empty where the newest is meant."""

    back: int = 0
    """How many months before the newest one the earlier of two lies; 0 where a month is named."""
    first: str = ""
    """The earlier of two months."""
    last: str = ""
    """The later of two months, or the last of a period that is asked of."""
    is_period: bool = False
    """Whether a closed period is named, so that a level is of it."""

    @property
    def is_span(self) -> bool:
        """Whether two months are to be compared, whatever else is said."""
        return bool(self.back) or bool(self.first and self.last and not self.is_period)

    @property
    def notes(self) -> dict[str, str]:
        """What an ask carries of them."""
        found = {"back": str(self.back) if self.back else "", "from": self.first, "to": self.last}
        return {name: value for name, value in found.items() if value}


SPAN_NOTES: Final = ("back", "from", "to")
"""The notes of an ask that hold its months."""


def months_of(sheet: Sheet) -> Months:
    """Return the months that a question is about; none where it speaks of now."""
    if sheet.says(_YEAR_ON_YEAR):
        return Months(back=YEAR)
    if sheet.says(_MONTH_ON_MONTH):
        return Months(back=1)
    if sheet.says(_QUARTER_ON_QUARTER):
        return Months(back=3)
    periods = sorted(sheet.periods)
    past = [one for one in (*periods, *years_named(sheet)) if one[0] <= sheet.today]
    if len(past) > 1 and past[0][0] != past[-1][0]:
        last = "" if past[-1][1] >= sheet.today else _month(past[-1][1])
        return Months(first=_month(past[0][1]), last=last or _month(sheet.today))
    if past:
        return _of_period(*past[0], sheet.today)
    return Months(back=_counted(sheet))


def _of_period(start: date, end: date, words: str, today: date) -> Months:
    if end >= today:
        if start == today:
            return Months()
        if _RELATIVE.search(words):
            gap = months_apart(start, today)
            return Months(back=gap) if gap else Months()
        if start.month == 1 and start.day == 1:
            return Months(first=_month(months_before(start, 1)))
        return Months(first=_month(start))
    return Months(first=_month(months_before(start, 1)), last=_month(end), is_period=True)


def _counted(sheet: Sheet) -> int:
    """Return the months of a bare span of time: "1년 전보다", "6개월 새"; 0 for the age of a building."""
    for one in sheet.numbers:
        if one.unit in {"years", "months"} and not _AGE.match(sheet.text, one.end) and _BACK.match(sheet.text, one.end):
            return int(one.as_months)
    return 0


def years_named(sheet: Sheet) -> tuple[tuple[date, date, str], ...]:
    """Return the years that stand bare in a question: "2019 prices"."""
    bare = (one for one in sheet.numbers if one.is_bare and _YEARS[0] <= one.value <= _YEARS[1] and len(one.words) == 4)
    return tuple((date(int(one.value), 1, 1), date(int(one.value), 12, 31), one.words) for one in bare)


def is_future(sheet: Sheet) -> bool:
    """Tell whether a question is about days to come."""
    return any(start > sheet.today for start, _, _ in sheet.periods)


def months_apart(first: date, last: date) -> int:
    """Return how many calendar months lie between two days."""
    return (last.year - first.year) * YEAR + last.month - first.month


def months_before(day: date, months: int) -> date:
    """Return the first day of the month so many months before."""
    index = day.year * YEAR + day.month - 1 - months
    return date(index // YEAR, index % YEAR + 1, 1)


def _month(day: date) -> str:
    return day.replace(day=1).isoformat()
