"""Charts in a terminal: small, aligned, and none where there is no room."""

from rich.cells import cell_len

from hapju.flow.v1 import chart_pb2
from services.cli.ask.drawing import COLUMNS_MAX, drawn


def bars(*points: tuple[str, str], unit: str = "krw") -> chart_pb2.Chart:
    """Returns a chart of bars."""
    series = chart_pb2.ChartSeries(name="값", points=[chart_pb2.ChartPoint(x=x, y=y) for x, y in points])
    return chart_pb2.Chart(kind=chart_pb2.CHART_KIND_BARS, title="전세 보증금", unit=unit, series=[series])


def line(*names: str) -> chart_pb2.Chart:
    """Returns a chart of lines over a year, one for each name."""
    series = [
        chart_pb2.ChartSeries(
            name=name,
            points=[
                chart_pb2.ChartPoint(x=f"2026-{month:02d}-01", y=f"{4 + month * at / 10}") for month in range(1, 13)
            ],
        )
        for at, name in enumerate(names, 1)
    ]
    return chart_pb2.Chart(kind=chart_pb2.CHART_KIND_LINE, title="실업률", unit="percent", series=series)


def test_bars_stand_in_one_column_whatever_the_script() -> None:
    """Labels of Hangul and Latin letters take the same room, the longest bar is the greatest value, sums are scaled."""
    rows = drawn([bars(("강남구", "925110000"), ("Mapo-gu", "462555000"), ("용산", "-100000000"))], "ko", 80)
    assert rows[1] == "전세 보증금 · 값 (억원)"
    first, second, third = rows[2:]
    assert (first.count("█"), second.count("█"), third.count("░")) == (24, 12, 3)
    assert first.endswith("9.25")
    starts = {cell_len(row[: min(row.index(mark) for mark in "█░" if mark in row)]) for row in (first, second, third)}
    assert len(starts) == 1


def test_a_long_label_is_cut() -> None:
    """A name that is longer than its column is cut with a sign of it."""
    rows = drawn([bars(("가" * 40, "2"), ("나", "1"), unit="count")], "ko", 80)
    assert "…" in rows[2]
    assert cell_len(rows[2]) <= COLUMNS_MAX


def test_a_line_names_its_days_and_its_range() -> None:
    """The first and the last day and the lowest and highest value are told; several lines have a legend."""
    rows = drawn([line("미국")], "en", 200)
    assert rows[1] == "실업률 · 미국 (%)"
    assert {"2026-01-01", "2026-12-01"} <= set(rows[-1].split())
    assert any("5.20" in row for row in rows)
    assert any("4.10" in row for row in rows)
    assert max(map(cell_len, rows)) <= COLUMNS_MAX + 2
    assert [row.partition(": ")[2] for row in drawn([line("미국", "한국")], "ko", 80)[-2:]] == ["미국", "한국"]


def test_a_narrow_terminal_gets_none() -> None:
    """Where a chart would be broken over lines there is none."""
    assert drawn([line("미국")], "ko", 59) == []
