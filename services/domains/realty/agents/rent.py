"""How much a rent or deposit rises, how much it may, and what rent a deposit turns into. Pure.

    rise in percent   (after / before - 1) x 100
    highest           floor(before x (1 + cap / 100))
    rent a month      deposit x rate / 100 / 12, rounded half up to a won
    conversion cap    the lower of the decree's rate and the base rate plus its margin

Cap, rate and margin are read from the articles of law that were found; nothing here knows them.
"""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from services.plugin.wording import rounded

_MONTHS = 12


@dataclass(frozen=True, slots=True)
class RiseCheck:
    """A rise held against a cap."""

    rise_percent: Decimal
    """The rise, two digits."""
    cap_percent: Decimal
    """The cap."""
    highest_krw: Decimal | None
    """The highest sum within the cap; None where the sum is not known."""
    excess_krw: Decimal | None
    """What is asked for beyond it, not below 0; None where the sums are not known."""
    within: bool
    """Whether the rise is within the cap."""


def rise_percent(before_krw: int, after_krw: int) -> Decimal:
    """Return a rise in percent, two digits.

    Raises:
        ValueError: `before_krw` is not above 0.
    """
    if before_krw <= 0:
        raise ValueError("before_krw: a rise is told of a sum above 0")
    return rounded((Decimal(after_krw) / before_krw - 1) * 100, 2)


def check_rise(before_krw: int, after_krw: int, cap_percent: Decimal) -> RiseCheck:
    """Return how a rise stands against a cap; the sums decide, not the rounded percentage."""
    highest = (Decimal(before_krw) * (1 + cap_percent / 100)).quantize(Decimal(1), rounding=ROUND_FLOOR)
    excess = max(Decimal(0), after_krw - highest)
    return RiseCheck(rise_percent(before_krw, after_krw), cap_percent, highest, excess, after_krw <= highest)


def check_percent(percent: Decimal, cap_percent: Decimal) -> RiseCheck:
    """Return how a rise that is told in percent stands against a cap."""
    return RiseCheck(percent, cap_percent, None, None, percent <= cap_percent)


def conversion_cap(decree_percent: Decimal, base_percent: Decimal, margin_percent: Decimal) -> Decimal:
    """Return the highest yearly rate at which a deposit may be turned into rent."""
    return min(decree_percent, base_percent + margin_percent)


def monthly_rent(deposit_krw: int, year_percent: Decimal) -> Decimal:
    """Return the rent of a month that a deposit turns into at a yearly rate, in whole won.

    Raises:
        ValueError: A value is negative.
    """
    if deposit_krw < 0 or year_percent < 0:
        raise ValueError("deposit_krw, year_percent: neither is negative")
    return rounded(Decimal(deposit_krw) * year_percent / 100 / _MONTHS, 0)
