"""macro_series: observations of US and Korean macro series, newest first."""

import datetime as dt
import re
from dataclasses import replace
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from services.contract.tool import ToolCost
from services.plugin.tools.reads import Exact, ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool, UnknownIdentifier
from services.plugin.wording import Text

_SERIES_MAX: Final = 8
_ROWS_MAX: Final = 1_500
_COVERED_MAX: Final = 200

SeriesId = Annotated[
    str, StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9_]{1,40}$"), AfterValidator(str.upper)
]
"""The id of a series; compared without regard to case."""


class MacroSeriesArguments(Arguments):
    """Which series, which dates, how many observations."""

    series_ids: list[SeriesId] = Field(
        min_length=1, max_length=_SERIES_MAX, description="Series ids, for example UNRATE or KR_BASE_RATE."
    )
    date_from: dt.date | None = Field(default=None, description="First date of an observation, inclusive.")
    date_to: dt.date | None = Field(default=None, description="Last date of an observation, inclusive.")
    limit: int = Field(default=24, ge=1, le=600, description="Newest observations to return for each series.")

    @model_validator(mode="after")
    def _dates_in_order(self) -> "MacroSeriesArguments":
        if self.date_from and self.date_to and self.date_from > self.date_to:
            raise ValueError("date_from lies after date_to")
        return self


class MacroSeriesRow(Row):
    """One observation of one series."""

    series_id: str
    """Id of the series."""
    country: Literal["US", "KR"]
    """Country that it measures."""
    title_ko: str
    """Title for Korean readers."""
    title_en: str
    """Title for English readers."""
    unit: str
    """Unit of the value, for example %, thousand persons or index 1982-84=100."""
    frequency: Literal["daily", "weekly", "monthly", "quarterly"]
    """How often it is published."""
    date: dt.date
    """First day of the period that the value measures."""
    value: Exact
    """The value."""
    as_of: UtcTime
    """When the value was published."""
    next_release_date: dt.date | None
    """When the following period's value is due; null for a series that has ended."""

    @property
    def day(self) -> dt.date:
        """The first day of the period that the value measures."""
        return self.date

    def subject(self, locale: str) -> str:
        """Return the title without what stands in brackets behind it."""
        return re.sub(r"\s*\([^()]*\)$", "", self.title(locale))

    def title(self, locale: str) -> str:
        """Return the whole title."""
        return self.title_ko if locale == "ko" else self.title_en


async def _read(arguments: MacroSeriesArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    reading = await reads.read(
        "macro_observations.v1",
        MacroSeriesRow,
        {
            "series_ids": arguments.series_ids,
            "date_from": arguments.date_from or dt.date.min,
            "date_to": arguments.date_to or dt.date.max,
            "per_series": arguments.limit,
        },
        rows_max=_ROWS_MAX,
        timeout_seconds=timeout_seconds,
    )
    found = {row.series_id for row in reading.rows if isinstance(row, MacroSeriesRow)}
    without_rows = [series_id for series_id in arguments.series_ids if series_id not in found]
    if reading.truncated or not without_rows:
        return reading
    listed = await reads.records("macro_series_list.v1", {}, rows_max=_COVERED_MAX, timeout_seconds=timeout_seconds)
    return replace(reading, note=_note(arguments, without_rows, [record["series_id"] for record in listed]))


def _note(arguments: MacroSeriesArguments, without_rows: list[str], covered: list[str]) -> str:
    """Say which series have no rows between the dates and which are not covered at all.

    Raises:
        UnknownIdentifier: No series of the call is covered.
    """
    unknown = [series_id for series_id in without_rows if series_id not in covered]
    empty = [series_id for series_id in without_rows if series_id in covered]
    not_covered = f"{', '.join(unknown)} not covered; covered: {', '.join(covered)}"
    if len(unknown) == len(arguments.series_ids):
        raise UnknownIdentifier("series_ids", not_covered)
    notes = [f"no observation of {', '.join(empty)} lies between the dates"] if empty else []
    return "; ".join([*notes, not_covered] if unknown else notes)


TITLE: Final = Text("거시 지표", "Macro series")
"""What a user calls its rows."""
TOOL = Tool(
    name="macro_series",
    description_ko="미국과 한국의 거시 지표(금리, 물가, 고용, 환율, 주택 지표 등)의 최근 관측값을 돌려줍니다.",
    description_en="Returns recent observations of US and Korean macro series: rates, prices, jobs, FX, housing.",
    arguments=MacroSeriesArguments,
    title=TITLE,
    row=MacroSeriesRow,
    read=_read,
    domain="finance",
    data_type="macro",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.9,
    timeout_seconds=5,
    concurrency_max=8,
)
