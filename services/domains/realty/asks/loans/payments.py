"""What a loan costs: the payment a month, alone or against another rate, term, sum or one's means."""

from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskAnswer, AskVerdict, Said, Told
from services.domains.realty import calculators as calc
from services.domains.realty.asks.loans.grace import graced
from services.domains.realty.asks.proved import (
    done,
    given_line,
    grounds,
    inputs_of,
    money,
    number_of,
    own_evidence,
    told_lines,
    unclear,
    wanting,
    years_said,
)
from services.domains.realty.calculators import MONTHS
from services.plugin.asks.answering import Found, Outcome, answered, asking_back, ruled
from services.plugin.asks.telling import filled, percent, sentences


def payment(ask: Ask, found: Found) -> Outcome:
    """Return what is paid a month, or what it becomes when the rate moves."""
    if (back := unclear(ask)) is not None:
        return back
    loan, rate, months = (number_of(ask, role) for role in ("loan", "rate", "months"))
    months = left if (left := number_of(ask, "left")) is not None else months
    way = ask.notes.get("way", "level")
    lacking = [role for role, value in (("loan", loan), ("rate", rate), ("months", months)) if value is None]
    if way == "interest" and "months" in lacking:
        lacking.remove("months")
    move = _move(ask)
    if rate is None and loan is not None and move:
        return done(_interest_moved(ask, loan, move), own_evidence(ask, found))
    if lacking or loan is None or rate is None:
        return wanting(ask, *lacking)
    try:
        answer = _payment_answer(ask, (loan, rate), months, way)
    except ValueError as error:
        return outside(ask, error)
    return done(answer, own_evidence(ask, found))


def _payment_answer(ask: Ask, of: tuple[Decimal, Decimal], months: Decimal | None, way: str) -> AskAnswer:
    """Return what is paid a month: alone, or against another rate, another term, a smaller loan, a person's means."""
    (loan, rate), term = of, int(months or 1)
    if number_of(ask, "grace") is not None and (of_two := graced(ask, of, term, way)) is not None:
        return of_two
    paid, terms = _paid(loan, rate, term, way), _terms_said(loan, rate, months, way)
    if (part := number_of(ask, "prepaid")) is not None and part < loan:
        return _prepaid(ask, terms, (loan, paid), (loan - part, _paid(loan - part, rate, term, way)))
    if (spare := number_of(ask, "spare_year")) is not None:
        return _within_means(ask, terms, paid, calc.whole(spare / MONTHS))
    if (new_term := number_of(ask, "months_to")) is not None and months is not None:
        return _of_two_terms(ask, of, (months, paid), (new_term, _paid(loan, rate, int(new_term), way)))
    if (new_rate := _new_rate(ask, rate)) is not None:
        over = months if way == "interest" else None
        return _moved(ask, terms, (rate, paid), (new_rate, _paid(loan, new_rate, term, way)), over)
    return _alone(ask, of, term, way)


def _of_two_ways(ask: Ask, of: tuple[Decimal, Decimal], term: int) -> AskAnswer:
    """Return what a loan costs in equal payments and in equal principal, which has less interest in all."""
    loan, rate = of
    level, (first, last) = calc.level_payment(loan, rate, term), calc.principal_payments(loan, rate, term)
    most, least = calc.level_interest(loan, rate, term), calc.principal_interest(loan, rate, term)
    sentence = filled(
        "총이자는 원금균등이 {least:으로/로} 원리금균등 {most}보다 {gap} 적습니다. 매달 내는 돈은 원리금균등이 {level:이고/고}, "
        "원금균등은 첫 달 {first}에서 마지막 달 {last}까지 줄어듭니다({terms}).",
        "Equal principal has less interest in all: {least} against {most} of equal payments, {gap} less. Equal payments are "
        "{level} a month; equal principal falls from {first} in the first month to {last} in the last ({terms}).",
        least=money(least),
        most=money(most),
        gap=money(most - least),
        level=money(level),
        first=money(first),
        last=money(last),
        terms=filled(
            "{loan}, 연 {rate}, {years}",
            "{loan} at {rate} over {years}",
            loan=money(loan),
            rate=percent(rate, 2),
            years=years_said(Decimal(term)),
        ),
    )
    given, spare = told_lines(ask, {"loan", "rate", "left" if number_of(ask, "left") is not None else "months"})
    return answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given, spare))


def _alone(ask: Ask, of: tuple[Decimal, Decimal], term: int, way: str) -> AskAnswer:
    if ask.notes.get("ways") and way != "interest":
        return _of_two_ways(ask, of, term)
    loan, rate = of
    paid, months = _paid(loan, rate, term, way), number_of(ask, "left") or number_of(ask, "months")
    said = [_paid_said(loan, rate, term, way, _terms_said(loan, rate, months, way))]
    if ask.notes.get("total") and way != "interest":
        interest = (
            calc.level_interest(loan, rate, term) if way == "level" else calc.principal_interest(loan, rate, term)
        )
        said.insert(0, filled("총이자는 {sum}입니다.", "The interest in all is {sum}.", sum=money(interest)))
    given, spare = told_lines(ask, {"loan", "rate", "left" if number_of(ask, "left") is not None else "months"})
    return answered(
        ask,
        sentences(*said),
        inputs=inputs_of(ask),
        grounds=grounds(given, _whole_said(loan, rate, term, way), spare),
        told=(Told("payment", f"{paid:f}", money(paid).ko),),
    )


def _new_rate(ask: Ask, rate: Decimal) -> Decimal | None:
    if (to := number_of(ask, "rate_to")) is not None:
        return to
    move = _move(ask)
    return None if move is None else rate + move


def _move(ask: Ask) -> Decimal | None:
    """Return by how much the rate moves in percentage points; None where it is not said."""
    up, down = number_of(ask, "rate_rise"), number_of(ask, "rate_fall")
    return None if up is None and down is None else (up or Decimal(0)) - (down or Decimal(0))


def _interest_moved(ask: Ask, loan: Decimal, move: Decimal) -> AskAnswer:
    """Return what a move of the rate makes of the interest a month: it takes no rate to tell that."""
    sentence = filled(
        "이자만 내는 대출이면 이자는 매달 {gap} {way}({loan} × {move}p ÷ 12).",
        "With interest only, the interest is {gap} {way} a month ({loan} × {move} ÷ 12).",
        gap=money(calc.interest_only(loan, abs(move))),
        way=Said("늘어납니다", "more") if move > 0 else Said("줄어듭니다", "less"),
        loan=money(loan),
        move=percent(abs(move), 2),
    )
    note = Said(
        "원금을 함께 갚는다면 지금 금리와 남은 기간을 알려 주세요. 그 상환액으로 계산하겠습니다.",
        "Where the principal is repaid as well, tell me the rate now and the term that is left, and I compute that payment.",
    )
    return answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(note))


def _paid(loan: Decimal, rate: Decimal, months: int, way: str) -> Decimal:
    if way == "interest":
        return calc.interest_only(loan, rate)
    return (
        calc.principal_payments(loan, rate, months)[0] if way == "principal" else calc.level_payment(loan, rate, months)
    )


_WAYS: Final = {
    "level": Said("원리금균등상환", "equal payments"),
    "principal": Said("원금균등상환", "equal principal"),
    "interest": Said("이자만 상환", "interest only"),
}


def _terms_said(loan: Decimal, rate: Decimal, months: Decimal | None, way: str) -> Said:
    if months is None or way == "interest":
        return filled("{loan}, 연 {rate}", "{loan} at {rate}", loan=money(loan), rate=percent(rate, 2))
    years = years_said(months)
    return filled(
        "{loan}, 연 {rate}, {years}, {way}",
        "{loan} at {rate} over {years}, {way}",
        loan=money(loan),
        rate=percent(rate, 2),
        years=years,
        way=_WAYS[way],
    )


def _paid_said(loan: Decimal, rate: Decimal, months: int, way: str, terms: Said) -> Said:
    if way == "interest":
        a_month = calc.interest_only(loan, rate)
        said = filled(
            "매달 내는 이자는 {sum}입니다({terms}).",
            "The interest is {sum} a month ({terms}).",
            sum=money(a_month),
            terms=terms,
        )
        over = filled(
            "{years} 동안 모두 {sum}입니다.",
            "Over {years} it is {sum} in all.",
            years=years_said(Decimal(months)),
            sum=money(a_month * months),
        )
        return sentences(said, over if months > 1 else None)
    if way == "principal":
        first, last = calc.principal_payments(loan, rate, months)
        return filled(
            "첫 달 상환액은 {first}이고, 매달 줄어 마지막 달에는 {last}입니다({terms}).",
            "The first payment is {first}; it falls every month to {last} in the last one ({terms}).",
            first=money(first),
            last=money(last),
            terms=terms,
        )
    return filled(
        "매달 갚는 금액은 {sum}입니다({terms}).",
        "The payment is {sum} a month ({terms}).",
        sum=money(calc.level_payment(loan, rate, months)),
        terms=terms,
    )


def _whole_said(loan: Decimal, rate: Decimal, months: int, way: str) -> Said | None:
    if way == "interest":
        return Said("원금은 만기에 따로 갚습니다.", "The principal is repaid at the end.")
    interest = (
        calc.level_interest(loan, rate, months) if way == "level" else calc.principal_interest(loan, rate, months)
    )
    return filled("끝까지 갚을 때 총이자: {sum}", "Interest over the whole term: {sum}", sum=money(interest))


def _prepaid(ask: Ask, terms: Said, before: tuple[Decimal, Decimal], after: tuple[Decimal, Decimal]) -> AskAnswer:
    """Return by how much the payment of a month falls when a part of the loan is repaid at once."""
    sentence = filled(
        "{part:을/를} 먼저 갚으면 월 상환액은 {most}에서 {least:으로/로} {gap} 줄어듭니다({terms}).",
        "Repaying {part} first takes the payment from {most} to {least} a month, {gap} less ({terms}).",
        part=money(before[0] - after[0]),
        most=money(before[1]),
        least=money(after[1]),
        gap=money(before[1] - after[1]),
        terms=terms,
    )
    note = Said(
        "남은 기간은 그대로 두고 계산했고, 중도상환수수료는 넣지 않았습니다.",
        "The term stays as it is; a fee for early repayment is not in it.",
    )
    return answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note))


def _within_means(ask: Ask, terms: Said, paid: Decimal, spare: Decimal) -> AskAnswer:
    """Return whether what is paid a month is within what a person can pay."""
    fits = paid <= spare
    sentence = filled(
        "{yes}, 매달 {paid}이어서 {spare}{way}({terms}).",
        "{yes}, it is {paid} a month, {way} the {spare} ({terms}).",
        yes=Said("네", "Yes") if fits else Said("아니요", "No"),
        paid=money(paid),
        spare=money(spare),
        way=Said(" 안에서 낼 수 있습니다", "within")
        if fits
        else Said(f"보다 {money(paid - spare).ko} 많습니다", f"{money(paid - spare).en} above"),
        terms=terms,
    )
    verdict = AskVerdict.YES if fits else AskVerdict.NO
    return ruled(ask, verdict, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask)))


def _of_two_terms(
    ask: Ask, of: tuple[Decimal, Decimal], one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal]
) -> AskAnswer:
    """Return what a loan costs a month over two terms; the longer one costs less a month and more in all."""
    (short_term, most), (long_term, least) = sorted((one, other))
    interest = [calc.whole(paid * term - of[0]) for term, paid in ((short_term, most), (long_term, least))]
    sentence = filled(
        "{long}으로 갚으면 매달 {least}, {short}이면 {most:으로/로} {long} 쪽이 매달 {gap} 적습니다({loan}, 연 {rate}).",
        "Over {long} the payment is {least} a month, over {short} {most}: {gap} less a month over {long} ({loan} at {rate}).",
        long=years_said(long_term),
        short=years_said(short_term),
        least=money(least),
        most=money(most),
        gap=money(most - least),
        loan=money(of[0]),
        rate=percent(of[1], 2),
    )
    note = filled(
        "총이자는 {short}에 약 {a}, {long}에 약 {b}입니다.",
        "Interest in all: about {a} over {short}, {b} over {long}.",
        short=years_said(short_term),
        long=years_said(long_term),
        a=money(interest[0]),
        b=money(interest[1]),
    )
    return answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask), note))


def _moved(
    ask: Ask, terms: Said, old: tuple[Decimal, Decimal], new: tuple[Decimal, Decimal], over: Decimal | None = None
) -> AskAnswer:
    """Return what a payment becomes at another rate; of interest alone also over the months that are named."""
    gap = new[1] - old[1]
    whole = (
        filled(
            "{years} 동안에는 {sum} 차이입니다.",
            "Over {years} that is {sum}.",
            years=years_said(over),
            sum=money(abs(gap) * over),
        )
        if over
        else None
    )
    sentence = filled(
        "월 상환액은 {before}에서 {after:으로/로} {gap} {way}({terms} 기준, 금리 {rb} → {ra}).",
        "The payment goes from {before} to {after} a month, {gap} {way} ({terms}; rate {rb} to {ra}).",
        before=money(old[1]),
        after=money(new[1]),
        gap=money(abs(gap)),
        way=Said("늘어납니다", "more") if gap >= 0 else Said("줄어듭니다", "less"),
        terms=terms,
        rb=percent(old[0], 2),
        ra=percent(new[0], 2),
    )
    note = Said(
        "남은 원금과 기간은 그대로 두고 금리만 바꿔 계산했습니다.", "Only the rate changes; loan and term stay."
    )
    return answered(ask, sentences(sentence, whole), inputs=inputs_of(ask), grounds=grounds(given_line(ask), note))


def outside(ask: Ask, error: ValueError) -> Outcome:
    """Return a question back for an input that lies outside what can be computed."""
    name = str(error).partition(":")[0]
    label = calc.INPUTS[name].label if name in calc.INPUTS else Said("값", "value")
    sentence = filled(
        "{label:이/가} 계산할 수 있는 범위를 벗어납니다. 값을 다시 알려 주세요.",
        "The {label} is outside what can be computed; please check it.",
        label=label,
    )
    return Outcome(asking_back(ask, sentence, label))
