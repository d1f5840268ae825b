"""The tables of loans by bank and product, and of policy programmes with their validity (spec 3.2)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Column, Date, DateTime, Float, Integer, String, Table

from services.tool_gateway.data.metadata import METADATA, dataset_column

LOAN_PRODUCTS = Table(
    "loan_products",
    METADATA,
    Column("loan_id", String(40), primary_key=True),
    Column("bank_ko", String(40), nullable=False),
    Column("bank_en", String(60), nullable=False),
    Column("name_ko", String(80), nullable=False),
    Column("name_en", String(100), nullable=False),
    Column("purpose", String(10), nullable=False, index=True),
    Column("rate_low_percent", Float, nullable=False),
    Column("rate_high_percent", Float, nullable=False),
    Column("rate_kind", String(10), nullable=False),
    Column("limit_krw", BigInteger, nullable=False),
    Column("ltv_max_percent", Float, nullable=True),
    Column("dsr_max_percent", Float, nullable=True),
    Column("term_years_max", Integer, nullable=False),
    # Null where the product asks for none.
    Column("income_max_krw", BigInteger, nullable=True),
    Column("homeless_only", Boolean, nullable=False),
    Column("early_repayment_fee_percent", Float, nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
    CheckConstraint("purpose IN ('mortgage', 'jeonse', 'credit')", name="purpose"),
    CheckConstraint("rate_kind IN ('fixed', 'variable', 'mixed')", name="rate_kind"),
    CheckConstraint("rate_low_percent <= rate_high_percent", name="rates"),
)

POLICY_PROGRAMMES = Table(
    "policy_programmes",
    METADATA,
    Column("programme_id", String(40), primary_key=True),
    Column("name_ko", String(80), nullable=False),
    Column("name_en", String(100), nullable=False),
    Column("purpose", String(10), nullable=False),
    Column("age_min", Integer, nullable=True),
    Column("age_max", Integer, nullable=True),
    Column("income_max_krw", BigInteger, nullable=True),
    Column("assets_max_krw", BigInteger, nullable=True),
    Column("home_price_max_krw", BigInteger, nullable=True),
    Column("homeless_only", Boolean, nullable=False),
    Column("first_home_only", Boolean, nullable=False),
    Column("newlywed_only", Boolean, nullable=False),
    Column("children_min", Integer, nullable=False),
    Column("limit_krw", BigInteger, nullable=False),
    Column("rate_percent", Float, nullable=True),
    Column("valid_from", Date, nullable=False),
    Column("valid_until", Date, nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
    CheckConstraint("purpose IN ('buy', 'jeonse', 'rent')", name="purpose"),
    CheckConstraint("valid_from <= valid_until", name="validity"),
)
