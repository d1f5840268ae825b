"""graph_stories: stories about the themes that series and companies belong to, with what supports them."""

from dataclasses import replace
from typing import Final

from pydantic import Field, model_validator

from services.contract.tool import ToolCost
from services.domains.finance.nodes import require_nodes
from services.domains.finance.tools.equity_prices import SecurityId
from services.domains.finance.tools.macro_series import SeriesId
from services.plugin.tools.reads import ReadResult, Reads, Row, UtcTime, reading_of
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_ROWS_MAX: Final = 40


class GraphStoriesArguments(Arguments):
    """Which series, which security."""

    series_ids: list[SeriesId] = Field(default=[], max_length=8, description="Series whose themes are wanted.")
    ticker: SecurityId | None = Field(default=None, description="Security whose theme is wanted.")
    limit: int = Field(default=10, ge=1, le=_ROWS_MAX, description="Rows to return.")

    @model_validator(mode="after")
    def _names_something(self) -> "GraphStoriesArguments":
        if not self.series_ids and not self.ticker:
            raise ValueError("series_ids is empty, and ticker names no security")
        return self


class GraphStoriesRow(Row):
    """One piece of evidence of one story."""

    theme_id: str
    """Id of the theme; never shown to a user."""
    theme_ko: str
    """Theme for Korean readers."""
    theme_en: str
    """Theme for English readers."""
    story_id: str
    """Id of the story; never shown to a user."""
    title_ko: str
    """Title of the story."""
    title_en: str
    """Title in English."""
    text_ko: str
    """The story for Korean readers."""
    text_en: str
    """The story for English readers."""
    evidence_id: str
    """Id of the evidence."""
    evidence_ko: str
    """What supports the story."""
    evidence_en: str
    """The same in English."""
    as_of: UtcTime
    """The moment that it speaks of."""

    def subject(self, locale: str) -> str:
        """Return the story's title."""
        return self.title_ko if locale == "ko" else self.title_en

    def text(self, locale: str) -> str:
        """Return the story."""
        return self.text_ko if locale == "ko" else self.text_en


async def _read(arguments: GraphStoriesArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    ids = [*arguments.series_ids, *([arguments.ticker] if arguments.ticker else [])]
    await require_nodes(reads, ids, timeout_seconds)
    records = await reads.graph.records(
        "graph_stories.v1", {"ids": ids}, rows_max=arguments.limit + 1, timeout_seconds=timeout_seconds
    )
    origin = await reads.graph.origin(["graph_stories.v1"], "Story")
    reading = reading_of(origin, GraphStoriesRow, {"ids": ids}, records, rows_max=arguments.limit)
    return reading if reading.rows else replace(reading, note="no story is told about these")


TITLE: Final = Text("주제 이야기", "Stories")
"""What a user calls its rows."""
TOOL = Tool(
    name="graph_stories",
    description_ko="지표와 기업이 속한 주제의 이야기를 근거와 함께 돌려줍니다.",
    description_en="Returns stories about the themes of series and companies, with what supports them.",
    arguments=GraphStoriesArguments,
    title=TITLE,
    row=GraphStoriesRow,
    read=_read,
    domain="finance",
    data_type="graph",
    needs="graph",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.75,
    timeout_seconds=8,
    concurrency_max=4,
)
