"""Tables of the first data set: provenance, securities and prices, macro series, homes, products."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table."""
    _create_provenance()
    _create_securities()
    _create_macro()
    _create_realty()
    _create_products()


def downgrade() -> None:
    """Drop every table, children first."""
    for table in (
        *("product_tokens", "offers", "products", "realty_market_prices", "regions"),
        *("macro_observations", "macro_series", "kr_equity_prices", "us_equity_prices", "securities"),
        *("seed_state", "datasets"),
    ):
        op.drop_table(table)


def _text(name: str, length: int, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _references(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.{column}"], name=f"fk_{table}_{column}_{target}")


def _create_provenance() -> None:
    op.create_table(
        "datasets",
        _text("dataset_id", 64),
        _text("title_ko", 200),
        _text("title_en", 200),
        _text("source", 300),
        _text("licence", 100),
        _text("package", 100),
        _text("package_version", 40),
        sa.Column("sample", sa.Boolean(), nullable=False),
        _number("generator_seed", nullable=True),
        sa.Column("loaded_at", sa.DateTime(), nullable=False),
        sa.Column("as_of", sa.DateTime(), nullable=False),
        sa.Column("row_count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("dataset_id", name="pk_datasets"),
    )
    op.create_table(
        "seed_state",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("generator_version", sa.Integer(), nullable=False),
        sa.Column("as_of", sa.DateTime(), nullable=False),
        sa.Column("completed_at", sa.DateTime(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_seed_state_single_row")),
        sa.PrimaryKeyConstraint("id", name="pk_seed_state"),
    )


def _create_securities() -> None:
    op.create_table(
        "securities",
        _text("security_id", 32),
        _text("market", 2),
        _text("ticker", 24),
        _text("name_ko", 100),
        _text("name_en", 100),
        _text("kind", 16),
        _text("currency", 3),
        _text("dataset_id", 64),
        sa.CheckConstraint("market IN ('US', 'KR')", name=op.f("ck_securities_market")),
        _references("securities", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("security_id", name="pk_securities"),
    )
    for table in ("us_equity_prices", "kr_equity_prices"):
        op.create_table(
            table,
            _text("security_id", 32),
            sa.Column("date", sa.Date(), nullable=False),
            *(sa.Column(name, sa.Float(), nullable=False) for name in ("open", "high", "low", "close")),
            _number("volume"),
            _text("currency", 3),
            sa.Column("as_of", sa.DateTime(), nullable=False),
            _text("dataset_id", 64),
            _references(table, "dataset_id", "datasets"),
            _references(table, "security_id", "securities"),
            sa.PrimaryKeyConstraint("security_id", "date", name=f"pk_{table}"),
        )


def _create_macro() -> None:
    op.create_table(
        "macro_series",
        _text("series_id", 40),
        _text("country", 2),
        _text("title_ko", 200),
        _text("title_en", 200),
        _text("unit", 60),
        _text("frequency", 10),
        sa.Column("release_lag_days", sa.Integer(), nullable=False),
        _text("dataset_id", 64),
        sa.CheckConstraint(
            "frequency IN ('daily', 'weekly', 'monthly', 'quarterly')", name=op.f("ck_macro_series_frequency")
        ),
        _references("macro_series", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("series_id", name="pk_macro_series"),
    )
    op.create_table(
        "macro_observations",
        _text("series_id", 40),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("as_of", sa.DateTime(), nullable=False),
        sa.Column("next_release_date", sa.Date(), nullable=True),
        _text("dataset_id", 64),
        _references("macro_observations", "dataset_id", "datasets"),
        _references("macro_observations", "series_id", "macro_series"),
        sa.PrimaryKeyConstraint("series_id", "date", name="pk_macro_observations"),
    )


def _create_realty() -> None:
    op.create_table(
        "regions",
        _text("region_code", 5),
        _text("province_code", 2),
        _text("province_ko", 40),
        _text("province_en", 60),
        _text("name_ko", 40),
        _text("name_en", 60),
        _text("dataset_id", 64),
        _references("regions", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("region_code", name="pk_regions"),
    )
    op.create_index("ix_regions_province_code", "regions", ["province_code"])
    key = ("region_code", "dong", "complex_name", "property_type", "deal_type", "area_m2")
    prices = [f"{what}_{level}_krw" for what in ("price", "deposit", "monthly_rent") for level in _LEVELS]
    op.create_table(
        "realty_market_prices",
        _text("region_code", 5),
        _text("dong", 40),
        _text("complex_name", 80),
        _text("property_type", 12),
        _text("deal_type", 14),
        sa.Column("area_m2", sa.Float(), nullable=False),
        *(_number(name, nullable=True) for name in prices),
        sa.Column("deal_count", sa.Integer(), nullable=False),
        sa.Column("as_of", sa.DateTime(), nullable=False),
        _text("dataset_id", 64),
        sa.CheckConstraint(
            "property_type IN ('apartment', 'officetel', 'villa', 'house')",
            name=op.f("ck_realty_market_prices_property_type"),
        ),
        sa.CheckConstraint(
            "deal_type IN ('sale', 'jeonse', 'monthly_rent')", name=op.f("ck_realty_market_prices_deal_type")
        ),
        _references("realty_market_prices", "dataset_id", "datasets"),
        _references("realty_market_prices", "region_code", "regions"),
        sa.PrimaryKeyConstraint(*key, name="pk_realty_market_prices"),
    )


_LEVELS = ("low", "mean", "high")


def _create_products() -> None:
    op.create_table(
        "products",
        _text("product_id", 24),
        _text("name_ko", 120),
        _text("name_en", 120),
        _text("brand_ko", 40),
        _text("brand_en", 40),
        _text("category", 24),
        sa.Column("attributes", sa.Text(), nullable=False),
        _text("dataset_id", 64),
        _references("products", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("product_id", name="pk_products"),
    )
    op.create_index("ix_products_category", "products", ["category"])
    op.create_table(
        "offers",
        _text("offer_id", 28),
        _text("product_id", 24),
        _number("list_price_krw"),
        sa.Column("discount_percent", sa.Integer(), nullable=False),
        _number("price_krw"),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("review_count", sa.Integer(), nullable=False),
        sa.Column("stock", sa.Integer(), nullable=False),
        sa.Column("as_of", sa.DateTime(), nullable=False),
        _text("dataset_id", 64),
        _references("offers", "dataset_id", "datasets"),
        _references("offers", "product_id", "products"),
        sa.PrimaryKeyConstraint("offer_id", name="pk_offers"),
    )
    op.create_index("ix_offers_price_krw", "offers", ["price_krw"])
    op.create_index("ix_offers_product_id", "offers", ["product_id"])
    op.create_table(
        "product_tokens",
        _text("token", 40),
        _text("product_id", 24),
        _references("product_tokens", "product_id", "products"),
        sa.PrimaryKeyConstraint("token", "product_id", name="pk_product_tokens"),
    )
    op.create_index("ix_product_tokens_product_id", "product_tokens", ["product_id"])
