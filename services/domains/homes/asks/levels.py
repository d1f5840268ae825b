"""What homes cost now, and what they cost in a period that is past."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, AskForm, Said
from services.contract.flow import Evidence, Metric
from services.domains.homes.asks.homes_named import applied
from services.domains.homes.asks.months import district_said, month_filters, month_measure, month_readings, not_by_month
from services.domains.homes.asks.said import (
    MONTHS,
    PRICES,
    figure_said,
    gap_said,
    measure_said,
    nothing,
    span_said,
    titled,
    told,
    value_said,
)
from services.domains.homes.asks.sides import Read, kind_of, reads_of, sides
from services.domains.homes.asks.unrecorded import with_unrecorded
from services.plugin.asks.answering import Call, Found, Outcome, answered, declined
from services.plugin.asks.telling import QueryRow, filled, listed, month_said, percent, proof, query, rows_of, sentences
from services.plugin.wording import rounded

_KINDS: Final = {
    "sale_price": "homes_price_mean",
    "jeonse_deposit": "homes_deposit_mean",
    "rent_deposit": "homes_deposit_mean",
    "monthly_rent": "homes_rent_mean",
    "jeonse_ratio": "homes_jeonse_ratio",
}


def level(ask: Ask, found: Found) -> Outcome:
    """Return the mean of all rows of each side, weighted by deals."""
    said, evidence, metrics, things = [], [], [], []
    for one in reads_of(ask, found):
        values = [(name, text) for name in ask.measures if (text := value_said(ask, one.row, name)) is not None]
        if not values:
            continue
        place = one.place_said()
        evidence.append(proof(one.reading, titled(PRICES, place), found.asking.locale, "market"))
        said.append(_said(ask, one, values))
        things.append(told(one.side.place, place, one.row, ask))
        metrics += _metrics(ask, one, evidence[-1], found)
    if not said:
        return Outcome(nothing(ask))
    ids = tuple(piece.evidence_id for piece in evidence)
    answer = answered(
        ask,
        with_unrecorded(ask, sentences(*said)),
        evidence_ids=ids,
        conditions=applied(ask),
        told=tuple(things),
        cautions=supply_said(ask),
    )
    return Outcome(answer, metrics=tuple(metrics), evidence=tuple(evidence))


def _metrics(ask: Ask, one: Read, piece: Evidence, found: Found) -> list[Metric]:
    """Return the figures of a side as metrics, of the kinds that homes declare."""
    locale = found.asking.locale
    name = f"{one.place_said().of(locale)} {kind_of(ask, one.side).of(locale)}"
    subject = found.asking.subject(name, piece.evidence_id)
    known = [
        (_KINDS[name], value) for name in ask.measures if name in _KINDS and (value := one.row.number(name)) is not None
    ]
    return [subject.figure(kind, rounded(value, 2), one.row.as_of) for kind, value in known]


def _said(ask: Ask, one: Read, values: Sequence[tuple[str, Said]]) -> Said:
    place, kind, by_name = one.place_said(), kind_of(ask, one.side), dict(values)
    if set(by_name) == {"monthly_rent", "rent_deposit"}:
        return filled(
            "{place} {kind} 월세는 평균 {rent}(보증금 {deposit})입니다.",
            "On average {kind} in {place} rent for {rent} a month with a deposit of {deposit}.",
            place=place,
            kind=kind,
            rent=by_name["monthly_rent"],
            deposit=by_name["rent_deposit"],
        )
    if ask.notes.get("gap") and {"sale_price", "jeonse_deposit"} <= by_name.keys():
        return _gap_said(ask, one)
    if set(by_name) == {"deal_count"}:
        return filled(
            "{place} {kind} 거래는 {value}입니다.",
            "There were {value} deals of {kind} in {place}.",
            place=place,
            kind=kind,
            value=by_name["deal_count"],
        )
    if len(values) == 1:
        told_level = filled(
            "{place} {kind}의 평균 {measure:은/는} {value}입니다{deals}.",
            "{kind_up} in {place}: {measure_en} {value} on average{deals}.",
            place=place,
            kind=kind,
            kind_up=Said(kind.ko, kind.en[:1].upper() + kind.en[1:]),
            measure=measure_said(ask, values[0][0]),
            measure_en=measure_said(ask, values[0][0]),
            value=values[0][1],
            deals=_deals(one.row, values[0][0]),
        )
        return sentences(told_level, _risk_said(ask, one))
    parts = [
        filled("{name} {value}", "{name} {value}", name=measure_said(ask, name), value=text) for name, text in values
    ]
    return filled(
        "{place} {kind:은/는} 평균 {parts}입니다.",
        "{kind_up} in {place}: {parts} on average.",
        place=place,
        kind=kind,
        kind_up=Said(kind.ko, kind.en[:1].upper() + kind.en[1:]),
        parts=listed(parts),
    )


USUAL_RISK: Final = "80"
"""From which jeonse ratio on deposits are usually held to be at risk, in percent."""


def _risk_said(ask: Ask, one: Read) -> Said | None:
    """Return whether a mean jeonse ratio is beyond what is held to be risky, by the person's own bound or the usual one."""
    bound, ratio = ask.notes.get("risk_from"), one.row.number("jeonse_ratio")
    if bound is None or ratio is None or set(ask.measures) != {"jeonse_ratio"}:
        return None
    way = (
        Said("넘어 위험한 편입니다", "above it, so on the risky side")
        if ratio > Decimal(bound)
        else Said("넘지 않아 평균으로는 안전한 편입니다", "not above it, so on the safe side as a mean")
    )
    return filled(
        "{whose} {bound:을/를} {way}. 근저당이나 먼저 든 보증금이 있는 집은 따로 봐야 합니다.",
        "Held against {whose} {bound}, it is {way}; a home with a mortgage or earlier deposits has to be looked at by itself.",
        whose=Said("흔히 위험하다고 보는", "the usual mark of")
        if bound == USUAL_RISK
        else Said("말씀하신", "your mark of"),
        bound=percent(Decimal(bound), 1),
        way=way,
    )


def _gap_said(ask: Ask, one: Read) -> Said:
    """Return how far the mean sale price of a place lies above its mean jeonse deposit."""
    price, deposit = (one.row.number(name) or Decimal(0) for name in ("sale_price", "jeonse_deposit"))
    return filled(
        "{place} {kind} 매매가와 전세 보증금의 차이는 평균 {gap}입니다(매매가 {price}, 전세 {deposit}).",
        "The gap between the sale price and the jeonse deposit of {kind} in {place} is {gap} on average ({price} less {deposit}).",
        place=one.place_said(),
        kind=kind_of(ask, one.side),
        gap=figure_said(ask, price - deposit, "sale_price"),
        price=figure_said(ask, price, "sale_price"),
        deposit=figure_said(ask, deposit, "jeonse_deposit"),
    )


def _deals(row: QueryRow, measure: str) -> Said:
    if measure == "jeonse_ratio":
        return Said("", "")
    return Said(f"(거래 {row.row_count:,}건 기준)", f", over {row.row_count:,} deals")


def supply_said(ask: Ask) -> tuple[Said, ...]:
    """Return how 평 were read, where the question counts in them."""
    words = next((one.words for one in ask.conditions if one.field == "area_m2" and "평" in one.words), "")
    if not words:
        return ()
    return (
        filled(
            "{words:은/는} 공급면적으로 보고, 자료에 있는 전용면적은 그 75%로 잡았습니다.",
            "{words} was taken as supply area, of which 75 % is exclusive area as in the data.",
            words=Said(words, words.replace("평", " pyeong")),
        ),
    )


def past_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read a past period of each side, and the span of the data."""
    start, end = date.fromisoformat(ask.start_date), date.fromisoformat(ask.end_date)
    measures = list(dict.fromkeys([*(month_measure(one) for one in ask.measures), "deal_count"]))
    calls = []
    for side in sides(ask):
        filters = month_filters(ask, side)
        calls.append(query("home_months", measures, filters=filters, start=start.replace(day=1), end=end))
        calls.append(query("home_months", ["first_month", "last_month"], filters=filters))
    return calls


def past(ask: Ask, found: Found) -> Outcome:
    """Return the mean of a past period; where the data does not reach back so far it says from when it does."""
    said, pieces = [], []
    levels: list[tuple[Said, Decimal]] = []
    for side in sides(ask):
        readings = month_readings(ask, side, found)
        row = next((one for one in rows_of(readings) if one.number("deal_count")), None)
        if row is None:
            continue
        measures = [one for one in ask.measures if row.number(month_measure(one)) is not None]
        if not measures:
            continue
        place = district_said(side)
        reading = next(one for one in readings if row in one.rows)
        pieces.append(proof(reading, titled(MONTHS, place), found.asking.locale, "trend"))
        levels.append((place, row.number(month_measure(measures[0])) or Decimal(0)))
        said.append(_past_said(ask, row, measures, place, kind_of(ask, side)))
    if not said:
        return Outcome(_outside(ask, found))
    if ask.form is AskForm.COMPARE and len(levels) > 1:
        said.insert(0, _held_apart(ask, levels))
    ids = tuple(piece.evidence_id for piece in pieces)
    return Outcome(
        answered(ask, sentences(*said), evidence_ids=ids, cautions=not_by_month(ask)), evidence=tuple(pieces)
    )


def _held_apart(ask: Ask, levels: Sequence[tuple[Said, Decimal]]) -> Said:
    """Return which of several places stood highest, or lowest, in a past period, and by how much."""
    ordered = sorted(levels, key=lambda one: one[1], reverse=ask.descending)
    return filled(
        "{place:이/가} {degree}{way}(차이 {gap}).",
        "{place} was {degree_en} ({gap} apart).",
        place=ordered[0][0],
        degree="가장 " if len(ordered) > 2 else "더 ",
        degree_en=("the highest" if ask.descending else "the lowest")
        if len(ordered) > 2
        else ("higher" if ask.descending else "lower"),
        way="높았습니다" if ask.descending else "낮았습니다",
        gap=gap_said(ask, min(one[1] for one in levels), max(one[1] for one in levels), ask.measures[0]),
    )


def _past_said(ask: Ask, row: QueryRow, measures: Sequence[str], place: Said, kind: Said) -> Said:
    when = span_said(date.fromisoformat(ask.start_date), date.fromisoformat(ask.end_date))
    deals = f"{int(row.number('deal_count') or 0):,}"
    if measures == ["deal_count"]:
        deal = ask.notes.get("deal", "")
        name = {
            "sale": Said("매매 ", "sale "),
            "jeonse": Said("전세 ", "jeonse "),
            "monthly_rent": Said("월세 ", "rent "),
        }
        return filled(
            "{when} {place} {kind} {deal}거래는 {count}건입니다.",
            "In {when} there were {count} {deal}deals of {kind} in {place}.",
            when=when,
            place=place,
            kind=kind,
            deal=name.get(deal, Said("", "")),
            count=deals,
        )
    parts = [
        filled(
            "{name} {value}",
            "{name} {value}",
            name=measure_said(ask, one),
            value=figure_said(ask, row.number(month_measure(one)) or Decimal(0), one),
        )
        for one in measures
    ]
    return filled(
        "{when} {place} {kind:은/는} 평균 {parts}입니다(거래 {deals}건).",
        "In {when}, {kind} in {place}: {parts} on average, over {deals} deals.",
        when=when,
        place=place,
        kind=kind,
        parts=listed(parts),
        deals=deals,
    )


def _outside(ask: Ask, found: Found) -> AskAnswer:
    span = next((row for row in rows_of(found.readings) if row.text("first_month")), None)
    if span is None:
        return nothing(ask)
    sentence = filled(
        "{when} 자료는 없어 답할 수 없습니다. 자료는 {first}부터 {last}까지 있습니다.",
        "There is no data for {when}, so I cannot tell; the data runs from {first} to {last}.",
        when=span_said(date.fromisoformat(ask.start_date), date.fromisoformat(ask.end_date)),
        first=month_said(span.text("first_month")),
        last=month_said(span.text("last_month")),
    )
    return declined(ask, sentence)
