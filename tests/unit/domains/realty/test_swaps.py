"""A higher deposit against a lower rent: which sum is of which, whatever words stand near it."""

from datetime import UTC, date, datetime

import pytest

from services.catalog.reading import read_question
from services.domains.realty.asks.rents.swaps import is_swap, is_swap_back, quantities
from services.plugin.asks.sheet import Sheet

NOW = datetime(2026, 11, 28, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (
            "월세 80만원을 65만원으로 내려 주고 보증금을 3천만원 더 받겠대요",
            {"rent": 800_000, "rent_by": 150_000, "deposit_by": 30_000_000},
        ),
        (
            "보증금 4천에서 6천으로 올리면 월세 50은 얼마로 줄어요",
            {"deposit": 40_000_000, "deposit_to": 60_000_000, "rent": 500_000},
        ),
        ("월세 75를 60까지 낮추려면 보증금은 얼마를 더 내나요", {"rent": 750_000, "rent_by": 150_000}),
        (
            "보증금 2천에 월세 70인데 월세를 50으로 낮추려면 보증금은 얼마나 더 올려요",
            {"deposit": 20_000_000, "rent": 700_000, "rent_by": 200_000},
        ),
        (
            "if I add 25 million to the deposit the rent drops by 100,000",
            {"deposit_by": 25_000_000, "rent_by": 100_000},
        ),
    ],
)
def test_each_sum_is_of_what_it_can_be(text: str, roles: dict[str, int]) -> None:
    """A rent's sum is never a deposit's, and what a rent is brought to tells by how much it falls."""
    reading = read_question(text, now=NOW)
    sheet = Sheet(reading.text, reading.language, date(2026, 11, 28), ())
    assert is_swap(sheet)
    assert {one.role: int(float(one.value)) for one in quantities(sheet)} == roles


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("보증금 4천을 빼 주고 월세를 18만원 더 받겠대요", {"deposit_by": 40_000_000, "rent_by": 180_000}),
        (
            "with 20 million less in deposit he asks for 120,000 more rent",
            {"deposit_by": 20_000_000, "rent_by": 120_000},
        ),
        (
            "보증금 6천에서 5천으로 낮추고 월세는 40에서 45로 올리재요",
            {"deposit": 60_000_000, "deposit_to": 50_000_000, "rent": 400_000, "rent_by": 50_000},
        ),
    ],
)
def test_a_lower_deposit_against_a_higher_rent_is_read_as_well(text: str, roles: dict[str, int]) -> None:
    """The other way round, where both sums are said; what a rent rises to is asked elsewhere."""
    reading = read_question(text, now=NOW)
    sheet = Sheet(reading.text, reading.language, date(2026, 11, 28), ())
    assert is_swap_back(sheet)
    assert {one.role: int(float(one.value)) for one in quantities(sheet)} == roles
