"""What quarters, announcements and bars say about a share: growth, margins, multiples, reactions. Pure.

    growth        a quarter against the same quarter of the year before, in percent; none from a base of 0 or below
    margin        income over revenue of the quarter, in percent
    PER           the close over the earnings a share of four quarters in a row; none where these are 0 or below
    PBR           the close over the book value a share of the newest quarter
    own history   the median of the multiple on the days on which its quarters were announced, the newest included
    reaction      the close of the announcement's session, and of the first and fifth after it, against the close
                  before it, in percent

Arithmetic is exact on decimals. Percentages and multiples are rounded to two digits, half away from zero.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise
from statistics import median
from typing import Final

from services.domains.finance.agents.price_trend import Bar
from services.plugin.wording import rounded

REACTION_SESSIONS: Final = (0, 1, 5)
"""The sessions after an announcement whose closes are told; 0 is its own."""
REACTIONS_MAX: Final = 3
"""The announcements whose reactions are told, the newest ones."""
HISTORY_MIN: Final = 3
"""The days that a multiple's own history asks for."""
_YEAR_QUARTERS: Final = 4
_QUARTER_DAYS: Final = (80, 100)
_YEAR_DAYS: Final = (355, 375)


@dataclass(frozen=True, slots=True)
class Quarter:
    """The reported figures of one fiscal quarter."""

    end: date
    """Its last day."""
    label: str
    """Its name in the data, "2026Q3"."""
    announced: date
    """The day on which it was announced."""
    items: Mapping[str, Decimal]
    """Values by item: revenue, operating_income, net_income, eps, bps, ..."""


@dataclass(frozen=True, slots=True)
class Multiple:
    """One multiple of the price and its own history."""

    value: Decimal
    """On the day of the newest bar."""
    median: Decimal | None
    """The median of the history; None with fewer than three days."""
    gap: Decimal | None
    """How far the value lies above the median, in percent."""
    count: int
    """The days of the history."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """How the price moved around one announcement."""

    day: date
    """The day of the announcement."""
    moves: Mapping[int, Decimal]
    """The move by session, in percent; a session that no bar has is absent."""


def growth(quarters: Sequence[Quarter], item: str) -> Decimal | None:
    """Return how an item of the newest quarter compares with the year before, in percent."""
    newest = quarters[-1]
    ago = next((one for one in quarters if _apart(one, newest, _YEAR_DAYS)), None)
    if ago is None or item not in newest.items or ago.items.get(item, Decimal(0)) <= 0:
        return None
    return rounded((newest.items[item] - ago.items[item]) * 100 / ago.items[item], 2)


def margin(quarter: Quarter, item: str) -> Decimal | None:
    """Return an income as a share of the quarter's revenue, in percent."""
    revenue = quarter.items.get("revenue", Decimal(0))
    if revenue <= 0 or item not in quarter.items:
        return None
    return rounded(quarter.items[item] * 100 / revenue, 2)


def price_to_earnings(quarters: Sequence[Quarter], bars: Sequence[Bar]) -> Multiple | None:
    """Return the PER; `quarters` and `bars` oldest first. None without four quarters in a row or with a loss."""
    return _multiple(quarters, bars, year_eps)


def price_to_book(quarters: Sequence[Quarter], bars: Sequence[Bar]) -> Multiple | None:
    """Return the PBR; `quarters` and `bars` oldest first."""
    return _multiple(quarters, bars, lambda held: held[-1].items.get("bps"))


def year_eps(quarters: Sequence[Quarter]) -> Decimal | None:
    """Return the earnings a share of the newest four quarters, oldest first; None where they are not in a row."""
    last = quarters[-_YEAR_QUARTERS:]
    if len(last) < _YEAR_QUARTERS or not all(_apart(a, b, _QUARTER_DAYS) for a, b in pairwise(last)):
        return None
    if any("eps" not in one.items for one in last):
        return None
    return sum((one.items["eps"] for one in last), Decimal(0))


def reaction(day: date, bars: Sequence[Bar]) -> Reaction:
    """Return how closes moved around an announcement; `bars` oldest first.

    One on a day without trade counts for the next session; one before the second bar has no close before it.
    """
    at = next((place for place, bar in enumerate(bars) if bar.day >= day), None)
    if at is None or at == 0:
        return Reaction(day, {})
    before = bars[at - 1].close
    sessions = (session for session in REACTION_SESSIONS if at + session < len(bars))
    return Reaction(
        day, {session: rounded((bars[at + session].close - before) * 100 / before, 2) for session in sessions}
    )


def _multiple(
    quarters: Sequence[Quarter], bars: Sequence[Bar], base_of: Callable[[Sequence[Quarter]], Decimal | None]
) -> Multiple | None:
    now = _over(bars[-1].close, base_of(quarters)) if quarters and bars else None
    if now is None:
        return None
    history = [
        value
        for count, quarter in enumerate(quarters, start=1)
        if (close := _close_on(quarter.announced, bars)) is not None
        and (value := _over(close, base_of(quarters[:count]))) is not None
    ]
    middle = median(history) if len(history) >= HISTORY_MIN else None
    return Multiple(
        value=rounded(now, 2),
        median=None if middle is None else rounded(middle, 2),
        gap=None if middle is None else rounded((now - middle) * 100 / middle, 2),
        count=len(history),
    )


def _over(close: Decimal, base: Decimal | None) -> Decimal | None:
    return close / base if base is not None and base > 0 else None


def _close_on(day: date, bars: Sequence[Bar]) -> Decimal | None:
    """Return the close of a day, or of the next session; None where the bars do not reach it."""
    if not bars or bars[0].day > day:
        return None
    return next((bar.close for bar in bars if bar.day >= day), None)


def _apart(earlier: Quarter, later: Quarter, days: tuple[int, int]) -> bool:
    return days[0] <= (later.end - earlier.end).days <= days[1]
