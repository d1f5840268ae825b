"""The tools of finance and homes over the seeded data: the right rows, possible figures, honest ends."""

from datetime import date

import pytest

from services.contract.tool import ToolFailure, ToolResult
from tests.unit.tool_gateway.seeded_data import rows_of


@pytest.mark.parametrize(("ticker", "currency"), [("us:aapl", "USD"), ("KR:005930", "KRW")])
@pytest.mark.asyncio
async def test_financials_are_tall_and_hang_together(invoke, ticker, currency) -> None:
    """Eight quarters of eight items; earnings a share are net income over shares, to the last shown digit."""
    outcome = await invoke("equity_financials", {"ticker": ticker})
    rows = rows_of(outcome)
    assert isinstance(outcome, ToolResult)
    assert outcome.provenance.table == "equity_financials"
    periods = sorted({row["fiscal_period"] for row in rows})
    assert len(periods) == 8
    assert rows[0]["fiscal_period"] == periods[-1] == "2026Q1"
    for period in periods:
        items = {row["item"]: row["value"] for row in rows if row["fiscal_period"] == period}
        assert len(items) == 8
        step = 0.01 if currency == "USD" else 1
        assert abs(items["eps"] - items["net_income"] / items["shares_outstanding"]) <= step
        assert items["operating_income"] < items["revenue"]
    assert {row["unit"] for row in rows} == {currency, f"{currency}/share", "shares"}


@pytest.mark.asyncio
async def test_earnings_are_announced_after_their_quarter(invoke) -> None:
    """Announcements lie after their quarter's end, on a trading day, and the surprise follows from the figures."""
    rows = rows_of(await invoke("earnings_events", {"ticker": "US:NVDA", "limit": 8}))
    bars = rows_of(await invoke("equity_prices", {"ticker": "US:NVDA", "bars": 520}))
    days = {bar["date"] for bar in bars}
    assert [row["event_date"] for row in rows] == sorted((row["event_date"] for row in rows), reverse=True)
    for row in rows:
        year, quarter = int(row["fiscal_period"][:4]), int(row["fiscal_period"][5])
        assert date.fromisoformat(row["event_date"]) > date(year, quarter * 3, 28)
        expected = (row["eps_actual"] - row["eps_estimate"]) / abs(row["eps_estimate"]) * 100
        assert row["surprise_percent"] == pytest.approx(expected, abs=0.01)
    assert {row["event_date"] for row in rows[:4]} <= days


@pytest.mark.asyncio
async def test_a_day_ends_the_announcements(invoke) -> None:
    """Nothing after `date_to` comes back."""
    rows = rows_of(await invoke("earnings_events", {"ticker": "US:NVDA", "date_to": "2025-12-31", "limit": 20}))
    assert rows
    assert max(row["event_date"] for row in rows) <= "2025-12-31"


@pytest.mark.parametrize("tool", ["equity_financials", "earnings_events", "corporate_events"])
@pytest.mark.parametrize("ticker", ["US:ZZZZ", "KR:AAPL"])
@pytest.mark.asyncio
async def test_an_uncovered_security_is_named(invoke, tool, ticker) -> None:
    """A security that is not covered in its market is refused with those that are."""
    outcome = await invoke(tool, {"ticker": ticker})
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.field) == ("VALUE_OUT_OF_RANGE", "ticker")


@pytest.mark.asyncio
async def test_an_index_is_covered_and_has_no_financials(invoke) -> None:
    """No rows are a result whose note says why."""
    outcome = await invoke("equity_financials", {"ticker": "US:SPX"})
    assert rows_of(outcome) == []
    assert outcome.note == "US:SPX is covered and has no financials"


@pytest.mark.asyncio
async def test_corporate_events_keep_to_company_and_days(invoke) -> None:
    """Events of the company alone, newest first, none in the future."""
    rows = rows_of(await invoke("corporate_events", {"ticker": "KR:000660", "date_to": "2026-06-12"}))
    assert {row["security_id"] for row in rows} == {"KR:000660"}
    assert len(rows) == 3
    assert [row["event_date"] for row in rows] == sorted((row["event_date"] for row in rows), reverse=True)


@pytest.mark.asyncio
async def test_a_district_has_two_years_of_months(invoke) -> None:
    """24 months, the newest complete at the seed's day, the level of the newest near the present one."""
    asked = {"region_code": "11680", "property_type": "apartment", "deal_type": "sale"}
    rows = rows_of(await invoke("real_estate_trend", asked))
    assert [row["month"] for row in rows][:2] == ["2026-04-01", "2026-03-01"]
    assert len({row["month"] for row in rows}) == len(rows) == 24
    assert all(row["deal_count"] > 0 and row["mean_monthly_rent_krw"] is None for row in rows)
    assert {row["region_ko"] for row in rows} == {"강남구"}
    present = rows_of(await invoke("market_data", {**asked, "limit": 200}))
    weight = sum(row["deal_count"] for row in present)
    mean = sum(row["price_mean_krw"] * row["deal_count"] for row in present) / weight
    assert rows[0]["mean_price_krw"] == pytest.approx(mean, rel=0.05)


@pytest.mark.asyncio
async def test_a_province_is_weighted_by_deals(invoke) -> None:
    """A province's month is the mean of its districts weighted by their deals, in whole won."""
    asked = {"property_type": "villa", "deal_type": "monthly_rent", "date_from": "2026-04-01"}
    province = rows_of(await invoke("real_estate_trend", {"region_code": "36", **asked}))
    seoul = rows_of(await invoke("real_estate_trend", {"region_code": "11", **asked}))
    listed = [
        rows_of(await invoke("real_estate_trend", {"region_code": code, **asked}))[0]
        for code in ("11110", "11140", "11170", "11200", "11215", "11230", "11260", "11290", "11305", "11320", "11350")
    ]
    assert len(province) == len(seoul) == 1
    assert seoul[0]["region_ko"] == "서울특별시"
    assert seoul[0]["deal_count"] > sum(row["deal_count"] for row in listed)
    assert seoul[0]["mean_monthly_rent_krw"] > 0


@pytest.mark.asyncio
async def test_listings_keep_to_their_limits(invoke) -> None:
    """Homes of the district, kind, deal and price alone, newest first."""
    asked = {"region_code": "11", "deal_type": "jeonse", "price_max": 800_000_000, "limit": 100}
    rows = rows_of(await invoke("real_estate_search", asked))
    assert rows
    assert all(row["region_code"].startswith("11") and row["deal_type"] == "jeonse" for row in rows)
    assert max(row["price_krw"] for row in rows) <= 800_000_000
    assert [row["listed_on"] for row in rows] == sorted((row["listed_on"] for row in rows), reverse=True)


@pytest.mark.parametrize("tool", ["real_estate_trend", "real_estate_search"])
@pytest.mark.asyncio
async def test_an_uncovered_place_is_named(invoke, tool) -> None:
    """A code that is not covered is refused with what is covered near it."""
    outcome = await invoke(tool, {"region_code": "11999"})
    assert (outcome.reason, outcome.field) == ("VALUE_OUT_OF_RANGE", "region_code")
    assert "11680 Gangnam-gu" in outcome.message


@pytest.mark.asyncio
async def test_the_brief_holds_what_was_known_at_its_time(invoke) -> None:
    """The brief of the seed's day tells, at 08:30 in Seoul, values that the series had been published with by then."""
    outcome = await invoke("macro_brief", {})
    rows = rows_of(outcome)
    assert {row["brief_date"] for row in rows} == {"2026-06-12"}
    assert {row["as_of"] for row in rows} == {"2026-06-11T23:30:00Z"}
    for row in rows:
        told = rows_of(await invoke("macro_series", {"series_ids": [row["series_id"]], "limit": 3}))
        known = [one for one in told if one["as_of"] <= "2026-06-11T23:30:00Z"]
        assert (row["value"], row["previous_value"]) == (known[0]["value"], known[1]["value"])
        moved = {True: "올랐", False: "내렸"}.get(row["value"] > row["previous_value"])
        assert moved in row["text_ko"] or row["value"] == row["previous_value"]


@pytest.mark.asyncio
async def test_an_earlier_brief_can_be_asked_for(invoke) -> None:
    """The newest brief at or before a day comes back; before the first there is none, and the note says so."""
    rows = rows_of(await invoke("macro_brief", {"date_to": "2026-06-10"}))
    assert {row["brief_date"] for row in rows} == {"2026-06-10"}
    none = await invoke("macro_brief", {"date_to": "2020-01-01"})
    assert rows_of(none) == []
    assert none.note == "no brief is stored at or before that day"


@pytest.mark.asyncio
async def test_news_by_subject_words_and_day(invoke) -> None:
    """A subject narrows, words rank, days bound; all of it is marked as invented."""
    of_share = rows_of(await invoke("news_search", {"ticker": "KR:005930"}))
    assert of_share
    assert all("삼성전자" in row["title_ko"] for row in of_share)
    assert {row["score"] for row in of_share} == {None}
    found = await invoke("news_search", {"query": "미국 실업률", "limit": 3})
    assert "실업률" in rows_of(found)[0]["title_ko"]
    assert found.provenance.sample is True
    assert "지어낸" in rows_of(found)[0]["body_ko"]
    late = rows_of(await invoke("news_search", {"date_from": "2026-06-10", "limit": 20}))
    assert late
    assert min(row["published_at"] for row in late) >= "2026-06-10"
    assert rows_of(await invoke("news_search", {"query": "우주 정거장 도킹"})) == []


@pytest.mark.asyncio
async def test_the_glossary_explains(invoke) -> None:
    """A term is found by its name, in either language, and by its meaning."""
    for query in ("확정일자가 뭐야", "what is a fixed date", "LTV"):
        assert rows_of(await invoke("glossary_search", {"query": query, "domain": "realty"}))
    assert rows_of(await invoke("glossary_search", {"query": "골든크로스"}))[0]["term_id"] == "golden_cross"
    assert rows_of(await invoke("glossary_search", {"query": "골든크로스", "domain": "realty"})) == []
