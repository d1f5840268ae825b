"""One home of those on offer that were told: "the second one", "제일 싼 집은 몇 층이야?", and none where none was told."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Said, Told
from services.domains.homes.asks.homes_named import HOME_WORDS, ask_filters, place_filters
from services.domains.homes.asks.said import complex_said
from services.domains.homes.asks.unrecorded import NOTE, not_recorded, unrecorded
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, asking_back, declined
from services.plugin.asks.edits import ordinal, pointed, points_back, short
from services.plugin.asks.forms import picks_one
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import told_last
from services.plugin.asks.telling import QueryRow, filled, proof, query, rows_of, sentences, where, won
from services.text.ko.romanised import romanised_place

ONE: Final = "offered_one"
UNSAID: Final = "offered_unsaid"
_WORDS_MAX: Final = 11
_ROWS_MAX: Final = 5
_FIELDS: Final = (
    *("listing_id", "dong", "complex_name", "property_type", "deal_type"),
    *("area_m2", "floor", "room_count", "price_krw", "monthly_rent_krw"),
)
_MOST: Final = (
    r"제일|가장|젤|(?:두|세|네)\s?번째로|[2-4]\s?번째로|\b(?:the\s)?(?:second|third)?[- ]?\w+est\b|\b(?:most|least)\b"
)
_BY: Final = (
    ("floor", r"(?:높|낮)은\s?층|층(?:수)?(?:이|가)?\s?(?:제일|가장|젤)?\s?(?:높|낮)|고층|저층|(?:high|low)est floor"),
    ("area_m2", r"넓|크|큰|좁|작|larg|bigg|spacious|small|wid"),
    ("room_count", r"방(?:이|은)?\s?(?:제일|가장|젤)?\s?(?:많|적)|(?:most|fewest) rooms"),
    ("price_krw", r"싼|싸|저렴|비싼|비싸|cheap|expensive|dear|pric|cost"),
)
_MANY: Final = r"넓|크|큰|높|고층|많|비싼|비싸|larg|bigg|spacious|wid|high|most expensive|dear|priciest"
_FIRST: Final = r"(?:제일|가장|젤)\s?(?:방|층|면적|평수)?(?:이|은|수가)?\s?[가-힣]+(?:\s층)?|[가-힣]+\s?순(?:으로|서|대로)|\b(?:\w+est|most|fewest)\b(?: \w+)?"
"""A superlative of homes, or an order, with what it is by."""
_IN_ORDER: Final = r"순(?:으로|서|위|대로|$|\s)|정렬|\border|\bsort"
_SHOWN: Final = r"매물|물건|listing|나온\s?(?:거|것|집)|(?<![가-힣])집(?:을|은|이|도)?(?![가-힣])"
_DEALS: Final = {
    "jeonse": Said("전세", "jeonse"),
    "monthly_rent": Said("월세", "monthly rent"),
    "sale": Said("매매", "sale"),
}


def read(sheet: Sheet, before: Sequence[AskedBefore], last: Ask | None) -> Sequence[Claim]:
    """Return the ask about one of the homes that were told, or that none was; nothing where none is pointed to."""
    if not short(sheet.text, _WORDS_MAX) or sheet.of_kind("region"):
        return ()
    told = told_last(before, "listing")
    if not told or last is None or not (points_back(sheet) or any(ask == last for ask in before[0].asks)):
        return () if told else _none_told(sheet, before)
    field = field_of(sheet)
    if field and sheet.says(_MOST) and not sheet.says(_IN_ORDER):
        place = ordinal(sheet) or 0
        one = replace(_of(sheet, last), order_by=field, descending=sheet.says(_MANY), count=place + 1)
        return (Claim(one, 0.96),)
    one = _of(sheet, last)
    if wanted := unrecorded(sheet):
        return (Claim(replace(one, answerer=UNSAID, notes={**one.notes, **wanted}), 0.96),)
    if picks_one(sheet.text):
        one = replace(one, form=AskForm.RECOMMEND, order_by="price_krw", count=1, notes={**one.notes, _PICKED: "1"})
        return (Claim(one, 0.96),)
    towards = pointed(sheet, before, "listing")
    is_one = towards is not None and len(towards.told) == 1 and (towards.how != "one" or len(told) == 1)
    named = {**one.notes, "listing": towards.told[0].value} if towards is not None and is_one else {}
    return (Claim(replace(one, notes=named), 0.96),) if named else ()


def field_of(sheet: Sheet) -> str:
    """Return what homes are held against each other by: floor, area, rooms, price; empty where no word says."""
    return next((name for name, words in _BY if sheet.says(words)), "")


def first_by(sheet: Sheet) -> tuple[str, bool] | None:
    """Return what the first of homes is wanted by, and whether the greatest is: "제일 넓은"; None where no word says."""
    match = sheet.find(_FIRST)
    words = match.group() if match is not None else ""
    field = next((name for name, by in _BY if re.search(by, words, re.IGNORECASE)), "")
    return (field, re.search(_MANY, words, re.IGNORECASE) is not None) if field else None


_PICKED: Final = "picked"
"""The note of an ask that leaves it to the answer which home is told."""


def _of(sheet: Sheet, last: Ask) -> Ask:
    return replace(without_one(last), words=sheet.text, start=0, end=len(sheet.text), form=AskForm.FACT, answerer=ONE)


def without_one(last: Ask) -> Ask:
    """Return a list of homes as it was before one of them was asked about."""
    notes = {name: value for name, value in last.notes.items() if name not in {"listing", _PICKED}}
    subjects = tuple(replace(one, start=0, end=0) for one in last.subjects)
    if last.answerer.endswith(UNSAID):
        notes.pop(NOTE, None)
    if last.answerer.endswith((ONE, UNSAID)):
        return replace(last, notes=notes, order_by="", descending=False, count=0, subjects=subjects)
    return replace(last, notes=notes, subjects=subjects)


_OF_HOMES: Final = frozenset({"homes", "realty"})


def _none_told(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return that no home was told where a message points to one that should have been."""
    refers = before and sheet.says(r"아까|앞서|방금|전에\s?(?:본|보여)|다시|earlier|before|again|you showed")
    named = sheet.says(_SHOWN) or sheet.says(HOME_WORDS)
    of_homes = any(ask.domain in _OF_HOMES for message in before for ask in message.asks)
    points = ordinal(sheet) is not None or (not of_homes and sheet.says(rf"(?:그|\bthat|\bthose)\s?(?:{HOME_WORDS})"))
    if not refers or not named or not points:
        return ()
    ask = Ask(words=sheet.text, end=len(sheet.text), form=AskForm.LIST, intent="MARKET_INQUIRY")
    return (Claim(replace(ask, answerer="offered_none"), 0.97),)


def _calls(ask: Ask) -> Sequence[Call]:
    listing, deal = ask.notes.get("listing", ""), ask.notes.get("deal_type", "")
    if listing:
        return [query("listings", _FIELDS, mode="rows", filters=[where("listing_id", listing)], limit=1)]
    return [
        query(
            "listings",
            _FIELDS,
            mode="rows",
            filters=[*place_filters(place), *ask_filters(ask), *([where("deal_type", deal)] if deal else [])],
            order_by=ask.order_by,
            descending=ask.descending,
            limit=_ROWS_MAX,
        )
        for place in ask.subjects[:3]
    ]


def _answer(ask: Ask, found: Found) -> Outcome:
    rows = list(rows_of(found.readings))
    if ask.order_by:
        rows.sort(key=lambda row: row.number(ask.order_by) or 0, reverse=ask.descending)
    place = max(ask.count, 1) - 1
    if place >= len(rows):
        sentence = Said(
            f"조건에 맞는 매물이 {len(rows)}건이라 말씀하신 순서의 집은 없습니다.",
            f"Only {len(rows)} of those on offer meet the conditions, so there is none at that place.",
        )
        return Outcome(answered(ask, sentence))
    row = rows[place]
    piece = next(
        proof(one, Said("매물", "Homes on offer"), found.asking.locale, "listing")
        for one in found.readings
        if row in one.rows
    )
    told = Told("listing", row.text("listing_id"), _name(row).ko, {"price_krw": row.text("price_krw")})
    said = (
        sentences(
            _said(row), _why(sum(one.rows[0].total for one in found.readings if isinstance(one.rows[0], QueryRow)))
        )
        if _PICKED in ask.notes
        else _said(row)
    )
    return Outcome(answered(ask, said, evidence_ids=(piece.evidence_id,), told=(told,)), evidence=(piece,))


def _why(total: int) -> Said:
    """Return why this home was picked: what the data can tell of."""
    return Said(
        f"조건에 맞는 {total}건 가운데 값이 가장 낮아 골랐습니다. 집의 상태와 권리관계는 자료에 없으니 직접 확인하셔야 합니다.",
        f"I picked it as the cheapest of the {total} that meet the conditions; its state and its title are not in the data, so check them yourself.",
    )


def _said(row: QueryRow) -> Said:
    rent = row.number("monthly_rent_krw")
    return filled(
        "{name:은/는} 전용 {area}㎡, {floor}층, 방 {rooms}개이고 {deal} {price}{rent}입니다.",
        "{name} has {area} ㎡ (exclusive), {rooms} rooms on floor {floor}; {deal} {price}{rent}.",
        name=_name(row),
        area=row.text("area_m2"),
        floor=row.text("floor"),
        rooms=row.text("room_count"),
        deal=_DEALS.get(row.text("deal_type"), Said("", "")),
        price=won(row.number("price_krw") or 0),
        rent=filled("/월 {rent}", " and {rent} a month", rent=won(rent)) if rent else Said("", ""),
    )


def _name(row: QueryRow) -> Said:
    dong, name = row.text("dong"), row.text("complex_name")
    whole = name if dong in name else f"{dong} {name}"
    return Said(whole, f"{complex_said(re.sub(f'^{re.escape(dong)} ?', '', name)).en}, {romanised_place(dong)}")


def _unsaid(ask: Ask, found: Found) -> Outcome:
    del found
    return Outcome(declined(ask, not_recorded(ask)))


def _none(ask: Ask, found: Found) -> Outcome:
    del found
    sentence = Said(
        "이 대화에서 보여 드린 매물이 없습니다. 어느 지역의 어떤 집을 보시겠습니까?",
        "No homes on offer have been shown in this conversation. Which district and which kind of home do you mean?",
    )
    return Outcome(asking_back(ask, sentence, Said("지역", "the district")))


ANSWERERS: Final = (
    Answerer(ONE, ("realty.search",), _answer, _calls),
    Answerer(UNSAID, ("realty.search",), _unsaid),
    Answerer("offered_none", ("realty.search",), _none),
)
