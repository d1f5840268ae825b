"""seller_sales: what the calling seller sold, by day or by product."""

import datetime as dt
from typing import Final, Literal

from pydantic import Field, model_validator

from services.contract.tool import ToolCost
from services.domains.commerce.actions.listings import SELLER
from services.plugin.fields import Identifier
from services.plugin.reads import ReadResult, Reads, Row, UtcTime, read_own
from services.plugin.tool import Arguments, Tool
from services.runtime.identity import Caller

_DAYS_MAX: Final = 400
_TEMPLATES: Final = {"day": "seller_sales_by_day.v1", "product": "seller_sales_by_product.v1"}


class SellerSalesArguments(Arguments):
    """Which period, and what a row is."""

    date_from: dt.date = Field(description="First day, inclusive.")
    date_to: dt.date = Field(description="Last day, inclusive.")
    by: Literal["day", "product"] = Field(default="day", description="One row a day, or one a product.")
    product_id: Identifier | None = Field(default=None, description="Only this product.")

    @model_validator(mode="after")
    def _in_order(self) -> "SellerSalesArguments":
        if self.date_from > self.date_to:
            raise ValueError("date_from lies after date_to")
        if (self.date_to - self.date_from).days >= _DAYS_MAX:
            raise ValueError(f"date_from and date_to span more than {_DAYS_MAX} days")
        return self


class SellerSalesRow(Row):
    """Sales of a day, or of a product over the period."""

    day: dt.date | None
    """The day; null where a row is a product."""
    product_id: str | None
    """The product; null where a row is a day."""
    name_ko: str | None
    """Its name for Korean readers."""
    name_en: str | None
    """Its name for English readers."""
    units: int
    """Pieces sold."""
    orders: int
    """Orders."""
    cancelled_orders: int
    """Orders that were cancelled."""
    returned_orders: int
    """Orders that came back."""
    visitors: int
    """Visitors of the product's page."""
    revenue_krw: int
    """Revenue."""
    cost_krw: int
    """What the pieces cost the seller."""
    as_of: UtcTime
    """When the figures were counted."""


async def _read(arguments: SellerSalesArguments, reads: Reads, timeout_seconds: float, caller: Caller) -> ReadResult:
    return await read_own(
        reads,
        _TEMPLATES[arguments.by],
        SellerSalesRow,
        {
            "product_id": arguments.product_id or "",
            "date_from": arguments.date_from,
            "date_to": arguments.date_to,
        },
        caller=caller,
        rows_max=_DAYS_MAX,
        timeout_seconds=timeout_seconds,
    )


TOOL = Tool(
    name="seller_sales",
    description_ko="판매자 자신의 매출, 판매량, 취소·반품, 방문자를 날짜별 또는 상품별로 돌려줍니다.",
    description_en="Returns the calling seller's own sales, cancellations, returns and visitors, by day or by product.",
    arguments=SellerSalesArguments,
    row=SellerSalesRow,
    read_own=_read,
    domain="commerce",
    data_type="sales",
    cost=ToolCost.MEDIUM,
    typical_seconds=0.8,
    quality_prior=0.85,
    timeout_seconds=5,
    concurrency_max=8,
    required_role=SELLER,
)
