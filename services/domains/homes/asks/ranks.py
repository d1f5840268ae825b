"""The first places of a class by what homes cost, by how many were dealt, or by how far prices moved."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import Ask, Said, Told
from services.contract.charts import Chart
from services.domains.homes.asks.homes_named import KIND_NAMES, applied, ask_filters, place_filters
from services.domains.homes.asks.months import OF_MONTHS, month_measure
from services.domains.homes.asks.orders import PROVINCE, is_one_district
from services.domains.homes.asks.said import (
    MONTHS,
    PRICES,
    figure_said,
    measure_said,
    nothing,
    place_said,
    ranked,
    unit_drawn,
)
from services.domains.homes.asks.sides import deal_of
from services.domains.homes.asks.spans import YEAR, months_apart, months_before
from services.domains.homes.gazetteer import gazetteer
from services.plugin.asks.answering import Call, Found, Outcome, answered
from services.plugin.asks.charts import bars
from services.plugin.asks.telling import (
    QueryRow,
    filled,
    first_at,
    listed,
    month_said,
    percent,
    placed,
    proof,
    query,
    rows_of,
    sentences,
    where,
)
from services.text.ko.romanised import romanised_place
from services.text.patterns import Pattern

_BY: Final = ("region_code", "region_ko", "region_en", "province_ko", "province_en")
_OF_DISTRICT: Final = (*_BY, "dong")
"""By what the parts of one district are told."""
_ROWS_MAX: Final = 10
_FIRST: Final = 3
_BESIDE_FIRST: Final = 5
"""How many places are listed where the first one is asked for."""
_RANKING: Final = Pattern(
    r"순위|랭킹|순서|나열|목록|차례|\brank|\border\b|\blist\b|\btable\b|\bdistricts\b|\bplaces\b", re.IGNORECASE
)
_DEALS_MIN: Final = 5
_PLACES_MAX: Final = 200
"""How many places are held against a bound: more than there are."""
_HOLDS: Final[Mapping[str, Callable[[Decimal, Decimal], bool]]] = {
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}
_BOUNDS: Final = {
    "gt": Said("초과", "above"),
    "ge": Said("이상", "of at least"),
    "lt": Said("미만", "below"),
    "le": Said("이하", "of at most"),
}


def rank_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read the figures of each place of a class, of a past month where one is named."""
    place = ask.subjects[0] if ask.subjects else None
    filters = [*(place_filters(place) if place is not None else []), *_but(ask), *ask_filters(ask)]
    most = _PLACES_MAX if ask.notes.get("bound") else _ROWS_MAX
    by = _OF_DISTRICT if place is not None and is_one_district(place.value) else _BY
    more: dict[str, Any] = {"by": by, "descending": ask.descending, "limit": most}
    if ask.start_date:
        more["by"] = _BY
        measure = month_measure(ask.measures[0])
        start, end = date.fromisoformat(ask.start_date).replace(day=1), ask.end_date
        filters = _of_months(ask)
        return [query("home_months", [measure], filters=filters, order_by=measure, start=start, end=end, **more)]
    deal = deal_of(ask)
    filters += [where("deal_type", deal)] if deal else []
    measures = list(dict.fromkeys([*ask.measures, "deal_count"]))
    return [query("home_prices", measures, filters=filters, order_by=ask.measures[0], minimum=_DEALS_MIN, **more)]


def _name(row: QueryRow) -> Said:
    """Return how a place of a rank is called, with its dong where the rank is of those."""
    dong, place = row.text("dong"), place_said(row, None)
    return Said(f"{place.ko} {dong}", f"{romanised_place(dong)}, {place.en}") if dong else place


def _but(ask: Ask) -> list[dict[str, Any]]:
    """Return the filter of the districts that a question puts aside."""
    codes = tuple(ask.notes.get("without", "").split())
    return [where("region_code", codes, "not_in")] if codes else []


def _but_said(ask: Ask) -> Said:
    """Return which districts are left out, before what is told of the others."""
    known, place = gazetteer().districts, ask.subjects[0].value if ask.subjects else ""
    gone = [known[code] for code in ask.notes.get("without", "").split() if code.startswith(place[:PROVINCE])]
    names = listed([Said(one.name, one.name_en) for one in gone])
    return filled("{names:을/를} 빼면 ", "Apart from {names}, ", names=names) if gone else Said("", "")


def _of_months(ask: Ask) -> list[dict[str, Any]]:
    place = ask.subjects[0] if ask.subjects else None
    kind, deal = ask.notes.get("property_type"), OF_MONTHS[ask.measures[0]][0] or ask.notes.get("deal", "")
    return [
        *(place_filters(place) if place is not None else []),
        *_but(ask),
        *([where("property_type", kind)] if kind else []),
        *([where("deal_type", deal)] if deal and ask.measures[0] != "jeonse_ratio" else []),
    ]


def rank(ask: Ask, found: Found) -> Outcome:
    """Return the first places of a class by a measure."""
    measure = ask.measures[0]
    column = month_measure(measure) if ask.start_date else measure
    rows = [row for row in rows_of(found.readings) if row.number(column) is not None]
    if not rows:
        return Outcome(nothing(ask))
    total = rows[0].total
    if ask.notes.get("bound"):
        if not (meeting := [row for row in rows if _meets(ask, row.number(column) or Decimal(0))]):
            return _none_meets(ask, found, rows[0], column)
        rows, total = meeting[:_ROWS_MAX], len(meeting)
    lines = [(row, _name(row), figure_said(ask, row.number(column) or Decimal(0), measure)) for row in rows]
    piece = proof(found.readings[0], MONTHS if ask.start_date else PRICES, found.asking.locale, "market")
    told = tuple(
        Told("region", row.text("region_code"), name.ko, {measure: f"{row.number(column):f}"}) for row, name, _ in lines
    )
    shown = lines[: _shown(ask)]
    grounds = tuple(ranked(at, name, value, piece.evidence_id) for at, (_, name, value) in enumerate(shown, start=1))
    place, at_place = placed(ask, [_with_value(name, value) for _, name, value in lines])
    told = first_at(place, told)
    answer = answered(
        ask,
        sentences(at_place, (_meeting_said if ask.notes.get("bound") else _rank_said)(ask, lines, total)),
        evidence_ids=(piece.evidence_id,),
        conditions=applied(ask),
        told=told,
        grounds=grounds,
        charts=_drawn(ask, column, lines, found.asking.locale, piece.evidence_id),
    )
    return Outcome(answer, evidence=(piece,))


def _with_value(name: Said, value: Said) -> Said:
    return filled("{name} {value}", "{name} {value}", name=name, value=value)


def _shown(ask: Ask) -> int:
    """Return how many places are listed: as many as are asked for, a few behind the one that is, else a ranking."""
    if ask.count > 1:
        return ask.count
    return _ROWS_MAX if ask.notes.get("bound") or _RANKING.search(ask.words) else _BESIDE_FIRST


def _meets(ask: Ask, value: Decimal) -> bool:
    return _HOLDS[ask.notes["bound"]](value, Decimal(ask.notes["least"]))


def _bound_said(ask: Ask) -> Said:
    """Return what places are to meet: "전세가율 60% 초과"."""
    limit, measure = figure_said(ask, Decimal(ask.notes["least"]), ask.measures[0]), measure_said(ask, ask.measures[0])
    way, kind = _BOUNDS[ask.notes["bound"]], KIND_NAMES[ask.notes.get("property_type", "")]
    return filled(
        "{kind} {mean}{measure:이/가} {limit} {way}",
        "a {mean}{measure} of {kind} {way} {limit}",
        kind=kind,
        mean=Said("", "") if ask.measures[0] in _NO_MEAN else Said("평균 ", "mean "),
        measure=measure,
        limit=limit,
        way=way,
    )


def _meeting_said(ask: Ask, lines: Sequence[tuple[QueryRow, Said, Said]], total: int) -> Said:
    names = listed([_with_value(name, value) for _, name, value in lines[:5]])
    return filled(
        "{bound}인 곳은 {total}곳입니다: {names}.",
        "{total} places have {bound}: {names}.",
        bound=_bound_said(ask),
        total=str(total),
        names=names,
    )


def _none_meets(ask: Ask, found: Found, nearest: QueryRow, column: str) -> Outcome:
    """Return that no place meets a bound, and which comes nearest."""
    piece = proof(found.readings[0], PRICES, found.asking.locale, "market")
    sentence = filled(
        "{bound}인 곳은 없습니다. 가장 가까운 곳은 {name} {value}입니다.",
        "No place has {bound}; the nearest is {name} with {value}.",
        bound=_bound_said(ask),
        name=place_said(nearest, None),
        value=figure_said(ask, nearest.number(column) or Decimal(0), ask.measures[0]),
    )
    return Outcome(
        answered(ask, sentence, evidence_ids=(piece.evidence_id,), conditions=applied(ask)), evidence=(piece,)
    )


_NO_MEAN: Final = frozenset({"deal_count", "jeonse_ratio"})


def _drawn(
    ask: Ask, column: str, lines: Sequence[tuple[QueryRow, Said, Said]], locale: str, evidence_id: str
) -> tuple[Chart, ...]:
    """Return the places as bars."""
    unit = unit_drawn(ask.measures[0])
    points = [(name.of(locale), row.number(column)) for row, name, _ in lines[: ask.count or None]]
    return bars(measure_said(ask, ask.measures[0]).of(locale), unit, points, (evidence_id,)) if unit else ()


def _rank_said(ask: Ask, lines: Sequence[tuple[QueryRow, Said, Said]], total: int) -> Said:
    first, rest = lines[0], lines[1 : max(ask.count, _FIRST)]
    when = month_said(ask.start_date) if ask.start_date else Said("", "")
    measure = measure_said(ask, ask.measures[0])
    mean = Said("", "") if ask.measures[0] in _NO_MEAN else Said("평균 ", "mean ")
    way = Said("높은", "highest") if ask.descending else Said("낮은", "lowest")
    if ask.measures[0] == "deal_count":
        way = Said("많은", "highest") if ask.descending else Said("적은", "lowest")
    names = listed([_with_value(name, value) for _, name, value in rest])
    return filled(
        "{but}{when}{kind} {mean}{measure:이/가} 가장 {way} 곳은 {place}({value}){rest}(모두 {total}곳).",
        "{but}{place} has the {way} {mean}{measure} of {kind}{when}, {value}{rest} (of {total} places).",
        but=_but_said(ask),
        when=Said(f"{when.ko} ", f" in {when.en}") if ask.start_date else when,
        kind=KIND_NAMES[ask.notes.get("property_type", "")],
        mean=mean,
        measure=measure,
        way=way,
        place=first[1],
        value=first[2],
        rest=filled("이고, 다음은 {names}입니다", "; then come {names}", names=names) if rest else Said("입니다", ""),
        total=str(total),
    )


def change_rank_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read each place in the newest month and in the one that it is held against."""
    today = date.fromisoformat(ask.notes["today"])
    measure, filters = month_measure(ask.measures[0]), _of_months(ask)
    last = ask.notes.get("to") or today.isoformat()
    more: dict[str, Any] = {"by": _BY, "filters": filters, "limit": 120}
    back = int(ask.notes.get("back") or YEAR)
    if first := ask.notes.get("from"):
        return [
            query("home_months", [measure], at=date.fromisoformat(last), **more),
            query("home_months", [measure], at=date.fromisoformat(first), **more),
        ]
    # The newest month of the data is not known here: the months that may be it are read, and the same ones before.
    spans = ((0, _LAG), (back, back + _LAG))
    by = (*_BY, "month")
    return [
        query(
            "home_months",
            [measure],
            start=months_before(today, most),
            end=months_before(today, least),
            **{**more, "by": by, "limit": 200},
        )
        for least, most in spans
    ]


_LAG: Final = 3
"""How many months the newest data may lie back."""


def change_rank(ask: Ask, found: Found) -> Outcome:
    """Return the places that rose or fell most between two months."""
    if len(found.readings) < 2:
        return Outcome(nothing(ask))
    measure = month_measure(ask.measures[0])
    now, then = _two_months(ask, found, measure)
    moved = sorted(
        (
            (value / old * 100 - 100, row, then[code])
            for code, row in now.items()
            if code in then and (value := row.number(measure)) and (old := then[code].number(measure))
        ),
        key=lambda one: one[0],
        reverse=ask.descending != bool(ask.notes.get("smallest")),
    )
    if not moved:
        return Outcome(nothing(ask))
    pieces = tuple(proof(one, MONTHS, found.asking.locale, "trend") for one in found.readings[:2])
    lines = [(place_said(row, None), percent(change, signed=True)) for change, row, _ in moved[:_ROWS_MAX]]
    told = tuple(
        Told("region", row.text("region_code"), place_said(row, None).ko, {ask.measures[0]: f"{row.number(measure):f}"})
        for _, row, _ in moved[:_ROWS_MAX]
    )
    shown = lines[: _shown(ask)]
    grounds = tuple(ranked(at, name, value, pieces[0].evidence_id) for at, (name, value) in enumerate(shown, start=1))
    ids = tuple(piece.evidence_id for piece in pieces)
    place, at_place = placed(ask, [_with_value(*line) for line in lines])
    told = first_at(place, told)
    sentence = sentences(at_place, _change_said(ask, moved[0], lines[1 : max(ask.count, _FIRST)], measure))
    return Outcome(answered(ask, sentence, evidence_ids=ids, told=told, grounds=grounds), evidence=pieces)


def _two_months(ask: Ask, found: Found, measure: str) -> tuple[Mapping[str, QueryRow], Mapping[str, QueryRow]]:
    """Return the rows of the newest month and of the one before that it is held against, by place."""
    later, earlier = ([row for row in rows_of([one]) if row.number(measure) is not None] for one in found.readings[:2])
    if ask.notes.get("from"):
        return {row.text("region_code"): row for row in later}, {row.text("region_code"): row for row in earlier}
    newest = max((row.text("month")[:10] for row in later), default="")
    back = int(ask.notes.get("back") or YEAR)
    then = {
        row.text("region_code"): row
        for row in earlier
        if newest and months_apart(date.fromisoformat(row.text("month")[:10]), date.fromisoformat(newest)) == back
    }
    return {row.text("region_code"): row for row in later if row.text("month")[:10] == newest}, then


def _change_said(
    ask: Ask, first: tuple[Decimal, QueryRow, QueryRow], rest: Sequence[tuple[Said, Said]], measure: str
) -> Said:
    change, row, old = first
    names = listed([_with_value(*one) for one in rest])
    return filled(
        "{but}가장 {degree} {way} 곳은 {place}입니다: {kind} 평균 {measure} {before} → {after}, {share}{rest}.",
        "{but}{place} {way} {degree}: the mean {measure} of {kind} went from {before} to {after}, {share}{rest}.",
        but=_but_said(ask),
        degree=Said("적게", "least") if ask.notes.get("smallest") else Said("많이", "most"),
        way=Said("오른", "rose") if ask.descending else Said("내린", "fell"),
        place=place_said(row, None),
        kind=KIND_NAMES[ask.notes.get("property_type", "")],
        measure=measure_said(ask, ask.measures[0]),
        before=figure_said(ask, old.number(measure) or Decimal(0), ask.measures[0]),
        after=figure_said(ask, row.number(measure) or Decimal(0), ask.measures[0]),
        share=percent(change, signed=True),
        rest=filled(". 다음은 {names}입니다", "; then come {names}", names=names) if rest else Said("", ""),
    )
