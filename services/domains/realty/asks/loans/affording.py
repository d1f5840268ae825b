"""Whether a home of a place can be bought, or taken on jeonse, with an income, savings and a loan: its price is data."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskVerdict, Ground, Said
from services.contract.flow import Evidence
from services.domains.homes.asks.homes_named import KIND_NAMES, deal_types, place_filters, property_type
from services.domains.realty import calculators as calc
from services.domains.realty.asks.loans.lending import LoanTerms
from services.domains.realty.asks.loans.topics import DEPOSIT, ENOUGH
from services.domains.realty.asks.proved import (
    SEARCH,
    done,
    given_line,
    grounds,
    inputs_of,
    money,
    number_of,
    own_evidence,
)
from services.domains.realty.asks.sums import drafted
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, declined, ruled
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import QueryRow, filled, percent, proof, query, rows_of, where

_OF_LEASE: Final = replace(ENOUGH, roles=(DEPOSIT, *ENOUGH.roles), holds=None)
"""What the numbers are for of a jeonse: its deposit is what the home costs."""
_DEPOSIT_HELD: Final = r"전세(?:금|\s?보증금)?\s?[\d억천만 ]*(?:원)?(?:이|을|은)?\s?(?:있|빼|돌려받)"
_CAN: Final = (
    r"감당|살\s?수|갈\s?수|들어갈\s?수|얻을\s?수|구할\s?수|사는\s?(?:게|거|데)?[^?]{0,12}(?:가능|무리|될까|되나)|가능|무리|될까|되나|충분|모자라|부족|엄두"
    r"|afford|can i (?:buy|get|move|rent|take)|is it (?:possible|enough)|enough|within reach|realistic|manage"
)
_MEANS: Final = r"소득|연봉|월급|벌|모은|모아|저축|가진\s?돈|현금|자금|대출|빌|income|salary|earn|mak(?:e|ing)|saved?|savings|cash|loan|mortgage|borrow"
_BURDEN: Final = Decimal(30)
_GUARANTEED: Final = Decimal("0.8")
"""The share of a deposit that a jeonse loan covers at most, as guarantees usually have it."""
_FIELDS: Final = (
    "loan_id",
    "bank_ko",
    "bank_en",
    "name_ko",
    "name_en",
    "rate_low_percent",
    "limit_krw",
    "income_max_krw",
)


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask whether a home can be had with what a person has: of a place, or a jeonse whose deposit is named."""
    del before
    places = sheet.of_kind("region")
    if len(places) > 1 or any(one.alternatives for one in places) or not sheet.says(_CAN) or not sheet.says(_MEANS):
        return ()
    deals = deal_types(sheet)
    # A jeonse deposit that somebody has is money that comes back, and no price of a home.
    leased = not sheet.says(_DEPOSIT_HELD) and ("jeonse" in deals or sheet.says(r"전세|jeonse"))
    deal = "jeonse" if leased else "sale"
    ask = drafted(sheet, _OF_LEASE if deal == "jeonse" else ENOUGH, AskForm.VERDICT)
    roles = {one.role for one in ask.quantities}
    if not roles & {"income_year", "income_month", "savings"} or number_of(ask, "price") is not None:
        return ()
    if not places and (deal == "sale" or number_of(ask, "deposit") is None or "savings" not in roles):
        return ()
    notes = {**ask.notes, "deal": deal, "property_type": property_type(sheet) or "apartment"}
    ask = replace(ask, answerer="home_affordable", subjects=places, notes=notes, intent="LOAN_CONSULT")
    return (Claim(ask, 0.97, is_whole=True),)


def _calls(ask: Ask) -> Sequence[Call]:
    deal = ask.notes["deal"]
    measure = "jeonse_deposit" if deal == "jeonse" else "sale_price"
    purpose = "jeonse" if deal == "jeonse" else "mortgage"
    loans = query(
        "loans",
        _FIELDS,
        mode="rows",
        filters=[where("purpose", purpose)],
        order_by="rate_low_percent",
        descending=False,
        limit=10,
    )
    if number_of(ask, "deposit") is not None:
        return [loans]
    filters = [where("property_type", ask.notes["property_type"]), where("deal_type", deal)]
    return [query("home_prices", [measure, "deal_count"], filters=[*place_filters(ask.subjects[0]), *filters]), loans]


def _answer(ask: Ask, found: Found) -> Outcome:
    measure = "jeonse_deposit" if ask.notes["deal"] == "jeonse" else "sale_price"
    price = number_of(ask, "deposit") or next(
        (value for row in rows_of(found.readings, "home_prices") if (value := row.number(measure))), None
    )
    place = Said(ask.subjects[0].label, ask.subjects[0].label) if ask.subjects else Said("", "")
    kind = KIND_NAMES[ask.notes["property_type"]]
    if price is None:
        sentence = filled(
            "{place} {kind} 값이 자료에 없어 판단할 수 없습니다.",
            "There are no prices of {kind} in {place}, so I cannot tell.",
            place=place,
            kind=kind,
        )
        return Outcome(declined(ask, sentence))
    loans = rows_of(found.readings, "loans")
    pieces = [
        proof(one, _TITLES[str(one.arguments.get("dataset"))], found.asking.locale, "market") for one in found.readings
    ]
    judge = _jeonse if ask.notes["deal"] == "jeonse" else _sale
    return judge(ask, found, calc.floored(price), (place, kind), (loans, pieces))


_TITLES: Final = {"home_prices": Said("주택 시세", "Home prices"), "loans": Said("대출 상품", "Loans")}
_Named = tuple[Said, Said]
_Read = tuple[Sequence[QueryRow], Sequence[Evidence]]


def _jeonse(ask: Ask, found: Found, price: Decimal, named: _Named, read_: _Read) -> Outcome:
    """Return whether savings and the highest jeonse loan reach a deposit, and what share of income the interest takes."""
    loans, pieces = read_
    income, savings = number_of(ask, "income_year"), number_of(ask, "savings")
    open_ = [
        one
        for one in loans
        if income is None or one.number("income_max_krw") is None or income <= (one.number("income_max_krw") or 0)
    ]
    best = max(open_, key=lambda row: row.number("limit_krw") or Decimal(0), default=None)
    if best is None:
        return Outcome(
            declined(ask, Said("전세대출 자료가 없어 판단할 수 없습니다.", "There is no data on jeonse loans."))
        )
    rate = best.number("rate_low_percent") or Decimal(0)
    limit = min(best.number("limit_krw") or Decimal(0), calc.floored(price * _GUARANTEED))
    loan = min(limit, price if savings is None else max(Decimal(0), price - savings))
    own = price - loan
    interest = calc.interest_only(loan, rate)
    share = interest * 1200 / income if income else None
    verdict, lead = _judged(savings, own, share)
    burden = (
        Said("", "")
        if share is None
        else filled("(연소득의 {share})", " ({share} of the income)", share=percent(share, 1))
    )
    sentence = filled(
        "{lead} {costs} 전세대출은 최대 {limit}({bank})까지라 {own}, "
        "{loan:을/를} 연 {rate}로 빌리면 이자는 매달 {interest}{burden}입니다.",
        "{lead} {costs}, jeonse loans go up to {limit} ({bank}), so that {own}; "
        "{loan} at {rate} costs {interest} a month{burden}.",
        lead=lead,
        costs=_costs_said(ask, price, named),
        limit=money(limit),
        bank=best.named("bank"),
        own=_needed_said(own),
        loan=money(loan),
        rate=percent(rate, 2),
        interest=money(interest),
        burden=burden,
    )
    note = Said(
        "한도는 상품의 한도와 보증금의 80%(보증의 보통 한도로 가정) 가운데 작은 것이며, 보증기관과 은행의 심사로 달라질 수 있습니다.",
        "The limit is the lesser of the product's and of 80% of the deposit, the usual bound of a guarantee (assumed); guarantee and review may change it.",
    )
    return _told(ask, found, (verdict, sentence), pieces, (note,))


def _judged(savings: Decimal | None, own: Decimal, share: Decimal | None) -> tuple[AskVerdict, Said]:
    """Return whether savings cover what no loan does, at a share of income that can be borne."""
    if savings is not None and savings < own:
        return AskVerdict.NO, Said("아니요, 모자랍니다.", "No, it falls short:")
    if savings is not None and (share is None or share <= _BURDEN):
        return AskVerdict.YES, Said("네, 가능합니다.", "Yes:")
    return AskVerdict.DEPENDS, Said("경우에 따라 다릅니다.", "It depends:")


def _costs_said(ask: Ask, price: Decimal, named: _Named) -> Said:
    """Return what the deposit is: the one that was named, else the mean of the place."""
    if number_of(ask, "deposit") is not None:
        return filled("보증금은 {price}이고", "the deposit is {price}", price=money(price))
    return filled(
        "{place} {kind} 평균 전세 보증금은 {price}이고",
        "the mean jeonse deposit of {kind} in {place} is {price}",
        place=named[0],
        kind=named[1],
        price=money(price),
    )


def _needed_said(own: Decimal) -> Said:
    """Return what no loan covers."""
    if not own:
        return Said("보증금 전부가 그 안에 들며", "it covers the whole deposit")
    return filled("가진 돈이 {own} 이상 있어야 하며", "you need {own} of your own", own=money(own))


def _sale(ask: Ask, found: Found, price: Decimal, named: _Named, read_: _Read) -> Outcome:
    """Return whether savings and the highest loan reach a price: by LTV, and by DSR where the income is named."""
    loans, pieces = read_
    income, savings = number_of(ask, "income_year"), number_of(ask, "savings")
    rate = number_of(ask, "rate") or next((row.number("rate_low_percent") for row in loans), None) or Decimal(4)
    terms = LoanTerms.of(ask, rate)
    limits = {"LTV": calc.loan_by_ltv(price, terms.ltv)}
    if income is not None:
        limits["DSR"] = terms.by_income(income)
    binding = min(limits, key=lambda name: limits[name])
    loan = limits[binding]
    own = price - loan
    if savings is None:
        verdict, lead = AskVerdict.DEPENDS, Said("경우에 따라 다릅니다.", "It depends:")
        gap = filled("가진 돈이 {own} 이상 있어야 합니다", "you need {own} of your own", own=money(own))
    elif savings >= own:
        verdict, lead = AskVerdict.YES, Said("네, 평균값이면 살 수 있습니다.", "Yes, at the mean price:")
        gap = filled(
            "가진 돈 {savings:을/를} 더하면 낼 수 있습니다", "with your {savings} it is covered", savings=money(savings)
        )
    else:
        verdict, lead = AskVerdict.NO, Said("아니요, 평균값에는 모자랍니다.", "No, it falls short of the mean price:")
        short = money(own - savings)
        gap = filled(
            "가진 돈 {savings:을/를} 더해도 {short} 모자랍니다",
            "with your {savings} it is {short} short",
            savings=money(savings),
            short=short,
        )
    sentence = filled(
        "{lead} {place} {kind} 평균 매매가 {price}에 대출은 {binding:으로/로} 최대 {loan}이고, {gap}.",
        "{lead} {kind} in {place} cost {price} on average, the loan is at most {loan} by the {binding}, and {gap}.",
        lead=lead,
        place=named[0],
        kind=named[1],
        price=money(price),
        binding=binding,
        loan=money(loan),
        gap=gap,
    )
    return _told(ask, found, (verdict, sentence), pieces, (terms.used(), terms.paid(loan), _FEES))


_FEES: Final = Said(
    "취득세와 중개보수, 규제지역의 한도는 넣지 않았습니다.",
    "Taxes, fees and the limits of regulated areas are not in it.",
)


def _told(
    ask: Ask, found: Found, judged: tuple[AskVerdict, Said], pieces: Sequence[Evidence], notes: Sequence[Said]
) -> Outcome:
    lines: tuple[Ground, ...] = grounds(given_line(ask), *notes)
    more: dict[str, Any] = {"inputs": inputs_of(ask), "grounds": lines}
    return done(ruled(ask, *judged, **more), own_evidence(ask, found), *pieces)


ANSWERERS: Final = (Answerer("home_affordable", SEARCH, _answer, _calls),)
