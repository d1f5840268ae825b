"""real_estate_transactions: the deals of homes in a district or province one by one, newest first."""

import datetime as dt
from dataclasses import replace
from typing import Final

from pydantic import Field, model_validator

from services.contract.tool import ToolCost
from services.domains.finance.tools.real_estate_trend import RegionCode
from services.domains.homes.coverage import require_region
from services.domains.homes.kinds import DealType, PropertyType
from services.plugin.reads import ReadResult, Reads, Row, UtcTime
from services.plugin.tool import Arguments, Tool

_PRICE_MAX_KRW: Final = 1_000_000_000_000
_ROWS_MAX: Final = 200


class RealEstateTransactionsArguments(Arguments):
    """Where, what kind of home and deal, at what price, which days."""

    region_code: RegionCode = Field(
        description="Legal-dong code of a district (5 digits, 11680 for Gangnam-gu) or of a province (2 digits)."
    )
    property_type: PropertyType | None = Field(default=None, description="Kind of home; every kind where absent.")
    deal_type: DealType | None = Field(default=None, description="Kind of deal; every kind where absent.")
    price_min: int | None = Field(
        default=None, ge=0, le=_PRICE_MAX_KRW, description="Lowest sale price or deposit in KRW, inclusive."
    )
    price_max: int | None = Field(
        default=None, ge=0, le=_PRICE_MAX_KRW, description="Highest sale price or deposit in KRW, inclusive."
    )
    date_from: dt.date | None = Field(default=None, description="First day of contract, inclusive.")
    date_to: dt.date | None = Field(default=None, description="Last day of contract, inclusive.")
    limit: int = Field(default=50, ge=1, le=_ROWS_MAX, description="Deals to return, newest first.")

    @model_validator(mode="after")
    def _narrows(self) -> "RealEstateTransactionsArguments":
        if self.price_min is not None and self.price_max is not None and self.price_min > self.price_max:
            raise ValueError("price_min lies above price_max")
        if self.date_from and self.date_to and self.date_from > self.date_to:
            raise ValueError("date_from lies after date_to")
        return self


class RealEstateTransactionsRow(Row):
    """One deal."""

    region_code: str
    """Code of the district; never shown to a user."""
    province_ko: str
    """Province for Korean readers."""
    province_en: str
    """Province for English readers."""
    region_ko: str
    """District for Korean readers."""
    region_en: str
    """District for English readers."""
    contract_date: dt.date
    """Day of the contract."""
    dong: str
    """Legal dong."""
    complex_name: str
    """Name of the complex or building."""
    property_type: PropertyType
    """Kind of home."""
    deal_type: DealType
    """Kind of deal."""
    area_m2: float
    """Exclusive area in square metres."""
    floor: int
    """Floor."""
    price_krw: int
    """Sale price, or deposit of jeonse and monthly rent."""
    monthly_rent_krw: int | None
    """Monthly rent; null for other deals."""
    as_of: UtcTime
    """When the reports of the deal's month were complete."""


async def _read(arguments: RealEstateTransactionsArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    reading = await reads.read(
        "realty_transactions.v1",
        RealEstateTransactionsRow,
        {
            "region_code": arguments.region_code,
            "property_type": arguments.property_type or "",
            "deal_type": arguments.deal_type or "",
            "price_min_krw": arguments.price_min or 0,
            "price_max_krw": _PRICE_MAX_KRW if arguments.price_max is None else arguments.price_max,
            "date_from": arguments.date_from or dt.date.min,
            "date_to": arguments.date_to or dt.date.max,
        },
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )
    if reading.rows:
        return reading
    await require_region(reads, arguments.region_code, timeout_seconds)
    return replace(reading, note=f"{arguments.region_code} is covered and has no such deals")


TOOL = Tool(
    name="real_estate_transactions",
    description_ko="지역(시군구, 시도)의 주택 실거래를 한 건씩, 유형·가격·계약일로 좁혀 최근 순으로 돌려줍니다.",
    description_en="Returns the home deals of a district or province one by one, by kind, price and day, newest first.",
    arguments=RealEstateTransactionsArguments,
    row=RealEstateTransactionsRow,
    read=_read,
    domain="finance",
    data_type="transaction",
    cost=ToolCost.LOW,
    typical_seconds=1.0,
    quality_prior=0.85,
    timeout_seconds=5,
    concurrency_max=8,
    alternatives=("real_estate_trend",),
)
