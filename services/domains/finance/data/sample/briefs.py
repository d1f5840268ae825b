"""Generated US macro briefs of 08:30 in Seoul: what had been published by then, one line a series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

from services.domains.finance.data.tables import MACRO_BRIEF_LINES, MACRO_OBSERVATIONS
from services.domains.homes.data.sample.sessions import Session
from services.plugin.data.sample import Block, Row, generated, load_yaml, naive_utc

_BRIEFS = 5
_SERIES = ("FEDFUNDS", "DGS2", "DGS10", "T10Y2Y", "T10YIE", "VIXCLS", "CPIAUCSL", "UNRATE", "PAYEMS")
# Seoul has kept nine hours ahead of UTC without summer time since 1988.
_SEOUL = timezone(timedelta(hours=9))
_BRIEF_TIME = time(8, 30, tzinfo=_SEOUL)


def macro_brief_block(as_of: datetime, macro: Block, sessions: Sequence[Session]) -> Block:
    """Return the briefs of the last Korean trading days at or before `as_of`, told from the macro data set."""
    moments = [datetime.combine(day, _BRIEF_TIME) for day in _days(as_of, sessions)]
    by_series: dict[str, list[Row]] = {series_id: [] for series_id in _SERIES}
    for row in macro.rows[MACRO_OBSERVATIONS]:
        if row["series_id"] in by_series:
            by_series[row["series_id"]].append(row)
    lines = [line for moment in moments for line in _lines(moment, by_series)]
    dataset = generated("sample_macro_brief", "미국 거시 브리핑(예시 데이터)", "US macro brief (sample)", moments[-1])
    return Block(dataset, {MACRO_BRIEF_LINES: lines})


def _days(as_of: datetime, sessions: Sequence[Session]) -> list[date]:
    """Return the days of the newest briefs: trading days, and the present day once it is 08:30."""
    today = as_of.astimezone(_SEOUL)
    days = [session.date for session in sessions]
    if today.date() > days[-1] and today.weekday() < 5 and today.timetz() >= _BRIEF_TIME:
        days.append(today.date())
    return days[-_BRIEFS:]


def _lines(moment: datetime, by_series: Mapping[str, Sequence[Row]]) -> Iterator[Row]:
    entries = load_yaml(__package__, "macro.yaml")
    known_by = naive_utc(moment)
    for position, series_id in enumerate(_SERIES, start=1):
        published = [row for row in by_series[series_id] if row["as_of"] <= known_by]
        newest, previous = published[-1], published[-2]
        yield {
            "brief_date": moment.date(),
            "position": position,
            "series_id": series_id,
            "observation_date": newest["date"],
            "value": newest["value"],
            "previous_value": previous["value"],
            **_texts(entries[series_id], newest["value"], previous["value"]),
            "as_of": known_by,
        }


def _texts(entry: Mapping[str, Any], value: float, previous: float) -> dict[str, str]:
    change = round(value - previous, entry["decimals"])
    moved_ko, moved_en = ("올랐습니다", "rose") if change > 0 else ("내렸습니다", "fell")
    if not change:
        moved_ko, moved_en = "그대로입니다", "did not change"
    return {
        "text_ko": f"{entry['ko']}: 직전 발표보다 {moved_ko}.",
        "text_en": f"{entry['en']} {moved_en} against the previous release.",
    }
