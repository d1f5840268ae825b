"""The days that a seller's question is about: those named, what they are compared with, those to come."""

import calendar
import re
from datetime import date, timedelta
from typing import Final

from services.plugin.asks.sheet import Sheet

_DAYS: Final = 30
_MONTH: Final = r"(?:이번|요번|요)\s?달|이달|금월|당월|this month"
Days = tuple[date, date]
"""First and last day."""


def asked_days(sheet: Sheet) -> Days:
    """Return the days that are meant; the last thirty where nobody says."""
    today = sheet.today
    if match := sheet.find(r"(?:최근|지난|last|past)\s?(\d{1,3})\s?(?:일|days?)"):
        return today - timedelta(days=int(match[1])), today - timedelta(days=1)
    if (until := _until(sheet)) is not None:
        return until
    if sheet.says(_MONTH):
        return today.replace(day=1), today
    if sheet.periods:
        start, end, _ = sheet.periods[0]
        return start, min(end, today)
    return today - timedelta(days=_DAYS), today - timedelta(days=1)


def _until(sheet: Sheet) -> Days | None:
    """Return the days of a time as far as one of them that is named: "이번 분기 어제까지", "this year up to today"."""
    for first, last, words in sheet.periods:
        is_end = first == last and sheet.says(
            rf"{re.escape(words)}\s?까지|\b(?:until|till|through|up to)\s{re.escape(words)}"
        )
        whole = next((one for one in sheet.periods if is_end and one[0] < first <= one[1]), None)
        if whole is not None:
            return whole[0], last
    return None


def with_sales(sheet: Sheet, days: Days) -> Days:
    """Return days of which sales are known: those themselves, or as many before them where they only begin today."""
    if days[0] < sheet.today:
        # The day that is under way has none yet.
        return days[0], min(days[1], sheet.today - timedelta(days=1))
    last = days[0] - timedelta(days=1)
    if sheet.says(_MONTH):
        return last.replace(day=1), last
    first, end = (sheet.periods[0][0], sheet.periods[0][1]) if sheet.periods else days
    return last - (end - first), last


def says_days(sheet: Sheet) -> bool:
    """Tell whether a message names days."""
    return bool(sheet.periods) or sheet.says(_MONTH) or sheet.says(r"(?:최근|지난|last|past)\s?\d")


def says_month(sheet: Sheet) -> bool:
    """Tell whether a message speaks of the month that is under way."""
    return sheet.says(_MONTH)


def days_like(named: Days, today: date) -> Days:
    """Return the days that are under way of the same kind as an earlier time: the month, the week, the year, so many days."""
    start, end = named
    if start.day == 1 and end == end.replace(day=calendar.monthrange(end.year, end.month)[1]):
        months = (end.year - start.year) * 12 + end.month - start.month
        if months in {0, _YEAR}:
            return today.replace(day=1) if months == 0 else today.replace(month=1, day=1), today
    if (end - start).days == _WEEK:
        return today - timedelta(days=today.weekday()), today
    return today - timedelta(days=(end - start).days + 1), today - timedelta(days=1)


_YEAR: Final = 11
_WEEK: Final = 6


def later_days(sheet: Sheet) -> Days | None:
    """Return the later of two periods that are named, as far as today; None where there are not two."""
    past = sorted((first, last) for first, last, _ in sheet.periods if first <= sheet.today)
    return (past[-1][0], min(past[-1][1], sheet.today)) if len(past) > 1 else None


def days_before(sheet: Sheet, days: Days) -> Days:
    """Return what days are compared with: the other period that is named, the month before a month, else as many days before."""
    start, end = days
    others = [(first, last) for first, last, _ in sheet.periods if last < start]
    if others and not sheet.says(r"(?:최근|지난|last|past)\s?\d"):
        return others[0]
    if start.day == 1 and (sheet.says(_MONTH) or sheet.says(r"지난\s?달|last month|전월")):
        last = start - timedelta(days=1)
        return last.replace(day=1), last
    length = (end - start).days + 1
    return start - timedelta(days=length), start - timedelta(days=1)


def same_part(days: Days, before: Days) -> Days:
    """Return so many days of an earlier period as a later one has had: a month that is not over is compared with its like."""
    length = (days[1] - days[0]).days
    return before[0], min(before[0] + timedelta(days=length), before[1])


def coming_days(sheet: Sheet) -> Days:
    """Return the days to come that are meant: the next month or week as a whole, so many days, thirty where nobody says."""
    today = sheet.today
    first = today
    if match := sheet.find(r"(?:앞으로|다음|향후|next|coming)\s?(\d{1,3})\s?(?:일|days?)"):
        return first, first + timedelta(days=int(match[1]) - 1)
    if match := sheet.find(r"(?:앞으로|다음|향후|next|coming)\s?(\d)\s?(?:주|weeks?)"):
        return first, first + timedelta(days=7 * int(match[1]) - 1)
    if sheet.says(r"다음\s?달|내달|next month"):
        start = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
        return start, start.replace(day=calendar.monthrange(start.year, start.month)[1])
    if sheet.says(r"다음\s?주|next week"):
        start = today + timedelta(days=7 - today.weekday())
        return start, start + timedelta(days=6)
    if sheet.says(_MONTH):
        return first, today.replace(day=calendar.monthrange(today.year, today.month)[1])
    return first, first + timedelta(days=_DAYS - 1)
