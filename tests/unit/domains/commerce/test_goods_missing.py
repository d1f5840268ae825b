"""Goods that are not sold here are said not to be, and what is no goods is none that is missing."""

import pytest

from services.domains.commerce.asks import READ
from tests.unit.domains.commerce.asking import ask_of, sheet_of


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("제습기 10리터 이상 중에 제일 싼 거 뭐예요?", "제습기"),
        ("which kayak is the cheapest?", "kayak"),
        ("물티슈 3개 사면 총 얼마야", "물티슈"),
        ("사과 1박스 얼마야", "사과"),
        ("에어컨 파나요", "에어컨"),
        ("아이패드랑 갤럭시탭 뭐가 더 싸", "아이패드, 갤럭시탭"),
        ("do you sell air conditioners?", "air conditioners"),
    ],
)
def test_goods_of_no_category_are_said_not_to_be_sold(text: str, what: str) -> None:
    """Goods that are not sold are an honest no: the cheapest, so many of them, two of them, whether any is sold."""
    ask = ask_of(text)
    assert (ask.answerer.rpartition("goods_")[2], ask.notes["ko"]) == ("missing", what)


@pytest.mark.parametrize(
    "text",
    [
        "제일 싼 제품은?",
        "월세 3개월 얼마야",
        "전세랑 월세 중 뭐가 더 싸",
        "아파트 파나요",
        "세금 제일 많이 내는 건 뭐야",
        "마포에서 제일 싼 동네는 어디야",
    ],
)
def test_what_is_no_kind_of_goods_is_none_that_is_missing(text: str) -> None:
    """A superlative of nothing, of a tax or of a place is not the shop's."""
    assert not [claim for claim in READ(sheet_of(text), ()) if claim.ask.answerer.endswith("missing")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("낚시 의자 보여줘", "낚시 의자"),
        ("차량용 공기청정기 있어요?", "차량용 공기청정기"),
        ("baby monitors under 90,000 won", "baby monitors"),
        ("highly rated monitor arms", "monitor arms"),
        ("키보드 키캡 얼마예요", "키보드 키캡"),
    ],
)
def test_a_noun_of_goods_in_the_name_of_others_finds_none_of_them(text: str, what: str) -> None:
    """What is made for another purpose, or belongs to goods, is told as not sold, and its neighbour is not offered."""
    ask = ask_of(text)
    assert (ask.answerer.rpartition("goods_")[2], ask.notes["ko"], ask.subjects) == ("missing", what, ())


@pytest.mark.parametrize(
    "text", ["캠핑용 스피커 추천해줘", "카메라 좋은 스마트폰 보여줘", "낚시 의자 말고 사무용 의자 보여줘"]
)
def test_a_property_or_what_is_put_aside_is_no_other_thing(text: str) -> None:
    """A line for a purpose, a part that goods have, and goods that nobody wants leave the kind as it is."""
    assert ask_of(text).subjects
