"""real_estate_search: homes on offer in a district or province, newest first."""

import datetime as dt
from dataclasses import replace
from typing import Final

from pydantic import Field, model_validator

from services.contract.tool import ToolCost
from services.domains.finance.tools.real_estate_trend import RegionCode
from services.domains.homes.coverage import require_region
from services.domains.homes.kinds import DealType, PropertyType
from services.plugin.tools.reads import Exact, ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text
from services.text.ko.written import number

_PRICE_MAX_KRW: Final = 1_000_000_000_000
_ROWS_MAX: Final = 100


class RealEstateSearchArguments(Arguments):
    """Where, what kind of home and deal, at what price."""

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
    limit: int = Field(default=20, ge=1, le=_ROWS_MAX, description="Homes to return, newest first.")

    @model_validator(mode="after")
    def _narrows(self) -> "RealEstateSearchArguments":
        if self.price_min is not None and self.price_max is not None and self.price_min > self.price_max:
            raise ValueError("price_min lies above price_max")
        return self


class RealEstateSearchRow(Row):
    """One home on offer."""

    listing_id: str
    """Id of the offer."""
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
    dong: str
    """Legal dong."""
    complex_name: str
    """Name of the complex or building."""
    property_type: PropertyType
    """Kind of home."""
    deal_type: DealType
    """Kind of deal."""
    area_m2: Exact
    """Exclusive area in square metres."""
    floor: int
    """Floor."""
    room_count: int
    """Rooms."""
    price_krw: int
    """Sale price, or deposit of jeonse and monthly rent."""
    monthly_rent_krw: int | None
    """Monthly rent; null for other deals."""
    listed_on: dt.date
    """Day on which it was listed."""
    as_of: UtcTime
    """When the offer was last seen."""

    def subject(self, locale: str) -> str:
        """Return the district and the complex with the area, so that two homes of one complex differ."""
        region = self.region_ko if locale == "ko" else self.region_en
        return f"{region} {self.complex_name} {number(self.area_m2)}㎡"

    @property
    def price_name(self) -> str:
        """What `price_krw` is: price_asked or deposit_asked."""
        return "price_asked" if self.deal_type == "sale" else "deposit_asked"


async def _read(arguments: RealEstateSearchArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    reading = await reads.read(
        "realty_listings.v1",
        RealEstateSearchRow,
        {
            "region_code": arguments.region_code,
            "property_type": arguments.property_type or "",
            "deal_type": arguments.deal_type or "",
            "price_min_krw": 0 if arguments.price_min is None else arguments.price_min,
            "price_max_krw": _PRICE_MAX_KRW if arguments.price_max is None else arguments.price_max,
        },
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )
    if reading.rows:
        return reading
    await require_region(reads, arguments.region_code, timeout_seconds)
    return replace(reading, note=f"{arguments.region_code} is covered and has no such homes on offer")


TITLE: Final = Text("매물", "Homes on offer")
"""What a user calls its rows."""
TOOL = Tool(
    name="real_estate_search",
    description_ko="지역(시군구, 시도)에 나온 매물을 주택 유형, 거래 유형, 가격으로 찾아 최근 등록순으로 돌려줍니다.",
    description_en="Finds homes on offer in a district or province by kind, deal and price, newest first.",
    arguments=RealEstateSearchArguments,
    title=TITLE,
    row=RealEstateSearchRow,
    read=_read,
    domain="realty",
    data_type="listing",
    cost=ToolCost.MEDIUM,
    typical_seconds=3.0,
    quality_prior=0.8,
    timeout_seconds=5,
    concurrency_max=8,
)
