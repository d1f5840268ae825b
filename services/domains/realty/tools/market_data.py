"""market_data: the present level of home prices, jeonse deposits and rents in one district or province."""

from dataclasses import replace
from typing import Annotated, Final, Self

from pydantic import Field, StringConstraints, model_validator

from services.contract.tool import ToolCost
from services.domains.homes.kinds import DEALS, PROPERTIES, DealType, PropertyType
from services.plugin.tools.reads import Exact, ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool, UnknownIdentifier
from services.plugin.wording import Text

_ROWS_MAX: Final = 200
FIGURES: Final = {
    "sale": ("price",),
    "jeonse": ("deposit",),
    "monthly_rent": ("deposit", "monthly_rent"),
}
"""The figures that each kind of deal has."""
_REGIONS_MAX: Final = 400


class MarketDataArguments(Arguments):
    """Where, what kind of home, what kind of deal."""

    region_code: Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[0-9]{2}(?:[0-9]{3})?$")] = Field(
        description="Legal-dong code of a district (5 digits, 11680 for Gangnam-gu) or of a province (2 digits)."
    )
    property_type: PropertyType | None = Field(default=None, description="Kind of home; every kind where absent.")
    deal_type: DealType | None = Field(default=None, description="Kind of deal; every kind where absent.")
    limit: int = Field(default=50, ge=1, le=_ROWS_MAX, description="Rows to return, most traded first.")


class MarketDataRow(Row):
    """Prices of one complex at one area, for one kind of deal. Figures that the deal does not have are null."""

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
    price_low_krw: int | None
    """Sale: lowest price."""
    price_mean_krw: int | None
    """Sale: mean price."""
    price_high_krw: int | None
    """Sale: highest price."""
    deposit_low_krw: int | None
    """Jeonse and monthly rent: lowest deposit."""
    deposit_mean_krw: int | None
    """Jeonse and monthly rent: mean deposit."""
    deposit_high_krw: int | None
    """Jeonse and monthly rent: highest deposit."""
    monthly_rent_low_krw: int | None
    """Monthly rent: lowest rent."""
    monthly_rent_mean_krw: int | None
    """Monthly rent: mean rent."""
    monthly_rent_high_krw: int | None
    """Monthly rent: highest rent."""
    deal_count: int
    """Deals that the figures rest on; the weight of the row in a mean."""
    as_of: UtcTime
    """The day up to which deals are counted."""

    @model_validator(mode="after")
    def _deal_has_its_figures(self) -> Self:
        for name in FIGURES[self.deal_type]:
            low, mean, high = self.three(name)
            if low is None or mean is None or high is None or not 0 <= low <= mean <= high:
                raise ValueError(f"{name}: low <= mean <= high does not hold for a {self.deal_type}")
        return self

    def three(self, name: str) -> tuple[int | None, int | None, int | None]:
        """Return the lowest, mean and highest figure of one kind: price, deposit or monthly_rent."""
        low, mean, high = (getattr(self, f"{name}_{place}_krw") for place in ("low", "mean", "high"))
        return low, mean, high

    def market(self, locale: str, *, whole_province: bool) -> str:
        """Return what a user calls the market of the row, in its district or in its province."""
        kind, deal = PROPERTIES[self.property_type].said(locale), DEALS[self.deal_type].said(locale)
        if locale == "ko":
            return f"{self.province_ko}{'' if whole_province else f' {self.region_ko}'} {kind} {deal}"
        place = self.province_en if whole_province else f"{self.region_en}, {self.province_en}"
        return f"{kind.capitalize()} {deal} in {place}"

    def subject(self, locale: str) -> str:
        """Return the district, the kind of home and the kind of deal."""
        return self.market(locale, whole_province=False)


async def _read(arguments: MarketDataArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    reading = await reads.read(
        "realty_market_prices.v1",
        MarketDataRow,
        {
            "region_code": arguments.region_code,
            "property_type": arguments.property_type or "",
            "deal_type": arguments.deal_type or "",
        },
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )
    if reading.rows:
        return reading
    regions = await reads.records("regions_list.v1", {}, rows_max=_REGIONS_MAX, timeout_seconds=timeout_seconds)
    codes = {record["region_code"] for record in regions} | {record["province_code"] for record in regions}
    if arguments.region_code not in codes:
        raise UnknownIdentifier("region_code", _covered(arguments.region_code, regions))
    return replace(reading, note=f"{arguments.region_code} is covered and has no such rows")


def _covered(region_code: str, regions: list[dict[str, str]]) -> str:
    inside = [r for r in regions if r["province_code"] == region_code[:2]]
    if inside:
        names = ", ".join(f"{r['region_code']} {r['name_en']}" for r in inside)
        return f"{region_code} is not covered; covered in {inside[0]['province_en']}: {names}"
    provinces = {r["province_code"]: r["province_en"] for r in regions}
    names = ", ".join(f"{code} {name}" for code, name in provinces.items())
    return f"{region_code} is not covered; covered provinces: {names}"


TOOL = Tool(
    name="market_data",
    description_ko="지역(시군구)의 주택 유형·거래 유형별 현재 시세(매매가, 전세 보증금, 월세)를 단지별로 돌려줍니다.",
    description_en="Returns present home prices, jeonse deposits and rents of a district, by complex and deal type.",
    arguments=MarketDataArguments,
    row=MarketDataRow,
    read=_read,
    domain="realty",
    title=Text("주택 시세", "Home prices"),
    data_type="market",
    cost=ToolCost.LOW,
    typical_seconds=1.5,
    quality_prior=0.85,
    timeout_seconds=5,
    concurrency_max=8,
    alternatives=("real_estate_trend",),
)
