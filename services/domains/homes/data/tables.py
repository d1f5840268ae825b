"""The tables of homes: districts, their market, deals and what the deals of a month come to.

regions 1-n realty_market_prices     low, mean and high by complex, kind of home and kind of deal
regions 1-n realty_transactions      one row a deal, numbered within district and day
regions 1-n realty_monthly_summary   what the deals of a month, kind of home and kind of deal come to
"""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, Column, Date, DateTime, Float, ForeignKey, Integer, String, Table

from services.plugin.data.tables import METADATA, dataset_column

REGIONS = Table(
    "regions",
    METADATA,
    Column("region_code", String(5), primary_key=True),
    Column("province_code", String(2), nullable=False, index=True),
    Column("province_ko", String(40), nullable=False),
    Column("province_en", String(60), nullable=False),
    Column("name_ko", String(40), nullable=False),
    Column("name_en", String(60), nullable=False),
    dataset_column(),
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
    dataset_column(),
    CheckConstraint("property_type IN ('apartment', 'officetel', 'villa', 'house')", name="property_type"),
    CheckConstraint("deal_type IN ('sale', 'jeonse', 'monthly_rent')", name="deal_type"),
)

REALTY_TRANSACTIONS = Table(
    "realty_transactions",
    METADATA,
    Column("region_code", String(5), ForeignKey("regions.region_code"), primary_key=True),
    Column("contract_date", Date, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("dong", String(40), nullable=False),
    Column("complex_name", String(80), nullable=False),
    Column("property_type", String(12), nullable=False),
    Column("deal_type", String(14), nullable=False),
    Column("area_m2", Float, nullable=False),
    Column("floor", Integer, nullable=False),
    # The sale price, or the deposit of jeonse and monthly rent.
    Column("price_krw", BigInteger, nullable=False),
    Column("monthly_rent_krw", BigInteger, nullable=True),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
    CheckConstraint("property_type IN ('apartment', 'officetel', 'villa', 'house')", name="property_type"),
    CheckConstraint("deal_type IN ('sale', 'jeonse', 'monthly_rent')", name="deal_type"),
    CheckConstraint("price_krw > 0", name="price"),
)

REALTY_MONTHLY_SUMMARY = Table(
    "realty_monthly_summary",
    METADATA,
    Column("region_code", String(5), ForeignKey("regions.region_code"), primary_key=True),
    Column("property_type", String(12), primary_key=True),
    Column("deal_type", String(14), primary_key=True),
    Column("month", Date, primary_key=True),
    Column("deal_count", Integer, nullable=False),
    Column("mean_price_krw", BigInteger, nullable=False),
    Column("mean_price_krw_per_m2", BigInteger, nullable=False),
    Column("mean_monthly_rent_krw", BigInteger, nullable=True),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
    CheckConstraint("property_type IN ('apartment', 'officetel', 'villa', 'house')", name="property_type"),
    CheckConstraint("deal_type IN ('sale', 'jeonse', 'monthly_rent')", name="deal_type"),
)
