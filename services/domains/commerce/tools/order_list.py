"""order_list: the caller's orders with their items, states and deliveries."""

from typing import Final, Literal

from pydantic import Field

from services.contract.tool import ToolCost
from services.plugin.fields import Identifier, WholeNumber
from services.plugin.reads import ReadResult, Reads, Row, UtcTime, read_own
from services.plugin.tool import Arguments, NotOwned, Tool
from services.runtime.identity import Caller

OrderStatus = Literal[
    "pending",
    "paid",
    "preparing",
    "shipped",
    "delivered",
    "cancel_requested",
    "cancelled",
    "refund_requested",
    "refunded",
]
_ROWS_MAX: Final = 100


class OrderListArguments(Arguments):
    """Which of the caller's orders."""

    order_id: Identifier | None = Field(default=None, description="Only this order.")
    status: OrderStatus | None = Field(default=None, description="Only orders in this state.")
    limit: WholeNumber = Field(default=20, ge=1, le=_ROWS_MAX, description="Rows to return, one an item.")


class OrderListRow(Row):
    """One item of an order."""

    order_id: str
    """Id of the order."""
    status: OrderStatus
    """Where the order stands."""
    ordered_at: UtcTime
    """When it was ordered."""
    delivered_at: UtcTime | None
    """When it was delivered; null before."""
    paid_krw: int
    """What was paid for the whole order."""
    refunded_krw: int
    """How much of it was taken back."""
    shipping_krw: int
    """Shipping of the whole order."""
    carrier: str
    """Who delivers it; empty before it is shipped."""
    tracking_number: str
    """Number of the parcel; empty before it is shipped."""
    product_id: str
    """Id of the product."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    quantity: int
    """Pieces."""
    unit_price_krw: int
    """Price of one piece when it was ordered."""
    as_of: UtcTime
    """When the order last changed."""


async def _read(arguments: OrderListArguments, reads: Reads, timeout_seconds: float, caller: Caller) -> ReadResult:
    reading = await read_own(
        reads,
        "order_items.v1",
        OrderListRow,
        {"order_id": arguments.order_id or "", "status": arguments.status or ""},
        caller=caller,
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )
    if not reading.rows and arguments.order_id is not None and arguments.status is None:
        raise NotOwned("order_id", f"there is no order {arguments.order_id}")
    return reading


TOOL = Tool(
    name="order_list",
    description_ko="사용자 자신의 주문을 상품, 상태, 배송과 함께 돌려줍니다.",
    description_en="Returns the user's own orders with their items, states and deliveries.",
    arguments=OrderListArguments,
    row=OrderListRow,
    read_own=_read,
    domain="commerce",
    data_type="order",
    cost=ToolCost.LOW,
    typical_seconds=0.3,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=16,
)
