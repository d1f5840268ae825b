"""Up to which price a home is within reach."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.catalog.asks import read_asks
from services.domains.realty.asks.loans.reached import reach
from tests.unit.catalog.test_leaning_messages import sheet_of

SUMS = st.integers(10_000_000, 3_000_000_000).map(Decimal)


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (
            "소득 8천에 현금 2억 5천 있고 금리 3.9% 35년이면 얼마짜리 아파트까지 살 수 있나요",
            {"income_year": 80_000_000, "savings": 250_000_000, "rate": Decimal("3.9"), "months": 35},
        ),
        (
            "모은 돈 1억 5천, 연봉 5200만원이면 집은 얼마까지 가능할까",
            {"income_year": 52_000_000, "savings": 150_000_000},
        ),
        (
            "I earn 70 million won a year and have saved 200 million. How expensive a home can I afford at 4.5%?",
            {"income_year": 70_000_000, "savings": 200_000_000, "rate": Decimal("4.5")},
        ),
    ],
)
def test_the_price_is_what_is_asked(text: str, roles: dict[str, Decimal]) -> None:
    """What is given is bound, and no price is asked for."""
    ((claim),) = read_asks(sheet_of(text), ())
    assert claim.ask.answerer == "realty.price_reached"
    assert {one.role: Decimal(one.value) for one in claim.ask.quantities} == roles


@pytest.mark.parametrize(
    "text",
    [
        "연봉 6천인데 5억짜리 아파트 사려면 대출 얼마까지 돼요? 금리 4%, 30년",
        "모은 돈 1억에 연봉 5천이면 전세 얼마까지 가능해?",
        "연봉 5천이면 대출 얼마까지 나와?",
    ],
)
def test_a_loan_or_a_lease_is_another_question(text: str) -> None:
    """A price that is named, a deposit, a loan."""
    assert all(one.ask.answerer != "realty.price_reached" for one in read_asks(sheet_of(text), ()))


@given(SUMS, st.integers(1, 95).map(Decimal), SUMS)
@settings(max_examples=1000, deadline=None)
def test_no_dearer_home_is_within_reach(savings: Decimal, ltv: Decimal, by_income: Decimal) -> None:
    """The loan for it is within both limits, and the loan for the next 만원 is not within one of them."""
    price, _ = reach(savings, ltv, by_income)

    def fits(cost: Decimal) -> bool:
        return (cost - savings) * 100 <= ltv * cost and cost - savings <= by_income

    assert fits(price)
    assert not fits(price + 20_000)
