"""How much may be borrowed, and what limits it: LTV, DTI, DSR or the product. Pure.

    LTV   price x ltv / 100
    DSR   the loan whose payments and those of other debts together are dsr / 100 of a year's income
    DTI   the loan whose payments and the interest of other debts together are dti / 100 of a year's income; without
          their interest being known, other debts count with their payments
    payment a month   loan x i / (1 - (1 + i)^-n), i the month's rate, n the months; without interest loan / n

The limiting factor is the one that allows the least. Limits are rounded down to ten thousand won.
"""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import Literal

from services.plugin.wording import rounded

Factor = Literal["ltv", "dti", "dsr", "product"]
_MONTHS = 12
_STEP_KRW = 10_000


@dataclass(frozen=True, slots=True)
class Terms:
    """What a loan is computed with; a limit of which something is missing is not computed."""

    price_krw: int | None = None
    """The home's price."""
    income_krw: int | None = None
    """A year's income."""
    other_payments_krw: int = 0
    """A year's payments of other debts."""
    rate_percent: Decimal | None = None
    """The yearly interest rate."""
    years: int | None = None
    """Years of repayment."""
    ltv_percent: Decimal | None = None
    """The highest loan of the price."""
    dti_percent: Decimal | None = None
    """The highest share of debts in income, by DTI."""
    dsr_percent: Decimal | None = None
    """The highest share of debts in income, by DSR."""
    product_krw: int | None = None
    """The product's own limit."""


@dataclass(frozen=True, slots=True)
class Borrowing:
    """What may be borrowed."""

    limits: dict[Factor, Decimal]
    """What each limit allows, in won."""
    factor: Factor
    """The one that allows the least; of equal ones the first of the order LTV, DTI, DSR, product."""
    payment_krw: Decimal | None
    """The payment of a month for that loan; None where rate or years are not known."""

    @property
    def loan_krw(self) -> Decimal:
        """The highest loan."""
        return self.limits[self.factor]


def payment(loan_krw: Decimal, rate_percent: Decimal, years: int) -> Decimal:
    """Return the level payment of a month in whole won.

    Raises:
        ValueError: The rate is negative or the years are not above 0.
    """
    return rounded(loan_krw / _present_value(rate_percent, years), 0)


def borrowing(terms: Terms) -> Borrowing | None:
    """Return what may be borrowed; None where no limit can be computed."""
    found = {
        "ltv": _by_ltv(terms),
        "dti": _by_income(terms, terms.dti_percent),
        "dsr": _by_income(terms, terms.dsr_percent),
        "product": None if terms.product_krw is None else Decimal(terms.product_krw),
    }
    limits: dict[Factor, Decimal] = {}
    for name in ("ltv", "dti", "dsr", "product"):
        limit = found[name]
        if limit is not None:
            limits[name] = _floored(limit)
    # A product's limit alone says nothing of this borrower.
    if not limits.keys() - {"product"}:
        return None
    factor = min(limits, key=lambda name: limits[name])
    known = terms.rate_percent is not None and terms.years is not None
    paid = payment(limits[factor], terms.rate_percent, terms.years) if known else None  # type: ignore[arg-type]
    return Borrowing(limits, factor, paid)


def _by_ltv(terms: Terms) -> Decimal | None:
    if terms.price_krw is None or terms.ltv_percent is None:
        return None
    return Decimal(terms.price_krw) * terms.ltv_percent / 100


def _by_income(terms: Terms, share_percent: Decimal | None) -> Decimal | None:
    if share_percent is None or terms.income_krw is None or terms.rate_percent is None or terms.years is None:
        return None
    a_year = Decimal(terms.income_krw) * share_percent / 100 - terms.other_payments_krw
    return max(Decimal(0), a_year) / _MONTHS * _present_value(terms.rate_percent, terms.years)


def _present_value(rate_percent: Decimal, years: int) -> Decimal:
    """Return the loan that a payment of 1 a month repays."""
    if rate_percent < 0 or years <= 0:
        raise ValueError("rate_percent, years: the rate is not negative and the years are above 0")
    months = years * _MONTHS
    monthly = rate_percent / 100 / _MONTHS
    if monthly == 0:
        return Decimal(months)
    return (1 - (1 + monthly) ** -months) / monthly


def _floored(won: Decimal) -> Decimal:
    return (won / _STEP_KRW).quantize(Decimal(1), rounding=ROUND_FLOOR) * _STEP_KRW
