"""What monthly home deals say: one weighted series and its changes. Pure.

a month's price     the mean of its rows, weighted by deals, exact; told to 10,000 won
a month's deals     the sum of its rows
the series          the newest 18 months at most
changes             the last month against the first, in percent, to two digits
direction           the mean price of the newest three months against the first three, 1 % being no direction
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from services.plugin.wording import rounded

MONTHS_MAX: Final = 18
"""The months of a series at most, the newest ones."""
MONTHS_MIN: Final = 6
"""The months that the method asks for; with fewer the result is limited."""
STEP_DIGITS: Final = 4
"""A month's mean is told to 10^4 won, as prices of homes are."""
SIDE_MONTHS: Final = 3
"""The months on each side of the direction's comparison."""
FLAT_PERCENT: Final = Decimal(1)
"""Sides that lie closer than this, in percent, show no direction."""


@dataclass(frozen=True, slots=True)
class MonthDeals:
    """The deals of one month in one place, of one kind of home."""

    month: date
    """The first day of the month."""
    price: Decimal
    """Their mean price in won."""
    rent: Decimal | None
    """Their mean monthly rent in won; None where the deal has none."""
    deals: int
    """How many there are."""


@dataclass(frozen=True, slots=True)
class Month:
    """One month of the series."""

    month: date
    """The first day of the month."""
    price: Decimal
    """The weighted mean price in won, unrounded."""
    rent: Decimal | None
    """The weighted mean monthly rent in won, unrounded."""
    deals: int
    """How many deals it rests on."""


@dataclass(frozen=True, slots=True)
class MonthlyTrend:
    """What the series says."""

    months: tuple[Month, ...]
    """The series, oldest first."""
    price_change: Decimal | None
    """The price of the last month against the first, in percent; None with one month."""
    rent_change: Decimal | None
    """The same of the monthly rent; None where the deal has none."""
    deals_change: Decimal | None
    """The same of the deals."""
    high: Month
    """The newest month of the highest price."""
    low: Month
    """The newest month of the lowest price."""
    direction: str
    """up, down or flat; empty with fewer than six months."""

    @property
    def first(self) -> Month:
        """The month that changes are told against."""
        return self.months[0]

    @property
    def last(self) -> Month:
        """The newest month."""
        return self.months[-1]


def monthly_trend(rows: Sequence[MonthDeals]) -> MonthlyTrend:
    """Return what rows say, in any order; several of one month are put together.

    Raises:
        ValueError: There is no row, or a row has no deal or no price.
    """
    if not rows:
        raise ValueError("rows: at least one is needed")
    if any(row.deals < 1 or row.price <= 0 for row in rows):
        raise ValueError("rows: a month without deals or price has no mean")
    by_month: defaultdict[date, list[MonthDeals]] = defaultdict(list)
    for row in rows:
        by_month[row.month].append(row)
    months = tuple(_month(by_month[month]) for month in sorted(by_month))[-MONTHS_MAX:]
    first, last = months[0], months[-1]
    return MonthlyTrend(
        months=months,
        price_change=_change(months, first.price, last.price),
        rent_change=None if first.rent is None or last.rent is None else _change(months, first.rent, last.rent),
        deals_change=_change(months, Decimal(first.deals), Decimal(last.deals)),
        high=max(months, key=lambda one: (one.price, one.month)),
        low=min(reversed(months), key=lambda one: one.price),
        direction=_direction(months),
    )


def told_sum(value: Decimal) -> Decimal:
    """Return a mean as it is told: to 10,000 won, half away from zero."""
    return rounded(value, -STEP_DIGITS)


def _month(rows: Sequence[MonthDeals]) -> Month:
    deals = sum(row.deals for row in rows)
    rents = [(row.rent, row.deals) for row in rows if row.rent is not None]
    return Month(
        month=rows[0].month,
        price=_mean([(row.price, row.deals) for row in rows]),
        rent=_mean(rents) if rents else None,
        deals=deals,
    )


def _mean(weighted: Sequence[tuple[Decimal, int]]) -> Decimal:
    total = sum((value * weight for value, weight in weighted), Decimal(0))
    return total / sum(weight for _, weight in weighted)


def _change(months: Sequence[Month], before: Decimal, after: Decimal) -> Decimal | None:
    return rounded((after - before) * 100 / before, 2) if len(months) > 1 else None


def _direction(months: Sequence[Month]) -> str:
    if len(months) < MONTHS_MIN:
        return ""
    before = sum((one.price for one in months[:SIDE_MONTHS]), Decimal(0))
    after = sum((one.price for one in months[-SIDE_MONTHS:]), Decimal(0))
    if abs(after - before) * 100 < before * FLAT_PERCENT:
        return "flat"
    return "up" if after > before else "down"
