"""Homes on offer that meet every condition of the question."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskCondition, AskedBefore, AskForm, Ground, Said, Told
from services.domains.homes.asks import offered
from services.domains.homes.asks.homes_named import (
    BESIDE_PRICES,
    HOME_WORDS,
    KIND_NAMES,
    ON_OFFER,
    applied,
    area_condition,
    ask_filters,
    deal_types,
    floor_condition,
    kind_said,
    place_filters,
    property_type,
    room_condition,
)
from services.domains.homes.asks.market import asks_advice, asks_else, is_of_homes_alone, is_of_months
from services.domains.homes.asks.names import unknown_names
from services.domains.homes.asks.orders import bounds_places, first_home, order_of, ranks_places
from services.domains.homes.asks.said import label_said
from services.domains.homes.asks.unrecorded import unrecorded, with_unrecorded
from services.plugin.asks.answering import CERTAIN, Answerer, Call, Claim, Found, Outcome, answered
from services.plugin.asks.edits import carried, is_fresh, last_of, short
from services.plugin.asks.numbers import Number, ranges
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import (
    QueryRow,
    filled,
    first_at,
    listed,
    placed,
    proof,
    query,
    rows_of,
    sentences,
    where,
    won,
)
from services.text.ko.romanised import romanised, romanised_place
from services.text.patterns import Pattern

OFFERED: Final = rf"{ON_OFFER}|for (?:sale|rent|lease)\b|\bon sale\b"
_WANTED: Final = r"찾아|구해|골라\s?(?:줘|주)|추려|보여|리스트|목록|available|find\b|looking for|show me"
_EXISTS: Final = r"있(?:어|나|니|을까|나요|어요|습니까|는지|음|냐)|추천|any\b|anything|are there|is there|do you have"
_ANY: Final = r"있(?:어|나|니|을까|나요|어요|습니까|음|냐|을까요)\W*$|^\W*(?:are there|is there|do you have|have you got|got|any)\b"
"""Words that ask whether there are any homes of a kind."""
_OF_LEVEL: Final = r"평균|시세|평당|얼마(?!\s?(?:이하|미만|안쪽))|몇\s?%|average|how (?:much|big|high|large)|prices?\b(?! range)|level|what (?:do|does|is|are)\b.{0,60}\b(?:cost|rent|go|sell|run)\b|what(?:'s| is) the (?!\w+est\b)\w+ (?:on|for) an? "
_RATIO: Final = r"전세가율|jeonse[- ](?:to[- ]\w+[- ])?ratio"
_DEAL_SAID: Final = {
    "jeonse": Said("전세", "for jeonse"),
    "monthly_rent": Said("월세", "for monthly rent"),
    "sale": Said("매매", "for sale"),
    "": Said("", ""),
}
_BY_PRICE: Final = ("sale", "jeonse")
"""The deals that a sum is the price of, where none is named: a rent's deposit is no price of a home."""
_FIELDS: Final = (
    *("listing_id", "region_ko", "region_en", "dong", "complex_name", "property_type", "deal_type"),
    *("area_m2", "floor", "room_count", "price_krw", "monthly_rent_krw"),
)
_DATA: Final = Said("매물", "Homes on offer")
_PLURAL: Final = re.compile(r"^([a-z]+)s\b")
"""The kind of homes that a list begins with."""
DEALT: Final = r"기록|\brecorded\b|팔렸|팔린|거래(?:된|됐|되었)|실거래|찍었|\bsold\b|\bdeals?\b|transact"
"""Words of homes that were dealt, which are on offer no more."""
_LISTED: Final = frozenset({"homes.listings", f"homes.{offered.ONE}", f"homes.{offered.UNSAID}"})
"""The answerers behind which a short message edits a list."""


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for homes on offer; a short message edits the last one."""
    last = None if is_fresh(sheet) else last_of(before, "homes")
    listed_last = last is not None and last.answerer in _LISTED
    now = _draft(sheet, last if listed_last else _priced_last(sheet, last))
    more = bool(now.conditions or {"property_type", "deal_type"} & now.notes.keys())
    beside = sheet.says(BESIDE_PRICES)
    if not beside and (one := offered.read(sheet, before, last if listed_last and not more else None)):
        return one
    of_ratio = sheet.says(_RATIO) and not sheet.says(OFFERED)
    # In a place of which homes were told, rooms and floors are those of a home, though none is named.
    lent = not any(one.end for one in now.subjects)
    of_home = lent and any(one.field in {"room_count", "floor"} for one in now.conditions)
    named = (sheet.says(HOME_WORDS) or bool(deal_types(sheet)) or of_home) and not (of_ratio or beside)
    limited = any(one.field != "area_m2" or one.operator in {"lt", "gt"} or one.words for one in now.conditions)
    limited = limited and (_has_limits(now) or sheet.says(_EXISTS))
    asks_any = sheet.says(_ANY) and bool({"property_type", "deal_type"} & now.notes.keys())
    # Homes of a kind that are to be recommended in one place are those on offer there.
    recommended = sheet.wants(AskForm.RECOMMEND) and "property_type" in now.notes and len(now.subjects) == 1
    told = limited or asks_any or recommended or sheet.says(_WANTED)
    # The first of several places is a place.
    of_one = offered.first_by(sheet) if len(sheet.of_kind("region")) <= 1 else None
    first = (first_home(sheet) or of_one) is not None and not sheet.says(DEALT)
    wanted = sheet.says(OFFERED) or first or (told and not sheet.says(_OF_LEVEL))
    wanted = (
        wanted
        and not asks_advice(sheet)
        and (sheet.says(OFFERED) or not is_of_months(sheet))
        and not ((ranks_places(sheet) or bounds_places(sheet)) and not sheet.says(OFFERED))
    )
    if named and now.subjects and wanted and not _names_none(sheet):
        is_sure = bool(now.conditions) and bool({"property_type", "deal_type"} & now.notes.keys())
        return (Claim(_finished(now), CERTAIN if is_sure else 0.95, is_whole=is_of_homes_alone(sheet)),)
    edits = short(sheet.text, 9) and not beside
    edits = edits and not (sheet.wants(AskForm.RECOMMEND) and asks_else(sheet, now))
    if last is not None and listed_last and edits:
        edited = (
            now.subjects or now.conditions or "property_type" in now.notes or "deal_type" in now.notes or now.order_by
        )
        if edited:
            return (Claim(_finished(carried(now, offered.without_one(last), adds_subjects=sheet.says(_BESIDE))), 0.9),)
    return ()


_BESIDE: Final = r"(?:도|까지|랑|하고)\s?(?:같이|함께|추가|넣어|포함)|\bas well\b|\balong with\b|\btogether\b"
"""Puts a place beside those that stand."""


def _priced_last(sheet: Sheet, last: Ask | None) -> Ask | None:
    """Return the price just told that lends a list its place, as the kind of homes and the deal that it lends too."""
    places = sheet.of_kind("region")
    lent = bool(places) and not any(one.end for one in places)
    if last is None or not lent or not last.answerer.startswith("homes.market_"):
        return None
    told = {"property_type": last.notes.get("property_type", ""), "deal_type": last.notes.get("deal", "")}
    return replace(last, notes={name: value for name, value in told.items() if value})


def _names_none(sheet: Sheet) -> bool:
    """Tell whether a question names a complex or place that is not known, of which nothing else is told."""
    return bool(unknown_names(sheet)) and not sheet.of_kind("region")


def _has_limits(ask: Ask) -> bool:
    """Tell whether a condition is one that single homes meet: a limit of price, rooms, floor, or an area with a bound."""
    areas = [one for one in ask.conditions if one.field == "area_m2"]
    return len(areas) == 1 or any(one.field != "area_m2" for one in ask.conditions)


def _draft(sheet: Sheet, last: Ask | None = None) -> Ask:
    """Return the list that a message wants; one in a place that is lent is of the kind and the deal told there."""
    lent = last.notes if last is not None and last.answerer not in _LISTED else {}
    deal_before = last.notes.get("deal_type", "") if last is not None else ""
    deals, kind = deal_types(sheet), property_type(sheet)
    deal = deals[0] if deals else ""
    if not (deal or deal_before) and first_home(sheet) is not None:
        # Homes of different deals have no common price: that of a home is what it is sold for.
        deal = "sale"
    conditions = [
        *area_condition(sheet),
        *_prices(sheet, deal or deal_before),
        *room_condition(sheet),
        *floor_condition(sheet),
    ]
    order_by, is_most = _order(sheet, deal or deal_before)
    notes = {name: value for name, value in (("property_type", kind), ("deal_type", deal)) if value}
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        intent="MARKET_INQUIRY",
        form=AskForm.LIST,
        subjects=sheet.of_kind("region"),
        conditions=tuple(conditions),
        order_by=order_by,
        descending=is_most,
        answerer="listings",
        notes={**lent, **notes, **unrecorded(sheet)},
    )


def _order(sheet: Sheet, deal: str) -> tuple[str, bool]:
    """Return the field that an order is by, and whether the greatest comes first; an empty field where none is wanted.

    It is what the words say, else the price, of a monthly rent the rent.
    """
    if (first := offered.first_by(sheet)) is not None and first[0] != "price_krw":
        return first
    order = order_of(sheet)
    if order is None:
        return "", False
    return "monthly_rent_krw" if deal == "monthly_rent" else "price_krw", order.is_most


def _prices(sheet: Sheet, deal: str) -> list[AskCondition]:
    """Return the sums of a question as conditions: of a monthly rent the sum by 월세, else the price or deposit."""
    money = [one for one in sheet.numbers if one.unit == "krw" or (one.is_bare and _is_sum(one, sheet))]
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


def _is_sum(number: Number, sheet: Sheet) -> bool:
    """Tell whether a bare number is a sum in 만원: it has a bound, or a word of money stands right before it."""
    before = sheet.text[max(0, number.start - 5) : number.start]
    told = re.search(r"(?:월세|보증금|월|전세|매매가?|deposit|rent)\s?$", before, re.IGNORECASE)
    return (
        number.value >= _SUM_MIN
        and (bool(number.bound) or told is not None)
        and not _OF_ROOM.match(sheet.text, number.end)
    )


_SUM_MIN: Final = 10
_OF_ROOM: Final = Pattern(r"\s?(?:층|평|㎡|개|룸|동|호|년)")
_DEPOSIT: Final = Pattern(r"보증금|deposit", re.IGNORECASE)
_RENT: Final = Pattern(r"월세|월\s?$|매달|다달이|rent|month", re.IGNORECASE)


def _field(number: Number, sheet: Sheet, deal: str) -> str:
    """Return what a sum bounds: of a monthly rent the deposit where its word is the nearest one before."""
    if deal != "monthly_rent":
        return "price_krw"
    before = sheet.text[: number.start]
    places = [
        (hits[-1].end(), field)
        for field, words in (("price_krw", _DEPOSIT), ("monthly_rent_krw", _RENT))
        if (hits := list(words.finditer(before)))
    ]
    return max(places)[1] if places else "monthly_rent_krw"


def drafted(sheet: Sheet) -> Ask:
    """Return the ask for the homes on offer that a question names."""
    return _finished(_draft(sheet))


def _finished(ask: Ask) -> Ask:
    return replace(ask, form=AskForm.LIST, answerer="listings")


def _calls(ask: Ask) -> Sequence[Call]:
    deal = ask.notes.get("deal_type", "")
    priced = any(one.field == "price_krw" for one in ask.conditions)
    deals = [where("deal_type", deal)] if deal else [where("deal_type", _BY_PRICE, "in")] if priced else []
    rent = deal == "monthly_rent" and any(one.field == "monthly_rent_krw" for one in ask.conditions)
    return [
        query(
            "listings",
            _FIELDS,
            mode="rows",
            filters=[
                *place_filters(place),
                *ask_filters(ask),
                *deals,
            ],
            order_by=ask.order_by or ("monthly_rent_krw" if rent else "price_krw"),
            descending=ask.descending,
            limit=10,
        )
        for place in ask.subjects[:3]
    ]


def _answer(ask: Ask, found: Found) -> Outcome:
    rows = rows_of(found.readings)
    place = listed([label_said(one) for one in ask.subjects])
    kind, deal = kind_said(ask), _DEAL_SAID[ask.notes.get("deal_type", "")]
    kinds = Said(f"{deal.ko} {kind.ko}".strip(), f"{kind.en} {deal.en}".strip())
    what = filled("{place} {kinds}", "{kinds} in {place}", place=place, kinds=kinds)
    limits = _limits(ask)
    if not rows:
        sentence = filled(
            "조건에 맞는 {what} 매물은 없습니다{limits}.",
            "There are no {what} on offer{limits}.",
            what=what,
            limits=filled("({limits})", " that meet the conditions ({limits})", limits=limits)
            if ask.conditions
            else Said("", ""),
        )
        return Outcome(answered(ask, with_unrecorded(ask, sentence), conditions=applied(ask)))
    total = sum(one.rows[0].total for one in found.readings if isinstance(one.rows[0], QueryRow))
    pieces = tuple(proof(one, _DATA, found.asking.locale, "listing") for one in found.readings)
    ids = tuple(piece.evidence_id for piece in pieces)
    of_deal = not deal.ko
    first = listed([_row_said(row, with_deal=of_deal) for row in rows[:3]])
    meet = "meet"
    if total == 1:
        what, meet = Said(what.ko, _PLURAL.sub(r"\1", what.en)), "meets"
    if ask.order_by and total > 1 and len(found.readings) == 1:
        whole = ask.order_by not in _PRICED
        offers = [_row_said(row, whole=whole, with_deal=of_deal) for row in rows]
        at, at_place = placed(ask, offers)
        sentence = sentences(at_place, _first_said(ask, what, offers[0], total))
        rows = first_at(at, rows)
    else:
        sentence = filled(
            "조건에 맞는 {what} 매물은 {total}건입니다: {first}.",
            "{total} {what} {meet} the conditions: {first}.",
            what=what,
            meet=meet,
            total=str(total),
            first=first,
        )
    sentence = with_unrecorded(ask, sentence)
    told = tuple(
        Told(
            "listing",
            row.text("listing_id"),
            _row_said(row).ko,
            {"price_krw": row.text("price_krw"), "monthly_rent_krw": row.text("monthly_rent_krw")},
        )
        for row in rows
    )
    grounds = tuple(Ground(_row_said(row, whole=True, with_deal=of_deal), ids[:1]) for row in rows) if total > 1 else ()
    return Outcome(
        answered(ask, sentence, evidence_ids=ids, conditions=applied(ask), told=told, grounds=grounds), evidence=pieces
    )


def _first_said(ask: Ask, what: Said, first: Said, total: int) -> Said:
    """Return the home on offer that comes first in the order that is wanted."""
    low, high = _ENDS[ask.order_by]
    return filled(
        "나온 {what} 매물 가운데 가장 {way} 것은 {first}입니다(모두 {total}건).",
        "Of the {total} {what} on offer, the {way} is {first}.",
        what=what,
        way=high if ask.descending else low,
        first=first,
        total=str(total),
    )


_PRICED: Final = frozenset({"price_krw", "monthly_rent_krw"})
_CHEAP, _DEAR = Said("싼", "cheapest"), Said("비싼", "most expensive")
_ENDS: Final = {
    "price_krw": (_CHEAP, _DEAR),
    "monthly_rent_krw": (_CHEAP, _DEAR),
    "area_m2": (Said("작은", "smallest"), Said("넓은", "largest")),
    "floor": (Said("층이 낮은", "lowest"), Said("층이 높은", "highest")),
    "room_count": (Said("방이 적은", "one with the fewest rooms"), Said("방이 많은", "one with the most rooms")),
}
"""How the homes at either end of an order are called."""


def _limits(ask: Ask) -> Said:
    """Return the conditions in the words of the question, a range of sums by its ends."""
    ends = {one.operator: one for one in ask.conditions if one.unit == "krw"}
    if ends.keys() == {"ge", "le"} and len({one.field for one in ends.values()}) == 1:
        low, high = (won(Decimal(ends[name].value)) for name in ("ge", "le"))
        rest = listed([Said(one.words, one.words) for one in ask.conditions if one not in ends.values()])
        span = filled("{low}~{high}", "{low} to {high}", low=low, high=high)
        return filled("{span}, {rest}", "{span}, {rest}", span=span, rest=rest) if rest.ko else span
    words = list(dict.fromkeys(one.words for one in ask.conditions)) or ["—"]
    return Said(", ".join(words), ", ".join(words))


def _row_said(row: QueryRow, *, whole: bool = False, with_deal: bool = False) -> Said:
    """Return a home on offer in a line; with its deal where the question names none."""
    price, rent = row.number("price_krw") or 0, row.number("monthly_rent_krw")
    name = row.text("complex_name")
    whole_name = name if row.text("dong") in name else f"{row.text('dong')} {name}"
    head = Said(whole_name, _name_en(row.text("dong"), name))
    money = (
        filled("보증금 {deposit}/월 {rent}", "deposit {deposit}, {rent} a month", deposit=won(price), rent=won(rent))
        if rent
        else won(price)
    )
    if with_deal and not rent:
        deal = _DEAL_SAID[row.text("deal_type")]
        money = Said(f"{deal.ko} {money.ko}", f"{money.en} {deal.en}")
    if not whole:
        return Said(f"{head.ko} {money.ko}", f"{head.en} {money.en}")
    kind = KIND_NAMES.get(row.text("property_type"), KIND_NAMES[""])
    area, floor = row.text("area_m2"), row.text("floor")
    return Said(
        f"{head.ko} ({kind.ko}, 전용 {area}㎡, {floor}층, 방 {row.text('room_count')}) {money.ko}",
        f"{head.en} ({kind.en}, {area} ㎡, floor {floor}, {row.text('room_count')} rooms) {money.en}",
    )


def _name_en(dong: str, name: str) -> str:
    """Return a complex in Latin letters, its dong behind it."""
    return f"{romanised(name.removeprefix(dong).strip())}, {romanised_place(dong)}" if dong else romanised(name)


ANSWERERS: Final = (Answerer("listings", ("realty.search",), _answer, _calls), *offered.ANSWERERS)
