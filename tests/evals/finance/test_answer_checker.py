"""The checker of answers, against answers with planted errors: each is found, and the true answer has none."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.evals.finance.checker import Checker, Entry
from tests.evals.finance.reader import dates_of, numbers_of
from tests.support.cluster import Cluster, embedded

pytestmark = [pytest.mark.xdist_group("answer_checker"), pytest.mark.long]

SHARE = Entry("애플 주가 추세 분석해줘", "share", ("US:AAPL",))
SERIES = Entry("what is the current federal funds rate", "series", ("FEDFUNDS",))
HOME = Entry("마포구 아파트 매매 추이 보여줘", "home", ("11440",), brief=True)
CAUSE = Entry("엔비디아 주가가 왜 내렸어", "cause", ("US:NVDA",))
ENTRIES = (SHARE, SERIES, HOME, CAUSE)
PLANTED = [
    (SHARE, "애플의 종가는 1,999달러입니다.", "figure"),
    (SHARE, "애플은 20거래일 동안 88.8% 올랐습니다.", "figure"),
    (SHARE, "애플의 PER은 3배입니다.", "figure"),
    (SHARE, "애플의 매출은 12억 3,400만달러입니다.", "figure"),
    (SHARE, "애플은 2019년 3월 5일에 신고가를 썼습니다.", "figure"),
    (SHARE, "애플의 고가는 오백만 원입니다.", "figure"),
    (SHARE, "단기 추세는 {wrong_short}입니다.", "short trend"),
    (SHARE, "장기 추세는 {wrong_long}입니다.", "long trend"),
    (SHARE, "최근 {wrong_cross}가 나타났습니다.", "cross"),
    (SHARE, "가장 최근 교차는 2026년 1월 2일의 {right_cross}입니다.", "day of the cross"),
    (SHARE, "종목 코드는 US:AAPL입니다.", "leak"),
    (SHARE, "근거는 ev-0123456789abcdef입니다.", "leak"),
    (SHARE, "equity_prices에서 읽었습니다.", "leak"),
    (SHARE, "지금 매수하세요.", "directive"),
    (SHARE, "You should buy now.", "directive"),
    (SHARE, "이 종목은 적극 매도를 추천합니다.", "directive"),
    (SERIES, "Yields may fall. Sell the bonds.", "directive"),
    (SERIES, "Federal Funds Effective Rate stood at 9.99%.", "figure"),
    (SERIES, "It was published on March 3, 1999.", "figure"),
    (SERIES, "FEDFUNDS comes from macro_series.", "leak"),
    (HOME, "마포구 아파트 매매 가격은 99억원입니다.", "figure"),
    (HOME, "거래량은 7,777건입니다.", "figure"),
    (HOME, "가격은 55.5% 올랐습니다.", "figure"),
    (CAUSE, "일본 기준금리 → 엔비디아 경로가 있습니다.", "path"),
    (CAUSE, "- 미국 국채 10년물 금리 → 엔비디아: 관계 강도(판단값) 0.9", "path"),
    (CAUSE, "오르는 쪽의 힘이 됩니다(미국 국채 10년물 금리 → 엔비디아, 근거: 없음).", "path"),
    (CAUSE, "- 엔비디아 → 미국 국채 10년물 금리: 관계 강도(판단값) 0.5", "path"),
]
TAKEN_AWAY = [
    (SHARE, "예시 데이터", "sample data is not said"),
    (HOME, "08:30 미국 거시 브리핑", "brief: missing"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def answers(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The true answers of the ensemble, by question."""
    cluster: Cluster
    async with embedded(tmp_path_factory.mktemp("checked"), data) as cluster:
        return {entry.q: (await cluster.ask(entry.q)).answer.final_response for entry in ENTRIES}


@pytest.fixture(scope="module")
def checker(data: Path) -> Iterator[Checker]:
    """The checker over the same database."""
    opened = Checker(str(data))
    yield opened
    opened.close()


def filled(checker: Checker, sentence: str) -> str:
    """Returns a planted sentence with the words that are wrong, and the cross that is right, for the share."""
    (facts,) = checker.facts(SHARE, "US:AAPL")
    other = {"up": "하락", "down": "상승", "flat": "상승"}
    golden = facts.cross is not None and facts.cross[0] == "golden"
    return sentence.format(
        wrong_short=other[facts.words["short"]],
        wrong_long=other[facts.words["long"]],
        wrong_cross="데드크로스" if golden else "골든크로스",
        right_cross="골든크로스" if golden else "데드크로스",
    )


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.q for entry in ENTRIES])
async def test_a_true_answer_has_no_fault(answers: dict[str, str], checker: Checker, entry: Entry) -> None:
    """The checker finds nothing in what the ensemble answers."""
    assert checker.faults(entry, answers[entry.q]) == []


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("entry", "sentence", "fault"), PLANTED, ids=[sentence for _, sentence, _ in PLANTED])
async def test_a_planted_error_is_found(
    answers: dict[str, str], checker: Checker, entry: Entry, sentence: str, fault: str
) -> None:
    """One false sentence in a true answer is found, and named for what it is."""
    found = checker.faults(entry, f"{answers[entry.q]}\n{filled(checker, sentence)}")
    assert any(one.startswith(fault) for one in found), found


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("entry", "words", "fault"), TAKEN_AWAY, ids=[fault for _, _, fault in TAKEN_AWAY])
async def test_what_is_missing_is_found(
    answers: dict[str, str], checker: Checker, entry: Entry, words: str, fault: str
) -> None:
    """An answer that leaves a caution or the brief out is found."""
    assert fault in checker.faults(entry, answers[entry.q].replace(words, ""))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_brief_without_its_date_is_found(answers: dict[str, str], checker: Checker) -> None:
    """Where the brief is named, one sentence at least says which day's it is; a day elsewhere does not do."""
    answer = answers[HOME.q]
    assert not any(one.startswith("brief") for one in checker.faults(HOME, answer))
    undated = [
        re.sub(r"[0-9]+년 [0-9]+월 [0-9]+일", "그날", one) if "브리핑" in one else one for one in answer.splitlines()
    ]
    assert "brief: without its date" in checker.faults(HOME, "\n".join(undated))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_wrong_period_is_found(answers: dict[str, str], checker: Checker) -> None:
    """An answer whose newest day stands nowhere is found."""
    (facts,) = checker.facts(SHARE, "US:AAPL")
    day = f"{facts.newest.year}년 {facts.newest.month}월 {facts.newest.day}일"
    found = checker.faults(SHARE, answers[SHARE.q].replace(day, "어제"))
    assert any(one.startswith("period") for one in found)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_figure_of_another_company_is_found(answers: dict[str, str], checker: Checker) -> None:
    """The close of another share under the name of this one is found."""
    found = checker.faults(SHARE, answers[CAUSE.q].replace("엔비디아", "애플"))
    assert any(one.startswith("figure") for one in found)


def test_a_figure_without_data_is_found(checker: Checker) -> None:
    """Where no figure may be told, any figure is a fault."""
    assert checker.faults(Entry("셀트리온헬스케어 주가", "none"), "종가는 5만원입니다.") != []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_figure_under_another_day_is_found(answers: dict[str, str], checker: Checker) -> None:
    """In a list the value before, told under the newest month, is a fault; under its own month it is none."""
    (facts,) = checker.facts(SERIES, "FEDFUNDS")
    (before, month), (newest, _) = facts.dated[-2], facts.dated[-1]
    assert before.value != newest.value
    line = "- Federal Funds Effective Rate (as of {month}): Value before {value:f}%"
    wrong = line.format(month=f"{facts.newest:%B %Y}", value=before.value.normalize())
    right = line.format(month=f"{month:%B %Y}", value=before.value.normalize())
    found = checker.faults(SERIES, f"{answers[SERIES.q]}\n{wrong}")
    assert [one.partition(" ")[0] for one in found] == ["day"], found
    assert checker.faults(SERIES, f"{answers[SERIES.q]}\n{right}") == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_low_under_the_day_of_the_high_is_found(answers: dict[str, str], checker: Checker) -> None:
    """The lowest price of a year with a day on which it was not reached is a fault."""
    days = [span for span in dates_of(answers[SHARE.q]) if span.first == span.last]
    low = re.search(r"최저 [^(]*[(]([^)]*)[)]", answers[SHARE.q])
    assert low is not None
    other = next(span.surface for span in days if span.surface != low[1] and span.surface.startswith("2026년 11월"))
    found = checker.faults(SHARE, answers[SHARE.q].replace(f"({low[1]})", f"({other})", 1))
    assert any(one.startswith("day of") for one in found), found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("종가는 9만 8,500원으로 3.34% 내렸습니다", [("98500", "KRW"), ("3.34", "PERCENT")]),
        ("67조 8,261억원(+4.14%)", [("67826100000000", "KRW"), ("4.14", "PERCENT")]),
        ("오백만 원", [("5000000", "KRW")]),
        (
            "-0.02%p, 18.76배, 4회, 13개월",
            [("-0.02", "PERCENTAGE_POINT"), ("18.76", "RATIO"), ("4", "COUNT"), ("13", "MONTHS")],
        ),
        ("$48.802 billion (+43.67%)", [("48802000000", "USD"), ("43.67", "PERCENT")]),
        ("KRW 621,160,000 over 92 deals", [("621160000", "KRW"), ("92", "COUNT")]),
        ("2026년 3분기, November 9, 2026", []),
        ("원/달러 환율이 원화로", []),
    ],
)
def test_the_checker_reads_numbers_by_itself(text: str, expected: list[tuple[str, str]]) -> None:
    """Sums, shares, multiples and counts of both languages, without those of dates."""
    assert [(f"{one.value.normalize():f}", one.unit) for one in numbers_of(text)] == expected
