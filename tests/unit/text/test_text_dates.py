"""Days and periods in the user's zone."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.plugin.vocabulary import installed_speech
from services.text.reading import read

# A Wednesday.
_NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")


def _periods(text: str, now: datetime = _NOW, time_zone: str = "Asia/Seoul") -> list[str]:
    reading = read(text, now=now, time_zone=time_zone, speech=installed_speech())
    return [f"{period.start}/{period.end}" for period in reading.dates]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("작년 이맘때", "2025-05-20/2025-05-20"),
        ("1년 새 얼마나 올랐어", "2025-05-20/2026-05-20"),
        ("그저께", "2026-05-18/2026-05-18"),
        ("글피", "2026-05-23/2026-05-23"),
        ("사흘 뒤", "2026-05-23/2026-05-23"),
        ("보름 전", "2026-05-05/2026-05-05"),
        ("3주 전", "2026-04-29/2026-04-29"),
        ("최근 석 달", "2026-02-20/2026-05-20"),
        ("지난 넉 달 동안", "2026-01-20/2026-05-20"),
        ("일곱 달 전", "2025-10-20/2025-10-20"),
        ("최근 열두 달", "2025-05-20/2026-05-20"),
        ("세 해 전", "2023-05-20/2023-05-20"),
        ("최근 다섯 주 동안", "2026-04-15/2026-05-20"),
        ("작년 유월", "2025-06-01/2025-06-30"),
        ("2025년 시월", "2025-10-01/2025-10-31"),
        ("작년 삼월부터 유월까지", "2025-03-01/2025-06-30"),
        ("지지난주", "2026-05-04/2026-05-10"),
        ("다음 주 목요일", "2026-05-28/2026-05-28"),
        ("지난 월요일", "2026-05-18/2026-05-18"),
        ("이번 주말", "2026-05-23/2026-05-24"),
        ("다음 달", "2026-06-01/2026-06-30"),
        ("지난달 3일", "2026-04-03/2026-04-03"),
        ("금요일까지 받을 수 있나요", "2026-05-22/2026-05-22"),
        ("by friday", "2026-05-22/2026-05-22"),
        ("in may 2025", "2025-05-01/2025-05-31"),
        ("cpi in march", "2026-03-01/2026-03-31"),
        ("june jobs report", "2025-06-01/2025-06-30"),
        ("March CPI", "2026-03-01/2026-03-31"),
        ("금일 코스피", "2026-05-20/2026-05-20"),
        ("차주 일정", "2026-05-25/2026-05-31"),
        ("금주 실적", "2026-05-18/2026-05-24"),
        ("전월 대비", "2026-04-01/2026-04-30"),
        ("다음 달 말일", "2026-06-30/2026-06-30"),
        ("상반기", "2026-01-01/2026-06-30"),
        ("내년 하반기", "2027-07-01/2027-12-31"),
        ("재작년 4분기", "2024-10-01/2024-12-31"),
        ("3/4분기", "2025-07-01/2025-09-30"),
        ("다음 분기", "2026-07-01/2026-09-30"),
        ("최근 5개월", "2025-12-20/2026-05-20"),
        ("지난 2년간", "2024-05-20/2026-05-20"),
        ("향후 6개월", "2026-05-20/2026-11-20"),
        ("3년치 매출", "2023-05-20/2026-05-20"),
        ("올해 들어", "2026-01-01/2026-05-20"),
        ("작년부터", "2025-01-01/2026-05-20"),
        ("2월부터 4월까지", "2026-02-01/2026-04-30"),
        ("11월부터 2월까지", "2025-11-01/2026-02-28"),
        ("2024년 7월 3일부터 9일까지", "2024-07-03/2024-07-09"),
        ("지난주 월요일부터 수요일까지", "2026-05-11/2026-05-13"),
        ("3~4분기", "2025-07-01/2025-12-31"),
        ("2022~2024년", "2022-01-01/2024-12-31"),
        ("2024.02.29", "2024-02-29/2024-02-29"),
        ("20250704", "2025-07-04/2025-07-04"),
        ("8월", "2025-08-01/2025-08-31"),
        ("오는 8월", "2026-08-01/2026-08-31"),
        ("8월에 입주 예정", "2026-08-01/2026-08-31"),
        ("last week", "2026-05-11/2026-05-17"),
        ("the past 60 days", "2026-03-21/2026-05-20"),
        ("next Friday", "2026-05-29/2026-05-29"),
        ("two weeks ago", "2026-05-06/2026-05-06"),
        ("since February", "2026-02-01/2026-05-20"),
        ("from March 3 to April 5, 2025", "2025-03-03/2025-04-05"),
        ("4Q24", "2024-10-01/2024-12-31"),
        ("second half of last year", "2025-07-01/2025-12-31"),
        ("6-month price trend", "2025-11-20/2026-05-20"),
        ("forecast sales for August", "2026-08-01/2026-08-31"),
        ("May 5", "2026-05-05/2026-05-05"),
    ],
)
def test_periods(text: str, expected: str) -> None:
    """Each expression is one period, both ends inclusive."""
    assert _periods(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("재작년 이월 수출", "2024-02-01/2024-02-29"),
        ("2025년 이월 물가", "2025-02-01/2025-02-28"),
        ("올해 이월부터 사월까지", "2026-02-01/2026-04-30"),
        ("이월 20일 종가", "2026-02-20/2026-02-20"),
        ("이월 하순", "2026-02-21/2026-02-28"),
        ("이월에 발표된 지표", "2026-02-01/2026-02-28"),
        ("작년 십일월부터 올해 이월까지", "2025-11-01/2026-02-28"),
        ("지난 유월", "2025-06-01/2025-06-30"),
        ("시월 중순", "2025-10-11/2025-10-20"),
        ("2월에서 4월까지 거래량", "2026-02-01/2026-04-30"),
        ("작년 1분기부터 4분기", "2025-01-01/2025-12-31"),
        ("작년 2~3분기", "2025-04-01/2025-09-30"),
        ("4월 6~9일 종가", "2026-04-06/2026-04-09"),
        ("4월 6일~9일", "2026-04-06/2026-04-09"),
        ("2023~2025년", "2023-01-01/2025-12-31"),
    ],
)
def test_spelled_months_and_spans_between_two_ends(text: str, expected: str) -> None:
    """A month that has another sense is read where only a month can stand, and both ends of a span are."""
    assert _periods(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("작년 가을", "2025-09-01/2025-11-30"),
        ("지난 봄에", "2025-03-01/2025-05-31"),
        ("지난 겨울이랑", "2025-12-01/2026-02-28"),
        ("지지난 여름", "2024-06-01/2024-08-31"),
        ("2023년 겨울", "2023-12-01/2024-02-29"),
        ("올봄", "2026-03-01/2026-05-31"),
        ("다음 여름에", "2026-06-01/2026-08-31"),
        ("가을 이후", "2025-09-01/2026-05-20"),
        ("last summer", "2025-06-01/2025-08-31"),
        ("the winter of 2024", "2024-12-01/2025-02-28"),
        ("last fall", "2025-09-01/2025-11-30"),
        ("since last autumn", "2025-09-01/2026-05-20"),
        ("next spring", "2027-03-01/2027-05-31"),
    ],
)
def test_seasons_are_reckoned_by_whole_months(text: str, expected: str) -> None:
    """A season lasts three months; one that is over is the last of its kind that has ended."""
    assert _periods(text) == [expected]


@pytest.mark.parametrize("text", ["올해 이월 상품", "작년 이월 재고 할인"])
def test_what_is_carried_over_leaves_the_year(text: str) -> None:
    """A year beside goods that are carried over is the whole year."""
    start = _periods(text)[0].split("/")[0]
    assert start.endswith("-01-01")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4월 31일", "impossible"),
        ("2025년 2월 29일", "impossible"),
        ("15월", "impossible"),
        ("0년 1월 1일", "impossible"),
        ("000년도 3월 2일", "impossible"),
        ("6분기", "impossible"),
        ("2026-02-30", "impossible"),
        ("언젠가", "vague"),
        ("며칠 전", "vague"),
        ("작년 말", "vague"),
        ("a few weeks ago", "vague"),
        ("월말", "vague"),
        ("최근 서너 달 환율", "vague"),
        ("두세 주 전에 나온 지표", "vague"),
        ("대여섯 해 동안의 변화", "vague"),
        ("한두 달 뒤", "vague"),
        ("이삼 일 전", "vague"),
        ("지난 6~7개월 수출", "vague"),
        ("4~5년 전 시세", "vague"),
        ("최근 2-3주 흐름", "vague"),
        ("five or six weeks ago", "vague"),
        ("over the past 8 to 9 months", "vague"),
        ("두세 달", "vague"),
    ],
)
def test_vague_and_impossible_days_are_asked(text: str, reason: str) -> None:
    """They give no period, and say why."""
    reading = read(text, now=_NOW)
    assert reading.dates == ()
    assert [(ask.field, ask.reason.value) for ask in reading.asks] == [("dates", reason)]


@pytest.mark.parametrize(
    "text",
    [
        "2박 3일 여행",
        "지난 주문 취소",
        "이번 주식 시장",
        "3개월 할부",
        "may I ask",
        "30일 이내 환불",
        "전주 아파트",
        "구월동 빌라",
        "다시 월세로",
        "이월 상품",
        "이월 재고 세일",
        "이월 금액 조회",
        "세 주식 비교",
        "현대차 주가가 뚝 떨어진 까닭",
        "기아차 주가",
        "홍차 주문할게요",
        "따뜻한 차 주세요",
        "잔금일이 언제인지",
        "임금일부를 저축",
        "안전월세",
        "내일배움카드로 결제",
        "오늘의집 할인",
        "이번 주차장 계약",
        "이번 달걀 값",
        "지난 해외직구 주문",
        "2026년형 냉장고",
        "2024년식 중고차",
        "2년 전세 계약",
        "1년 전매제한",
        "Black Friday deals",
        "march on",
        "may be",
        "최근 5~6달러 오른 종목",
        "7~8개월 전세",
        "방 서너 칸",
        "지난 여름옷",
        "봄동 한 단",
        "the last fall in prices",
        "did it fall",
    ],
)
def test_other_words_are_no_dates(text: str) -> None:
    """Durations, stays and words that begin like a date name no day."""
    assert _periods(text) == []


@pytest.mark.parametrize(
    ("moment", "time_zone", "today"),
    [
        ("2025-12-31T15:00:00+00:00", "Asia/Seoul", "2026-01-01"),
        ("2025-12-31T14:59:59+00:00", "Asia/Seoul", "2025-12-31"),
        ("2026-01-01T04:00:00+00:00", "America/New_York", "2025-12-31"),
        ("2024-02-28T23:30:00+09:00", "UTC", "2024-02-28"),
    ],
)
def test_today_is_the_users(moment: str, time_zone: str, today: str) -> None:
    """The day is the one in the user's zone, whatever zone the clock is in."""
    assert _periods("오늘", datetime.fromisoformat(moment), time_zone) == [f"{today}/{today}"]


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)))
def test_every_way_to_write_a_day_is_that_day(day: date) -> None:
    """Korean, ISO, dotted and English forms agree."""
    forms = (
        f"{day.year}년 {day.month}월 {day.day}일",
        f"{day.year}년{day.month}월{day.day}일",
        day.isoformat(),
        f"{day.year}.{day.month}.{day.day}",
        f"{day:%B} {day.day}, {day.year}",
    )
    assert {tuple(_periods(form)) for form in forms} == {(f"{day}/{day}",)}


@given(st.datetimes(datetime(2000, 1, 1), datetime(2080, 1, 1)), st.integers(1, 400))  # noqa: DTZ001 - a zone is added below
def test_days_ago_count_back(moment: datetime, count: int) -> None:
    """N days ago is N days before the user's today, over months and leap years."""
    now = moment.replace(tzinfo=_NOW.tzinfo)
    expected = now.date() - timedelta(days=count)
    assert _periods(f"{count}일 전", now) == [f"{expected}/{expected}"]


def test_a_naive_clock_is_refused() -> None:
    """A moment without a zone would be read in the machine's."""
    with pytest.raises(ValueError, match="now"):
        read("오늘", now=datetime(2026, 5, 20))  # noqa: DTZ001 - the point of the test


def test_an_unknown_zone_is_refused() -> None:
    """The field is named."""
    with pytest.raises(ValueError, match="time_zone"):
        read("오늘", now=_NOW, time_zone="Asia/Nowhere")
