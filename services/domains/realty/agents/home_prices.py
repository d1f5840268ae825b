"""What prices of homes say together: lowest, weighted mean, median, highest. Pure.

The mean is weighted by the deals that each row rests on; without any deal the rows count alike. Means and medians are
rounded half up to ten thousand won, as prices of homes are told; lowest and highest are as they stand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from services.plugin.wording import rounded

_STEP_KRW = 10_000


@dataclass(frozen=True, slots=True)
class HomePrices:
    """The prices of one complex at one area, in won."""

    low: int
    """The lowest."""
    mean: int
    """The mean of its deals."""
    high: int
    """The highest."""
    deals: int
    """The deals that they rest on, 0 or more."""


@dataclass(frozen=True, slots=True)
class Level:
    """Where many prices lie, in won."""

    low: Decimal
    """The lowest price of any."""
    mean: Decimal
    """The mean, weighted by deals."""
    median: Decimal
    """The middle of the means; of two middle ones their mean."""
    high: Decimal
    """The highest price of any."""
    deals: int
    """The deals in all."""
    count: int
    """How many prices were put together."""


def level(prices: Sequence[HomePrices]) -> Level:
    """Return where prices lie.

    Raises:
        ValueError: There is none, or one of them is not in order.
    """
    if not prices:
        raise ValueError("prices: at least one is needed")
    if any(not 0 <= one.low <= one.mean <= one.high or one.deals < 0 for one in prices):
        raise ValueError("prices: low <= mean <= high does not hold")
    deals = sum(one.deals for one in prices)
    weights = [one.deals if deals else 1 for one in prices]
    total = sum(one.mean * weight for one, weight in zip(prices, weights, strict=True))
    return Level(
        low=Decimal(min(one.low for one in prices)),
        mean=_told(Decimal(total) / sum(weights)),
        median=_median([one.mean for one in prices]),
        high=Decimal(max(one.high for one in prices)),
        deals=deals,
        count=len(prices),
    )


def _median(values: Sequence[int]) -> Decimal:
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return _told(Decimal(ordered[middle]))
    return _told(Decimal(ordered[middle - 1] + ordered[middle]) / 2)


def _told(won: Decimal) -> Decimal:
    return rounded(won / _STEP_KRW, 0) * _STEP_KRW
