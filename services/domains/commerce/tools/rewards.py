"""rewards: the caller's points and coupons."""

from typing import Final, Literal

from services.contract.tool import ToolCost
from services.plugin.reads import ReadResult, Reads, Row, UtcTime, read_own
from services.plugin.tool import Arguments, Tool
from services.runtime.identity import Caller

_ROWS_MAX: Final = 100


class RewardsArguments(Arguments):
    """Nothing: they are the caller's own."""


class RewardsRow(Row):
    """The points, or one coupon."""

    kind: Literal["points", "percent", "amount"]
    """The balance of points, a coupon of so many percent, or one of so many won."""
    reward_id: str
    """Id of the coupon; POINTS for the points."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    value: int
    """Points (one won each), percent or won, by kind."""
    order_min_krw: int
    """Price of goods from which it can be used."""
    discount_max_krw: int
    """The most that it takes off."""
    valid_until: UtcTime | None
    """End of its validity; null for the points."""
    used_order_id: str | None
    """Order that used it; null while it is unused."""
    as_of: UtcTime
    """When it last changed."""


async def _read(arguments: RewardsArguments, reads: Reads, timeout_seconds: float, caller: Caller) -> ReadResult:
    del arguments
    return await read_own(
        reads, "rewards.v1", RewardsRow, {}, caller=caller, rows_max=_ROWS_MAX, timeout_seconds=timeout_seconds
    )


TOOL = Tool(
    name="rewards",
    description_ko="사용자 자신의 포인트 잔액과 쿠폰을 돌려줍니다.",
    description_en="Returns the user's own balance of points and coupons.",
    arguments=RewardsArguments,
    row=RewardsRow,
    read_own=_read,
    domain="commerce",
    data_type="rewards",
    cost=ToolCost.LOW,
    typical_seconds=0.3,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=16,
)
