"""A row's verdict on the answers of its conversation: they answer, they are clean, or what is missing and too much."""

import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from services.cli.evaluation.answers.checks import Check, UnjudgeableError, met
from services.cli.evaluation.rows import Row

OPENING_CHARS: Final = {"ko": 350}
"""How much of the first paragraph is the opening, by language."""
OPENING_CHARS_ELSE: Final = 600
"""The same in any other language."""
_ASKED_WITHIN: Final = 600
_ASKS: Final = re.compile(r"\?|알려 ?주|말씀해|골라|정해 ?주|입력해|확인해 ?주|진행할까")


@dataclass(frozen=True, slots=True)
class RowVerdict:
    """What came of a row."""

    missing: tuple[str, ...] = ()
    """What it wanted and did not get."""
    too_much: tuple[str, ...] = ()
    """What must not have been said, or was too long."""

    @property
    def answers(self) -> bool:
        """True where nothing is missing."""
        return not self.missing

    @property
    def clean(self) -> bool:
        """True where nothing is too much."""
        return not self.too_much

    @property
    def right(self) -> bool:
        """True where both hold."""
        return self.answers and self.clean

    def __add__(self, other: "RowVerdict") -> "RowVerdict":
        """Return what two verdicts find together."""
        return RowVerdict(self.missing + other.missing, self.too_much + other.too_much)


def judged(row: Row, answers: Sequence[str], data: sqlite3.Connection) -> RowVerdict:
    """Return the verdict on a conversation; a row that the data cannot judge is neither answered nor clean.

    Args:
        row: What is wanted of the last answer, of earlier ones (`turn_checks`) and of the data afterwards (`after`).
        answers: The answer to each of its turns.
        data: The data after the last turn.
    """
    try:
        verdict = _answer(row, answers[-1], data)
        for number, wanted in row.get("turn_checks", {}).items():
            one = _answer({"locale": row.get("locale"), **wanted}, answers[int(number)], data)
            verdict += RowVerdict(*(tuple(f"turn {number} {text}" for text in found) for found in _both(one)))
        return verdict + RowVerdict(tuple(_not_so(row.get("after", ()), data)))
    except (UnjudgeableError, sqlite3.Error) as problem:
        text = f"this row cannot be judged: {problem}"
        return RowVerdict((text,), (text,))


def opening_of(answer: str, locale: str) -> str:
    """Return an answer's first paragraph, as far as it counts."""
    return _normal(answer).strip().split("\n\n")[0][: OPENING_CHARS.get(locale, OPENING_CHARS_ELSE)]


def _answer(row: Row, answer: str, data: sqlite3.Connection) -> RowVerdict:
    whole, opening = _normal(answer), opening_of(answer, str(row.get("locale")))
    missing = ["did not ask back"] if row.get("asks") and not _ASKS.search(whole[:_ASKED_WITHIN]) else []
    missing += _found("opening", row.get("opening", ()), opening, data, wanted=False)
    missing += _found("answer", row.get("answer", ()), whole, data, wanted=False)
    too_much = _found("never", row.get("never", ()), whole, data, wanted=True)
    too_much += _found("never in the opening", row.get("never_opening", ()), opening, data, wanted=True)
    if row.get("max_chars") and len(whole) > row["max_chars"]:
        too_much.append(f"length {len(whole)} > {row['max_chars']}")
    return RowVerdict(tuple(missing), tuple(too_much))


def _found(name: str, checks: Iterable[Check], text: str, data: sqlite3.Connection, *, wanted: bool) -> list[str]:
    """Return the checks that a text meets, or those that it does not."""
    return [f"{name}: {json.dumps(one, ensure_ascii=False)}" for one in checks if met(one, text, data) is wanted]


def _not_so(checks: Iterable[Check], data: sqlite3.Connection) -> list[str]:
    told = []
    for check in checks:
        row = data.execute(check["sql"]).fetchone()
        value = row[0] if row else None
        if not _same(value, check["equals"]):
            told.append(f"after: {check['sql']} is {value!r}, not {check['equals']!r}")
    return told


def _same(value: Any, wanted: Any) -> bool:
    numbers = isinstance(value, int | float) and isinstance(wanted, int | float)
    return value == wanted or (numbers and abs(value - wanted) < 1e-6)


def _both(verdict: RowVerdict) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return verdict.missing, verdict.too_much


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)
