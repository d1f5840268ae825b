"""The level of home prices, against numpy."""

import random
from decimal import Decimal

import numpy as np
import pytest

from services.domains.realty.agents.home_prices import HomePrices, level


def ten_thousands(won: float) -> int:
    """Returns a sum rounded half up to ten thousand won."""
    return int(np.floor(won / 10_000 + 0.5)) * 10_000


@pytest.mark.parametrize("seed", range(8))
def test_level_is_that_of_numpy(seed) -> None:
    """Lowest, weighted mean, median and highest must be numpy's, means and medians to ten thousand won."""
    chance = random.Random(seed)  # noqa: S311 - a test's prices
    prices = []
    for _ in range(chance.randint(1, 40)):
        mean = chance.randint(200, 900) * 1_000_003
        prices.append(HomePrices(mean - 5_000_000, mean, mean + 7_000_000, chance.randint(0, 30)))
    weights = [one.deals for one in prices]
    if not sum(weights):
        weights = [1] * len(prices)
    means = [one.mean for one in prices]
    found = level(prices)
    assert int(found.mean) == ten_thousands(np.average(means, weights=weights))
    assert int(found.median) == ten_thousands(float(np.median(means)))
    assert (int(found.low), int(found.high)) == (min(means) - 5_000_000, max(means) + 7_000_000)
    assert (found.deals, found.count) == (sum(one.deals for one in prices), len(prices))


def test_without_deals_prices_count_alike() -> None:
    """Prices that rest on no deal have a plain mean, not a division by zero."""
    found = level([HomePrices(1_000_000, 2_000_000, 3_000_000, 0), HomePrices(1_000_000, 4_000_000, 5_000_000, 0)])
    assert (found.mean, found.deals) == (Decimal(3_000_000), 0)


@pytest.mark.parametrize(
    "prices",
    [[], [HomePrices(5, 4, 6, 1)], [HomePrices(1, 7, 6, 1)], [HomePrices(-1, 4, 6, 1)], [HomePrices(1, 2, 3, -1)]],
)
def test_prices_that_cannot_be_are_refused(prices) -> None:
    """No prices, or prices out of order, must be an error."""
    with pytest.raises(ValueError, match="prices"):
        level(prices)
