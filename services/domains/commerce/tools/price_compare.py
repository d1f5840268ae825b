"""price_compare: what products cost, in the order base price, discount, coupon, points."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field, model_validator

from services.contract.tool import ToolCost
from services.plugin.fields import PRICE_KRW_MAX, Identifier, WholeNumber
from services.plugin.reads import ReadResult, Reads, Row, UtcTime, reading_of
from services.plugin.tool import Arguments, Tool, UnknownIdentifier

_TEMPLATE: Final = "offers_by_product.v1"
_ROWS_MAX: Final = 30


class PriceCompareArguments(Arguments):
    """Which products, and what is taken off. Coupon and points are as `rewards` returns them."""

    product_ids: Annotated[tuple[Identifier, ...], Field(strict=False)] = Field(
        min_length=2, max_length=10, description="Ids of the products."
    )
    coupon_percent: WholeNumber = Field(default=0, ge=0, le=100, description="Percent that a coupon takes off.")
    coupon_krw: WholeNumber = Field(default=0, ge=0, le=PRICE_KRW_MAX, description="Won that a coupon takes off.")
    coupon_max_krw: WholeNumber = Field(
        default=PRICE_KRW_MAX, ge=0, le=PRICE_KRW_MAX, description="The most that the coupon takes off."
    )
    order_min_krw: WholeNumber = Field(
        default=0, ge=0, le=PRICE_KRW_MAX, description="Price from which the coupon can be used."
    )
    points_krw: WholeNumber = Field(default=0, ge=0, le=PRICE_KRW_MAX, description="Points to use, one won each.")

    @model_validator(mode="after")
    def _one_coupon(self) -> "PriceCompareArguments":
        if self.coupon_percent and self.coupon_krw:
            raise ValueError("coupon_percent and coupon_krw are two coupons; one can be used")
        return self


class PriceCompareRow(Row):
    """One product's price, step by step."""

    product_id: str
    """Id of the product."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    brand_ko: str
    """Brand for Korean readers."""
    brand_en: str
    """Brand for English readers."""
    list_price_krw: int
    """Base price."""
    discount_krw: int
    """What the offer's discount takes off."""
    price_krw: int
    """Price after the discount."""
    coupon_discount_krw: int
    """What the coupon takes off then."""
    points_used_krw: int
    """Points used then."""
    final_price_krw: int
    """What is left to pay."""
    rank: Annotated[int, Field(ge=1)]
    """1 for the cheapest; equal prices share a rank."""
    rating: float
    """Mean rating."""
    review_count: int
    """Reviews that the rating rests on."""
    stock: int
    """Pieces in stock; 0 is sold out."""
    as_of: UtcTime
    """When price and stock were read."""


async def _read(arguments: PriceCompareArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    wanted = list(dict.fromkeys(arguments.product_ids))
    named = {"product_ids": wanted}
    found = await reads.records(_TEMPLATE, named, rows_max=_ROWS_MAX, timeout_seconds=timeout_seconds)
    missing = [product_id for product_id in wanted if product_id not in {record["product_id"] for record in found}]
    if missing:
        raise UnknownIdentifier("product_ids", f"there are no products {', '.join(missing)}")
    priced = sorted((_priced(record, arguments) for record in found), key=lambda record: record["final_price_krw"])
    prices = [record["final_price_krw"] for record in priced]
    ranked = [{**record, "rank": 1 + prices.index(record["final_price_krw"])} for record in priced]
    values = arguments.model_dump(mode="json")
    return reading_of(reads.origin(_TEMPLATE), PriceCompareRow, values, ranked, rows_max=_ROWS_MAX)


def _priced(record: Mapping[str, Any], arguments: PriceCompareArguments) -> dict[str, Any]:
    price_krw: int = record["price_krw"]
    off = price_krw * arguments.coupon_percent // 100 + arguments.coupon_krw
    usable = price_krw >= arguments.order_min_krw
    coupon_krw = min(off, arguments.coupon_max_krw, price_krw) if usable else 0
    points_krw = min(arguments.points_krw, price_krw - coupon_krw)
    return {
        **record,
        "discount_krw": record["list_price_krw"] - price_krw,
        "coupon_discount_krw": coupon_krw,
        "points_used_krw": points_krw,
        "final_price_krw": price_krw - coupon_krw - points_krw,
    }


TOOL = Tool(
    name="price_compare",
    description_ko="상품들의 가격을 정가, 할인, 쿠폰, 포인트 순서로 계산해 싼 순서로 돌려줍니다.",
    description_en="Compares what products cost after discount, coupon and points, in this order, the cheapest first.",
    arguments=PriceCompareArguments,
    row=PriceCompareRow,
    read=_read,
    domain="commerce",
    data_type="product",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.85,
    timeout_seconds=5,
    concurrency_max=8,
)
