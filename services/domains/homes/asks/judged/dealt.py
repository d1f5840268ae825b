"""The dearest or the cheapest home that was dealt in a place, deal by deal: "강남구에서 제일 비싸게 팔린 아파트"."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from services.contract.asks import Ask, AskForm, Said, Told
from services.domains.homes.asks.homes_named import (
    HOME_WORDS,
    KIND_NAMES,
    applied,
    area_condition,
    ask_filters,
    deal_types,
    place_filters,
    property_type,
)
from services.domains.homes.asks.listings import DEALT
from services.domains.homes.asks.orders import first_home
from services.domains.homes.asks.said import label_said, nothing
from services.plugin.asks.answering import CERTAIN, Answerer, Call, Claim, Found, Outcome, answered
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import day_said, filled, proof, query, rows_of, where, won
from services.text.ko.romanised import romanised, romanised_place

_FIELDS: Final = ("dong", "complex_name", "area_m2", "floor", "contract_date", "price_krw", "monthly_rent_krw")
_DEALS: Final = {
    "sale": Said("매매", "sale"),
    "jeonse": Said("전세", "jeonse"),
    "monthly_rent": Said("월세", "monthly rent"),
}


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask for the first home that was dealt in a district; nothing where none is asked for."""
    order = first_home(sheet)
    if order is None or not (sheet.says(DEALT) and sheet.says(HOME_WORDS)):
        return ()
    start, end = (sheet.periods[0][:2]) if sheet.periods else (None, None)
    deal = next(iter(deal_types(sheet)), "sale")
    ask = Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.FACT,
        intent="MARKET_INQUIRY",
        subjects=sheet.of_kind("region"),
        conditions=area_condition(sheet),
        order_by="monthly_rent_krw" if deal == "monthly_rent" else "price_krw",
        descending=order.is_most,
        count=1,
        notes={"deal_type": deal, **({"property_type": kind} if (kind := property_type(sheet)) else {})},
        start_date=start.isoformat() if start is not None else "",
        end_date=end.isoformat() if end is not None else "",
    )
    return (Claim(replace(ask, answerer="dealt_first"), CERTAIN, is_whole=True),)


def _calls(ask: Ask) -> Sequence[Call]:
    filters = [*place_filters(ask.subjects[0]), *ask_filters(ask), where("deal_type", ask.notes["deal_type"])]
    ends: dict[str, Any] = {
        name: date.fromisoformat(day) for name, day in (("start", ask.start_date), ("end", ask.end_date)) if day
    }
    more: dict[str, Any] = {"mode": "rows", "order_by": ask.order_by, "descending": ask.descending, "limit": 1}
    return [query("home_deals", _FIELDS, filters=filters, **ends, **more)]


def _answer(ask: Ask, found: Found) -> Outcome:
    row = next(iter(rows_of(found.readings)), None)
    if row is None:
        return Outcome(nothing(ask))
    piece = proof(found.readings[0], Said("실거래", "Real transactions"), found.asking.locale, "transaction")
    dong, name, rent = row.text("dong"), row.text("complex_name"), row.number("monthly_rent_krw")
    price = won(row.number("price_krw") or 0)
    sum_said = filled("보증금 {d}/월 {r}", "deposit {d}, {r} a month", d=price, r=won(rent)) if rent else price
    sentence = filled(
        "{place}에서 {since}가장 {way} {deal} 거래된 {kind:은/는} {home}(전용 {area}㎡, {floor}층)으로, {day}에 {sum}입니다(거래 {total}건 가운데).",
        "The {way} {deal} of {kind} in {place}{since} was {home} ({area} ㎡, floor {floor}): {sum} on {day}, of {total} deals.",
        place=label_said(ask.subjects[0]),
        since=Said("그 기간에 ", " in that time") if ask.start_date else Said("자료의 기간에 ", " in the data"),
        way=Said("비싸게", "dearest") if ask.descending else Said("싸게", "cheapest"),
        deal=_DEALS[ask.notes["deal_type"]],
        kind=KIND_NAMES[ask.notes.get("property_type", "")],
        home=Said(
            name if dong in name else f"{dong} {name}",
            f"{romanised(name.removeprefix(dong).strip())}, {romanised_place(dong)}",
        ),
        area=row.text("area_m2"),
        floor=row.text("floor"),
        day=day_said(row.text("contract_date")),
        sum=sum_said,
        total=f"{row.total:,}",
    )
    figures = {"price_krw": row.text("price_krw")}
    told = (Told("deal", row.text("contract_date"), name, figures),)
    ids = (piece.evidence_id,)
    return Outcome(answered(ask, sentence, evidence_ids=ids, conditions=applied(ask), told=told), evidence=(piece,))


ANSWERERS: Final = (Answerer("dealt_first", ("finance.real_estate", "realty.search"), _answer, _calls),)
