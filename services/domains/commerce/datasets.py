"""Data sets of commerce: goods on offer, and what belongs to a person: orders, points, coupons, cart, sales."""

from typing import Final

from services.plugin.dataset import DataSet, Dimension, Measure
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
        "price_krw": Dimension("o.price_krw", "number"),
        "list_price_krw": Dimension("o.list_price_krw", "number"),
        "discount_percent": Dimension("o.discount_percent", "number"),
        "rating": Dimension("o.rating", "number"),
        "review_count": Dimension("o.review_count", "number"),
        "stock": Dimension("o.stock", "number"),
    },
    measures={
        "product_count": Measure("count", unit="count"),
        "mean_price": Measure("mean", "o.price_krw", unit="krw"),
        "lowest_price": Measure("min", "o.price_krw", unit="krw"),
        "highest_price": Measure("max", "o.price_krw", unit="krw"),
    },
    fields={"attributes": "p.attributes"},
)
DATASETS: Final = (PRODUCTS,)
