"""The loan that a payment repays: "한 달에 150만원씩 갚으면 얼마까지 빌릴 수 있어"."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, Said, Told
from services.domains.realty import calculators as calc
from services.domains.realty.asks.loans.topics import LIMIT, RATE, TERM
from services.domains.realty.asks.proved import ALONE, money, number_of, reckoned, unclear, wanting, years_said
from services.domains.realty.asks.sums import drafted, quantities_of
from services.domains.realty.asks.topic import Topic
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, answered
from services.plugin.asks.roles import Role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, percent

_REPAID: Final = Role(
    "repaid_year",
    ("krw",),
    before=r"(?:원금\s?이자|원금과\s?이자|원리금|상환액|상환금|갚는\s?돈|갚을\s?돈)(?:을|은|이|으로)?(?:\s?(?:합(?:쳐|해)서?|모두))?|\b(?:pay(?:ing)?(?: back)?|repay(?:ing)?|afford|payments? of|spare)",
    behind=r"(?:원)?(?:씩|까지)?(?:만|은|정도)?\s?(?:씩\s?)?(?:갚|상환|부담|낼|내고|감당|납입)|(?:won\s)?(?:a|per|each|every)\s(?:month|year)",
    bare=True,
)
TOPIC: Final = Topic(
    "loan_by_payment",
    "LOAN_CONSULT",
    (_REPAID, RATE, TERM),
    {"percent": "rate", "years": "months", "months": "months"},
    ("repaid_year", "rate", "months"),
)
_LOAN_ASKED: Final = (
    r"(?:대출\s?)?(?:원금(?!\s?균등)|대출금|대출)[^.?]{0,14}(?:얼마|몇)|얼마(?:까지|나)?\s?(?:를|을)?\s?(?:빌|대출)|빌릴\s?수|대출\s?(?:가능|받을)"
    r"|how (?:much|big|large)[^.?]{0,40}(?:borrow|loan|mortgage)|what (?:loan|mortgage|size)|(?:loan|mortgage) (?:can|could|would)"
)
_OTHER_MEANS: Final = r"LTV|DTI|DSR|연봉|소득|월급|급여|집값|매매|짜리|기존|다른\s?대출|이미|income|salary|earn|price|gross|already|existing|value"


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for the loan that a payment repays; who names an income or a price asks for a limit."""
    del before
    if not sheet.says(_LOAN_ASKED) or sheet.says(_OTHER_MEANS):
        return ()
    ask = drafted(sheet, TOPIC, AskForm.AMOUNT)
    roles = {one.role for one in ask.quantities}
    others = {one.role.partition("_")[0] for one in quantities_of(sheet, LIMIT)} & {"income", "other"}
    if others or not roles & {"repaid_year", "repaid_month"} or not roles & {"rate", "months"}:
        return ()
    return (Claim(ask, 0.95),)


def _answer(ask: Ask, found: Found) -> Outcome:
    """Return the loan whose equal payments come to what a person pays."""
    if (back := unclear(ask)) is not None:
        return back
    values = {role: number_of(ask, role) for role in ("repaid_year", "rate", "months")}
    if lacking := [role for role, value in values.items() if value is None]:
        return wanting(ask, *lacking)
    a_year, rate, months = (value or Decimal(0) for value in values.values())
    loan = calc.loan_by_payment(a_year / calc.MONTHS, rate, int(months))
    sentence = filled(
        "매달 {paid}씩 갚으면 {loan}까지 빌릴 수 있습니다(연 {rate}, {term}, 원리금균등상환).",
        "Paying {paid} a month repays a loan of {loan} ({rate} a year over {term}, equal payments).",
        paid=money(calc.whole(a_year / calc.MONTHS)),
        loan=money(loan),
        rate=percent(rate, 2),
        term=years_said(months),
    )
    caution = Said(
        "집값과 소득에 따른 한도(LTV, DSR)는 따로 적용됩니다.",
        "Limits by the home's price and by income (LTV, DSR) apart.",
    )
    told = (Told("loan_limit", f"{loan:f}", money(loan).ko, {"loan_limit": f"{loan:f}"}),)
    return reckoned(answered(ask, sentence, cautions=(caution,), told=told), ask, found)


ANSWERERS: Final = (Answerer(TOPIC.answerer, ALONE, _answer),)
