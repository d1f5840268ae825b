"""The messages of chart.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from typing import Any, Self

from hapju.flow.v1 import chart_pb2
from services.contract.mapping import Mapped, Numbered, dataclass, each, numbered, within


@numbered(chart_pb2.ChartKind)
class ChartKind(Numbered):
    """How a chart is drawn."""

    LINE = "LINE"
    """A line for each series, over time."""
    BARS = "BARS"
    """A bar for each point, the first on top: a ranking or a comparison."""


@dataclass(frozen=True)
class ChartPoint(Mapped):
    """One point of a series."""

    __slots__ = (
        "x",
        "y",
    )
    MESSAGE = chart_pb2.ChartPoint
    x: str
    """Where it stands: under LINE a day, ISO 8601; under BARS what the bar is of, as a user reads it."""
    y: str
    """Its value, a decimal number in plain notation."""

    def __init__(self, x: str, y: str) -> None:
        put = object.__setattr__
        put(self, "x", x)
        put(self, "y", y)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.x,
            self.y,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.x:
            target.x = item
        if item := self.y:
            target.y = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.x, source.y)


@dataclass(frozen=True)
class ChartSeries(Mapped):
    """The points of one subject."""

    __slots__ = (
        "name",
        "points",
        "evidence_ids",
    )
    MESSAGE = chart_pb2.ChartSeries
    name: str
    """The subject as a user reads it."""
    points: tuple[ChartPoint, ...]
    """The points: under LINE in time's order, under BARS in the answer's."""
    evidence_ids: tuple[str, ...]
    """The evidence whose rows hold the points; never empty."""

    def __init__(self, name: str, points: tuple[ChartPoint, ...], evidence_ids: tuple[str, ...]) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "points", points)
        put(self, "evidence_ids", evidence_ids)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.name,
            self.points,
            self.evidence_ids,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.name:
            target.name = item
        for item in self.points:
            item.write_to(target.points.add())
        target.evidence_ids.extend(self.evidence_ids)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.name, each("points", ChartPoint.read_from, source.points), tuple(source.evidence_ids))


@dataclass(frozen=True)
class Chart(Mapped):
    """A picture of what an answer tells, for any client to draw. Each value of it stands in the rows of its evidence,
    or is a figure that the answer tells.
    """

    __slots__ = (
        "kind",
        "title",
        "unit",
        "series",
    )
    MESSAGE = chart_pb2.Chart
    kind: ChartKind
    """How it is drawn."""
    title: str
    """What it shows, in the flow's language."""
    unit: str
    """The unit of every value, as in Metric; empty where it is not known."""
    series: tuple[ChartSeries, ...]
    """The series, one to six."""

    def __init__(self, kind: ChartKind, title: str, unit: str, series: tuple[ChartSeries, ...]) -> None:
        put = object.__setattr__
        put(self, "kind", kind)
        put(self, "title", title)
        put(self, "unit", unit)
        put(self, "series", series)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.kind,
            self.title,
            self.unit,
            self.series,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        target.kind = self.kind.number
        if item := self.title:
            target.title = item
        if item := self.unit:
            target.unit = item
        for item in self.series:
            item.write_to(target.series.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("kind", ChartKind.read_from, source.kind),
            source.title,
            source.unit,
            each("series", ChartSeries.read_from, source.series),
        )
