"""The formulas over daily bars, against pandas."""

import math
import random
from datetime import date, timedelta
from decimal import Decimal

import pandas as pd
import pytest

from services.domains.finance.agents.price_trend import Bar, price_trend


def walk(seed: int, count: int, *, decimals: int = 2) -> list[Bar]:
    """Returns bars of a random walk with waves in it, on weekdays up to 2026-11-26, oldest first."""
    chance = random.Random(seed)  # noqa: S311 - a test's walk
    day, price, found = date(2026, 11, 26), 200.0, []
    for number in range(count):
        price = max(5.0, price + chance.gauss(0, 3) + 2 * math.sin(number / 20))
        close = Decimal(str(round(price, decimals)))
        found.append(Bar(day, close + Decimal(2), close - Decimal(2), close))
        day -= timedelta(days=3 if day.weekday() == 0 else 1)
    return found[::-1]


def series(bars: list[Bar]) -> pd.Series:
    """Returns the closes as floats by day."""
    return pd.Series([float(bar.close) for bar in bars], index=[bar.day for bar in bars])


@pytest.mark.parametrize("seed", range(6))
def test_averages_and_returns_are_those_of_pandas(seed) -> None:
    """Moving averages and returns must equal rolling means and percentage changes, returns to two digits."""
    bars = walk(seed, 300)
    closes = series(bars)
    found = price_trend(bars[::-1])
    for days, mean in found.averages.items():
        assert float(mean) == pytest.approx(closes.rolling(days).mean().iloc[-1], rel=1e-12)
    for days, change in found.returns.items():
        assert float(change) == pytest.approx(closes.pct_change(days).iloc[-1] * 100, abs=0.005 + 1e-9)
    assert set(found.averages) == {20, 60, 120}
    assert set(found.returns) == {1, 5, 20, 60, 120}


@pytest.mark.parametrize("seed", range(12))
def test_newest_cross_is_the_last_sign_change_of_the_averages(seed) -> None:
    """The newest cross must be the last day on which MA20 - MA60 changed its sign, with the right name."""
    bars = walk(seed, 260)
    closes = series(bars)
    difference = (closes.rolling(20).mean() - closes.rolling(60).mean()).dropna()
    signs = difference.apply(lambda value: 1 if value > 1e-9 else -1 if value < -1e-9 else 0)
    signs = signs.replace(0, pd.NA).ffill()
    changes = [
        (day, sign) for day, before, sign in zip(signs.index[1:], signs.iloc[:-1], signs.iloc[1:], strict=True)
        if not pd.isna(before) and before != sign
    ]  # fmt: skip
    cross = price_trend(bars).cross
    if not changes:
        assert cross is None
        return
    day, sign = changes[-1]
    assert cross is not None
    assert (cross.day, cross.word) == (day, "golden_cross" if sign > 0 else "dead_cross")


@pytest.mark.parametrize("seed", range(6))
def test_range_and_deepest_fall_are_those_of_pandas(seed) -> None:
    """The 52-week range must come from highs and lows of the span, the fall from closes against their running peak."""
    bars = walk(seed, 300)
    frame = pd.DataFrame({"high": [float(bar.high) for bar in bars], "low": [float(bar.low) for bar in bars]})
    frame.index = pd.Index([bar.day for bar in bars])
    first = bars[-1].day - timedelta(weeks=52)
    inside = frame[frame.index >= first]
    found = price_trend(bars)
    assert found.range.whole_year is True
    assert (float(found.range.high), float(found.range.low)) == (inside["high"].max(), inside["low"].min())
    closes = series(bars)
    assert float(found.fall) == pytest.approx((closes / closes.cummax() - 1).min() * 100, abs=0.005 + 1e-9)


def flat(count: int, price: str = "100") -> list[Bar]:
    """Returns bars of one price."""
    first = date(2026, 1, 1)
    close = Decimal(price)
    return [Bar(first + timedelta(days=number), close, close, close) for number in range(count)]


def test_a_constant_price_shows_no_direction() -> None:
    """Equal averages must be flat, without a cross, a fall or a return."""
    found = price_trend(flat(200))
    assert (found.short, found.long, found.cross, found.fall) == ("flat", "flat", None, Decimal("0.00"))
    assert set(found.returns.values()) == {Decimal("0.00")}


def test_short_trend_needs_the_close_on_its_side_of_ma20() -> None:
    """MA20 above MA60 is up only where the close is not below MA20; else no direction is stated."""
    rising = [
        Bar(bar.day, bar.high + number, bar.low + number, bar.close + number) for number, bar in enumerate(flat(130))
    ]
    assert price_trend(rising).short == "up"
    last = rising[-1]
    fallen = [*rising[:-1], Bar(last.day, last.high, Decimal(90), Decimal(95))]
    assert price_trend(fallen).short == "flat"
    falling = [Bar(bar.day, 1000 - bar.low, 1000 - bar.high, 1000 - bar.close) for bar in rising]
    assert (price_trend(falling).short, price_trend(falling).long) == ("down", "down")


@pytest.mark.parametrize(
    ("count", "averages", "short", "long"),
    [(1, [], "", ""), (19, [], "", ""), (20, [20], "", ""), (59, [20], "", ""), (60, [20, 60], "flat", "")],
)
def test_what_needs_more_bars_is_absent(count, averages, short, long) -> None:
    """With few bars no average, trend or return may be stated that they do not carry."""
    found = price_trend(flat(count))
    assert (list(found.averages), found.short, found.long, found.cross) == (averages, short, long, None)
    assert list(found.returns) == [days for days in (1, 5, 20, 60, 120) if days < count]


def test_few_bars_make_no_yearly_range() -> None:
    """A span that does not reach back 52 weeks must not be called a year."""
    found = price_trend(flat(100)).range
    assert (found.whole_year, found.since) == (False, date(2026, 1, 1))


@pytest.mark.parametrize(
    ("bars", "names"),
    [([], "at least one"), ([*flat(2), flat(1)[0]], "stands twice"), (flat(3, "0"), "not positive")],
)
def test_bars_that_cannot_be_are_refused(bars, names) -> None:
    """No bars, a day twice, or a price that is not positive must be an error that says so."""
    with pytest.raises(ValueError, match=names):
        price_trend(bars)
