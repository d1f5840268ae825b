"""The tables of finance beside prices and macro series (spec 3.2).

securities 1-n equity_financials     tall: one row a period and item
securities 1-n earnings_events       one row an announcement
securities 1-n corporate_events      one row an event of a company
macro_series 1-n macro_brief_lines   the US brief of 08:30 in Seoul, one row a series it speaks of
regions 1-n realty_transactions      one row a deal, numbered within district and day
regions 1-n realty_monthly_summary   what the deals of a month, kind of home and kind of deal come to

Each row names its data set; `as_of` is the moment at which it was published or known.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
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

from services.tool_gateway.data.metadata import METADATA, dataset_column


def _security() -> ForeignKey:
    return ForeignKey("securities.security_id")


EQUITY_FINANCIALS = Table(
    "equity_financials",
    METADATA,
    Column("security_id", String(32), _security(), primary_key=True),
    Column("period_end", Date, primary_key=True),
    Column("item", String(32), primary_key=True),
    Column("fiscal_period", String(8), nullable=False),
    Column("value", Float, nullable=False),
    Column("unit", String(16), nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
)

EARNINGS_EVENTS = Table(
    "earnings_events",
    METADATA,
    Column("security_id", String(32), _security(), primary_key=True),
    Column("event_date", Date, primary_key=True),
    Column("fiscal_period", String(8), nullable=False),
    Column("eps_actual", Float, nullable=False),
    Column("eps_estimate", Float, nullable=False),
    Column("surprise_percent", Float, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
)

CORPORATE_EVENTS = Table(
    "corporate_events",
    METADATA,
    Column("event_id", String(64), primary_key=True),
    Column("security_id", String(32), _security(), nullable=False),
    Column("event_date", Date, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("title_ko", String(200), nullable=False),
    Column("title_en", String(200), nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
    CheckConstraint("kind IN ('product', 'contract', 'investment', 'dividend', 'regulation')", name="kind"),
    Index("ix_corporate_events_security_id_event_date", "security_id", "event_date"),
)

MACRO_BRIEF_LINES = Table(
    "macro_brief_lines",
    METADATA,
    Column("brief_date", Date, primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("series_id", String(40), ForeignKey("macro_series.series_id"), nullable=False),
    Column("observation_date", Date, nullable=False),
    Column("value", Float, nullable=False),
    Column("previous_value", Float, nullable=False),
    Column("text_ko", Text, nullable=False),
    Column("text_en", Text, nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
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
