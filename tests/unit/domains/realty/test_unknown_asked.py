"""Whichever sum of a relation a question leaves out is what it asks for; fixed calculators keep their questions."""

import pytest

from services.domains.realty.asks.solved import read
from tests.unit.catalog.test_leaning_messages import sheet_of


@pytest.mark.parametrize(
    ("text", "target", "given"),
    [
        ("9억짜리 아파트 엘티비 40%면 제 돈이 얼마나 필요한가요", "savings", {"price", "ltv"}),
        ("현금 3억에 주담대 2억 5천이면 얼마짜리 집을 보면 되나요", "price", {"savings", "loan"}),
        ("평당 1,800만원에 34평이면 집값이 얼마예요", "price", {"per_pyeong", "area_m2"}),
        ("매월 이자 45만원에 대출이 1억 2천이면 금리가 몇 퍼센트예요", "rate", {"interest_month", "loan"}),
        ("보증금 6천을 월세 25만원으로 돌리면 전환율이 얼마죠", "conversion", {"deposit", "rent"}),
        ("7천만원 빌려 다달이 80만원씩 갚으면 금리 6%에 몇 년이나 걸리나", "months", {"loan", "paid_month", "rate"}),
        ("4억 8천 집을 전세 3억 9천 안고 사면 갭이 얼마야", "savings", {"price", "deposit"}),
        ("what rent do I need for a 5% yield on a 240 million won flat", "rent", {"gross_yield", "price"}),
    ],
)
def test_the_unknown_is_what_is_asked(text: str, target: str, given: set[str]) -> None:
    """The noun at the question word is the unknown, and every number has its role."""
    claim, *more = read(sheet_of(text), ())
    assert not more
    assert claim.ask.notes["target"] == target
    assert {one.role for one in claim.ask.quantities} == given


@pytest.mark.parametrize(
    "text",
    [
        "6억 아파트 LTV 50%면 대출 얼마까지 나와요",
        "2억을 4%로 20년 빌리면 한 달에 얼마 갚아요",
        "보증금 2억을 5% 올리면 얼마예요",
        "전세 3억에서 보증금 1억만 남기면 월세 얼마예요",
        "5억 집 살 때 복비가 얼마죠",
        "강남구 아파트 평당 얼마예요",
    ],
)
def test_calculators_of_one_unknown_keep_their_questions(text: str) -> None:
    """Limits, payments, raises, conversions and fees are not taken from who answers them with their rules."""
    assert read(sheet_of(text), ()) == ()
