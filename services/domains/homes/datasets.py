"""Data sets of homes: what they cost now, month by month, and deal by deal."""

from collections.abc import Mapping
from typing import Final

from services.plugin.data.dataset import DataSet, Dimension, Measure
from services.plugin.wording import Text

_REGION: Final = "JOIN regions AS r ON r.region_code = p.region_code JOIN datasets AS d ON d.dataset_id = p.dataset_id"
_PLACES: Final[Mapping[str, Dimension]] = {
    "region_code": Dimension("p.region_code"),
    "region_ko": Dimension("r.name_ko"),
    "region_en": Dimension("r.name_en"),
    "province_code": Dimension("r.province_code"),
    "province_ko": Dimension("r.province_ko"),
    "province_en": Dimension("r.province_en"),
    "property_type": Dimension("p.property_type"),
    "deal_type": Dimension("p.deal_type"),
}
_COMPLEXES: Final[Mapping[str, Dimension]] = {
    **_PLACES,
    "dong": Dimension("p.dong"),
    "complex_name": Dimension("p.complex_name"),
    "area_m2": Dimension("p.area_m2", "number"),
}
_SALE, _JEONSE, _RENT = "p.deal_type = 'sale'", "p.deal_type = 'jeonse'", "p.deal_type = 'monthly_rent'"


def _mean(sql: str, where: str, unit: str = "krw") -> Measure:
    return Measure("weighted_mean", sql, "p.deal_count", f"{where} AND {sql} IS NOT NULL", unit)


HOME_PRICES: Final = DataSet(
    id="home_prices",
    title=Text("주택 시세", "home prices"),
    data_type="market",
    table="realty_market_prices",
    source=f"realty_market_prices AS p {_REGION}",
    as_of="p.as_of",
    rows_of="p.deal_count",
    dimensions=_COMPLEXES,
    measures={
        "sale_price": _mean("p.price_mean_krw", _SALE),
        "jeonse_deposit": _mean("p.deposit_mean_krw", _JEONSE),
        "rent_deposit": _mean("p.deposit_mean_krw", _RENT),
        "monthly_rent": _mean("p.monthly_rent_mean_krw", _RENT),
        "sale_price_per_m2": _mean("p.price_mean_krw / p.area_m2", _SALE),
        "jeonse_deposit_per_m2": _mean("p.deposit_mean_krw / p.area_m2", _JEONSE),
        "sale_low": Measure("min", "p.price_low_krw", where=_SALE, unit="krw"),
        "sale_high": Measure("max", "p.price_high_krw", where=_SALE, unit="krw"),
        "jeonse_low": Measure("min", "p.deposit_low_krw", where=_JEONSE, unit="krw"),
        "jeonse_high": Measure("max", "p.deposit_high_krw", where=_JEONSE, unit="krw"),
        "rent_low": Measure("min", "p.monthly_rent_low_krw", where=_RENT, unit="krw"),
        "rent_high": Measure("max", "p.monthly_rent_high_krw", where=_RENT, unit="krw"),
        "jeonse_ratio": Measure("ratio", "jeonse_deposit", "sale_price", unit="percent", factor=100),
        "deal_count": Measure("sum", "p.deal_count", unit="count"),
    },
    fields={
        "price_mean_krw": "p.price_mean_krw",
        "deposit_mean_krw": "p.deposit_mean_krw",
        "monthly_rent_mean_krw": "p.monthly_rent_mean_krw",
        "deals": "p.deal_count",
    },
)
HOME_MONTHS: Final = DataSet(
    id="home_months",
    title=Text("월별 거래", "deals by month"),
    data_type="trend",
    table="realty_monthly_summary",
    source=f"realty_monthly_summary AS p {_REGION}",
    as_of="p.as_of",
    rows_of="p.deal_count",
    dimensions={**_PLACES, "month": Dimension("p.month", "date")},
    measures={
        "first_month": Measure("min", "p.month"),
        "last_month": Measure("max", "p.month"),
        "mean_price": Measure("weighted_mean", "p.mean_price_krw", "p.deal_count", unit="krw"),
        "mean_price_per_m2": Measure("weighted_mean", "p.mean_price_krw_per_m2", "p.deal_count", unit="krw"),
        "mean_monthly_rent": Measure(
            "weighted_mean", "p.mean_monthly_rent_krw", "p.deal_count", "p.mean_monthly_rent_krw IS NOT NULL", "krw"
        ),
        "deal_count": Measure("sum", "p.deal_count", unit="count"),
        "sale_price": Measure("weighted_mean", "p.mean_price_krw", "p.deal_count", _SALE, "krw"),
        "jeonse_deposit": Measure("weighted_mean", "p.mean_price_krw", "p.deal_count", _JEONSE, "krw"),
        "jeonse_ratio": Measure("ratio", "jeonse_deposit", "sale_price", unit="percent", factor=100),
    },
    time="month",
    key=("region_code", "property_type", "deal_type"),
)
HOME_DEALS: Final = DataSet(
    id="home_deals",
    title=Text("실거래", "real transactions"),
    data_type="transaction",
    table="realty_transactions",
    source=f"realty_transactions AS p {_REGION}",
    as_of="p.as_of",
    dimensions={
        **_COMPLEXES,
        "contract_date": Dimension("p.contract_date", "date"),
        "floor": Dimension("p.floor", "number"),
    },
    measures={
        "mean_price": Measure("mean", "p.price_krw", unit="krw"),
        "median_price": Measure("median", "p.price_krw", unit="krw"),
        "lowest_price": Measure("min", "p.price_krw", unit="krw"),
        "highest_price": Measure("max", "p.price_krw", unit="krw"),
        "mean_monthly_rent": Measure("mean", "p.monthly_rent_krw", unit="krw"),
        "deal_count": Measure("count", unit="count"),
    },
    time="contract_date",
    key=("region_code", "property_type", "deal_type"),
    fields={"price_krw": "p.price_krw", "monthly_rent_krw": "p.monthly_rent_krw"},
)
DATASETS: Final = (HOME_PRICES, HOME_MONTHS, HOME_DEALS)
