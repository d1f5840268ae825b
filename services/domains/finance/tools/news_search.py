"""news_search: news on shares, series and districts, by subject, day and words."""

import datetime as dt
from dataclasses import replace
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints, model_validator

from services.contract.tool import ToolCost
from services.domains.finance.tools.equity_prices import SecurityId
from services.domains.finance.tools.macro_series import SeriesId
from services.domains.finance.tools.real_estate_trend import RegionCode
from services.plugin.tools.found import FoundRow, SearchedRows, found_reading, listed_reading
from services.plugin.tools.reads import ReadResult, Reads, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_NEWS_MAX: Final = 5_000


class NewsSearchArguments(Arguments):
    """What the news is about, from when to when."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, max_length=400)] = Field(
        default="", description="Words that the news is about; without any the newest come first."
    )
    ticker: SecurityId | None = Field(default=None, description="Only news on this security.")
    series_ids: list[SeriesId] = Field(default=[], max_length=8, description="Only news on these macro series.")
    region_code: RegionCode | None = Field(default=None, description="Only news on this district.")
    country: Literal["US", "KR"] | None = Field(default=None, description="Only news of this country.")
    date_from: dt.date | None = Field(default=None, description="First day of publication (UTC), inclusive.")
    date_to: dt.date | None = Field(default=None, description="Last day of publication (UTC), inclusive.")
    limit: int = Field(default=5, ge=1, le=20, description="News to return.")

    @model_validator(mode="after")
    def _dates_in_order(self) -> "NewsSearchArguments":
        if self.date_from and self.date_to and self.date_from > self.date_to:
            raise ValueError("date_from lies after date_to")
        return self


class NewsSearchRow(FoundRow):
    """One piece of news."""

    news_id: str
    """Id of the news; never shown to a user."""
    country: Literal["US", "KR"]
    """Country that it is about."""
    published_at: UtcTime
    """When it was published."""
    title_ko: str
    """Title for Korean readers."""
    title_en: str
    """Title for English readers."""
    body_ko: str
    """Text for Korean readers."""
    body_en: str
    """Text for English readers."""
    as_of: UtcTime
    """When it was published."""

    @property
    def day(self) -> dt.date:
        """The day of its publication, UTC."""
        return self.published_at.date()

    def title(self, locale: str) -> str:
        """Return its title."""
        return self.title_ko if locale == "ko" else self.title_en

    def text(self, locale: str) -> str:
        """Return its text."""
        return self.body_ko if locale == "ko" else self.body_en

    def subject(self, locale: str) -> str:
        """Return what all news are called together."""
        return TITLE.said(locale)


async def _read(arguments: NewsSearchArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    subjects = [*filter(None, (arguments.ticker, arguments.region_code)), *arguments.series_ids]
    values = {
        "subject_ids": subjects or [""],
        "date_from": arguments.date_from or dt.date.min,
        "date_before": _day_after(arguments.date_to),
        "country": arguments.country or "",
    }
    listed = await reads.records("news_ids.v1", values, rows_max=_NEWS_MAX, timeout_seconds=timeout_seconds)
    ids = [record["news_id"] for record in listed]
    found = SearchedRows("news_articles.v1", "news_id", {"query": arguments.query, **values})
    if not arguments.query:
        reading = await listed_reading(reads, found, NewsSearchRow, ids[: arguments.limit], timeout_seconds)
    else:
        allowed = frozenset(ids)
        hits = await reads.finder.find("news", arguments.query, timeout_seconds=timeout_seconds, allowed=allowed)
        reading = await found_reading(reads, found, NewsSearchRow, hits[: arguments.limit], timeout_seconds)
    return reading if reading.rows else replace(reading, note="no news fits")


def _day_after(day: dt.date | None) -> dt.date:
    return dt.date.max if day is None or day == dt.date.max else day + dt.timedelta(days=1)


TITLE: Final = Text("관련 뉴스", "Related news")
"""What a user calls its rows."""
TOOL = Tool(
    name="news_search",
    description_ko="종목, 거시 지표, 지역에 관한 뉴스를 낱말과 날짜로 찾아 줍니다.",
    description_en="Finds news on securities, macro series and districts by words and days.",
    arguments=NewsSearchArguments,
    title=TITLE,
    row=NewsSearchRow,
    read=_read,
    domain="finance",
    data_type="news",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.8,
    timeout_seconds=10,
    concurrency_max=8,
)
