"""Pictures of what an answer tells. Field meanings stand in protos/hapju/flow/v1/chart.proto."""

from dataclasses import dataclass
from enum import StrEnum

from hapju.flow.v1 import chart_pb2
from services.contract.mapping import message


class ChartKind(StrEnum):
    """How a chart is drawn."""

    LINE = "LINE"
    BARS = "BARS"


@message(chart_pb2.ChartPoint)
@dataclass(frozen=True, slots=True)
class ChartPoint:
    """One point of a series."""

    x: str
    y: str


@message(chart_pb2.ChartSeries)
@dataclass(frozen=True, slots=True)
class ChartSeries:
    """The points of one subject."""

    name: str
    points: tuple[ChartPoint, ...]
    evidence_ids: tuple[str, ...]


@message(chart_pb2.Chart)
@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of what an answer tells."""

    kind: ChartKind
    title: str
    unit: str
    series: tuple[ChartSeries, ...]
