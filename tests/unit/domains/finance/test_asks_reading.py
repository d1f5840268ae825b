"""What a question on markets is typed as: its form, its subjects and measures, its days."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from services.catalog.reading import read_question
from services.contract.asks import Ask, AskedBefore
from services.domains.finance.asks import READ
from services.domains.finance.asks.spans import span_of
from services.plugin.asks.sheet import Sheet

NOW = datetime(2026, 11, 27, 0, tzinfo=UTC)


def sheet_of(question: str) -> Sheet:
    """Return a question as the readers see it, on a Friday."""
    read = read_question(question, now=NOW, time_zone="Asia/Seoul")
    named = tuple(one for one in read.entities if one.end)
    return Sheet(read.text, read.language, read.today, named, unclear=read.asks)


def asked(question: str, *before: Ask) -> Ask:
    """Return the one ask of a question; `before` are earlier asks, each of a message of its own, the latest first."""
    told = [AskedBefore((ask,)) for ask in before]
    [claim] = READ(sheet_of(question), told)
    return claim.ask


def as_stored(ask: Ask) -> Ask:
    """Return an ask as an earlier message holds it."""
    return replace(ask, domain="finance", answerer=f"finance.{ask.answerer}")


@pytest.mark.parametrize(
    ("question", "shares", "since"),
    [
        ("오늘 나온 2차전지 업계 기사 있나", "=KR:373220,US:TSLA", "2026-11-27"),
        ("steel headlines please", "=KR:005490", ""),
        ("뉴스 가운데 은행 쪽만 요약", "=KR:105560,US:JPM", ""),
        ("증시 뉴스 정리 좀", "KR+US", ""),
        ("headlines about the economy", None, ""),
    ],
)
def test_the_news_of_a_sector_or_of_all(question: str, shares: str | None, since: str) -> None:
    """News are of the sector that they are asked of, of the markets or of everything, from the day that is named."""
    ask = asked(question)
    assert (ask.answerer, ask.notes.get("class"), ask.start_date) == ("news", shares, since)


@pytest.mark.parametrize(
    ("question", "answerer", "subjects", "measures"),
    [
        ("구글 PER 얼마예요?", "level", ["US:GOOGL"], ("per",)),
        ("what is Broadcom's share price", "level", ["US:AVGO"], ("price",)),
        ("브로드컴이랑 AMD 중에 매출 어디가 더 많아", "compare", ["US:AVGO", "US:AMD"], ("revenue",)),
        ("국내 종목 중 배당률 제일 낮은 데", "rank", [], ("dividend_yield",)),
        ("미국 종목 가운데 PBR 5배 넘는 거 찾아줘", "listing", [], ("pbr",)),
        ("기아 최고가가 얼마였어", "extreme", ["KR:000270"], ()),
        ("did Tesla beat expectations?", "beat", ["US:TSLA"], ("surprise",)),
        ("is the won-dollar rate above 1500?", "verdict", ["KR_USDKRW"], ()),
        ("메타 올해 얼마나 올랐어", "change", ["US:META"], ("return",)),
        ("테슬라 주식 300만원이면 몇 주 사", "worth", ["US:TSLA"], ("price",)),
        ("카카오 소식 있어?", "news", ["KR:035720"], ()),
        ("환율이 왜 내렸어", "cause", ["KR_USDKRW"], ()),
        ("환율이 오르면 기아 주가에 영향이 있어?", "effect", ["KR_USDKRW", "KR:000270"], ()),
        ("아마존 주식 지금 살까", "advice", ["US:AMZN"], ()),
        ("다우지수 몇이야", "missing", [], ()),
        ("애플 내년에 오를까?", "forecast", ["US:AAPL"], ()),
    ],
)
def test_form_and_parts(question: str, answerer: str, subjects: list[str], measures: tuple[str, ...]) -> None:
    """The form follows the grammar, the measure its vocabulary, the subject its name."""
    ask = asked(question)
    assert (ask.answerer, [one.value for one in ask.subjects], ask.measures) == (answerer, subjects, measures)


@pytest.mark.parametrize(
    ("question", "kind", "base"),
    [
        ("올해 얼마나 올랐어", "ytd", "2025-12-31"),
        ("작년 말보다 얼마나", "year_end", "2025-12-31"),
        ("최근 6개월 수익률", "back", "2026-05-27"),
        ("1년 수익률", "back", "2025-11-27"),
        ("전년 대비 얼마나", "yoy", "2025-11-27"),
        ("how much over the past three months", "back", "2026-08-27"),
        ("지난달 말 이후 5월 말 이후로", "since", "2026-05-31"),
        ("this month", "month", "2026-10-31"),
        ("어제 올랐어?", "day", ""),
    ],
)
def test_the_ends_of_a_change(question: str, kind: str, base: str) -> None:
    """A year to date counts from the last value before it; against a year before is a comparison, never a period."""
    span = span_of(sheet_of(question))
    assert span is not None
    assert (span.kind, span.base) == (kind, base)


@pytest.mark.parametrize(
    "question", ["전세대출 금리 알려줘", "강남구 아파트 시세", "무선 이어폰 찾아줘", "주문 취소해줘"]
)
def test_what_is_of_others_is_left(question: str) -> None:
    """Loans, homes and goods are no matter of markets."""
    assert READ(sheet_of(question), []) == ()


def test_a_share_alone_takes_the_last_measure() -> None:
    """A share alone asks the same of it, over a message of another domain in between."""
    first = as_stored(asked("애플 PER 알려줘"))
    other = AskedBefore((Ask(domain="homes", answerer="homes.market_level"),))
    [claim] = READ(sheet_of("그럼 테슬라는?"), [other, AskedBefore((first,))])
    assert [one.value for one in claim.ask.subjects] == ["US:TSLA"]
    assert claim.ask.measures == ("per",)


def test_another_time_edits_the_last_change() -> None:
    """A time alone replaces the time; share and measure stand."""
    first = as_stored(asked("애플 올해 수익률 알려줘"))
    ask = asked("6개월로 보면?", first)
    assert [one.value for one in ask.subjects] == ["US:AAPL"]
    assert ask.against_date == "2026-05-27"


def test_a_comparison_with_what_stands_adds_a_share() -> None:
    """A second share joins the first where they are to be compared."""
    first = as_stored(asked("기아 영업이익 알려줘"))
    ask = asked("현대차랑 비교해줘", first)
    assert {one.value for one in ask.subjects} == {"KR:000270", "KR:005380"}
    assert (ask.answerer.rpartition(".")[2], ask.measures) == ("compare", ("operating_income",))


@pytest.mark.parametrize(
    ("question", "most"),
    [
        ("Which fell more this month, Tesla or Microsoft?", False),
        ("테슬라랑 애플 중에 이번 달에 더 떨어진 건 뭐야?", False),
        ("Which rose more this year, Tesla or Microsoft?", True),
        ("테슬라랑 애플 중에 올해 더 오른 건 뭐야?", True),
        ("테슬라랑 애플 수익률 비교해줘", True),
    ],
)
def test_which_fell_more_is_the_lower_return(question: str, most: bool) -> None:
    """The one that is asked for comes first: of a fall the lower."""
    ask = asked(question)
    assert (ask.answerer.rpartition(".")[2], ask.descending) == ("compare", most)


def test_the_day_of_a_sheet_is_the_users() -> None:
    """The day of the question is taken in the user's zone."""
    assert sheet_of("환율").today == date(2026, 11, 27)


@pytest.mark.parametrize(
    ("question", "answerer", "subjects"),
    [
        ("현대차 주가 추이 분석", "trend", ["KR:005380"]),
        ("what is the trend of AMD shares?", "trend", ["US:AMD"]),
        ("네이버 120일선 아래야?", "average", ["KR:035420"]),
        ("기아 10주랑 네이버 3주면 다 해서 얼마야", "holdings", ["KR:000270", "KR:035420"]),
        ("테슬라 인버스 ETF 가격", "missing", ["US:TSLA"]),
        ("애플 20주 있는데 5% 떨어지면 얼마야", "worth", ["US:AAPL"]),
    ],
)
def test_what_is_no_plain_level(question: str, answerer: str, subjects: list[str]) -> None:
    """A trend, an average, holdings, a fund on a share and a supposed fall are read as what they are."""
    ask = asked(question)
    assert (ask.answerer, [one.value for one in ask.subjects]) == (answerer, subjects)


@pytest.mark.parametrize(
    ("first", "message", "kept"),
    [
        ("카카오 PBR", "네이버도 알려줘", ("level", ("pbr",), ["KR:035420"])),
        ("애플 2025년 1분기 매출", "2분기도", ("level", ("revenue",), ["US:AAPL"])),
        ("미국 실업률 얼마야", "한국은?", ("level", (), ["KR_UNEMPLOYMENT"])),
        ("미국 실업률 얼마야", "한국보다 높아?", ("compare", (), ["UNRATE", "KR_UNEMPLOYMENT"])),
        ("미국채 2년물 금리", "10년물은?", ("level", (), ["DGS10"])),
        ("기아 주가 얼마야", "반년 전엔 얼마였어?", ("level", ("price",), ["KR:000270"])),
    ],
)
def test_a_follow_up_replaces_one_part(first: str, message: str, kept: tuple[str, tuple[str, ...], list[str]]) -> None:
    """A share, a quarter, a country, a maturity or a day takes the place of the last one; the rest stands."""
    ask = asked(message, as_stored(asked(first)))
    assert (ask.answerer.removeprefix("finance."), ask.measures, [one.value for one in ask.subjects]) == kept


@pytest.mark.parametrize(
    ("question", "answerer", "subjects", "against"),
    [
        ("양국 기준금리 격차가 얼마야", "compare", ["KR_BASE_RATE", "FEDFUNDS"], ""),
        ("달러 환율 두 달 전이랑 비교해줘", "change", ["KR_USDKRW"], "2026-09-27"),
        ("재작년에 산 기아 지금 얼마나 됐나 수익률", "change", ["KR:000270"], "2024-12-31"),
        ("US CPI over the past three years", "change", ["CPIAUCSL"], "2023-11-27"),
        ("이번 달 물가상승률 좀", "level", ["KR_CPI"], ""),
    ],
)
def test_then_and_now(question: str, answerer: str, subjects: list[str], against: str) -> None:
    """What holds then against now is a change from then; what two countries lie apart is a difference."""
    ask = asked(question)
    assert (ask.answerer, [one.value for one in ask.subjects], ask.against_date) == (answerer, subjects, against)


@pytest.mark.parametrize(
    ("question", "measure", "descending"),
    [
        ("배당 잘 나오고 많이 주는 국내 종목", "dividend_yield", True),
        ("PBR 낮은 미국 주식", "pbr", False),
        ("cheap stocks by P/E in Korea", "per", False),
        ("바이오 관련주", "return", True),
    ],
)
def test_shares_of_a_kind_are_ranked(question: str, measure: str, descending: bool) -> None:
    """Shares of a kind are put in order by the measure that tells it; a sector alone by how its shares did."""
    ask = asked(question)
    assert (ask.answerer, ask.order_by, ask.descending) == ("rank", measure, descending)


def test_inflation_of_a_month_is_that_months() -> None:
    """A month that is named is the last of the year over which its prices rose."""
    assert asked("5월 물가상승률은?").end_date == "2026-05-31"


@pytest.mark.parametrize(
    ("turns", "answerer", "subjects"),
    [
        (["KB금융 PBR", "카카오가 더 낮아?"], "compare", ["KR:105560", "KR:035720"]),
        (["환율 지금 얼마", "올해 최저는 언제였나"], "extreme", ["KR_USDKRW"]),
        (["메타 7주면 얼마", "12주는?"], "worth", ["US:META"]),
        (["미국 금리 몇이야", "국채 금리로, 10년짜리"], "level", ["DGS10"]),
    ],
)
def test_a_short_message_goes_on(turns: list[str], answerer: str, subjects: list[str]) -> None:
    """A comparative holds what is named against what stands; an extreme, a count, a series edit the last."""
    before: list[Ask] = []
    for turn in turns:
        before.insert(0, as_stored(asked(turn, *before)) if not before else asked(turn, *before))
    assert before[0].answerer.removeprefix("finance.") == answerer
    assert [one.value for one in before[0].subjects] == subjects


@pytest.mark.parametrize(
    ("question", "answerers"),
    [
        ("애플이랑 엔비디아 중에 52주 고점에서 더 빠진 건 어디야?", ["extreme"]),
        ("Is Microsoft closer to its 52-week high than Apple is?", ["extreme"]),
    ],
)
def test_how_far_from_the_highest_is_no_comparison_by_another_measure(question: str, answerers: list[str]) -> None:
    """What is asked of a span's end is told of it, or not at all; it is never answered by a multiple or a return."""
    assert [claim.ask.answerer for claim in READ(sheet_of(question), ())] == answerers


@pytest.mark.parametrize(
    ("question", "answerer", "subjects"),
    [
        ("셀트리온이 코스닥보다 올해 더 올랐나?", "missing", ["KR:068270", "코스닥"]),
        ("Did Amazon outperform the S&P 500 over six months?", "missing", ["US:AMZN", "US:SPX"]),
    ],
)
def test_what_a_share_is_held_against_and_no_data_holds_is_named(
    question: str, answerer: str, subjects: list[str]
) -> None:
    """It is said before how the share did, and a number in its name is none of the question's."""
    ask = asked(question)
    assert (ask.answerer, [one.value for one in ask.subjects]) == (answerer, subjects)
    assert (ask.notes["beside"], ask.measures) == ("1", ("return",))


@pytest.mark.parametrize(
    ("question", "condition", "shares"),
    [
        ("시총 30조 넘는 종목 알려줘", ("market_cap", "gt", "30000000000000"), "KR"),
        ("주가 20만원 이하인 주식", ("price", "le", "200000"), "KR"),
        ("stocks with a market cap above $2 trillion", ("market_cap", "gt", "2000000000000"), "US"),
    ],
)
def test_a_bound_in_money_ranges_over_what_is_counted_in_it(
    question: str, condition: tuple[str, str, str], shares: str
) -> None:
    """A bound in won is one on Korean shares, one in dollars on American ones."""
    ask = asked(question)
    assert [(one.field, one.operator, one.value) for one in ask.conditions] == [condition]
    assert ask.notes["class"] == shares


@pytest.mark.parametrize(
    ("question", "shares"),
    [
        ("금리 오르면 은행에는 득이야?", {"KR:105560", "US:JPM"}),
        ("What would higher rates do to chipmakers?", {"US:NVDA", "US:AMD", "US:AVGO", "KR:005930", "KR:000660"}),
    ],
)
def test_a_sector_may_be_what_something_works_on(question: str, shares: set[str]) -> None:
    """Its word alone says it; the central bank is no bank."""
    ask = asked(question)
    assert ask.answerer == "effect"
    assert set(ask.notes["sector"].split(",")) == shares


def test_weeks_are_said_as_weeks() -> None:
    """A span of weeks is told by its weeks, so that its number is used."""
    ask = asked("기아 52주 최저가 얼마야?")
    assert ask.notes["span_ko"] == "최근 52주"


@pytest.mark.parametrize(
    "question",
    [
        "환율이 1550원이면 엔비디아 3주는 원화로 얼마야?",
        "what are 3 Nvidia shares worth in won if the exchange rate is 1550?",
    ],
)
def test_shares_are_changed_at_the_rate_that_is_supposed(question: str) -> None:
    """The rate of the message is the one that counts."""
    ask = asked(question)
    found = {one.role: (one.value, one.unit) for one in ask.quantities}
    assert ask.answerer.endswith("worth")
    assert found["exchange"] == ("1550", "krw")


@pytest.mark.parametrize(
    "text",
    [
        "우리나라 국채 5년물 금리는?",
        "국고채 금리 알려줘",
        "is the US 10-year above Korea's 10-year?",
        "회사채 금리 얼마",
    ],
)
def test_a_bond_that_no_data_holds_is_told_so(text: str) -> None:
    """Neither a policy rate nor a yield of the United States stands in for it."""
    assert asked(text).answerer == "missing"
