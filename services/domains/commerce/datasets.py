"""Data sets of commerce: goods on offer, and what belongs to a person: orders, points, coupons, cart, sales."""

from typing import Final

from services.domains.commerce.asks.goods.features import dimension_of, properties
from services.plugin.data.dataset import DataSet, Dimension, Measure
from services.plugin.wording import Text

PRODUCTS: Final = DataSet(
    id="products",
    title=Text("상품", "goods"),
    data_type="product",
    table="products",
    source=(
        "products AS p JOIN offers AS o ON o.product_id = p.product_id "
        "JOIN datasets AS d ON d.dataset_id = p.dataset_id"
    ),
    as_of="o.as_of",
    dimensions={
        "product_id": Dimension("p.product_id"),
        "offer_id": Dimension("o.offer_id"),
        "name_ko": Dimension("p.name_ko"),
        "name_en": Dimension("p.name_en"),
        "brand_ko": Dimension("p.brand_ko"),
        "brand_en": Dimension("p.brand_en"),
        "category": Dimension("p.category"),
        "attributes": Dimension("p.attributes"),
        "price_krw": Dimension("o.price_krw", "number"),
        "list_price_krw": Dimension("o.list_price_krw", "number"),
        "discount_percent": Dimension("o.discount_percent", "number"),
        "rating": Dimension("o.rating", "number"),
        "review_count": Dimension("o.review_count", "number"),
        "stock": Dimension("o.stock", "number"),
        **{dimension_of(name): Dimension("p.attributes", kind, key=name) for name, kind in properties().items()},
    },
    measures={
        "product_count": Measure("count", unit="count"),
        "mean_price": Measure("mean", "o.price_krw", unit="krw"),
        "lowest_price": Measure("min", "o.price_krw", unit="krw"),
        "highest_price": Measure("max", "o.price_krw", unit="krw"),
    },
)
PRODUCT_REVIEWS: Final = DataSet(
    id="product_reviews",
    title=Text("상품 후기", "product reviews"),
    data_type="review",
    table="reviews",
    source=(
        "reviews AS r JOIN products AS p ON p.product_id = r.product_id "
        "JOIN datasets AS d ON d.dataset_id = r.dataset_id"
    ),
    as_of="r.as_of",
    dimensions={
        "product_id": Dimension("r.product_id"),
        "category": Dimension("p.category"),
        "name_ko": Dimension("p.name_ko"),
        "name_en": Dimension("p.name_en"),
        "stars": Dimension("r.rating", "number"),
    },
    measures={"mean_stars": Measure("mean", "r.rating"), "written": Measure("count", unit="count")},
    fields={"body": "r.body", "written_at": "r.as_of"},
)
ORDERS: Final = DataSet(
    id="own_orders",
    title=Text("내 주문", "your orders"),
    data_type="order",
    table="orders",
    source=(
        "orders AS r JOIN order_items AS i ON i.order_id = r.order_id JOIN offers AS o ON o.offer_id = i.offer_id "
        "JOIN products AS p ON p.product_id = o.product_id JOIN datasets AS d ON d.dataset_id = r.dataset_id"
    ),
    as_of="r.as_of",
    dimensions={
        "order_id": Dimension("r.order_id"),
        "status": Dimension("r.status"),
        "product_id": Dimension("p.product_id"),
        "name_ko": Dimension("p.name_ko"),
        "name_en": Dimension("p.name_en"),
        "category": Dimension("p.category"),
        "quantity": Dimension("i.quantity", "number"),
        "unit_price_krw": Dimension("i.unit_price_krw", "number"),
        "goods_krw": Dimension("r.goods_krw", "number"),
        "shipping_krw": Dimension("r.shipping_krw", "number"),
        "paid_krw": Dimension("r.paid_krw", "number"),
        "refunded_krw": Dimension("r.refunded_krw", "number"),
    },
    measures={"pieces": Measure("sum", "i.quantity", unit="count")},
    fields={
        "ordered_at": "r.ordered_at",
        "delivered_at": "r.delivered_at",
        "shipped_at": (
            "(SELECT MAX(e.as_of) FROM order_events AS e WHERE e.order_id = r.order_id AND e.status = 'shipped')"
        ),
        "carrier": "r.carrier",
        "tracking_number": "r.tracking_number",
    },
    owner=("r.tenant", "r.user_id"),
)
CART: Final = DataSet(
    id="own_cart",
    title=Text("내 장바구니", "your cart"),
    data_type="order",
    table="cart_items",
    source=(
        "cart_items AS r JOIN offers AS o ON o.offer_id = r.offer_id JOIN products AS p ON p.product_id = o.product_id "
        "JOIN datasets AS d ON d.dataset_id = r.dataset_id"
    ),
    as_of="r.as_of",
    dimensions={
        "product_id": Dimension("p.product_id"),
        "name_ko": Dimension("p.name_ko"),
        "name_en": Dimension("p.name_en"),
        "category": Dimension("p.category"),
        "quantity": Dimension("r.quantity", "number"),
        "price_krw": Dimension("o.price_krw", "number"),
        "stock": Dimension("o.stock", "number"),
    },
    measures={"cart_total": Measure("sum", "r.quantity * o.price_krw", unit="krw")},
    owner=("r.tenant", "r.user_id"),
)
COUPONS: Final = DataSet(
    id="own_coupons",
    title=Text("내 쿠폰", "your coupons"),
    data_type="rewards",
    table="coupons",
    source="coupons AS r JOIN datasets AS d ON d.dataset_id = r.dataset_id",
    as_of="r.as_of",
    dimensions={
        "coupon_id": Dimension("r.coupon_id"),
        "name_ko": Dimension("r.name_ko"),
        "name_en": Dimension("r.name_en"),
        "kind": Dimension("r.kind"),
        "value": Dimension("r.value", "number"),
        "order_min_krw": Dimension("r.order_min_krw", "number"),
        "discount_max_krw": Dimension("r.discount_max_krw", "number"),
    },
    measures={"coupon_count": Measure("count", unit="count")},
    fields={"valid_until": "r.valid_until", "used_order_id": "r.used_order_id"},
    owner=("r.tenant", "r.user_id"),
)
POINTS: Final = DataSet(
    id="own_points",
    title=Text("내 포인트", "your points"),
    data_type="rewards",
    table="shop_users",
    source="shop_users AS r JOIN datasets AS d ON d.dataset_id = r.dataset_id",
    as_of="r.as_of",
    dimensions={"points_krw": Dimension("r.points_krw", "number")},
    measures={},
    fields={"shipping_address": "r.shipping_address", "nickname": "r.nickname", "cart_coupon_id": "r.cart_coupon_id"},
    owner=("r.tenant", "r.user_id"),
)
POINT_ENTRIES: Final = DataSet(
    id="own_point_entries",
    title=Text("내 포인트 내역", "your points by entry"),
    data_type="rewards",
    table="point_entries",
    source="point_entries AS r JOIN datasets AS d ON d.dataset_id = r.dataset_id",
    as_of="r.as_of",
    dimensions={"delta_krw": Dimension("r.delta_krw", "number"), "reason": Dimension("r.reason")},
    measures={},
    fields={"expires_on": "r.expires_on"},
    owner=("r.tenant", "r.user_id"),
)
SALES: Final = DataSet(
    id="own_sales",
    title=Text("내 상점의 매출", "your shop's sales"),
    data_type="sales",
    table="sales_facts",
    source=(
        "sales_facts AS r JOIN sellers AS w ON w.seller_id = r.seller_id JOIN products AS p "
        "ON p.product_id = r.product_id JOIN datasets AS d ON d.dataset_id = r.dataset_id"
    ),
    as_of="r.as_of",
    dimensions={
        "date": Dimension("r.date", "date"),
        "product_id": Dimension("r.product_id"),
        "name_ko": Dimension("p.name_ko"),
        "name_en": Dimension("p.name_en"),
        "category": Dimension("p.category"),
    },
    measures={
        "revenue": Measure("sum", "r.revenue_krw", unit="krw"),
        "cost": Measure("sum", "r.cost_krw", unit="krw"),
        "profit": Measure("sum", "r.revenue_krw - r.cost_krw", unit="krw"),
        "units": Measure("sum", "r.units", unit="count"),
        "orders": Measure("sum", "r.orders", unit="count"),
        "cancelled": Measure("sum", "r.cancelled_orders", unit="count"),
        "returned": Measure("sum", "r.returned_orders", unit="count"),
        "visitors": Measure("sum", "r.visitors", unit="count"),
        "cancel_rate": Measure("ratio", "cancelled", "orders", unit="percent", factor=100),
        "return_rate": Measure("ratio", "returned", "orders", unit="percent", factor=100),
        "conversion": Measure("ratio", "orders", "visitors", unit="percent", factor=100),
        "margin": Measure("ratio", "profit", "revenue", unit="percent", factor=100),
        "first_day": Measure("min", "r.date"),
        "last_day": Measure("max", "r.date"),
    },
    time="date",
    owner=("w.tenant", "w.user_id"),
)
SHOP: Final = DataSet(
    id="own_shop",
    title=Text("내 상점", "your shop"),
    data_type="seller_listing",
    table="sellers",
    source="sellers AS r JOIN datasets AS d ON d.dataset_id = r.dataset_id",
    as_of="r.as_of",
    dimensions={"name_ko": Dimension("r.name_ko"), "name_en": Dimension("r.name_en")},
    measures={},
    owner=("r.tenant", "r.user_id"),
)
LISTINGS: Final = DataSet(
    id="own_listings",
    title=Text("내 판매 상품", "the goods you sell"),
    data_type="seller_listing",
    table="listings",
    source=(
        "listings AS r JOIN sellers AS w ON w.seller_id = r.seller_id JOIN products AS p "
        "ON p.product_id = r.product_id JOIN offers AS o ON o.product_id = r.product_id "
        "JOIN datasets AS d ON d.dataset_id = r.dataset_id"
    ),
    as_of="o.as_of",
    dimensions={
        "listing_id": Dimension("r.listing_id"),
        "product_id": Dimension("r.product_id"),
        "name_ko": Dimension("p.name_ko"),
        "name_en": Dimension("p.name_en"),
        "brand_ko": Dimension("p.brand_ko"),
        "brand_en": Dimension("p.brand_en"),
        "category": Dimension("p.category"),
        "status": Dimension("r.status"),
        "unit_cost_krw": Dimension("r.unit_cost_krw", "number"),
        "price_krw": Dimension("o.price_krw", "number"),
        "list_price_krw": Dimension("o.list_price_krw", "number"),
        "discount_percent": Dimension("o.discount_percent", "number"),
        "rating": Dimension("o.rating", "number"),
        "review_count": Dimension("o.review_count", "number"),
        "stock": Dimension("o.stock", "number"),
    },
    measures={
        "listing_count": Measure("count", unit="count"),
        "pieces_left": Measure("sum", "o.stock", unit="count"),
    },
    fields={"attributes": "p.attributes"},
    owner=("w.tenant", "w.user_id"),
)
OWN_REVIEWS: Final = DataSet(
    id="own_reviews",
    title=Text("내가 쓴 후기", "your reviews"),
    data_type="review",
    table="reviews",
    source=(
        "reviews AS r JOIN products AS p ON p.product_id = r.product_id "
        "JOIN datasets AS d ON d.dataset_id = r.dataset_id"
    ),
    as_of="r.as_of",
    dimensions={
        "order_id": Dimension("r.order_id"),
        "product_id": Dimension("r.product_id"),
        "name_ko": Dimension("p.name_ko"),
        "name_en": Dimension("p.name_en"),
        "stars": Dimension("r.rating", "number"),
    },
    measures={"written": Measure("count", unit="count")},
    fields={"body": "r.body", "written_at": "r.as_of"},
    owner=("r.tenant", "r.user_id"),
)
DATASETS: Final = (
    PRODUCTS,
    PRODUCT_REVIEWS,
    ORDERS,
    CART,
    COUPONS,
    POINTS,
    POINT_ENTRIES,
    SALES,
    SHOP,
    LISTINGS,
    OWN_REVIEWS,
)
