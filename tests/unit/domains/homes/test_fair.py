"""Whether a stated price is dear or cheap for its place."""

from decimal import Decimal

import pytest

from services.catalog.asks import read_asks
from services.contract.asks import Ask
from tests.unit.catalog.test_leaning_messages import sheet_of


def asked(text: str) -> list[Ask]:
    """Returns the asks of a message."""
    return [one.ask for one in read_asks(sheet_of(text), ())]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("중랑구 아파트 전세 4억이면 비싼 건가요", {"jeonse_deposit": 400_000_000}),
        ("도봉구 빌라 2억 3천에 샀는데 바가지 쓴 거야?", {"sale_price": 230_000_000}),
        ("강서구 오피스텔 월세 500에 65면 적정한가요", {"monthly_rent": 650_000, "rent_deposit": 5_000_000}),
        ("is 640 million fair for an apartment in Guro-gu?", {"sale_price": 640_000_000}),
        ("250 million jeonse for a villa in Gangbuk-gu, too much?", {"jeonse_deposit": 250_000_000}),
    ],
)
def test_a_stated_price_is_held_against_its_place(text: str, held: dict[str, int]) -> None:
    """Each sum against the mean of its own deal; of a rent the smaller sum is the rent."""
    (ask,) = asked(text)
    assert ask.answerer == "homes.market_fair"
    assert {one.role: Decimal(one.value) for one in ask.quantities} == held


@pytest.mark.parametrize(
    "text",
    [
        "중랑구 아파트 4억 이하 싼 거 있어?",
        "중랑구랑 도봉구 중에 어디가 더 비싸?",
        "중랑구 아파트 4억에 사도 될까?",
        "중랑구 아파트 얼마야",
        "서울에서 제일 비싼 구는?",
        "4억이면 비싼 편이야?",
    ],
)
def test_what_holds_no_price_against_a_place(text: str) -> None:
    """A limit, a comparison, a decision, a level, a rank, no place."""
    assert all(one.answerer != "homes.market_fair" for one in asked(text))
