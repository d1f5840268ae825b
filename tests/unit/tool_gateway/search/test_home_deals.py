"""Home deals one by one, the monthly sums that they come to, and what is made of both."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from services.contract.tool import ToolFailure, ToolResult
from tests.unit.tool_gateway.seeded_data import rows_of

_SUMS = """
    SELECT region_code, property_type, deal_type, substr(contract_date, 1, 7) || '-01' AS month, COUNT(*) AS deals,
        (2 * SUM(price_krw) + 10000 * COUNT(*)) / (20000 * COUNT(*)) * 10000 AS mean_price,
        (2 * SUM(monthly_rent_krw) + 1000 * COUNT(*)) / (2000 * COUNT(*)) * 1000 AS mean_rent,
        SUM(price_krw) / SUM(area_m2) AS price_per_m2
    FROM realty_transactions GROUP BY region_code, property_type, deal_type, month
"""


def _query(url: str, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{Path(url.partition('///')[2])}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def test_every_month_is_what_its_deals_come_to(url) -> None:
    """Each row of the monthly sums equals count and means of its deals, in steps, and no deal is without one."""
    joined = f"""
        SELECT m.deal_count - s.deals, m.mean_price_krw - s.mean_price, m.mean_price_krw_per_m2 - s.price_per_m2,
            COALESCE(m.mean_monthly_rent_krw, -1) - COALESCE(s.mean_rent, -1)
        FROM realty_monthly_summary AS m JOIN ({_SUMS}) AS s USING (region_code, property_type, deal_type, month)
    """  # noqa: S608 - one text
    differences = _query(url, joined)
    counts = _query(url, f"SELECT (SELECT COUNT(*) FROM realty_monthly_summary), COUNT(*) FROM ({_SUMS})")  # noqa: S608
    assert counts == [(len(differences), len(differences))]
    assert {(deals, price, rent) for deals, price, _, rent in differences} == {(0, 0, 0)}
    assert max(abs(per_m2) for _, _, per_m2, _ in differences) <= 500.5


def test_every_district_has_deals_over_two_years(url) -> None:
    """All 25 districts of Seoul, and the others that are covered, have every kind of deal in each of 24 months."""
    months = """
        SELECT region_code, COUNT(DISTINCT substr(contract_date, 1, 7)), COUNT(DISTINCT property_type || deal_type)
        FROM realty_transactions GROUP BY region_code
    """
    found = _query(url, months)
    assert {(months, kinds) for _, months, kinds in found} == {(24, 12)}
    assert sum(code.startswith("11") for code, _, _ in found) == 25
    assert {code for code, _, _ in found} == {code for (code,) in _query(url, "SELECT region_code FROM regions")}
    assert _query(url, "SELECT sample FROM datasets WHERE dataset_id = 'sample_realty_transactions'") == [(1,)]


def test_a_deal_is_of_a_complex_that_has_a_price(url) -> None:
    """Each deal names complex and area of a market price of its kind, and what it cost is near that price."""
    far = """
        SELECT COUNT(*), SUM(p.region_code IS NULL),
            MIN(t.price_krw * 1.0 / COALESCE(p.price_mean_krw, p.deposit_mean_krw)),
            MAX(t.price_krw * 1.0 / COALESCE(p.price_mean_krw, p.deposit_mean_krw))
        FROM realty_transactions AS t LEFT JOIN realty_market_prices AS p
        USING (region_code, dong, complex_name, property_type, deal_type, area_m2)
    """
    deals, unknown, low, high = _query(url, far)[0]
    assert deals > 50_000
    assert unknown == 0
    assert 0.4 < low < 1 < high < 2


@pytest.mark.asyncio
async def test_deals_keep_to_what_was_asked(invoke) -> None:
    """Deals of the district, kind, price and days alone, newest first, marked as sample."""
    asked = {
        "region_code": "11680",
        "property_type": "apartment",
        "deal_type": "jeonse",
        "price_min": 600_000_000,
        "price_max": 900_000_000,
        "date_from": "2026-01-01",
        "date_to": "2026-03-31",
    }
    outcome = await invoke("real_estate_transactions", asked)
    rows = rows_of(outcome)
    assert isinstance(outcome, ToolResult)
    assert (outcome.provenance.table, outcome.provenance.sample) == ("realty_transactions", True)
    assert rows
    assert {(row["region_ko"], row["property_type"], row["deal_type"]) for row in rows} == {
        ("강남구", "apartment", "jeonse")
    }
    assert all(600_000_000 <= row["price_krw"] <= 900_000_000 for row in rows)
    days = [row["contract_date"] for row in rows]
    assert days == sorted(days, reverse=True)
    assert "2026-01-01" <= days[-1] <= days[0] <= "2026-03-31"
    assert all(row["monthly_rent_krw"] is None for row in rows)


@pytest.mark.parametrize("tool", ["real_estate_transactions", "market_analysis"])
@pytest.mark.asyncio
async def test_an_uncovered_place_is_named(invoke, tool) -> None:
    """A district that the data does not cover is a refusal that names the covered ones."""
    await invoke("market_data", {"region_code": "11680"})
    outcome = await invoke(tool, {"region_code": "99999"})
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.field) == ("VALUE_OUT_OF_RANGE", "region_code")
    assert "11 Seoul" in outcome.message


@pytest.mark.asyncio
async def test_the_analysis_is_what_the_deals_say(invoke, url) -> None:
    """Volumes, means, ranges, changes and the jeonse ratio follow from the deals of the two windows."""
    await invoke("market_data", {"region_code": "11680"})
    rows = rows_of(await invoke("market_analysis", {"region_code": "11680", "property_type": "apartment"}))
    assert [row["deal_type"] for row in rows] == ["jeonse", "monthly_rent", "sale"]
    by_deal = {row["deal_type"]: row for row in rows}
    sums = """
        SELECT deal_type, contract_date < '2025-05-01', COUNT(*), SUM(price_krw), SUM(area_m2),
            MIN(price_krw / area_m2), MAX(price_krw / area_m2), SUM(monthly_rent_krw)
        FROM realty_transactions WHERE region_code = '11680' AND property_type = 'apartment'
        AND contract_date >= '2024-05-01' AND contract_date < '2026-05-01' GROUP BY 1, 2
    """
    found = {(deal, older): figures for deal, older, *figures in _query(url, sums)}
    for deal, row in by_deal.items():
        count, price, area, low, high, rent = found[deal, 0]
        earlier, price_before, area_before, *_ = found[deal, 1]
        assert (row["month_from"], row["month_to"]) == ("2025-05-01", "2026-04-01")
        assert row["deal_count"] == count
        assert row["deal_count_change_percent"] == pytest.approx(100 * (count / earlier - 1), abs=0.06)
        assert row["mean_price_krw"] == pytest.approx(price / count, abs=1)
        assert row["mean_price_krw_per_m2"] == pytest.approx(price / area, abs=1)
        change = 100 * (price / area / (price_before / area_before) - 1)
        assert row["price_change_percent"] == pytest.approx(change, abs=0.06)
        assert (row["price_low_krw_per_m2"], row["price_high_krw_per_m2"]) == (round(low), round(high))
        assert (row["mean_monthly_rent_krw"] is None) == (rent is None)
    ratio = 100 * (found["jeonse", 0][1] / found["jeonse", 0][2]) / (found["sale", 0][1] / found["sale", 0][2])
    assert by_deal["jeonse"]["jeonse_ratio_percent"] == pytest.approx(ratio, abs=0.06)
    assert by_deal["sale"]["jeonse_ratio_percent"] is None
