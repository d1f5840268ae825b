"""Draws an answer's charts in a terminal: a small line plot, or a bar for each thing.

A Hangul syllable takes two columns, which the plot's library does not know: what stands beside a plot is in digits, and
its title says in what they are.
"""

from collections.abc import Iterable
from typing import Final, Literal

from rich.cells import cell_len, set_cell_size

from hapju.flow.v1 import chart_pb2

COLUMNS_MIN: Final = 60
"""A narrower terminal gets no chart."""
COLUMNS_MAX: Final = 72
"""How wide a chart is at most."""
_ROWS: Final = 9
_BAR: Final = 24
_LABEL_MAX: Final = 28
_TICKS: Final = 3
_MARKERS: Final = ("braille", "dot", "hd", "sd", "fhd", "x")
Language = Literal["ko", "en"]
_SCALES: Final[dict[str, tuple[tuple[float, float, str, str], ...]]] = {
    "krw": (
        (1e12, 1e12, "조원", "KRW trillion"),
        (1e8, 1e8, "억원", "KRW 100 million"),
        (1e5, 1e4, "만원", "KRW 10,000"),
    ),
}
_UNITS: Final[dict[str, tuple[str, str]]] = {
    "krw": ("원", "KRW"),
    "usd": ("달러", "USD"),
    "percent": ("%", "%"),
    "percentage_point": ("%p", "percentage points"),
    "persons": ("명", "persons"),
    "count": ("건", "count"),
    "ratio": ("배", "times"),
    "days": ("일", "days"),
}


def drawn(charts: Iterable[chart_pb2.Chart], language: Language, columns: int) -> list[str]:
    """Return the lines of an answer's charts; none where the terminal is too narrow."""
    if columns < COLUMNS_MIN:
        return []
    width = min(columns, COLUMNS_MAX)
    return [line for chart in charts for line in _of(chart, language, width)]


def _of(chart: chart_pb2.Chart, language: Language, width: int) -> list[str]:
    values = [[float(point.y) for point in series.points] for series in chart.series]
    scale, unit = _scaled(chart.unit, max(abs(one) for own in values for one in own), language)
    scaled = [[one / scale for one in own] for own in values]
    names = {series.name for series in chart.series} - {chart.title}
    title = f"{chart.title} · {names.pop()}" if len(names) == len(chart.series) == 1 else chart.title
    title = f"{title} ({unit})" if unit else title
    draw = _bars if chart.kind == chart_pb2.CHART_KIND_BARS else _plot
    return ["", title, *draw(chart, scaled, width)]


def _scaled(unit: str, most: float, language: Language) -> tuple[float, str]:
    place = 0 if language == "ko" else 1
    for least, scale, *names in _SCALES.get(unit, ()):
        if most >= least:
            return scale, names[place]
    return 1.0, _UNITS.get(unit, ("", ""))[place]


def _bars(chart: chart_pb2.Chart, scaled: list[list[float]], _: int) -> list[str]:
    points, values = chart.series[0].points, scaled[0]
    most = max(map(abs, values)) or 1.0
    width = min(max(cell_len(point.x) for point in points), _LABEL_MAX)
    bars = [("█" if value >= 0 else "░") * round(abs(value) / most * _BAR) for value in values]
    return [
        f"  {_cut(point.x, width)}  {bar:<{_BAR}}  {_shown(value)}"
        for point, bar, value in zip(points, bars, values, strict=True)
    ]


def _cut(text: str, width: int) -> str:
    return set_cell_size(text, width) if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"


def _plot(chart: chart_pb2.Chart, scaled: list[list[float]], width: int) -> list[str]:
    import plotext  # noqa: PLC0415 - bars do without

    days = sorted({point.x for series in chart.series for point in series.points})
    place = {day: at for at, day in enumerate(days)}
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plot_size(width, _ROWS)
    plotext.frame(False)
    for series, values, marker in zip(chart.series, scaled, _MARKERS, strict=False):
        plotext.plot([place[point.x] for point in series.points], values, marker=marker)
    low, high = (pick(one for own in scaled for one in own) for pick in (min, max))
    ticks = [low + (high - low) * at / (_TICKS - 1) for at in range(_TICKS)] if high > low else [low]
    plotext.yticks(ticks, [_shown(tick) for tick in ticks])
    shown = sorted({0, len(days) // 2, len(days) - 1})
    plotext.xticks(shown, [days[at][:10] for at in shown])
    rows = [f"  {row}".rstrip() for row in plotext.uncolorize(plotext.build()).splitlines()]
    names = [f"  {marker}: {series.name}" for series, marker in zip(chart.series, _MARKERS, strict=False)]
    return [*rows, *(names if len(names) > 1 else [])]


def _shown(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:,.2f}"
