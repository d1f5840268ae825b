"""real_estate_trend: monthly home deals of a district or province, newest month first."""

import datetime as dt
from dataclasses import replace
from typing import Annotated, Final

from pydantic import Field, StringConstraints, model_validator

from services.contract.tool import ToolCost
from services.domains.homes.coverage import require_region
from services.domains.homes.kinds import DEALS, PROPERTIES, DealType, PropertyType
from services.plugin.tools.reads import ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_ROWS_MAX: Final = 300

RegionCode = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[0-9]{2}(?:[0-9]{3})?$")]
"""Legal-dong code of a district (5 digits) or of a province (2 digits)."""


class RealEstateTrendArguments(Arguments):
    """Where, what kind of home and deal, which months."""

    region_code: RegionCode = Field(
        description="Legal-dong code of a district (5 digits, 11680 for Gangnam-gu) or of a province (2 digits)."
    )
    property_type: PropertyType | None = Field(default=None, description="Kind of home; every kind where absent.")
    deal_type: DealType | None = Field(default=None, description="Kind of deal; every kind where absent.")
    date_from: dt.date | None = Field(default=None, description="First month, by its first day, inclusive.")
    date_to: dt.date | None = Field(default=None, description="Last month, by its first day, inclusive.")

    @model_validator(mode="after")
    def _dates_in_order(self) -> "RealEstateTrendArguments":
        if self.date_from and self.date_to and self.date_from > self.date_to:
            raise ValueError("date_from lies after date_to")
        return self


class RealEstateTrendRow(Row):
    """One month of one kind of home and deal."""

    region_code: str
    """Code that was asked for; never shown to a user."""
    province_ko: str
    """Province for Korean readers."""
    province_en: str
    """Province for English readers."""
    region_ko: str
    """District, or the province that was asked for."""
    region_en: str
    """The same for English readers."""
    property_type: PropertyType
    """Kind of home."""
    deal_type: DealType
    """Kind of deal."""
    month: dt.date
    """First day of the month."""
    deal_count: int
    """Deals of the month; the weight of its mean."""
    mean_price_krw: int
    """Mean sale price, or mean deposit of jeonse and monthly rent; a province's is weighted by deals."""
    mean_price_krw_per_m2: int
    """The same for a square metre."""
    mean_monthly_rent_krw: int | None
    """Mean monthly rent; null for other deals."""
    as_of: UtcTime
    """When the month's reports were complete."""

    def place(self, locale: str) -> str:
        """Return the label of the region: the district in its province, or the province alone."""
        province, region = (self.province_ko, self.region_ko) if locale == "ko" else (self.province_en, self.region_en)
        if province == region:
            return province
        return f"{province} {region}" if locale == "ko" else f"{region}, {province}"

    def market(self, kind: Text, locale: str) -> str:
        """Return what a user calls a market: "서울특별시 마포구 아파트 매매", "Apartment sale in Mapo-gu, Seoul"."""
        deal = DEALS[self.deal_type].said(locale)
        if locale == "ko":
            return f"{self.place(locale)} {kind.ko} {deal}"
        return f"{kind.en.capitalize()} {deal} in {self.place(locale)}"

    def subject(self, locale: str) -> str:
        """Return the region, the kind of home and the kind of deal."""
        return self.market(PROPERTIES[self.property_type], locale)


async def _read(arguments: RealEstateTrendArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    reading = await reads.read(
        "realty_trend.v1",
        RealEstateTrendRow,
        {
            "region_code": arguments.region_code,
            "property_type": arguments.property_type or "",
            "deal_type": arguments.deal_type or "",
            "date_from": arguments.date_from or dt.date.min,
            "date_to": arguments.date_to or dt.date.max,
        },
        rows_max=_ROWS_MAX,
        timeout_seconds=timeout_seconds,
    )
    if reading.rows:
        return reading
    await require_region(reads, arguments.region_code, timeout_seconds)
    return replace(reading, note=f"{arguments.region_code} is covered and has no such months")


TOOL = Tool(
    name="real_estate_trend",
    description_ko="지역(시군구, 시도)의 주택·거래 유형별 월간 실거래 건수와 평균 가격을 최근 순으로 돌려줍니다.",
    description_en="Returns monthly home deals of a district or province: count and mean price, newest month first.",
    arguments=RealEstateTrendArguments,
    row=RealEstateTrendRow,
    read=_read,
    domain="finance",
    title=Text("월별 실거래", "Home deals by month"),
    data_type="trend",
    cost=ToolCost.LOW,
    typical_seconds=1.0,
    quality_prior=0.85,
    timeout_seconds=5,
    concurrency_max=8,
    alternatives=("market_data",),
)
