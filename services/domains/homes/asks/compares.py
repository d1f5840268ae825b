"""Which of several places or kinds of homes is dearer or cheaper, and by how much."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said
from services.domains.homes.asks.homes_named import KIND_NAMES, applied
from services.domains.homes.asks.levels import level, supply_said
from services.domains.homes.asks.said import (
    PRICES,
    figure_said,
    gap_said,
    label_said,
    measure_said,
    titled,
    told,
    unit_drawn,
)
from services.domains.homes.asks.sides import Read, kind_of, reads_of
from services.plugin.asks.answering import Found, Outcome, answered
from services.plugin.asks.charts import bars
from services.plugin.asks.telling import filled, listed, proof, sentences
from services.plugin.asks.telling import percent as percent_said

_DEGREES: Final = {
    "cheaper": "the cheapest",
    "lower": "the lowest",
    "more expensive": "the most expensive",
    "higher": "the highest",
}


def _lacking(ask: Ask, found: Found) -> Said | None:
    """Return the places of a comparison of which nothing was read; None where all were read, or none."""
    read = {one.side.place.value for one in reads_of(ask, found)}
    names = [label_said(one) for one in ask.subjects if one.value not in read]
    return listed(names) if names and read else None


def compare(ask: Ask, found: Found) -> Outcome:
    """Return which side is dearer or cheaper, with both figures and their difference."""
    said, grounds, pieces, things = [], [], [], []
    drawn: list[tuple[str, list[tuple[str, Decimal | None]]]] = []
    for measure in ask.measures:
        one = replace(ask, measures=(measure,))
        reads = [read for read in reads_of(ask, found) if read.row.number(measure) is not None]
        if len(reads) < 2:
            continue
        ordered = sorted(reads, key=lambda read: read.row.number(measure) or Decimal(0))
        said.append(_said(one, ordered, measure))
        if len(ordered) > 2:
            grounds += [_line(one, read, ordered, measure) for read in ordered]
        pieces += [
            proof(read.reading, titled(PRICES, read.place_said()), found.asking.locale, "market") for read in reads
        ]
        first = reversed(ordered) if ask.descending else ordered
        drawn.append(
            (measure, [(_name(one, r, ordered).of(found.asking.locale), r.row.number(measure)) for r in ordered])
        )
        things += [told(read.side.place, read.place_said(), read.row, ask) for read in first]
    if not said and len(ask.subjects) > 1 and (lacking := _lacking(ask, found)):
        none_of = filled(
            "{names}에 대한 자료가 없어 비교할 수 없습니다.",
            "There is no data on {names} to compare with.",
            names=lacking,
        )
        alone = level(replace(ask, form=AskForm.LEVEL), found)
        return replace(alone, answer=replace(alone.answer, sentence=sentences(none_of, alone.answer.sentence)))
    if not said:
        return level(replace(ask, form=AskForm.LEVEL), found)
    ids = tuple(dict.fromkeys(piece.evidence_id for piece in pieces))
    answer = answered(
        ask,
        sentences(*said),
        evidence_ids=ids,
        conditions=applied(ask),
        told=tuple(things),
        grounds=tuple(grounds),
        cautions=supply_said(ask),
        charts=tuple(
            chart
            for measure, points_ in drawn
            if (unit := unit_drawn(measure))
            for chart in bars(measure_said(ask, measure).of(found.asking.locale), unit, points_, ids)
        ),
    )
    return Outcome(answer, evidence=tuple({piece.evidence_id: piece for piece in pieces}.values()))


def _line(ask: Ask, read: Read, all_: Sequence[Read], measure: str) -> Ground:
    value = figure_said(ask, read.row.number(measure) or Decimal(0), measure)
    return Ground(filled("{name}: {value}", "{name}: {value}", name=_name(ask, read, all_), value=value))


def _name(ask: Ask, read: Read, all_: Sequence[Read]) -> Said:
    """Return what tells a side from the others: its place, its kind, or both."""
    places = {(one.side.place.value, one.side.place.label) for one in all_}
    kinds = {one.side.kind for one in all_}
    if len(kinds) == 1:
        return read.place_said()
    kind = KIND_NAMES[read.side.kind]
    if len(places) == 1:
        return kind
    place = read.place_said()
    del ask
    return filled("{place} {kind}", "{kind} in {place}", place=place, kind=kind)


def _said(ask: Ask, ordered: Sequence[Read], measure: str) -> Said:
    low, high = ordered[0], ordered[-1]
    small, large = low.row.number(measure) or Decimal(0), high.row.number(measure) or Decimal(0)
    is_price = measure not in {"jeonse_ratio", "deal_count"}
    gap = gap_said(ask, small, large, measure)
    kinds = {one.side.kind for one in ordered}
    scope = kind_of(ask, low.side) if len(kinds) == 1 else low.place_said()
    way = Said("쌉니다", "cheaper") if is_price else Said("낮습니다", "lower")
    if ask.descending:
        way = Said("비쌉니다", "more expensive") if is_price else Said("높습니다", "higher")
    return filled(
        "{first:이/가} {most} {way}. {scope} 평균 {measure}: {low} {lv}, {high} {hv:으로/로} 차이는 {gap}({share})입니다.",
        "{first} {verb} {way}: the {measure} of {scope} is {lv} for {low} and {hv} for {high}, a difference of {gap} ({share}).",
        first=_name(ask, high if ask.descending else low, ordered),
        most=Said("가장" if len(ordered) > 2 else "더", ""),
        low=_name(ask, low, ordered),
        high=_name(ask, high, ordered),
        verb=Said("", "are" if len(kinds) > 1 else "is"),
        way=Said(way.ko, _DEGREES.get(way.en, way.en) if len(ordered) > 2 else way.en),
        scope=scope,
        measure=measure_said(ask, measure),
        lv=figure_said(ask, small, measure),
        hv=figure_said(ask, large, measure),
        gap=gap,
        share=percent_said((large - small) / small * 100) if small else "0%",
    )
