"""earnings_events: earnings announcements of one security with their surprise, newest first."""

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

_EVENTS_MAX: Final = 20


class EarningsEventsArguments(Arguments):
    """Which security, up to which day."""

    ticker: SecurityId = Field(description="Security id: market and ticker, for example US:AAPL or KR:005930.")
    date_to: dt.date | None = Field(default=None, description="Last day of an announcement, inclusive.")
    limit: int = Field(default=3, ge=1, le=_EVENTS_MAX, description="Announcements to return, newest first.")


class EarningsEventsRow(Row):
    """One announcement."""

    security_id: str
    """Market and ticker."""
    ticker: str
    """Ticker on its exchange."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    event_date: dt.date
    """Trading day of the announcement, local to the exchange."""
    fiscal_period: str
    """Fiscal quarter that was announced, for example 2026Q1."""
    eps_actual: Exact
    """Earnings a share as announced."""
    eps_estimate: Exact
    """Earnings a share as expected."""
    surprise_percent: Exact
    """Difference of the two in percent of the estimate's size."""
    currency: Literal["USD", "KRW"]
    """Currency of earnings a share."""
    as_of: UtcTime
    """When it was announced."""

    @property
    def day(self) -> dt.date:
        """The day of the announcement."""
        return self.event_date

    def subject(self, locale: str) -> str:
        """Return the company's name."""
        return self.name_ko if locale == "ko" else self.name_en


async def _read(arguments: EarningsEventsArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    reading = await reads.read(
        "earnings_events.v1",
        EarningsEventsRow,
        {"security_id": arguments.ticker, "date_to": arguments.date_to or dt.date.max},
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )
    if reading.rows:
        return reading
    await require_security(reads, arguments.ticker, timeout_seconds)
    return replace(reading, note=f"{arguments.ticker} is covered and has no such announcement")


TOOL = Tool(
    name="earnings_events",
    description_ko="상장 종목 하나의 실적 발표일과 예상 대비 결과를 최근 순으로 돌려줍니다.",
    description_en="Returns earnings announcements of one security with actual, estimate and surprise, newest first.",
    arguments=EarningsEventsArguments,
    row=EarningsEventsRow,
    read=_read,
    domain="finance",
    title=Text("실적 발표", "Earnings announcements"),
    data_type="financials",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=8,
)
