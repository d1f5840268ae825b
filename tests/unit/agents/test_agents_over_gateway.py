"""The agents over the real tool gateway and a seeded database: what they say is what the database holds."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from services.agents.outcome import PARTIAL, SAMPLE, TRUNCATED
from services.contract.flow import AgentStatus, ToolCall
from services.tool_gateway.servicer import register as register_gateway
from tests.unit.agents.loopback import Told, asked, call, ensemble


@pytest.fixture
def rows(seeded_dir) -> Iterator[sqlite3.Connection]:
    """The database, read past the tool gateway."""
    with closing(sqlite3.connect(seeded_dir / "data.db")) as opened:
        yield opened


async def run_on(seeded_dir, agent, *calls: ToolCall, locale="ko") -> Told:
    """Runs a step of an agent over the real tool gateway; its result has a probe of each of its calls."""
    async with ensemble(agent, seeded_dir, register_gateway) as running:
        told = await running.run(asked(agent, *calls, locale=locale))
    probes = [(one.tool, one.row_count, one.reason) for one in told.result.tool_probes]
    assert sorted(probes) == sorted((one.tool, one.row_count, one.reason) for one in told.settled)
    return told


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("ticker", "table", "name"),
    [("US:AAPL", "us_equity_prices", "애플"), ("kr:005930", "kr_equity_prices", "삼성전자")],
)
async def test_a_share_is_what_its_bars_say(seeded_dir, rows, ticker, table, name) -> None:
    """Close, averages and returns must be those of the newest bars of the security's own market."""
    told = await run_on(seeded_dir, "finance.equity", call("equity_prices", ticker=ticker, bars=260))
    query = f"SELECT date, close FROM {table} WHERE security_id = ? ORDER BY date"  # noqa: S608 - a name of the test
    frame = pd.read_sql_query(query, rows, params=(ticker.upper(),))
    closes = frame["close"]
    found = told.metrics(name)
    assert float(found["latest_close"]) == closes.iloc[-1]
    tolerance = 0.5 if ticker.startswith("kr") else 0.005
    for days in (20, 60, 120):
        assert float(found[f"ma_{days}"]) == pytest.approx(closes.rolling(days).mean().iloc[-1], abs=tolerance + 1e-6)
    for days in (1, 5, 20, 60, 120):
        assert float(found[f"return_{days}d"]) == pytest.approx(
            closes.pct_change(days).iloc[-1] * 100, abs=0.005 + 1e-6
        )
    year, month, day = (int(part) for part in frame["date"].iloc[-1].split("-"))
    assert f"{year}년 {month}월 {day}일" in told.result.summary
    assert told.result.status is AgentStatus.ANSWERED
    assert SAMPLE.ko in told.result.cautions
    assert told.result.evidence[0].provenance.table == table


@pytest.mark.asyncio
@pytest.mark.parametrize("series_id", ["UNRATE", "CPIAUCSL", "PAYEMS", "KR_USDKRW", "KR_BASE_RATE", "T10Y2Y", "WALCL"])
async def test_a_series_is_what_its_observations_say(seeded_dir, rows, series_id) -> None:
    """The latest value and its change must be those of the two newest observations."""
    told = await run_on(seeded_dir, "finance.macro", call("macro_series", series_ids=[series_id]), locale="en")
    query = "SELECT value FROM macro_observations WHERE series_id = ? ORDER BY date DESC LIMIT 2"
    latest, before = (value for (value,) in rows.execute(query, (series_id,)))
    (unit,) = rows.execute("SELECT unit FROM macro_series WHERE series_id = ?", (series_id,)).fetchone()
    scale = {"thousand persons": 1e3, "million USD": 1e6}.get(unit, 1)
    is_rate = unit in {"%", "percentage points"}
    expected = latest - before if is_rate else (latest / before - 1) * 100
    found = told.metrics()
    assert float(found["latest_value"]) == pytest.approx(latest * scale, rel=1e-12)
    assert float(found["change"]) == pytest.approx(expected, abs=1e-9 if is_rate else 0.005 + 1e-9)
    assert series_id not in told.result.summary


@pytest.mark.asyncio
async def test_two_rates_have_a_spread(seeded_dir, rows) -> None:
    """Of two rates the difference on the newest day must be told, and rest on both series."""
    told = await run_on(seeded_dir, "finance.macro", call("macro_series", series_ids=["DGS10", "DGS2"]))
    query = "SELECT value FROM macro_observations WHERE series_id = ? ORDER BY date DESC LIMIT 1"
    ten, two = (rows.execute(query, (series_id,)).fetchone()[0] for series_id in ("DGS10", "DGS2"))
    (spread,) = [metric for metric in told.result.metrics if metric.name == "spread"]
    assert float(spread.value) == pytest.approx(ten - two, abs=1e-9)
    assert len(spread.evidence_ids) == 2


@pytest.mark.asyncio
async def test_homes_cost_what_the_rows_say(seeded_dir, rows) -> None:
    """Lowest, highest, weighted mean and deals of a district must be those of its rows."""
    told = await run_on(
        seeded_dir,
        "realty.search",
        call("market_data", region_code="11680", property_type="apartment", deal_type="jeonse"),
    )
    query = """SELECT deposit_low_krw, deposit_mean_krw, deposit_high_krw, deal_count FROM realty_market_prices
               WHERE region_code = '11680' AND property_type = 'apartment' AND deal_type = 'jeonse'"""
    low, mean, high, deals = np.array(rows.execute(query).fetchall(), dtype=float).T
    found = {name: float(value) for name, value in told.metrics().items()}
    assert (found["deposit_low"], found["deposit_high"]) == (low.min(), high.max())
    assert found["deposit_mean"] == pytest.approx(np.average(mean, weights=deals), abs=5_000)
    assert found["deposit_median"] == pytest.approx(np.median(mean), abs=5_000)
    assert found["deal_count"] == deals.sum()
    assert "강남구 아파트 전세" in told.result.summary
    assert "11680" not in told.result.summary + "".join(told.result.cautions)


@pytest.mark.asyncio
async def test_a_cut_province_says_so(seeded_dir) -> None:
    """A province with more rows than are read must say that only a part is reflected, and nothing else was left out."""
    told = await run_on(seeded_dir, "realty.search", call("market_data", region_code="11", deal_type="monthly_rent"))
    assert TRUNCATED.ko in told.result.cautions
    assert PARTIAL.ko not in told.result.cautions
    assert {metric.name for metric in told.result.metrics} >= {"deposit_mean", "monthly_rent_mean"}


@pytest.mark.asyncio
async def test_products_are_those_of_the_rows(seeded_dir, rows) -> None:
    """Each product that is told of must be in stock, within the limit, at the price that the database holds."""
    limit = 200_000
    told = await run_on(
        seeded_dir, "commerce.product_search", call("product_search", query="무선 이어폰", price_max=limit)
    )
    names = list(dict.fromkeys(metric.subject for metric in told.result.metrics))
    assert 1 <= len(names) <= 5
    query = """SELECT o.price_krw, o.rating, o.stock FROM offers o JOIN products p USING (product_id)
               WHERE p.name_ko = ?"""
    for name in names:
        price, rating, stock = rows.execute(query, (name,)).fetchone()
        found = {key: float(value) for key, value in told.metrics(name).items()}
        assert (found["price"], found["rating"], found["stock"]) == (price, rating, stock)
        assert price <= limit
        assert stock > 0
    assert len(told.result.evidence) == len(names)
    assert PARTIAL.ko not in told.result.cautions


@pytest.mark.asyncio
async def test_a_word_that_no_product_bears_is_said_to_be_left_out(seeded_dir) -> None:
    """Where the search had to leave a word out, the result must say that a condition was dropped."""
    told = await run_on(seeded_dir, "commerce.product_search", call("product_search", query="무선 이어폰 잠수함"))
    assert told.result.status is AgentStatus.ANSWERED
    assert PARTIAL.ko in told.result.cautions


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("agent", "made", "reason"),
    [
        ("finance.equity", call("equity_prices", ticker="US:ZZZZ"), "NOT_COVERED"),
        ("finance.macro", call("macro_series", series_ids=["NO_SUCH"]), "NOT_COVERED"),
        ("realty.search", call("market_data", region_code="99999"), "NOT_COVERED"),
        ("commerce.product_search", call("product_search", query="잠수함"), "NO_ROWS"),
    ],
)
async def test_what_is_not_covered_gets_no_number(seeded_dir, agent, made, reason) -> None:
    """Where the data has nothing, the result must say so and what is covered, without a single number."""
    told = await run_on(seeded_dir, agent, made)
    assert (told.result.status, told.result.reason) == (AgentStatus.INSUFFICIENT_DATA, reason)
    assert [mark for mark in told.result.summary if mark.isdigit()] == []


@pytest.mark.asyncio
async def test_malformed_arguments_are_rejected_as_data(seeded_dir) -> None:
    """A call that the real gateway refuses must end as TOOL_GATEWAY_REJECTED in the result."""
    told = await run_on(seeded_dir, "finance.equity", call("equity_prices", ticker="AAPL; DROP TABLE offers"))
    assert (told.result.status, told.result.reason) == (AgentStatus.FAILED, "TOOL_GATEWAY_REJECTED")


@pytest.mark.asyncio
async def test_an_equal_call_of_the_flow_is_read_once(seeded_dir) -> None:
    """A second step of the same flow with equal arguments must get the first result and reach the data no more."""
    step = asked("finance.macro", call("macro_series", series_ids=["UNRATE"]))
    async with ensemble("finance.macro", seeded_dir, register_gateway) as running:
        first, second = await running.run(step), await running.run(step)
    assert [settled.replayed for settled in (*first.settled, *second.settled)] == [False, True]
    assert (first.end.spent.usage.tool_calls, second.end.spent.usage.tool_calls) == (1, 0)
    assert first.result == second.result
