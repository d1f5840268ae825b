"""How much may be borrowed and what limits it; whether a loan or savings are within means."""

import re
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskVerdict, Said, Told
from services.domains.realty import calculators as calc
from services.domains.realty.asks.loans.payments import outside
from services.domains.realty.asks.proved import (
    done,
    grounds,
    inputs_of,
    money,
    number_of,
    own_evidence,
    rule_evidence,
    told_lines,
    unclear,
    wanting,
)
from services.domains.realty.brackets import rules
from services.plugin.asks.answering import Found, Outcome, answered, ruled
from services.plugin.asks.telling import filled, listed, percent, sentences
from services.text.patterns import Pattern


def limit(ask: Ask, found: Found) -> Outcome:
    """Return how much may be borrowed and which limit decides; whether a wanted sum is within it."""
    if (back := unclear(ask)) is not None:
        return back
    limits, lacking, assumed = _limits(ask)
    if lacking or not limits:
        return wanting(ask, *(lacking or ("price",)))
    if (to := number_of(ask, "income_to")) is not None:
        return _by_income(ask, found, min(limits.values()), to)
    binding = min(limits, key=lambda name: limits[name])
    most = limits[binding]
    evidence = [own_evidence(ask, found)]
    lending = rules().lending
    if assumed:
        evidence.append(rule_evidence(found, lending.source, {name: f"{value:f}" for name, value in assumed.items()}))
    wanted = number_of(ask, "loan")
    sentence = _limit_said(ask, limits, binding) if wanted is None else _wanted_said(limits, binding, wanted)
    paid, used = _payment_line(ask, most), _used(limits)
    if paid is not None and ask.notes.get("payment"):
        sentence, paid = sentences(sentence, Said(f"{paid.ko}입니다.", f"{paid.en}.")), None
        used |= {"rate", "months"}
    given, spare = told_lines(ask, used)
    lines = grounds(given, _assumed_said(assumed), _own_line(ask, most), paid, spare)
    told = (Told("loan_limit", f"{most:f}", money(most).ko, {"loan_limit": f"{most:f}"}),)
    more = {
        "inputs": inputs_of(ask, assumed),
        "grounds": lines,
        "cautions": (*_no_price_said(ask, limits), _CAUTION, *((_stress_said(ask),) if "dsr" in limits else ())),
        "told": told,
    }
    if wanted is None:
        return done(answered(ask, sentence, **more), *evidence)
    fits = wanted <= most
    if ask.notes.get("exceeds"):
        fits = not fits
        lead = (
            Said("네, 넘습니다.", "Yes, it is above:")
            if fits
            else Said("아니요, 넘지 않습니다.", "No, it is not above:")
        )
        bare = Said(sentence.ko.partition(", ")[2], sentence.en.partition(", ")[2])
        sentence = Said(f"{lead.ko} {bare.ko}", f"{lead.en} {bare.en}")
    verdict = AskVerdict.YES if fits else AskVerdict.NO
    return done(ruled(ask, verdict, sentence, **more), *evidence)


def _by_income(ask: Ask, found: Found, most: Decimal, to: Decimal) -> Outcome:
    """Return how much more may be borrowed once the income has risen, or less where it has fallen."""
    risen = (replace(one, value=f"{to:f}") if one.role == "income_year" else one for one in ask.quantities)
    then = min(_limits(replace(ask, quantities=tuple(risen)))[0].values())
    sentence = filled(
        "연소득이 {to:이/가} 되면 빌릴 수 있는 돈은 {most}에서 {then:으로/로} {gap} {way}.",
        "With a yearly income of {to} you could borrow {then} instead of {most}, {gap} {way}.",
        to=money(to),
        most=money(most),
        then=money(then),
        gap=money(abs(then - most)),
        way=Said("늘어납니다", "more") if then >= most else Said("줄어듭니다", "less"),
    )
    given, spare = told_lines(
        ask, {"income_year", "income_to", "rate", "months", "dsr", "dti", "ltv", "price", "other_year"}
    )
    more = {"inputs": inputs_of(ask), "grounds": grounds(given, spare), "cautions": (_CAUTION,)}
    return done(answered(ask, sentence, **more), own_evidence(ask, found))


_CAUTION: Final = Said(
    "지역 규제에 따른 금액 상한과 은행 심사, 상품 한도는 넣지 않았습니다.",
    "Caps on the sum by region, the bank's review and a product's own limit are not in it.",
)


def _no_price_said(ask: Ask, limits: dict[str, Decimal]) -> tuple[Said, ...]:
    """Return that the price of the home bounds a loan too, where neither it nor a limit is named."""
    named = ask.notes.get("limits") or ask.notes.get("no_price") or any(number_of(ask, one) for one in ("dsr", "dti"))
    return () if "ltv" in limits or named else (_PRICE_BOUNDS,)


_PRICE_BOUNDS: Final = Said(
    "집값을 알려 주시면 LTV 한도와도 견주어 드립니다. 둘 중 작은 쪽까지 빌릴 수 있습니다.",
    "Tell me the price of the home and I can hold this against the LTV limit; the lesser of the two binds.",
)


def _stress_said(ask: Ask) -> Said:
    """Return with which rate the DSR was computed: a stress rate is added only where it is given."""
    stress, rate = number_of(ask, "stress"), number_of(ask, "rate")
    if stress is None or rate is None:
        return Said("스트레스 금리는 더하지 않았습니다.", "No stress rate was added.")
    return filled(
        "DSR은 스트레스 금리를 더한 연 {rate:으로/로} 계산했습니다.",
        "The DSR was computed at {rate} a year, the stress rate added.",
        rate=percent(rate + stress, 2),
    )


def _used(limits: dict[str, Decimal]) -> set[str]:
    used = {"loan", "rate", "months", "stress"} if "dsr" in limits or "dti" in limits else {"loan"}
    if "ltv" in limits:
        used |= {"price", "ltv"}
    if "dsr" in limits or "dti" in limits:
        used |= {"income_year", "other_year", "dsr", "dti"}
    return used


def _limits(ask: Ask) -> tuple[dict[str, Decimal], list[str], dict[str, Decimal]]:
    """Return the limits, what is missing for them, and what was assumed; those that are named bind alone."""
    named = {name: value for name in ("ltv", "dti", "dsr") if (value := number_of(ask, name)) is not None}
    price, income = number_of(ask, "price"), number_of(ask, "income_year")
    assumed: dict[str, Decimal] = {}
    if not named:
        assumed = {"ltv": rules().lending.ltv_percent, "dsr": rules().lending.dsr_percent}
        said = [name for name in ask.notes.get("limits", "").split(",") if name in assumed]
        # A limit that the person names binds alone, its share as it is usual.
        assumed = {name: assumed[name] for name in said} or assumed
        if ask.notes.get("no_price"):
            assumed.pop("ltv", None)
    shares = {**named, **assumed}
    rate, months = number_of(ask, "rate"), number_of(ask, "months")
    needed = [("price", price)] if "ltv" in shares else []
    if {"dsr", "dti"} & shares.keys():
        needed += [("income_year", income), ("rate", rate), ("months", months)]
        # What a debt takes of the income is its payments, which its balance does not tell.
        needed += [("other_year", number_of(ask, "other_year"))] if number_of(ask, "other_debt") else []
    lacking = [name for name, value in needed if value is None]
    if lacking == ["price"] and "ltv" in assumed and "dsr" in assumed:
        # What an income can bear is known without the home that is bought.
        assumed.pop("ltv")
        shares.pop("ltv")
        lacking = []
    if lacking:
        return {}, lacking, assumed
    limits = {}
    if "ltv" in shares and price is not None:
        limits["ltv"] = calc.loan_by_ltv(price, shares["ltv"])
    for name in ("dti", "dsr"):
        if name in shares and income is not None and rate is not None and months is not None:
            other = number_of(ask, "other_year") or Decimal(0)
            stressed = rate + (number_of(ask, "stress") or Decimal(0)) if name == "dsr" else rate
            limits[name] = calc.loan_by_income(income, shares[name], other, stressed, int(months))
    return limits, [], assumed


def _limit_said(ask: Ask, limits: dict[str, Decimal], binding: str) -> Said:
    name = binding.upper()
    first = filled(
        "최대 {sum}까지 빌릴 수 있고, 한도를 정하는 것은 {name}입니다",
        "You can borrow up to {sum}; what limits it is the {name}",
        sum=money(limits[binding]),
        name=name,
    )
    if len(limits) == 1:
        return sentences(Said(first.ko + ".", first.en + "."))
    every = listed([Said(f"{one.upper()} {money(v).ko}", f"{one.upper()} {money(v).en}") for one, v in limits.items()])
    del ask
    return Said(f"{first.ko}({every.ko}).", f"{first.en} ({every.en}).")


def _wanted_said(limits: dict[str, Decimal], binding: str, wanted: Decimal) -> Said:
    most = limits[binding]
    if wanted <= most:
        return filled(
            "네, {name} 한도는 {most}이어서 {wanted:은/는} 그 안에 있습니다.",
            "Yes, the {name} limit is {most}, so that {wanted} is within it.",
            name=binding.upper(),
            most=money(most),
            wanted=money(wanted),
        )
    return filled(
        "아니요, {name} 한도가 {most}이어서 {wanted}에는 {gap} 모자랍니다.",
        "No, the {name} limit is {most}, which is {gap} short of {wanted}.",
        name=binding.upper(),
        most=money(most),
        wanted=money(wanted),
        gap=money(wanted - most),
    )


def _assumed_said(assumed: dict[str, Decimal]) -> Said | None:
    if not assumed:
        return None
    values = listed(
        [
            Said(f"{name.upper()} {percent(v, 1).ko}", f"{name.upper()} {percent(v, 1).en}")
            for name, v in assumed.items()
        ]
    )
    since = rules().lending.since
    return Said(
        f"가정한 값: {values.ko}({since.year}년 {since.month}월부터의 일반 기준, 규제지역은 더 낮을 수 있습니다)",
        f"Assumed: {values.en} (the general limits since {since:%B %Y}; lower in regulated areas)",
    )


def _own_line(ask: Ask, loan: Decimal) -> Said | None:
    """Return what the one who borrows has to have beside the loan, where the price is given."""
    price = number_of(ask, "price")
    if price is None or loan >= price:
        return None
    return filled("대출 밖에 필요한 자기 돈: {sum}", "Needed beside the loan: {sum}", sum=money(price - loan))


def _payment_line(ask: Ask, loan: Decimal) -> Said | None:
    rate, months = number_of(ask, "rate"), number_of(ask, "months")
    if rate is None or months is None or loan <= 0:
        return None
    paid = calc.level_payment(loan, rate, int(months))
    return filled("이만큼 빌리면 원리금균등으로 매달 {sum}", "Repaid in equal payments: {sum} a month", sum=money(paid))


def share(ask: Ask, found: Found) -> Outcome:
    """Return the DSR of a loan, and whether it is above the limit."""
    if (back := unclear(ask)) is not None:
        return back
    roles = ("loan", "rate", "months", "income_year")
    values = {role: number_of(ask, role) for role in roles}
    if lacking := [name for name, value in values.items() if value is None]:
        return wanting(ask, *lacking)
    loan, rate, months, income = (value or Decimal(0) for value in values.values())
    other = number_of(ask, "other_year") or Decimal(0)
    limit = number_of(ask, "dsr") or rules().lending.dsr_percent
    try:
        share = calc.debt_share(loan, rate, int(months), other, income)
    except ValueError as error:
        return outside(ask, error)
    over = share > limit
    a_year = share * income / 100
    bound = ask.notes.get("dsr_bound", "")
    is_over_asked = bound in {"gt", "ge"} or (bound not in {"le", "lt"} and _OVER.search(ask.words) is not None)
    verdict = AskVerdict.YES if over == is_over_asked else AskVerdict.NO
    sentence = filled(
        "{yes}, DSR은 {share}로 {limit}를 {way}(연 상환액 {year} ÷ 연소득 {income}).",
        "{yes}, the DSR is {share}, {way} {limit} (payments of {year} a year on an income of {income}).",
        yes=Said("네", "Yes") if verdict is AskVerdict.YES else Said("아니요", "No"),
        share=percent(share, 1),
        limit=percent(limit, 1),
        way=Said("넘습니다", "above") if over else Said("넘지 않습니다", "not above"),
        year=money(calc.whole(a_year)),
        income=money(income),
    )
    assumed = {} if number_of(ask, "dsr") is not None else {"dsr": limit}
    debts = (
        None
        if other or ask.notes.get("no_debt")
        else Said("다른 대출은 없는 것으로 보았습니다.", "No other debts are assumed.")
    )
    given, spare = told_lines(ask, {*roles, "other_year", "dsr"})
    lines = grounds(given, _assumed_said(assumed), debts, spare)
    return done(ruled(ask, verdict, sentence, inputs=inputs_of(ask, assumed), grounds=lines), own_evidence(ask, found))


def _reach(gap: Decimal) -> Said:
    """Return how far a sum reaches for a price: short of it, up to it, or with something left."""
    if gap > 0:
        return Said(f"보다 {money(gap).ko} 모자랍니다", f", {money(gap).en} short of")
    return Said(f"을 내고 {money(-gap).ko} 남습니다" if gap < 0 else "을 낼 수 있습니다", ", which covers")


_OVER: Final = Pattern(
    r"(?<!안 )(?<!안)넘(?!지\s?(?:않|안))|초과|걸리|위반|exceed|\bover\b(?! \d)|above|break|too (?:much|high)",
    re.IGNORECASE,
)
"""Words that ask whether a share is above its limit; else it is asked whether it is within."""


def enough(ask: Ask, found: Found) -> Outcome:
    """Return whether savings and the highest loan make up a price, or by how much they are short."""
    if (back := unclear(ask)) is not None:
        return back
    price, savings = number_of(ask, "price"), number_of(ask, "savings")
    if price is None or savings is None:
        return wanting(ask, *(name for name, value in (("price", price), ("savings", savings)) if value is None))
    limits, lacking, assumed = _limits(ask)
    wanted = number_of(ask, "loan")
    if wanted is None and lacking:
        return wanting(ask, *lacking)
    loan = min((*limits.values(), *(() if wanted is None else (wanted,))))
    gap = price - loan - savings
    verdict = AskVerdict.YES if gap <= 0 else AskVerdict.NO
    sentence = filled(
        "{yes}, 대출 {loan:과/와} 가진 돈 {savings:을/를} 더하면 {sum}으로 집값 {price}{way}.",
        "{yes}, a loan of {loan} and your {savings} make {sum}{way} the price of {price}{left}.",
        yes=Said("네", "Yes") if gap <= 0 else Said("아니요", "No"),
        loan=money(loan),
        savings=money(savings),
        sum=money(loan + savings),
        price=money(price),
        way=_reach(gap),
        left=Said("", f" and leaves {money(-gap).en}" if gap < 0 else ""),
    )
    given, spare = told_lines(ask, {"price", "savings", *_used(limits)})
    lines = grounds(
        given,
        filled("집값에서 대출을 뺀 필요한 돈: {sum}", "Needed beside the loan: {sum}", sum=money(price - loan)),
        _assumed_said(assumed),
        Said("취득세와 중개보수 등 부대 비용은 넣지 않았습니다.", "Taxes and fees of the purchase are not in it."),
        spare,
    )
    return done(
        ruled(ask, verdict, sentence, inputs=inputs_of(ask, assumed), grounds=lines, cautions=(_CAUTION,)),
        own_evidence(ask, found),
    )
