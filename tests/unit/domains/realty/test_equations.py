"""Relations of sums: whichever value is left out comes back from the others, and nothing is told that has no ground."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.domains.realty.equations import RELATIONS
from services.plugin.asks.relations import UnsolvableError, solved

_SUMS = st.integers(10_000_000, 2_000_000_000).map(Decimal)
_SHARES = st.integers(10, 900).map(lambda tenths: Decimal(tenths) / 10)


@given(price=_SUMS, ltv=_SHARES)
def test_a_home_its_loan_and_own_money_make_up_each_other(price: Decimal, ltv: Decimal) -> None:
    """Own money of a price and an LTV leads back to that price, alone and beside the loan."""
    *_, own = solved("savings", {"price": price, "ltv": ltv}, RELATIONS)
    loan = price * ltv / 100
    assert math.isclose(own.value + loan, price, rel_tol=1e-9)
    assert math.isclose(solved("price", {"savings": own.value, "ltv": ltv}, RELATIONS)[-1].value, price, rel_tol=1e-9)
    assert math.isclose(solved("price", {"savings": own.value, "loan": loan}, RELATIONS)[-1].value, price, rel_tol=1e-9)
    assert math.isclose(solved("ltv", {"price": price, "loan": loan}, RELATIONS)[-1].value, ltv, rel_tol=1e-9)


@given(price=_SUMS, share=_SHARES, deposit=st.integers(0, 9_000_000).map(Decimal))
def test_a_rent_of_a_yield_has_that_yield(price: Decimal, share: Decimal, deposit: Decimal) -> None:
    """The rent that a yield asks for gives that yield, with a deposit and without one."""
    known = {"price": price, "gross_yield": share} | ({"deposit": deposit} if deposit else {})
    rent = solved("rent", known, RELATIONS)[-1].value
    assert math.isclose(rent * 12 / (price - deposit) * 100, share, rel_tol=1e-9)
    back = {"rent": rent, "gross_yield": share} | ({"deposit": deposit} if deposit else {})
    assert math.isclose(solved("price", back, RELATIONS)[-1].value, price, rel_tol=1e-9)


@given(loan=_SUMS, rate=st.integers(0, 120).map(lambda tenths: Decimal(tenths) / 10), share=st.integers(1, 100))
def test_so_many_payments_repay_a_loan_and_one_less_does_not(loan: Decimal, rate: Decimal, share: int) -> None:
    """The months told are the first in which nothing is left."""
    paid = loan * rate / 1200 + loan * share / 3600
    months = int(solved("months", {"loan": loan, "rate": rate, "paid_month": paid}, RELATIONS)[-1].value)
    left = float(loan)
    for _ in range(months - 1):
        left = left * (1 + float(rate) / 1200) - float(paid)
    assert left > -1e-3 * float(paid)
    assert left * (1 + float(rate) / 1200) - float(paid) < 1e-3 * float(paid)


def test_payments_below_the_interest_never_repay_a_loan() -> None:
    """It is told as such, not as a number of months."""
    with pytest.raises(UnsolvableError):
        solved("months", {"loan": Decimal(10**8), "rate": Decimal(5), "paid_month": Decimal(200_000)}, RELATIONS)


def test_a_deposit_above_the_price_leaves_no_own_money() -> None:
    """A sum below zero is no answer."""
    with pytest.raises(UnsolvableError):
        solved("savings", {"price": Decimal(10**8), "deposit": Decimal(2 * 10**8)}, RELATIONS)


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("savings", {"price": 5}),
        ("price", {"rent": 5, "deposit": 7}),
        ("savings", {"price": 50, "loan": 20, "income_year": 9}),
        ("price", {"price": 5, "loan": 2}),
    ],
)
def test_nothing_is_solved_without_a_way_that_uses_all_that_is_known(asked: str, known: dict[str, int]) -> None:
    """A value that bears on nothing may bear on what was meant: then there is no answer."""
    assert solved(asked, {name: Decimal(value) for name, value in known.items()}, RELATIONS) == ()


def test_every_unknown_shows_what_it_is_computed_from() -> None:
    """The computation that a person reads names each of its inputs."""
    for relation in RELATIONS:
        for unknown in relation.unknowns:
            assert all(f"{{{name}}}" in unknown.shown for name in relation.variables - {unknown.name})
