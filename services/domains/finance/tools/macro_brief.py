"""macro_brief: the stored US macro brief of 08:30 in Seoul, line by line, with its date."""

import datetime as dt
from dataclasses import replace
from typing import Final, Literal

from pydantic import Field

from services.contract.tool import ToolCost
from services.plugin.tools.reads import Exact, ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_LINES_MAX: Final = 30


BRIEF_TITLE: Final = Text("08:30 미국 거시 브리핑", "US macro brief of 08:30")
"""What a user calls it."""


class MacroBriefArguments(Arguments):
    """Which day's brief."""

    date_to: dt.date | None = Field(
        default=None, description="The newest brief at or before this day in Seoul; the newest of all where absent."
    )


class MacroBriefRow(Row):
    """One line of the brief."""

    brief_date: dt.date
    """Day of the brief in Seoul."""
    position: int
    """Place of the line, from 1."""
    series_id: str
    """Series that it tells of."""
    title_ko: str
    """Title of the series for Korean readers."""
    title_en: str
    """Title of the series for English readers."""
    unit: str
    """Unit of the values."""
    frequency: Literal["daily", "weekly", "monthly", "quarterly"]
    """How often the series is published."""
    observation_date: dt.date
    """First day of the period that the value measures."""
    value: Exact
    """Value as it was known at 08:30."""
    previous_value: Exact
    """Value of the release before."""
    text_ko: str
    """The line for Korean readers."""
    text_en: str
    """The line for English readers."""
    as_of: UtcTime
    """The moment of the brief: 08:30 in Seoul."""

    @property
    def day(self) -> dt.date:
        """The day of the brief in Seoul."""
        return self.brief_date

    def title(self, locale: str) -> str:
        """Return the series' title."""
        return self.title_ko if locale == "ko" else self.title_en

    def subject(self, locale: str) -> str:
        """Return the series' title, told apart from the series itself by the brief's name."""
        return f"{BRIEF_TITLE.said(locale)} {self.title(locale)}"


async def _read(arguments: MacroBriefArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    reading = await reads.read(
        "macro_brief.v1",
        MacroBriefRow,
        {"date_to": arguments.date_to or dt.date.max},
        rows_max=_LINES_MAX,
        timeout_seconds=timeout_seconds,
    )
    return reading if reading.rows else replace(reading, note="no brief is stored at or before that day")


TOOL = Tool(
    name="macro_brief",
    description_ko="저장된 08:30 미국 거시 브리핑을 날짜와 함께 지표별로 돌려줍니다.",
    description_en="Returns the stored 08:30 US macro brief with its date, one line a series.",
    arguments=MacroBriefArguments,
    row=MacroBriefRow,
    read=_read,
    domain="finance",
    title=BRIEF_TITLE,
    data_type="macro",
    cost=ToolCost.LOW,
    typical_seconds=0.3,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=8,
)
