"""The formulas over macro observations, against pandas."""

import random
from datetime import date, timedelta
from decimal import Decimal

import pandas as pd
import pytest

from services.domains.finance.agents.series import Observation, series_facts, spread


def monthly(values: list[str], last: tuple[int, int] = (2026, 10)) -> list[Observation]:
    """Returns monthly observations, the last value in the month `last`."""
    months = pd.period_range(end=pd.Period(year=last[0], month=last[1], freq="M"), periods=len(values), freq="M")
    return [
        Observation(month.to_timestamp().date(), Decimal(value)) for month, value in zip(months, values, strict=True)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_changes_of_an_index_are_those_of_pandas(seed) -> None:
    """The changes of an index from the month before and from a year earlier must be pandas' percentage changes."""
    chance = random.Random(seed)  # noqa: S311 - a test's walk
    values = [f"{300 + number + chance.uniform(-1, 1):.3f}" for number in range(30)]
    found = series_facts(monthly(values), "monthly", is_rate=False)
    expected = pd.Series([float(value) for value in values])
    assert float(found.change or 0) == pytest.approx(expected.pct_change(1).iloc[-1] * 100, abs=0.005 + 1e-9)
    assert float(found.year_change or 0) == pytest.approx(expected.pct_change(12).iloc[-1] * 100, abs=0.005 + 1e-9)


def test_changes_of_a_rate_are_exact_points() -> None:
    """The change of a rate is a difference in percentage points, free of binary rounding: 4.3 - 4.4 is -0.1."""
    values = ["4.1", *["4.2"] * 10, "4.4", "4.3"]
    found = series_facts(monthly(values), "monthly", is_rate=True)
    assert (found.change, found.year_change) == (Decimal("-0.1"), Decimal("0.2"))


def test_a_missing_month_is_no_year_ago() -> None:
    """Where the month a year earlier is missing, no other month may stand for it."""
    observations = [one for one in monthly([str(number) for number in range(1, 20)]) if one.day != date(2025, 10, 1)]
    found = series_facts(observations, "monthly", is_rate=False)
    assert (found.year_ago, found.year_change) == (None, None)


def test_a_daily_year_ago_is_the_last_day_before() -> None:
    """A day a year earlier without a value is that of the newest one just before it, of a few days at most."""
    days = [date(2025, 11, 20), date(2025, 11, 21), date(2026, 11, 20), date(2026, 11, 23)]
    observations = [Observation(day, Decimal(number)) for number, day in enumerate(days, start=1)]
    assert series_facts(observations, "daily", is_rate=True).year_ago == observations[1]
    later = [observations[0], Observation(date(2026, 12, 15), Decimal(9))]
    assert series_facts(later, "daily", is_rate=True).year_ago is None


@pytest.mark.parametrize(
    ("values", "is_rate", "trend"),
    [
        (["100", "100", "100", "101", "101", "101"], False, "up"),
        (["101", "101", "101", "100", "100", "100"], False, "down"),
        (["100", "100", "100", "100.05", "100.05", "100.05"], False, "flat"),
        (["4.0", "4.0", "4.0", "4.1", "4.1", "4.1"], True, "up"),
        (["4.0", "4.0", "4.0", "4.0", "4.0", "4.1"], True, "flat"),
        (["0", "0", "0", "0", "0", "0"], False, "flat"),
        (["4.0", "4.0", "4.0", "4.1", "4.1"], True, ""),
    ],
)
def test_trend_compares_means_of_three_months(values, is_rate, trend) -> None:
    """A trend needs both means; those that lie close show no direction, equal zeros included."""
    assert series_facts(monthly(values), "monthly", is_rate=is_rate).trend == trend


def test_no_percentage_of_zero_or_less() -> None:
    """From zero or a negative value there is no percentage change."""
    assert series_facts(monthly(["0", "5"]), "monthly", is_rate=False).change is None
    assert series_facts(monthly(["-2", "5"]), "monthly", is_rate=False).change is None


def test_spread_takes_days_that_both_have() -> None:
    """The spread is the difference on the shared days only, oldest first."""
    start = date(2026, 11, 2)
    first = [Observation(start + timedelta(days=number), Decimal(4)) for number in (0, 1, 3)]
    second = [Observation(start + timedelta(days=number), Decimal("3.5")) for number in (1, 2, 3)]
    assert [(one.day.day, one.value) for one in spread(first, second)] == [(3, Decimal("0.5")), (5, Decimal("0.5"))]


def test_observations_that_cannot_be_are_refused() -> None:
    """No observation, or a day twice, must be an error that says so."""
    with pytest.raises(ValueError, match="at least one"):
        series_facts([], "monthly", is_rate=True)
    with pytest.raises(ValueError, match="stands twice"):
        series_facts([*monthly(["1"]), *monthly(["2"])], "monthly", is_rate=True)
