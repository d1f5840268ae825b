"""What a row wants of a text, and whether the text meets it.

{"any": [pattern, ...]}                        one of them is found, whatever its case
{"krw": n} {"usd": n} {"percent": n} {"number": n}     the figure is said; "tol" says how near: a share, or points of %
{"sql": query, "unit": unit}                   the first column of every row is said; unit text: one column of each row
{"sql_any": query, "unit": unit}               the same, and one row is enough
{"or": [check, ...]}                           one of the checks is met
"signed": true makes a percentage count with its sign.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from services.cli.evaluation.answers import said

Check = Mapping[str, Any]

_TOLERANCES: Final = {"krw": 0.01, "usd": 0.01, "percent": 0.06, "number": 0.005}
"""How far from the value a figure may be: a share of it, of a percentage points."""
_SAID: Final[dict[str, Callable[[str], list[float]]]] = {"krw": said.won, "usd": said.dollars, "number": said.numbers}


class UnjudgeableError(Exception):
    """A check cannot be judged: its query fails, or the data has no row for it."""


def met(check: Check, text: str, data: sqlite3.Connection) -> bool:
    """Return whether a text meets a check.

    Args:
        check: What is wanted.
        text: The text.
        data: The data that the answer rests on.

    Raises:
        UnjudgeableError: Its query gives no rows, or cannot be run.
    """
    if "or" in check:
        return any(met(one, text, data) for one in check["or"])
    if "any" in check:
        return any(re.search(pattern, text, re.IGNORECASE) for pattern in check["any"])
    for unit in _TOLERANCES:
        if unit in check:
            return _is_said(text, unit, check[unit], check)
    return _rows_are_said(check, text, data)


def _rows_are_said(check: Check, text: str, data: sqlite3.Connection) -> bool:
    query = check.get("sql") or check["sql_any"]
    told = (_row_is_said(row, check, text) for row in _rows(query, data))
    return all(told) if "sql" in check else any(told)


def _rows(query: str, data: sqlite3.Connection) -> list[tuple[Any, ...]]:
    try:
        rows = data.execute(query).fetchall()
    except sqlite3.Error as error:
        raise UnjudgeableError(f"{error}: {query}") from error
    if not rows:
        raise UnjudgeableError(f"the data has no row for: {query}")
    return rows


def _row_is_said(row: tuple[Any, ...], check: Check, text: str) -> bool:
    columns = row if check["unit"] == "text" else row[:1]
    return any(_is_said(text, check["unit"], value, check) for value in columns if value is not None)


def _is_said(text: str, unit: str, value: object, check: Check) -> bool:
    if unit == "text":
        return str(value).lower() in text.lower()
    tolerance = _TOLERANCES[unit] if check.get("tol") is None else float(check["tol"])
    wanted = float(str(value))
    if unit == "percent":
        return _percentage_is_near(said.percentages(text), wanted, tolerance, signed=bool(check.get("signed")))
    return any(abs(one - wanted) <= abs(wanted) * tolerance + 1e-9 for one in _SAID[unit](text))


def _percentage_is_near(told: Iterable[float], wanted: float, tolerance: float, *, signed: bool) -> bool:
    if signed:
        return any(abs(one - wanted) <= tolerance for one in told)
    return any(abs(abs(one) - abs(wanted)) <= tolerance for one in told)
