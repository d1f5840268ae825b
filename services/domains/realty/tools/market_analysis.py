"""market_analysis: what the deals of a region's newest twelve months come to, beside those of the twelve before."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from pydantic import Field

from services.contract.tool import ToolCost
from services.domains.finance.tools.real_estate_trend import RegionCode
from services.domains.homes.coverage import require_region
from services.domains.homes.kinds import DealType, PropertyType
from services.plugin.reads import ReadResult, Reads, Row, UtcTime, reading_of
from services.plugin.tool import Arguments, Tool

_TEMPLATE: Final = "realty_market_windows.v1"
# Four kinds of home, three of deal, two windows.
_WINDOWS_MAX: Final = 24
_ROWS_MAX: Final = 12


class MarketAnalysisArguments(Arguments):
    """Where, what kind of home and deal."""

    region_code: RegionCode = Field(
        description="Legal-dong code of a district (5 digits, 11680 for Gangnam-gu) or of a province (2 digits)."
    )
    property_type: PropertyType | None = Field(default=None, description="Kind of home; every kind where absent.")
    deal_type: DealType | None = Field(default=None, description="Kind of deal; every kind where absent.")


class MarketAnalysisRow(Row):
    """One kind of home and deal over the newest twelve complete months. Without earlier deals the changes are null."""

    property_type: PropertyType
    """Kind of home."""
    deal_type: DealType
    """Kind of deal."""
    month_from: dt.date
    """First day of the twelve months."""
    month_to: dt.date
    """First day of the last of them."""
    deal_count: int
    """Deals of the twelve months."""
    deal_count_change_percent: float | None
    """Change against the twelve months before."""
    mean_price_krw: int
    """Mean sale price or deposit of a deal."""
    mean_price_krw_per_m2: int
    """All prices by all areas."""
    price_change_percent: float | None
    """Change of the mean for a square metre against the twelve months before."""
    price_low_krw_per_m2: int
    """Lowest price of a deal for a square metre."""
    price_high_krw_per_m2: int
    """Highest price of a deal for a square metre."""
    mean_monthly_rent_krw: int | None
    """Mean monthly rent; null for other deals."""
    jeonse_ratio_percent: float | None
    """Jeonse deposit by sale price for a square metre; null for other deals, or where no sale was asked for."""
    as_of: UtcTime
    """When the reports of the last month were complete."""


async def _read(arguments: MarketAnalysisArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    newest = await reads.records("realty_newest_month.v1", {}, rows_max=1, timeout_seconds=timeout_seconds)
    month = _date(newest[0]["month"])
    newer_from = _months_later(month, -11)
    values = {
        "region_code": arguments.region_code,
        "property_type": arguments.property_type or "",
        "deal_type": arguments.deal_type or "",
        "newer_from": newer_from,
        "older_from": _months_later(month, -23),
        "date_before": _months_later(month, 1),
    }
    found = await reads.records(_TEMPLATE, values, rows_max=_WINDOWS_MAX, timeout_seconds=timeout_seconds)
    records = list(_analysed(found, newer_from, month))
    reading = reading_of(reads.origin(_TEMPLATE), MarketAnalysisRow, values, records, rows_max=_ROWS_MAX)
    if reading.rows:
        return reading
    await require_region(reads, arguments.region_code, timeout_seconds)
    return replace(reading, note=f"{arguments.region_code} is covered and has no such deals")


def _analysed(
    found: Iterable[Mapping[str, Any]], month_from: dt.date, month_to: dt.date
) -> Iterable[Mapping[str, Any]]:
    """Yield one record for each kind of home and deal that has deals in the newer window."""
    windows = {(row["property_type"], row["deal_type"], int(row["older"])): row for row in found}
    for (property_type, deal_type, older), row in windows.items():
        if older:
            continue
        before = windows.get((property_type, deal_type, 1))
        sales = windows.get((property_type, "sale", 0))
        count, rent = int(row["deal_count"]), row["monthly_rent_krw"]
        yield {
            **row,
            "month_from": month_from,
            "month_to": month_to,
            "deal_count_change_percent": before and _change(count, int(before["deal_count"])),
            "mean_price_krw": round(int(row["price_krw"]) / count),
            "mean_price_krw_per_m2": round(_per_m2(row)),
            "price_change_percent": before and _change(_per_m2(row), _per_m2(before)),
            "price_low_krw_per_m2": round(row["price_low_krw_per_m2"]),
            "price_high_krw_per_m2": round(row["price_high_krw_per_m2"]),
            "mean_monthly_rent_krw": None if rent is None else round(int(rent) / count),
            "jeonse_ratio_percent": round(100 * _per_m2(row) / _per_m2(sales), 1)
            if deal_type == "jeonse" and sales
            else None,
        }


def _per_m2(row: Mapping[str, Any]) -> float:
    return float(row["price_krw"]) / float(row["area_m2"])


def _change(now: float, before: float) -> float:
    return round(100 * (now - before) / before, 1)


def _date(value: Any) -> dt.date:
    """Return a day as it comes from each database; the day of no data at all where there is none."""
    if value is None:
        return dt.date(1900, 1, 1)
    return dt.date.fromisoformat(value) if isinstance(value, str) else value


def _months_later(month: dt.date, months: int) -> dt.date:
    year, index = divmod(month.year * 12 + month.month - 1 + months, 12)
    return dt.date(year, index + 1, 1)


TOOL = Tool(
    name="market_analysis",
    description_ko="지역 주택 시장을 실거래로 분석합니다(최근 12개월과 그 전 12개월의 거래량·가격, 전세가율).",
    description_en="Analyses a region's homes by their deals: volume and prices of twelve months against the twelve "
    "before, their range, and the ratio of jeonse to sale.",
    arguments=MarketAnalysisArguments,
    row=MarketAnalysisRow,
    read=_read,
    domain="realty",
    data_type="market",
    cost=ToolCost.HIGH,
    typical_seconds=4.0,
    quality_prior=0.8,
    timeout_seconds=5,
    concurrency_max=8,
    depends_on=("market_data",),
    alternatives=("real_estate_trend",),
)
