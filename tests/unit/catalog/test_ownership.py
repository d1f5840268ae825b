"""Whose reader is asked about a message: the owners of its nouns, and where nobody's stand, everyone's."""

import pytest

from services.catalog.arbiter import is_read_by, spoken_of
from services.catalog.asks import read_asks
from tests.unit.catalog.test_leaning_messages import sheet_of

DOMAINS = ("commerce", "finance", "homes", "realty")


@pytest.mark.parametrize(
    ("text", "readers"),
    [
        ("장바구니에 뭐 있어", {"commerce"}),
        ("what's in my cart", {"commerce"}),
        # Finance and realty build on homes, which gives way to their nouns.
        ("노원구 아파트 전세 얼마", {"homes", "finance", "realty"}),
        ("노원구 아파트 담보로 대출 얼마나 돼", {"finance", "realty"}),
        ("mortgage on a flat in Nowon-gu", {"finance", "realty"}),
        # A name keeps nobody out and lets nobody in: a person works at a company, and an order goes to a place.
        ("카카오 다니는데 신용대출 되나", {"realty"}),
        ("제주로 보내도 배송 똑같아?", {"commerce"}),
        # A term does: it is a noun of its domain, and of the ground that this builds on.
        ("실업률 오르면 대출도 늘어?", {"finance", "realty"}),
        ("실업률 알려줘", {"finance", "homes"}),
        # Units, endings and parts of names are no nouns.
        ("0.5%포인트 더 오르면?", set(DOMAINS)),
        ("5%라면 어때", set(DOMAINS)),
        ("마이크로소프트는 어때", set(DOMAINS)),
        ("그건 왜 그래", set(DOMAINS)),
    ],
)
def test_who_is_asked(text: str, readers: set[str]) -> None:
    """The readers of a message, and what anyone says anywhere beside them."""
    spoken = spoken_of(sheet_of(text))
    assert {one for one in DOMAINS if is_read_by(one, spoken)} == readers
    assert is_read_by("general", spoken)


def test_what_is_denied_speaks_for_nobody() -> None:
    """Nouns that are put aside are not what a message is about."""
    assert spoken_of(sheet_of("대출 말고 노트북")).nouns == {"commerce"}


@pytest.mark.parametrize(
    ("text", "answerers"),
    [
        ("내 주식 취소해줘", set()),
        ("cancel my lease", set()),
        ("Draft a sale contract for a villa in Dobong-gu at 410 million won", {"realty.contract_draft"}),
        (
            "Write me a report on flats in Jungnang-gu: prices, tenancy law and the risk to a deposit",
            {"homes.market_level", "realty.law", "realty.report_risk"},
        ),
        ("테슬라 주가 알려주고 모니터도 추천해줘", {"finance.level", "commerce.goods_recommend"}),
    ],
)
def test_what_is_claimed(text: str, answerers: set[str]) -> None:
    """What another domain owns is not acted on, and two domains' requests are two."""
    found = {one.ask.answerer for one in read_asks(sheet_of(text), ())}
    assert found == answerers or (not answerers and not any("act_" in one for one in found))
