"""Whether homes of a place are dear or cheap, no price being named: their mean is held against that of what lies around it."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, AskVerdict, Said
from services.domains.homes.asks import market
from services.domains.homes.asks.homes_named import HOME_WORDS, applied, deal_types, dong_of
from services.domains.homes.asks.judged import fair
from services.domains.homes.asks.said import PRICES, figure_said, label_said, measure_said, nothing, titled
from services.domains.homes.asks.sides import kind_of, level_calls, reads_of
from services.domains.homes.gazetteer import gazetteer
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, ruled
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, percent, proof
from services.plugin.entities import Entity

ANSWERER: Final = "market_dear"
_CHEAP: Final = r"(?<!비)(?<!비\s)싼|(?<!비)싸|저렴|\bcheap|affordable"
_DISTRICT: Final = 5
"""The length of a district's code."""


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask whether homes of the one place that a message names are dear; of a whole province nothing lies around it."""
    places = sheet.of_kind("region")
    sums = [one for one in sheet.numbers if one.unit == "krw"]
    if len(places) != 1 or sums or not sheet.says(fair.JUDGES) or market.asks_advice(sheet):
        return ()
    around = _around(places[0])
    now = market.drafted(sheet, AskForm.LEVEL)
    named = sheet.says(HOME_WORDS) or "property_type" in now.notes
    if around is None or not named or now.start_date or now.order_by or now.notes.keys() & {"kinds", "complex"}:
        return ()
    deals = deal_types(sheet)
    measure = market.MEASURE_OF[deals[0]][0] if deals else "sale_price"
    notes = {"property_type": "apartment", **now.notes, "asks": "cheap" if sheet.says(_CHEAP) else "dear"}
    conditions = tuple(one for one in now.conditions if one.field == "area_m2")
    asked = replace(
        now, form=AskForm.VERDICT, answerer=ANSWERER, subjects=(places[0], around), measures=(measure,), notes=notes,
        conditions=conditions,
    )  # fmt: skip
    return (Claim(asked, 0.95),)


def _around(place: Entity) -> Entity | None:
    """Return the district that a dong lies in, or the province of a district; None of a province."""
    code = place.value if dong_of(place) else place.value[:2]
    if len(place.value) != _DISTRICT or place.alternatives or code not in gazetteer().districts:
        return None
    wider = gazetteer().districts[code]
    return Entity("region", code, wider.name if any("가" <= one <= "힣" for one in place.label) else wider.name_en)


def _answer(ask: Ask, found: Found) -> Outcome:
    """Return yes or no with both means, and how far they are apart."""
    measure = ask.measures[0]
    reads = [one for one in reads_of(ask, found) if one.row.number(measure)]
    if len(reads) < len(ask.subjects):
        return Outcome(nothing(ask))
    own, around = (one.row.number(measure) or Decimal(1) for one in reads)
    share = (own - around) * 100 / around
    way = 0 if abs(share) <= fair.NEAR else (1 if share > 0 else -1)
    is_so = way == (-1 if ask.notes["asks"] == "cheap" else 1)
    sentence = filled(
        "{lead} {way}. {place} {kind} 평균 {measure} {own:은/는} {wider} 평균 {around}보다 {gap}({share}) {side}.",
        "{lead} {way}: the mean {measure} of {kind} in {place}, {own}, is {gap} ({share}) {side} that of {wider}, {around}.",
        lead=Said("네,", "Yes,") if is_so else Said("아니요,", "No,"),
        way=fair.TOLD[way],
        place=reads[0].place_said(),
        kind=kind_of(ask, reads[0].side),
        measure=measure_said(ask, measure),
        own=figure_said(ask, own, measure),
        wider=label_said(reads[1].side.place),
        around=figure_said(ask, around, measure),
        gap=figure_said(ask, abs(own - around), measure),
        share=percent(abs(share), 1),
        side=Said("높습니다", "above") if share > 0 else Said("낮습니다", "below"),
    )
    pieces = tuple(proof(one.reading, titled(PRICES, one.place_said()), found.asking.locale, "market") for one in reads)
    answer = ruled(
        ask,
        AskVerdict.YES if is_so else AskVerdict.NO,
        sentence,
        evidence_ids=tuple(one.evidence_id for one in pieces),
        conditions=applied(ask),
        cautions=() if ask.conditions else (fair.SIZES,),
    )
    return Outcome(answer, evidence=pieces)


ANSWERERS: Final = (Answerer(ANSWERER, ("realty.search", "finance.real_estate"), _answer, level_calls),)
