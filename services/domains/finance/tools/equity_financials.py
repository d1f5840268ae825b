"""equity_financials: reported figures of one security by fiscal quarter, newest quarter first."""

import datetime as dt
from dataclasses import replace
from typing import Final, Literal

from pydantic import Field

from services.contract.tool import ToolCost
from services.domains.finance.coverage import require_security
from services.domains.finance.tools.equity_prices import SecurityId
from services.plugin.tools.reads import Exact, ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_PERIODS_MAX: Final = 20
_ROWS_MAX: Final = 300

Item = Literal[
    "revenue",
    "operating_income",
    "net_income",
    "total_equity",
    "eps",
    "bps",
    "shares_outstanding",
    "dividend_per_share",
]


class EquityFinancialsArguments(Arguments):
    """Which security, how many quarters."""

    ticker: SecurityId = Field(description="Security id: market and ticker, for example US:AAPL or KR:005930.")
    periods: int = Field(default=8, ge=1, le=_PERIODS_MAX, description="Newest fiscal quarters to return.")


class EquityFinancialsRow(Row):
    """One item of one fiscal quarter."""

    security_id: str
    """Market and ticker."""
    ticker: str
    """Ticker on its exchange."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    fiscal_period: str
    """Fiscal quarter, for example 2026Q1."""
    period_end: dt.date
    """Last day of the quarter."""
    item: Item
    """What the value is; eps and bps are earnings and book value a share, of the quarter and at its end."""
    value: Exact
    """The value."""
    unit: Literal["USD", "KRW", "USD/share", "KRW/share", "shares"]
    """Unit of the value."""
    as_of: UtcTime
    """When the quarter was announced."""

    def subject(self, locale: str) -> str:
        """Return the company's name."""
        return self.name_ko if locale == "ko" else self.name_en


async def _read(arguments: EquityFinancialsArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    reading = await reads.read(
        "equity_financials.v1",
        EquityFinancialsRow,
        {"security_id": arguments.ticker, "periods": arguments.periods},
        rows_max=_ROWS_MAX,
        timeout_seconds=timeout_seconds,
    )
    if reading.rows:
        return reading
    await require_security(reads, arguments.ticker, timeout_seconds)
    return replace(reading, note=f"{arguments.ticker} is covered and has no financials")


TOOL = Tool(
    name="equity_financials",
    description_ko="상장 종목 하나의 분기별 매출, 이익, 자본, 주당 지표를 최근 분기부터 돌려줍니다.",
    description_en="Returns revenue, income, equity and figures a share of one security by quarter, newest first.",
    arguments=EquityFinancialsArguments,
    row=EquityFinancialsRow,
    read=_read,
    domain="finance",
    title=Text("분기 실적", "Quarterly figures"),
    data_type="financials",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=8,
)
