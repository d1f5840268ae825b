"""equity_prices: daily bars of one covered security, newest first; the market decides the table."""

import datetime as dt
from dataclasses import replace
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, StringConstraints

from services.contract.tool import ToolCost
from services.plugin.tools.reads import Exact, ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool, UnknownIdentifier
from services.plugin.wording import Text

_BARS_MAX: Final = 520
_COVERED_MAX: Final = 200
_TEMPLATES: Final = {"US": "equity_prices_us.v1", "KR": "equity_prices_kr.v1"}

SecurityId = Annotated[
    str,
    StringConstraints(strip_whitespace=True, pattern=r"^(?:[Uu][Ss]|[Kk][Rr]):[A-Za-z0-9.\-]{1,24}$"),
    AfterValidator(str.upper),
]
"""Market and ticker, as US:AAPL or KR:005930; compared without regard to case."""


class EquityPricesArguments(Arguments):
    """Which security, how many bars."""

    ticker: SecurityId = Field(description="Security id: market and ticker, for example US:AAPL or KR:005930.")
    bars: int = Field(default=130, ge=1, le=_BARS_MAX, description="Newest daily bars to return.")


class EquityPricesRow(Row):
    """One daily bar."""

    security_id: str
    """Market and ticker."""
    ticker: str
    """Ticker on its exchange."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    date: dt.date
    """Trading day, local to the exchange."""
    open: Exact
    """First price."""
    high: Exact
    """Highest price."""
    low: Exact
    """Lowest price."""
    close: Exact
    """Last price."""
    volume: int
    """Shares traded."""
    currency: Literal["USD", "KRW"]
    """Currency of the prices."""
    as_of: UtcTime
    """When the session closed."""

    @property
    def day(self) -> dt.date:
        """The trading day."""
        return self.date

    @property
    def unit(self) -> str:
        """The metrics' unit of its prices."""
        return self.currency.lower()

    def subject(self, locale: str) -> str:
        """Return the security's name."""
        return self.name_ko if locale == "ko" else self.name_en


async def _read(arguments: EquityPricesArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    market = arguments.ticker.partition(":")[0]
    reading = await reads.read(
        _TEMPLATES[market],
        EquityPricesRow,
        {"security_id": arguments.ticker, "bars": arguments.bars},
        rows_max=_BARS_MAX,
        timeout_seconds=timeout_seconds,
    )
    if reading.rows:
        return reading
    listed = await reads.records(
        "securities_list.v1", {"market": market}, rows_max=_COVERED_MAX, timeout_seconds=timeout_seconds
    )
    covered = {record["security_id"]: record["name_en"] for record in listed}
    if arguments.ticker not in covered:
        names = ", ".join(f"{security_id} {name}" for security_id, name in covered.items())
        raise UnknownIdentifier("ticker", f"{arguments.ticker} is not covered; covered in its market: {names}")
    return replace(reading, note=f"{arguments.ticker} is covered and has no bars")


TITLE: Final = Text("일별 주가", "Daily prices")
"""What a user calls its rows."""
TOOL = Tool(
    name="equity_prices",
    description_ko="미국 또는 한국의 상장 종목 하나의 일봉(시가, 고가, 저가, 종가, 거래량)을 최근 순으로 돌려줍니다.",
    description_en="Returns daily bars (open, high, low, close, volume) of one US or Korean security, newest first.",
    arguments=EquityPricesArguments,
    title=TITLE,
    row=EquityPricesRow,
    read=_read,
    domain="finance",
    data_type="price",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=8,
)
