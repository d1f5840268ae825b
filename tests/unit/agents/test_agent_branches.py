"""Branches of a step over the real tool gateway: which calls are made, and when the other branch should run."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from services.contract.flow import AgentStatus, Branch, ToolCall
from services.tool_gateway.servicer import register as register_gateway
from tests.unit.agents.loopback import Told, asked, call, ensemble

SERIES = ["KR_USDKRW"]
MACRO = (
    call("macro_series", series_ids=SERIES),
    call("macro_brief"),
    call("graph_paths", series_ids=SERIES, toward="causes"),
)
ONTOLOGY = (
    call("graph_paths", series_ids=SERIES, toward="causes"),
    call("graph_paths", ticker=""),
    call("ontology_cypher", cypher=""),
    call("news_search", series_ids=SERIES),
    call("corporate_events", ticker="KR:005930"),
)
HOMES = (
    call("real_estate_trend", region_code="11440", property_type="apartment", deal_type="sale"),
    call("macro_brief"),
    call("graph_paths", region_code="11440"),
)


async def run_on(
    seeded_dir,
    agent: str,
    *calls: ToolCall,
    branch: Branch = Branch.SQL,
    question: str = "어떤가요?",
    countries: tuple[str, ...] = ("KR",),
    both: bool = False,
    locale: str = "ko",
) -> Told:
    """Runs a step of an agent on a branch over the real tool gateway."""
    request = asked(agent, *calls, locale=locale, question=question)
    request = replace(
        request,
        step=replace(request.step, branch=branch, sub_question=question),
        route=replace(request.route, country_scope=countries, sql_need=True, graph_need=both),
    )
    async with ensemble(agent, seeded_dir, register_gateway) as running:
        return await running.run(request)


def tools(told: Told) -> set[str]:
    """Returns the tools that were called."""
    return {settled.tool for settled in told.settled}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("agent", "calls", "branch", "expected"),
    [
        ("finance.macro", MACRO, Branch.SQL, {"macro_series", "macro_brief"}),
        ("finance.macro", MACRO, Branch.GRAPH, {"graph_paths"}),
        ("finance.real_estate", HOMES, Branch.SQL, {"real_estate_trend", "macro_brief"}),
        ("finance.real_estate", HOMES, Branch.GRAPH, {"graph_paths"}),
        ("finance.ontology", ONTOLOGY, Branch.SQL, {"news_search", "corporate_events"}),
        ("finance.ontology", ONTOLOGY, Branch.GRAPH, {"graph_paths"}),
    ],
)
async def test_a_step_makes_the_calls_of_its_branch(seeded_dir, agent, calls, branch, expected) -> None:
    """The other branch's calls are not made, nor those that name no node, nor an empty statement."""
    told = await run_on(seeded_dir, agent, *calls, branch=branch)
    assert tools(told) == expected
    probes = told.result.tool_probes
    assert ({one.tool for one in probes}, {one.branch for one in probes}) == (expected, {branch})
    assert all(one.row_count >= 0 and one.template_id and not one.reason for one in probes)
    assert sum(one.row_count for one in probes) == sum(settled.row_count for settled in told.settled)
    assert told.result.status is AgentStatus.ANSWERED
    assert told.result.metrics
    assert all(metric.evidence_ids for metric in told.result.metrics)
    assert told.result.primary_trend is not None


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({"question": "환율이 왜 올라?"}, True),
        ({"question": "why does it rise?", "locale": "en"}, True),
        ({"question": "환율 얼마야?"}, False),
        ({"question": "환율이 왜 올라?", "both": True}, False),
        ({"question": "환율이 왜 올라?", "branch": Branch.GRAPH}, False),
    ],
)
async def test_the_companion_is_asked_for_where_it_may_answer(seeded_dir, changed: dict[str, Any], wanted) -> None:
    """Rows without a reason ask for the graph, unless the plan runs both; rows that were asked for need no other."""
    told = await run_on(seeded_dir, "finance.macro", *MACRO, **changed)
    assert told.result.needs_companion_branch is wanted


@pytest.mark.asyncio
async def test_an_empty_branch_asks_for_the_other(seeded_dir) -> None:
    """A branch without rows asks for the other where that has a call; a supplement is no such call."""
    home = call("graph_paths", region_code="11440")
    told = await run_on(seeded_dir, "finance.real_estate", home)
    assert (told.result.status, told.result.reason) == (AgentStatus.INSUFFICIENT_DATA, "NO_CALLS")
    assert told.result.needs_companion_branch
    none = call("graph_paths", region_code="11")
    told = await run_on(seeded_dir, "finance.real_estate", HOMES[0], none, branch=Branch.GRAPH)
    assert told.result.status is AgentStatus.INSUFFICIENT_DATA
    assert told.result.needs_companion_branch
    told = await run_on(seeded_dir, "finance.real_estate", call("macro_brief"), none, branch=Branch.GRAPH)
    assert not told.result.needs_companion_branch


@pytest.mark.asyncio
async def test_a_supplement_alone_is_no_answer(seeded_dir) -> None:
    """The brief without the series that was asked for makes no insight."""
    told = await run_on(seeded_dir, "finance.macro", call("macro_series", series_ids=["NO_SUCH"]), call("macro_brief"))
    assert (told.result.status, told.result.reason) == (AgentStatus.INSUFFICIENT_DATA, "NOT_COVERED")
    assert (told.result.metrics, told.result.evidence) == ((), ())


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("countries", "series", "attached"),
    [(("KR",), "KR_CPI", True), (("US", "KR"), "UNRATE", True), (("US",), "UNRATE", False), (("US",), "KR_CPI", True)],
)
async def test_the_brief_belongs_to_korean_questions(seeded_dir, countries, series, attached) -> None:
    """The brief is attached with its date to questions of Korea, of both countries, or that read a Korean series."""
    calls = (call("macro_series", series_ids=[series]), call("macro_brief"))
    told = await run_on(seeded_dir, "finance.macro", *calls, countries=countries)
    assert ("08:30" in told.result.summary) is attached
    with closing(sqlite3.connect(seeded_dir / "data.db")) as opened:
        (day,) = opened.execute("SELECT MAX(brief_date) FROM macro_brief_lines").fetchone()
    year, month, number = (int(part) for part in str(day).split("-"))
    assert (f"{year}년 {month}월 {number}일 08:30" in told.result.summary) is attached


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("cypher", "accepted"),
    [
        ("MATCH (a:EconomicIndicator)-[r:AFFECTS]->(b:EconomicIndicator) RETURN a.name_ko AS cause LIMIT 3", True),
        ("MATCH (a:Company)-[r:AFFECTS]->(b:EconomicIndicator) RETURN a.name_ko AS cause", False),
        ("CREATE (a:EconomicIndicator) RETURN a.name_ko AS name", False),
    ],
)
async def test_the_check_of_a_statement_is_recorded(seeded_dir, cypher, accepted) -> None:
    """Whether a model's Cypher was accepted, and why, stands in a decision; a refused one reads nothing."""
    made = call("ontology_cypher", cypher=cypher)
    told = await run_on(seeded_dir, "finance.ontology", made, branch=Branch.GRAPH)
    (decision,) = told.end.spent.decisions
    document = json.loads(decision.output_json)
    assert (decision.kind, document["accepted"], document["statement"]) == ("statement_check", accepted, cypher)
    assert document["check"]
    if not accepted:
        assert (told.result.status, told.result.reason) == (AgentStatus.FAILED, "TOOL_GATEWAY_REJECTED")


@pytest.mark.asyncio
@pytest.mark.parametrize("ticker", ["US:NVDA", "KR:005930"])
async def test_a_share_has_its_four_sides(seeded_dir, ticker) -> None:
    """An answer about one stock has price, earnings, valuation and risk; what was not read is said to be missing."""
    prices = call("equity_prices", ticker=ticker, bars=260)
    whole = await run_on(
        seeded_dir,
        "finance.equity",
        prices,
        call("equity_financials", ticker=ticker),
        call("earnings_events", ticker=ticker),
        countries=(ticker[:2],),
    )
    names = set(whole.metrics())
    assert {
        "latest_close",
        "revenue",
        "per",
        "pbr",
        "earnings_reaction_1_0d",
        "deepest_fall",
        "volatility_60d",
    } <= names
    assert len(whole.result.evidence) == 3
    bare = await run_on(seeded_dir, "finance.equity", prices, countries=(ticker[:2],))
    assert any("실적" in caution and "밸류에이션" in caution for caution in bare.result.cautions)


@pytest.mark.asyncio
async def test_earnings_without_prices_are_limited(seeded_dir) -> None:
    """Quarters alone are told, with the price said to be missing and no multiple."""
    told = await run_on(seeded_dir, "finance.equity", call("equity_financials", ticker="US:AAPL"), countries=("US",))
    assert told.result.status is AgentStatus.LIMITED
    assert "per" not in told.metrics()
    assert "revenue" in told.metrics()
    assert any("가격과 위험" in caution for caution in told.result.cautions)
