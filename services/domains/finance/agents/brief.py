"""The stored US macro brief of 08:30 in Seoul, attached to questions that concern Korea (spec 3.3). Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from pydantic import Field

from services.contract.flow import Evidence, Metric
from services.domains.finance.agents.indicator import unit_of
from services.domains.finance.agents.series import Frequency
from services.plugin.findings import Asking, Reading, evidence, instant
from services.plugin.reads import Row, UtcTime
from services.plugin.wording import Text
from services.text.saying import day, period

LINES_MAX: Final = 9
"""The lines of a brief that are told."""
_SUMMED_MAX: Final = 3
"""The lines that the summary's sentence names, the first ones of the brief."""
BRIEF_TITLE: Final = Text("08:30 미국 거시 브리핑", "US macro brief of 08:30")
"""What a user calls it."""


class BriefRow(Row):
    """One line of the brief."""

    as_of: UtcTime
    """When the row's figures were published or read."""

    day: date = Field(validation_alias="brief_date")
    """The day of the brief in Seoul."""
    position: int
    """The place of the line, from 1."""
    series_id: str
    """The series; never shown."""
    title_ko: str
    """The series' title in Korean."""
    title_en: str
    """The series' title in English."""
    unit: str
    """What the values are counted in, as the data writes it."""
    frequency: Frequency
    """How often the series is published."""
    observation_date: date
    """The first day of the period that the value measures."""
    value: Decimal
    """The value as it was known."""
    previous_value: Decimal
    """The value of the release before."""

    def title(self, locale: str) -> str:
        """Returns the series' title."""
        return self.title_ko if locale == "ko" else self.title_en

    def subject(self, locale: str) -> str:
        """Returns the series' title, told apart from the series itself by the brief's name."""
        return f"{BRIEF_TITLE.said(locale)} {self.title(locale)}"

    def said(self, locale: str) -> str:
        """Returns the line: title, value and period."""
        unit = unit_of(self.unit)
        when = period(self.observation_date, self.frequency, locale)
        return f"{self.title(locale)} {unit.written(self.value * unit.scale, locale)}({when})"


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
    """Returns the newest brief among the readings; None where there is none."""
    held = [(reading, row) for reading in readings for row in reading.rows if isinstance(row, BriefRow)]
    if not held:
        return None
    newest = max(row.day for _, row in held)
    reading = next(reading for reading, row in held if row.day == newest)
    rows = sorted((row for _, row in held if row.day == newest), key=lambda row: row.position)[:LINES_MAX]
    locale = asking.locale
    when, title = day(newest, locale), BRIEF_TITLE.said(locale)
    lines = [row.said(locale) for row in rows]
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


def _metric(row: BriefRow, piece: Evidence, asking: Asking) -> Metric:
    unit = unit_of(row.unit)
    subject = asking.subject(row.subject(asking.locale), piece.evidence_id)
    return subject.figure("brief_value", row.value * unit.scale, instant(row.observation_date), unit=unit.name)
