"""One macro series: its observations as rows, what they say, and the words for it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric, Trend
from services.domains.finance.agents.series import Frequency, Observation, SeriesFacts, series_facts
from services.domains.finance.tools.macro_series import MacroSeriesRow
from services.plugin.findings import Asking, Reading, evidence, held_rows, instant
from services.plugin.wording import WORDS, Text
from services.text.ko.written import josa, number
from services.text.saying import figure, period


@dataclass(frozen=True, slots=True)
class Unit:
    """How a series' values are counted."""

    name: str
    """The metrics' unit."""
    scale: int = 1
    """What a value is multiplied by to be in that unit."""
    counter: Text | None = None
    """What stands behind a count."""

    @property
    def is_rate(self) -> bool:
        """Whether changes are differences."""
        return self.name in {"percent", "percentage_point"}

    def written(self, value: Decimal, locale: str) -> str:
        """Return a value in this unit as people write it."""
        if self.counter is None:
            return figure(value, self.name, locale)
        return f"{number(value)}{self.counter.said(locale)}"


_UNITS: Final = {
    "%": Unit("percent"),
    "percentage points": Unit("percentage_point"),
    "thousand persons": Unit("persons", 1_000),
    "million usd": Unit("usd", 1_000_000),
    "billion usd": Unit("usd", 1_000_000_000),
    "usd": Unit("usd"),
    "krw": Unit("krw"),
    "units": Unit("count", counter=Text("가구", " homes")),
}
_BEFORE: Final = {
    "daily": Text("직전 관측일", "from the observation before"),
    "weekly": Text("전주", "from the week before"),
    "monthly": Text("전월", "from the month before"),
    "quarterly": Text("전 분기", "from the quarter before"),
}
_AMOUNTS: Final = {"persons", "usd", "count"}
_PERIODS_APART: Final = {"monthly": 1, "quarterly": 3}


def unit_of(text: str) -> Unit:
    """Return the unit that the data writes as `text`: an index where it says so, else a bare ratio."""
    if text.lower().startswith("index"):
        return Unit("index")
    return _UNITS.get(text.lower(), Unit("ratio"))


class Indicator:
    """One series: its observations, what they say, and the words for it.

    Args:
        reading: Where the rows were read.
        rows: The rows of one series, newest first.
        asking: What is asked.
    """

    def __init__(self, reading: Reading, rows: Sequence[MacroSeriesRow], asking: Asking) -> None:
        self._asking = asking
        self._locale = asking.locale
        newest = rows[0]
        self.name = newest.subject(asking.locale)
        self.frequency: Frequency = newest.frequency
        self.unit = unit_of(newest.unit)
        self.observations = tuple(Observation(row.day, _scaled(row)) for row in rows)
        self.facts: SeriesFacts = series_facts(self.observations, self.frequency, is_rate=self.unit.is_rate)
        self.evidence: Evidence = evidence(
            reading, rows, title=newest.title(asking.locale), excerpt=self._excerpt(rows)
        )
        self._cut = held_rows(self.evidence) < len(rows)

    @property
    def trend(self) -> Trend:
        """The direction of the values; whether it is good news the series alone does not say."""
        return {"up": Trend.BULL, "down": Trend.BEAR}.get(self.facts.trend, Trend.NEUTRAL)

    @property
    def change_unit(self) -> str:
        """The unit of its changes."""
        return "percentage_point" if self.unit.is_rate else "percent"

    def metrics(self) -> tuple[Metric, ...]:
        """Return the figures that the observations allow."""
        facts, unit, moved = self.facts, self.unit.name, self.change_unit
        as_of = instant(facts.latest.day)
        subject = self._asking.subject(self.name, self.evidence.evidence_id)
        metrics = [subject.figure("latest_value", facts.latest.value, as_of, unit=unit)]
        if facts.previous is not None:
            day = instant(facts.previous.day)
            metrics.append(subject.figure("previous_value", facts.previous.value, day, unit=unit))
        if facts.change is not None:
            metrics.append(subject.figure("change", facts.change, as_of, unit=moved))
        if facts.year_change is not None:
            metrics.append(subject.figure("year_change", facts.year_change, as_of, unit=moved))
        if facts.trend:
            metrics.append(subject.word("trend", facts.trend, as_of))
        return tuple(metrics)

    def summary(self) -> str:
        """Return the latest value, its changes and the trend."""
        when, value = self.when(self.facts.latest.day), self.unit.written(self.facts.latest.value, self._locale)
        parts = [part for part in (self._since_previous(), self._since_year()) if part]
        trend = WORDS[self.facts.trend].said(self._locale) if self.facts.trend else ""
        if self._locale == "ko":
            first = f"{josa(self.name, '은/는')} {when} 기준 {value}입니다."
            moved = f" {', '.join(parts)}." if parts else ""
            return f"{first}{moved}{f' 최근 추세는 {trend}입니다.' if trend else ''}"
        moved = f", {' and '.join(parts)}" if parts else ""
        tail = f"; the recent trend is {trend}" if trend else ""
        return f"{self.name} stood at {value} {self.at(self.facts.latest.day)}{moved}{tail}."

    def cautions(self) -> tuple[str, ...]:
        """Return what could not be compared and what the evidence leaves out."""
        say = self._asking.say
        found = []
        if self.facts.year_change is None:
            found.append(
                say(
                    f"{self.name}: 전년 같은 시기의 값이 조회 범위에 없어 비교하지 못했습니다.",
                    f"{self.name}: the value of a year earlier is not among the rows that were read.",
                )
            )
        if self._cut:
            found.append(
                say(
                    f"{self.name}: 지표는 조회한 값 전체로 계산했고, 근거에는 최근 값만 담았습니다.",
                    f"{self.name}: the figures rest on all values that were read; the evidence holds the newest only.",
                )
            )
        return tuple(found)

    def when(self, day: date) -> str:
        """Return the period that begins on a day, as its frequency calls it."""
        return period(day, self.frequency, self._locale)

    def at(self, day: date) -> str:
        """Return the period with its English preposition: "in October 2026", "on November 25, 2026"."""
        return f"{'in' if self.frequency in _PERIODS_APART else 'on'} {self.when(day)}"

    def _since_previous(self) -> str:
        if self.facts.previous is None or self.facts.change is None:
            return ""
        before = _BEFORE[self.frequency].said(self._locale)
        if not self._is_next(self.facts.previous.day, self.facts.latest.day):
            when = self.when(self.facts.previous.day)
            before = self._asking.say(f"직전 값인 {when}", f"from {when}, the value before")
        return self._moved(self.facts.change, before, closing=self.facts.year_change is None)

    def _since_year(self) -> str:
        if self.facts.year_change is None:
            return ""
        before = self._asking.say("전년 같은 시기", "from a year earlier")
        return self._moved(self.facts.year_change, before, closing=True)

    def _moved(self, change: Decimal, before: str, *, closing: bool) -> str:
        """Return "전월보다 0.1%p 올랐고" or, at the end of the sentence, "올랐습니다"."""
        size = figure(abs(change), self.change_unit, self._locale)
        if self._locale == "ko":
            ending = "습니다" if closing else "고"
            if change == 0:
                return f"{josa(before, '과/와')} 같았{ending}"
            rose, fell = ("늘었", "줄었") if self.unit.name in _AMOUNTS else ("올랐", "내렸")
            return f"{before}보다 {size} {rose if change > 0 else fell}{ending}"
        return f"unchanged {before}" if change == 0 else f"{'up' if change > 0 else 'down'} {size} {before}"

    def _is_next(self, before: date, after: date) -> bool:
        apart = _PERIODS_APART.get(self.frequency)
        return apart is None or (after.year - before.year) * 12 + after.month - before.month == apart

    def _excerpt(self, rows: Sequence[MacroSeriesRow]) -> str:
        shown = (f"{self.when(row.day)} {self.unit.written(_scaled(row), self._locale)}" for row in rows[:3])
        return f"{self.name}: {', '.join(shown)}" if self._locale == "ko" else f"{self.name}: {'; '.join(shown)}"


def _scaled(row: MacroSeriesRow) -> Decimal:
    """Return the value in the metrics' unit."""
    return row.value * unit_of(row.unit).scale
