"""Generated recent values of the macro series in macro.yaml, up to what would have been published at `as_of`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import numpy as np

from services.domains.finance.data.tables import MACRO_OBSERVATIONS, MACRO_SERIES
from services.domains.homes.data.sample.sessions import Session
from services.plugin.data.sample import Block, Row, generated, load_yaml, naive_utc, stream, utc

_MONTHS = 60
_WEEKS = 156
_STEPS_PER_YEAR = {"daily": 252, "weekly": 52, "monthly": 12}
_RELEASE_TIME_UTC = {"US": time(13, 30), "KR": time(1, 0)}


@dataclass(frozen=True)
class SeriesPeriod:
    """One period of a series."""

    start: date
    """The period's date as the series names it: its first day."""
    release: date
    """The day on which its value is published."""
    next_release: date
    """The day on which the following period's value is due."""


def macro_block(as_of: datetime, sessions: Mapping[str, Sequence[Session]]) -> Block:
    """Return the generated macro data set; `sessions` gives the days of daily series by country."""
    entries = load_yaml(__package__, "macro.yaml")
    values: dict[str, dict[date, float]] = {}
    observations: list[Row] = []
    for series_id, entry in entries.items():
        periods = _periods(entry, utc(as_of), sessions)
        values[series_id] = _values(series_id, entry, periods, values)
        observations.extend(_observations(series_id, entry, periods, values[series_id]))
    newest = max(row["as_of"] for row in observations)
    dataset = generated("sample_macro", "거시 지표(예시 데이터)", "Macro series (sample)", newest.replace(tzinfo=UTC))
    series = [_series(series_id, entry) for series_id, entry in entries.items()]
    return Block(dataset, {MACRO_SERIES: series, MACRO_OBSERVATIONS: observations})


def _series(series_id: str, entry: Mapping[str, Any]) -> Row:
    return {
        "series_id": series_id,
        "country": entry["country"],
        "title_ko": entry["ko"],
        "title_en": entry["en"],
        "unit": entry["unit"],
        "frequency": entry["frequency"],
        "release_lag_days": entry["lag"],
    }


def _periods(
    entry: Mapping[str, Any], as_of: datetime, sessions: Mapping[str, Sequence[Session]]
) -> list[SeriesPeriod]:
    lag = timedelta(days=entry["lag"])
    if entry["frequency"] == "daily":
        days = [session.date for session in sessions[entry["country"]]]
        after = [*days[1:], _next_weekday(days[-1])]
        periods = [SeriesPeriod(day, day + lag, follow + lag) for day, follow in zip(days, after, strict=True)]
    elif entry["frequency"] == "weekly":
        newest = as_of.date() - timedelta(days=(as_of.weekday() - 2) % 7)
        days = [newest - timedelta(weeks=back) for back in range(_WEEKS, -1, -1)]
        periods = [SeriesPeriod(day, day + lag, day + timedelta(weeks=1) + lag) for day in days]
    else:
        periods = [
            SeriesPeriod(first, _month(first, 1) - timedelta(days=1) + lag, _month(first, 2) - timedelta(days=1) + lag)
            for first in (_month(as_of.date(), -back) for back in range(_MONTHS, -1, -1))
        ]
    released = _RELEASE_TIME_UTC[entry["country"]]
    return [p for p in periods if datetime.combine(p.release, released, UTC) <= as_of]


def _month(day: date, offset: int) -> date:
    index = day.year * 12 + day.month - 1 + offset
    return date(index // 12, index % 12 + 1, 1)


def _next_weekday(day: date) -> date:
    return day + timedelta(days={4: 3, 5: 2}.get(day.weekday(), 1))


def _values(
    series_id: str, entry: Mapping[str, Any], periods: Sequence[SeriesPeriod], known: Mapping[str, Mapping[date, float]]
) -> dict[date, float]:
    if "spread" in entry:
        longer, shorter = (known[other] for other in entry["spread"])
        return {p.start: round(longer[p.start] - shorter[p.start], entry["decimals"]) for p in periods}
    path = _path(series_id, entry, len(periods))
    if "tick" in entry:
        path = np.round(path / entry["tick"]) * entry["tick"]
    return {p.start: round(float(value), entry["decimals"]) for p, value in zip(periods, path, strict=True)}


def _path(series_id: str, entry: Mapping[str, Any], count: int) -> np.ndarray:
    years_back = np.arange(count - 1, -1, -1) / _STEPS_PER_YEAR[entry["frequency"]]
    shocks = stream(f"macro/{series_id}").normal(0, entry["noise"], count)
    deviation = np.zeros(count)
    for step in range(1, count):
        deviation[step] = deviation[step - 1] * (1 - entry["pull"]) + shocks[step]
    if entry.get("relative"):
        return np.asarray(entry["last"] * (1 + entry["yearly"]) ** -years_back * np.exp(deviation))
    return np.asarray(entry["last"] - entry["yearly"] * years_back + deviation)


def _observations(
    series_id: str, entry: Mapping[str, Any], periods: Sequence[SeriesPeriod], values: Mapping[date, float]
) -> list[Row]:
    released = _RELEASE_TIME_UTC[entry["country"]]
    return [
        {
            "series_id": series_id,
            "date": period.start,
            "value": values[period.start],
            "as_of": naive_utc(datetime.combine(period.release, released, UTC)),
            "next_release_date": period.next_release,
        }
        for period in periods
    ]
