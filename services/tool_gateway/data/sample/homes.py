"""Monthly sums of the generated home deals, and homes on offer, which are told from the present level of prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from services.tool_gateway.data.finance_schema import REALTY_MONTHLY_SUMMARY, REALTY_TRANSACTIONS
from services.tool_gateway.data.sample.block import Block, Row, generated, naive_utc, utc
from services.tool_gateway.data.sample.randomness import stream
from services.tool_gateway.data.schema import REALTY_MARKET_PRICES
from services.tool_gateway.data.search_schema import REALTY_LISTINGS

_LISTINGS_PER_REGION = 12


def monthly_block(deals: Block) -> Block:
    """Return the monthly sums of the deals: each row is what the deals of its month come to."""
    groups: dict[tuple[str, str, str, date], list[Row]] = {}
    for row in deals.rows[REALTY_TRANSACTIONS]:
        key = (row["region_code"], row["property_type"], row["deal_type"], row["contract_date"].replace(day=1))
        groups.setdefault(key, []).append(row)
    dataset = generated(
        "sample_realty_monthly",
        "지역별 월간 실거래 집계(예시 데이터)",
        "Monthly home deals by district (sample)",
        deals.dataset.as_of,
    )
    return Block(dataset, {REALTY_MONTHLY_SUMMARY: [_summary(*key, rows) for key, rows in sorted(groups.items())]})


def listings_block(realty: Block, as_of: datetime) -> Block:
    """Return homes on offer in every district, priced around the level of their complex."""
    by_region: dict[str, list[Row]] = {}
    for row in realty.rows[REALTY_MARKET_PRICES]:
        by_region.setdefault(row["region_code"], []).append(row)
    rows = [row for code, prices in by_region.items() for row in _listings(code, prices, utc(as_of).date())]
    dataset = generated(
        "sample_realty_listings", "지역별 매물(예시 데이터)", "Homes on offer by district (sample)", as_of
    )
    return Block(dataset, {REALTY_LISTINGS: [{**row, "as_of": naive_utc(as_of)} for row in rows]})


def _summary(region_code: str, property_type: str, deal_type: str, month: date, deals: Sequence[Row]) -> Row:
    price_krw = sum(deal["price_krw"] for deal in deals)
    rents = [deal["monthly_rent_krw"] for deal in deals if deal["monthly_rent_krw"] is not None]
    return {
        "region_code": region_code,
        "property_type": property_type,
        "deal_type": deal_type,
        "month": month,
        "deal_count": len(deals),
        "mean_price_krw": _mean(price_krw, len(deals), 10_000),
        "mean_price_krw_per_m2": round(price_krw / sum(deal["area_m2"] for deal in deals) / 1_000) * 1_000,
        "mean_monthly_rent_krw": _mean(sum(rents), len(rents), 1_000) if rents else None,
        "as_of": deals[0]["as_of"],
    }


def _mean(total: int, count: int, step: int) -> int:
    """Return the mean rounded half up to steps, as published sums are."""
    return (2 * total + step * count) // (2 * step * count) * step


def _listings(region_code: str, prices: Sequence[Row], today: date) -> Iterator[Row]:
    random = stream(f"realty_listings/{region_code}")
    for number, index in enumerate(random.permutation(len(prices))[:_LISTINGS_PER_REGION], start=1):
        row: Mapping[str, object] = prices[int(index)]
        figure = "price_mean_krw" if row["deal_type"] == "sale" else "deposit_mean_krw"
        yield {
            "listing_id": f"HL-{region_code}-{number:03d}",
            **{name: row[name] for name in ("region_code", "dong", "complex_name", "property_type", "deal_type")},
            "area_m2": row["area_m2"],
            "floor": int(random.integers(1, 3 if row["property_type"] == "house" else 20)),
            "room_count": _rooms(float(str(row["area_m2"]))),
            "price_krw": _asked(row[figure], 1_000_000, float(random.normal(1.02, 0.04))),
            "monthly_rent_krw": _rent(row, float(random.normal(1.02, 0.04))),
            "listed_on": today - timedelta(days=int(random.integers(0, 45))),
        }


def _rooms(area_m2: float) -> int:
    return 1 if area_m2 < 35 else 2 if area_m2 < 60 else 3 if area_m2 < 100 else 4


def _asked(mean_krw: object, step_krw: int, factor: float) -> int:
    return max(step_krw, round(float(str(mean_krw)) * factor / step_krw) * step_krw)


def _rent(row: Mapping[str, object], factor: float) -> int | None:
    return None if row["deal_type"] != "monthly_rent" else _asked(row["monthly_rent_mean_krw"], 10_000, factor)
