"""The four tools over the seeded data: the right rows, from the right table, with where they come from."""

import json
import unicodedata
from datetime import UTC, datetime

import pytest

from services.contract.tool import ToolFailure, ToolResult
from tests.unit.tool_gateway.seeded_data import AS_OF, Invoke, rows_of


@pytest.mark.asyncio
async def test_macro_series_returns_the_newest_of_each(invoke: Invoke) -> None:
    """Each series gives its newest observations first, with unit, release and provenance of a sample."""
    outcome = await invoke("macro_series", {"series_ids": ["UNRATE", "KR_BASE_RATE"], "limit": 3})
    rows = rows_of(outcome)
    assert [row["date"] for row in rows if row["series_id"] == "UNRATE"] == ["2026-05-01", "2026-04-01", "2026-03-01"]
    assert {row["unit"] for row in rows} == {"%"}
    newest = rows[0]
    assert newest["as_of"] <= "2026-06-12T09:00:00Z" <= f"{newest['next_release_date']}T23:59:59Z"
    assert isinstance(outcome, ToolResult)
    provenance = outcome.provenance
    assert (provenance.dataset, provenance.table, provenance.sample) == ("sample_macro", "macro_observations", True)
    assert provenance.as_of_time == datetime(2026, 6, 5, 13, 30, tzinfo=UTC)
    assert json.loads(provenance.filters_json)["series_ids"] == ["UNRATE", "KR_BASE_RATE"]
    assert outcome.rows_schema_id == "hapju.tool.macro_series.rows.v1"
    assert outcome.note == ""


@pytest.mark.asyncio
async def test_published_series_are_no_sample(invoke: Invoke) -> None:
    """A published series names its source and its own date; read beside a sample, the result counts as sample."""
    published = await invoke("macro_series", {"series_ids": ["US_UNEMP_Q"], "limit": 1})
    assert isinstance(published, ToolResult)
    assert published.provenance.sample is False
    assert published.provenance.as_of_time == datetime(2009, 9, 30, 21, 0, tzinfo=UTC)
    assert "FRED" in published.provenance.source
    mixed = await invoke("macro_series", {"series_ids": ["US_UNEMP_Q", "UNRATE"], "limit": 1})
    assert isinstance(mixed, ToolResult)
    assert mixed.provenance.sample is True
    assert mixed.provenance.dataset == "sample_macro, statsmodels_macrodata"


@pytest.mark.asyncio
async def test_macro_dates_are_inclusive(invoke: Invoke) -> None:
    """Both ends of a date range belong to it."""
    arguments = {"series_ids": ["KR_CPI"], "date_from": "2026-01-01", "date_to": "2026-03-01"}
    rows = rows_of(await invoke("macro_series", arguments))
    assert [row["date"] for row in rows] == ["2026-03-01", "2026-02-01", "2026-01-01"]


@pytest.mark.asyncio
async def test_no_rows_differ_from_an_unknown_id(invoke: Invoke) -> None:
    """Dates without rows give an empty result and its reason; an unknown series is named with those covered."""
    empty = await invoke("macro_series", {"series_ids": ["UNRATE"], "date_to": "1990-01-01"})
    assert rows_of(empty) == []
    assert isinstance(empty, ToolResult)
    assert empty.note == "no observation of UNRATE lies between the dates"
    partly = await invoke("macro_series", {"series_ids": ["UNRATE", "NO_SUCH"], "limit": 1})
    assert len(rows_of(partly)) == 1
    assert isinstance(partly, ToolResult)
    assert partly.note.startswith("NO_SUCH not covered; covered: ")
    unknown = await invoke("macro_series", {"series_ids": ["NO_SUCH"]})
    assert isinstance(unknown, ToolFailure)
    assert (unknown.reason, unknown.field, unknown.retryable) == ("VALUE_OUT_OF_RANGE", "series_ids", False)
    assert "KR_BASE_RATE" in unknown.message


@pytest.mark.parametrize(
    ("ticker", "table", "currency", "last"),
    [
        ("us:aapl", "us_equity_prices", "USD", "2026-06-11"),
        ("KR:005930", "kr_equity_prices", "KRW", "2026-06-12"),
    ],
)
@pytest.mark.asyncio
async def test_the_market_decides_the_table(invoke: Invoke, ticker, table, currency, last) -> None:
    """A security is read from its own market's table only, whatever the case of its id."""
    outcome = await invoke("equity_prices", {"ticker": ticker, "bars": 120})
    rows = rows_of(outcome)
    assert isinstance(outcome, ToolResult)
    assert outcome.provenance.table == table
    assert len(rows) == 120
    assert rows[0]["date"] == last
    assert [row["date"] for row in rows] == sorted((row["date"] for row in rows), reverse=True)
    assert {(row["security_id"], row["currency"]) for row in rows} == {(ticker.upper(), currency)}


@pytest.mark.parametrize("ticker", ["US:005930", "KR:AAPL", "US:ZZZZ"])
@pytest.mark.asyncio
async def test_a_ticker_of_the_other_market_is_unknown(invoke: Invoke, ticker) -> None:
    """A ticker is never looked for in the other market; the failure names what its market covers."""
    outcome = await invoke("equity_prices", {"ticker": ticker})
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.field) == ("VALUE_OUT_OF_RANGE", "ticker")
    assert ("US:AAPL" in outcome.message) == ticker.startswith("US:")


@pytest.mark.asyncio
async def test_market_data_keeps_to_district_and_kind(invoke: Invoke) -> None:
    """Only the district's rows of the asked kinds come back; figures that the deal does not have are null."""
    arguments = {"region_code": "11680", "property_type": "apartment", "deal_type": "jeonse", "limit": 200}
    rows = rows_of(await invoke("market_data", arguments))
    assert len(rows) == 15
    assert {(row["region_ko"], row["property_type"], row["deal_type"]) for row in rows} == {
        ("강남구", "apartment", "jeonse")
    }
    for row in rows:
        assert row["price_mean_krw"] is None
        assert row["monthly_rent_mean_krw"] is None
        assert row["deposit_low_krw"] <= row["deposit_mean_krw"] <= row["deposit_high_krw"]
    assert [row["deal_count"] for row in rows] == sorted((row["deal_count"] for row in rows), reverse=True)


@pytest.mark.asyncio
async def test_a_province_holds_its_districts(invoke: Invoke) -> None:
    """Two digits mean every district of the province; more rows than the limit are said to exist."""
    outcome = await invoke("market_data", {"region_code": "11", "deal_type": "sale", "limit": 200})
    rows = rows_of(outcome)
    assert isinstance(outcome, ToolResult)
    assert {row["region_code"][:2] for row in rows} == {"11"}
    assert (len(rows), outcome.truncated) == (200, True)
    assert outcome.note == "more rows matched; the first 200 are returned"


@pytest.mark.parametrize(("code", "named"), [("11999", "11680 Gangnam-gu"), ("99", "11 Seoul"), ("99123", "11 Seoul")])
@pytest.mark.asyncio
async def test_an_uncovered_region_names_the_covered_ones(invoke: Invoke, code, named) -> None:
    """An unknown district of a known province lists its districts, else the provinces are listed."""
    outcome = await invoke("market_data", {"region_code": code})
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.field) == ("VALUE_OUT_OF_RANGE", "region_code")
    assert named in outcome.message


@pytest.mark.parametrize(
    ("query", "category", "property_"),
    [
        ("무선 이어폰", "earphones", ("connection", "wireless")),
        (unicodedata.normalize("NFD", "무선 이어폰"), "earphones", ("connection", "wireless")),
        ("무선이어폰을 추천해줘", "earphones", ("connection", "wireless")),
        ("20만원 이하 무선 이어폰 추천해줘", "earphones", ("connection", "wireless")),
        ("wireless earbuds", "earphones", ("connection", "wireless")),
        ("Wireless Earphone", "earphones", ("connection", "wireless")),
        ("로봇 청소기", "vacuum", ("kind", "robot")),
        ("기계식 키보드", "keyboard", ("switch", "mechanical")),
        ("무기질 보충제", "supplement", ("ingredient", "minerals")),
        ("높이조절 책상", "desk", ("height", "adjustable")),
    ],
)
@pytest.mark.asyncio
async def test_products_are_found_by_their_words(invoke: Invoke, query, category, property_) -> None:
    """Every product that comes back bears all the words of the question, in either language and either spelling."""
    rows = rows_of(await invoke("product_search", {"query": query, "limit": 100}))
    assert len(rows) >= 5
    assert {row["category"] for row in rows} == {category}
    assert {row["attributes"][property_[0]] for row in rows} == {property_[1]}


@pytest.mark.asyncio
async def test_products_keep_to_price_and_brand(invoke: Invoke) -> None:
    """Price bounds are inclusive, a brand matches in either language and case, sold-out ones come last."""
    every = rows_of(await invoke("product_search", {"query": "이어폰", "limit": 100}))
    price = sorted(row["price_krw"] for row in every)[10]
    arguments = {"query": "이어폰", "price_min": price, "price_max": price, "limit": 100}
    assert {row["price_krw"] for row in rows_of(await invoke("product_search", arguments))} == {price}
    for brand in ("소리담", "soridam", "SORIDAM"):
        rows = rows_of(await invoke("product_search", {"query": "", "brand": brand, "limit": 100}))
        assert {row["brand_en"] for row in rows} == {"Soridam"}
    in_stock = [row["stock"] > 0 for row in every]
    assert in_stock == sorted(in_stock, reverse=True)


@pytest.mark.asyncio
async def test_unknown_words_are_said_to_be_unknown(invoke: Invoke) -> None:
    """Words that no product bears are left out and named; with no known word, nothing is returned."""
    partly = await invoke("product_search", {"query": "양자얽힘 이어폰"})
    assert isinstance(partly, ToolResult)
    assert {row["category"] for row in rows_of(partly)} == {"earphones"}
    assert "left out: 양자얽힘" in partly.note
    none = await invoke("product_search", {"query": "양자얽힘 qwertyz"})
    assert isinstance(none, ToolResult)
    assert rows_of(none) == []
    assert none.note == "no product bears any of these words: 양자얽힘, qwertyz"
    never = await invoke("product_search", {"query": "기계식 이어폰"})
    assert isinstance(never, ToolResult)
    assert rows_of(never) == []
    assert "never together" in never.note


@pytest.mark.asyncio
async def test_what_products_say_is_as_of_the_seed(invoke: Invoke) -> None:
    """Offers carry the hour of the seed."""
    outcome = await invoke("product_search", {"query": "", "category": "chair"})
    assert isinstance(outcome, ToolResult)
    assert outcome.provenance.as_of_time == AS_OF
