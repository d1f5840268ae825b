"""realty.search and realty.analysis over the real tool gateway: the one finds, the other judges what was found."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from services.contract.flow import AgentResult, AgentStatus, ToolCall
from services.tool_gateway.servicer import register as register_gateway
from tests.unit.agents.loopback import Told, asked, call, ensemble

pytestmark = pytest.mark.xdist_group("agents_data")


async def analysed(seeded_dir: Path, question: str, intent: str, *calls: ToolCall) -> tuple[AgentResult, Told]:
    """Runs the search with its calls, hands its result on, and returns both results."""
    async with ensemble("realty.search", seeded_dir, register_gateway) as search:
        found = (await search.run(asked("realty.search", *calls, question=question), seconds=60)).result
    step = asked("realty.analysis", question=question)
    request = replace(step, prior_results=(found,), route=replace(step.route, intent=intent))
    async with ensemble("realty.analysis", seeded_dir, register_gateway) as analysis:
        return found, await analysis.run(request)


@pytest.mark.long
@pytest.mark.asyncio
async def test_risk_is_computed_from_what_the_search_found(seeded_dir: Path) -> None:
    """The jeonse ratio is that of the database's own rows, and the result rests on the search's evidence."""
    found, told = await analysed(
        seeded_dir,
        "강남구 아파트 시세랑 위험 같이 분석해줘",
        "COMPREHENSIVE",
        call("market_data", region_code="11680", property_type="apartment"),
        call("legal_search", query="보증금 대항력 확정일자 우선변제권", limit=5),
    )
    query = """SELECT j.deposit_mean_krw, s.price_mean_krw, j.deal_count FROM realty_market_prices j
               JOIN realty_market_prices s USING (region_code, complex_name, property_type, area_m2)
               WHERE region_code = '11680' AND property_type = 'apartment'
                 AND j.deal_type = 'jeonse' AND s.deal_type = 'sale'"""
    with closing(sqlite3.connect(seeded_dir / "data.db")) as rows:
        deposit, price, deals = np.array(rows.execute(query).fetchall(), dtype=float).T
    expected = np.average(deposit / price, weights=deals) * 100
    assert float(told.metrics()["jeonse_ratio"]) == pytest.approx(expected, abs=0.05)
    assert {piece.evidence_id for piece in told.result.evidence} <= {piece.evidence_id for piece in found.evidence}
    assert told.result.status is AgentStatus.ANSWERED
    assert "11680" not in told.result.summary
    cited = {row for piece in found.evidence for row in [piece.title] if piece.data_type == "legal"}
    assert any(title.startswith("주택임대차보호법 제3조") for title in cited)


@pytest.mark.asyncio
async def test_a_rise_is_held_against_the_articles_of_the_data(seeded_dir: Path) -> None:
    """The cap is read from the article of the data, which is art. 7 of the act and art. 8 of the decree."""
    _, told = await analysed(
        seeded_dir,
        "월세 120만원을 132만원으로 올려달래요",
        "LEGAL_CONSULT",
        call("legal_search", query="임대료 증액 한도 월세 인상 초과", limit=6),
    )
    assert (told.metrics()["rise_cap"], Decimal(told.metrics()["rise_highest"])) == ("5", 1_260_000)
    assert "주택임대차보호법 제7조, 주택임대차보호법 시행령 제8조" in told.result.summary


@pytest.mark.asyncio
async def test_what_borrowing_is_limited_by_is_named(seeded_dir: Path) -> None:
    """Over the loans of the data, with price and income of the question, the limiting factor is named."""
    found, told = await analysed(
        seeded_dir,
        "연소득 5천만원인데 7억짜리 집을 사려면 얼마까지 대출 가능해?",
        "LOAN_CONSULT",
        call("loan_data", purpose="mortgage"),
    )
    assert "한도를 정하는 것은 DSR입니다" in told.result.summary
    assert {metric.subject for metric in told.result.metrics} <= {metric.subject for metric in found.metrics}
