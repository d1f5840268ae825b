"""order_track: the states that one of the caller's orders went through."""

from typing import Final

from pydantic import Field

from services.contract.tool import ToolCost
from services.domains.commerce.tools.order_list import OrderStatus
from services.plugin.fields import Identifier
from services.plugin.reads import ReadResult, Reads, Row, UtcTime, read_own
from services.plugin.tool import Arguments, NotOwned, Tool
from services.runtime.identity import Caller

_ROWS_MAX: Final = 50


class OrderTrackArguments(Arguments):
    """Which order."""

    order_id: Identifier = Field(description="Id of the order.")


class OrderTrackRow(Row):
    """One state of the order."""

    order_id: str
    """Id of the order."""
    sequence: int
    """Its place in the order's history, from 1."""
    status: OrderStatus
    """The state."""
    reached_at: UtcTime
    """When it was reached."""
    carrier: str
    """Who delivers it; empty before it is shipped."""
    tracking_number: str
    """Number of the parcel; empty before it is shipped."""
    as_of: UtcTime
    """The same moment as reached_at."""


async def _read(arguments: OrderTrackArguments, reads: Reads, timeout_seconds: float, caller: Caller) -> ReadResult:
    reading = await read_own(
        reads,
        "order_events.v1",
        OrderTrackRow,
        {"order_id": arguments.order_id},
        caller=caller,
        rows_max=_ROWS_MAX,
        timeout_seconds=timeout_seconds,
    )
    if not reading.rows:
        raise NotOwned("order_id", f"there is no order {arguments.order_id}")
    return reading


TOOL = Tool(
    name="order_track",
    description_ko="사용자 자신의 주문이 거친 상태와 배송을 순서대로 돌려줍니다.",
    description_en="Returns the states that one of the user's own orders went through, and its delivery.",
    arguments=OrderTrackArguments,
    row=OrderTrackRow,
    read_own=_read,
    domain="commerce",
    data_type="order",
    cost=ToolCost.LOW,
    typical_seconds=0.3,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=16,
)
