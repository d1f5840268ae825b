"""One date expression each: what a Korean or English term means, still open as to its year where none was said."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from services.text import calendar
from services.text.calendar import Span


@dataclass(frozen=True, slots=True)
class Clock:
    """What an expression is read against."""

    today: date
    """The day of the question in the user's zone."""
    is_future: bool
    """Whether the words say that things are to come; a month without a year is then the nearest one ahead."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One date expression in the text."""

    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""
    build: Callable[[int | None], Span]
    """Gives its days, or raises ValueError where there are none; the argument is a year said beside it, if any."""
    has_year: bool = True
    """Whether its year is settled by its own words."""
    after: Callable[[date], Span] | None = None
    """Gives its days as the end of a period that begins on a day: the Wednesday behind "월요일부터"."""
    is_range: bool = False
    """Whether it already is a period up to today or from today on, which takes no further end."""


def nearest(clock: Clock, build: Callable[[int], Span]) -> Callable[[int | None], Span]:
    """Return a builder for a period that recurs each year: the nearest past one, or ahead when the words say so."""

    def chosen(year: int | None) -> Span:
        if year is not None:
            return build(year)
        candidates = [span for span in _candidates(clock.today.year, build) if span is not None]
        if not candidates:
            return build(clock.today.year)
        if clock.is_future:
            return min((span for span in candidates if span[1] >= clock.today), default=candidates[-1])
        return max((span for span in candidates if span[0] <= clock.today), default=candidates[0])

    return chosen


def _candidates(year: int, build: Callable[[int], Span]) -> list[Span | None]:
    return [_built(build, number) for number in range(year - 4, year + 5)]


def _built(build: Callable[[int], Span], year: int) -> Span | None:
    try:
        return build(year)
    except ValueError:
        return None


def fixed(span: Span) -> Callable[[int | None], Span]:
    """Return a builder that gives `span` whatever year stands beside it."""
    return lambda _year: span


def season(clock: Clock, number: int, offset: int) -> Span:
    """Return the season that lies `offset` of its kind away; 0 is the one under way, else that of this year."""
    today = clock.today
    every = [calendar.season(year, number) for year in range(today.year - 3, today.year + 4)]
    if offset < 0:
        return [one for one in every if one[1] < today][offset]
    if offset > 0:
        return [one for one in every if one[0] > today][offset - 1]
    under_way = (one for one in every if one[0] <= today <= one[1])
    return next(under_way, calendar.season(today.year, number))


def weekday(clock: Clock, number: int, week: int | None) -> Span:
    """Return a weekday (0 is Monday) of the week `week` away; with None the nearest past one, or the one ahead."""
    if week is not None:
        found = calendar.week_offset(clock.today, week)[0]
        found = calendar.shift(found, "day", number)
    else:
        distance = (clock.today.weekday() - number) % 7
        found = calendar.shift(clock.today, "day", -distance)
        if clock.is_future and distance:
            found = calendar.shift(found, "week", 1)
    return found, found


def weekday_after(start: date, number: int) -> Span:
    """Return the first weekday (0 is Monday) on or after a day."""
    found = calendar.shift(start, "day", (number - start.weekday()) % 7)
    return found, found


def rolling(today: date, unit: str, count: int) -> Span:
    """Return the period from `count` units back to today, or from today on when `count` is positive."""
    other = calendar.shift(today, unit, count)
    return (other, today) if count <= 0 else (today, other)


def part_of_month(span: Span, part: str) -> Span:
    """Return a third of a month (초순, 중순, 하순) or its last day (말일, 말)."""
    first, last = span
    if part in {"초순", "상순"}:
        return first, first.replace(day=10)
    if part == "중순":
        return first.replace(day=11), first.replace(day=20)
    if part == "하순":
        return first.replace(day=21), last
    return last, last
