"""Earnings, multiples, reactions and volatility against numpy and pandas over many random histories."""

from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from services.domains.finance.agents.earnings import (
    Quarter,
    growth,
    margin,
    price_to_book,
    price_to_earnings,
    reaction,
    year_eps,
)
from services.domains.finance.agents.price_trend import Bar, price_trend

ENDS = [date(2024, 12, 31), *(date(2025, *md) for md in ((3, 31), (6, 30), (9, 30), (12, 31)))]
ENDS += [date(2026, *md) for md in ((3, 31), (6, 30), (9, 30))]
FIRST = date(2025, 11, 3)


def bars_of(seed: int, count: int = 280) -> list[Bar]:
    """Returns a random walk on weekdays."""
    closes = 100 * np.exp(np.cumsum(np.random.default_rng(seed).normal(0, 0.02, count)))
    days = pd.bdate_range(FIRST, periods=count).date
    return [
        Bar(day, Decimal(f"{close:.2f}"), Decimal(f"{close:.2f}"), Decimal(f"{close:.2f}"))
        for day, close in zip(days, closes, strict=True)
    ]


def quarters_of(seed: int, *, loss: bool = False) -> list[Quarter]:
    """Returns eight quarters in a row."""
    random = np.random.default_rng(seed)
    found = []
    for end in ENDS:
        eps = Decimal(f"{random.uniform(0.5, 3):.2f}")
        items = {
            "revenue": Decimal(int(random.uniform(1e9, 9e9))),
            "operating_income": Decimal(int(random.uniform(1e8, 9e8))),
            "eps": -eps if loss else eps,
            "bps": Decimal(f"{random.uniform(10, 60):.2f}"),
        }
        found.append(Quarter(end, f"{end.year}Q{end.month // 3}", end + timedelta(days=33), items))
    return found


def near(value: Decimal | None, expected: float) -> bool:
    """Tells whether a rounded value is the expected one."""
    return value is not None and abs(float(value) - expected) <= 0.005 + 1e-9


@pytest.mark.parametrize("seed", range(12))
def test_multiples_are_those_of_numpy(seed) -> None:
    """PER over four quarters and PBR, and their medians on announcement days, must equal numpy's."""
    bars, quarters = bars_of(seed), quarters_of(seed)
    closes = pd.Series([float(bar.close) for bar in bars], index=pd.DatetimeIndex([bar.day for bar in bars]))
    eps = pd.Series([float(one.items["eps"]) for one in quarters]).rolling(4).sum()
    bps = pd.Series([float(one.items["bps"]) for one in quarters])
    for base, found in ((eps, price_to_earnings(quarters, bars)), (bps, price_to_book(quarters, bars))):
        held = [
            closes[closes.index >= pd.Timestamp(one.announced)].iloc[0] / value
            for one, value in zip(quarters, base, strict=True)
            if one.announced >= FIRST and not np.isnan(value)
        ]
        now = closes.iloc[-1] / base.iloc[-1]
        assert found is not None
        assert found.count == len(held)
        assert near(found.value, now)
        assert near(found.median, float(np.median(held)))
        assert near(found.gap, (now / np.median(held) - 1) * 100)


def test_a_loss_or_a_gap_has_no_multiple() -> None:
    """Four quarters with a loss, three quarters, or a quarter that is missing between them give no PER."""
    bars, quarters = bars_of(1), quarters_of(1)
    assert price_to_earnings(quarters_of(1, loss=True), bars) is None
    assert price_to_earnings(quarters[:3], bars) is None
    assert year_eps([*quarters[:4], *quarters[5:7]]) is None
    assert price_to_earnings(quarters, []) is None


def test_few_announcements_have_no_history() -> None:
    """With fewer than three announcement days inside the bars no median is told."""
    found = price_to_book(quarters_of(2)[:6], bars_of(2, 140))
    assert found is not None
    assert (found.count, found.median, found.gap) == (2, None, None)


@pytest.mark.parametrize("seed", range(5))
def test_growth_and_margin(seed) -> None:
    """Growth compares with the same quarter a year before, a margin with the quarter's revenue."""
    quarters = quarters_of(seed)
    new, old = (float(quarters[place].items["revenue"]) for place in (-1, -5))
    assert near(growth(quarters, "revenue"), (new / old - 1) * 100)
    income = float(quarters[-1].items["operating_income"])
    assert near(margin(quarters[-1], "operating_income"), income / new * 100)
    assert growth(quarters[-3:], "revenue") is None
    assert margin(Quarter(ENDS[-1], "x", ENDS[-1], {"operating_income": Decimal(1)}), "operating_income") is None


@pytest.mark.parametrize("seed", range(8))
def test_reactions_are_those_of_pandas(seed) -> None:
    """The announcement's session and the first and fifth after it are told against the close before."""
    bars = bars_of(seed)
    closes = np.array([float(bar.close) for bar in bars])
    at = 10 + seed * 20
    found = reaction(bars[at].day, bars)
    expected = {session: (closes[at + session] / closes[at - 1] - 1) * 100 for session in (0, 1, 5)}
    assert set(found.moves) == set(expected)
    assert all(near(found.moves[session], expected[session]) for session in expected)


def test_sessions_that_are_not_there_are_absent() -> None:
    """An announcement on a Saturday counts for Monday; at the end sessions are missing, before the bars all are."""
    bars = bars_of(3)
    friday = next(place for place, bar in enumerate(bars) if bar.day.weekday() == 4)
    assert reaction(bars[friday].day + timedelta(days=1), bars).moves == reaction(bars[friday + 1].day, bars).moves
    assert set(reaction(bars[-1].day, bars).moves) == {0}
    assert set(reaction(bars[-3].day, bars).moves) == {0, 1}
    assert reaction(FIRST - timedelta(days=90), bars).moves == {}
    assert reaction(bars[-1].day + timedelta(days=3), bars).moves == {}


@pytest.mark.parametrize("seed", range(6))
def test_volatility_is_that_of_pandas(seed) -> None:
    """The sample deviation of the last 60 returns, times the root of 252, in percent."""
    bars = bars_of(seed)
    closes = pd.Series([float(bar.close) for bar in bars])
    expected = closes.pct_change().iloc[-60:].std(ddof=1) * np.sqrt(252) * 100
    assert near(price_trend(bars).volatility, expected)
    assert price_trend(bars[:60]).volatility is None
