"""Homes on offer that meet every condition of the question."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskCondition, AskedBefore, AskForm, Ground, Said, Told
from services.domains.homes.asks.homes_named import (
    HOME_WORDS,
    KIND_NAMES,
    applied,
    area_condition,
    ask_filters,
    deal_types,
    kind_said,
    place_filters,
    property_type,
    room_count,
)
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered
from services.plugin.asks.edits import carried, is_fresh, last_of, short
from services.plugin.asks.numbers import Number, ranges
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, filled, listed, proof, query, rows_of, where, won

_LISTING: Final = (
    r"매물|나온\s?(?:거|것|집|게|아파트|오피스텔|빌라)|찾아|있(?:어|나|니|을까|나요|어요|습니까|는지|음)|구해|골라|보여|추천|리스트|목록"
    r"|listing|for (?:sale|rent|lease)\b|on offer|available|find|looking for|show me|any\b|are there|do you have"
)
_NOT_LISTING: Final = (
    r"대출|금리|갱신|계약서|특약|보증보험|확정일자|전입|중개|복비|세금|법|올려\s?달|인상|전환율|돌려|반환|지원|정책|자격|수익률|영향"
    r"|\bloan|mortgage|interest|\blaw\b|landlord|tenant|\btax|\bfee\b|renew|support programme"
)
_DEAL_SAID: Final = {
    "jeonse": Said("전세", "for jeonse"),
    "monthly_rent": Said("월세", "for monthly rent"),
    "sale": Said("매매", "for sale"),
    "": Said("", ""),
}
_FIELDS: Final = (
    *("listing_id", "region_ko", "region_en", "dong", "complex_name", "property_type", "deal_type"),
    *("area_m2", "floor", "room_count", "price_krw", "monthly_rent_krw"),
)
_DATA: Final = Said("매물", "Homes on offer")


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for homes on offer; a short message edits the last one."""
    now = _draft(sheet)
    last = None if is_fresh(sheet) else last_of(before, "homes")
    named = sheet.says(HOME_WORDS) and not sheet.says(_NOT_LISTING)
    priced = any(one.field in {"price_krw", "monthly_rent_krw"} for one in now.conditions)
    wanted = sheet.says(r"매물|listing|for (?:sale|rent|lease)\b|on offer|나온\s?(?:거|것|집|게)") or (
        priced and sheet.says(_LISTING)
    )
    cheapest = sheet.superlative is not None and sheet.says(r"매물|listing|나온|집|home|apartment")
    if named and now.subjects and (wanted or (cheapest and sheet.says(r"매물|listing|나온|on offer"))):
        return (Claim(_finished(now, sheet), 0.95),)
    if last is not None and last.answerer == "homes.listings" and short(sheet.text, 9) and not sheet.says(_NOT_LISTING):
        edited = (
            now.subjects or now.conditions or "property_type" in now.notes or "deal_type" in now.notes or now.order_by
        )
        if edited:
            return (Claim(_finished(carried(now, last), sheet), 0.9),)
    return ()


def _draft(sheet: Sheet) -> Ask:
    deals, kind = deal_types(sheet), property_type(sheet)
    deal = deals[0] if deals else ""
    rooms = room_count(sheet)
    conditions = [*area_condition(sheet), *_prices(sheet, deal)]
    conditions += [AskCondition("room_count", "eq", str(rooms), "count", f"{rooms}")] if rooms else []
    superlative = sheet.superlative
    notes = {name: value for name, value in (("property_type", kind), ("deal_type", deal)) if value}
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        intent="MARKET_INQUIRY",
        form=AskForm.LIST,
        subjects=sheet.of_kind("region"),
        conditions=tuple(conditions),
        order_by="price_krw" if superlative else "",
        descending=superlative.is_most if superlative else False,
        answerer="listings",
        notes=notes,
    )


def _prices(sheet: Sheet, deal: str) -> list[AskCondition]:
    """Return the sums of a question as conditions: of a monthly rent the sum by 월세, else the price or deposit."""
    money = [one for one in sheet.numbers if one.unit == "krw" or (one.is_bare and one.bound and one.value >= 10)]
    for low, high in ranges(sheet.numbers, sheet.text):
        if high.unit == "krw":
            field = _field(high, sheet, deal)
            return [
                AskCondition(field, "ge", f"{low.as_won:f}", "krw", low.words),
                AskCondition(field, "le", f"{high.as_won:f}", "krw", high.words),
            ]
    found = []
    for one in money:
        field = _field(one, sheet, deal)
        if one.bound == "band":
            digits = 10 ** (len(str(int(one.as_won))) - 1)
            width = digits if one.as_won % digits == 0 else digits // 10
            found.append(AskCondition(field, "ge", f"{one.as_won:f}", "krw", one.words))
            found.append(AskCondition(field, "lt", f"{one.as_won + width:f}", "krw", one.words))
        else:
            operator = one.bound if one.bound in {"lt", "le", "gt", "ge"} else "le"
            found.append(AskCondition(field, operator, f"{one.as_won:f}", "krw", one.words))
    return found


def _field(number: Number, sheet: Sheet, deal: str) -> str:
    before = sheet.text[max(0, number.start - 8) : number.start]
    if deal != "monthly_rent":
        return "price_krw"
    if any(word in before for word in ("보증금", "deposit")):
        return "price_krw"
    return "monthly_rent_krw"


def _finished(ask: Ask, sheet: Sheet) -> Ask:
    del sheet
    return replace(ask, form=AskForm.LIST, answerer="listings")


def _calls(ask: Ask) -> Sequence[Call]:
    deal = ask.notes.get("deal_type", "")
    rent = deal == "monthly_rent" and any(one.field == "monthly_rent_krw" for one in ask.conditions)
    return [
        query(
            "listings",
            _FIELDS,
            mode="rows",
            filters=[
                *place_filters(place),
                *ask_filters(ask),
                *([where("deal_type", deal)] if deal else []),
            ],
            order_by=ask.order_by or ("monthly_rent_krw" if rent else "price_krw"),
            descending=ask.descending,
            limit=10,
        )
        for place in ask.subjects[:3]
    ]


def _answer(ask: Ask, found: Found) -> Outcome:
    rows = rows_of(found.readings)
    place = listed([Said(one.label, one.label) for one in ask.subjects])
    what = filled(
        "{place} {deal} {kind}",
        "{kind} {deal} in {place}",
        place=place,
        deal=_DEAL_SAID[ask.notes.get("deal_type", "")],
        kind=kind_said(ask),
    )
    limits = _limits(ask)
    if not rows:
        sentence = filled(
            "조건에 맞는 {what} 매물은 없습니다({limits}).",
            "There are no {what} on offer that meet the conditions ({limits}).",
            what=what,
            limits=limits,
        )
        return Outcome(answered(ask, sentence, conditions=applied(ask)))
    total = sum(one.rows[0].total for one in found.readings if isinstance(one.rows[0], QueryRow))
    pieces = tuple(proof(one, _DATA, found.asking.locale, "listing") for one in found.readings)
    ids = tuple(piece.evidence_id for piece in pieces)
    first = listed([_row_said(row) for row in rows[:3]])
    sentence = filled(
        "조건에 맞는 {what} 매물은 {total}건입니다: {first}.",
        "{total} {what} meet the conditions: {first}.",
        what=what,
        total=str(total),
        first=first,
    )
    told = tuple(
        Told(
            "listing",
            row.text("listing_id"),
            _row_said(row).ko,
            {"price_krw": row.text("price_krw"), "monthly_rent_krw": row.text("monthly_rent_krw")},
        )
        for row in rows
    )
    grounds = tuple(Ground(_row_said(row, whole=True), ids[:1]) for row in rows) if total > 1 else ()
    return Outcome(
        answered(ask, sentence, evidence_ids=ids, conditions=applied(ask), told=told, grounds=grounds), evidence=pieces
    )


def _limits(ask: Ask) -> Said:
    words = list(dict.fromkeys(one.words for one in ask.conditions)) or ["—"]
    return Said(", ".join(words), ", ".join(words))


def _row_said(row: QueryRow, *, whole: bool = False) -> Said:
    price, rent = row.number("price_krw") or 0, row.number("monthly_rent_krw")
    name = row.text("complex_name")
    head = Said(name if row.text("dong") in name else f"{row.text('dong')} {name}", name)
    money = (
        filled("보증금 {deposit}/월 {rent}", "deposit {deposit}, {rent} a month", deposit=won(price), rent=won(rent))
        if rent
        else won(price)
    )
    if not whole:
        return Said(f"{head.ko} {money.ko}", f"{head.en} {money.en}")
    kind = KIND_NAMES.get(row.text("property_type"), KIND_NAMES[""])
    area, floor = row.text("area_m2"), row.text("floor")
    return Said(
        f"{head.ko} ({kind.ko}, 전용 {area}㎡, {floor}층, 방 {row.text('room_count')}) {money.ko}",
        f"{head.en} ({kind.en}, {area} ㎡, floor {floor}, {row.text('room_count')} rooms) {money.en}",
    )


ANSWERERS: Final = (Answerer("listings", ("realty.search",), _answer, _calls),)
