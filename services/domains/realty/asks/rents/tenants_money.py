"""What a tenant may borrow on a deposit, and what of the rent comes off the income tax."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskVerdict, Said
from services.domains.realty import calculators as calc
from services.domains.realty.asks.proved import (
    SEARCH,
    done,
    given_line,
    grounds,
    inputs_of,
    law_calls,
    law_proofs,
    law_said,
    money,
    number_of,
    own_evidence,
    rule_evidence,
    unclear,
)
from services.domains.realty.asks.sums import drafted
from services.domains.realty.asks.topic import Topic
from services.domains.realty.brackets import RentCredit, rules
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, ruled
from services.plugin.asks.roles import Role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, percent

_KRW: Final = ("krw",)
_LOAN_WORDS: Final = (
    r"(?:전세|보증금)\s?(?:자금)?\s?대출|jeonse loan|deposit loan|loan (?:for|on) (?:my |the |a )?(?:jeonse|deposit)"
)
_HOW_MUCH: Final = r"얼마|한도|최대|까지|나와|나오|how (?:much|big|large)|maximum|at most|limit|how far"
_NOT_A_LIMIT: Final = (
    r"이자|갚|상환|매달|매월|월\s?얼마|금리|연봉|소득|벌|월급|DSR|지원|월세"
    r"|interest|repay|monthly|a month|rate|income|salary|earn|support|\brent\b"
)
_SHARE: Final = Role(
    "share",
    ("percent",),
    before=r"보증금의|전세금의|최대|up to",
    behind=r"(?:까지|정도)?\s?(?:나오|나온|받|되|해|라|of (?:the|my) )",
    bare=True,
)
_DEPOSIT: Final = Role(
    "deposit",
    _KRW,
    before=r"보증금(?:은|이|을)?|전세(?:금|가)?(?:은|는|이|가)?|\bdeposit(?:\s(?:of|is))*|\bjeonse(?:\s(?:of|is|for|at))*",
    behind=r"(?:원)?(?:에|짜리)?\s?(?:전세|보증금)|(?:won\s)?(?:jeonse|deposit)",
    bare=True,
)
LOAN: Final = Topic(
    "deposit_loan", "LOAN_CONSULT", (_SHARE, _DEPOSIT), {"krw": "deposit", "percent": "share"}, ("deposit",)
)
_CREDIT_WORDS: Final = r"(?<!생애 )(?<![가-힣])(?:세액|소득)?\s?공제|연말\s?정산|세금[^.?]{0,10}(?:돌려|환급|깎|덜\s?내|줄)|tax credit|off (?:my|the) (?:income )?tax|tax (?:back|refund|deduction)|deduct"
_OFF_DEPOSIT: Final = r"보증금(?:에)?서|from (?:my|the) deposit"
"""What comes off a deposit is no matter of tax."""
_RENT_WORDS: Final = r"월세|집세|방세|\brent"
INCOME: Final = Role(
    "income_year",
    _KRW,
    before=r"연\s?소득|연봉|총\s?급여|소득|급여|\bincome(?:\s(?:of|is))*|salary(?:\s(?:of|is))*|earn(?:ing|s)?|\bmak(?:e|ing)\b",
    behind=r"(?:원)?(?:을|를)?\s?(?:벌|받는\s?직장|연봉|소득|급여)|(?:won\s)?(?:a|per)\syear|(?:won\s)?(?:income|salary)",
    bare=True,
)
RENT: Final = Role(
    "rent",
    _KRW,
    before=r"월세(?:를|는|가|로)?|(?:^|[\s,])월\s?$|매달|매월|다달이|\brent(?:\s(?:of|is|at))*",
    behind=r"(?:원)?(?:씩|의|짜리)?\s?(?:월세|내)|(?:won\s)?(?:a|per)\smonth|(?:won\s)?(?:in\s|of\s)?(?:monthly\s)?rent",
    bare=True,
)
_MONTHS: Final = Role(
    "months", ("months", "years"), before=r"for", behind=r"(?:동안|간|치|내|냈|낸|of rent)", bare=True
)
CREDIT: Final = Topic(
    "rent_tax_credit",
    "LEGAL_CONSULT",
    (INCOME, RENT, _MONTHS),
    {"krw": "rent", "months": "months", "years": "months"},
    ("rent",),
)
TOPICS: Final = (LOAN, CREDIT)
_YEAR: Final = 12


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for a loan on a deposit, or for the credit of a rent, of which the sum is said."""
    del before
    topic = _topic(sheet)
    if topic is None:
        return ()
    ask = drafted(sheet, topic, AskForm.AMOUNT)
    roles = {one.role for one in ask.quantities}
    return (Claim(ask, 0.97),) if set(topic.needs) <= roles else ()


def _topic(sheet: Sheet) -> Topic | None:
    if sheet.says(_CREDIT_WORDS) and sheet.says(_RENT_WORDS) and not sheet.says(_OFF_DEPOSIT):
        return CREDIT
    if sheet.says(_LOAN_WORDS) and sheet.says(_HOW_MUCH) and not sheet.says(_NOT_A_LIMIT):
        return None if sheet.of_kind("region") else LOAN
    return None


def _loan(ask: Ask, found: Found) -> Outcome:
    """Return the share of a deposit that may be borrowed: the one that is said, else the usual one, told as assumed."""
    deposit, share = number_of(ask, "deposit"), number_of(ask, "share")
    if (back := unclear(ask)) is not None or deposit is None:
        return back or Outcome(answered(ask, _NO_SUM))
    usual_loan = rules().deposit_loan
    assumed = {} if share is not None else {"share": usual_loan.percent}
    share = share if share is not None else usual_loan.percent
    sentence = filled(
        "전세대출은 보증금 {deposit}의 {share}이면 최대 {sum}입니다.",
        "A jeonse loan of {share} of the {deposit} deposit is at most {sum}.",
        deposit=money(deposit),
        share=percent(share, 1),
        sum=money(calc.floored(deposit * share / 100)),
    )
    usual = filled(
        "비율을 말씀하지 않아 흔한 {share}로 보았습니다.",
        "No share was named, so the usual {share} was taken.",
        share=percent(share, 1),
    )
    answer = answered(
        ask,
        sentence,
        inputs=inputs_of(ask, assumed),
        grounds=grounds(given_line(ask), usual if assumed else None),
        cautions=(_LOAN_CAUTION,),
    )
    evidence = [own_evidence(ask, found)]
    if assumed:
        evidence.append(rule_evidence(found, usual_loan.source, {"percent": f"{share:f}"}))
    return done(answer, *evidence)


_NO_SUM: Final = Said("보증금이 얼마인지 알려 주세요.", "Please tell me the deposit.")
_LOAN_CAUTION: Final = Said(
    "소득과 신용, 보증기관과 상품의 한도에 따라 이보다 적을 수 있습니다.",
    "Income, credit and the limits of the guarantor and the product may make it less.",
)


def _credit_calls(ask: Ask) -> Sequence[Call]:
    del ask
    return law_calls(("조세특례제한법", "95-2"))


def _credit(ask: Ask, found: Found) -> Outcome:
    """Return what of a rent comes off the tax: by the salary that is said, else by each bracket of it."""
    rent, income = number_of(ask, "rent"), number_of(ask, "income_year")
    if (back := unclear(ask)) is not None or rent is None:
        return back or Outcome(answered(ask, _NO_SUM))
    table = rules().rent_credit
    paid = rent * min(number_of(ask, "months") or Decimal(_YEAR), Decimal(_YEAR)) if rent < table.rent_max / 2 else rent
    counted = min(paid, Decimal(table.rent_max))
    lines = grounds(given_line(ask), _counted_said(paid, counted), _rule_said(table, law_said(found)))
    evidence = (
        own_evidence(ask, found),
        rule_evidence(found, table.source, {"rent_max": table.rent_max, "from": table.since}),
        *law_proofs(found),
    )
    rates = [one for one in table.rates if income is None or income <= one.income_max][: 1 if income else None]
    more = {"inputs": inputs_of(ask), "grounds": lines, "cautions": (_CREDIT_CAUTION,)}
    if not rates:
        most = money(Decimal(table.rates[-1].income_max))
        sentence = filled(
            "아니요, 총급여가 {most:을/를} 넘으면 월세 세액공제를 받을 수 없습니다.",
            "No, with a salary above {most} a year there is no credit for rent.",
            most=most,
        )
        return done(ruled(ask, AskVerdict.NO, sentence, **more), *evidence)
    told = [
        filled(
            "총급여 {most} 이하면 {share}인 {sum}",
            "with a salary up to {most} it is {share}, {sum}",
            most=money(Decimal(one.income_max)),
            share=percent(one.percent, 1),
            sum=money(calc.whole(counted * one.percent / 100)),
        )
        for one in rates
    ]
    sentence = Said(
        f"월세 세액공제는 {', '.join(one.ko for one in told)}입니다.",
        f"Off the income tax: {'; '.join(one.en for one in told)}.",
    )
    return done(answered(ask, sentence, **more), *evidence)


def _counted_said(paid: Decimal, counted: Decimal) -> Said:
    if paid == counted:
        return filled("공제 대상 월세: {paid}", "Rent that counts: {paid}", paid=money(paid))
    return filled(
        "낸 월세 {paid} 가운데 연 {counted}까지만 공제 대상입니다.",
        "Of the {paid} paid only {counted} a year counts.",
        paid=money(paid),
        counted=money(counted),
    )


def _rule_said(table: RentCredit, law: Said) -> Said:
    since = table.since
    return Said(
        f"{since.year}년 {since.month}월 {since.day}일부터의 율입니다{law.ko}.",
        f"The rates since {since:%B} {since.day}, {since.year}{law.en}.",
    )


_CREDIT_CAUTION: Final = Said(
    "무주택 세대의 근로자가 전용 85㎡ 이하이거나 기준시가 4억원 이하인 집에 전입신고를 하고 낸 월세라야 하고, 낼 소득세보다 많이 돌려받지는 못합니다.",
    "It takes a worker without a home who is registered in a home of up to 85 m² or an official price of up to KRW 400 million; "
    "no more comes back than the income tax that is due.",
)
ANSWERERS: Final = (
    Answerer(LOAN.answerer, SEARCH, _loan),
    Answerer(CREDIT.answerer, SEARCH, _credit, _credit_calls),
)
