"""Pictures of what an answer tells: a line where something moves, bars where things are ranked or compared.

An answerer draws only what was asked, from the rows and figures that its sentences rest on; what does not stand in them
is left out when the answer is put together. A picture that would show nothing is none.
"""

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from services.contract.charts import Chart, ChartKind, ChartPoint, ChartSeries

POINTS_MIN: Final = 4
"""A line of fewer points tells less than its two ends, which the answer names."""
POINTS_MAX: Final = 260
"""A year of trading days: of a longer line every n-th point is kept, and the last."""
BARS_MAX: Final = 12
"""Bars of one picture."""
SERIES_MAX: Final = 6
"""Lines of one picture."""


def line(name: str, points: Iterable[tuple[str, Decimal | None]], *evidence_ids: str) -> ChartSeries | None:
    """Return the line of one subject over days, the earliest first; None where it has too few."""
    held = sorted({day[:10]: value for day, value in points if value is not None}.items())
    every = -(-len(held) // POINTS_MAX) if held else 1
    kept = held[::-every][::-1]
    if len(kept) < POINTS_MIN or not evidence_ids:
        return None
    return ChartSeries(name, tuple(ChartPoint(day, _plain(value)) for day, value in kept), evidence_ids)


def lines(title: str, unit: str, *series: ChartSeries | None) -> tuple[Chart, ...]:
    """Return one picture of several lines; none where there is no line."""
    drawn = tuple(one for one in series if one is not None)[:SERIES_MAX]
    return (Chart(ChartKind.LINE, title, unit, drawn),) if drawn else ()


def bars(
    title: str, unit: str, points: Iterable[tuple[str, Decimal | None]], evidence_ids: Iterable[str]
) -> tuple[Chart, ...]:
    """Return a picture of bars in the answer's order; none where there are not two that differ."""
    held = [(name, value) for name, value in points if value is not None][:BARS_MAX]
    ids = tuple(evidence_ids)
    if len({value for _, value in held}) < 2 or not ids:
        return ()
    found = tuple(ChartPoint(name, _plain(value)) for name, value in held)
    return (Chart(ChartKind.BARS, title, unit, (ChartSeries(title, found, ids),)),)


def _plain(value: Decimal) -> str:
    return f"{value:f}"
