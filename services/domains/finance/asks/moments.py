"""Days that a question names by their place in a month: its end, its beginning, and both ends of a time."""

import calendar
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from services.plugin.asks.forms import Clause
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD, days
from services.text.patterns import Pattern

_MONTHS: Final = {name: at for at, name in enumerate(calendar.month_name) if name}
_NAMES: Final = "|".join(_MONTHS)
_KOREAN: Final = r"(?:(?P<year>20\d\d)년\s?|(?P<last>작년|지난해)\s?)?(?P<month>\d{1,2})월"
_ENGLISH: Final = rf"(?P<name>{_NAMES})(?:,? (?P<yr>20\d\d))?"
_END: Final = Pattern(rf"{_KOREAN}\s?(?:말|마지막)|end of {_ENGLISH}", re.IGNORECASE)
_START: Final = Pattern(
    rf"{_KOREAN}\s?(?:초(?!과)|첫\s?(?:거래일|날))|(?:early(?: in)?|(?:start|beginning|first (?:trading )?day) of) {_ENGLISH}",
    re.IGNORECASE,
)
_LAST_END: Final = Pattern(
    r"(?:지난|저번)\s?달\s?(?:말|마지막)|전월\s?말|end of last month|last month(?:'s|-)?\s?end", re.IGNORECASE
)
_THIS_START: Final = Pattern(
    r"(?:이번\s?달|이달|금월)\s?초(?!과)|월초(?!과)|(?:early|start of|beginning of) (?:this|the) month", re.IGNORECASE
)
_LAST_START: Final = Pattern(r"(?:지난|저번)\s?달\s?초(?!과)|(?:early|start of|beginning of) last month", re.IGNORECASE)
_FIRST_TRADED: Final = Pattern(
    r"(?:(?P<last>작년|지난해)|올해|금년|(?P<year>20\d\d)년)\S?\s?첫\s?(?:거래일|장(?!기)|날)"
    r"|first (?:trading )?day of (?:(?P<last2>last year)|(?:the|this) year|(?P<year2>20\d\d))",
    re.IGNORECASE,
)
_FROM_TO: Final = Pattern(
    r"(?P<a>\S[^,.?!]{0,23}?)\s?(?:부터|에서)\s(?P<b>[^,.?!]{1,23}?)\s?(?:까지|사이)"
    r"|\b(?:from|between)\s(?P<c>[^,.?!]{2,23}?)\s(?:to|until|till|through|and)\s(?P<d>[^,.?!]{2,23})",
    re.IGNORECASE,
)
_TRADED: Final = Pattern(
    r"(?P<a>\S[^,.?!]{0,23}?(?:말|초|월(?!\s?[\d말초])|일|년(?=에)))(?:에|쯤|때)?\s[^?]{0,40}?(?:사서|샀다가|사\s?(?:뒀|놨|놓았)다가|사가지고|매수해서?|매수했다가|담았?다가|담아서|넣었다가|넣어서|들어가서)\s"
    r"(?P<b>[^,.?!]{1,23}?(?:말|초|월(?!\s?[\d말초])|일|년(?=에)))(?:에|쯤|때)?\s?(?:(?:다|전부|모두)\s?)?(?:팔|매도|정리|처분|뺐|빼)"
    r"|\b(?:bought|buying|invested|put)\b[^?]{0,60}?\b(?:at|in|on) (?P<c>[^,.?!]{3,30}?),? (?:and |then |before )+(?:sold|selling|cashed out)\b[^?]{0,20}?\b(?:at|in|on) (?P<d>[^,.?!]{3,30})",
    re.IGNORECASE,
)
"""A purchase and the sale that ended it, each with its day."""
_YEAR_EDGE: Final = Pattern(
    r"(?:(?P<two>재작년)|(?P<one>작년|지난해)|(?P<same>올해|금년)|(?P<year>20\d\d)년)\s?(?:(?:연?(?P<end>말))|(?P<start>초))"
    r"|(?:(?P<end2>end|close)|(?P<start2>start|beginning)) of (?:(?P<two2>the year before last)|(?P<one2>last year)|(?P<same2>this year)|(?P<year2>20\d\d))",
    re.IGNORECASE,
)
_DECEMBER: Final = 12


def month_end(sheet: Sheet) -> date | None:
    """Return the last day of the month, quarter or half year whose end is named ("8월 말"); None where none is."""
    match = _END.search(sheet.text)
    if match is None and _LAST_END.search(sheet.text):
        return sheet.today.replace(day=1) - timedelta(days=1)
    if match is None:
        return next((last for _, last in _at_edge(sheet, _ENDS, _ENDS_BEFORE)), None)
    return None if (first := _month(match, sheet)) is None else _last_of(first)


def month_start(sheet: Sheet) -> date | None:
    """Return the first weekday of the month, quarter or half year whose beginning is named; None where none is."""
    match, this = _START.search(sheet.text), sheet.today.replace(day=1)
    if match is not None:
        first = _month(match, sheet)
    elif _THIS_START.search(sheet.text):
        first = this
    elif _LAST_START.search(sheet.text):
        first = (this - timedelta(days=1)).replace(day=1)
    elif (year := _FIRST_TRADED.search(sheet.text)) is not None:
        # Nothing is traded on New Year's Day.
        back = 1 if year["last"] or year["last2"] else 0
        first = date(int(year["year"] or year["year2"] or sheet.today.year - back), 1, 2)
    else:
        first = next((first for first, _ in _at_edge(sheet, _STARTS, _STARTS_BEFORE)), None)
    return None if first is None else weekday_from(first)


def _at_edge(sheet: Sheet, behind: Pattern, before: Pattern) -> Iterator[tuple[date, date]]:
    """Yield the first and the last day of each quarter and half year whose edge the words around it name."""
    for one in sheet.of_kind(PERIOD):
        named = one.end and (behind.match(sheet.text, one.end) or before.before(sheet.text, one.start))
        if named and one.value and _DAYS_MIN < (days(one)[1] - days(one)[0]).days < _DAYS_MAX:
            yield days(one)
    for match in _QUARTER.finditer(sheet.text):
        if behind.match(sheet.text, match.end()):
            first = date(int(match["year"] or sheet.today.year), 3 * int(match["quarter"]) - 2, 1)
            back = 1 if match["last"] or (not match["year"] and first > sheet.today) else 0
            first = first.replace(year=first.year - back)
            yield first, _last_of(first.replace(month=first.month + 2))


_QUARTER: Final = Pattern(
    r"(?:(?P<year>20\d\d)년\s?|(?P<last>작년|지난해|전년)\s?)?(?<!\d)(?P<quarter>[1-4])\s?(?:/\s?4\s?)?분기"
)
_ENDS: Final = Pattern(r"\s?(?:말|마지막|끝)")
_STARTS: Final = Pattern(r"\s?(?:초(?!과)|첫\s?(?:거래일|날|주))")
_ENDS_BEFORE: Final = Pattern(r"\b(?:end|close) of (?:the )?$", re.IGNORECASE)
_STARTS_BEFORE: Final = Pattern(r"\b(?:start|beginning) of (?:the )?$", re.IGNORECASE)
_DAYS_MIN: Final = 80
_DAYS_MAX: Final = 200
"""A quarter has more days, and a half year fewer."""


def two_ends(sheet: Sheet) -> tuple[date, date] | None:
    """Return both ends of a time that lies behind: "9월 말부터 10월 말까지"; None where not both are such days."""
    match = _TRADED.search(sheet.text) or _FROM_TO.search(sheet.text)
    if match is None:
        return None
    sides = ("a", "b") if match["a"] else ("c", "d")
    ends = [_moment(sheet.part(Clause(match[one], match.start(one), match.end(one)))) for one in sides]
    first, last = ends
    if first is None or last is None:
        # A time that is read as one has both of its ends.
        whole = (one for one in sheet.of_kind(PERIOD) if one.end > match.start() and one.start < match.end())
        first, last = next((days(one) for one in whole if one.value), (None, None))
    return (first, last) if first is not None and last is not None and first < last < sheet.today else None


def is_traded(sheet: Sheet) -> bool:
    """Tell whether a message names a purchase and the sale that ended it."""
    return _TRADED.search(sheet.text) is not None


def _moment(part: Sheet) -> date | None:
    """Return the one day that a few words name: the end or beginning of a month or a year, or a day."""
    if (named := _year_edge(part) or month_end(part) or month_start(part)) is not None:
        return named
    return next((start for start, end, _ in part.periods if start == end), None)


def _year_edge(part: Sheet) -> date | None:
    """Return the last day of the year whose end is named, or the first weekday of the one whose beginning is."""
    match = _YEAR_EDGE.search(part.text)
    if match is None:
        return None
    back = 2 if match["two"] or match["two2"] else 1 if match["one"] or match["one2"] else 0
    year = int(match["year"] or match["year2"] or part.today.year - back)
    return date(year, _DECEMBER, 31) if match["end"] or match["end2"] else weekday_from(date(year, 1, 1))


def _month(match: re.Match[str], sheet: Sheet) -> date | None:
    """Return the first day of a month that is named, the latest of its name where no year is said."""
    if match["name"]:
        month, year = _MONTHS[match["name"].capitalize()], int(match["yr"] or 0)
    else:
        month, year = int(match["month"]), int(match["year"] or 0)
        year = sheet.today.year - 1 if match["last"] else year
    if not 1 <= month <= _DECEMBER:
        return None
    return date(year or (sheet.today.year if month <= sheet.today.month else sheet.today.year - 1), month, 1)


def _last_of(first: date) -> date:
    return first.replace(day=calendar.monthrange(first.year, first.month)[1])


def weekday_from(day: date) -> date:
    """Return the first weekday at or after a day."""
    return day + timedelta(days=max(0, 7 - day.weekday()) if day.weekday() > 4 else 0)
