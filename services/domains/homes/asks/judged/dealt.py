"""Homes that were dealt in a place, deal by deal: the dearest or the cheapest, and the latest ones."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from services.contract.asks import Ask, AskForm, Ground, Said, Told
from services.contract.flow import Evidence
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
from services.domains.homes.asks.market import is_of_homes_alone
from services.domains.homes.asks.names import unknown_names
from services.domains.homes.asks.orders import first_home
from services.domains.homes.asks.said import label_said, nothing
from services.plugin.asks.answering import CERTAIN, Answerer, Call, Claim, Found, Outcome, answered
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, day_said, filled, listed, proof, query, rows_of, where, won
from services.text.ko.romanised import romanised, romanised_place
from services.text.numbers.numerals import english_words_value, korean_value

_FIELDS: Final = ("dong", "complex_name", "area_m2", "floor", "contract_date", "price_krw", "monthly_rent_krw")
_DEALS: Final = {
    "sale": Said("매매", "sale"),
    "jeonse": Said("전세", "jeonse"),
    "monthly_rent": Said("월세", "monthly rent"),
}


_LATEST: Final = (
    r"(?:최근|최신|마지막|근래)(?:에|의)?\s(?:[^\s.?]+\s){0,3}?(?:실\s?)?거래(?!가|량|\s?(?:건수|금액|가격))"
    r"|실\s?거래\s?(?:내역|사례|기록|목록|최근|중에?\s?최근)|거래\s?(?:내역|사례|기록)"
    r"|\b(?:latest|most recent|recent|last)\s(?:[\w-]+\s){0,4}?(?:deals?|transactions?|sales|closings)\b"
)
"""Words for deals one by one, the latest first."""
_OF_MANY: Final = r"평균|시세|몇\s?건|얼마나|추이|비교|거래량|average|mean\b|how (?:many|much)|trend|number of|compare"
"""Words that ask for what many deals come to."""
_COUNTED: Final = r"(?P<ko>\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?건|\b(?:last|latest|recent)\s(?P<en>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\b"
_COUNT_USUAL: Final = 5
_COUNT_MAX: Final = 20


def read(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask for homes that were dealt in a place: for the first by price, or for the latest; else nothing."""
    order = first_home(sheet)
    if order is not None:
        if not (sheet.says(DEALT) and sheet.says(HOME_WORDS)):
            return ()
        deal = next(iter(deal_types(sheet)), "sale")
        by = "monthly_rent_krw" if deal == "monthly_rent" else "price_krw"
        ask = replace(_draft(sheet, deal), answerer="dealt_first", order_by=by, descending=order.is_most, count=1)
        return (Claim(ask, CERTAIN, is_whole=True),)
    places = sheet.of_kind("region")
    if len(places) != 1 or not sheet.says(_LATEST) or sheet.says(_OF_MANY) or unknown_names(sheet):
        return ()
    ask = _draft(sheet, next(iter(deal_types(sheet)), "sale"))
    latest = replace(ask, answerer="dealt_lately", form=AskForm.LIST, order_by="contract_date", descending=True)
    return (Claim(replace(latest, count=_count(sheet)), CERTAIN, is_whole=is_of_homes_alone(sheet)),)


def _draft(sheet: Sheet, deal: str) -> Ask:
    start, end = (sheet.periods[0][:2]) if sheet.periods else (None, None)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.FACT,
        intent="MARKET_INQUIRY",
        subjects=sheet.of_kind("region"),
        conditions=area_condition(sheet),
        notes={"deal_type": deal, **({"property_type": kind} if (kind := property_type(sheet)) else {})},
        start_date=start.isoformat() if start is not None else "",
        end_date=end.isoformat() if end is not None else "",
    )


def _count(sheet: Sheet) -> int:
    match = sheet.find(_COUNTED)
    said = next(filter(None, match.groups()), "") if match is not None else ""
    number = int(said) if said.isdigit() else int(korean_value(said) or english_words_value(said) or 0) if said else 0
    return min(number or _COUNT_USUAL, _COUNT_MAX)


def _calls(ask: Ask) -> Sequence[Call]:
    filters = [*place_filters(ask.subjects[0]), *ask_filters(ask), where("deal_type", ask.notes["deal_type"])]
    ends: dict[str, Any] = {
        name: date.fromisoformat(day) for name, day in (("start", ask.start_date), ("end", ask.end_date)) if day
    }
    more: dict[str, Any] = {"mode": "rows", "order_by": ask.order_by, "descending": ask.descending, "limit": ask.count}
    return [query("home_deals", _FIELDS, filters=filters, **ends, **more)]


def _answer(ask: Ask, found: Found) -> Outcome:
    row = next(iter(rows_of(found.readings)), None)
    if row is None:
        return Outcome(nothing(ask))
    piece = _proof(found)
    sentence = filled(
        "{place}에서 {since}가장 {way} {deal} 거래된 {kind:은/는} {home}(전용 {area}㎡, {floor}층)으로, {day}에 {sum}입니다(거래 {total}건 가운데).",
        "The {way} {deal} of {kind} in {place}{since} was {home} ({area} ㎡, floor {floor}): {sum} on {day}, of {total} deals.",
        place=label_said(ask.subjects[0]),
        since=Said("그 기간에 ", " in that time") if ask.start_date else Said("자료의 기간에 ", " in the data"),
        way=Said("비싸게", "dearest") if ask.descending else Said("싸게", "cheapest"),
        deal=_DEALS[ask.notes["deal_type"]],
        kind=KIND_NAMES[ask.notes.get("property_type", "")],
        home=_home(row),
        area=row.text("area_m2"),
        floor=row.text("floor"),
        day=day_said(row.text("contract_date")),
        sum=_sum(row),
        total=f"{row.total:,}",
    )
    ids = (piece.evidence_id,)
    return Outcome(
        answered(ask, sentence, evidence_ids=ids, conditions=applied(ask), told=(_told(row),)), evidence=(piece,)
    )


def _answer_lately(ask: Ask, found: Found) -> Outcome:
    rows = rows_of(found.readings)
    if not rows:
        return Outcome(nothing(ask))
    piece = _proof(found)
    ids = (piece.evidence_id,)
    sentence = filled(
        "{place} {kind:의/의} 최근 {deal} 실거래 {count}건입니다: {first}.",
        "The latest {count} {deal} deals of {kind} in {place}: {first}.",
        place=label_said(ask.subjects[0]),
        kind=KIND_NAMES[ask.notes.get("property_type", "")],
        deal=_DEALS[ask.notes["deal_type"]],
        count=str(len(rows)),
        first=listed([_line(row) for row in rows[:_OPENING_DEALS]]),
    )
    lines = tuple(Ground(_line(row, whole=True), ids) for row in rows) if len(rows) > _OPENING_DEALS else ()
    told = tuple(map(_told, rows))
    answer = answered(ask, sentence, evidence_ids=ids, conditions=applied(ask), told=told, grounds=lines)
    return Outcome(answer, evidence=(piece,))


_OPENING_DEALS: Final = 3


def _proof(found: Found) -> Evidence:
    return proof(found.readings[0], Said("실거래", "Real transactions"), found.asking.locale, "transaction")


def _home(row: QueryRow) -> Said:
    dong, name = row.text("dong"), row.text("complex_name")
    return Said(
        name if dong in name else f"{dong} {name}",
        f"{romanised(name.removeprefix(dong).strip())}, {romanised_place(dong)}",
    )


def _sum(row: QueryRow) -> Said:
    price, rent = won(row.number("price_krw") or 0), row.number("monthly_rent_krw")
    return filled("보증금 {d}/월 {r}", "deposit {d}, {r} a month", d=price, r=won(rent)) if rent else price


def _line(row: QueryRow, *, whole: bool = False) -> Said:
    size = Said(
        f" 전용 {row.text('area_m2')}㎡ {row.text('floor')}층", f", {row.text('area_m2')} ㎡, floor {row.text('floor')}"
    )
    return filled(
        "{day} {home}{size} {sum}",
        "{home}{size}: {sum} ({day})",
        day=day_said(row.text("contract_date")),
        home=_home(row),
        size=size if whole else Said("", ""),
        sum=_sum(row),
    )


def _told(row: QueryRow) -> Told:
    return Told("deal", row.text("contract_date"), row.text("complex_name"), {"price_krw": row.text("price_krw")})


_AGENTS: Final = ("finance.real_estate", "realty.search")
ANSWERERS: Final = (
    Answerer("dealt_first", _AGENTS, _answer, _calls),
    Answerer("dealt_lately", _AGENTS, _answer_lately, _calls),
)
