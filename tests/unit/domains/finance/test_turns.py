"""When a series last moved: read by its words, told from its rows."""

from decimal import Decimal

import pytest

from services.domains.finance.asks.turns import last_turn
from tests.unit.domains.finance.test_asks_reading import asked


@pytest.mark.parametrize(
    ("question", "way", "series"),
    [
        ("한은이 기준금리를 마지막으로 인하한 게 언제였죠", "down", "KR_BASE_RATE"),
        ("When did the Fed last raise rates?", "up", "FEDFUNDS"),
        ("한국 기준금리 최근에 바뀐 때가 언제야", "", "KR_BASE_RATE"),
    ],
)
def test_it_is_read_with_its_way(question: str, way: str, series: str) -> None:
    """Down, up, or either."""
    ask = asked(question)
    assert (ask.answerer, ask.notes["way"], [one.value for one in ask.subjects]) == ("turned", way, [series])


def test_what_is_to_come_is_no_last_time() -> None:
    """When it will move nobody knows."""
    assert asked("한국은행이 기준금리를 언제 내릴까요").answerer == "forecast"


@pytest.mark.parametrize(("way", "at"), [("down", 3), ("up", 1), ("", 1)])
def test_the_newest_that_moved_so(way: str, at: int) -> None:
    """Values that stay are no move, the newest first."""
    values = [Decimal(one) for one in ("3.0", "3.0", "2.75", "2.75", "3.0")]
    assert last_turn(values, way) == at
    assert last_turn(values[:2], way) is None


@pytest.mark.parametrize(
    ("question", "way", "base"),
    [
        ("올해 한은이 기준금리 몇 번 내렸어", "down", "2025-12-31"),
        ("how many times has the Bank of Korea rate changed this year", "", "2025-12-31"),
        ("기준금리 지금까지 몇 차례 올랐어", "up", ""),
    ],
)
def test_how_often_is_counted_over_its_time(question: str, way: str, base: str) -> None:
    """A count of moves, over the time that is named, else over all that the data has."""
    ask = asked(question)
    assert (ask.answerer, ask.notes["way"], ask.against_date) == ("counted", way, base)
