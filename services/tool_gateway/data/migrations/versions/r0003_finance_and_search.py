"""Tables of financials, events, the macro brief and monthly home prices; of law, glossary, news, and their index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_PROPERTY_TYPES = "property_type IN ('apartment', 'officetel', 'villa', 'house')"
_DEAL_TYPES = "deal_type IN ('sale', 'jeonse', 'monthly_rent')"


def upgrade() -> None:
    """Create every table."""
    _create_companies()
    _create_macro_brief()
    _create_homes()
    _create_texts()
    _create_news()
    _create_index()


def downgrade() -> None:
    """Drop every table, children first."""
    for table in (
        *("search_vectors", "search_postings", "search_terms", "search_collections"),
        *("news_subjects", "news_articles", "glossary_terms", "law_articles"),
        *("realty_listings", "realty_monthly_summary", "macro_brief_lines"),
        *("corporate_events", "earnings_events", "equity_financials"),
    ):
        op.drop_table(table)


def _text(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=False)


def _long(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _figure(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Float(), nullable=False)


def _day(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Date(), nullable=False)


def _count(name: str, *, autoincrement: bool = True) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False, autoincrement="auto" if autoincrement else False)


def _money(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _moment(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(), nullable=False)


def _origin(table: str) -> tuple[sa.Column[object], sa.Column[str], sa.ForeignKeyConstraint]:
    return _moment("as_of"), _text("dataset_id", 64), _references(table, "dataset_id", "datasets")


def _references(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.{column}"], name=f"fk_{table}_{column}_{target}")


def _key(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")


def _check(table: str, name: str, condition: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=op.f(f"ck_{table}_{name}"))


def _create_companies() -> None:
    table = "equity_financials"
    op.create_table(
        table,
        *(_text("security_id", 32), _day("period_end"), _text("item", 32), _text("fiscal_period", 8)),
        *(_figure("value"), _text("unit", 16), *_origin(table)),
        _references(table, "security_id", "securities"),
        _key(table, "security_id", "period_end", "item"),
    )
    table = "earnings_events"
    op.create_table(
        table,
        *(_text("security_id", 32), _day("event_date"), _text("fiscal_period", 8)),
        *(_figure("eps_actual"), _figure("eps_estimate"), _figure("surprise_percent"), _text("currency", 3)),
        *_origin(table),
        _references(table, "security_id", "securities"),
        _key(table, "security_id", "event_date"),
    )
    table = "corporate_events"
    op.create_table(
        table,
        *(_text("event_id", 64), _text("security_id", 32), _day("event_date"), _text("kind", 16)),
        *(_text("title_ko", 200), _text("title_en", 200), *_origin(table)),
        _check(table, "kind", "kind IN ('product', 'contract', 'investment', 'dividend', 'regulation')"),
        _references(table, "security_id", "securities"),
        _key(table, "event_id"),
    )
    op.create_index("ix_corporate_events_security_id_event_date", table, ["security_id", "event_date"])


def _create_macro_brief() -> None:
    table = "macro_brief_lines"
    op.create_table(
        table,
        *(_day("brief_date"), _count("position", autoincrement=False), _text("series_id", 40)),
        *(_day("observation_date"), _figure("value"), _figure("previous_value"), _long("text_ko"), _long("text_en")),
        *_origin(table),
        _references(table, "series_id", "macro_series"),
        _key(table, "brief_date", "position"),
    )


def _create_homes() -> None:
    table = "realty_monthly_summary"
    op.create_table(
        table,
        *(_text("region_code", 5), _text("property_type", 12), _text("deal_type", 14), _day("month")),
        *(_count("deal_count"), _money("mean_price_krw"), _money("mean_price_krw_per_m2")),
        *(_money("mean_monthly_rent_krw", nullable=True), *_origin(table)),
        _check(table, "property_type", _PROPERTY_TYPES),
        _check(table, "deal_type", _DEAL_TYPES),
        _references(table, "region_code", "regions"),
        _key(table, "region_code", "property_type", "deal_type", "month"),
    )
    table = "realty_listings"
    op.create_table(
        table,
        *(_text("listing_id", 24), _text("region_code", 5), _text("dong", 40), _text("complex_name", 80)),
        *(_text("property_type", 12), _text("deal_type", 14), _figure("area_m2"), _count("floor")),
        *(_count("room_count"), _money("price_krw"), _money("monthly_rent_krw", nullable=True)),
        *(_day("listed_on"), *_origin(table)),
        _check(table, "property_type", _PROPERTY_TYPES),
        _check(table, "deal_type", _DEAL_TYPES),
        _references(table, "region_code", "regions"),
        _key(table, "listing_id"),
    )
    op.create_index("ix_realty_listings_region_code", table, ["region_code"])


def _create_texts() -> None:
    table = "law_articles"
    op.create_table(
        table,
        *(_text("article_id", 24), _text("statute_ko", 80), _text("statute_en", 120), _text("article", 8)),
        *(_text("title_ko", 120), _text("title_en", 160), _long("summary_ko"), _long("summary_en")),
        *(_text("topic", 24), _flag("is_tenant_protection"), _flag("is_tax"), *_origin(table)),
        _key(table, "article_id"),
    )
    op.create_index("ix_law_articles_topic", table, ["topic"])
    table = "glossary_terms"
    op.create_table(
        table,
        *(_text("term_id", 40), _text("domain", 16), _text("term_ko", 80), _text("term_en", 120)),
        *(_long("definition_ko"), _long("definition_en"), *_origin(table)),
        _key(table, "term_id"),
    )
    op.create_index("ix_glossary_terms_domain", table, ["domain"])


def _create_news() -> None:
    table = "news_articles"
    op.create_table(
        table,
        *(_text("news_id", 24), _moment("published_at"), _text("country", 2)),
        *(_text("title_ko", 200), _text("title_en", 200), _long("body_ko"), _long("body_en"), *_origin(table)),
        _key(table, "news_id"),
    )
    op.create_index("ix_news_articles_published_at", table, ["published_at"])
    table = "news_subjects"
    op.create_table(
        table,
        *(_text("news_id", 24), _text("subject_id", 40), _text("kind", 8)),
        _check(table, "kind", "kind IN ('security', 'series', 'region')"),
        _references(table, "news_id", "news_articles"),
        _key(table, "news_id", "subject_id"),
    )
    op.create_index("ix_news_subjects_subject_id", table, ["subject_id"])


def _create_index() -> None:
    op.create_table(
        "search_collections",
        *(_text("collection", 16), _text("fingerprint", 64), _count("document_count"), _text("encoder", 60)),
        _key("search_collections", "collection"),
    )
    parts = {
        "search_terms": (("token",), (_text("token", 60), _figure("rarity"))),
        "search_postings": (
            ("token", "document_id"),
            (_text("token", 60), _text("document_id", 40), _figure("weight")),
        ),
        "search_vectors": (
            ("document_id",),
            (_text("document_id", 40), sa.Column("vector", sa.LargeBinary(), nullable=False)),
        ),
    }
    for table, (key, columns) in parts.items():
        op.create_table(
            table,
            _text("collection", 16),
            *columns,
            _references(table, "collection", "search_collections"),
            _key(table, "collection", *key),
        )
