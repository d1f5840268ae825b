"""seller_listings: what the calling seller offers."""

from typing import Final, Literal

from pydantic import Field

from services.contract.tool import ToolCost
from services.domains.commerce.actions.listings import SELLER
from services.plugin.fields import Identifier, WholeNumber
from services.plugin.reads import ReadResult, Reads, Row, UtcTime, read_own
from services.plugin.tool import Arguments, Tool
from services.runtime.identity import Caller

_ROWS_MAX: Final = 300


class SellerListingsArguments(Arguments):
    """Which listings."""

    product_id: Identifier | None = Field(default=None, description="Only this product.")
    limit: WholeNumber = Field(default=100, ge=1, le=_ROWS_MAX, description="Listings to return, newest first.")


class SellerListingsRow(Row):
    """One listing."""

    listing_id: str
    """Id of the listing."""
    product_id: str
    """Id of the product."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    category: str
    """Category."""
    status: Literal["on_sale", "paused"]
    """Whether it is offered."""
    list_price_krw: int
    """Price before the discount."""
    discount_percent: int
    """Discount on the list price."""
    price_krw: int
    """Price to pay."""
    unit_cost_krw: int
    """What a piece costs the seller."""
    stock: int
    """Pieces in stock."""
    rating: float
    """Mean rating; 0 before the first review."""
    review_count: int
    """Reviews."""
    created_at: UtcTime
    """When it was listed."""
    as_of: UtcTime
    """When it last changed."""


async def _read(arguments: SellerListingsArguments, reads: Reads, timeout_seconds: float, caller: Caller) -> ReadResult:
    return await read_own(
        reads,
        "seller_listings.v1",
        SellerListingsRow,
        {"product_id": arguments.product_id or ""},
        caller=caller,
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )


TOOL = Tool(
    name="seller_listings",
    description_ko="판매자 자신이 등록한 상품을 가격, 원가, 재고와 함께 돌려줍니다.",
    description_en="Returns what the calling seller offers, with price, cost and stock.",
    arguments=SellerListingsArguments,
    row=SellerListingsRow,
    read_own=_read,
    domain="commerce",
    data_type="seller_listing",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=8,
    required_role=SELLER,
)
