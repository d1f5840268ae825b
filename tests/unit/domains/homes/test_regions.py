"""Places in Korea: which district a name means, and which words are no place."""

from datetime import datetime

import pytest

from services.domains.homes.entities import KINDS
from services.domains.homes.gazetteer import gazetteer
from services.domains.homes.regions import districts_left_out
from services.text.reading import TextReading, read

_NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")


def _read(text: str) -> TextReading:
    return read(text, now=_NOW, kinds=KINDS, labels="ko")


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
        ("경기도 광주 아파트", "41610", "경기 광주시"),
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
    assert [(region.value, region.label) for region in _read(text).of("region")] == [(code, name)]


@pytest.mark.parametrize(
    ("text", "count"),
    [("남구 전세", 5), ("강서구 아파트", 2), ("고성군", 2), ("광주시 아파트", 2), ("Seo-gu homes", 5)],
)
def test_namesakes_are_asked(text: str, count: int) -> None:
    """A name that several cities have gives no code but its alternatives, and is asked."""
    reading = _read(text)
    (region,) = reading.of("region")
    assert (region.value, len(region.alternatives)) == ("", count)
    assert [(ask.field, ask.reason.value) for ask in reading.asks] == [("region", "ambiguous")]


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
    assert _read(text).of("region") == ()


def test_every_district_is_found_by_its_full_name() -> None:
    """Each of the districts reads as itself with its province."""
    known = gazetteer()
    wrong = [
        district.name
        for code, district in known.districts.items()
        if [region.value for region in _read(f"{district.name} 아파트").of("region")] != [code]
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "left", "gone"),
    [
        ("송파랑 강동 말고 광진구 전세", ["11215"], ("11710", "11740")),
        ("마포구, 용산구 빼고 서울에서 제일 비싼 구", ["11"], ("11440", "11170")),
        ("apart from Suyeong-gu and Haeundae-gu, which district of Busan is dearest", ["26"], ("26500", "26350")),
        ("강남구 말고 서초구는 얼마나 더 비싸", ["11680", "11650"], ()),
        ("노원이랑 도봉 전세 비교", ["11350", "11320"], ()),
    ],
)
def test_places_put_aside_in_one_breath_are_left_out(text: str, left: list[str], gone: tuple[str, ...]) -> None:
    """Who puts aside the last of several places puts aside all that are named with it."""
    assert [one.value for one in _read(text).entities if one.kind == "region"] == left
    assert districts_left_out(text) == gone
