"""A sentence that only adds a number to the one before it is no request of its own."""

from datetime import UTC, datetime

import pytest

from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.contract.asks import Ask
from services.plugin.asks.sheet import Sheet


def asks(text: str) -> list[Ask]:
    """Return the asks of a question."""
    reading = read_question(text, now=datetime(2026, 11, 28, 3, tzinfo=UTC))
    sheet = Sheet(reading.text, reading.language, reading.today, reading.entities)
    return [claim.ask for claim in read_asks(sheet, ())]


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        (
            "전세 2억 5천에 대출 1억 8천 받으면 한 달 이자 얼마야? 금리 3.8%",
            {"deposit": "250000000", "loan": "180000000", "rate": "3.8"},
        ),
        (
            "If I borrow 200 million won, what is the monthly interest? The rate is 5%.",
            {"loan": "200000000", "rate": "5"},
        ),
    ],
)
def test_numbers_of_the_next_sentence_belong_to_the_question(text: str, roles: dict[str, str]) -> None:
    """One ask, with every number of both sentences."""
    (ask,) = asks(text)
    assert {one.role: one.value for one in ask.quantities} == roles


def test_a_limit_that_is_named_binds_alone() -> None:
    """Of LTV and DSR only the one that the person names is told of."""
    (ask,) = asks("How much could I borrow under DSR with 80 million won income at 4.2% over 30 years?")
    assert ask.notes["limits"] == "dsr"


@pytest.mark.parametrize(
    ("text", "answerers"),
    [
        ("용산구 평균 매매가가 얼마고, 코스닥은 지금 몇이야?", ["homes.market_level", "finance.missing"]),
        ("요즘 은값이랑 성동구 월세 궁금해요", ["finance.missing", "homes.market_level"]),
        ("What's the average rent in Nowon, and what's the gold price?", ["homes.market_level", "finance.missing"]),
        ("마포구 아파트 매매가랑 전세가 각각 얼마야? 전세가율도 알려줘", ["homes.market_level"]),
    ],
)
def test_requests_of_two_domains_are_both_heard(text: str, answerers: list[str]) -> None:
    """What is joined to a question on homes is asked too, unless it is of homes itself."""
    assert [one.answerer for one in asks(text)] == answerers


def test_a_share_that_is_sold_for_a_home_is_no_complex() -> None:
    """Its name is another domain's."""
    assert all("complex" not in one.notes for one in asks("현대차 주식 팔아서 은평구 전세 들어가려는데 시세 어때?"))


@pytest.mark.parametrize(
    "text",
    [
        "강동구 아파트 전세, 광진구 아파트 전세, 중랑구 아파트 전세 셋을 비교해 주세요",
        "Which costs less for apartment jeonse, Mapo-gu or Guro-gu, and what is the gap?",
    ],
)
def test_what_is_held_against_each_other_is_one_request(text: str) -> None:
    """Its parts are no requests of their own."""
    assert [one.answerer for one in asks(text)] == ["homes.market_compare"]


@pytest.mark.parametrize("text", ["hello there, good to see you", "그냥 무난한 걸로 해주세요", "내일 여기 눈 오나요?"])
def test_what_is_said_of_nothing_in_particular_is_no_thing_that_is_not_served(text: str) -> None:
    """Small talk, a bare choice, the weather."""
    assert all(one.answerer != "realty.unserved" for one in asks(text))


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("Which of Tesla, Micron and Apple fell the most this year?", ("return",)),
        ("Between Samsung Electronics, Kakao and Naver, who has the lowest P/E?", ("per",)),
    ],
)
def test_one_request_is_of_all_that_a_choice_names(text: str, measures: tuple[str, ...]) -> None:
    """What the names are joined by divides no request."""
    (ask,) = asks(text)
    assert (ask.answerer, len(ask.subjects), ask.measures) == ("finance.rank", 3, measures)


def test_a_commission_on_a_home_is_no_home_on_offer() -> None:
    """The price of the home is what the commission is reckoned from."""
    (ask,) = asks("what's the commission on a 700 million won apartment sale in Busan")
    assert (ask.answerer, [one.role for one in ask.quantities]) == ("realty.brokerage_fee", ["price"])
