"""What may be borrowed on homes of a place: their mean price is read first, and a condition on it decides."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, Origin, Said, Told
from services.domains.homes.asks.homes_named import KIND_NAMES, place_filters, property_type
from services.domains.realty import calculators as calc
from services.domains.realty.asks.costs import of_homes
from services.domains.realty.asks.loans import answers as loans
from services.domains.realty.asks.loans.payments import payment
from services.domains.realty.asks.loans.topics import LIMIT, PAYMENT
from services.domains.realty.asks.proved import (
    SEARCH,
    done,
    given_line,
    grounds,
    inputs_of,
    money,
    number_of,
    own_evidence,
    wanting,
)
from services.domains.realty.asks.sums import drafted
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, declined
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, proof, query, rows_of, where

_BORROWS: Final = r"빌리|빌릴|대출|LTV|borrow|mortgage"
_CONDITION: Final = r"(?:이하|미만|이상|초과|아래|안쪽)(?:이|라)?면|넘으면|안\s?넘으면|보다\s?(?:싸|비싸|낮|높)으?면|\bif\b[^.?]*\b(?:under|below|over|above|less|more|at most)\b"
_OWN_MONEY: Final = (
    r"(?:내|제|자기|본인)\s?(?:돈|자금|자본|현금)|자기자본|실투자금|현금(?:은|이)?\s?얼마|얼마(?:가|를)?\s?(?:있어야|모아야|준비|들고)"
    r"|\b(?:own|my) (?:money|cash|funds|savings)\b|\b(?:cash|down payment|deposit) (?:do|would|will|must) i (?:need|have)|how much cash"
)
"""Asks for what is to be paid beside the loan."""
_HOLDS: Final = {
    "lt": lambda value, limit: value < limit,
    "le": lambda value, limit: value <= limit,
    "gt": lambda value, limit: value > limit,
    "ge": lambda value, limit: value >= limit,
}
_BOUNDS: Final = {
    "lt": Said("미만", "below"),
    "le": Said("이하", "at most"),
    "gt": Said("초과", "above"),
    "ge": Said("이상", "at least"),
}


_BY_INCOME: Final = frozenset({"income_year", "income_month", "dsr", "dti"})
"""What bounds a loan beside the price of the home."""


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for a loan on homes of a place, by LTV, where a condition on their price may stand before it."""
    places = sheet.of_kind("region")
    if not places and sheet.says(_BORROWS) and (paid := _paid_on_told(sheet, before)) is not None:
        return (Claim(paid, 0.96),)
    told = _sale_told(before) if not places else None
    if told is not None and sheet.says(_THAT):
        places = told.subjects
    if not places and sheet.says(_BORROWS) and (first := _on_first(sheet, before)) is not None:
        return (Claim(first, 0.96),)
    if len(places) != 1 or places[0].alternatives or not sheet.says(_BORROWS):
        return ()
    ask = drafted(sheet, LIMIT, AskForm.AMOUNT)
    if number_of(ask, "ltv") is None or (number_of(ask, "price") is not None and not sheet.says(_CONDITION)):
        return ()
    if told is not None and any(one.role in _BY_INCOME for one in ask.quantities):
        # What income allows bears on it: the limit is reckoned of the price that was told.
        return ()
    kind = property_type(sheet) or (told.notes.get("property_type", "") if told is not None else "")
    notes = {**ask.notes, "property_type": kind or "apartment"}
    if sheet.says(_OWN_MONEY):
        notes["own"] = "1"
    ask = replace(ask, answerer="loan_on_homes", subjects=places, notes=notes)
    return (Claim(ask, 0.96),)


def _on_first(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the ask for a loan on the home on offer that the same message asks for first; None where it asks for none."""
    ask = of_homes.leaning(drafted(sheet, LIMIT, AskForm.AMOUNT), before, sale_only=True)
    others = {one.role for one in ask.quantities} - {"ltv"}
    if ask.notes.get("of") != "first" or number_of(ask, "ltv") is None or others:
        return None
    return replace(ask, answerer="loan_on_first")


def _of_first(ask: Ask, found: Found) -> Outcome:
    """Return the loan by LTV on the home on offer that was read."""
    ask, read_ = of_homes.with_sums(ask, found)
    price, ltv = number_of(ask, "price"), number_of(ask, "ltv")
    if price is None or ltv is None:
        return wanting(ask, "price")
    loan = calc.loan_by_ltv(price, ltv)
    sentence = filled(
        "그 집값 {price}에 LTV {ltv}로 최대 {loan}까지 빌릴 수 있습니다.",
        "On its price of {price} you can borrow up to {loan} at an LTV of {ltv}.",
        price=money(price),
        ltv=f"{ltv.normalize():f}%",
        loan=money(loan),
    )
    note = Said(
        "소득으로 정하는 한도(DSR)와 지역 규제의 상한은 넣지 않았습니다.",
        "The limit by income, DSR, and caps by region are not in it.",
    )
    told = (Told("loan_limit", f"{loan:f}", money(loan).ko, {"loan_limit": f"{loan:f}"}),)
    answer = answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(note), told=told)
    return done(answer, own_evidence(ask, found), *read_)


def _paid_on_told(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return what a loan costs a month on a share of what the same message asks for first; None where it asks for none."""
    claims = loans.read(sheet, before)
    if not claims or claims[0].ask.answerer != PAYMENT.answerer or number_of(claims[0].ask, "ltv") is None:
        return None
    ask = of_homes.leaning(claims[0].ask, before, sale_only=False)
    return replace(ask, answerer="payment_on_told") if "of" in ask.notes and number_of(ask, "loan") is None else None


def _paid(ask: Ask, found: Found) -> Outcome:
    """Return what a loan costs a month on a share of the price or the deposit that was read."""
    ask, read_ = of_homes.with_sums(ask, found)
    whole, share = number_of(ask, "price") or number_of(ask, "deposit"), number_of(ask, "ltv")
    if whole is None or share is None:
        return wanting(ask, "price")
    value = f"{calc.floored(whole * share / 100):f}"
    kept = (one for one in ask.quantities if one.role not in {"ltv", "price", "deposit", "rent"})
    loan = AskQuantity("loan", value, "krw", money(Decimal(value)).ko, origin=Origin.CARRIED)
    outcome = payment(replace(ask, quantities=(*kept, loan)), found)
    return done(outcome.answer, *outcome.evidence, *read_)


_THAT: Final = r"그거|그걸|그\s?(?:집|값|가격|아파트|빌라|오피스텔)|거기|이거|\b(?:that|it|one|there)\b"


def _sale_told(before: Sequence[AskedBefore]) -> Ask | None:
    """Return the ask just before which told what homes of one place sell for."""
    asks = before[0].asks if before else ()
    return next((one for one in asks if one.answerer == "homes.market_level" and one.measures == ("sale_price",)), None)


def _calls(ask: Ask) -> Sequence[Call]:
    filters = [*place_filters(ask.subjects[0]), where("property_type", ask.notes["property_type"])]
    return [query("home_prices", ["sale_price", "deal_count"], filters=filters)]


def _borrowed(ask: Ask, mean: Decimal, ltv: Decimal, loan: Decimal) -> Said:
    """Return what can be borrowed, or what of one's own it takes where that is asked."""
    if "own" in ask.notes:
        return filled(
            "LTV {ltv}로 {loan}까지 빌리면 자기 돈은 {own}이 필요합니다.",
            "borrowing {loan} at an LTV of {ltv}, you need {own} of your own.",
            ltv=f"{ltv.normalize():f}%",
            loan=money(loan),
            own=money(calc.floored(mean) - loan),
        )
    return filled(
        "LTV {ltv}로 최대 {loan}까지 빌릴 수 있습니다.",
        "at an LTV of {ltv} you can borrow up to {loan}.",
        ltv=f"{ltv.normalize():f}%",
        loan=money(loan),
    )


def _answer(ask: Ask, found: Found) -> Outcome:
    price = next((row.number("sale_price") for row in rows_of(found.readings)), None)
    place, kind = Said(ask.subjects[0].label, ask.subjects[0].label), KIND_NAMES[ask.notes["property_type"]]
    if price is None:
        none = filled(
            "{place} {kind} 매매가 자료가 없어 계산할 수 없습니다.",
            "There are no sale prices of {kind} in {place}, so that nothing can be computed.",
            place=place,
            kind=kind,
        )
        return Outcome(declined(ask, none))
    ltv = number_of(ask, "ltv")
    if ltv is None:
        return wanting(ask, "ltv")
    limit, bound = number_of(ask, "price"), ask.notes.get("price_bound", "")
    mean = calc.whole(price)
    lead = filled(
        "{place} {kind} 평균 매매가는 {price}",
        "the mean price of {kind} in {place} is {price}",
        place=place,
        kind=kind,
        price=money(calc.floored(mean)),
    )
    loan = calc.loan_by_ltv(mean, ltv)
    computed = _borrowed(ask, mean, ltv, loan)
    figures = {"sale_price": f"{mean:f}", "loan_limit": f"{loan:f}"}
    told: tuple[Told, ...] = (Told("loan_limit", f"{loan:f}", money(loan).ko, figures),)
    if limit is None or bound not in _HOLDS:
        sentence = Said(f"{lead.ko}으로, {computed.ko}", f"{lead.en[0].upper()}{lead.en[1:]}; {computed.en}")
    elif _HOLDS[bound](mean, limit):
        sentence = filled(
            "{lead}으로 {limit} {bound}이므로, {computed}",
            "The condition holds: {lead}, {bound} {limit}; {computed}",
            lead=lead,
            limit=money(limit),
            bound=_BOUNDS[bound],
            computed=computed,
        )
    else:
        told = ()
        sentence = filled(
            "조건이 맞지 않습니다: {lead}으로 {limit} {bound:이/가} 아니어서 대출은 계산하지 않았습니다.",
            "The condition does not hold: {lead}, not {bound} {limit}; no loan was computed.",
            lead=lead,
            limit=money(limit),
            bound=_BOUNDS[bound],
        )
    piece = proof(found.readings[0], Said("주택 시세", "Home prices"), found.asking.locale, "market")
    note = Said(
        "평균값으로 계산한 것이며 집마다 다릅니다. 소득으로 정하는 한도(DSR)는 넣지 않았습니다.",
        "It is of the mean; homes differ. The limit by income, DSR, is not in it.",
    )
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note), told=told),
        own_evidence(ask, found),
        piece,
    )


ANSWERERS: Final = (
    Answerer("loan_on_homes", SEARCH, _answer, _calls),
    Answerer("loan_on_first", SEARCH, _of_first, of_homes.calls),
    Answerer("payment_on_told", SEARCH, _paid, of_homes.calls),
)
