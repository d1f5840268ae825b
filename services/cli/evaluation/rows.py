"""Rows of an evaluation set: JSONL, one object a line; its clock is its own and never the machine's."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from services.cli.problems import usage

CLOCK: Final = datetime.fromisoformat("2026-11-27T09:00+09:00")
"""The moment of a row that carries no `now`."""
ZONE: Final = "Asia/Seoul"
"""The zone of a row that carries no `time_zone`."""
Row = Mapping[str, Any]


def rows_of(path: Path, needed: Iterable[str]) -> list[Row]:
    """Return the rows of a file.

    Args:
        path: The file.
        needed: Names that every row has.

    Raises:
        Problem: The file cannot be read, is empty, or a line is no object with these names; names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise usage("FILE", f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is no UTF-8'}") from None
    rows = [_row(number, line, tuple(needed)) for number, line in enumerate(lines, start=1) if line.strip()]
    if not rows:
        raise usage("FILE", f"{path} holds no rows")
    return rows


def clock_of(row: Row) -> datetime:
    """Return a row's moment, time-zone aware."""
    moment = datetime.fromisoformat(row["now"]) if "now" in row else CLOCK
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=CLOCK.tzinfo)


def zone_of(row: Row) -> str:
    """Return a row's time zone."""
    return str(row.get("time_zone", ZONE))


def _row(number: int, line: str, needed: tuple[str, ...]) -> Row:
    try:
        row = json.loads(line)
    except ValueError:
        raise usage("FILE", f"line {number} is no JSON") from None
    if not isinstance(row, dict):
        raise usage("FILE", f"line {number} is no JSON object")
    missing = [name for name in needed if name not in row]
    if missing:
        raise usage("FILE", f"line {number} has no {', '.join(missing)}")
    return row
