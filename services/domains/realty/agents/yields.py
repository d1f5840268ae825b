"""What a home that is let returns a year. Pure.

    gross yield   12 x rent / (price - deposit) x 100
    own capital   price - deposit - loan
    on capital    (12 x rent - loan x interest / 100) / own capital x 100

Taxes, fees, repairs and empty months are not in it, and the answer says so.
"""

from dataclasses import dataclass
from decimal import Decimal

from services.plugin.wording import rounded

_MONTHS = 12


@dataclass(frozen=True, slots=True)
class Let:
    """A home that is bought and let."""

    price_krw: int
    """Its price."""
    deposit_krw: int
    """The tenant's deposit."""
    rent_krw: int
    """The rent of a month."""
    loan_krw: int = 0
    """The loan on it."""
    interest_percent: Decimal = Decimal(0)
    """The loan's yearly interest rate."""


def gross_yield(home: Let) -> Decimal:
    """Return the gross yield in percent, two digits.

    Raises:
        ValueError: The deposit reaches the price, so that no capital is bound.
    """
    bound = home.price_krw - home.deposit_krw
    if bound <= 0:
        raise ValueError("deposit_krw: it reaches the price, so that there is no capital to tell a yield of")
    return rounded(Decimal(home.rent_krw * _MONTHS) / bound * 100, 2)


def capital_yield(home: Let) -> Decimal:
    """Return the yield on own capital after interest in percent, two digits.

    Raises:
        ValueError: Deposit and loan reach the price.
    """
    own = home.price_krw - home.deposit_krw - home.loan_krw
    if own <= 0:
        raise ValueError("loan_krw: deposit and loan reach the price, so that there is no own capital")
    earned = Decimal(home.rent_krw * _MONTHS) - Decimal(home.loan_krw) * home.interest_percent / 100
    return rounded(earned / own * 100, 2)
