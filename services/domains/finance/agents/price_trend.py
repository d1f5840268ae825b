"""What daily bars say about a share: averages, trends, crosses, returns, range and fall. Pure.

Arithmetic is exact on decimals; comparisons are made before rounding. Averages are rounded half up to two digits
after the point (whole won for KRW), percentages to two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from statistics import stdev
from typing import Final

from services.plugin.wording import rounded

AVERAGE_DAYS: Final = (20, 60, 120)
"""The windows of the moving averages, in bars."""
RETURN_DAYS: Final = (1, 5, 20, 60, 120)
"""The spans of the returns, in bars."""
BARS_MIN: Final = 120
"""The bars that the method asks for; with fewer the result is limited."""
VOLATILITY_BARS: Final = 60
"""The daily returns that the volatility rests on."""
YEAR_BARS: Final = 252
"""The trading days of a year, by which a daily deviation becomes a yearly one."""
YEAR: Final = timedelta(weeks=52)
"""The span of the yearly range, counted back from the newest bar."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One daily bar."""

    day: date
    """The trading day."""
    high: Decimal
    """The highest price."""
    low: Decimal
    """The lowest price."""
    close: Decimal
    """The last price."""


@dataclass(frozen=True, slots=True)
class Cross:
    """A sign change of MA20 - MA60."""

    word: str
    """golden_cross where MA20 rose above MA60, dead_cross where it fell below."""
    day: date
    """The first day of the new sign."""


@dataclass(frozen=True, slots=True)
class Range:
    """The highest and the lowest price of a span."""

    high: Decimal
    """The highest price."""
    high_day: date
    """The newest day of it."""
    low: Decimal
    """The lowest price."""
    low_day: date
    """The newest day of it."""
    since: date
    """The first day of the span."""
    whole_year: bool
    """Whether the span is 52 weeks; False where the bars do not reach back as far."""


@dataclass(frozen=True, slots=True)
class PriceTrend:
    """What the bars say. A value that needs more bars than there are is absent."""

    latest: Bar
    """The newest bar."""
    averages: dict[int, Decimal]
    """The moving averages of the close by window, unrounded."""
    short: str
    """up, down or flat: MA20 against MA60, and the close on the same side of MA20; empty without MA60."""
    long: str
    """up, down or flat: MA60 against MA120; empty without MA120."""
    cross: Cross | None
    """The newest cross in the bars."""
    returns: dict[int, Decimal]
    """The change of the close in percent by span, rounded."""
    range: Range
    """The range of the last 52 weeks, or of all bars where they are fewer."""
    fall: Decimal
    """The deepest fall of the close from an earlier close, in percent, 0 or below, rounded."""
    volatility: Decimal | None
    """The sample deviation of the last 60 daily returns as a yearly percentage, rounded; None with fewer."""
    since: date
    """The first day of the bars."""
    count: int
    """How many bars there are."""


def price_trend(bars: Sequence[Bar]) -> PriceTrend:
    """Return what bars say, in any order.

    Raises:
        ValueError: There is no bar, two bears the same day, or a price is not positive.
    """
    ordered = sorted(bars, key=lambda bar: bar.day)
    if not ordered:
        raise ValueError("bars: at least one is needed")
    for earlier, later in pairwise(ordered):
        if earlier.day == later.day:
            raise ValueError(f"bars: {later.day} stands twice")
    if any(bar.low <= 0 or bar.close <= 0 for bar in ordered):
        raise ValueError("bars: a price is not positive")
    closes = [bar.close for bar in ordered]
    averages = {days: mean for days in AVERAGE_DAYS if (mean := _average(closes, days)) is not None}
    return PriceTrend(
        latest=ordered[-1],
        averages=averages,
        short=_short(closes[-1], averages),
        long=_long(averages),
        cross=_newest_cross(ordered),
        returns={days: _change(closes[-1 - days], closes[-1]) for days in RETURN_DAYS if len(closes) > days},
        range=_range(ordered),
        fall=_deepest_fall(closes),
        volatility=_volatility(closes),
        since=ordered[0].day,
        count=len(ordered),
    )


def _average(closes: Sequence[Decimal], days: int) -> Decimal | None:
    return sum(closes[-days:], Decimal(0)) / days if len(closes) >= days else None


def _short(close: Decimal, averages: dict[int, Decimal]) -> str:
    if 60 not in averages:
        return ""
    if averages[20] > averages[60] and close >= averages[20]:
        return "up"
    if averages[20] < averages[60] and close <= averages[20]:
        return "down"
    return "flat"


def _long(averages: dict[int, Decimal]) -> str:
    if 120 not in averages:
        return ""
    if averages[60] == averages[120]:
        return "flat"
    return "up" if averages[60] > averages[120] else "down"


def _newest_cross(bars: Sequence[Bar]) -> Cross | None:
    """Return the newest sign change of MA20 - MA60; a day of equality keeps the sign before it."""
    newest, sign = None, 0
    sum20 = sum((bar.close for bar in bars[40:60]), Decimal(0))
    sum60 = sum((bar.close for bar in bars[:60]), Decimal(0))
    for last in range(59, len(bars)):
        if last > 59:
            sum20 += bars[last].close - bars[last - 20].close
            sum60 += bars[last].close - bars[last - 60].close
        difference = 3 * sum20 - sum60
        now = (difference > 0) - (difference < 0) or sign
        if sign and now != sign:
            newest = Cross("golden_cross" if now > 0 else "dead_cross", bars[last].day)
        sign = now
    return newest


def _change(before: Decimal, after: Decimal) -> Decimal:
    return rounded((after - before) * 100 / before, 2)


def _range(bars: Sequence[Bar]) -> Range:
    first = bars[-1].day - YEAR
    inside = [bar for bar in bars if bar.day >= first]
    high = max(inside, key=lambda bar: (bar.high, bar.day))
    low = min(inside, key=lambda bar: (bar.low, -bar.day.toordinal()))
    # A bar on the span's first day or before it proves that nothing of the span is missing at its beginning.
    return Range(high.high, high.day, low.low, low.day, inside[0].day, whole_year=bars[0].day <= first)


def _deepest_fall(closes: Sequence[Decimal]) -> Decimal:
    peak, deepest = closes[0], Decimal(0)
    for close in closes:
        peak = max(peak, close)
        deepest = min(deepest, (close - peak) / peak)
    return rounded(deepest * 100, 2)


def _volatility(closes: Sequence[Decimal]) -> Decimal | None:
    if len(closes) <= VOLATILITY_BARS:
        return None
    returns = [after / before - 1 for before, after in pairwise(closes[-VOLATILITY_BARS - 1 :])]
    return rounded(stdev(returns) * Decimal(YEAR_BARS).sqrt() * 100, 2)
