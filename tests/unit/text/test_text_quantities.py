"""Quantities, private numbers and negation."""

import unicodedata
from datetime import datetime

import pytest

from services.plugin.vocabulary import installed_speech
from services.text.reading import TextReading, read

_NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")


def _read(text: str) -> TextReading:
    return read(text, now=_NOW, speech=installed_speech())


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("후기 남길게요 별 다섯 개", []),
        ("throw three of those into my basket", [3]),
        ("양말 세 켤레 살게요", [3]),
        ("마스크 이백 박스 주문", [200]),
        ("７개 담아줘", [7]),
        ("이거 하나 주문해줘", [1]),
        ("노트북 2대 결제", [2]),
        ("수량은 10개로", [10]),
        ("add three of those", [3]),
        ("buy 40 folders", [40]),
        ("order a dozen eggs", [12]),
        ("4개 말고 6개 주문", [6]),
        ("하나 추천해줘", []),
        ("30대 남성 선물", []),
        ("천이백 세대 아파트 단지", []),
        ("방 3개 빌라", []),
        ("3개월 할부", []),
        ("65인치 티비", []),
        ("5 stars", []),
        ("R7이랑 R9", []),
        ("공책 스물네 권 담아줘", [24]),
        ("물티슈 열두 팩 주문", [12]),
        ("방 2~3개 빌라", []),
        ("방 두세 개 집", []),
    ],
)
def test_quantities(text: str, values: list[int]) -> None:
    """Counters and verbs of buying make a quantity; sizes, ages, rooms and durations do not."""
    assert [quantity.value for quantity in _read(text).quantities] == values


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("공책 두세 권 담아줘", "두세 권"),
        ("한 두 박스 주문해줘", "한 두 박스"),
        ("대여섯 켤레 살게요", "대여섯 켤레"),
        ("예닐곱 병 결제", "예닐곱 병"),
        ("여남은 개 주문", "여남은 개"),
        ("4~5개 담아줘", "4~5개"),
        ("6-8 박스 주문", "6-8 박스"),
        ("order three or four boxes", "three or four boxes"),
        ("add 5-6 bottles to my cart", "5-6 bottles"),
    ],
)
def test_about_how_many_is_asked_and_never_guessed(text: str, surface: str) -> None:
    """Neither the lesser nor the greater number, nor both added up, is a quantity."""
    reading = _read(text)
    assert reading.quantities == ()
    assert [(ask.field, ask.reason.value, ask.surface) for ask in reading.asks] == [("quantities", "vague", surface)]


@pytest.mark.parametrize(
    ("text", "reason"), [("-3개 담아줘", "negative"), ("0개 주문", "impossible"), ("1.5개", "malformed")]
)
def test_impossible_quantities_are_asked(text: str, reason: str) -> None:
    """The field is named with the reason."""
    assert [(ask.field, ask.reason.value) for ask in _read(text).asks] == [("quantities", reason)]


@pytest.mark.parametrize(
    ("text", "phrase", "says"),
    [
        ("교환 말고 반품", "교환", False),
        ("교환 말고 반품", "반품", True),
        ("사지 말고 담아줘", "사-", False),
        ("취소하려다 결제할게", "취소", False),
        ("결제는 안 하고 보기만", "결제", False),
        ("no cancellation needed", "cancellation", False),
        ("I do not want a refund", "refund", False),
        ("대신 써줘", "쓰-", True),
    ],
)
def test_what_is_put_aside_is_not_said(text: str, phrase: str, *, says: bool) -> None:
    """A negated word does not count as wanted."""
    assert _read(text).says(phrase) is says


@pytest.mark.parametrize(
    "text", ["강남구 5억 3천만원 지난달", "삼성전자 주가 3개월 전", "의자 네 개 주문 ORD-20260519-0007"]
)
def test_decomposed_text_reads_alike(text: str) -> None:
    """NFD and full-width forms give the same reading."""
    assert _read(unicodedata.normalize("NFD", text)) == _read(text)
