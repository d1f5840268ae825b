"""The tables of commerce.

    shop_users 1-n cart_items, coupons, point_entries, orders, reviews      whose they are: tenant and user_id
    orders 1-n order_items, order_events, payments                          the state machine stands in orders.status
    sellers 1-n listings, sales_facts
    products 1-n offers, product_tokens
    listings 1-1 products (and through it the offer that search shows)

    pending -> paid -> preparing -> shipped -> delivered -> refunded
       |        |          |                       |
       v        v          v                       v
    cancelled  cancelled  cancel_requested        refund_requested -> delivered | refunded

Money is whole won, times are UTC without a zone.
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
    UniqueConstraint,
)

from services.plugin.data.tables import METADATA, dataset_column, owner_columns

ORDER_STATES = (
    "pending",
    "paid",
    "preparing",
    "shipped",
    "delivered",
    "cancel_requested",
    "cancelled",
    "refund_requested",
    "refunded",
)


def _krw(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=nullable)


def _moment(name: str, *, nullable: bool = True) -> Column[object]:
    return Column(name, DateTime, nullable=nullable)


def _one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(repr(value) for value in values)})", name=column)


SHOP_USERS = Table(
    "shop_users",
    METADATA,
    *owner_columns(primary_key=True),
    Column("nickname", String(40), nullable=False),
    Column("shipping_address", String(200), nullable=False),
    _krw("points_krw"),
    # The coupon that the cart uses; it is taken when the order is made.
    Column("cart_coupon_id", String(40), nullable=True),
    _moment("as_of", nullable=False),
    dataset_column(),
    CheckConstraint("points_krw >= 0", name="points"),
)

SELLERS = Table(
    "sellers",
    METADATA,
    Column("seller_id", String(40), primary_key=True),
    *owner_columns(),
    Column("name_ko", String(60), nullable=False),
    Column("name_en", String(60), nullable=False),
    _moment("as_of", nullable=False),
    dataset_column(),
    UniqueConstraint("tenant", "user_id"),
)

LISTINGS = Table(
    "listings",
    METADATA,
    Column("listing_id", String(40), primary_key=True),
    Column("seller_id", String(40), ForeignKey("sellers.seller_id"), nullable=False, index=True),
    Column("product_id", String(24), ForeignKey("products.product_id"), nullable=False, index=True),
    Column("status", String(8), nullable=False),
    Column("description", Text, nullable=False),
    Column("image_urls", Text, nullable=False),
    _krw("unit_cost_krw"),
    _moment("created_at", nullable=False),
    _moment("as_of", nullable=False),
    dataset_column(),
    _one_of("status", ("on_sale", "paused")),
)

CART_ITEMS = Table(
    "cart_items",
    METADATA,
    *owner_columns(primary_key=True),
    Column("offer_id", String(28), ForeignKey("offers.offer_id"), primary_key=True),
    Column("quantity", Integer, nullable=False),
    _moment("as_of", nullable=False),
    dataset_column(),
    CheckConstraint("quantity BETWEEN 1 AND 100", name="quantity"),
)

COUPONS = Table(
    "coupons",
    METADATA,
    Column("coupon_id", String(40), primary_key=True),
    *owner_columns(),
    Column("name_ko", String(80), nullable=False),
    Column("name_en", String(80), nullable=False),
    Column("kind", String(8), nullable=False),
    # Percent of the goods' price, or won: the kind says which.
    Column("value", BigInteger, nullable=False),
    _krw("order_min_krw"),
    _krw("discount_max_krw"),
    _moment("valid_until", nullable=False),
    Column("used_order_id", String(40), nullable=True),
    _moment("as_of", nullable=False),
    dataset_column(),
    _one_of("kind", ("percent", "amount")),
    Index("ix_coupons_owner", "tenant", "user_id"),
)

POINT_ENTRIES = Table(
    "point_entries",
    METADATA,
    Column("entry_id", String(48), primary_key=True),
    *owner_columns(),
    _krw("delta_krw"),
    Column("reason", String(20), nullable=False),
    Column("order_id", String(40), nullable=True),
    _moment("as_of", nullable=False),
    Column("expires_on", Date, nullable=True),
    dataset_column(),
    _one_of("reason", ("earned", "spent", "returned", "expired")),
    Index("ix_point_entries_owner", "tenant", "user_id"),
)

ORDERS = Table(
    "orders",
    METADATA,
    Column("order_id", String(40), primary_key=True),
    *owner_columns(),
    Column("status", String(16), nullable=False),
    _krw("goods_krw"),
    _krw("coupon_discount_krw"),
    _krw("points_used_krw"),
    _krw("shipping_krw"),
    _krw("paid_krw"),
    # What was given back and what is being given back; together never more than was paid.
    _krw("refunded_krw"),
    Column("coupon_id", String(40), nullable=True),
    Column("payment_method", String(20), nullable=False),
    Column("shipping_address", String(200), nullable=False),
    _moment("ordered_at", nullable=False),
    _moment("delivered_at"),
    Column("carrier", String(40), nullable=False),
    Column("tracking_number", String(40), nullable=False),
    _moment("as_of", nullable=False),
    dataset_column(),
    _one_of("status", ORDER_STATES),
    CheckConstraint("refunded_krw BETWEEN 0 AND paid_krw", name="refunded"),
    Index("ix_orders_owner", "tenant", "user_id", "ordered_at"),
)

ORDER_ITEMS = Table(
    "order_items",
    METADATA,
    Column("order_id", String(40), ForeignKey("orders.order_id"), primary_key=True),
    Column("offer_id", String(28), ForeignKey("offers.offer_id"), primary_key=True),
    Column("quantity", Integer, nullable=False),
    _krw("unit_price_krw"),
    _moment("as_of", nullable=False),
    dataset_column(),
)

ORDER_EVENTS = Table(
    "order_events",
    METADATA,
    Column("order_id", String(40), ForeignKey("orders.order_id"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("status", String(16), nullable=False),
    _moment("as_of", nullable=False),
    dataset_column(),
    _one_of("status", ORDER_STATES),
)

PAYMENTS = Table(
    "payments",
    METADATA,
    # The effect's own key with the kind: one effect moves money once in each direction at most.
    Column("payment_id", String(60), primary_key=True),
    Column("order_id", String(40), ForeignKey("orders.order_id"), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    _krw("amount_krw"),
    Column("status", String(10), nullable=False),
    _moment("as_of", nullable=False),
    dataset_column(),
    _one_of("kind", ("charge", "refund")),
    _one_of("status", ("requested", "done", "failed")),
    CheckConstraint("amount_krw > 0", name="amount"),
)

REVIEWS = Table(
    "reviews",
    METADATA,
    Column("review_id", String(48), primary_key=True),
    *owner_columns(),
    Column("product_id", String(24), ForeignKey("products.product_id"), nullable=False, index=True),
    Column("order_id", String(40), ForeignKey("orders.order_id"), nullable=False),
    Column("rating", Integer, nullable=False),
    Column("body", Text, nullable=False),
    _moment("as_of", nullable=False),
    dataset_column(),
    CheckConstraint("rating BETWEEN 1 AND 5", name="rating"),
    # A product of an order is reviewed once.
    UniqueConstraint("order_id", "product_id"),
)

SALES_FACTS = Table(
    "sales_facts",
    METADATA,
    Column("seller_id", String(40), ForeignKey("sellers.seller_id"), primary_key=True),
    Column("product_id", String(24), ForeignKey("products.product_id"), primary_key=True),
    Column("date", Date, primary_key=True),
    Column("units", Integer, nullable=False),
    Column("orders", Integer, nullable=False),
    Column("cancelled_orders", Integer, nullable=False),
    Column("returned_orders", Integer, nullable=False),
    Column("visitors", Integer, nullable=False),
    _krw("revenue_krw"),
    _krw("cost_krw"),
    _moment("as_of", nullable=False),
    dataset_column(),
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
    dataset_column(),
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
    dataset_column(),
)

# The words of a product as search sees them: see services.domains.commerce.product_words.
PRODUCT_TOKENS = Table(
    "product_tokens",
    METADATA,
    Column("token", String(40), primary_key=True),
    Column("product_id", String(24), ForeignKey("products.product_id"), primary_key=True),
    Index("ix_product_tokens_product_id", "product_id"),
)
