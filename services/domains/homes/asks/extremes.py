"""The month in which a place was cheapest or dearest: "최근 1년 동안 매매가 제일 쌌던 때가 언제야"."""

from typing import Final

from services.contract.asks import Ask, Ground, Said
from services.domains.homes.asks.homes_named import KIND_NAMES
from services.domains.homes.asks.months import day_of, district_said, month_measure, month_readings, not_by_month
from services.domains.homes.asks.said import MONTHS, figure_said, measure_said, nothing, titled
from services.domains.homes.asks.sides import sides
from services.domains.homes.asks.spans import YEAR, months_apart
from services.plugin.asks.answering import Found, Outcome, answered
from services.plugin.asks.telling import QueryRow, filled, month_said, proof, rows_of

WHEN: Final = r"언제|몇\s?월|어느\s?(?:달|때)|던\s?(?:달|때)|\bwhen\b|(?:which|what) month"
"""Words that ask for a time."""


def extreme(ask: Ask, found: Found) -> Outcome:
    """Return the month of the highest or lowest figure of a place, with the newest beside it."""
    side, measure = next(iter(sides(ask))), month_measure(ask.measures[0])
    reading = next(iter(month_readings(ask, side, found)), None)
    rows = [row for row in rows_of([reading] if reading is not None else []) if row.number(measure)]
    if first := ask.notes.get("from"):
        rows = [row for row in rows if row.text("month")[:10] >= first]
    else:
        back = int(ask.notes.get("back") or YEAR)
        rows = [row for row in rows if months_apart(day_of(row), day_of(rows[-1])) <= back]
    if reading is None or not rows:
        return Outcome(nothing(ask))
    name = district_said(side)
    piece = proof(reading, titled(MONTHS, name), found.asking.locale, "trend")
    end = (max if ask.descending else min)(rows, key=lambda row: row.number(measure) or 0)
    sentence = filled(
        "{place} {kind} 평균 {measure:이/가} 가장 {way} 때는 {month}로 {value}이었습니다({first}~{last} 기준).",
        "The mean {measure} of {kind} in {place} was {way} in {month}, at {value} ({first} to {last}).",
        place=name,
        kind=KIND_NAMES[side.kind],
        measure=measure_said(ask, ask.measures[0]),
        way=Said("높았던", "highest") if ask.descending else Said("낮았던", "lowest"),
        month=month_said(end.text("month")),
        value=_value(ask, end, measure),
        first=month_said(rows[0].text("month")),
        last=month_said(rows[-1].text("month")),
    )
    newest = filled(
        "가장 최근({month}): {value}",
        "Newest ({month}): {value}",
        month=month_said(rows[-1].text("month")),
        value=_value(ask, rows[-1], measure),
    )
    grounds = (Ground(newest, (piece.evidence_id,)),) if end is not rows[-1] else ()
    ids = (piece.evidence_id,)
    answer = answered(ask, sentence, evidence_ids=ids, grounds=grounds, cautions=not_by_month(ask))
    return Outcome(answer, evidence=(piece,))


def _value(ask: Ask, row: QueryRow, measure: str) -> Said:
    value = row.number(measure)
    return figure_said(ask, value, ask.measures[0]) if value is not None else Said("", "")
