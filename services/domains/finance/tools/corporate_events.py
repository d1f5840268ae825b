"""corporate_events: products, contracts, investments, dividends and regulation of one company, newest first."""

import datetime as dt
from dataclasses import replace
from typing import Final, Literal

from pydantic import Field, model_validator

from services.contract.tool import ToolCost
from services.domains.finance.coverage import require_security
from services.domains.finance.tools.equity_prices import SecurityId
from services.plugin.tools.reads import ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_EVENTS_MAX: Final = 50


EVENTS: Final = Text("기업 사건", "Company events")
"""What a user calls the events."""


class CorporateEventsArguments(Arguments):
    """Which security, between which days."""

    ticker: SecurityId = Field(description="Security id: market and ticker, for example US:AAPL or KR:005930.")
    date_from: dt.date | None = Field(default=None, description="First day of an event, inclusive.")
    date_to: dt.date | None = Field(default=None, description="Last day of an event, inclusive.")
    limit: int = Field(default=10, ge=1, le=_EVENTS_MAX, description="Events to return, newest first.")

    @model_validator(mode="after")
    def _dates_in_order(self) -> "CorporateEventsArguments":
        if self.date_from and self.date_to and self.date_from > self.date_to:
            raise ValueError("date_from lies after date_to")
        return self


class CorporateEventsRow(Row):
    """One event."""

    event_id: str
    """Id of the event; never shown to a user."""
    security_id: str
    """Market and ticker."""
    ticker: str
    """Ticker on its exchange."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    event_date: dt.date
    """Day of the event, local to the exchange."""
    kind: Literal["product", "contract", "investment", "dividend", "regulation"]
    """What kind of event it is."""
    title_ko: str
    """What happened, for Korean readers."""
    title_en: str
    """What happened, for English readers."""
    as_of: UtcTime
    """When it was known."""

    @property
    def day(self) -> dt.date:
        """Its day."""
        return self.event_date

    def title(self, locale: str) -> str:
        """Return what happened."""
        return self.title_ko if locale == "ko" else self.title_en

    def text(self, locale: str) -> str:
        """Return what happened."""
        return self.title(locale)

    def subject(self, locale: str) -> str:
        """Return what all events are called together."""
        return EVENTS.said(locale)


async def _read(arguments: CorporateEventsArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    reading = await reads.read(
        "corporate_events.v1",
        CorporateEventsRow,
        {
            "security_id": arguments.ticker,
            "date_from": arguments.date_from or dt.date.min,
            "date_to": arguments.date_to or dt.date.max,
        },
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )
    if reading.rows:
        return reading
    await require_security(reads, arguments.ticker, timeout_seconds)
    return replace(reading, note=f"{arguments.ticker} is covered and has no such event")


TOOL = Tool(
    name="corporate_events",
    description_ko="상장 기업 하나의 제품, 계약, 투자, 배당, 규제 사건을 최근 순으로 돌려줍니다.",
    description_en="Returns product, contract, investment, dividend and regulation events of a company, newest first.",
    arguments=CorporateEventsArguments,
    row=CorporateEventsRow,
    read=_read,
    domain="finance",
    title=EVENTS,
    data_type="news",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.85,
    timeout_seconds=5,
    concurrency_max=8,
)
