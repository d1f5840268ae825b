"""What a question wants reckoned is told by its meaning where no words of a reader say it."""

from datetime import UTC, date, datetime

import pytest

from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.domains.realty.asks import meant
from services.plugin.asks.sheet import Sheet

_NOW = datetime(2026, 11, 27, 0, 0, tzinfo=UTC)


def _sheet(text: str) -> Sheet:
    read = read_question(text, now=_NOW, time_zone="Asia/Seoul")
    return Sheet(read.text, read.language, date(2026, 11, 27), tuple(one for one in read.entities if one.end))


def test_what_is_fitted_is_of_the_examples() -> None:
    """`python -m services.domains.realty.asks.encoding` writes it anew when examples change."""
    assert meant.meaning().ships


@pytest.mark.parametrize(
    ("text", "answerer", "roles"),
    [
        (
            "재작년에 1억 8천에 들어와 살았는데 이번엔 1억 9천5백을 부르시네요. 문제없나요?",
            "realty.rent_rise",
            {"deposit": "180000000", "raised_to": "195000000"},
        ),
        (
            "통장에 2억 2천 있고 사고 싶은 집은 7억, LTV 70까지 나온대요. 모자라지 않을까요",
            "realty.money_enough",
            {"savings": "220000000", "price": "700000000", "ltv": "70"},
        ),
        (
            "Picked up a flat at 350 million won and let it go for 420 million. What percent is my profit?",
            "realty.resale_gain",
            {"price": "350000000", "sold": "420000000"},
        ),
    ],
)
def test_a_sum_is_read_by_what_the_question_means(text: str, answerer: str, roles: dict[str, str]) -> None:
    """The kind comes from the examples, the roles from the numbers."""
    (claim,) = read_asks(_sheet(text), ())

    assert claim.ask.answerer == answerer
    assert {one.role: one.value for one in claim.ask.quantities if one.role in roles} == roles


@pytest.mark.parametrize(
    "text",
    [
        "테슬라 200주를 150달러에 사서 180달러에 팔면 얼마 남아요?",
        "오늘 저녁 3인분 배달 시키면 얼마쯤 나올까요",
        "my deposit receipt shows order 3 of 5, when does it arrive",
        "이 노트북 100만원인데 쿠폰 10% 쓰면 얼마예요",
        "요즘 3호선 출근길에 사람이 너무 많아요",
    ],
)
def test_what_is_no_sum_of_a_home_stays_unread(text: str) -> None:
    """A question of another kind is near to none of the sums."""
    assert meant.read(_sheet(text), ()) == ()


def test_a_reading_without_doubt_stands() -> None:
    """What words and numbers say whole is not read anew by its meaning."""
    (claim,) = read_asks(_sheet("대출 3억 연 4.2% 30년 원리금균등이면 매달 얼마 갚아요?"), ())

    assert claim.ask.answerer == "realty.loan_payment"


def test_two_incomes_are_one() -> None:
    """A partner's income repays the loan as well."""
    (claim,) = read_asks(_sheet("제 연봉 4,500에 남편 3,500이고 금리 4% 30년 DSR 40%면 얼마까지 빌리나요"), ())

    assert {one.role: one.value for one in claim.ask.quantities}["income_year"] == "80000000"
