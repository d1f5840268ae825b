"""Home deals one by one, and the monthly sums that they come to."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

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
