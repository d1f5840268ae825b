"""How far the prices of a market lie apart, and where one price stands among them. Pure.

    per square metre   mean price / area, so that homes of different areas are compared like with like
    spread             (highest - lowest) / median x 100
    share below        deals at complexes that cost less / all deals x 100; without deals the complexes count alike
    from the mean      (price / deal-weighted mean - 1) x 100

A price with an area is compared by the square metre, one without by the sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from services.plugin.wording import rounded

_STEP_KRW = 10_000


@dataclass(frozen=True, slots=True)
class Priced:
    """What one complex costs at one area."""

    mean_krw: int
    """The mean price or deposit."""
    area_m2: Decimal
    """The area."""
    deals: int
    """The deals that it rests on."""

    @property
    def per_m2(self) -> Decimal:
        """The price of a square metre."""
        return Decimal(self.mean_krw) / self.area_m2


@dataclass(frozen=True, slots=True)
class Spread:
    """How far prices lie apart, by the square metre, in won."""

    low: Decimal
    """The lowest."""
    median: Decimal
    """The middle one."""
    high: Decimal
    """The highest."""
    percent: Decimal
    """The spread, one digit."""


@dataclass(frozen=True, slots=True)
class PriceStanding:
    """Where a price stands in a market."""

    share_below_percent: Decimal
    """The share of deals that cost less, one digit."""
    from_mean_percent: Decimal
    """How far it is from the mean, one digit; negative below it."""
    by_area: bool
    """Whether it was compared by the square metre."""


def spread(homes: Sequence[Priced]) -> Spread | None:
    """Return how far prices lie apart; None with fewer than two."""
    found = sorted(home.per_m2 for home in homes)
    if len(found) < 2 or found[0] <= 0:
        return None
    middle = Decimal(median(found))
    low, mid, high = (rounded(value / _STEP_KRW, 0) * _STEP_KRW for value in (found[0], middle, found[-1]))
    return Spread(low, mid, high, rounded((found[-1] - found[0]) / middle * 100, 1))


def standing(price_krw: int, area_m2: Decimal | None, homes: Sequence[Priced]) -> PriceStanding | None:
    """Return where a price stands; None without prices to compare it with."""
    if not homes or price_krw <= 0:
        return None
    own = Decimal(price_krw) if area_m2 is None else Decimal(price_krw) / area_m2
    values = [Decimal(home.mean_krw) if area_m2 is None else home.per_m2 for home in homes]
    deals = sum(home.deals for home in homes)
    weights = [home.deals if deals else 1 for home in homes]
    total = sum(weights)
    mean = sum((value * weight for value, weight in zip(values, weights, strict=True)), Decimal(0)) / total
    below = sum(weight for value, weight in zip(values, weights, strict=True) if value < own)
    return PriceStanding(
        share_below_percent=rounded(Decimal(below) / total * 100, 1),
        from_mean_percent=rounded((own / mean - 1) * 100, 1),
        by_area=area_m2 is not None,
    )


def mean_of(homes: Sequence[Priced], area_m2: Decimal | None) -> Decimal | None:
    """Return the deal-weighted mean price in won, of a home of an area where one is given; None without prices."""
    if not homes:
        return None
    deals = sum(home.deals for home in homes)
    weights = [home.deals if deals else 1 for home in homes]
    values = [Decimal(home.mean_krw) if area_m2 is None else home.per_m2 * area_m2 for home in homes]
    return sum((value * weight for value, weight in zip(values, weights, strict=True)), Decimal(0)) / sum(weights)
