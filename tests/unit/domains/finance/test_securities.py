"""Companies and their shares: which names mean one, and which are goods or words."""

from datetime import datetime

import pytest

from services.domains.finance.entities import KINDS
from services.text.reading import TextReading, read

_NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")


def _read(text: str) -> TextReading:
    return read(text, now=_NOW, kinds=KINDS, labels="ko")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("현대차주가지금어때", ["KR:005380"]),
        ("삼전실적발표났나요", ["KR:005930"]),
        ("엔비디아 실적", ["US:NVDA"]),
        ("테슬라주식어때요", ["US:TSLA"]),
        ("하이닉스랑 현대차 전망", ["KR:000660", "KR:005380"]),
        ("SK hynix outlook", ["KR:000660"]),
        ("000270 주가", ["KR:000270"]),
        ("애플은 좀 어때", ["US:AAPL"]),
        ("Alphabet's earnings", ["US:GOOGL"]),
        ("aapl stock", ["US:AAPL"]),
        ("엔비디아 팔까 고민되네", ["US:NVDA"]),
        ("is now the time for apple shares", ["US:AAPL"]),
        ("에코프로비엠 주가", ["KR:247540"]),
        ("메타 말고 스노우플레이크 주가", ["US:SNOW"]),
    ],
)
def test_companies_are_securities(text: str, ids: list[str]) -> None:
    """Aliases in both languages, tickers and codes give the security's id."""
    assert [security.value for security in _read(text).of("security")] == ids


@pytest.mark.parametrize(
    "text",
    [
        "기아차 카매트 찾아줘",
        "애플 사이다 한 병 있어요?",
        "파인애플 주스",
        "OpenAI 상장 소식",
        "애플 노트북 추천",
        "엔비디아 노트북 팔아요?",
        "an apple a day",
        "카카오 파우더 찾아줘",
        "우리 집 대출",
        "하나 골라줘",
        "현대아파트 시세",
        "snow tomorrow",
        "performance laptop",
        "네이버 로그인이 안 돼",
    ],
)
def test_brands_and_words_are_no_shares(text: str) -> None:
    """Goods of a brand and words that only look like a name are no share."""
    assert _read(text).of("security") == ()


def test_a_short_code_is_asked() -> None:
    """Digits that lack their zeros could be anything."""
    assert [(ask.field, ask.reason.value) for ask in _read("660 주가").asks] == [("security", "malformed")]


def test_the_covered_universe_is_marked() -> None:
    """A known company outside the universe is told apart."""
    assert [security.attributes["covered"] for security in _read("삼성전자 주가와 농심 주가").of("security")] == [
        "true",
        "false",
    ]
