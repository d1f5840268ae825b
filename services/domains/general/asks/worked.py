"""Sums of every day whose numbers all stand in the question: whichever value of a relation is left out is computed.

A kind of sum is known by its own words (할인, 복리, 적금, PER); its numbers have their roles by the words around them, and the
one that no word binds has the role with which the asked value follows. Where a question names a thing that data is about, a
share, a place, an order, it is no sum of its own numbers and is left to the domain of that thing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskInput, AskQuantity, Ground, Origin, Said
from services.domains.general.asks.sum_kinds import KINDS, SumKind
from services.domains.general.asks.sum_values import NAMED
from services.domains.general.everyday import MONTHS, RELATIONS
from services.domains.general.taxes import withholdings
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, answered, asking_back, declined
from services.plugin.asks.edits import carried, is_fresh, short
from services.plugin.asks.numbers import numbers_in
from services.plugin.asks.relations import Step, UnsolvableError, shown, solved
from services.plugin.asks.roles import bound_to
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import decimal, exact_won, filled, percent, sentences
from services.plugin.entities import AMOUNT, AREA, PERIOD, QUANTITY
from services.text.patterns import Pattern

_AGENT: Final = ("general.general_knowledge",)
_OWN_GOODS: Final = r"내\s?(?:상품|스토어|가게|매장|물건)|우리\s?(?:상품|스토어|가게|매장)|시뮬레이션|\bmy (?:products?|store|shop|listings?)\b|simulat"
"""Words of a seller's own goods, whose fees and sales are data."""
_PER: Final = Pattern(r"\s?(?:에|당|인당|마다|(?=[0-9,.]+\s?원))")
"""What follows a "one" that says by what is counted: "한 달에", "1인당", "1달러 1,400원"."""
_PLAIN: Final = Pattern(r"[0-9,.]+")
_OF_SUMS: Final = frozenset({AMOUNT, AREA, PERIOD, QUANTITY})
_TAXED: Final = frozenset({"interest", "matured"})
_NET: Final = frozenset({"net_interest", "net_matured"})
_GROSS: Final = r"세전|세금\s?(?:을\s)?떼기\s?전|before (?:and after )?(?:the )?tax"
"""Asks for interest before tax, beside what is left of it."""
_UNSOLVABLE: Final = Said(
    "말씀하신 값으로는 계산이 되지 않습니다. 금액과 비율을 다시 확인해 주세요.",
    "These values have no solution. Please check the sums and percentages.",
)
_NOTES: Final[Mapping[str, Said]] = {
    "grown": Said(
        "1년에 한 번 이자가 붙는 것으로 보았고 세금은 넣지 않았습니다.", "Compounded once a year; taxes are not in it."
    ),
    "gathered": Said(
        "달마다 이자가 붙는 것으로 보았고 세금은 넣지 않았습니다.", "Compounded each month; taxes are not in it."
    ),
    "pyeong": Said(
        "아파트의 평형은 공급면적으로 부르므로, 전용면적을 평으로 바꾼 값보다 큽니다.",
        "An apartment's size in pyeong is that of its supply area, which is larger than its floor area.",
    ),
    "dividend": filled(
        "배당소득세({tax})를 떼기 전입니다.",
        "Before the tax on dividends ({tax}).",
        tax=percent(withholdings().dividends_kr.percent),
    ),
}


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for a sum of the question's own numbers; a short message with a number edits the last one."""
    things = {one.kind for one in sheet.entities if one.value and one.value != one.words} - _OF_SUMS
    if sheet.says(_OWN_GOODS):
        return ()
    if sheet.says(_AT_A_PRICE):
        things -= {"category"}
    last = before[0].asks[-1] if before and before[0].asks else None
    if last is not None and last.answerer == "general.worked" and not is_fresh(sheet) and short(sheet.text, 6):
        return _edit(sheet, last)
    for kind in KINDS:
        resold = kind.id == "trade" and bool(things) and sheet.says(_SOLD)
        if things - kind.about or resold or not sheet.says(kind.words):
            continue
        found = _quantities(sheet, kind)
        target = _target(sheet, kind, found)
        if not target and kind.assumed and sheet.says(kind.assumes):
            found = _with_assumed(kind, found)
            target = _target(sheet, kind, found)
        if target:
            return (Claim(_ask(sheet, found, {"kind": kind.id, "target": target}), 0.97, is_whole=True),)
        if wanting := _wanting(sheet, kind, found):
            return (Claim(_ask(sheet, found, {"kind": kind.id, **wanting}), 0.93),)
    return ()


def _wanting(sheet: Sheet, kind: SumKind, found: Sequence[AskQuantity]) -> dict[str, str]:
    """Return the value that is asked and the one that is wanting for it, where all others are given; else nothing."""
    known = _known(found)
    if len(known) < len(found) or len(known) < _GIVEN_LEAST:
        return {}
    for target, words in kind.targets:
        for name in dict.fromkeys(role.name for role in kind.roles):
            if name not in {*known, target} and sheet.says(words) and _follows(target, {**known, name: Decimal(1)}):
                return {"target": target, "wanting": name}
    return {}


_GIVEN_LEAST: Final = 2
"""So many numbers are given where one more is asked for."""


def _with_assumed(kind: SumKind, found: Sequence[AskQuantity]) -> tuple[AskQuantity, ...]:
    """Return the numbers with what is assumed beside them, which stands nowhere in the message."""
    taken = {one.role for one in found}
    return *found, *(
        AskQuantity(role, value, role, origin=Origin.ASSUMED)
        for role, value in kind.assumed.items()
        if role not in taken
    )


_SOLD: Final = r"팔|되팔|매도|\bsell|\bsold\b"
"""A thing of some domain that is sold again, whose gain that domain tells."""
_AT_A_PRICE: Final = r"원?\s?짜리\s|\b(?:an?|the) [₩$]?[\d,.]+ ?(?:won|dollars?)?[ -]"
"""A thing whose price the question gives itself: what it is makes no difference to the sum."""


def _ask(sheet: Sheet, found: Sequence[AskQuantity], notes: Mapping[str, str]) -> Ask:
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.AMOUNT,
        intent="general_knowledge",
        answerer="worked",
        quantities=tuple(found),
        notes=dict(notes),
    )


def _quantities(sheet: Sheet, kind: SumKind) -> tuple[AskQuantity, ...]:
    """Return the numbers with their roles; one that no word binds has the role of its unit that is still free."""
    numbers = [
        one
        for one in numbers_in(sheet.text)
        if one.unit not in kind.idle and not (one.value == 1 and _PER.match(sheet.text, one.end))
    ]
    found = list(bound_to(numbers, sheet.text, kind.roles))
    taken = {one.role for one in found}
    for at, one in enumerate(found):
        role = kind.rest.get(one.unit, "")
        if not one.role and role and role not in taken:
            taken.add(role)
            found[at] = replace(one, role=role)
    if any(role.name == "months" for role in kind.roles) and "months" not in {one.role for one in found}:
        year = sheet.find(_A_YEAR)
        found += [AskQuantity("months", "12", "months", year.group(), *year.span())] if year is not None else []
    return tuple(found)


_A_YEAR: Final = r"\b(?:for|over|after|in) (?:a|one) year\b|(?<![0-9가-힣])(?:일|1)\s?년(?:간|동안|만|에)?"
"""A term of one year that is said without a number, or as the time that is asked of: "1년에 이자가"."""


def _target(sheet: Sheet, kind: SumKind, found: Sequence[AskQuantity]) -> str:
    """Return the value that is asked and follows from all numbers; empty where none does."""
    known = _known(found)
    if not known or not all(one.role for one in found) or len(known) < len(found):
        return ""
    for target, words in kind.targets:
        if sheet.says(words) and _follows(target, known):
            return target
    return ""


def _follows(target: str, known: Mapping[str, Decimal]) -> bool:
    try:
        return bool(solved(target, known, RELATIONS))
    except UnsolvableError:
        return True


def _known(found: Sequence[AskQuantity]) -> dict[str, Decimal]:
    return {one.role: Decimal(one.value) * (MONTHS if one.unit == "years" else 1) for one in found if one.role}


def _edit(sheet: Sheet, last: Ask) -> Sequence[Claim]:
    kind = next(one for one in KINDS if one.id == last.notes["kind"])
    by_unit = {one.unit: one.role for one in last.quantities}
    # The last of its targets is asked by words that ask for any.
    target = next((name for name, words in kind.targets[:-1] if sheet.says(words)), "")
    found = _quantities(sheet, replace(kind, rest={**kind.rest, **by_unit}))
    if target in _NET:
        found = tuple(one for one in found if Decimal(one.value) != withholdings().interest.percent)
    if not (found or target) or not all(one.role for one in found):
        return ()
    notes = {**last.notes, "target": target or last.notes["target"]}
    now = carried(_ask(sheet, found, {}), last)
    return (Claim(replace(now, notes=notes), 0.96),) if _follows(notes["target"], _known(now.quantities)) else ()


def _answer(ask: Ask, found: Found) -> Outcome:
    del found
    target, known = ask.notes["target"], _known(ask.quantities)
    wanting = ask.notes.get("wanting", "")
    if wanting and wanting not in known:
        name = NAMED[wanting][0]
        question = filled(
            "{name:을/를} 알려 주시면 계산해 드립니다.",
            "Tell me {name} and I will work it out.",
            name=Said(name.ko, name.en[0].lower() + name.en[1:]),
        )
        return Outcome(asking_back(ask, question, name))
    try:
        steps = solved(target, known, RELATIONS)
    except UnsolvableError:
        return Outcome(declined(ask, _UNSOLVABLE))
    units = {one.unit for one in ask.quantities if not _PLAIN.fullmatch(one.words)}
    currency = "usd" if "usd" in units else "krw" if "krw" in units else ""
    said = {one.role: _given(one, currency) for one in ask.quantities}
    said |= {step.unknown.name: _said(step.value, NAMED[step.unknown.name][1], currency) for step in steps}
    last = steps[-1]
    beside = [one for one in steps[:-1] if target == "net_interest" and one.unknown.name == "interest"]
    told = [*(beside if re.search(_GROSS, ask.words, re.IGNORECASE) else []), last]
    sentence = sentences(*(_told(one, said) for one in told))
    lines = [
        Ground(
            filled(
                "{label} = {shown} = {value}",
                "{label} = {shown} = {value}",
                label=NAMED[step.unknown.name][0],
                shown=shown(step, said),
                value=said[step.unknown.name],
            )
        )
        for step in steps
        if step not in told
    ]
    notes = [*_after_tax(target, last.value, known), *([_NOTES[target]] if target in _NOTES else [])]
    notes += [_A_YEAR_ASSUMED] if any(one.origin is Origin.ASSUMED for one in ask.quantities) else []
    inputs = tuple(AskInput(one.role, NAMED[one.role][0], one.value, one.unit, one.origin) for one in ask.quantities)
    return Outcome(answered(ask, sentence, inputs=inputs, grounds=(*lines, *(Ground(one) for one in notes))))


def _told(step: Step, said: Mapping[str, Said]) -> Said:
    """Return what a value is and how it was computed."""
    name = step.unknown.name
    return filled(
        "{label:은/는} {value}입니다({shown}).",
        "{label} is {value} ({shown}).",
        label=NAMED[name][0],
        value=said[name],
        shown=shown(step, said),
    )


_A_YEAR_ASSUMED: Final = Said("기간을 말씀하지 않아 1년으로 계산했습니다.", "No term was named, so a year was assumed.")


def _given(one: AskQuantity, currency: str) -> Said:
    """Return a number as it was said where its unit is a word of its own: "8명"."""
    if one.unit == "count" or (one.words and _PLAIN.fullmatch(one.words)):
        return Said(one.words, one.words)
    if one.role == "months":
        return _said(_known([one])["months"], "months", currency)
    return _said(Decimal(one.value), one.unit or NAMED[one.role][1], currency)


def _after_tax(target: str, value: Decimal, known: Mapping[str, Decimal]) -> Iterator[Said]:
    """Yield what is left of interest after tax."""
    if target not in _TAXED:
        return
    principal = known.get("principal") or known.get("instalment", Decimal(0)) * known.get("months", Decimal(0))
    interest = value - principal if target == "matured" else value
    tax = withholdings().interest
    rest = _said(interest * tax.left + (principal if target == "matured" else 0), "money", "krw")
    yield filled(
        "이자소득세 {tax:을/를} 떼면 {rest}입니다.",
        "After the {tax} tax on interest it is {rest}.",
        tax=percent(tax.percent),
        rest=rest,
    )


def _said(value: Decimal, unit: str, currency: str) -> Said:
    """Return a value with its unit; money in whole won, or dollars and cents."""
    unit = currency if unit == "money" else unit
    if unit == "krw":
        return exact_won(value.quantize(Decimal(1)))
    if unit == "usd":
        text = decimal(value, 2)
        return Said(f"{text}달러", f"USD {text}")
    if unit == "percent":
        return percent(value, 2)
    names = {"years": ("년", " years"), "months": ("개월", " months"), "times": ("배", " times"), "count": ("개", "")}
    names |= {"m2": ("㎡", " m²"), "pyeong": ("평", " pyeong")}
    names |= {"hours": ("시간", " hours"), "days": ("일", " days"), "weeks": ("주", " weeks")}
    ko, en = names.get(unit, ("", ""))
    text = decimal(value, 1)
    return Said(f"{text}{ko}", f"{text}{en}")


ANSWERERS: Final = (Answerer("worked", _AGENT, _answer),)
