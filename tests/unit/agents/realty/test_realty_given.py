"""What a question gives: sums by role, rises, rates, terms and dangers, in both languages."""

from decimal import Decimal

import pytest

from services.domains.realty.agents.given import Rise, given_in
from tests.unit.agents.realty.realty_rows import asking


@pytest.mark.parametrize(
    ("question", "rise"),
    [
        ("월세 80만원을 95만원으로 올려달래요", Rise("rent", 800_000, 950_000)),
        ("전세금을 4억에서 4억 5천만원으로 올리겠대요", Rise("deposit", 400_000_000, 450_000_000)),
        (
            "my rent goes up from 1.2 million won to 1.3 million won, they want to raise it",
            Rise("rent", 1_200_000, 1_300_000),
        ),
        ("my landlord wants to raise the rent from ₩500,000 to ₩560,000", Rise("rent", 500_000, 560_000)),
        ("보증금 1억에 월세 50만원인데 더 올려도 되나요", None),
        ("월세 90만원을 80만원으로 내려달라고 할 수 있나요", None),
    ],
)
def test_a_rise_is_two_sums_of_one_role(question: str, rise: Rise | None) -> None:
    """A rise is read from two sums of rent or deposit, the first the lower; anything else is none."""
    assert given_in(asking(question)).rise == rise


@pytest.mark.parametrize(
    ("question", "percent"),
    [
        ("월세를 8% 올려달래요", 8),
        ("can they raise the rent by 12%?", 12),
        ("인상률 7.5%가 맞나요", Decimal("7.5")),
        ("전환율 5%가 맞나요", None),
    ],
)
def test_a_rise_may_be_a_percentage(question: str, percent: Decimal | int | None) -> None:
    """A rise told in percent is read as such, another rate is not."""
    assert given_in(asking(question)).rise_percent == percent


@pytest.mark.parametrize(
    ("question", "sums"),
    [
        ("매매가 5억, 보증금 5천만원에 월세 150만원", {"price": 500_000_000, "deposit": 50_000_000, "rent": 1_500_000}),
        ("연봉 7천만원인데 8억짜리 집", {"income": 70_000_000, "price": 800_000_000}),
        ("보증금 2,000만원에 월세 60만원, 관리비 10만원", {"deposit": 20_000_000, "rent": 600_000, "fee": 100_000}),
        ("deposit of 30 million won and rent of 700 thousand won", {"deposit": 30_000_000, "rent": 700_000}),
    ],
)
def test_sums_have_the_role_of_their_word(question: str, sums: dict[str, int]) -> None:
    """Each sum has the role that the nearest word before it, or behind it, gives."""
    assert given_in(asking(question)).sums == sums


def test_rates_terms_and_dangers() -> None:
    """Ratios, rates, years and dangers are read by their names."""
    found = given_in(asking("근저당 있고 신탁된 집, LTV 60%, DSR 40%, 금리 연 4.1%, 25년 상환, 84㎡"))
    assert found.rates == {"ltv": 60, "dsr": 40, "interest": Decimal("4.1")}
    assert (found.years, found.area_m2, found.dangers) == (25, 84, ("mortgage", "trust"))


def test_a_slot_stands_before_the_text() -> None:
    """A sum that the plan filled in is the one that counts; nonsense in a slot does not."""
    found = given_in(asking("보증금 1억", slots={"deposit": 200_000_000, "rent": True, "price": -1}))
    assert found.sums == {"deposit": 200_000_000}
