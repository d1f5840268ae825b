"""Which months a question on homes is about: one that it names, or two that it compares.

back       "지난 1년", "a year ago", "전년 대비"      the newest month against as many months before it
since      "since March", "올해 들어"                  that month, or the last before the year, against the newest
between    "작년 9월과 올해 9월"                       the two
within     "2025년에 얼마나 올랐어"                    the month before the period against its last
at         "작년 말", "2026년 3월 시세"                that month or period alone
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from services.plugin.asks.forms import ACROSS_TIMES, WAS_AT
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

YEAR: Final = 12
_YEAR_ON_YEAR: Final = (
    r"(?:전년|작년|지난\s?해)\s?(?:같은|동|이맘[때땐]|대비|보다|이\s?시기|이\s?때|비교|에\s?비|과|와|이랑)|일\s?년\s?전"
    r"|year[- ]on[- ]year|\byoy\b|(?<!half )(?:a|one|last) year (?:ago|earlier|before)|this time last year|same (?:month|time|period) (?:of )?last year|(?:from|than|since) last year|(?:over|in|during|within|for) the (?:last|past) year\b|(?:last|past) (?:12|twelve) months"
)
_MONTH_ON_MONTH: Final = (
    r"(?:전월|전달|지난\s?달)\s?(?:대비|보다|에\s?비|과|와|이랑)|month[- ]on[- ]month|\bmom\b|(?:than|from) last month"
)
_QUARTER_ON_QUARTER: Final = (
    r"(?:전|지난)\s?분기\s?(?:대비|보다|에\s?비)|quarter[- ]on[- ]quarter|(?:than|from) last quarter"
)
_AGE: Final = Pattern(r"\s?(?:된|차|식|이내\s?준공|짜리|old\b|이상\s?된)")
_BACK: Final = Pattern(r"\s?(?:전|새|사이|만에|동안|간|대비|치|ago|earlier)?")
_RELATIVE: Final = Pattern(
    r"지난|최근|요|직전|(?<![0-9])[0-9]{1,2}\s?(?:년|개월|달)|\b(?:last|past|recent|previous)\b|ago", re.IGNORECASE
)


_NAMES_MONTH: Final = Pattern(
    r"(?<![0-9])(?:1[0-2]|[1-9])월|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE
)
"""A month by its name, from which on prices are followed: "since September last year"."""
_END: Final = Pattern(
    r"(?:(?P<ago>재작년|작년|지난\s?해)|(?P<year>\d{4})년)\s?(?:연\s?)?말(?!고)|(?P<last_month>지난\s?달)\s?말(?!고)"
    r"|(?<![0-9])(?P<month>1[0-2]|[1-9])월\s?말(?!고)"
    r"|\bend of (?:(?P<ago_en>last year)|(?P<year_en>\d{4})\b|(?P<last_month_en>last month))",
    re.IGNORECASE,
)
_AGAINST: Final = Pattern(r"\s?(?:대비|보다|이후|부터|에\s?비|에서|하고\s|과\s|와\s|이?랑\s)")
_SINCE: Final = Pattern(r"\b(?:since|from|than|against|compare[sd]? (?:to|with))\s(?:the\s)?$", re.IGNORECASE)
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


_THAN: Final = r"\w+er than\b|\b(?:more|less) \w+ than\b|보다"
"""Words that hold now against a past time."""
SPAN_NOTES: Final = ("back", "from", "to")
"""The notes of an ask that hold its months."""


def months_of(sheet: Sheet) -> Months:  # noqa: PLR0911 - the first that fits, in this order
    """Return the months that a question is about; none where it speaks of now."""
    if (end := end_named(sheet)) is not None:
        month, is_since = end
        return Months(first=_month(month)) if is_since else _of_month(month)
    if (then := past_month(sheet)) is not None:
        return _of_month(then)
    idioms = ((_YEAR_ON_YEAR, YEAR), (_MONTH_ON_MONTH, 1), (_QUARTER_ON_QUARTER, 3))
    if back := next((months for words, months in idioms if sheet.says(words)), 0):
        return Months(back=back)
    periods = sorted(sheet.periods)
    past = innermost([one for one in (*periods, *years_named(sheet)) if one[0] <= sheet.today])
    if len(past) > 1 and past[0][0] != past[-1][0]:
        last = "" if past[-1][1] >= sheet.today else _month(past[-1][1])
        return Months(first=_month(past[0][1]), last=last or _month(sheet.today))
    if past and past[0][1] < sheet.today and _is_against(sheet.text, past[0][2]):
        # "3개월 전" is counted back from the newest month, as months are told late.
        if _AGO.search(past[0][2]):
            return Months(back=months_apart(past[0][0], sheet.today))
        return Months(first=_month(past[0][0]), last=_month(sheet.today))
    if past and not (_RELATIVE.search(past[0][2]) and sheet.says(_THAN) and past[0][1] < sheet.today):
        return _of_period(*past[0], sheet.today)
    return Months(back=months_apart(past[0][0], sheet.today) if past else _counted(sheet))


_AGO: Final = Pattern(r"[0-9]\s?(?:년|개월|달)\s?전|\bago\b", re.IGNORECASE)
_YEAR_AGO: Final = r"(?:작년|지난\s?해)\s?(?:이맘[때땐]|이\s?때|이\s?시기|같은)|일\s?년\s?전|(?<!half )\ba year (?:ago|earlier|before)|this time last year"


_MOVED_SINCE: Final = (
    r"보다|대비|사이|동안|이후|부터|지금|현재|올[랐라]|오[르른]|내[렸리]|떨어|빠[졌진]|뛰|뛴|변[했하]|\bthan\b.{0,24}\bago\b"
    r"|\b(?:since|over|during|now|chang\w*|mov\w*|ris\w*|rose|fell|fall\w*|drop\w*|grew|grow\w*|gain\w*|up|down)\b"
)
"""Words that follow places from a past time on."""


def past_month(sheet: Sheet) -> date | None:
    """Return the month a span back whose own level is asked for: "작년 이맘때 얼마였어"; None where it is none."""
    # Places that are held against each other then are held across no times.
    across = _MOVED_SINCE if len(sheet.of_kind("region")) > 1 else ACROSS_TIMES
    if sheet.says(across) or not (sheet.says(WAS_AT) or across is _MOVED_SINCE):
        return None
    spans = (one for one in sheet.periods if _AGO.search(one[2]))
    start = next((one[0] for one in spans if one[0] < sheet.today), None)
    if start is None:
        back = YEAR if sheet.says(_YEAR_AGO) else _counted(sheet) if _AGO.search(sheet.text) else 0
        return months_before(sheet.today, back) if back else None
    return start.replace(day=1)


def _is_against(text: str, words: str) -> bool:
    """Tell whether now is held against a period: "compared with January this year", "올해 1월 대비"."""
    start = text.find(words)
    return start >= 0 and bool(_AGAINST.match(text, start + len(words)) or _SINCE.before(text, start))


def innermost(periods: Sequence[tuple[date, date, str]]) -> list[tuple[date, date, str]]:
    """Return periods without those that hold another: "작년 여름(2025년 7월)" is July."""
    spans = {one[:2] for one in periods}
    return [
        one
        for one in periods
        if not any(one[0] <= start and end <= one[1] and (start, end) != one[:2] for start, end in spans)
    ]


def _of_month(month: date) -> Months:
    return Months(first=_month(months_before(month, 1)), last=_month(month), is_period=True)


def _of_period(start: date, end: date, words: str, today: date) -> Months:
    if end >= today:
        if start == today:
            return Months()
        turns = start.month == 1 and start.day == 1
        rolls = (_RELATIVE.search(words) and not turns) or (start.day == today.day and end == today)
        if rolls and not _NAMES_MONTH.search(words):
            # A span counted back from today, said with a word or not: "지난 6개월", "반년 새".
            gap = months_apart(start, today)
            return Months(back=gap) if gap else Months()
        if turns:
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


def end_named(sheet: Sheet) -> tuple[date, bool] | None:
    """Return the month that "작년 말" or "the end of 2025" means, and whether it is held against now; None without one."""
    match = _END.search(sheet.text)
    if match is None:
        return None
    found, today = match.groupdict(), sheet.today
    if found["last_month"] or found["last_month_en"]:
        month = months_before(today, 1)
    elif found["month"]:
        number = int(found["month"])
        month = date(today.year - (number > today.month), number, 1)
    elif found["ago"] or found["ago_en"]:
        month = date(today.year - (2 if found["ago"] == "재작년" else 1), YEAR, 1)
    else:
        month = date(int(found["year"] or found["year_en"]), YEAR, 1)
    is_since = _AGAINST.match(sheet.text, match.end()) or _SINCE.search(sheet.text[: match.start()])
    return (month, bool(is_since)) if month <= today else None


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
