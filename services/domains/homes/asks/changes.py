"""How what homes cost has moved between two months, and what is known where the reason is asked."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said
from services.contract.charts import ChartSeries
from services.domains.homes.asks.homes_named import KIND_NAMES
from services.domains.homes.asks.months import (
    day_of,
    district_said,
    month_filters,
    month_measure,
    month_readings,
    not_by_month,
)
from services.domains.homes.asks.said import MONTHS, figure_said, measure_said, moved, nothing, titled, unit_drawn
from services.domains.homes.asks.sides import Side, sides
from services.domains.homes.asks.spans import YEAR, months_apart, months_before
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.charts import line, lines
from services.plugin.asks.telling import (
    QueryRow,
    filled,
    listed,
    month_said,
    percent,
    points,
    proof,
    query,
    rows_of,
    sentences,
)
from services.plugin.findings import Reading
from services.plugin.wording import rounded

_PATH: Final = 6
_LAG: Final = 3


def change_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read each side month by month, from before the earlier month on."""
    today = date.fromisoformat(ask.notes["today"])
    first = ask.notes.get("from")
    back = int(ask.notes.get("back") or YEAR)
    # Months are told late: where the one that is named is not there yet, the two newest are.
    start = months_before(date.fromisoformat(first), _LAG + 1) if first else months_before(today, back + _LAG)
    measures = list(dict.fromkeys([month_measure(ask.measures[0]), "deal_count"]))
    return [
        query(
            "home_months",
            measures,
            by=("month",),
            filters=month_filters(ask, side),
            start=start,
            end=ask.notes.get("to", ""),
            order_by="month",
            descending=False,
            limit=60,
        )
        for side in sides(ask)
    ]


def change(ask: Ask, found: Found) -> Outcome:
    """Return the difference between two months, with both figures."""
    said, pieces, grounds = [], [], []
    late: list[Said] = []
    moves: list[tuple[Said, Decimal]] = []
    drawn: list[ChartSeries | None] = []
    for side in sides(ask):
        reading = next(iter(month_readings(ask, side, found)), None)
        ends = _ends(ask, reading)
        if reading is None or ends is None:
            continue
        name = district_said(side)
        pieces.append(proof(reading, titled(MONTHS, name), found.asking.locale, "trend"))
        said.append(_said(ask, side, name, *ends))
        late += _begun_late(ask, *ends)
        moves.append((name, _moved_by(ask, *ends)))
        drawn.append(_drawn(ask, name.of(found.asking.locale), reading, ends, pieces[-1].evidence_id))
        grounds += _path(ask, reading, pieces[-1].evidence_id)
    if not said:
        return Outcome(nothing(ask))
    ids = tuple(piece.evidence_id for piece in pieces)
    cautions = (*not_by_month(ask), *dict.fromkeys(late))
    if ask.form is AskForm.CAUSE:
        said.append(_NO_CAUSE)
        grounds = []
    if ask.form is AskForm.COMPARE and len(moves) > 1:
        grounds = [Ground(one, (piece.evidence_id,)) for one, piece in zip(said, pieces, strict=True)]
        said = [_compared(ask, moves)]
    title, unit = measure_said(ask, ask.measures[0]).of(found.asking.locale), unit_drawn(ask.measures[0])
    charts = lines(title, unit, *drawn) if unit and ask.form is not AskForm.CAUSE else ()
    answer = answered(
        ask, sentences(*said), evidence_ids=ids, grounds=tuple(grounds[:_PATH]), cautions=cautions, charts=charts
    )
    return Outcome(answer, evidence=tuple(pieces))


def _drawn(
    ask: Ask, name: str, reading: Reading, ends: tuple[QueryRow, QueryRow], evidence_id: str
) -> ChartSeries | None:
    """Return the months from the earlier to the later one as a line."""
    first, last = (row.text("month") for row in ends)
    rows = [row for row in rows_of([reading]) if first <= row.text("month") <= last]
    return line(name, ((row.text("month"), row.number(month_measure(ask.measures[0]))) for row in rows), evidence_id)


def _moved_by(ask: Ask, then: QueryRow, now: QueryRow) -> Decimal:
    """Return by how much a measure has moved: percent, of a ratio percentage points."""
    measure = month_measure(ask.measures[0])
    before, after = then.number(measure) or Decimal(1), now.number(measure) or Decimal(0)
    return after - before if ask.measures[0] == "jeonse_ratio" else (after - before) / before * 100


def _compared(ask: Ask, moves: Sequence[tuple[Said, Decimal]]) -> Said:
    """Return which of several places has moved more the way that is asked about, with each one's share."""
    falls = ask.notes.get("way") == "fell"
    least = bool(ask.notes.get("least"))
    ordered = sorted(moves, key=lambda move: move[1], reverse=falls == least)
    (first, most), (_, last) = ordered[0], ordered[-1]
    many = len(ordered) > 2
    degree = Said("가장" if many else "더", "the most" if many else "more")
    if least:
        degree = Said("가장 덜" if many else "덜", "the least" if many else "less")
    way = Said("내렸습니다", "fell") if falls else Said("올랐습니다", "rose")
    if (most < 0) != falls:
        # None moved the way that the question takes for given: the one that comes nearest to it is told as such.
        degree = Said("가장 적게" if many else "더 적게", "the least" if many else "less")
        way = moved(most)
    if most * last < 0 and (most < 0) != falls:
        degree = Said("", "")
    return filled(
        "{first:이/가} {way}: {each}로 차이는 {gap}입니다.",
        "{first} {way}: {each}, a difference of {gap}.",
        first=first,
        way=Said(f"{degree.ko} {way.ko}".strip(), f"{way.en} {degree.en}".strip()),
        each=listed(
            [filled("{name} {share}", "{name} {share}", name=name, share=_signed(share)) for name, share in ordered]
        ),
        gap=points(abs(rounded(most, 1) - rounded(last, 1)), 1),
    )


def _signed(share: Decimal) -> Said:
    text = percent(abs(share))
    sign = "-" if share < 0 else "+"
    return Said(f"{sign}{text.ko}", f"{sign}{text.en}")


_NO_CAUSE: Final = Said(
    "자료에는 값의 움직임만 있고 그 원인은 확인되지 않아, 어느 하나를 이유로 단정할 수 없습니다.",
    "The data holds how prices moved but not why, so that no single cause can be named.",
)


def _ends(ask: Ask, reading: Reading | None) -> tuple[QueryRow, QueryRow] | None:
    """Return the rows of the earlier and the later month; None where the data has not both."""
    measure = month_measure(ask.measures[0])
    rows = [row for row in rows_of([reading] if reading is not None else []) if row.number(measure)]
    if not rows:
        return None
    now = rows[-1]
    wanted = _wanted(ask, now)
    then = next((row for row in rows if months_apart(wanted, day_of(row)) >= 0), None)
    if then is None and len(rows) > 1:
        return rows[-2], now
    return None if then is None or then is now else (then, now)


def _wanted(ask: Ask, now: QueryRow) -> date:
    """Return the earlier month that is asked about."""
    first = ask.notes.get("from")
    return date.fromisoformat(first) if first else months_before(day_of(now), int(ask.notes.get("back") or YEAR))


def _begun_late(ask: Ask, then: QueryRow, now: QueryRow) -> list[Said]:
    """Return that the data begins later than the month that is asked about, or ends before it; none where neither."""
    if months_apart(_wanted(ask, now), day_of(now)) < 0:
        return [_NOT_YET]
    return [_BEGUN_LATE] if months_apart(_wanted(ask, now), day_of(then)) > _LAG else []


_NOT_YET: Final = Said(
    "말씀하신 달의 자료는 아직 없어, 자료의 마지막 달을 그 앞 달과 비교했습니다.",
    "The month that you name is not in the data yet, so its last month is held against the one before.",
)
_BEGUN_LATE: Final = Said(
    "말씀하신 때까지의 자료가 없어, 자료가 시작되는 달과 비교했습니다.",
    "The data does not reach back to the time that you name, so this is held against the month where it begins.",
)


def _said(ask: Ask, side: Side, name: Said, then: QueryRow, now: QueryRow) -> Said:
    measure = month_measure(ask.measures[0])
    before, after = then.number(measure) or Decimal(1), now.number(measure) or Decimal(0)
    is_ratio = ask.measures[0] == "jeonse_ratio"
    share = points(abs(rounded(after, 1) - rounded(before, 1)), 1) if is_ratio else percent(_share(before, after))
    text = filled(
        "{place} {kind} 평균 {measure:은/는} {then} {before}에서 {now} {after:으로/로} {share} {way}.",
        "The mean {measure} of {kind} in {place} {way} {share}, from {before} in {then} to {after} in {now}.",
        place=name,
        kind=KIND_NAMES[side.kind],
        measure=measure_said(ask, ask.measures[0]),
        then=month_said(then.text("month")),
        now=month_said(now.text("month")),
        before=figure_said(ask, before, ask.measures[0]),
        after=figure_said(ask, after, ask.measures[0]),
        share=share,
        way=moved(after - before),
    )
    premise = _premise(ask, after - before)
    return text if premise is None else sentences(premise, text)


def _share(before: Decimal, after: Decimal) -> Decimal:
    return abs((after - before) / before * 100)


def _premise(ask: Ask, change_: Decimal) -> Said | None:
    """Return that what a question takes for given did not happen; None where it did, or takes nothing for given."""
    wanted = ask.notes.get("premise", "")
    if wanted == "rose" and change_ <= 0:
        return Said("오르지 않았습니다.", "It did not rise.")
    if wanted == "fell" and change_ >= 0:
        return Said("내리지 않았습니다.", "It did not fall.")
    return None


def _path(ask: Ask, reading: Reading, evidence_id: str) -> list[Ground]:
    measure = month_measure(ask.measures[0])
    rows = [row for row in rows_of([reading]) if row.number(measure) is not None][-_PATH:]
    return [
        Ground(
            filled(
                "{month} {value}",
                "{month}: {value}",
                month=month_said(row.text("month")),
                value=figure_said(ask, row.number(measure) or Decimal(0), ask.measures[0]),
            ),
            (evidence_id,),
        )
        for row in rows
    ]
