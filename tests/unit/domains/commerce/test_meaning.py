"""What no pattern reads is read by its likeness to what people say, and nothing of other matters is taken for it."""

from datetime import UTC, datetime

import pytest

from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.contract.asks import Ask
from services.domains.commerce.asks.kinds import BUILDS
from services.domains.commerce.asks.meant import kinds, likeness
from services.plugin.asks.sheet import Sheet
from services.text.likeness import words_of

_NOW = datetime(2026, 5, 20, 3, 0, tzinfo=UTC)


def _asks(text: str, user_type: str = "consumer") -> list[Ask]:
    reading = read_question(text, now=_NOW)
    own = tuple(one for one in reading.entities if one.end)
    return [claim.ask for claim in read_asks(Sheet(reading.text, reading.language, reading.today, own, user_type), ())]


def test_vectors_ship_with_the_examples() -> None:
    """`python -m services.domains.commerce.asks.encoding` writes them anew when examples change."""
    assert likeness().ships
    assert likeness().words == [words_of(text) for text in likeness().texts]


def test_every_kind_that_is_built_has_examples() -> None:
    """A kind without examples would never be meant."""
    assert set(BUILDS) <= set(kinds())


@pytest.mark.parametrize(
    ("text", "user_type", "answerer"),
    [
        ("엊그제 주문한 물건 소식이 없는데 발송은 됐으려나", "consumer", "own_orders"),
        ("여태껏 여기다 쏟아부은 돈이 총 얼마려나", "consumer", "own_spending"),
        ("let me know what I've got lying in the basket", "consumer", "own_cart"),
        ("뭘 더 떼어다 놔야 하나, 재고 바닥난 거 말이야", "seller", "own_listings"),
        ("which items of mine get returned the most lately", "seller", "sales_rank"),
        ("my unit cost is 5,000, I ask 9,000 and 150 go a month; how about 10,000", "seller", "pricing"),
    ],
)
def test_what_no_pattern_reads_is_read_by_its_meaning(text: str, user_type: str, answerer: str) -> None:
    """Other words for what a shop is asked come to the same ask."""
    assert [one.answerer for one in _asks(text, user_type)] == [f"commerce.{answerer}"]


@pytest.mark.parametrize(
    "text",
    [
        "전세 보증금을 언제 돌려받나요",
        "is the yield curve inverted",
        "옆집 사람 전화번호 알려줘",
        "how high is the base rate now",
        "우리 동네 아파트 값이 오를까",
        "월세를 카드로 내도 되나요",
        "what do analysts think of the chip makers",
        "오늘 저녁에 비가 올까요",
    ],
)
def test_other_matters_are_not_taken_for_the_shops(text: str) -> None:
    """What is no matter of a shop is not answered by one."""
    assert not [one for one in _asks(text) if one.domain == "commerce"]


def test_goods_that_are_named_in_passing_are_not_listed_where_something_is_asked_of_an_order() -> None:
    """The kind of goods alone is the weakest reading: an order of them is asked after."""
    assert [one.answerer for one in _asks("택배 도대체 어디까지 왔대요, 의자 말이에요")] == ["commerce.own_orders"]


@pytest.mark.parametrize(
    ("text", "field", "category"),
    [
        ("가장 조용한 로봇청소기", "unknown.noise", "vacuum"),
        ("튼튼한 백팩 5만원 아래로", "unknown.durability", "backpack"),
        ("the quietest air purifier", "unknown.noise", "air_purifier"),
    ],
)
def test_what_no_row_says_is_never_dropped(text: str, field: str, category: str) -> None:
    """A quality that the catalogue does not hold is a condition that is told as not applied, or ranks nothing."""
    (ask,) = _asks(text)
    assert ask.order_by == field or field in {one.field for one in ask.conditions}
    assert category in {one.value for one in ask.subjects}


def test_a_quality_that_a_kind_of_goods_has_as_a_property_is_one() -> None:
    """Quiet keyboards are there: their switches say so."""
    (ask,) = _asks("조용한 키보드 찾아줘")
    assert {one.field for one in ask.conditions} == {"attributes.switch"}
