"""Data sets of realty: homes on offer, loans, support programmes."""

from typing import Final

from services.plugin.data.dataset import DataSet, Dimension, Measure
from services.plugin.wording import Text

LISTINGS: Final = DataSet(
    id="listings",
    title=Text("매물", "homes on offer"),
    data_type="listing",
    table="realty_listings",
    source=(
        "realty_listings AS p JOIN regions AS r ON r.region_code = p.region_code "
        "JOIN datasets AS d ON d.dataset_id = p.dataset_id"
    ),
    as_of="p.as_of",
    dimensions={
        "listing_id": Dimension("p.listing_id"),
        "region_code": Dimension("p.region_code"),
        "region_ko": Dimension("r.name_ko"),
        "region_en": Dimension("r.name_en"),
        "province_code": Dimension("r.province_code"),
        "dong": Dimension("p.dong"),
        "complex_name": Dimension("p.complex_name"),
        "property_type": Dimension("p.property_type"),
        "deal_type": Dimension("p.deal_type"),
        "area_m2": Dimension("p.area_m2", "number"),
        "floor": Dimension("p.floor", "number"),
        "room_count": Dimension("p.room_count", "number"),
        "price_krw": Dimension("p.price_krw", "number"),
        "monthly_rent_krw": Dimension("p.monthly_rent_krw", "number"),
        "listed_on": Dimension("p.listed_on", "date"),
    },
    measures={
        "listing_count": Measure("count", unit="count"),
        "mean_price": Measure("mean", "p.price_krw", unit="krw"),
        "lowest_price": Measure("min", "p.price_krw", unit="krw"),
        "highest_price": Measure("max", "p.price_krw", unit="krw"),
    },
)
LOANS: Final = DataSet(
    id="loans",
    title=Text("대출 상품", "loans"),
    data_type="loan",
    table="loan_products",
    source="loan_products AS p JOIN datasets AS d ON d.dataset_id = p.dataset_id",
    as_of="p.as_of",
    dimensions={
        "loan_id": Dimension("p.loan_id"),
        "bank_ko": Dimension("p.bank_ko"),
        "bank_en": Dimension("p.bank_en"),
        "name_ko": Dimension("p.name_ko"),
        "name_en": Dimension("p.name_en"),
        "purpose": Dimension("p.purpose"),
        "rate_low_percent": Dimension("p.rate_low_percent", "number"),
        "rate_high_percent": Dimension("p.rate_high_percent", "number"),
        "rate_kind": Dimension("p.rate_kind"),
        "limit_krw": Dimension("p.limit_krw", "number"),
        "ltv_max_percent": Dimension("p.ltv_max_percent", "number"),
        "dsr_max_percent": Dimension("p.dsr_max_percent", "number"),
        "term_years_max": Dimension("p.term_years_max", "number"),
        "income_max_krw": Dimension("p.income_max_krw", "number"),
        "early_repayment_fee_percent": Dimension("p.early_repayment_fee_percent", "number"),
    },
    measures={"loan_count": Measure("count", unit="count")},
    fields={"homeless_only": "CASE WHEN p.homeless_only THEN 1 ELSE 0 END"},
)
PROGRAMMES: Final = DataSet(
    id="programmes",
    title=Text("정책 지원", "support programmes"),
    data_type="programme",
    table="policy_programmes",
    source="policy_programmes AS p JOIN datasets AS d ON d.dataset_id = p.dataset_id",
    as_of="p.as_of",
    dimensions={
        "programme_id": Dimension("p.programme_id"),
        "name_ko": Dimension("p.name_ko"),
        "name_en": Dimension("p.name_en"),
        "purpose": Dimension("p.purpose"),
        "age_min": Dimension("p.age_min", "number"),
        "age_max": Dimension("p.age_max", "number"),
        "income_max_krw": Dimension("p.income_max_krw", "number"),
        "assets_max_krw": Dimension("p.assets_max_krw", "number"),
        "home_price_max_krw": Dimension("p.home_price_max_krw", "number"),
        "children_min": Dimension("p.children_min", "number"),
        "limit_krw": Dimension("p.limit_krw", "number"),
        "rate_percent": Dimension("p.rate_percent", "number"),
        "valid_from": Dimension("p.valid_from", "date"),
        "valid_until": Dimension("p.valid_until", "date"),
    },
    measures={"programme_count": Measure("count", unit="count")},
    fields={
        "homeless_only": "CASE WHEN p.homeless_only THEN 1 ELSE 0 END",
        "first_home_only": "CASE WHEN p.first_home_only THEN 1 ELSE 0 END",
        "newlywed_only": "CASE WHEN p.newlywed_only THEN 1 ELSE 0 END",
    },
)
LAW: Final = DataSet(
    id="law_articles",
    title=Text("법 조문", "articles of law"),
    data_type="legal",
    table="law_articles",
    source="law_articles AS p JOIN datasets AS d ON d.dataset_id = p.dataset_id",
    as_of="p.as_of",
    dimensions={
        "article_id": Dimension("p.article_id"),
        "statute_ko": Dimension("p.statute_ko"),
        "statute_en": Dimension("p.statute_en"),
        "article": Dimension("p.article"),
        "title_ko": Dimension("p.title_ko"),
        "title_en": Dimension("p.title_en"),
        "summary_ko": Dimension("p.summary_ko"),
        "summary_en": Dimension("p.summary_en"),
        "topic": Dimension("p.topic"),
    },
    measures={"article_count": Measure("count", unit="count")},
)
DATASETS: Final = (LISTINGS, LOANS, PROGRAMMES, LAW)
