"""Places that meet a bound are wanted as places, not as one mean and not as homes on offer."""

from datetime import UTC, date, datetime

import pytest

from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.plugin.asks.sheet import Sheet

_NOW = datetime(2026, 11, 27, 0, 0, tzinfo=UTC)


def _sheet(text: str) -> Sheet:
    read = read_question(text, now=_NOW, time_zone="Asia/Seoul")
    return Sheet(read.text, read.language, date(2026, 11, 27), tuple(one for one in read.entities if one.end))


@pytest.mark.parametrize(
    ("text", "bound", "least", "measure"),
    [
        ("서울에서 전세가율 55% 넘는 구 어디예요", "gt", "55", "jeonse_ratio"),
        ("아파트 전세 5억 이하인 서울 자치구 알려줘", "le", "500000000", "jeonse_deposit"),
        ("Which Seoul districts have apartment sale prices under 900 million won?", "lt", "900000000", "sale_price"),
    ],
)
def test_a_bound_on_places_is_kept(text: str, bound: str, least: str, measure: str) -> None:
    """The bound, its sum and what it is of are read."""
    (claim,) = read_asks(_sheet(text), ())

    assert claim.ask.answerer == "homes.market_rank"
    assert (claim.ask.notes["bound"], claim.ask.notes["least"], claim.ask.measures[0]) == (bound, least, measure)


@pytest.mark.parametrize("text", ["송파구에 5억 이하 전세 매물 있어?", "서울에서 5억 이하 전세 매물 보여줘"])
def test_homes_on_offer_stay_homes(text: str) -> None:
    """A district that is named, or homes on offer, are no class of places."""
    (claim,) = read_asks(_sheet(text), ())

    assert claim.ask.answerer == "homes.listings"
