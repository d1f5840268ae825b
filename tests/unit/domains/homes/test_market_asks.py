"""What a question on homes is read as: form, months, order, conditions, and unknown names."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.contract.asks import Ask, AskedBefore, AskForm
from services.plugin.asks.sheet import Sheet
from services.text.ko.romanised import romanised, romanised_place

NOW = datetime(2026, 11, 28, 3, tzinfo=UTC)


def _asks(text: str, *before: Ask) -> tuple[Ask, ...]:
    reading = read_question(text, now=NOW)
    own = tuple(one for one in reading.entities if one.end)
    sheet = Sheet(reading.text, reading.language, date(2026, 11, 28), own)
    told = (AskedBefore(before),) if before else ()
    return tuple(claim.ask for claim in read_asks(sheet, told))


@pytest.mark.parametrize(
    ("text", "answerer", "form"),
    [
        ("은평구 빌라 매매가 평균 알려줘", "market_level", AskForm.LEVEL),
        ("동대문구 아파트 지난 2년간 얼마나 움직였나", "market_change", AskForm.CHANGE),
        ("what happened to apartment prices in Mapo-gu over the last six months", "market_change", AskForm.CHANGE),
        ("사하구하고 사상구 아파트 전세 격차", "market_compare", AskForm.COMPARE),
        ("광진구 오피스텔이랑 빌라 월세 중에 뭐가 부담이 덜해", "market_compare", AskForm.COMPARE),
        ("강남이랑 마포 중에 지난 1년 동안 집값 더 오른 데는?", "market_change", AskForm.COMPARE),
        ("성동구 광진구 1년 상승률 견줘줘", "market_change", AskForm.COMPARE),
        ("Which fell more over the last six months, Songpa or Gangdong?", "market_change", AskForm.COMPARE),
        ("경기도에서 전세 싼 순으로 시 나열해줘", "market_rank", AskForm.RANK),
        ("the five priciest districts of Seoul for apartments", "market_rank", AskForm.RANK),
        ("작년에 비해 부산에서 아파트값 제일 많이 빠진 구", "market_change_rank", AskForm.RANK),
        ("2026년 2월 노원구 아파트 전세 평균", "market_past", AskForm.LEVEL),
        ("성동구 아파트 지금 매수 타이밍이야?", "market_advice", AskForm.ADVICE),
        ("내년에 서초구 아파트 얼마까지 갈까", "market_outlook", AskForm.LEVEL),
        ("교토 아파트 월세 얼마나 해", "market_elsewhere", AskForm.LEVEL),
        ("수원 토지 평당 가격", "market_elsewhere", AskForm.LEVEL),
        ("양천구 방 세 개 전세 6억 아래로", "listings", AskForm.LIST),
        ("양천구 초등학교 앞 아파트 추천해 줘", "listings", AskForm.LIST),
        ("is the jeonse ratio of apartments in Yangcheon-gu on the risky side", "market_level", AskForm.LEVEL),
        ("강서구 서울에서 제일 싼 빌라 전세는 얼마예요", "listings", AskForm.LIST),
        ("what is the most expensive apartment to buy in Yangcheon", "listings", AskForm.LIST),
        ("양천구에서 아파트 매매 제일 비싼 동네", "market_rank", AskForm.RANK),
        ("양천구에서 가장 비싸게 팔린 아파트가 얼마였나요", "dealt_first", AskForm.FACT),
        ("any flats to buy in Nowon-gu between 500 and 700 million won?", "listings", AskForm.LIST),
    ],
)
def test_a_question_on_homes_has_its_form(text: str, answerer: str, form: AskForm) -> None:
    """Words that no list holds whole are read by what they do: an order, a movement, a limit, a name."""
    (ask,) = _asks(text)
    assert (ask.answerer, ask.form) == (f"homes.{answerer}", form)


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("작년 같은 달 대비 마포구 아파트 전세", {"back": "12"}),
        ("마포구 아파트 6개월 전보다 올랐어?", {"back": "6"}),
        ("마포구 아파트 올해 들어 얼마나 변했어", {"from": "2025-12-01"}),
        ("did apartment prices in Mapo-gu fall since last year", {"back": "12"}),
        ("마포구 아파트 작년부터 얼마나 올랐어", {"from": "2024-12-01"}),
        ("마포구 아파트값 2025년 5월부터 얼마나 올랐나", {"from": "2025-05-01"}),
        ("마포구 아파트 작년 8월하고 올해 8월 비교", {"from": "2025-08-01", "to": "2026-08-01"}),
    ],
)
def test_months_that_are_compared(text: str, notes: dict[str, str]) -> None:
    """A span counts back from the newest month, a named month is itself, this year begins before it."""
    (ask,) = _asks(text)
    assert {name: ask.notes.get(name, "") for name in ("back", "from", "to") if ask.notes.get(name)} == notes


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        (
            "금천구 월세 보증금 3천 이하 월 70 이하",
            {("price_krw", "le", "30000000"), ("monthly_rent_krw", "le", "700000")},
        ),
        ("구로구 아파트 전세 12층 이상 방 두 개", {("floor", "ge", "12"), ("room_count", "eq", "2")}),
        (
            "three-bedroom jeonse in Gangdong-gu under 700 million won",
            {("room_count", "eq", "3"), ("price_krw", "lt", "700000000")},
        ),
        ("중랑구 전용 60㎡ 이하 매물", {("area_m2", "le", "60.0")}),
    ],
)
def test_every_condition_of_a_list_is_read(text: str, conditions: set[tuple[str, str, str]]) -> None:
    """Deposit and rent, floors, rooms and areas are conditions of their own fields."""
    (ask,) = _asks(text)
    assert {(one.field, one.operator, one.value) for one in ask.conditions} == conditions


def test_a_brand_is_a_condition_and_no_district() -> None:
    """A complex or brand narrows the rows, so that a name without rows is told to have none."""
    (ask,) = _asks("동작구 푸르지오 전세 시세")
    assert ask.notes["complex"] == "푸르지오"


def test_a_message_that_names_one_part_keeps_the_rest() -> None:
    """Another kind of home, or another place, edits what was asked."""
    (first,) = _asks("서대문구 아파트 전세 시세")
    (second,) = _asks("빌라는?", first)
    assert (second.notes["property_type"], second.measures, second.subjects[0].value) == (
        "villa",
        ("jeonse_deposit",),
        "11410",
    )


@pytest.mark.parametrize(
    ("name", "latin"),
    [("신림동", "Sillim-dong"), ("왕십리", "Wangsimni"), ("문래동", "Mullae-dong"), ("해운대구", "Haeundae-gu")],
)
def test_places_in_latin_letters(name: str, latin: str) -> None:
    """Sounds change where syllables meet, and the kind of a place stands behind a hyphen."""
    assert romanised_place(name) == latin
    assert romanised("종로") == "Jongno"


@pytest.mark.parametrize(
    ("text", "answerer", "first", "last"),
    [
        ("작년 말 은평구 빌라 매매가 얼마였어?", "market_past", "2025-12-01", "2025-12-31"),
        ("what did flats in Gangdong cost at the end of 2025?", "market_past", "2025-12-01", "2025-12-31"),
        ("9월 말 광진구 아파트 전세 평균", "market_past", "2026-09-01", "2026-09-30"),
        ("지난달 말 광진구 아파트 전세 평균", "market_past", "2026-10-01", "2026-10-31"),
    ],
)
def test_the_end_of_a_time_is_its_last_month(text: str, answerer: str, first: str, last: str) -> None:
    """A level of the end of a year or month is of that month, never today's."""
    (ask,) = _asks(text)
    assert (ask.answerer, ask.start_date, ask.end_date) == (f"homes.{answerer}", first, last)


def test_what_has_moved_since_an_end_begins_with_its_month() -> None:
    """Held against the end of a year, its last month is the earlier of the two."""
    (ask,) = _asks("작년 말보다 도봉구 아파트 얼마나 움직였어?")
    assert (ask.form, ask.notes["from"], "to" in ask.notes) == (AskForm.CHANGE, "2025-12-01", False)


@pytest.mark.parametrize(
    ("text", "codes", "answerer"),
    [
        ("강남3구 중에 요즘 제일 많이 오른 데", ["11680", "11650", "11710"], "homes.market_change"),
        ("노도강에서 전세 제일 싼 구는?", ["11350", "11320", "11305"], "homes.market_compare"),
        ("강남 3구 아파트 매매가 비교해줘", ["11680", "11650", "11710"], "homes.market_compare"),
    ],
)
def test_districts_of_one_name_are_held_against_each_other(text: str, codes: list[str], answerer: str) -> None:
    """A name of several districts means each of them, and the first of them is told by what is asked."""
    (ask,) = _asks(text)
    assert [one.value for one in ask.subjects] == codes
    assert ask.answerer == answerer


@pytest.mark.parametrize(
    "text", ["집 사도 될까요 지금", "아파트를 지금 사야 하나 기다려야 하나", "should I buy a home this year"]
)
def test_whether_to_buy_is_advice_without_a_place_too(text: str) -> None:
    """Nothing is recommended, and a place is asked for."""
    (ask,) = _asks(text)
    assert (ask.answerer, ask.subjects) == ("homes.market_advice", ())


def test_a_count_of_places_is_no_count_of_rooms() -> None:
    """Behind an order of places "3개" is how many of them; behind rooms it is how many a home has."""
    (few,) = _asks("인천에서 오피스텔 전세 제일 비싼 구 2개")
    (rooms,) = _asks("방 3개 아파트 제일 비싼 구는 서울 어디야")
    assert (few.count, rooms.count) == (2, 0)


def test_a_ratio_is_held_against_the_bound_that_is_named() -> None:
    """Whether a ratio is risky is told by the person's own bound, else by the usual one."""
    (own,) = _asks("양천구 아파트 전세가율 65% 넘으면 위험하다고 해줘")
    (usual,) = _asks("양천구 아파트 전세가율 위험해?")
    assert (own.notes["risk_from"], usual.notes["risk_from"]) == ("65", "80")


@pytest.mark.parametrize(("text", "falls"), [("더 싼 거부터", False), ("비싼 집부터 보여줘", True)])
def test_a_list_that_was_told_is_ordered(text: str, falls: bool) -> None:
    """By its price, whichever end is wanted first."""
    (listed,) = _asks("노원구 7억 이하 아파트 매매 매물 있어?")
    (ordered,) = _asks(text, listed)
    assert (ordered.answerer, ordered.order_by, ordered.descending) == ("homes.listings", "price_krw", falls)
    assert ordered.conditions == listed.conditions


def test_what_is_held_against_a_deposit_is_a_deposit() -> None:
    """A comparison behind the deposit of a rent is of deposits, and of rents once these are asked for."""
    (asked,) = _asks("은평구 월세 빌라 보증금은 얼마쯤")
    (held,) = _asks("서대문구랑 비교해줘", replace(asked, ask_id="q1"))
    assert held.measures == ("rent_deposit",)


def test_the_other_end_of_a_ranking_of_places() -> None:
    """A message that asks for the cheapest turns the ranking of the dearest round."""
    (dearest,) = _asks("Which district in Seoul has the priciest villas?")
    (cheapest,) = _asks("and the cheapest?", replace(dearest, ask_id="q1"))
    assert (dearest.descending, cheapest.descending, cheapest.order_by) == (True, False, dearest.order_by)


def test_the_present_is_asked_behind_a_past_level() -> None:
    """What stood of a past month goes; a place and a kind stay."""
    (then,) = _asks("작년 10월 중랑구 빌라 매매 얼마였어?")
    (now,) = _asks("지금은?", then)
    assert (now.answerer, now.start_date, now.measures) == ("homes.market_level", "", then.measures)


def test_the_gap_of_two_prices_told_one_by_one() -> None:
    """Of the same homes; places that were told one by one have a gap of their own."""
    (sale,) = _asks("양천구 아파트 매매가 얼마인가요")
    (jeonse,) = _asks("전세는요?", sale)
    reading = read_question("둘의 차이는요?", now=NOW)
    sheet = Sheet(reading.text, reading.language, date(2026, 11, 28), reading.entities)
    (gap,) = read_asks(sheet, (AskedBefore((jeonse,)), AskedBefore((sale,))))
    assert (gap.ask.measures, gap.ask.notes["gap"]) == (("sale_price", "jeonse_deposit"), "1")


def test_a_place_held_against_its_own_past_joins_no_other() -> None:
    """It is a change, though it says that it compares."""
    level, change = _asks("What do officetels in Guro sell for and how does that compare to two years ago?")
    assert (level.form, change.form) == (AskForm.LEVEL, AskForm.CHANGE)


def test_the_first_so_many_are_a_rank() -> None:
    """A number with 까지 counts how many, and names no place behind the first."""
    (ask,) = _asks("부산에서 오피스텔 전세 높은 구 5위까지")
    assert (ask.answerer, ask.count, ask.descending) == ("homes.market_rank", 5, True)


def test_a_past_level_and_the_present_one_are_two_requests() -> None:
    """A question word that goes on ends the first of them."""
    then, now = _asks("2025년 3월 수지구 빌라 전세 얼마였고 지금은 얼마예요")
    assert (then.answerer, now.answerer, now.start_date) == ("homes.market_past", "homes.market_level", "")
