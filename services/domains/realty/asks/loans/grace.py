"""A loan of which interest alone is paid at first: "3년 거치 12년 분할상환", "30 years, the first 5 interest-only"."""

from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, Said, Told
from services.domains.realty import calculators as calc
from services.domains.realty.asks.loans.topics import GRACE
from services.domains.realty.asks.proved import given_line, grounds, inputs_of, money, number_of, years_said
from services.plugin.asks.answering import answered
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, percent
from services.text.patterns import Pattern

_NONE: Final = Pattern(
    r"\s?(?:동안|간)?\s?거치(?:\s?기간)?(?:은|이|을|도|는)?\s?(?:없|안)|\s?(?:of )?grace(?: period)? is not"
)
_BEHIND: Final = "behind"
"""The note of a loan that is repaid over its term once the interest-only time is over, and not within the term."""
_THEN: Final = r"거치\s?(?:후|뒤|하고|이후|다음)|거치[^0-9만총]{0,6}[0-9]+\s?(?:년|개월)(?!\s?만기)|\bthen\b|followed by|\bafter (?:that|which)\b"
_WHOLE: Final = r"만기|총\s?[0-9]|통틀어|in (?:all|total)|altogether"
"""Words of a term that has the interest-only time in it."""


def with_grace(ask: Ask, sheet: Sheet, repaid: str) -> Ask:
    """Return a payment with the time of interest alone that is named, or without the one that is denied: "거치 없이".

    Args:
        ask: The payment.
        sheet: The message.
        repaid: How the loan is repaid afterwards: level or principal.
    """
    one = next((one for one in ask.quantities if one.role == GRACE.name), None)
    if one is None:
        return ask
    others = tuple(other for other in ask.quantities if other is not one)
    if _NONE.match(sheet.text, one.end):
        return replace(ask, quantities=others)
    if number_of(ask, "months") is None:
        # The only term that is named is that of the whole loan, of which interest alone is paid.
        return replace(ask, quantities=(*others, replace(one, role="months")))
    behind = {_BEHIND: "1"} if sheet.says(_THEN) and not sheet.says(_WHOLE) else {}
    return replace(ask, notes={**ask.notes, "way": repaid, **behind})


def graced(ask: Ask, of: tuple[Decimal, Decimal], months: int, way: str) -> AskAnswer | None:
    """Return what is paid while interest alone is due and what afterwards; None where the term leaves nothing to repay."""
    loan, rate = of
    grace = int(number_of(ask, GRACE.name) or 0)
    rest = months if _BEHIND in ask.notes else months - grace
    if rest <= 0:
        return None
    first = calc.interest_only(loan, rate)
    then = calc.principal_payments(loan, rate, rest)[0] if way == "principal" else calc.level_payment(loan, rate, rest)
    sentence = filled(
        "처음 {grace}은 이자만 매달 {first}, 그 뒤 {rest}은 매달 {then}{falls}입니다({loan}, 연 {rate}).",
        "For the first {grace} it is {first} of interest a month, then {then} a month over {rest}{falls} ({loan} at {rate}).",
        grace=years_said(Decimal(grace)),
        rest=years_said(Decimal(rest)),
        first=money(first),
        then=money(then),
        falls=Said("부터 시작해 줄어드는 금액", ", falling every month") if way == "principal" else Said("", ""),
        loan=money(loan),
        rate=percent(rate, 2),
    )
    interest = calc.whole(first * grace) + (
        calc.principal_interest(loan, rate, rest) if way == "principal" else calc.level_interest(loan, rate, rest)
    )
    total = filled("끝까지 갚을 때 총이자: {sum}", "Interest over the whole term: {sum}", sum=money(interest))
    note = (
        filled(
            "거치가 끝난 뒤 {rest} 동안 갚는 것으로 보았습니다.",
            "Repaid over {rest} once the interest-only time is over.",
            rest=years_said(Decimal(rest)),
        )
        if _BEHIND in ask.notes
        else filled(
            "전체 {whole} 안에 거치 {grace}이 들어 있는 것으로 보았습니다.",
            "The interest-only {grace} lie within the {whole}.",
            whole=years_said(Decimal(months)),
            grace=years_said(Decimal(grace)),
        )
    )
    told = (Told("payment", f"{then:f}", money(then).ko),)
    return answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note, total), told=told)
