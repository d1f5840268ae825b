"""Figures under another's name, changes told backwards, wrong days, invented causes: planted in a model's sentences."""

from datetime import timedelta
from typing import Any

import pytest

from services.agents.outcome import result_of
from services.agents.registry import spec_of
from services.agents.summary import basis_of
from services.agents.tool_calls import Settled
from services.contract.events import ToolOutcomeKind, ToolSettled
from services.grounding.grounds import Grounds
from services.plugin.findings import Asking, Reading
from tests.unit.agents.loopback import AS_OF, NOW, tool_result
from tests.unit.agents.test_agent_claims import check, share_rows

ENDS = ("2025-09-30", "2025-12-31", "2026-03-31", "2026-06-30", "2026-09-30")


def held_by(agent: str, *results: tuple[str, list[dict[str, Any]]], locale: str = "ko") -> Grounds:
    """Returns what the rows of several calls let a summary say."""
    spec = spec_of(agent)
    readings, settled = [], []
    for order, (tool, rows) in enumerate(results):
        source = spec.source(tool)
        assert source is not None
        typed = tuple(source.row.returned(row) for row in rows)
        provenance = tool_result(tool, rows).provenance
        reading = Reading(tool, source.data_type, {}, typed, source.rows_schema_id, provenance, False, False)
        event = ToolSettled("s1", tool, ToolOutcomeKind.RETURNED, len(rows), False, "", timedelta())
        readings.append(reading)
        settled.append(Settled(order, source, reading, event))
    asking = Asking("?", locale, NOW, "Asia/Seoul", "", (), (), ())
    findings = spec.analyse(tuple(readings), asking)
    result = result_of(spec, "s1", locale, settled, findings)
    return Grounds(basis_of(spec, asking, tuple(readings), result))


def company_rows() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns five quarters that earn 2 dollars a share each, and two announcements."""
    name = {"security_id": "US:GAON", "ticker": "GAON", "name_ko": "가온", "name_en": "Gaon", "as_of": AS_OF}
    quarters = [
        {
            **name,
            "fiscal_period": f"{end[:4]}Q{int(end[5:7]) // 3}",
            "period_end": end,
            "item": item,
            "value": value,
            "unit": unit,
            "as_of": f"{end}T00:00:00Z",
        }
        for place, end in enumerate(ENDS)
        for item, value, unit in (
            ("revenue", 1_000_000_000 + place * 50_000_000, "USD"),
            ("operating_income", 240_000_000, "USD"),
            ("net_income", 180_000_000, "USD"),
            ("eps", 2.0, "USD/share"),
            ("bps", 55, "USD/share"),
        )
    ]
    announced = [
        {
            **name,
            "event_date": day,
            "fiscal_period": period,
            "eps_actual": 2.0,
            "eps_estimate": 1.9,
            "surprise_percent": 5.26,
            "currency": "USD",
        }
        for day, period in (("2026-11-02", "2026Q3"), ("2026-08-03", "2026Q2"))
    ]
    return quarters, announced


@pytest.fixture(scope="module")
def company() -> Grounds:
    """가온 closes at 330, its highest price is 331, its PER 41.25 and its PBR 6."""
    quarters, announced = company_rows()
    return held_by(
        "finance.equity",
        ("equity_prices", share_rows("가온", "Gaon", 200)),
        ("equity_financials", quarters),
        ("earnings_events", announced),
    )


@pytest.fixture(scope="module")
def rate() -> Grounds:
    """An unemployment rate of 4.3 after 4.4 and 4.2, which had been 4.7 a year before."""
    months = [(f"2026-{month:02d}-01", value) for month, value in ((10, 4.3), (9, 4.4), (8, 4.2))]
    rows = [
        {
            "series_id": "UNRATE",
            "title_ko": "미국 실업률",
            "title_en": "US Unemployment Rate",
            "country": "US",
            "next_release_date": None,
            "unit": "%",
            "frequency": "monthly",
            "date": day,
            "value": value,
            "as_of": AS_OF,
        }
        for day, value in (*months, ("2025-10-01", 4.7))
    ]
    return held_by("finance.macro", ("macro_series", rows))


@pytest.fixture(scope="module")
def homes() -> Grounds:
    """Sales in 마포구: from 12억 over 100 deals to 12억 6천만 over 80 in twelve months."""
    rows = [
        {
            "region_code": "11440",
            "province_ko": "서울특별시",
            "province_en": "Seoul",
            "region_ko": "마포구",
            "region_en": "Mapo-gu",
            "property_type": "apartment",
            "deal_type": "sale",
            "month": f"2025-{month:02d}-01",
            "deal_count": 100 if month < 12 else 80,
            "mean_price_krw": 1_200_000_000 if month < 12 else 1_260_000_000,
            "mean_price_krw_per_m2": 15_000_000,
            "mean_monthly_rent_krw": None,
            "as_of": AS_OF,
        }
        for month in range(1, 13)
    ]
    return held_by("finance.real_estate", ("real_estate_trend", rows))


@pytest.fixture(scope="module")
def relations() -> Grounds:
    """One path with evidence: 기준금리 affects 환율, .6 strong."""
    nodes = [{"id": "RATE", "name_ko": "기준금리", "name_en": "rate"}, {"id": "FX", "name_ko": "환율", "name_en": "FX"}]
    step = {"relation": "AFFECTS", "polarity": "POSITIVE", "weight": 0.6, "evidence_id": "RATE>FX"}
    said = {"evidence_ko": "금리가 오르면 환율이 오른다.", "evidence_en": "Rates lift FX."}
    path = {"nodes": nodes, "steps": [{**step, **said}], "polarity": "POSITIVE", "strength": 0.6, "as_of": AS_OF}
    return held_by("finance.ontology", ("graph_paths", [path]))


TRUE = [
    ("company", "가온의 종가는 330달러이고 조회 기간 최고가는 331달러입니다."),
    ("company", "가온의 종가와 최고가는 각각 330달러와 331달러입니다."),
    ("company", "가온은 330달러로 마감했습니다."),
    ("company", "가온의 PER은 41.25배, PBR은 6배입니다."),
    ("company", "가온의 20일 이동평균은 320.5달러, 120일 이동평균은 270.5달러입니다."),
    ("company", "가온은 5거래일 동안 1.54% 올랐습니다."),
    ("company", "2026년 3분기 매출은 12억달러로 전년 같은 시기보다 20% 늘었습니다."),
    ("company", "2026년 3분기 EPS는 2달러로 예상치 1.9달러를 5.26% 웃돌았습니다."),
    ("company", "가온의 영업이익률은 20%, 순이익률은 15%입니다."),
    ("company", "The close was $330 and the high $331."),
    ("rate", "미국 실업률은 2026년 10월 4.3%로 전월 4.4%에서 0.1%p 내렸습니다."),
    ("rate", "미국 실업률은 전년 같은 시기보다 0.4%p 낮아졌습니다."),
    ("rate", "2026년 9월 미국 실업률은 4.4%였습니다."),
    ("homes", "서울특별시 마포구 아파트 매매 가격은 첫 달보다 5% 올랐고 거래량은 20% 줄었습니다."),
    ("homes", "2025년 12월 평균 매매가는 12억 6,000만원, 거래량은 80건입니다."),
    ("relations", "기준금리가 오른 영향으로 환율이 움직일 수 있습니다."),
    ("relations", "이번 움직임의 원인은 확인되지 않았습니다."),
]
PLANTED = [
    # Called by another's name
    ("company", "가온의 종가는 331달러입니다."),
    ("company", "가온은 331달러로 마감했습니다."),
    ("company", "가온의 최고가는 330달러입니다."),
    ("company", "가온의 최저가는 270.5달러입니다."),
    ("company", "가온의 20일 이동평균은 300.5달러입니다."),
    ("company", "가온의 60일 이동평균은 270.5달러입니다."),
    ("company", "가온의 120일선은 330달러입니다."),
    ("company", "가온의 10일 이동평균은 320.5달러입니다."),
    ("company", "가온의 PER은 6배입니다."),
    ("company", "가온의 PBR은 41.25배입니다."),
    ("company", "가온의 매출은 2억 4,000만달러입니다."),
    ("company", "가온의 영업이익은 1억 8,000만달러입니다."),
    ("company", "가온의 순이익은 2억 4,000만달러입니다."),
    ("company", "가온의 영업이익률은 15%입니다."),
    ("company", "가온의 순이익률은 20%입니다."),
    ("company", "가온의 EPS는 55달러입니다."),
    ("company", "가온의 시가총액은 330달러입니다."),
    ("company", "가온의 배당은 2달러입니다."),
    ("company", "가온은 5거래일 동안 0.3% 올랐습니다."),
    ("company", "가온은 20거래일 동안 1.54% 올랐습니다."),
    ("company", "가온은 10거래일 동안 1.54% 올랐습니다."),
    ("company", "The close was $331."),
    ("company", "Gaon closed at $331."),
    ("company", "The high was $330."),
    ("company", "Its 20-day average is $300.5."),
    ("company", "Its price-to-book multiple is 41.25 times."),
    # Told backwards
    ("company", "가온은 직전 거래일보다 0.3% 내렸습니다."),
    ("company", "가온은 5거래일 동안 1.54% 하락했습니다."),
    ("company", "The share fell 0.3%."),
    ("company", "The share is down 1.54% over 5 sessions."),
    ("company", "2026년 3분기 매출은 전년 같은 시기보다 20% 줄었습니다."),
    ("company", "2026년 3분기 EPS는 예상치를 5.26% 밑돌았습니다."),
    ("rate", "미국 실업률은 전월보다 0.1%p 올랐습니다."),
    ("rate", "미국 실업률은 전년 같은 시기보다 0.4%p 높아졌습니다."),
    ("rate", "The rate rose 0.1 percentage points."),
    ("homes", "가격은 첫 달보다 5% 내렸습니다."),
    ("homes", "거래량은 20% 늘었습니다."),
    ("homes", "가격은 20% 줄고 거래량은 5% 올랐습니다."),
    # Of another day
    ("company", "2026년 11월 20일 가온의 종가는 330달러입니다."),
    ("rate", "2026년 9월 미국 실업률은 4.3%입니다."),
    ("rate", "The rate was 4.3% in July."),
    ("rate", "미국 실업률은 칠월에 4.3%였습니다."),
    ("homes", "2025년 6월 평균 매매가는 12억 6,000만원입니다."),
    # Causes
    ("company", "금리 인상 때문에 가온이 올랐습니다."),
    ("company", "가온은 실적 호조의 영향으로 올랐습니다."),
    ("company", "The share rose because of strong demand."),
    ("company", "The move was driven by chip demand."),
    ("rate", "미국 실업률은 파업의 여파로 내렸습니다."),
    ("relations", "환율은 수출 부진 때문에 움직였습니다."),
    ("relations", "유가 상승으로 인해 환율이 올랐습니다."),
    ("relations", "FX moved because of oil."),
    ("relations", "기준금리와 환율의 관계 강도는 0.9입니다."),
    ("relations", "근거는 RATE>FX입니다."),
    # Directives, signals and ids
    ("company", "가온을 사야 합니다."),
    ("company", "지금이 매수 적기입니다."),
    ("company", "It is time to buy Gaon."),
    ("company", "데드크로스가 나타났습니다."),
    ("homes", "마포구(11440)는 올랐습니다."),
    ("homes", "마포구 집값은 하락 추세입니다."),
    ("rate", "UNRATE는 4.3%입니다."),
]


def test_there_are_enough() -> None:
    """At least sixty falsehoods are planted here alone, each once."""
    assert len(PLANTED) == len(set(PLANTED)) >= 60


@pytest.mark.parametrize(("rows", "sentence"), TRUE)
def test_true_sentences_stay(request, rows, sentence) -> None:
    """A sentence that calls, moves and dates its figures as the rows have them must stay."""
    assert check(sentence, request.getfixturevalue(rows)) == (sentence, 0)


@pytest.mark.parametrize(("rows", "sentence"), PLANTED)
def test_planted_falsehoods_do_not_leave(request, rows, sentence) -> None:
    """None of the planted falsehoods may pass, and each is counted."""
    kept, dropped = check(sentence, request.getfixturevalue(rows))
    assert kept == ""
    assert dropped >= 1
