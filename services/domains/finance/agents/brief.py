"""The stored US macro brief of 08:30 in Seoul, attached to questions that concern Korea. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from services.contract.flow import Evidence, Metric
from services.domains.finance.agents.indicator import unit_of
from services.domains.finance.tools.macro_brief import BRIEF_TITLE, MacroBriefRow
from services.plugin.findings import Asking, Reading, evidence, instant
from services.text.saying import day, period

LINES_MAX: Final = 9
"""The lines of a brief that are told."""
_SUMMED_MAX: Final = 3
"""The lines that the summary's sentence names, the first ones of the brief."""


@dataclass(frozen=True, slots=True)
class Brief:
    """The brief of one morning."""

    summary: str
    """A sentence with its day and its first lines."""
    metrics: tuple[Metric, ...]
    """The values of its first lines."""
    evidence: Evidence
    """What it rests on."""
    driver: str
    """All its lines."""


def brief_of(readings: Sequence[Reading], asking: Asking) -> Brief | None:
    """Return the newest brief among the readings; None where there is none."""
    held = [(reading, row) for reading in readings for row in reading.rows if isinstance(row, MacroBriefRow)]
    if not held:
        return None
    newest = max(row.day for _, row in held)
    reading = next(reading for reading, row in held if row.day == newest)
    rows = sorted((row for _, row in held if row.day == newest), key=lambda row: row.position)[:LINES_MAX]
    locale = asking.locale
    when, title = day(newest, locale), BRIEF_TITLE.said(locale)
    lines = [_line(row, locale) for row in rows]
    whole = f"{title}({when}): {', '.join(lines)}"
    piece = evidence(reading, rows, title=f"{title}({when})", excerpt=whole)
    first = ", ".join(lines[:_SUMMED_MAX])
    return Brief(
        summary=asking.say(
            f"{when} 08:30 미국 거시 브리핑 기준으로 {first}입니다.",
            f"In the US macro brief of 08:30 on {when}: {first}.",
        ),
        metrics=tuple(_metric(row, piece, asking) for row in rows[:_SUMMED_MAX]),
        evidence=piece,
        driver=whole,
    )


def _line(row: MacroBriefRow, locale: str) -> str:
    """Return a line: title, value and period."""
    unit = unit_of(row.unit)
    when = period(row.observation_date, row.frequency, locale)
    return f"{row.title(locale)} {unit.written(row.value * unit.scale, locale)}({when})"


def _metric(row: MacroBriefRow, piece: Evidence, asking: Asking) -> Metric:
    unit = unit_of(row.unit)
    subject = asking.subject(row.subject(asking.locale), piece.evidence_id)
    return subject.figure("brief_value", row.value * unit.scale, instant(row.observation_date), unit=unit.name)
