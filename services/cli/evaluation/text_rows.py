"""Scores readings against rows of a text evaluation set: amounts, areas, dates and what has to be asked.

A row is {id, text, now?, time_zone?, and one answer key}; the keys are amount_krw, amount_krw_range [low, high] with
null for an open end, amounts_krw, area_m2, area_m2_range, date_range "start/end" and ask. area_tolerance_m2 and
tolerance_days widen an answer.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from services.catalog.reading import read_question
from services.text.reading import TextReading

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScoredText:
    """One row with what was read."""

    id: str
    """The row's id."""
    is_right: bool
    """Whether the reading is the answer."""
    got: object
    """What was read, in the shape of the answer."""
    want: object
    """The answer."""
    traits: tuple[str, ...]
    """What the row tests."""


def score_file(path: Path, *, now: datetime, time_zone: str) -> Iterator[ScoredText]:
    """Score each row of a JSONL file; `now` and `time_zone` hold where a row carries none of its own.

    Raises:
        ValueError: a row has no answer key that is known, or its clock cannot be read.
    """
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield score_row(json.loads(line), now=now, time_zone=time_zone)


def score_row(row: Row, *, now: datetime, time_zone: str) -> ScoredText:
    """Score one row; raises ValueError as `score_file` does."""
    key = next((name for name in _ANSWERS if name in row), None)
    if key is None:
        raise ValueError(f"row {row.get('id')}: none of {', '.join(_ANSWERS)}")
    clock = datetime.fromisoformat(row["now"]) if "now" in row else now
    reading = read_question(row["text"], now=clock, time_zone=row.get("time_zone", time_zone))
    got = _ANSWERS[key](reading)
    return ScoredText(
        id=str(row.get("id", "")),
        is_right=_is_right(key, got, row),
        got=got,
        want=row[key],
        traits=tuple(row.get("traits", ())),
    )


def _amount(reading: TextReading) -> object:
    exact = [amount.low for amount in reading.amounts if amount.is_exact]
    return exact[0] if len(exact) == len(reading.amounts) == 1 else None


def _amount_range(reading: TextReading) -> object:
    return [reading.amounts[0].low, reading.amounts[0].high] if len(reading.amounts) == 1 else None


def _amounts(reading: TextReading) -> object:
    return [figure for amount in reading.amounts for figure in amount.named]


def _area(reading: TextReading) -> object:
    found = _area_range(reading)
    return found[0] if isinstance(found, list) and found[0] == found[1] else None


def _area_range(reading: TextReading) -> object:
    if len(reading.areas) != 1:
        return None
    return [_rounded(reading.areas[0].low_m2), _rounded(reading.areas[0].high_m2)]


def _rounded(value: Decimal | None) -> float | None:
    return None if value is None else round(float(value), 2)


def _dates(reading: TextReading) -> object:
    return f"{reading.dates[0].start}/{reading.dates[0].end}" if len(reading.dates) == 1 else None


def _ask(reading: TextReading) -> object:
    return bool(reading.asks) and not (reading.amounts or reading.dates or reading.areas)


_ANSWERS: dict[str, Callable[[TextReading], object]] = {
    "amount_krw": _amount,
    "amount_krw_range": _amount_range,
    "amounts_krw": _amounts,
    "area_m2": _area,
    "area_m2_range": _area_range,
    "date_range": _dates,
    "ask": _ask,
}


def _is_right(key: str, got: object, row: Row) -> bool:
    want = row[key]
    if got is None:
        return want is None
    if key == "area_m2":
        return _is_near(got, want, row)
    if key == "area_m2_range" and isinstance(got, list):
        # Nothing is smaller than nought: an open lower end and nought are one.
        got, want = [got[0] or None, got[1]], [want[0] or None, want[1]]
        return all(_is_near(one, other, row) for one, other in zip(got, want, strict=True))
    if key == "date_range" and "tolerance_days" in row:
        days_max = int(row["tolerance_days"])
        pairs = zip(str(got).split("/"), str(want).split("/"), strict=True)
        return all(abs((date.fromisoformat(a) - date.fromisoformat(b)).days) <= days_max for a, b in pairs)
    return bool(got == want)


def _is_near(got: object, want: object, row: Row) -> bool:
    if not isinstance(got, float) or want is None:
        return got is want
    return abs(got - float(str(want))) <= float(row.get("area_tolerance_m2", 0.1)) + 1e-9
