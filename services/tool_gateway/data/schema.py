"""The tables of the data database (spec 3.2).

    datasets 1-n everything below: each row names the data set that it came from, and with it
                 source, licence and whether it is sample data.
    securities 1-n us_equity_prices | kr_equity_prices      the market decides the table
    macro_series 1-n macro_observations
    regions 1-n realty_market_prices
    products 1-n offers, product_tokens
    shop_users, orders, sellers ...                         commerce_schema.py
    loan_products, policy_programmes                        lending_schema.py
    equity_financials, earnings_events, macro brief ...     finance_schema.py
    law_articles, news_articles, the search index ...       search_schema.py
    effects, approvals                                      effects_schema.py; no data set: records of what was done
    seed_state   one row, written in the same transaction as the rows that it speaks of

The tables here are what the seed writes; `migrations/` is what creates them, and a test proves that both
describe the same schema. Times are UTC and stored without a zone; money is whole won unless a currency column
says otherwise.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
)

# Imported so that METADATA holds their tables wherever this module is known.
from services.tool_gateway.data.metadata import METADATA, dataset_column

# The newest revision in `migrations/`, said here so that a check of a database need not load the migrations.
SCHEMA_REVISION = "0004"

_dataset = dataset_column

DATASETS = Table(
    "datasets",
    METADATA,
    Column("dataset_id", String(64), primary_key=True),
    Column("title_ko", String(200), nullable=False),
    Column("title_en", String(200), nullable=False),
    Column("source", String(300), nullable=False),
    Column("licence", String(100), nullable=False),
    Column("package", String(100), nullable=False),
    Column("package_version", String(40), nullable=False),
    Column("sample", Boolean, nullable=False),
    Column("generator_seed", BigInteger, nullable=True),
    Column("loaded_at", DateTime, nullable=False),
    Column("as_of", DateTime, nullable=False),
    Column("row_count", Integer, nullable=False),
)

SEED_STATE = Table(
    "seed_state",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("generator_version", Integer, nullable=False),
    Column("as_of", DateTime, nullable=False),
    Column("completed_at", DateTime, nullable=False),
    Column("report", Text, nullable=False),
    CheckConstraint("id = 1", name="single_row"),
)

SECURITIES = Table(
    "securities",
    METADATA,
    Column("security_id", String(32), primary_key=True),
    Column("market", String(2), nullable=False),
    Column("ticker", String(24), nullable=False),
    Column("name_ko", String(100), nullable=False),
    Column("name_en", String(100), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("currency", String(3), nullable=False),
    _dataset(),
    CheckConstraint("market IN ('US', 'KR')", name="market"),
)


def _prices(name: str) -> Table:
    return Table(
        name,
        METADATA,
        Column("security_id", String(32), ForeignKey("securities.security_id"), primary_key=True),
        Column("date", Date, primary_key=True),
        Column("open", Float, nullable=False),
        Column("high", Float, nullable=False),
        Column("low", Float, nullable=False),
        Column("close", Float, nullable=False),
        Column("volume", BigInteger, nullable=False),
        Column("currency", String(3), nullable=False),
        Column("as_of", DateTime, nullable=False),
        _dataset(),
    )


US_EQUITY_PRICES = _prices("us_equity_prices")
KR_EQUITY_PRICES = _prices("kr_equity_prices")

MACRO_SERIES = Table(
    "macro_series",
    METADATA,
    Column("series_id", String(40), primary_key=True),
    Column("country", String(2), nullable=False),
    Column("title_ko", String(200), nullable=False),
    Column("title_en", String(200), nullable=False),
    Column("unit", String(60), nullable=False),
    Column("frequency", String(10), nullable=False),
    Column("release_lag_days", Integer, nullable=False),
    _dataset(),
    CheckConstraint("frequency IN ('daily', 'weekly', 'monthly', 'quarterly')", name="frequency"),
)

MACRO_OBSERVATIONS = Table(
    "macro_observations",
    METADATA,
    Column("series_id", String(40), ForeignKey("macro_series.series_id"), primary_key=True),
    Column("date", Date, primary_key=True),
    Column("value", Float, nullable=False),
    Column("as_of", DateTime, nullable=False),
    Column("next_release_date", Date, nullable=True),
    _dataset(),
)

REGIONS = Table(
    "regions",
    METADATA,
    Column("region_code", String(5), primary_key=True),
    Column("province_code", String(2), nullable=False, index=True),
    Column("province_ko", String(40), nullable=False),
    Column("province_en", String(60), nullable=False),
    Column("name_ko", String(40), nullable=False),
    Column("name_en", String(60), nullable=False),
    _dataset(),
)

REALTY_MARKET_PRICES = Table(
    "realty_market_prices",
    METADATA,
    Column("region_code", String(5), ForeignKey("regions.region_code"), primary_key=True),
    Column("dong", String(40), primary_key=True),
    Column("complex_name", String(80), primary_key=True),
    Column("property_type", String(12), primary_key=True),
    Column("deal_type", String(14), primary_key=True),
    Column("area_m2", Float, primary_key=True),
    Column("price_low_krw", BigInteger, nullable=True),
    Column("price_mean_krw", BigInteger, nullable=True),
    Column("price_high_krw", BigInteger, nullable=True),
    Column("deposit_low_krw", BigInteger, nullable=True),
    Column("deposit_mean_krw", BigInteger, nullable=True),
    Column("deposit_high_krw", BigInteger, nullable=True),
    Column("monthly_rent_low_krw", BigInteger, nullable=True),
    Column("monthly_rent_mean_krw", BigInteger, nullable=True),
    Column("monthly_rent_high_krw", BigInteger, nullable=True),
    Column("deal_count", Integer, nullable=False),
    Column("as_of", DateTime, nullable=False),
    _dataset(),
    CheckConstraint("property_type IN ('apartment', 'officetel', 'villa', 'house')", name="property_type"),
    CheckConstraint("deal_type IN ('sale', 'jeonse', 'monthly_rent')", name="deal_type"),
)

PRODUCTS = Table(
    "products",
    METADATA,
    Column("product_id", String(24), primary_key=True),
    Column("name_ko", String(120), nullable=False),
    Column("name_en", String(120), nullable=False),
    Column("brand_ko", String(40), nullable=False),
    Column("brand_en", String(40), nullable=False),
    Column("category", String(24), nullable=False, index=True),
    Column("attributes", Text, nullable=False),
    _dataset(),
)

OFFERS = Table(
    "offers",
    METADATA,
    Column("offer_id", String(28), primary_key=True),
    Column("product_id", String(24), ForeignKey("products.product_id"), nullable=False, index=True),
    Column("list_price_krw", BigInteger, nullable=False),
    Column("discount_percent", Integer, nullable=False),
    Column("price_krw", BigInteger, nullable=False, index=True),
    Column("rating", Float, nullable=False),
    Column("review_count", Integer, nullable=False),
    Column("stock", Integer, nullable=False),
    Column("as_of", DateTime, nullable=False),
    _dataset(),
)

# The words of a product as search sees them: see services.tool_gateway.words.
PRODUCT_TOKENS = Table(
    "product_tokens",
    METADATA,
    Column("token", String(40), primary_key=True),
    Column("product_id", String(24), ForeignKey("products.product_id"), primary_key=True),
    Index("ix_product_tokens_product_id", "product_id"),
)
