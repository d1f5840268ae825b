"""Places, companies, quantities, codes and negation (spec 1.5, 1.6.6, 1.6.10)."""

import unicodedata
from datetime import datetime

import pytest

from services.text.gazetteer import gazetteer
from services.text.reading import Reading, read

_NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")


def _read(text: str) -> Reading:
    return read(text, now=_NOW)


@pytest.mark.parametrize(
    ("text", "code", "name"),
    [
        ("강남에 집 구해요", "11680", "서울 강남구"),
        ("송파구 문정동 전세", "11710", "서울 송파구 문정동"),
        ("대전 중구 빌라", "30140", "대전 중구"),
        ("중구 아파트, 울산이요", "31110", "울산 중구"),
        ("안양시 동안구", "41173", "경기 안양시 동안구"),
        ("창원 성산구 오피스텔", "48123", "경남 창원시 성산구"),
        ("강원도 고성군", "51820", "강원 고성군"),
        ("전주 완산구", "52111", "전북 전주시 완산구"),
        ("판교 오피스텔", "41135", "경기 성남시 분당구 판교"),
        ("광주 아파트", "29", "광주"),
        ("경기 광주 아파트", "41610", "경기 광주시"),
        ("세종시 집값", "36110", "세종"),
        ("화성 아파트", "41590", "경기 화성시"),
        ("도봉구아파트시세얼마", "11320", "서울 도봉구"),
        ("flats in Nowon-gu", "11350", "서울 노원구"),
        ("Jung-gu, Daegu", "27110", "대구 중구"),
        ("seocho apartments", "11650", "서울 서초구"),
    ],
)
def test_places_are_codes(text: str, code: str, name: str) -> None:
    """A place is its district's code; a city beside it decides between namesakes."""
    assert [(region.code, region.name) for region in _read(text).regions] == [(code, name)]


@pytest.mark.parametrize(
    ("text", "count"),
    [("남구 전세", 5), ("강서구 아파트", 2), ("고성군", 2), ("광주시 아파트", 2), ("Seo-gu homes", 5)],
)
def test_namesakes_are_asked(text: str, count: int) -> None:
    """A name that several cities have gives no code but its alternatives, and is asked."""
    reading = _read(text)
    (region,) = reading.regions
    assert (region.code, len(region.alternatives)) == (None, count)
    assert [(ask.field, ask.reason.value) for ask in reading.asks] == [("regions", "ambiguous")]


@pytest.mark.parametrize(
    "text",
    [
        "수영 배우기",
        "동작 오류",
        "경기 침체",
        "예산 3만원",
        "이동 통신",
        "세종대왕",
        "부동산",
        "전동 칫솔",
        "제주 감귤",
    ],
)
def test_words_are_no_places(text: str) -> None:
    """An ordinary word that is some district's short name names no place."""
    assert _read(text).regions == ()


def test_every_district_is_found_by_its_full_name() -> None:
    """Each of the districts reads as itself with its province."""
    known = gazetteer()
    wrong = [
        district.name
        for code, district in known.districts.items()
        if [region.code for region in _read(f"{district.name} 아파트").regions] != [code]
    ]
    assert wrong == []


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
        ("에코프로비엠 주가", ["KR:247540"]),
        ("메타 말고 스노우플레이크 주가", ["US:SNOW"]),
    ],
)
def test_companies_are_securities(text: str, ids: list[str]) -> None:
    """Aliases in both languages, tickers and codes give the security's id."""
    assert [security.id for security in _read(text).securities] == ids


@pytest.mark.parametrize(
    "text",
    [
        "기아차 카매트 찾아줘",
        "애플 사이다 한 병 있어요?",
        "파인애플 주스",
        "OpenAI 상장 소식",
        "애플 노트북 추천",
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
    assert _read(text).securities == ()


def test_a_short_code_is_asked() -> None:
    """Digits that lack their zeros could be anything."""
    assert [(ask.field, ask.reason.value) for ask in _read("660 주가").asks] == [("securities", "malformed")]


def test_the_covered_universe_is_marked() -> None:
    """A known company outside the universe is told apart."""
    assert [security.covered for security in _read("삼성전자 주가와 농심 주가").securities] == [True, False]


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
    ("text", "ids"),
    [
        ("ord-20260519-0007 취소", ["ORD-20260519-0007"]),
        ("주문번호는 88123456이에요", ["88123456"]),
        ("order #99812 please", ["99812"]),
        ("010-1234-5678로 연락", []),
    ],
)
def test_order_ids(text: str, ids: list[str]) -> None:
    """Order numbers are read in capitals; telephone numbers are none."""
    assert [code.value for code in _read(text).order_ids] == ids


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
