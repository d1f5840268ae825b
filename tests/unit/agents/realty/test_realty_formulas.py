"""Rises, conversion, yields and loan limits, held against values that are computed in another way."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.domains.realty.agents.borrowing import Terms, borrowing, payment
from services.domains.realty.agents.rent import (
    check_percent,
    check_rise,
    conversion_cap,
    monthly_rent,
    rise_percent,
)
from services.domains.realty.agents.yields import Let, capital_yield, gross_yield

FIVE = Decimal(5)


@pytest.mark.parametrize(
    ("before", "after", "percent"),
    [
        (5_000_000, 5_500_000, "10"),
        (500_000_000, 525_000_000, "5"),
        (300_000, 310_000, "3.33"),
        (700_000, 700_000, "0"),
    ],
)
def test_a_rise_is_told_of_the_sum_before(before: int, after: int, percent: str) -> None:
    """A rise in percent is of the sum before, two digits."""
    assert rise_percent(before, after) == Decimal(percent)


@given(before=st.integers(1, 10**10), after=st.integers(1, 10**10))
@settings(max_examples=200)
def test_the_cap_is_exact(before: int, after: int) -> None:
    """Whether a rise is within a twentieth is decided by whole sums: 20 x (after - before) <= before."""
    check = check_rise(before, after, FIVE)
    assert check.within is (20 * (after - before) <= before)
    assert check.highest_krw == before + before // 20
    assert check.excess_krw == max(0, after - before - before // 20)


def test_a_rise_told_in_percent_has_no_sums() -> None:
    """A rise of which only the percentage is known is checked without a highest sum."""
    assert [check_percent(Decimal(value), FIVE).within for value in ("5", "5.1", "4.99")] == [True, False, True]
    assert check_percent(FIVE, FIVE).highest_krw is None


def test_a_rise_of_nothing_is_refused() -> None:
    """Of a sum of 0 no rise can be told."""
    with pytest.raises(ValueError, match="before_krw"):
        rise_percent(0, 1)


@pytest.mark.parametrize(("base", "cap"), [("2.5", "4.5"), ("8", "10"), ("9.5", "10")])
def test_conversion_takes_the_lower_cap(base: str, cap: str) -> None:
    """The cap is the lower of the decree's rate and the base rate plus the margin."""
    assert conversion_cap(Decimal(10), Decimal(base), Decimal(2)) == Decimal(cap)


def test_a_deposit_turns_into_rent() -> None:
    """100 million at 4.5 % a year is 375,000 a month."""
    assert monthly_rent(100_000_000, Decimal("4.5")) == 375_000


def test_yields_are_of_the_capital() -> None:
    """Rent of a year over what is bound; with a loan, after interest, over own capital."""
    home = Let(500_000_000, 50_000_000, 1_500_000, 200_000_000, Decimal(4))
    assert gross_yield(home) == Decimal("4.00")
    assert capital_yield(home) == Decimal("4.00")  # (18 - 8) million over 250 million
    with pytest.raises(ValueError, match="deposit_krw"):
        gross_yield(Let(100, 100, 1))
    with pytest.raises(ValueError, match="loan_krw"):
        capital_yield(Let(100, 50, 1, 50))


@pytest.mark.parametrize(("rate", "years"), [("4.2", 30), ("3.1", 10), ("0", 20), ("9.9", 1)])
def test_payments_repay_the_loan(rate: str, years: int) -> None:
    """Paid month by month with interest, the level payment leaves nothing after the last month but rounding."""
    loan = Decimal(300_000_000)
    monthly, left = payment(loan, Decimal(rate), years), loan
    for _ in range(years * 12):
        left += left * Decimal(rate) / 1200 - monthly
    # A payment is rounded to a won, which interest lets grow.
    assert abs(left) < years * 12 * 4


def test_a_known_payment() -> None:
    """100 million over 30 years at 4 % is 477,415 a month, as every table says."""
    assert payment(Decimal(100_000_000), Decimal(4), 30) == 477_415


@pytest.mark.parametrize(
    ("changed", "factor", "limit"),
    [
        ({}, "dsr", 408_980_000),
        ({"income_krw": 120_000_000}, "ltv", 420_000_000),
        ({"product_krw": 300_000_000}, "product", 300_000_000),
        ({"dti_percent": Decimal(20)}, "dti", 204_490_000),
        ({"other_payments_krw": 12_000_000}, "dsr", 204_490_000),
        ({"other_payments_krw": 99_000_000}, "dsr", 0),
    ],
)
def test_the_limiting_factor_allows_the_least(changed: dict[str, Any], factor: str, limit: int) -> None:
    """Each limit can be the one that decides, and the loan is rounded down to ten thousand won."""
    terms: dict[str, Any] = {
        "price_krw": 600_000_000,
        "income_krw": 60_000_000,
        "rate_percent": Decimal("4.2"),
        "years": 30,
        "ltv_percent": Decimal(70),
        "dsr_percent": Decimal(40),
    }
    found = borrowing(Terms(**(terms | changed)))
    assert found is not None
    assert (found.factor, found.loan_krw) == (factor, limit)
    # The payments of the loan that DSR allows are its share of the income.
    if factor == "dsr" and limit:
        paid = Decimal(2_000_000 if not changed else 1_000_000)
        assert found.payment_krw is not None
        assert paid - 60 < found.payment_krw <= paid


def test_without_terms_there_is_no_limit() -> None:
    """A product's limit alone, or a ratio without what it is of, tells nothing."""
    assert borrowing(Terms(product_krw=100)) is None
    assert borrowing(Terms(ltv_percent=Decimal(70), dsr_percent=Decimal(40), income_krw=1)) is None
