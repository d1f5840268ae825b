"""What the observations of a macro series say: latest value, changes, trend, spread of two. Pure.

change of a rate (percent, percentage points)      percentage points, exact
change of anything else (index, money, count)      percent, rounded half up to two digits
trend                                              mean of the newest observations against that of as many before
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Final, Literal

from services.plugin.wording import rounded

Frequency = Literal["daily", "weekly", "monthly", "quarterly"]
"""How often a series is published."""
TREND_SPANS: Final[dict[str, int]] = {"daily": 5, "weekly": 4, "monthly": 3, "quarterly": 2}
"""How many observations each side of the trend's comparison has."""
FLAT_POINTS: Final = Decimal("0.05")
"""Means of a rate that lie closer than this, in percentage points, show no direction."""
FLAT_PERCENT: Final = Decimal("0.1")
"""Means of anything else that lie closer than this, in percent, show no direction."""
_YEAR_AGO_DAYS_MAX: Final = 10
"""How many days before the day a year earlier a daily or weekly observation may lie."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One value of a series."""

    day: date
    """The first day of the period that it measures."""
    value: Decimal
    """The value."""


@dataclass(frozen=True, slots=True)
class SeriesFacts:
    """What a series' observations say. What needs more of them than there are is absent."""

    latest: Observation
    """The newest observation."""
    previous: Observation | None
    """The one before it."""
    year_ago: Observation | None
    """The one a year before it."""
    change: Decimal | None
    """From the previous to the latest."""
    year_change: Decimal | None
    """From a year ago to the latest."""
    trend: str
    """up, down or flat; empty with too few observations."""
    count: int
    """How many observations there are."""


def series_facts(observations: Sequence[Observation], frequency: Frequency, *, is_rate: bool) -> SeriesFacts:
    """Return what observations say, in any order.

    Args:
        observations: Values of one series.
        frequency: How often it is published.
        is_rate: True for percent and percentage points, whose changes are differences.

    Raises:
        ValueError: There is no observation, or two bear the same day.
    """
    ordered = sorted(observations, key=lambda one: one.day)
    if not ordered:
        raise ValueError("observations: at least one is needed")
    for earlier, later in pairwise(ordered):
        if earlier.day == later.day:
            raise ValueError(f"observations: {later.day} stands twice")
    latest = ordered[-1]
    previous = ordered[-2] if len(ordered) > 1 else None
    year_ago = _year_ago(ordered, frequency)
    return SeriesFacts(
        latest=latest,
        previous=previous,
        year_ago=year_ago,
        change=change_of(previous, latest, is_rate=is_rate),
        year_change=change_of(year_ago, latest, is_rate=is_rate),
        trend=_trend([one.value for one in ordered], TREND_SPANS[frequency], is_rate=is_rate),
        count=len(ordered),
    )


def change_of(before: Observation | None, after: Observation, *, is_rate: bool) -> Decimal | None:
    """Return the change between two observations; None without a first one, or where a percentage makes no sense."""
    if before is None:
        return None
    if is_rate:
        return after.value - before.value
    return rounded((after.value - before.value) * 100 / before.value, 2) if before.value > 0 else None


def spread(first: Sequence[Observation], second: Sequence[Observation]) -> tuple[Observation, ...]:
    """Return first less second on each day that both have, oldest first."""
    others = {one.day: one.value for one in second}
    shared = sorted((one for one in first if one.day in others), key=lambda one: one.day)
    return tuple(Observation(one.day, one.value - others[one.day]) for one in shared)


def _year_ago(ordered: Sequence[Observation], frequency: Frequency) -> Observation | None:
    """Return the observation of the same period a year earlier; for days and weeks the newest just before that day."""
    wanted = _year_before(ordered[-1].day)
    found = max((one for one in ordered if one.day <= wanted), key=lambda one: one.day, default=None)
    if found is None or found.day == wanted:
        return found
    near = found.day >= wanted - timedelta(days=_YEAR_AGO_DAYS_MAX)
    return found if near and frequency in {"daily", "weekly"} else None


def _year_before(day: date) -> date:
    leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if leap_day else day.day)


def _trend(values: Sequence[Decimal], span: int, *, is_rate: bool) -> str:
    if len(values) < 2 * span:
        return ""
    newest, before = sum(values[-span:], Decimal(0)), sum(values[-2 * span : -span], Decimal(0))
    difference = newest - before
    # Compared as sums over the span, so that nothing is divided: exact.
    threshold = FLAT_POINTS * span if is_rate else abs(before) * FLAT_PERCENT / 100
    if abs(difference) < threshold or difference == 0:
        return "flat"
    return "up" if difference > 0 else "down"
