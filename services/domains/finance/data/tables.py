"""The tables of finance.

    securities 1-n us_equity_prices | kr_equity_prices      the market decides the table
    securities 1-n equity_financials     tall: one row a period and item
    securities 1-n earnings_events       one row an announcement
    securities 1-n corporate_events      one row an event of a company
    macro_series 1-n macro_observations
    macro_series 1-n macro_brief_lines   the US brief of 08:30 in Seoul, one row a series it speaks of
    news_articles 1-n news_subjects

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

from services.plugin.data.tables import METADATA, dataset_column

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
    dataset_column(),
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
        dataset_column(),
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
    dataset_column(),
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
    dataset_column(),
)


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

NEWS_ARTICLES = Table(
    "news_articles",
    METADATA,
    Column("news_id", String(24), primary_key=True),
    Column("published_at", DateTime, nullable=False, index=True),
    Column("country", String(2), nullable=False),
    Column("title_ko", String(200), nullable=False),
    Column("title_en", String(200), nullable=False),
    Column("body_ko", Text, nullable=False),
    Column("body_en", Text, nullable=False),
    Column("as_of", DateTime, nullable=False),
    dataset_column(),
)

NEWS_SUBJECTS = Table(
    "news_subjects",
    METADATA,
    Column("news_id", String(24), ForeignKey("news_articles.news_id"), primary_key=True),
    Column("subject_id", String(40), primary_key=True),
    Column("kind", String(8), nullable=False),
    CheckConstraint("kind IN ('security', 'series', 'region')", name="kind"),
    Index("ix_news_subjects_subject_id", "subject_id"),
)
