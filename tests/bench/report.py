"""Figures and the machine that they were taken on."""

import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any, Final

from services.cli.output import print_line, print_table

Note = Callable[[str], None]
"""Takes a line of progress."""

MEGABYTE: Final = 1_000_000
_ONE_DIGIT_FROM: Final = 100.0


@dataclass(frozen=True, slots=True)
class Result:
    """One figure."""

    name: str
    """What was measured."""
    unit: str
    """Its unit: us, ms, s, MB, 1/s, count or ratio."""
    value: float
    """The median over the rounds."""
    floor: float | None
    """What the report's floor took for the same in the same rounds; None where it does no such thing."""
    beside: str = ""
    """What this floor is that of, where a report has several."""
    limit: float | None = None
    """What the ratio is to keep below, or the value's rate above, where that is said; printed, not judged."""
    paired: float | None = None
    """The median of the rounds' own ratios, where each round took both one after the other."""

    @property
    def ratio(self) -> float | None:
        """The rounds' own ratio, or value by floor."""
        if self.paired is not None:
            return round(self.paired, 3)
        return None if not self.floor else round(self.value / self.floor, 3)

    def as_json(self) -> dict[str, Any]:
        """Returns its object; `beside` and `limit` stand in it where they are said."""
        always = {"name": self.name, "unit": self.unit, "value": self.value, "floor": self.floor, "ratio": self.ratio}
        said = {"beside": self.beside or None, "limit": self.limit}
        return always | {name: value for name, value in said.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of one run."""

    results: tuple[Result, ...]
    """The figures."""
    floor: str = "bare grpc.aio"
    """What the floors are those of."""
    stated: Mapping[str, object] = field(default_factory=dict)
    """What is no figure, by name: whether something holds, or a list of what does not."""
    notes: tuple[str, ...] = ()
    """What a reader has to know: what each side does, and what was left out and why."""

    def as_json(self) -> dict[str, Any]:
        """Returns {machine, results}, and what is stated and the notes where there are any."""
        figures = {"machine": machine(), "results": [result.as_json() for result in self.results]}
        said = {"stated": dict(self.stated), "notes": list(self.notes)}
        return figures | {name: value for name, value in said.items() if value}


def median_result(name: str, unit: str, values: list[float], floors: list[float] | None = None) -> Result:
    """Returns the medians of rounds, rounded to what such figures are good for."""
    return Result(name, unit, round(median(values), 3), round(median(floors), 3) if floors else None)


def paired_result(
    name: str, unit: str, values: list[float], floors: list[float], *, beside: str, limit: float | None = None
) -> Result:
    """Returns the medians of rounds that took both sides, and the median of their ratios: it outlasts a busy minute."""
    ratio = median(value / floor for value, floor in zip(values, floors, strict=True))
    return Result(name, unit, round(median(values), 3), round(median(floors), 3), beside, limit, ratio)


def machine() -> dict[str, Any]:
    """Returns what figures depend on: processor, cores, kernel, interpreter, grpcio, and how busy it was."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "grpcio": version("grpcio"),
        "load_1_minute": round(os.getloadavg()[0], 2),
    }


def print_report(report: Report) -> None:
    """Prints the figures as a table, the machine above it."""
    print_line(", ".join(f"{name} {value}" for name, value in machine().items()))
    print_line()
    for note in report.notes:
        print_line(note)
    if report.notes:
        print_line()
    columns: dict[str, Callable[[Result], str]] = {
        "measured": lambda result: result.name,
        "value": lambda result: _figure(result.value),
        report.floor: lambda result: _or_dash(result.floor),
        "ratio": lambda result: "-" if result.ratio is None else f"{result.ratio:.2f}",
        "unit": lambda result: result.unit,
    }
    if any(result.beside for result in report.results):
        columns["limit"] = lambda result: "-" if result.limit is None else f"{result.limit:g}"
        columns["beside"] = lambda result: result.beside
    rows = ([cell(result) for cell in columns.values()] for result in report.results)
    print_table(tuple(columns), rows, frozenset({"value", report.floor, "ratio", "limit"}))
    for name, value in report.stated.items():
        print_line(f"{name}: {_said(value)}")


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(str(one) for one in value) or "-" if isinstance(value, list) else str(value)


def _or_dash(value: float | None) -> str:
    return "-" if value is None else _figure(value)


def _figure(value: float) -> str:
    """Returns a figure with as many digits as it is good for."""
    return f"{value:,.1f}" if value >= _ONE_DIGIT_FROM else f"{value:.2f}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
