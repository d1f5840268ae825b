"""Whether a level was ever passed is told by the highest or lowest value, not by the newest."""

import pytest

from services.domains.finance.asks.absent import not_held
from services.domains.finance.asks.ever import type_ever
from services.domains.finance.asks.named import class_named, shares_named
from services.domains.finance.asks.spans import level_day
from services.domains.finance.asks.typed.stories import type_advice, type_missing
from tests.unit.catalog.test_leaning_messages import sheet_of


@pytest.mark.parametrize(
    ("text", "operator", "value"),
    [
        ("현대차가 30만원을 넘긴 적 있나요", "gt", "300000"),
        ("원달러 1,300원 밑으로 떨어진 적이 있어?", "lt", "1300"),
        ("미국 기준금리 5% 넘은 적 없었나", "gt", "5"),
        ("has the won ever fallen below 1,200 won per dollar exchange rate", "lt", "1200"),
    ],
)
def test_a_level_that_was_ever_passed(text: str, operator: str, value: str) -> None:
    """The side of the bound decides between the highest and the lowest."""
    sheet = sheet_of(text)
    (claim,) = type_ever(sheet, shares_named(sheet))
    (test,) = claim.ask.conditions
    assert (test.operator, test.value, claim.ask.descending) == (operator, value, operator == "gt")


def test_a_level_now_is_not_asked_over_all_time() -> None:
    """Without such words the newest value is meant."""
    sheet = sheet_of("현대차 30만원 넘었어?")
    assert type_ever(sheet, shares_named(sheet)) == ()


@pytest.mark.parametrize(
    ("text", "country"), [("코스피 상장 종목 중 배당 제일 높은 거", "KR"), ("나스닥 주식 가운데 올해 꼴찌는?", "US")]
)
def test_shares_of_a_market_are_those_of_its_country(text: str, country: str) -> None:
    """The index of that name, which no data holds, is not what is asked."""
    sheet = sheet_of(text)
    assert class_named(sheet) == country
    assert not_held(sheet) == ()


@pytest.mark.parametrize("text", ["현대차우 시세", "하이닉스(우) 얼마야", "네이버우랑 네이버 비교"])
def test_another_class_of_a_share_is_told_as_such(text: str) -> None:
    """Written on to a name or in brackets, it is never answered as the common share."""
    sheet = sheet_of(text)
    (claim,) = type_missing(sheet, shares_named(sheet))
    assert "preferred" in claim.ask.notes


def test_the_end_of_last_month_and_a_week_of_a_month_are_days() -> None:
    """A level of then is that of its last day, not today's."""
    assert level_day(sheet_of("지난달 말 환율"))[1] == "2026-10-31"
    assert level_day(sheet_of("10월 둘째 주 환율")) == ("2026-10-05", "2026-10-11")


@pytest.mark.parametrize(
    "text", ["반도체 업종 지금 들어가도 될까요", "은행주 사도 되나", "should I buy chip stocks now"]
)
def test_whether_to_buy_a_sector_is_advice(text: str) -> None:
    """A class of shares is asked about as a share is: nothing is recommended."""
    sheet = sheet_of(text)
    (claim,) = type_advice(sheet, shares_named(sheet))
    assert claim.ask.answerer == "advice"
