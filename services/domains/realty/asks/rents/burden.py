"""How much rent an income bears, by the share of it that housing is usually said to take at most."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskVerdict, Said
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
from services.domains.realty.asks.rents.tenants_money import INCOME, RENT
from services.domains.realty.asks.sums import drafted
from services.domains.realty.asks.topic import Topic
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, answered, ruled
from services.plugin.asks.roles import Role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, percent

SHARE: Final = Decimal(30)
"""Percent of an income that housing is usually said to take at most."""
_MONTHS: Final = 12
_RENT: Final = r"월세|\brent"
_ASKED: Final = r"얼마까지|얼마가|적당|적정|괜찮|감당|무리|부담|과한|비싼|afford|how much|too (?:much|high)|reasonable|within my means"
_TOO_MUCH: Final = r"무리|부담|과한|비싼|too (?:much|high)"
_OF_ELSE: Final = r"보증금|전세|대출|공제|수익률|투자|deposit|jeonse|\bloan|mortgage|credit|yield|invest"
_INCOME_MONTH: Final = Role(
    "income_month",
    ("krw",),
    before=r"월급(?:이|은)?|월\s?소득(?:이|은)?|월\s?수입(?:이|은)?|실수령(?:액)?(?:이|은)?|(?:한\s?달|매달|월)(?:에)?\s?(?:실수령\s?)?$|take[- ]home(?:\s(?:of|is))*|\bearn|\bmake",
    behind=r"(?:원)?(?:을|를)?\s?(?:벌|받|버는|월급|실수령)|(?:won\s)?(?:a|per) month(?:\s(?:after tax|take[- ]home|salary))?|(?:won\s)?monthly",
    bare=True,
)
_RENT_SAID: Final = Role(
    RENT.name,
    RENT.units,
    before=r"월세(?:를|는|가|로)?|\brent(?:\s(?:of|is|at))*",
    behind=r"(?:원)?(?:짜리)?\s?월세|(?:won\s)?(?:in\s|of\s)?(?:monthly\s)?rent",
    bare=True,
)
TOPIC: Final = Topic("rent_burden", "LOAN_CONSULT", (_RENT_SAID, INCOME, _INCOME_MONTH), {})
_CAUTION: Final = Said(
    "소득의 30%는 널리 쓰는 어림이며, 관리비와 다른 빚은 넣지 않았습니다.",
    "30% of income is a common rule of thumb; service charges and other debts are not in it.",
)


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for the rent that an income bears, or whether it bears the one that is named."""
    del before
    if not (sheet.says(_RENT) and sheet.says(_ASKED)) or sheet.says(_OF_ELSE) or sheet.of_kind("region"):
        return ()
    ask = drafted(sheet, TOPIC, AskForm.AMOUNT)
    roles = [one.role for one in ask.quantities]
    if sum(one.startswith("income") for one in roles) != 1 or "" in roles:
        return ()
    return (Claim(replace(ask, form=AskForm.VERDICT) if RENT.name in roles else ask, 0.97),)


def _borne(ask: Ask, found: Found) -> Outcome:
    """Return the share of an income as a rent, or whether a rent is within it."""
    yearly, monthly, rent = (number_of(ask, role) for role in (INCOME.name, _INCOME_MONTH.name, RENT.name))
    income = monthly if monthly is not None else (yearly or Decimal(0)) / _MONTHS
    most = income * SHARE / 100
    more = {
        "inputs": inputs_of(ask, {"rent_share": SHARE}),
        "grounds": grounds(given_line(ask)),
        "cautions": (_CAUTION,),
    }
    if rent is None:
        sentence = filled(
            "월세는 {most}까지가 적당합니다(월 소득 {income} × {share}).",
            "A rent of up to {most} a month is reasonable ({share} of {income} a month).",
            most=money(most),
            income=money(income),
            share=percent(SHARE),
        )
        return done(answered(ask, sentence, **more), own_evidence(ask, found))
    over = rent > most
    sentence = filled(
        "{lead} 월세 {rent:은/는} 월 소득 {income}의 {share}로, 흔히 쓰는 기준인 30%({most}) {way}.",
        "{lead} a rent of {rent} is {share} of {income} a month, {way} the usual 30% ({most}).",
        lead=Said("부담이 큽니다.", "It is much:") if over else Said("감당할 만합니다.", "It is bearable:"),
        rent=money(rent),
        income=money(income),
        share=percent(rent / income * 100),
        most=money(most),
        way=Said("밖입니다", "above") if over else Said("안입니다", "within"),
    )
    # Whether it is too much is asked as often as whether it is bearable.
    is_yes = over == (re.search(_TOO_MUCH, ask.words, re.IGNORECASE) is not None)
    return done(ruled(ask, AskVerdict.YES if is_yes else AskVerdict.NO, sentence, **more), own_evidence(ask, found))


ANSWERERS: Final = (Answerer(TOPIC.answerer, SEARCH, _borne),)
