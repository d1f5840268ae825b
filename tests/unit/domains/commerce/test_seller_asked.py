"""What a seller asks: another price, goods of which little is left, sales over days and against others."""

import pytest

from services.contract.asks import AskedBefore
from services.domains.commerce.asks import READ
from tests.unit.domains.commerce.asking import answer_of, ask_of, conditions_of, keyboard, row_of, said_in, sheet_of


def test_pricing_has_the_elasticity_of_the_shop() -> None:
    """Profit at another price is computed with -1.5 where nobody says otherwise."""
    ask = ask_of("2만원에 100개 팔고 원가는 만원이야. 10% 올리면 이익이 얼마가 돼?", user_type="seller")
    answer = answer_of(ask, {})
    assert "102만원" in said_in(answer)
    assert "-1.5" in said_in(answer)


def test_goods_of_which_little_is_left_are_told_by_how_little() -> None:
    """A seller who asks what is soon gone hears of goods up to the shop's own limit, and by what limit."""
    ask = ask_of("내 상품 가운데 재고가 곧 떨어질 것은?", user_type="seller")
    assert ("stock", "le", "10") in conditions_of(ask)
    listing = row_of(**keyboard(4, 30_000, stock=3).fields, status="active", unit_cost_krw=10_000)
    assert "재고 10개 이하" in said_in(answer_of(ask, {"own_listings": [listing]}))


@pytest.mark.parametrize("text", ["지난달이랑 비교해줘", "compare that with last month"])
def test_sales_are_held_against_a_time_that_alone_is_named(text: str) -> None:
    """The days asked about before stand; those named are what they are held against."""
    first = ask_of("이번 달 매출 어때?", user_type="seller")
    before = AskedBefore((first,), ())
    (claim,) = READ(sheet_of(text, "seller"), (before,))
    ask = claim.ask
    assert (ask.start_date, ask.end_date) == (first.start_date, first.end_date)
    assert (ask.against_date, ask.notes["against_end"]) == ("2026-04-01", "2026-04-30")


def test_days_that_begin_today_are_told_by_those_before() -> None:
    """Of a day that is not over no sales are known: the same length before is told, and that it is another one."""
    ask = ask_of("오늘 매출 알려줘", user_type="seller")
    assert (ask.start_date, ask.end_date, ask.notes["begun"]) == ("2026-05-19", "2026-05-19", "2026-05-20")
    whole = ask_of("이번 달 매출 알려줘", user_type="seller")
    assert (whole.start_date, whole.notes["begun"]) == ("2026-05-01", "")


def test_figures_that_are_wanted_back_are_no_refund() -> None:
    """A seller who wants last week's figures again gives nothing back."""
    assert ask_of("give me back last week's sales numbers", user_type="seller").answerer == "sales_level"


def test_a_time_is_told_as_far_as_the_day_that_is_named() -> None:
    """The quarter as far as today is no sales of today alone."""
    assert ask_of("오늘까지 이번 분기 매출 얼마야", user_type="seller").start_date == "2026-04-01"
