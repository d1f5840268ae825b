"""The answer without a model: what it says, in which order, and what never stands in it."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from services.contract.drops import DropReason
from services.contract.flow import AgentResult, AgentStatus, Evidence, Metric, Trend
from services.contract.synthesizer import SynthesizeRequest
from services.grounding.directives import directs
from services.grounding.grounds import Grounds
from services.plugin.figures.lines import shown
from services.synthesizer import general, templates
from services.synthesizer.layout import pieces
from services.synthesizer.wording import language_for
from services.text.saying import figure
from services.text.stated.figures import Known, figures, supports
from tests.unit.synthesizer.answer_parts import equity, evidence, macro, metric, nothing, request
from tests.unit.synthesizer.planted_market import market


def _text(asked: SynthesizeRequest) -> str:
    language = language_for(asked.run.locale, asked.question)
    sections = templates.compose(asked, Grounds.of(asked), language)
    return "".join(line.text for line in pieces(sections, begun=False))


def _homes(locale: str) -> AgentResult:
    korean = locale == "ko"
    name = "강남구 아파트" if korean else "Gangnam-gu apartments"
    row = {"region_code": "11680", "deal_type": "jeonse", "deposit_mean_krw": 823_400_000, "deal_count": 41}
    piece = evidence("ev-00cc33", [row], data_type="market", title=name, as_of=datetime(2026, 11, 26, 15, tzinfo=UTC))
    label = "전세 보증금 평균" if korean else "mean jeonse deposit"
    return AgentResult(
        agent="realty.search",
        step_id="step-1",
        status=AgentStatus.ANSWERED,
        metrics=(metric("deposit_mean", label, "823400000", "krw", name, "ev-00cc33"),),
        evidence=(piece,),
        confidence=0.8,
    )


def _products(locale: str) -> AgentResult:
    korean = locale == "ko"
    offers = (
        (1, 89_000, "이어폰 A" if korean else "Earphones A"),
        (2, 129_000, "이어폰 B" if korean else "Earphones B"),
    )
    pieces_found = tuple(
        evidence(
            f"ev-00dd{number}{number}",
            [{"price_krw": price, "rating": 4.5, "product_id": f"p-100{number}"}],
            data_type="product",
            title=title,
            as_of=datetime(2026, 11, 27, tzinfo=UTC),
        )
        for number, price, title in offers
    )
    label = "판매가" if korean else "price"
    return AgentResult(
        agent="commerce.product_search",
        step_id="step-1",
        status=AgentStatus.ANSWERED,
        metrics=(
            metric("price", label, "89000", "krw", pieces_found[0].title, "ev-00dd11"),
            metric("price", label, "129000", "krw", pieces_found[1].title, "ev-00dd22"),
        ),
        evidence=pieces_found,
        confidence=0.8,
    )


_FOUND = {
    "finance.macro": macro,
    "finance.equity": equity,
    "realty.search": _homes,
    "commerce.product_search": _products,
}


@pytest.mark.parametrize("locale", ["ko", "en"])
@pytest.mark.parametrize("agent", list(_FOUND))
def test_every_figure_of_the_answer_is_a_metric_and_every_metric_is_said(agent: str, locale: str) -> None:
    """The answer holds the metrics' values and no other, in both languages, in every domain."""
    result = _FOUND[agent](locale)
    text = _text(request([result], locale=locale, domain=agent.partition(".")[0]))
    known = [Known(Decimal(one.value)) for one in result.metrics if one.value]
    labelled = [Known(found.value) for one in result.metrics for found in figures(f"{one.label} {one.subject}")]
    dates = [datetime(2026, 11, day, tzinfo=UTC).date() for day in (6, 26, 27)] + [datetime(2026, 10, 1).date()]  # noqa: DTZ001
    for found in figures(text):
        values = (supports(one, found, falling=True) for one in (*known, *labelled))
        assert any(values) or (found.when and any(found.when.holds(day) for day in dates)), found
    said = [found.value for found in figures(text) if found.when is None]
    missing = [
        one.name
        for one in result.metrics
        if one.value and not any(abs(abs(v) - abs(Decimal(one.value))) < Decimal("0.01") for v in said)
    ]
    assert missing == []


@pytest.mark.parametrize("locale", ["ko", "en"])
@pytest.mark.parametrize("agent", list(_FOUND))
def test_no_internal_name_reaches_the_user(agent: str, locale: str) -> None:
    """Ids of evidence, steps, agents, products and regions, templates and schemas stay inside."""
    text = _text(request([_FOUND[agent](locale), nothing("finance.macro")], locale=locale))
    ids = ("ev-00", "step-", agent, "finance.macro", "11680", "p-100", "template.v1", "rows.v1", "NO_ROWS", "f" * 64)
    assert [one for one in ids if one in text] == []


def test_the_answer_goes_from_what_was_found_to_next_steps_to_cautions_to_the_day() -> None:
    """Summary, numbered actions, cautions, as-of: in this order, each once."""
    text = _text(request([equity(), macro()], cautions=["배송 지역을 확인해 주세요."]))
    order = [
        "애플의 2026년",
        "미국 실업률은",
        "1. 같은 업종",
        "2. 관련된",
        "배송 지역",
        "자료 기준일: 주가 2026년 11월 26일",
    ]
    places = [text.find(part) for part in order]
    assert places == sorted(places)
    assert -1 not in places


@pytest.mark.parametrize(
    ("locale", "failed", "expected"),
    [
        ("ko", False, "부동산 자료 조회: 해당하는 자료를 찾지 못했습니다."),
        ("ko", True, "부동산 자료 조회: 지금은 자료를 가져오지 못했습니다."),
        ("en", False, "Real-estate search: no matching data was found."),
        ("en", True, "Real-estate search: the data could not be read at this time."),
    ],
)
def test_a_part_that_found_nothing_is_named_and_told(locale: str, *, failed: bool, expected: str) -> None:
    """The user learns which part is missing, in plain words, beside what was found."""
    text = _text(request([macro(locale), nothing(failed=failed)], locale=locale))
    assert expected in text
    assert "4.1%" in text


@pytest.mark.parametrize(
    ("locale", "expected"),
    [("ko", "답할 수 있는 결과를 얻지 못했습니다."), ("en", "There is no result to answer with.")],
)
def test_without_results_the_answer_says_so(locale: str, expected: str) -> None:
    """Composing is total: an empty request has an answer."""
    assert expected == _text(request([], locale=locale))


def test_one_stock_names_price_and_risk_and_says_which_sides_are_missing() -> None:
    """What no row holds is said to be missing, with the right particle."""
    text = _text(request([equity()], intent="us_single_stock"))
    assert "가격 (2026년 11월 26일 기준)\n- 종가: 262.1달러\n- 수익률: 1거래일 +0.81%" in text
    assert "위험 (2026년 11월 26일 기준)\n- 최대 낙폭: -12.5%" in text
    assert "실적과 밸류에이션은 조회한 자료에 없어" in text


def test_a_side_that_an_agent_names_as_missing_is_not_named_twice() -> None:
    """The agent's own caution is enough."""
    told = replace(equity(), cautions=("실적과 밸류에이션은 이 자료에 없습니다.", "매매를 권하는 것이 아닙니다."))
    text = _text(request([told], intent="us_single_stock"))
    assert text.count("밸류에이션") == 1
    assert text.count("권하") == 1


@pytest.mark.parametrize(
    ("locale", "cases"), [("ko", ("기본:", "상승:", "하락:")), ("en", ("Base:", "Bull:", "Bear:"))]
)
@pytest.mark.parametrize("intent", ["timing_scenario", "sector_recommendation"])
def test_timing_and_sectors_get_three_cases_and_no_advice(intent: str, locale: str, cases: tuple[str, ...]) -> None:
    """Base, bull and bear stand apart, and the answer says that it does not advise to trade."""
    text = _text(request([replace(macro(locale), primary_trend=Trend.BEAR)], locale=locale, intent=intent))
    assert [case in text for case in cases] == [True] * 3
    assert ("권하는 것이 아닙니다" in text) == (locale == "ko")


def test_an_order_to_trade_does_not_pass_even_if_an_agent_wrote_it() -> None:
    """A directive is left out, the sentence beside it stays."""
    told = replace(equity(), suggested_actions=("지금 매수하세요.", "실적 발표일을 확인해 보세요."))
    text = _text(request([told]))
    assert "매수하세요" not in text
    assert "1. 실적 발표일을 확인해 보세요." in text


def test_sample_data_is_said_once() -> None:
    """A result that says it is enough; without one the answer says it."""
    assert _text(request([equity()])).count("예시 데이터") == 1
    assert _text(request([macro()])).count("예시 데이터") == 1


def test_old_data_is_said_and_not_hidden() -> None:
    """The day stands there in any case, and stale data is called old, with the right particle."""
    old = equity()
    piece = old.evidence[0]
    aged = replace(piece, provenance=replace(piece.provenance, as_of_time=datetime(2026, 11, 10, 21, tzinfo=UTC)))
    text = _text(request([replace(old, evidence=(aged,))]))
    assert "주가는 오래되어 지금과 다를 수 있습니다." in text


@pytest.mark.parametrize(
    ("value", "unit", "ko", "en"),
    [
        ("1234000000", "krw", "12억 3,400만원", "KRW 1.234 billion"),
        ("-0.2", "percentage_point", "-0.2%p", "-0.2 percentage points"),
        ("159900000", "persons", "1억 5,990만명", "159,900,000 people"),
        ("-3.5", "usd", "-3.5달러", "-$3.5"),
        ("4.10", "percent", "4.1%", "4.1%"),
        ("0.123456", "index", "0.1235", "0.1235"),
    ],
)
def test_a_value_is_written_as_people_write_it(value: str, unit: str, ko: str, en: str) -> None:
    """Magnitudes and units follow the language."""
    assert (ko, en) == (figure(Decimal(value), unit, "ko"), figure(Decimal(value), unit, "en"))


def test_a_word_is_written_in_the_readers_language() -> None:
    """A signal is no code to a reader; an unknown one loses its underscores."""
    cross = metric("latest_cross", "", "", "", "", word="golden_cross")
    assert (shown(cross, "ko"), shown(cross, "en")) == ("골든크로스", "golden cross")
    assert shown(replace(cross, word="new_high"), "en") == "new high"


@pytest.mark.parametrize("configured", [True, False])
@pytest.mark.parametrize("locale", ["ko", "en"])
def test_general_knowledge_without_a_model_is_honest(locale: str, *, configured: bool) -> None:
    """It says that no model answers and no internal data was consulted, and offers what the domains hold."""
    asked = request([], locale=locale, domain="general", domains=("realty", "general"))
    sections = general.without_model(asked, language_for(locale, ""), configured=configured)
    text = "".join(line.text for line in pieces(sections, begun=False))
    assert general.says_no_data(text)
    assert ("모델" if locale == "ko" else "model") in text
    assert ("1. 지역별" if locale == "ko" else "1. Home prices") in text
    assert "2." not in text


def test_the_figures_of_several_subjects_stand_on_a_line_each() -> None:
    """A product is not cut in the middle, and its day is said once."""
    names = ("가습기 A", "가습기 B", "가습기 C")
    found = tuple(evidence(f"ev-{number}", [{"price_krw": 10_000 + number}]) for number in range(3))
    metrics = tuple(
        metric(name, label, value, unit, subject, piece.evidence_id)
        for subject, piece in zip(names, found, strict=True)
        for name, label, value, unit in (("price", "판매가", "10000", "krw"), ("stock", "재고", "7", "count"))
    )
    result = AgentResult(
        "commerce.product_search", "step-1", AgentStatus.ANSWERED, "찾았습니다.", metrics=metrics, evidence=found
    )
    lines = _text(request([result], domain="commerce")).splitlines()
    assert [f"- {name} (2026년 11월 26일 기준): 판매가 1만원, 재고 7건" in lines for name in names] == [True] * 3


def test_a_monthly_figure_bears_its_month_and_no_day() -> None:
    """The period is named as the series is published."""
    told = replace(macro(), summary="최근 값을 찾았습니다.")
    lines = _text(request([told])).splitlines()
    assert lines[lines.index("주요 수치: 미국 실업률 (2026년 10월 기준)") + 1] == "- 최근 값: 4.1%"


def test_two_subjects_stand_side_by_side() -> None:
    """A comparison sets each figure of the one beside that of the other, with the days where they differ."""
    lines = _text(market_of("finance.equity")).splitlines()
    at = lines.index("나란히 보기 (2026년 11월 26일 기준)")
    assert lines[at + 1] == "- 종가: 애플 262.1달러, 엔비디아 186달러"
    assert "- 추세 단기: 애플 상승, 엔비디아 하락" in lines


def test_the_figures_of_homes_are_those_that_matter() -> None:
    """Lowest, median, mean and highest stand on one line in that order; how many rows were read is none of them."""
    places = (("high", "매매가 최고", "33"), ("low", "매매가 최저", "15"), ("mean", "매매가 거래량 가중평균", "23"))
    metrics = (
        *(metric(f"price_{name}", label, f"{value}00000000", "krw", "강남구", "ev-1") for name, label, value in places),
        metric("deal_count", "거래 건수", "196", "count", "강남구", "ev-1"),
        metric("price_count", "단지·면적 수", "15", "count", "강남구", "ev-1"),
    )
    result = AgentResult(
        "realty.search", "s", AgentStatus.ANSWERED, "", metrics=metrics, evidence=(evidence("ev-1", []),)
    )
    text = _text(request([result], domain="realty", intent="MARKET_INQUIRY"))
    assert "- 매매가: 최저 15억원, 평균 23억원, 최고 33억원\n- 거래 건수: 196건" in text
    assert "단지" not in text


def test_why_something_fell_names_what_when_how_much_and_no_cause() -> None:
    """The falls stand with their day, the events of the time beside them; without any no reason is given."""
    fell = market_of("finance.equity", intent="explain_drop")
    bare = _text(fell)
    assert "- 엔비디아: 1거래일 -1.2%, 5거래일 -3.3% (2026년 11월 26일)" in bare
    assert "애플: 조회한 자료에서는 내림이 확인되지 않습니다(1거래일 +0.81%" in bare
    assert "이유는 판단하지 않았습니다" in bare
    news = evidence("ev-news", [], data_type="news", title="반도체 수요 전망 하향")
    told = AgentResult("finance.ontology", "s-9", AgentStatus.ANSWERED, "뉴스가 있습니다.", evidence=(news,))
    text = _text(replace(fell, results=(*fell.results, told)))
    assert "- 반도체 수요 전망 하향 (2026년 11월 26일)" in text
    assert "이유는 판단하지" not in text
    assert "때문" not in text


def test_the_cases_name_the_values_that_would_have_to_be_passed() -> None:
    """Conditions come from the rows; a series that weighs on shares is better low."""
    text = _text(market_of("finance.equity", "finance.macro", intent="timing_scenario"))
    assert "상승: 애플이 20일 이동평균 255.3달러 위에 머물고" in text
    text = _text(request([macro()], intent="sector_recommendation"))
    assert "상승: 미국 실업률이 4.1%보다 낮아지는 경우입니다." in text
    assert not directs(text)


def test_the_newest_move_against_the_trend_is_said() -> None:
    """A conclusion that the newest data goes against is not settled."""
    rising = metric("trend", "최근 추세", "", "", "미국 실업률", "ev-00bb22", word="up")
    told = macro()
    hedged = _text(request([replace(told, metrics=(*told.metrics, rising))]))
    settled = _text(request([replace(told, metrics=(*told.metrics, replace(rising, word="down")))]))
    assert ["방향을 단정하기 어렵습니다" in text for text in (hedged, settled)] == [True, False]


@pytest.mark.parametrize(
    ("locale", "hedge"), [("ko", "결론을 단정하기 어렵습니다"), ("en", "no firm conclusion is drawn")]
)
def test_parts_of_which_the_newest_points_the_other_way_settle_nothing(locale: str, hedge: str) -> None:
    """Two results about one subject: only where the newer one goes against the older is the answer hedged."""

    def of(trend: Trend, day: int) -> AgentResult:
        told = macro()
        dated = replace(told.evidence[0].provenance, as_of_time=datetime(2026, 11, day, tzinfo=UTC))
        newest = tuple(replace(piece, provenance=dated) for piece in told.evidence)
        return replace(told, primary_trend=trend, evidence=newest)

    hedged = _text(request([of(Trend.BULL, 20), of(Trend.BEAR, 25)], locale=locale))
    settled = _text(request([of(Trend.BULL, 20), of(Trend.BULL, 25)], locale=locale))
    assert [hedge in text for text in (hedged, settled)] == [True, False]


_INTERNAL_WORDS = (
    "finance.",
    "realty.",
    "commerce.",
    "general.",
    "ev-",
    "template.v1",
    "rows.v1",
    "step-",
    "11680",
    "11650",
)


@pytest.mark.parametrize("locale", ["ko", "en"])
@pytest.mark.parametrize(
    "intent",
    [
        *("us_single_stock", "compare_outlook", "explain_drop", "timing_scenario", "sector_recommendation"),
        *("market_summary", "fx_driver", "indicator_lookup", "real_estate_detail", "MARKET_INQUIRY"),
    ],
)
def test_no_template_shows_what_is_internal(intent: str, locale: str) -> None:
    """Neither ids nor codes, agents, tools, tables or fields stand in an answer, also where parts are missing."""
    asked = market(locale)
    parts = (*asked.results, nothing(), nothing("finance.ontology", failed=True))
    asked = replace(asked, results=parts, route=replace(asked.route, intent=intent, selected_type=intent))
    text = _text(asked)
    assert [word for word in _INTERNAL_WORDS if word in text] == []
    fault = Grounds.of(asked).fault(text)
    assert fault is None or fault.reason is not DropReason.INTERNAL_ID
    assert re.search(r"[a-z]_[a-z]|\b(?:AAPL|NVDA|UNRATE|KRUNRATE)\b|[0-9a-f]{16}", text) is None


def market_of(*agents: str, intent: str = "compare_outlook") -> SynthesizeRequest:
    """Return the request about shares, series and homes with the results of some agents alone."""
    asked = market("ko")
    kept = tuple(result for result in asked.results if result.agent in agents)
    merged = kept
    if agents == ("finance.equity",):
        first, second = kept
        merged = (
            replace(first, metrics=(*first.metrics, *second.metrics), evidence=(*first.evidence, *second.evidence)),
        )
    return replace(asked, results=merged, route=replace(asked.route, intent=intent, selected_type=intent))


def test_each_figure_of_a_line_bears_its_own_day() -> None:
    """Figures of several subjects stand under the day of most of them; one of another day has it behind it."""
    names = ("원/달러 환율", "미국 실업률", "한국은행 기준금리")
    pieces = tuple(evidence(f"ev-{number}", [{"value": number}], data_type="macro") for number in range(3))
    metrics = tuple(
        replace(
            metric(name, label, value, "percent", subject, piece.evidence_id),
            as_of_time=datetime(2026, 11, day, tzinfo=UTC),
        )
        for subject, piece in zip(names, pieces, strict=True)
        for name, label, value, day in (
            ("latest_value", "최근값", "4.1", 26),
            ("value_before", "직전 값", "4.3", 25),
            ("recent", "움직임", "-0.2", 26),
        )
    )
    told = AgentResult("finance.macro", "s1", AgentStatus.ANSWERED, "찾았습니다.", metrics=metrics, evidence=pieces)
    lines = _text(request([told])).splitlines()
    for name in names:
        (line,) = [line for line in lines if line.startswith(f"- {name} ")]
        assert line.startswith(f"- {name} (2026년 11월 26일 기준): 최근값 4.1%")
        assert "직전 값 4.3% (2026년 11월 25일)" in line


def test_an_exchange_rate_is_told_with_what_moves_it() -> None:
    """Each path that ends at the rate is a line; where its driver is known, its move and which way that pushes."""

    def driver(name: str, node: str, polarity: str, number: int) -> tuple[Evidence, Metric]:
        row = {"nodes": [{"id": node}, {"id": "KR_USDKRW"}], "steps": [{"polarity": polarity}]}
        piece = evidence(f"ev-path{number}", [row], data_type="graph", title=f"관계 경로: {name} → 원/달러 환율")
        return piece, metric("strength", "관계 강도", "0.5", "index", f"{name} → 원/달러 환율", piece.evidence_id)

    paths = [
        driver("미국 연방기금금리", "FEDFUNDS", "POSITIVE", 1),
        driver("외환보유액", "KR_RESERVES", "NEGATIVE", 2),
        driver("무역 협상(예시)", "EV-1", "NEGATIVE", 3),
    ]
    rates = evidence("ev-rates", [{"value": 3.9}], data_type="macro")
    figures = (
        metric("latest_value", "최근값", "1463.5", "krw", "원/달러 환율", "ev-rates"),
        metric("latest_value", "최근값", "3.9", "percent", "미국 연방기금금리", "ev-rates"),
        metric("change", "직전 대비", "-0.02", "percentage_point", "미국 연방기금금리", "ev-rates"),
    )
    macro_part = AgentResult("finance.macro", "s1", AgentStatus.ANSWERED, "", metrics=figures, evidence=(rates,))
    graph_part = AgentResult(
        "finance.ontology", "s2", AgentStatus.ANSWERED, "", metrics=tuple(one for _, one in paths),
        evidence=tuple(piece for piece, _ in paths),
    )  # fmt: skip
    lines = _text(request([macro_part, graph_part], intent="fx_driver")).splitlines()
    at = lines.index("원/달러 환율을 움직이는 것으로 알려진 요인")
    first = "- 미국 연방기금금리: 오르면 원/달러 환율에 오르는 쪽의 힘"
    assert lines[at + 1 : at + 4] == [
        f"{first}. 지금은 3.9% (2026년 11월 26일)이고 직전보다 0.02%p 내려 내리는 쪽입니다.",
        "- 외환보유액: 오르면 원/달러 환율에 내리는 쪽의 힘",
        "- 무역 협상(예시): 원/달러 환율에 내리는 쪽의 힘",
    ]


def test_what_the_lists_say_is_not_said_before_them() -> None:
    """Of a summary the first sentence of a subject stands, and what no list says; the rest is in the lists."""
    estimate = "EPS 예상치는 1.7달러였습니다."
    said = replace(
        equity(),
        summary=f"애플의 2026년 11월 26일 종가는 262.1달러입니다. 20일 이동평균은 255.3달러입니다. {estimate}",
    )
    text = _text(request([said], intent="us_single_stock"))
    assert text.startswith(f"애플의 2026년 11월 26일 종가는 262.1달러입니다. {estimate}\n\n")
    assert text.count("255.3달러") == 1
