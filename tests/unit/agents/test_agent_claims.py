"""What a model may say of rows: planted errors are dropped and counted, true sentences stay as they are."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from services.agents.outcome import result_of
from services.agents.registry import spec_of
from services.agents.summary import basis_of
from services.agents.tool_calls import Settled
from services.contract.drops import DropPlace
from services.contract.events import ToolOutcomeKind, ToolSettled
from services.grounding.checking import checked
from services.grounding.grounds import Grounds
from services.plugin.findings import Asking, Reading
from tests.unit.agents.loopback import AS_OF, NOW, asked, call, tool_result


def check(text: str, grounds: Grounds) -> tuple[str, int]:
    """Returns what holds of an agent's summary, and how many of its sentences do not."""
    found = checked(text, grounds, DropPlace.AGENT_SUMMARY, "s1")
    return found.text, len(found.dropped)


def share_rows(name_ko: str, name_en: str, start: int, count: int = 130) -> list[dict[str, object]]:
    """Returns bars of a share that rises by one a day from `start` to its newest bar, newest first."""
    newest = date(2026, 11, 26)
    return [
        {
            "security_id": f"US:{name_en.upper()}",
            "ticker": name_en.upper(),
            "name_ko": name_ko,
            "name_en": name_en,
            "date": (newest - timedelta(days=number)).isoformat(),
            "open": start + count - number,
            "high": start + count - number + 1,
            "low": start + count - number - 1,
            "close": start + count - number,
            "volume": 1_000 + number,
            "currency": "USD",
            "as_of": AS_OF,
        }
        for number in range(count)
    ]


def held(agent: str, tool: str, rows: list[dict[str, object]], locale: str = "ko", **arguments: object) -> Grounds:
    """Returns what the rows of one call let a summary say."""
    spec = spec_of(agent)
    source = spec.source(tool)
    assert source is not None
    result = tool_result(tool, rows)
    reading = Reading(
        tool=tool,
        data_type=source.data_type,
        arguments=arguments,
        rows=tuple(source.row.returned(row) for row in rows),
        rows_schema_id=source.rows_schema_id,
        provenance=result.provenance,
        truncated=False,
        partial=False,
    )
    request = asked(agent, call(tool))
    asking = Asking("?", locale, NOW, "Asia/Seoul", "", (), (), ())
    event = ToolSettled("s1", tool, ToolOutcomeKind.RETURNED, len(rows), replayed=False, reason="", latency=timedelta())
    settled = [Settled(0, source, reading, event)]
    findings = spec.analyse((reading,), asking)
    computed = result_of(spec, request.step.step_id, locale, settled, findings)
    return Grounds(basis_of(spec, asking, (reading,), computed))


@pytest.fixture(scope="module")
def shares() -> Grounds:
    """Two shares: 가온 closes at 330 after a steady rise, 나래 at 930; neither has crossed its averages."""
    return held(
        "finance.equity", "equity_prices", [*share_rows("가온", "Gaon", 200), *share_rows("나래", "Narae", 800)]
    )


TRUE = [
    "가온의 종가는 330달러입니다.",
    "2026년 11월 20일 가온의 종가는 324달러였습니다.",
    "2026년 11월 26일 가온은 330달러로 마감했습니다.",
    "가온의 20일 이동평균은 320.5달러이고 60일 이동평균은 300.5달러입니다.",
    "가온은 단기와 장기 모두 상승 추세입니다.",
    "나래는 930달러로, 5거래일 동안 0.54% 올랐습니다.",
    "나래의 수익률은 약 0.5%입니다.",
    "이 기간에 골든크로스는 없었습니다.",
    "가온은 하락 추세가 아닙니다.",
    "가온과 나래의 종가는 각각 330달러와 930달러입니다.",
    "실적은 이 자료에 없습니다.",
    "매매를 권하는 것이 아닙니다.",
    "가온 closed at $330, with an uptrend.",
]
PLANTED = [
    "가온은 한때 324달러였습니다.",
    "2026년 11월 20일 가온의 종가는 329달러였습니다.",
    "2026년에 가온은 280달러까지 밀렸습니다.",
    "가온의 종가는 333달러입니다.",
    "가온의 종가는 330원입니다.",
    "가온은 20거래일 동안 12.9% 올랐습니다.",
    "가온의 20일 이동평균은 321.5달러입니다.",
    "가온은 930달러로 마감했습니다.",
    "나래의 종가는 330달러입니다.",
    "2026년 11월 25일 이후 가온은 12% 올랐습니다.",
    "2025년 3월 2일에 가온이 올랐습니다.",
    "최근 골든크로스가 나타났습니다.",
    "데드크로스가 발생해 주의가 필요합니다.",
    "A golden cross appeared.",
    "가온은 하락 추세입니다.",
    "가온은 약세입니다.",
    "The trend is bearish.",
    "가온은 상승 추세가 아닙니다.",
    "RSI가 과매도 구간입니다.",
    "지지선은 견고합니다.",
    "목표가를 상향할 만합니다.",
    "지금 매수하세요.",
    "분할 매수를 고려할 만합니다.",
    "지금 사는 게 좋습니다.",
    "You should buy now.",
    "Buy the stock before it rises.",
    "가온(US:GAON)은 오르고 있습니다.",
    "근거는 ev-0123456789abcdef입니다.",
    "주택임대차보호법 제7조에 따릅니다.",
    "가온의 PER은 35배입니다.",
    "매출은 12억 3,400만달러입니다.",
    "가온의 배당수익률은 삼 퍼센트입니다.",
    "거래량은 하루 평균 45,000주입니다.",
]


@pytest.mark.parametrize("sentence", TRUE)
def test_true_sentences_stay(shares, sentence) -> None:
    """A sentence whose figures, dates and words the rows hold must stay as the model wrote it."""
    assert check(sentence, shares) == (sentence, 0)


@pytest.mark.parametrize("sentence", PLANTED)
def test_planted_errors_are_dropped_and_counted(shares, sentence) -> None:
    """A figure, date, company, signal, directive or id that the rows do not hold must not leave, and is counted."""
    kept, dropped = check(sentence, shares)
    assert kept == ""
    assert dropped >= 1


@pytest.mark.parametrize("sentence", PLANTED)
def test_a_planted_error_takes_no_other_sentence_with_it(shares, sentence) -> None:
    """The sentences around a false one must stay, in order."""
    text = f"가온의 종가는 330달러입니다. {sentence} 나래의 종가는 930달러입니다."
    kept, dropped = check(text, shares)
    assert kept == "가온의 종가는 330달러입니다. 나래의 종가는 930달러입니다."
    assert dropped >= 1


def test_abbreviations_do_not_end_a_sentence(shares) -> None:
    """A full stop of an abbreviation must not cut a sentence in two, one half of which would stay alone."""
    assert check("The U.S. share closed at $999, vs. $330 before.", shares)[0] == ""


def test_codes_of_regions_and_series_never_leave() -> None:
    """A region's code or a series' id stands in the rows and must still not be said."""
    row: dict[str, object] = {
        "series_id": "UNRATE",
        "title_ko": "미국 실업률",
        "title_en": "US Unemployment Rate",
        "country": "US",
        "next_release_date": None,
        "unit": "%",
        "frequency": "monthly",
        "date": "2026-10-01",
        "value": 4.3,
        "as_of": AS_OF,
    }
    macro = held("finance.macro", "macro_series", [row])
    assert check("미국 실업률은 2026년 10월 4.3%입니다.", macro)[1] == 0
    assert check("UNRATE는 4.3%입니다.", macro) == ("", 1)


def test_limits_of_the_search_may_be_repeated() -> None:
    """A price limit that the user set may be said although no row holds it; another limit may not."""
    row: dict[str, object] = {
        "product_id": "p1",
        "offer_id": "o1",
        "category": "earphones",
        "attributes": {},
        "name_ko": "가온 이어폰",
        "name_en": "Gaon Earphones",
        "brand_ko": "가온",
        "brand_en": "Gaon",
        "list_price_krw": 120_000,
        "discount_percent": 10,
        "price_krw": 108_000,
        "rating": 4.5,
        "review_count": 20,
        "stock": 3,
        "as_of": AS_OF,
    }
    offers = held("commerce.product_search", "product_search", [row], price_max=200_000)
    text = "가온 이어폰은 10만 8,000원으로 20만원 이하이고 평점은 4.5점, 리뷰는 20개입니다."
    assert check(text, offers) == (text, 0)
    assert check("가온 이어폰은 15만원 이하입니다.", offers)[1] == 1


def test_a_fall_may_be_told_by_its_size() -> None:
    """A negative change may be told without its sign where the sentence says that it fell, and only there."""
    falling = [
        {**row, "close": 530 - int(str(row["close"])), "high": 999, "low": 1, "open": 5}
        for row in share_rows("가온", "Gaon", 200)
    ]
    fallen = held("finance.equity", "equity_prices", falling)
    change = abs((Decimal(200) - Decimal(201)) * 100 / Decimal(201)).quantize(Decimal("0.01"))
    assert check(f"가온은 직전 거래일보다 {change}% 내렸습니다.", fallen)[1] == 0
    assert check(f"가온은 직전 거래일보다 {change}% 올랐습니다.", fallen)[1] == 1
