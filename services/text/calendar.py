"""Calendar arithmetic on whole days: weeks start on Monday; months, quarters and years are calendar periods."""

import calendar
from datetime import date, timedelta

YEAR_MIN, YEAR_MAX = 1900, 2100
"""The years that a question may name."""

_THURSDAY = 3
Span = tuple[date, date]
"""First and last day, both inclusive."""


def day(year: int, month: int, number: int) -> Span:
    """Return one day; raises ValueError when there is no such day or the year is out of range."""
    _check_year(year)
    found = date(year, month, number)
    return found, found


def month(year: int, number: int) -> Span:
    """Return a calendar month; raises ValueError when there is none."""
    _check_year(year)
    return date(year, number, 1), date(year, number, calendar.monthrange(year, number)[1])


def week_of_month(year: int, number: int, nth: int) -> Span:
    """Return a week of a month, Monday to Sunday: its first is the one with the month's first Thursday (ISO 8601).

    Raises:
        ValueError: There is no such month, or the month has no such week.
    """
    first, last = month(year, number)
    monday = first + timedelta(days=(_THURSDAY - first.weekday()) % 7 - _THURSDAY + 7 * (nth - 1))
    if monday + timedelta(days=_THURSDAY) > last:
        raise ValueError(f"nth: {year}-{number:02} has no week {nth}")
    return monday, monday + timedelta(days=6)


def quarter(year: int, number: int) -> Span:
    """Return a calendar quarter, 1 to 4; raises ValueError when there is none."""
    if not 1 <= number <= 4:
        raise ValueError(f"quarter: {number} is not 1 to 4")
    return month(year, 3 * number - 2)[0], month(year, 3 * number)[1]


def half(year: int, number: int) -> Span:
    """Return the first or second half of a year; raises ValueError for another number."""
    if number not in {1, 2}:
        raise ValueError(f"half: {number} is not 1 or 2")
    return month(year, 6 * number - 5)[0], month(year, 6 * number)[1]


def season(year: int, number: int) -> Span:
    """Return a season by whole months: 0 is the spring, from March to May; the winter, 3, ends in the year after."""
    first = month(year, 3 * number + 3)[0]
    return first, month_offset(first, 2)[1]


def whole_year(year: int) -> Span:
    """Return a calendar year; raises ValueError when it is out of range."""
    _check_year(year)
    return date(year, 1, 1), date(year, 12, 31)


def add_months(start: date, months: int) -> date:
    """Return the same day `months` later (earlier when negative), or that month's last day when it is shorter."""
    index = start.year * 12 + start.month - 1 + months
    year, month_index = divmod(index, 12)
    _check_year(year)
    return date(year, month_index + 1, min(start.day, calendar.monthrange(year, month_index + 1)[1]))


def month_offset(today: date, months: int) -> Span:
    """Return the calendar month `months` away from today's."""
    first = add_months(today.replace(day=1), months)
    return month(first.year, first.month)


def quarter_offset(today: date, quarters: int) -> Span:
    """Return the calendar quarter `quarters` away from today's."""
    first = add_months(today.replace(day=1), 3 * quarters)
    return quarter(first.year, (first.month + 2) // 3)


def half_offset(today: date, halves: int) -> Span:
    """Return the half year `halves` away from today's."""
    first = add_months(today.replace(day=1), 6 * halves)
    return half(first.year, 1 if first.month <= 6 else 2)


def week_offset(today: date, weeks: int) -> Span:
    """Return the week, Monday to Sunday, `weeks` away from today's."""
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)
    return monday, monday + timedelta(days=6)


def shift(today: date, unit: str, count: int) -> date:
    """Return the day `count` units away; units are day, week, month, quarter and year.

    Raises:
        ValueError: the result is out of the years that a question may name.
    """
    if unit in {"day", "week"}:
        try:
            shifted = today + timedelta(days=count * (7 if unit == "week" else 1))
        except OverflowError as error:
            raise ValueError(f"{count} {unit}s is out of range") from error
        _check_year(shifted.year)
        return shifted
    return add_months(today, count * {"month": 1, "quarter": 3, "year": 12}[unit])


def _check_year(year: int) -> None:
    if not YEAR_MIN <= year <= YEAR_MAX:
        raise ValueError(f"year: {year} is not {YEAR_MIN} to {YEAR_MAX}")
