"""A message that names another part of the question before it is that question with the part replaced."""

from datetime import UTC, datetime

import pytest

from services.catalog.reading import read_question
from services.plugin.asks.sheet import Sheet
from services.router.replacing import with_replaced

NOW = datetime(2026, 11, 27, 0, tzinfo=UTC)


def see(text: str) -> Sheet:
    """Return a text as the readers see it."""
    read = read_question(text, now=NOW, time_zone="Asia/Seoul")
    return Sheet(read.text, read.language, read.today, tuple(one for one in read.entities if one.end))


@pytest.mark.parametrize(
    ("earlier", "message", "whole"),
    [
        (["저번 달 적립금 몇 점 쌓였지"], "이번 달엔?", "이번 달 적립금 몇 점 쌓였지"),
        (["양천구 청약 일정 알려줘"], "그럼 구로구는", "구로구 청약 일정 알려줘"),
        (["points earned in June"], "and in July?", "points earned in July"),
        (["points earned in June", "hello"], "what about September?", "points earned in September"),
        (["and in July?", "points earned in June"], "then in August?", "points earned in August"),
        (["30만원으로 뭘 하지"], "50만원이면?", "50만원으로 뭘 하지"),
    ],
)
def test_a_part_takes_the_place_of_its_kind(earlier: list[str], message: str, whole: str) -> None:
    """A month replaces the month, a place the place, a sum the sum, through a chain of them."""
    assert with_replaced(see(message), earlier, see).split() == whole.split()


@pytest.mark.parametrize(
    ("earlier", "message"),
    [
        (["양천구 청약 일정 알려줘"], "구로구 학군은 좋은 편인가?"),
        (["양천구 청약 일정 알려줘"], "5억이면?"),
        (["양천구 청약 일정 알려줘"], "왜?"),
        (["양천구 청약 일정 알려줘"], "구로구 금천구는?"),
        ([], "이번 달은?"),
    ],
)
def test_what_says_more_or_fits_nowhere_replaces_nothing(earlier: list[str], message: str) -> None:
    """A new question, a part that the question before has not, and two for one place leave all as it is."""
    assert with_replaced(see(message), earlier, see) == ""
