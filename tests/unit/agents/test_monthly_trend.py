"""The weighted monthly series against pandas, and what a region is called."""

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from services.domains.finance.agents.monthly_trend import MonthDeals, monthly_trend, told_sum


def deals(seed: int, months: int, kinds: int = 3) -> list[MonthDeals]:
    """Returns deals of several kinds of homes over months."""
    random = np.random.default_rng(seed)
    starts = [stamp.date() for stamp in pd.date_range("2025-01-01", periods=months, freq="MS")]
    return [
        MonthDeals(month, Decimal(int(random.uniform(2e8, 2e9))), Decimal(int(random.uniform(5e5, 3e6))), int(n))
        for month in starts
        for n in random.integers(1, 200, kinds)
    ]


def pandas_series(rows: list[MonthDeals]) -> pd.DataFrame:
    """Returns the weighted means and sums by month."""
    frame = pd.DataFrame([(row.month, float(row.price), float(row.rent or 0), row.deals) for row in rows])
    frame.columns = pd.Index(["month", "price", "rent", "deals"])
    return pd.DataFrame(
        [
            {
                "month": month,
                "price": np.average(group["price"], weights=group["deals"]),
                "rent": np.average(group["rent"], weights=group["deals"]),
                "deals": group["deals"].sum(),
            }
            for month, group in frame.groupby("month")
        ]
    ).iloc[-18:]


@pytest.mark.parametrize(("seed", "months"), [(seed, months) for seed in range(4) for months in (1, 5, 6, 13, 24)])
def test_the_series_is_that_of_pandas(seed, months) -> None:
    """Means are weighted by deals, at most 18 months count, changes are against the first month that counts."""
    rows = deals(seed, months)
    found, expected = monthly_trend(rows), pandas_series(rows)
    assert len(found.months) == min(months, 18)
    assert [one.deals for one in found.months] == list(expected["deals"])
    np.testing.assert_allclose([float(one.price) for one in found.months], expected["price"], rtol=1e-12)
    for change, column in ((found.price_change, "price"), (found.rent_change, "rent"), (found.deals_change, "deals")):
        if months == 1:
            assert change is None
            continue
        exact = (expected[column].iloc[-1] / expected[column].iloc[0] - 1) * 100
        assert change is not None
        assert float(change) == pytest.approx(exact, abs=0.005 + 1e-9)
    assert float(found.high.price) == pytest.approx(expected["price"].max())
    assert float(found.low.price) == pytest.approx(expected["price"].min())
    assert bool(found.direction) is (months >= 6)
    if found.direction:
        new, old = expected["price"].iloc[-3:].mean(), expected["price"].iloc[:3].mean()
        flat = abs(new / old - 1) < 0.01
        assert found.direction == ("flat" if flat else "up" if new > old else "down")


def test_what_has_no_mean_is_refused() -> None:
    """No row, a month without deals, or a price of nothing has no mean."""
    month = date(2026, 1, 1)
    for rows in ([], [MonthDeals(month, Decimal(1), None, 0)], [MonthDeals(month, Decimal(0), None, 1)]):
        with pytest.raises(ValueError, match="rows"):
            monthly_trend(rows)


def test_a_mean_is_told_to_ten_thousand_won() -> None:
    """Halves go away from zero."""
    assert [told_sum(Decimal(value)) for value in ("822276358.4", "5000", "4999")] == [822_280_000, 10_000, 0]
