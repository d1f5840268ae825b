"""graph_correlations: indicators whose monthly changes move together or against each other."""

from dataclasses import replace
from typing import Final

from pydantic import Field

from services.contract.tool import ToolCost
from services.domains.finance.nodes import plain_name, require_nodes
from services.domains.finance.tools.macro_series import SeriesId
from services.plugin.tools.reads import Exact, ReadResult, Reads, Row, UtcTime, reading_of
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_ROWS_MAX: Final = 40


class GraphCorrelationsArguments(Arguments):
    """Which series."""

    series_ids: list[SeriesId] = Field(min_length=1, max_length=8, description="Series on either side.")
    limit: int = Field(default=10, ge=1, le=_ROWS_MAX, description="Pairs to return, closest first.")


class GraphCorrelationsRow(Row):
    """One pair of series."""

    id_1: str
    """Id of the first series."""
    name_ko_1: str
    """Its name for Korean readers."""
    name_en_1: str
    """Its name for English readers."""
    id_2: str
    """Id of the second series."""
    name_ko_2: str
    """Its name for Korean readers."""
    name_en_2: str
    """Its name for English readers."""
    coefficient: Exact
    """Correlation of monthly changes, -1 to 1; it names no cause."""
    months: Exact
    """Monthly changes that it rests on."""
    as_of: UtcTime
    """The moment up to which months are counted."""

    def names(self, locale: str) -> tuple[str, str]:
        """Return both names."""
        pair = (self.name_ko_1, self.name_ko_2) if locale == "ko" else (self.name_en_1, self.name_en_2)
        return plain_name(pair[0]), plain_name(pair[1])

    def subject(self, locale: str) -> str:
        """Return both names as one subject."""
        return " · ".join(self.names(locale))


async def _read(arguments: GraphCorrelationsArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    values = {"ids": list(arguments.series_ids)}
    await require_nodes(reads, arguments.series_ids, timeout_seconds)
    records = await reads.graph.records(
        "graph_correlates.v1", values, rows_max=arguments.limit + 1, timeout_seconds=timeout_seconds
    )
    origin = await reads.graph.origin(["graph_correlates.v1"], "CORRELATES")
    reading = reading_of(origin, GraphCorrelationsRow, values, records, rows_max=arguments.limit)
    return reading if reading.rows else replace(reading, note="no correlation of these is stored")


TOOL = Tool(
    name="graph_correlations",
    description_ko="지표와 함께 움직이는 지표를 월간 변화의 상관계수와 함께 돌려줍니다.",
    description_en="Returns indicators that move with the named ones, with the correlation of monthly changes.",
    arguments=GraphCorrelationsArguments,
    row=GraphCorrelationsRow,
    read=_read,
    domain="finance",
    title=Text("상관관계", "Correlations"),
    data_type="graph",
    needs="graph",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.7,
    timeout_seconds=8,
    concurrency_max=4,
)
