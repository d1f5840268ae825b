"""The messages of chart.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

from dataclasses import dataclass
from enum import StrEnum

from hapju.flow.v1 import chart_pb2
from services.contract.mapping import message


class ChartKind(StrEnum):
    """How a chart is drawn."""

    LINE = "LINE"
    """A line for each series, over time."""
    BARS = "BARS"
    """A bar for each point, the first on top: a ranking or a comparison."""


@message(chart_pb2.ChartPoint)
@dataclass(frozen=True, slots=True)
class ChartPoint:
    """One point of a series."""

    x: str
    """Where it stands: under LINE a day, ISO 8601; under BARS what the bar is of, as a user reads it."""
    y: str
    """Its value, a decimal number in plain notation."""


@message(chart_pb2.ChartSeries)
@dataclass(frozen=True, slots=True)
class ChartSeries:
    """The points of one subject."""

    name: str
    """The subject as a user reads it."""
    points: tuple[ChartPoint, ...]
    """The points: under LINE in time's order, under BARS in the answer's."""
    evidence_ids: tuple[str, ...]
    """The evidence whose rows hold the points; never empty."""


@message(chart_pb2.Chart)
@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of what an answer tells, for any client to draw. Each value of it stands in the rows of its evidence,
    or is a figure that the answer tells.
    """

    kind: ChartKind
    """How it is drawn."""
    title: str
    """What it shows, in the flow's language."""
    unit: str
    """The unit of every value, as in Metric; empty where it is not known."""
    series: tuple[ChartSeries, ...]
    """The series, one to six."""
