"""A message that goes on from the last ask of markets: the time before, another unit of money, another thing beside."""

import pytest

from services.contract.asks import AnswerState, AskAnswer, AskedBefore, AskForm, Told
from services.domains.finance.asks import READ
from services.domains.finance.asks.last import following
from services.domains.finance.asks.spans import level_day, quarters_of, span_of
from tests.unit.domains.finance.test_asks_reading import as_stored, asked, sheet_of


def test_the_quarter_before_the_one_told() -> None:
    """A quarter before that is counted from the one that was told, over any number of messages."""
    told = as_stored(asked("브로드컴 지난 분기 영업이익"))
    before = asked("그 전 분기는 어땠나요", told)
    again = asked("and the quarter before that", before)
    assert [before.notes["quarter"], again.notes["quarter"]] == ["last-1", "last-2"]
    named = as_stored(asked("네이버 2026년 1분기 순이익"))
    assert asked("그 전 분기는?", named).notes["quarter"] == "2025Q4"


def test_the_quarter_before_by_its_bare_name() -> None:
    """Alone it is the one before what was told; the last one, behind an answer of the last, is the one before it."""
    told = as_stored(asked("기아 이번 분기 매출"))
    assert asked("전분기는요?", told).notes["quarter"] == "last-1"
    assert asked("그럼 지난 분기는?", told).notes["quarter"] == "last-1"
    assert asked("지난 분기는?", as_stored(asked("기아 2025년 1분기 매출"))).notes["quarter"] == "last"


def test_when_it_was_behind_an_extreme_is_its_day() -> None:
    """The day of the highest is asked, and no level of today."""
    told = as_stored(asked("원달러 환율 올해 최고 얼마였어"))
    assert asked("언제 그랬어?", told).answerer == "finance.extreme"


def test_a_year_ago_with_its_particle_run_in() -> None:
    """The word "이맘땐" is a year ago, and not the whole of last year."""
    ask = asked("작년 이맘땐?", as_stored(asked("미국 실업률 알려줘")))
    assert (ask.answerer, ask.notes["ago"]) == ("finance.level", "12")


def test_the_month_before_the_one_told() -> None:
    """The month before is the month's own of a change, and one month further back of a monthly figure."""
    month = asked("지난달은 그렇고 그 전달은요", as_stored(asked("기아 이번 달 얼마나 올랐어")))
    assert month.answerer == "finance.change"
    monthly = asked("그 전달은?", as_stored(asked("한국 실업률 알려줘")))
    assert monthly.notes["ago"] == "1"


def test_a_sum_of_dollars_in_won() -> None:
    """What was told in dollars is told in won, of the same measure."""
    ask = asked("원화로는 얼마예요", as_stored(asked("테슬라 시가총액")))
    assert (ask.measures, ask.notes["in"]) == (("market_cap",), "krw")


@pytest.mark.parametrize("question", ["PER이 기아보다 낮아?", "is its P/E lower than Kia's?"])
def test_held_against_what_is_named(question: str) -> None:
    """A share after "than" stands beside the one that was spoken of, not in its place."""
    ask = asked(question, as_stored(asked("현대차 주가 알려줘")))
    assert (ask.answerer, {one.value for one in ask.subjects}) == ("finance.compare", {"KR:005380", "KR:000270"})


@pytest.mark.parametrize(
    ("question", "base", "end"),
    [
        ("카카오 7월 말부터 9월 말까지 등락", "2026-07-31", "2026-09-30"),
        ("네이버 8월 3일부터 9월 2일까지 얼마나 올랐어", "2026-08-03", "2026-09-02"),
        ("Tesla against the end of August", "2026-08-31", ""),
        ("메타 9월 초 대비 얼마나 올랐지", "2026-09-01", ""),
    ],
)
def test_two_ends_that_are_named(question: str, base: str, end: str) -> None:
    """Both ends of a time are those that are named; one that is held against lasts until now."""
    span = span_of(sheet_of(question))
    assert span is not None
    assert (span.base, span.end) == (base, end)


def test_the_beginning_of_a_month_is_its_first_trading_day() -> None:
    """The first of November 2026 is a Sunday."""
    assert level_day(sheet_of("이번 달 초에 기아 얼마였어"))[1] == "2026-11-02"


def test_a_part_of_a_longer_name_is_no_share() -> None:
    """Samsung SDI is one share, and not Samsung Electronics beside it."""
    assert asked("what does Samsung SDI trade at?").answerer == "missing"


def test_held_against_the_quarter_before() -> None:
    """Held against the quarter before is a change, not that quarter's own figure."""
    ask = asked("바로 전 분기랑 비교하면요", as_stored(asked("LG에너지솔루션 매출")))
    assert (ask.answerer, ask.measures, ask.notes["span"]) == ("finance.change", ("revenue",), "qoq")


def test_a_part_of_what_is_held() -> None:
    """Half of the shares that were told are half as many; three do not halve."""
    forty = as_stored(asked("기아 40주면 얼마야"))
    assert asked("반만 팔면요", forty).quantities[0].value == "20"


def test_a_bare_month_after_the_level_of_one() -> None:
    """After the close of a month another month asks for its close."""
    ask = asked("And July?", as_stored(asked("Where did AMD close at the end of August?")))
    assert (ask.answerer, ask.end_date) == ("finance.level", "2026-07-31")


def test_a_comparison_of_one_waits_for_the_other() -> None:
    """One name alone is asked what it is to be compared with; the next name stands beside it."""
    alone = asked("비교해줘 카카오")
    assert (alone.answerer, len(alone.subjects)) == ("compare", 1)
    both = asked("네이버", as_stored(alone))
    assert {one.value for one in both.subjects} == {"KR:035720", "KR:035420"}


def test_a_rate_without_a_name_is_that_of_the_country() -> None:
    """Where the US is spoken of, a bare rate that moves is the one of its central bank."""
    ask = asked("미국이 금리를 올리면 환율은?")
    assert [one.value for one in ask.subjects] == ["FEDFUNDS", "KR_USDKRW"]


def test_a_superlative_in_any_word_is_of_the_measure_beside_it() -> None:
    """What pays "juiciest" pays most, where the measure is named."""
    ask = asked("배당 제일 쏠쏠하게 나오는 국내 종목")
    assert (ask.answerer, ask.order_by, ask.descending) == ("rank", "dividend_yield", True)


@pytest.mark.parametrize(("question", "value"), [("현대차로 30주였으면", "30"), ("현대차는?", "40")])
def test_the_number_that_a_message_says_is_used(question: str, value: str) -> None:
    """Another share with a number of its own takes that number, and carries the told one where it says none."""
    ask = asked(question, as_stored(asked("기아 40주면 얼마야")))
    assert ([one.value for one in ask.subjects], ask.quantities[0].value) == (["KR:005380"], value)


@pytest.mark.parametrize(
    ("before", "question", "measure", "notes"),
    [
        ("기아 주가 알려줘", "달러로는?", "price", {"in": "usd"}),
        ("SK하이닉스 시가총액", "그럼 기아의 몇 배야", "market_cap", {"ratio": "1"}),
        ("SK하이닉스 시가총액", "기아는 그거의 몇 퍼센트야", "market_cap", {"ratio": "percent"}),
    ],
)
def test_what_was_told_in_other_terms(before: str, question: str, measure: str, notes: dict[str, str]) -> None:
    """A sum is told in the other currency, and held against another share as a ratio."""
    ask = asked(question, as_stored(asked(before)))
    assert ask.measures == (measure,)
    assert notes.items() <= ask.notes.items()


@pytest.mark.parametrize(
    ("question", "quarters"),
    [
        ("기아 올해 1분기부터 3분기까지 매출 합", ("2026Q1", "2026Q3")),
        ("현대차 작년 하반기 매출", ("2025Q3", "2025Q4")),
        ("Kia's revenue in the first half of 2026", ("2026Q1", "2026Q2")),
        ("기아 3분기 매출", None),
    ],
)
def test_quarters_that_are_meant_together(question: str, quarters: tuple[str, str] | None) -> None:
    """Several quarters are read with both of their ends; one alone is none."""
    assert quarters_of(sheet_of(question)) == quarters


def test_what_was_paid_follows_what_was_told() -> None:
    """The price that was paid is no money to spend, and the shares that were spoken of stay."""
    ask = asked("원래 6만원에 샀으면 얼마 번 거야", as_stored(asked("카카오 10주 얼마")))
    assert ask.answerer == "position"
    assert {one.role: one.value for one in ask.quantities} == {"paid": "60000", "shares": "10"}


@pytest.mark.parametrize(("question", "day"), [("so 300 dollars is?", ""), ("작년 말에 200만원이면?", "2025-12-31")])
def test_a_sum_behind_the_rate_is_changed_at_it(question: str, day: str) -> None:
    """Money that is named after the rate is told is changed, at the day that it names."""
    ask = asked(question, as_stored(asked("원달러 환율 알려줘")))
    assert (ask.answerer, ask.end_date) == ("exchange", day)


def test_a_bound_of_the_rate_is_no_sum_to_change() -> None:
    """What the rate is held against is none of a person's money."""
    told = as_stored(asked("원달러 환율 알려줘"))
    assert not following.followed(sheet_of("1500원 넘으면?"), (), (AskedBefore((told,)),))


@pytest.mark.parametrize("name", ["and Wells Fargo?", "how does that compare to Vanderbilt?", "동네은행이랑 비교하면"])
def test_a_name_that_is_not_there_leaves_what_stood(name: str) -> None:
    """An unknown name is told, and the next one goes on from what was told before it."""
    told = as_stored(asked("JP모건 PBR 알려줘"))
    unknown = asked(name, told)
    assert (unknown.answerer, unknown.subjects[0].attributes["covered"]) == ("missing", "false")
    ask = asked("네이버는?", as_stored(unknown), told)
    assert ([one.value for one in ask.subjects], ask.measures) == (["KR:035420"], ("pbr",))


def test_what_was_asked_of_a_share_that_is_not_there_stands_for_one_that_is() -> None:
    """A measure outlives the name that no data holds."""
    ask = asked("그럼 네이버는?", as_stored(asked("한미반도체 시총 알려줘")))
    assert (ask.answerer, ask.measures) == ("finance.level", ("market_cap",))


@pytest.mark.parametrize("question", ["그중에 제일 비싼 건?", "which of those is the cheapest?"])
def test_of_one_share_none_is_the_first(question: str) -> None:
    """A set of one is asked about, and not told as if it had been several."""
    assert asked(question, as_stored(asked("넷플릭스 주가"))).answerer == "none_told"


def test_a_mean_beside_what_was_told() -> None:
    """The share and the measure stand, the mean is the other side."""
    ask = asked("업계 평균하고 비교하면?", as_stored(asked("AMD PER")))
    assert (ask.answerer, ask.measures, ask.notes["mean"]) == ("against_mean", ("per",), "sector")


def test_advice_and_a_change_in_two_sentences() -> None:
    """What is no advice is told beside it, over its own time."""
    advice, change = READ(sheet_of("넷플릭스 지금 팔까요? 이번 달엔 얼마나 움직였어요?"), ())
    assert (advice.ask.answerer, change.ask.answerer) == ("advice", "change")
    assert (advice.ask.notes["span"], change.ask.notes["span"]) == ("ytd", "month")


def test_two_times_of_one_share() -> None:
    """Each of two times that are held against each other has its change."""
    claims = READ(sheet_of("did NAVER do better last month or this month?"), ())
    assert [(one.ask.against_date, one.ask.end_date) for one in claims] == [
        ("2026-09-30", "2026-10-31"),
        ("2026-10-31", ""),
    ]


def test_core_prices_are_no_consumer_prices() -> None:
    """A part of the name of what no data holds is no series."""
    assert asked("한국 근원 물가 상승률").answerer == "missing"


def test_holdings_without_the_word_share() -> None:
    """So many of each is what is held, where all of it together is asked."""
    ask = asked("I own 7 NVIDIA and 3 Netflix, what is it worth altogether?")
    assert (ask.answerer, [one.value for one in ask.quantities]) == ("holdings", ["7", "3"])


@pytest.mark.parametrize("question", ["카카오도 추가해줘", "add Kakao", "거기에 카카오까지 넣어줘"])
def test_what_is_added_joins_what_stands(question: str) -> None:
    """A further share beside those of a comparison is one more of them."""
    ask = asked(question, as_stored(asked("기아랑 현대차 올해 수익률 비교")))
    assert {one.value for one in ask.subjects} == {"KR:000270", "KR:005380", "KR:035720"}


def test_dear_beside_peers_is_the_multiple_beside_their_mean() -> None:
    """Whether a share is dear for its sector is asked by its P/E."""
    ask = asked("is Samsung expensive compared to its peers")
    assert (ask.answerer, ask.measures) == ("against_mean", ("per",))


@pytest.mark.parametrize("question", ["US inflation, is it above the Fed's target?", "한국 물가 목표보다 높아?"])
def test_inflation_is_held_against_its_target(question: str) -> None:
    """What a central bank aims at is a bound like a stated one."""
    ask = asked(question)
    assert (ask.answerer, ask.conditions[0].value, ask.conditions[0].operator) == ("verdict", "2", "gt")


@pytest.mark.parametrize(
    ("question", "answerer", "base"),
    [
        ("카카오를 올해 첫 거래일에 20주 샀다면 지금 얼마", "invest", "2026-01-02"),
        ("올해 5월 초에 네이버 10주 샀으면 지금 얼마야", "invest", "2026-05-01"),
        ("셀트리온 20만원에 샀는데 본전이야?", "position", ""),
    ],
)
def test_what_was_bought_has_its_day_or_its_price(question: str, answerer: str, base: str) -> None:
    """A purchase is counted from the day that is named; a price that was paid is no sum of money."""
    ask = asked(question)
    assert (ask.answerer, ask.against_date) == (answerer, base)


@pytest.mark.parametrize(
    ("question", "most"), [("기아랑 현대차 PER 누가 낮아?", False), ("둘 중 네이버랑 카카오 PBR 누가 높아?", True)]
)
def test_the_side_of_a_comparison_that_is_asked_for(question: str, most: bool) -> None:
    """The lower one is told where the lower one is asked for, by whatever word."""
    assert asked(question).descending is most


def test_what_no_data_holds_is_an_end_of_a_path() -> None:
    """The other end stands for nothing: what oil does to a share is not what else works on that share."""
    ask = asked("국제유가 오르면 현대차에 불리해?")
    assert (ask.notes["from"], ask.notes["to"]) == ("유가", "KR:005380")


@pytest.mark.parametrize("question", ["US stocks that trade under their book value", "장부가보다 싼 미국 종목"])
def test_a_price_held_against_the_books(question: str) -> None:
    """A price below the accounts themselves is a P/B below one."""
    assert [(one.field, one.operator, one.value) for one in asked(question).conditions] == [("pbr", "lt", "1")]


def test_the_other_end_of_a_ranking_behind_one_of_it() -> None:
    """What is asked for behind one that was picked out of a ranking is the ranking's other end."""
    first = as_stored(asked("올해 국내 종목 중 제일 많이 오른 건?"))
    told = tuple(Told("security", one, one, {"return": "1"}) for one in ("KR:000660", "KR:000270"))
    picked = as_stored(asked("기아는?", first))
    before = [
        AskedBefore((picked,), (AskAnswer("q1", AskForm.CHANGE, AnswerState.ANSWERED, told=told[1:]),)),
        AskedBefore((first,), (AskAnswer("q1", AskForm.RANK, AnswerState.ANSWERED, told=told),)),
    ]
    [claim] = READ(sheet_of("그럼 제일 부진한 종목은?"), before)
    assert (claim.ask.answerer.rpartition(".")[2], claim.ask.descending) == ("rank", False)


def test_what_lies_between_two_sums() -> None:
    """Of sums of one kind told one by one the difference is that of what they were of."""
    first = as_stored(asked("800달러 환전하면 얼마"))
    second = asked("1300달러면?", first)
    (one,) = asked("얼마 더 드는 거지?", second, first).quantities
    assert one.value == "500"


def test_growth_behind_two_quarters_is_from_the_one_to_the_other() -> None:
    """Behind two quarters in a row it is not held against last year."""
    first = as_stored(asked("네이버 2026년 1분기 매출"))
    second = asked("2분기는?", first)
    assert asked("얼마나 늘었지?", second, first).notes["span"] == "qoq"
