"""Generated monthly home sales by district, and homes on offer, both told from the present level of prices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np

from services.tool_gateway.data.finance_schema import REALTY_MONTHLY_SUMMARY
from services.tool_gateway.data.sample.block import Block, Row, generated, naive_utc, utc
from services.tool_gateway.data.sample.randomness import stream
from services.tool_gateway.data.schema import REALTY_MARKET_PRICES
from services.tool_gateway.data.search_schema import REALTY_LISTINGS

_MONTHS = 24
# A month's deals are complete when the time to report them (30 days) has passed.
_REPORT_DAYS = 30
_LISTINGS_PER_REGION = 12
# Deals a month in a district of middling size.
_DEALS = {"apartment": 140, "officetel": 35, "villa": 60, "house": 12}
_DEAL_SHARE = {"sale": 0.8, "jeonse": 1.0, "monthly_rent": 0.9}


@dataclass(frozen=True)
class _Market:
    """The present level of one kind of home and deal in one district."""

    region_code: str
    property_type: str
    deal_type: str
    price_krw: float
    price_krw_per_m2: float
    monthly_rent_krw: float | None


def monthly_block(realty: Block, as_of: datetime) -> Block:
    """Return the monthly sums of the months that were complete at `as_of`, for every district that has prices."""
    months = _months(utc(as_of).date())
    rows = [row for market in _markets(realty.rows[REALTY_MARKET_PRICES]) for row in _summary(market, months)]
    dataset = generated(
        "sample_realty_monthly",
        "지역별 월간 실거래 집계(예시 데이터)",
        "Monthly home deals by district (sample)",
        as_of,
    )
    return Block(dataset, {REALTY_MONTHLY_SUMMARY: rows})


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


def _months(today: date) -> list[date]:
    """Return the first days of the newest complete months, oldest first."""
    found: list[date] = []
    first = today.replace(day=1)
    while len(found) < _MONTHS:
        end, first = first, (first - timedelta(days=1)).replace(day=1)
        if end + timedelta(days=_REPORT_DAYS) <= today:
            found.append(first)
    return found[::-1]


def _markets(prices: Sequence[Row]) -> Iterator[_Market]:
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in prices:
        groups.setdefault((row["region_code"], row["property_type"], row["deal_type"]), []).append(row)
    for key, rows in groups.items():
        figure = "price_mean_krw" if key[2] == "sale" else "deposit_mean_krw"
        yield _Market(
            *key,
            price_krw=_mean(rows, figure),
            price_krw_per_m2=_mean(rows, figure) / _mean(rows, "area_m2"),
            monthly_rent_krw=_mean(rows, "monthly_rent_mean_krw") if key[2] == "monthly_rent" else None,
        )


def _mean(rows: Sequence[Row], column: str) -> float:
    return float(np.average([row[column] for row in rows], weights=[row["deal_count"] for row in rows]))


def _summary(market: _Market, months: Sequence[date]) -> Iterator[Row]:
    name = f"{market.region_code}/{market.property_type}/{market.deal_type}"
    random = stream(f"realty_monthly/{name}")
    yearly = float(stream(f"realty_growth/{market.region_code}").normal(0.025, 0.03))
    path = np.exp(random.normal(0, 0.006, len(months)))
    seasons = np.exp(random.normal(0, 0.18, len(months)))
    usual = _DEALS[market.property_type] * _DEAL_SHARE[market.deal_type] * float(np.exp(random.normal(0, 0.25)))
    for index, month in enumerate(months):
        level = (1 + yearly) ** ((index - len(months) + 1) / 12) * float(path[index])
        rent = market.monthly_rent_krw
        yield {
            "region_code": market.region_code,
            "property_type": market.property_type,
            "deal_type": market.deal_type,
            "month": month,
            "deal_count": max(1, round(usual * float(seasons[index]))),
            "mean_price_krw": round(market.price_krw * level / 10_000) * 10_000,
            "mean_price_krw_per_m2": round(market.price_krw_per_m2 * level / 1_000) * 1_000,
            "mean_monthly_rent_krw": None if rent is None else round(rent * level / 1_000) * 1_000,
            "as_of": _reported(month),
        }


def _reported(month: date) -> datetime:
    end = (month + timedelta(days=31)).replace(day=1)
    return datetime(end.year, end.month, end.day) + timedelta(days=_REPORT_DAYS)  # noqa: DTZ001 - stored as UTC


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
