"""Homes on offer, which are told from the present level of prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from services.domains.homes.data.tables import REALTY_MARKET_PRICES
from services.domains.realty.data.tables import REALTY_LISTINGS
from services.plugin.data.sample import Block, Row, generated, naive_utc, stream, utc

_LISTINGS_PER_REGION = 12


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
