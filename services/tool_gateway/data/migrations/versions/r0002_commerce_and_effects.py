"""Tables of commerce, of loans and programmes, and of effects and approvals."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_STATES = (
    "status IN ('pending', 'paid', 'preparing', 'shipped', 'delivered', "
    "'cancel_requested', 'cancelled', 'refund_requested', 'refunded')"
)


def upgrade() -> None:
    """Create every table."""
    _create_people_and_sellers()
    _create_carts_and_rewards()
    _create_orders()
    _create_reviews_and_sales()
    _create_lending()
    _create_effects()


def downgrade() -> None:
    """Drop every table, children first."""
    for table in (
        *("effects", "approvals", "policy_programmes", "loan_products", "sales_facts", "reviews"),
        *("payments", "order_events", "order_items", "orders", "point_entries", "coupons", "cart_items"),
        *("listings", "sellers", "shop_users"),
    ):
        op.drop_table(table)


def _column(name: str, kind: Any, *, nullable: bool = False, autoincrement: bool = True) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable, autoincrement="auto" if autoincrement else False)


def _text(name: str, length: int, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _owner() -> tuple[sa.Column[str], sa.Column[str]]:
    return _text("tenant", 64), _text("user_id", 64)


def _references(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.{column}"], name=f"fk_{table}_{column}_{target}")


def _create_people_and_sellers() -> None:
    op.create_table(
        "shop_users",
        *_owner(),
        _text("nickname", 40),
        _text("shipping_address", 200),
        _number("points_krw"),
        _text("cart_coupon_id", 40, nullable=True),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint("points_krw >= 0", name="ck_shop_users_points"),
        _references("shop_users", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("tenant", "user_id", name="pk_shop_users"),
    )
    op.create_table(
        "sellers",
        _text("seller_id", 40),
        *_owner(),
        _text("name_ko", 60),
        _text("name_en", 60),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        _references("sellers", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("seller_id", name="pk_sellers"),
        sa.UniqueConstraint("tenant", "user_id", name="uq_sellers_tenant_user_id"),
    )
    op.create_table(
        "listings",
        _text("listing_id", 40),
        _text("seller_id", 40),
        _text("product_id", 24),
        _text("status", 8),
        _column("description", sa.Text()),
        _column("image_urls", sa.Text()),
        _number("unit_cost_krw"),
        _column("created_at", sa.DateTime()),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint("status IN ('on_sale', 'paused')", name="ck_listings_status"),
        _references("listings", "dataset_id", "datasets"),
        _references("listings", "product_id", "products"),
        _references("listings", "seller_id", "sellers"),
        sa.PrimaryKeyConstraint("listing_id", name="pk_listings"),
    )
    op.create_index("ix_listings_product_id", "listings", ["product_id"])
    op.create_index("ix_listings_seller_id", "listings", ["seller_id"])


def _create_carts_and_rewards() -> None:
    op.create_table(
        "cart_items",
        *_owner(),
        _text("offer_id", 28),
        _column("quantity", sa.Integer()),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint("quantity BETWEEN 1 AND 100", name="ck_cart_items_quantity"),
        _references("cart_items", "dataset_id", "datasets"),
        _references("cart_items", "offer_id", "offers"),
        sa.PrimaryKeyConstraint("tenant", "user_id", "offer_id", name="pk_cart_items"),
    )
    op.create_table(
        "coupons",
        _text("coupon_id", 40),
        *_owner(),
        _text("name_ko", 80),
        _text("name_en", 80),
        _text("kind", 8),
        _number("value"),
        _number("order_min_krw"),
        _number("discount_max_krw"),
        _column("valid_until", sa.DateTime()),
        _text("used_order_id", 40, nullable=True),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint("kind IN ('percent', 'amount')", name="ck_coupons_kind"),
        _references("coupons", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("coupon_id", name="pk_coupons"),
    )
    op.create_index("ix_coupons_owner", "coupons", ["tenant", "user_id"])
    op.create_table(
        "point_entries",
        _text("entry_id", 48),
        *_owner(),
        _number("delta_krw"),
        _text("reason", 20),
        _text("order_id", 40, nullable=True),
        _column("as_of", sa.DateTime()),
        _column("expires_on", sa.Date(), nullable=True),
        _text("dataset_id", 64),
        sa.CheckConstraint("reason IN ('earned', 'spent', 'returned', 'expired')", name="ck_point_entries_reason"),
        _references("point_entries", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("entry_id", name="pk_point_entries"),
    )
    op.create_index("ix_point_entries_owner", "point_entries", ["tenant", "user_id"])


def _create_orders() -> None:
    op.create_table(
        "orders",
        _text("order_id", 40),
        *_owner(),
        _text("status", 16),
        _number("goods_krw"),
        _number("coupon_discount_krw"),
        _number("points_used_krw"),
        _number("shipping_krw"),
        _number("paid_krw"),
        _number("refunded_krw"),
        _text("coupon_id", 40, nullable=True),
        _text("payment_method", 20),
        _text("shipping_address", 200),
        _column("ordered_at", sa.DateTime()),
        _column("delivered_at", sa.DateTime(), nullable=True),
        _text("carrier", 40),
        _text("tracking_number", 40),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint("refunded_krw BETWEEN 0 AND paid_krw", name="ck_orders_refunded"),
        sa.CheckConstraint(
            _STATES,
            name="ck_orders_status",
        ),
        _references("orders", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("order_id", name="pk_orders"),
    )
    op.create_index("ix_orders_owner", "orders", ["tenant", "user_id", "ordered_at"])
    op.create_table(
        "order_items",
        _text("order_id", 40),
        _text("offer_id", 28),
        _column("quantity", sa.Integer()),
        _number("unit_price_krw"),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        _references("order_items", "dataset_id", "datasets"),
        _references("order_items", "offer_id", "offers"),
        _references("order_items", "order_id", "orders"),
        sa.PrimaryKeyConstraint("order_id", "offer_id", name="pk_order_items"),
    )
    op.create_table(
        "order_events",
        _text("order_id", 40),
        _column("sequence", sa.Integer(), autoincrement=False),
        _text("status", 16),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint(
            _STATES,
            name="ck_order_events_status",
        ),
        _references("order_events", "dataset_id", "datasets"),
        _references("order_events", "order_id", "orders"),
        sa.PrimaryKeyConstraint("order_id", "sequence", name="pk_order_events"),
    )
    op.create_table(
        "payments",
        _text("payment_id", 60),
        _text("order_id", 40),
        _text("kind", 8),
        _number("amount_krw"),
        _text("status", 10),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint("amount_krw > 0", name="ck_payments_amount"),
        sa.CheckConstraint("kind IN ('charge', 'refund')", name="ck_payments_kind"),
        sa.CheckConstraint("status IN ('requested', 'done', 'failed')", name="ck_payments_status"),
        _references("payments", "dataset_id", "datasets"),
        _references("payments", "order_id", "orders"),
        sa.PrimaryKeyConstraint("payment_id", name="pk_payments"),
    )
    op.create_index("ix_payments_order_id", "payments", ["order_id"])


def _create_reviews_and_sales() -> None:
    op.create_table(
        "reviews",
        _text("review_id", 48),
        *_owner(),
        _text("product_id", 24),
        _text("order_id", 40),
        _column("rating", sa.Integer()),
        _column("body", sa.Text()),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint("rating BETWEEN 1 AND 5", name="ck_reviews_rating"),
        _references("reviews", "dataset_id", "datasets"),
        _references("reviews", "order_id", "orders"),
        _references("reviews", "product_id", "products"),
        sa.PrimaryKeyConstraint("review_id", name="pk_reviews"),
        sa.UniqueConstraint("order_id", "product_id", name="uq_reviews_order_id_product_id"),
    )
    op.create_index("ix_reviews_product_id", "reviews", ["product_id"])
    op.create_table(
        "sales_facts",
        _text("seller_id", 40),
        _text("product_id", 24),
        _column("date", sa.Date()),
        _column("units", sa.Integer()),
        _column("orders", sa.Integer()),
        _column("cancelled_orders", sa.Integer()),
        _column("returned_orders", sa.Integer()),
        _column("visitors", sa.Integer()),
        _number("revenue_krw"),
        _number("cost_krw"),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        _references("sales_facts", "dataset_id", "datasets"),
        _references("sales_facts", "product_id", "products"),
        _references("sales_facts", "seller_id", "sellers"),
        sa.PrimaryKeyConstraint("seller_id", "product_id", "date", name="pk_sales_facts"),
    )


def _create_lending() -> None:
    op.create_table(
        "loan_products",
        _text("loan_id", 40),
        _text("bank_ko", 40),
        _text("bank_en", 60),
        _text("name_ko", 80),
        _text("name_en", 100),
        _text("purpose", 10),
        _column("rate_low_percent", sa.Float()),
        _column("rate_high_percent", sa.Float()),
        _text("rate_kind", 10),
        _number("limit_krw"),
        _column("ltv_max_percent", sa.Float(), nullable=True),
        _column("dsr_max_percent", sa.Float(), nullable=True),
        _column("term_years_max", sa.Integer()),
        _number("income_max_krw", nullable=True),
        _column("homeless_only", sa.Boolean()),
        _column("early_repayment_fee_percent", sa.Float()),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint("purpose IN ('mortgage', 'jeonse', 'credit')", name="ck_loan_products_purpose"),
        sa.CheckConstraint("rate_kind IN ('fixed', 'variable', 'mixed')", name="ck_loan_products_rate_kind"),
        sa.CheckConstraint("rate_low_percent <= rate_high_percent", name="ck_loan_products_rates"),
        _references("loan_products", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("loan_id", name="pk_loan_products"),
    )
    op.create_index("ix_loan_products_purpose", "loan_products", ["purpose"])
    op.create_table(
        "policy_programmes",
        _text("programme_id", 40),
        _text("name_ko", 80),
        _text("name_en", 100),
        _text("purpose", 10),
        _column("age_min", sa.Integer(), nullable=True),
        _column("age_max", sa.Integer(), nullable=True),
        _number("income_max_krw", nullable=True),
        _number("assets_max_krw", nullable=True),
        _number("home_price_max_krw", nullable=True),
        _column("homeless_only", sa.Boolean()),
        _column("first_home_only", sa.Boolean()),
        _column("newlywed_only", sa.Boolean()),
        _column("children_min", sa.Integer()),
        _number("limit_krw"),
        _column("rate_percent", sa.Float(), nullable=True),
        _column("valid_from", sa.Date()),
        _column("valid_until", sa.Date()),
        _column("as_of", sa.DateTime()),
        _text("dataset_id", 64),
        sa.CheckConstraint("purpose IN ('buy', 'jeonse', 'rent')", name="ck_policy_programmes_purpose"),
        sa.CheckConstraint("valid_from <= valid_until", name="ck_policy_programmes_validity"),
        _references("policy_programmes", "dataset_id", "datasets"),
        sa.PrimaryKeyConstraint("programme_id", name="pk_policy_programmes"),
    )


def _create_effects() -> None:
    op.create_table(
        "effects",
        _text("flow_run_id", 64),
        _text("step_id", 64),
        _column("ordinal", sa.Integer(), autoincrement=False),
        _text("effect_key", 40),
        *_owner(),
        _text("session_id", 64),
        _text("action_type", 32),
        _text("tool", 64),
        _column("tool_version", sa.Integer()),
        _text("definition_digest", 12),
        _text("arguments_digest", 64),
        _column("arguments", sa.Text()),
        _text("approval_id", 36, nullable=True),
        _text("status", 10),
        _text("claimed_by", 64),
        _column("lease_until", sa.DateTime()),
        _column("request", sa.Text()),
        _column("result", sa.Text()),
        _text("failure_reason", 40),
        _text("failure_message", 500),
        _column("reconciled", sa.Boolean()),
        _column("started_at", sa.DateTime()),
        _column("ended_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint(
            "status IN ('PENDING', 'STARTED', 'SUCCEEDED', 'FAILED', 'IN_DOUBT')", name="ck_effects_status"
        ),
        sa.PrimaryKeyConstraint("flow_run_id", "step_id", "ordinal", name="pk_effects"),
        sa.UniqueConstraint("effect_key", name="uq_effects_effect_key"),
    )
    op.create_index("ix_effects_status_lease_until", "effects", ["status", "lease_until"])
    op.create_table(
        "approvals",
        _text("approval_id", 36),
        _text("action_digest", 64),
        *_owner(),
        _text("session_id", 64),
        _text("flow_run_id", 64),
        _text("step_id", 64),
        _column("ordinal", sa.Integer()),
        _text("action_type", 32),
        _text("status", 10),
        _column("created_at", sa.DateTime()),
        _column("expires_at", sa.DateTime()),
        _column("decided_at", sa.DateTime(), nullable=True),
        _text("decided_by", 64),
        sa.CheckConstraint("status IN ('PENDING', 'APPROVED', 'REJECTED', 'USED')", name="ck_approvals_status"),
        sa.PrimaryKeyConstraint("approval_id", name="pk_approvals"),
    )
    op.create_index("ix_approvals_expires_at", "approvals", ["expires_at"])
    op.create_index("ix_approvals_key", "approvals", ["flow_run_id", "step_id", "ordinal"])
