"""order_cart: the caller's cart at the prices of this moment."""

from typing import Final

from services.contract.tool import ToolCost
from services.plugin.reads import ReadResult, Reads, Row, UtcTime, read_own
from services.plugin.tool import Arguments, Tool
from services.runtime.identity import Caller

_ROWS_MAX: Final = 100


class OrderCartArguments(Arguments):
    """Nothing: a user has one cart."""


class OrderCartRow(Row):
    """One line of the cart."""

    product_id: str
    """Id of the product."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    quantity: int
    """Pieces."""
    list_price_krw: int
    """Price of one piece before the discount."""
    price_krw: int
    """Price of one piece now."""
    stock: int
    """Pieces in stock; fewer than quantity cannot be ordered."""
    cart_coupon_id: str | None
    """Coupon that the cart uses; null where none."""
    as_of: UtcTime
    """When the line last changed."""


async def _read(arguments: OrderCartArguments, reads: Reads, timeout_seconds: float, caller: Caller) -> ReadResult:
    del arguments
    return await read_own(
        reads,
        "cart_items.v1",
        OrderCartRow,
        {},
        caller=caller,
        rows_max=_ROWS_MAX,
        timeout_seconds=timeout_seconds,
    )


TOOL = Tool(
    name="order_cart",
    description_ko="사용자 자신의 장바구니를 지금 가격과 재고로 돌려줍니다.",
    description_en="Returns the user's own cart at present prices, with stock.",
    arguments=OrderCartArguments,
    row=OrderCartRow,
    read_own=_read,
    domain="commerce",
    data_type="order",
    cost=ToolCost.LOW,
    typical_seconds=0.3,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=16,
)
