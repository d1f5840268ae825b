"""What was made of a share is told against the price that the person paid, where they name it."""

import pytest

from services.domains.finance.asks.named import shares_named
from services.domains.finance.asks.positions import type_position
from tests.unit.catalog.test_leaning_messages import sheet_of


@pytest.mark.parametrize(
    ("text", "quantities"),
    [
        ("기아 평단 9만 8천원인데 지금 수익률 어때요", {"paid": "98000"}),
        ("카카오 6만원에 30주 샀어요 지금 손해인가요 이익인가요", {"paid": "60000", "shares": "30"}),
        ("마이크로소프트 350불에 들어갔는데 지금 몇 프로 벌었어", {"paid": "350"}),
        ("I bought 12 Apple shares at $190, how much have I made", {"paid": "190", "shares": "12"}),
    ],
)
def test_the_price_paid_is_read(text: str, quantities: dict[str, str]) -> None:
    """The price is that of one share; the count is read where it is said."""
    sheet = sheet_of(text)
    (claim,) = type_position(sheet, shares_named(sheet))
    assert {one.role: one.value for one in claim.ask.quantities} == quantities


@pytest.mark.parametrize(
    "text",
    [
        "작년에 삼성전자 500만원어치 샀으면 지금 얼마야",
        "삼성전자 10만원 넘었어?",
        "카카오 30주 사려면 얼마 필요해",
        "네이버 지금 사도 될까",
    ],
)
def test_sums_and_levels_are_no_prices_paid(text: str) -> None:
    """A sum put in, a level and a purchase to come are other questions."""
    sheet = sheet_of(text)
    assert type_position(sheet, shares_named(sheet)) == ()
