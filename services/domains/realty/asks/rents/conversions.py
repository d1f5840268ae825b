"""A deposit turned into rent, or a rent into deposit."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskVerdict, Said
from services.contract.flow import Evidence
from services.domains.realty import calculators as calc
from services.domains.realty.asks.proved import (
    ACT,
    DECREE,
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
    told_lines,
    unclear,
    wanting,
)
from services.plugin.asks.answering import Call, Found, Outcome, answered, asking_back, ruled
from services.plugin.asks.telling import filled, percent, proof, query, rows_of, sentences, where
from services.text.patterns import Pattern

_UP_OR_DOWN: Final = r"(?:(?P<up>올리|올려|올린|늘리|늘려|얹|넣|맡기|보태|rais|increas|\badd|\btop up|\bpay in|goes up|go up)|낮추|낮춰|줄이|줄여|줄인|내리|내려|빼|깎|lower|reduc|cut|drop|less)"
_MOVED: Final = Pattern(rf"(?:보증금|전세금|deposit)[^,.?]{{0,24}}?{_UP_OR_DOWN}", re.IGNORECASE)
_MOVES: Final = Pattern(_UP_OR_DOWN, re.IGNORECASE)
"""What moves a sum, up or down."""
_ADDED: Final = Pattern(
    r"\b(?:more|extra|additional|further)\b(?:\s\w+){0,3}\s(?:deposit|in|down|up front|upfront)\b|\bput (?:down |in )?(?:another |an? )?[\w.,₩ ]{1,20}(?:more|extra|in|down)\b|\b(?:more|extra|higher|bigger|larger) deposit|\banother\b|더\s",
    re.IGNORECASE,
)
"""Words that add to a deposit without a verb that moves it."""
_INTO_RENT: Final = Pattern(
    r"(?:월세|월\s?임대료)(?:로|으로)\s?(?:돌|바꾸|바꿔|바뀌|전환|내|받)|\b(?:turn|convert|chang|switch|mov|shift|swap)\w*\b[^.?]{0,40}\b(?:in)?to (?:a |the )?(?:monthly )?rent\b",
    re.IGNORECASE,
)
"""Says that a part of a deposit becomes rent."""
_NO_CAP: Final = Said(
    "월세를 보증금으로 바꿀 때의 법정 상한은 없어 합의한 율로 계산했습니다.",
    "No legal cap binds turning rent into deposit; the agreed rate was used.",
)
_AN_EXAMPLE: Final = Said(
    "월세를 보증금으로 바꾸는 율은 합의로 정하며 법정 상한이 없습니다. 여기서는 예로 보증금을 월세로 바꿀 때의 법정 상한을 썼습니다. "
    "합의한 율을 알려 주시면 그 율로 계산하겠습니다.",
    "The rate at which rent turns into deposit is agreed and has no legal cap; as an example the cap of the other direction "
    "was used. Tell me your rate and I will use that.",
)


def conversion_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read the law on conversion and the base rate."""
    del ask
    base = query(
        "series", ("value", "date"), mode="rows", filters=[where("series_id", "KR_BASE_RATE")], order_by="date", limit=1
    )
    return [*law_calls((ACT, "7-2"), (DECREE, "9")), base]


def conversion(ask: Ask, found: Found) -> Outcome:
    """Return the rent that a deposit turns into, or the deposit that a rent turns into."""
    if (back := unclear(ask)) is not None:
        return back
    rate, base = number_of(ask, "conversion"), _base_of(ask, found)
    turned, rent_by = _turned(ask), number_of(ask, "rent_by")
    cap = calc.conversion_cap(base) if base is not None else None
    into_deposit = ask.notes.get("into") == "deposit"
    if rent_by is not None and turned is not None and rate is None and cap is not None and not into_deposit:
        return (_exchanged if turned > 0 else _swapped)(ask, found, turned, rent_by, cap)
    used = rate if rate is not None else cap
    whole = ask.notes.get("to_jeonse") and (number_of(ask, "rent") or rent_by)
    if used is None or (not whole and rent_by is None and turned is None):
        return wanting(ask, "conversion" if used is None else "deposit")
    example = cap if rate is None else None
    if whole:
        return _to_jeonse(ask, found, whole, used, example)
    if rent_by is not None:
        return _to_deposit(ask, found, rent_by, used, example)
    return _converted(ask, found, turned or Decimal(0), used, cap)


def _converted(ask: Ask, found: Found, turned: Decimal, rate: Decimal, cap: Decimal | None) -> Outcome:
    part, rent = calc.rent_of(abs(turned), rate), number_of(ask, "rent")
    if rent is not None and turned < 0 and part > rent:
        return _used_up(ask, rent, part)
    moves = number_of(ask, "deposit_to") is not None or number_of(ask, "deposit_by") is not None
    by_law = number_of(ask, "conversion") is None
    sentence = _turned_said(turned, part, rent if moves else None, rate, by_law=by_law)
    cautions = []
    if cap is not None and rate > cap and turned > 0:
        cautions.append(
            filled(
                "말씀하신 {rate}는 법정 상한 {cap}를 넘습니다.",
                "The {rate} that you name is beyond the legal cap of {cap}.",
                rate=percent(rate, 2),
                cap=percent(cap, 2),
            )
        )
    is_example = turned < 0 and by_law
    known = (*law_proofs(found), *_base_proof(found)) if turned > 0 or is_example else ()
    used = ("deposit", "deposit_to", "deposit_by", "rent", "conversion", "base")
    given, spare = told_lines(ask, used)
    lines = grounds(given, _cap_line(ask, found, cap if known else None), spare)
    inputs = inputs_of(ask, {"conversion": rate} if is_example else None)
    cautions += [_AN_EXAMPLE if is_example else _NO_CAP] if turned < 0 else []
    answer = answered(ask, sentence, inputs=inputs, grounds=lines, cautions=tuple(cautions))
    return done(answer, own_evidence(ask, found), *known)


def _cap_line(ask: Ask, found: Found, cap: Decimal | None) -> Said | None:
    base = _base_of(ask, found)
    if cap is None or base is None:
        return None
    return filled(
        "보증금을 월세로 바꾸는 법정 상한은 연 10%와 기준금리 {base} + 2%p 가운데 낮은 {cap}입니다{law}.",
        "The legal cap of turning deposit into rent is the lesser of 10% and the base rate of {base} + 2 points: {cap}{law}.",
        base=percent(base, 2),
        cap=percent(cap, 2),
        law=law_said(found),
    )


def _used_up(ask: Ask, rent: Decimal, part: Decimal) -> Outcome:
    sentence = filled(
        "월세 {rent:이/가} 모두 없어지고도 남습니다(전환액 {part}). 보증금을 얼마나 올릴지 다시 알려 주세요.",
        "The rent of {rent} would be more than used up ({part}); please check the deposit.",
        rent=money(rent),
        part=money(part),
    )
    return Outcome(asking_back(ask, sentence, Said("보증금", "the deposit")))


def _turned(ask: Ask) -> Decimal | None:
    """Return the part of the deposit that becomes rent; below 0 where the deposit rises."""
    deposit, to, by = (number_of(ask, role) for role in ("deposit", "deposit_to", "deposit_by"))
    if ask.notes.get("swap") == "back":
        return by if by is not None else deposit - to if deposit is not None and to is not None else None
    if ask.notes.get("swap"):
        return -by if by is not None else deposit - to if deposit is not None and to is not None else None
    if deposit is None and to is not None:
        deposit, by = by, None
    if deposit is not None and to is not None:
        return deposit - to
    if by is not None:
        return -by if _rises(ask.words) else by
    return deposit


def _rises(words: str) -> bool:
    """Tell whether it is the deposit that rises: what stands nearest behind its name moves it, else what moves at all.

    What turns into rent leaves the deposit, whatever is paid more for it.
    """
    if _INTO_RENT.search(words):
        return False
    verb = _MOVED.search(words) or _MOVES.search(words)
    return verb["up"] is not None if verb is not None else _ADDED.search(words) is not None


def _exchanged(ask: Ask, found: Found, turned: Decimal, rent: Decimal, cap: Decimal) -> Outcome:
    """Return whether a rent may rise by what is asked where the deposit falls."""
    most, asked = calc.rent_of(turned, cap), calc.conversion_of(turned, rent)
    verdict, lead = (
        (AskVerdict.NO, Said("아니요,", "No:")) if asked > cap else (AskVerdict.YES, Said("네, 한도 안입니다.", "Yes:"))
    )
    sentence = filled(
        "{lead} 보증금 {sum:을/를} 낮추는 대신 올릴 수 있는 월세는 최대 {most}입니다. {rent:은/는} 연 {asked}로 쳐서 바꾸는 것이고 "
        "법정 상한은 연 {cap}입니다.",
        "{lead} for {sum} less of deposit the rent may rise by at most {most} a month. {rent} is a conversion at "
        "{asked} a year, and the legal cap is {cap}.",
        lead=lead,
        sum=money(turned),
        most=money(most),
        rent=money(rent),
        asked=percent(asked, 2),
        cap=percent(cap, 2),
    )
    lines = grounds(given_line(ask), _cap_line(ask, found, cap))
    answer = ruled(ask, verdict, sentence, inputs=inputs_of(ask), grounds=lines)
    return done(answer, own_evidence(ask, found), *law_proofs(found), *_base_proof(found))


def _swapped(ask: Ask, found: Found, turned: Decimal, rent: Decimal, cap: Decimal) -> Outcome:
    """Return at what rate a higher deposit buys a lower rent, which is worth it or not by what the money costs."""
    asked = calc.conversion_of(abs(turned), rent)
    sentence = filled(
        "경우에 따라 다릅니다. 보증금 {sum:을/를} 더 내고 월세를 {rent} 줄이는 것은 연 {asked}로 치는 것입니다. 그 돈을 빌리는 이자나 굴려서 얻는 "
        "이자가 연 {asked}보다 낮으면 이득이고 높으면 손해입니다. 같은 돈을 보증금을 월세로 바꿀 때의 법정 상한인 연 {cap}로 치면 월 {usual}입니다.",
        "It depends: {rent} less rent for {sum} more deposit is a conversion at {asked} a year, which pays where "
        "borrowing that money costs you, or investing it earns you, less than that. At {cap}, the legal cap of the other "
        "direction, it would be {usual} a month.",
        sum=money(abs(turned)),
        rent=money(rent),
        asked=percent(asked, 2),
        cap=percent(cap, 2),
        usual=money(calc.rent_of(abs(turned), cap)),
    )
    lines = grounds(given_line(ask), _cap_line(ask, found, cap))
    answer = ruled(ask, AskVerdict.DEPENDS, sentence, inputs=inputs_of(ask), grounds=lines)
    return done(answer, own_evidence(ask, found), *law_proofs(found), *_base_proof(found))


def _turned_said(turned: Decimal, part: Decimal, rent: Decimal | None, rate: Decimal, *, by_law: bool) -> Said:
    way = Said("법정 상한", "the legal cap of") if by_law else Said("전환율", "a conversion rate of")
    if rent is None and turned < 0:
        return filled(
            "보증금 {sum:을/를} 더 내면 {way} 연 {rate:으로/로} 칠 때 월세가 {part} 줄어듭니다.",
            "At {way} {rate} a year, {sum} more of deposit lowers the rent by {part} a month.",
            way=Said("예를 들어", "an exemplary") if by_law else Said("말씀하신", "your"),
            sum=money(abs(turned)),
            rate=percent(rate, 2),
            part=money(part),
        )
    if rent is None:
        return filled(
            "보증금 {sum:을/를} 월세로 바꾸면 {way} 연 {rate:으로/로} 월 {most}{part}입니다.",
            "At {way} {rate} a year, {sum} of deposit turns into a rent of {most}{part} a month.",
            sum=money(abs(turned)),
            way=way,
            rate=percent(rate, 2),
            part=money(part),
            most=Said("최대 ", "at most ") if by_law else Said("", ""),
        )
    after = rent + part if turned > 0 else rent - part
    return filled(
        "월세는 {before}에서 {after:으로/로} {gap} {way}(보증금 {sum} {turn}, 전환율 연 {rate}).",
        "The rent goes from {before} to {after}, {gap} {way} (deposit {turn} by {sum}, at {rate} a year).",
        before=money(rent),
        after=money(after),
        gap=money(part),
        sum=money(abs(turned)),
        rate=percent(rate, 2),
        way=Said("늘어납니다", "more") if turned > 0 else Said("줄어듭니다", "less"),
        turn=Said("낮춤", "lowered") if turned > 0 else Said("올림", "raised"),
    )


def _to_deposit(ask: Ask, found: Found, rent: Decimal, rate: Decimal, example: Decimal | None) -> Outcome:
    deposit = calc.deposit_of(rent, rate)
    whole = (held := number_of(ask, "deposit")) and filled(
        "보증금은 {held}에서 {whole:으로/로} 올라갑니다.",
        "The deposit goes from {held} to {whole}.",
        held=money(held),
        whole=money(held + deposit),
    )
    sentence = filled(
        "월세 {rent:을/를} 전환율 연 {rate:으로/로} 보증금으로 바꾸면 {deposit}입니다.",
        "At a conversion rate of {rate} a year, {rent} of monthly rent turns into {deposit} of deposit.",
        rent=money(rent),
        rate=percent(rate, 2),
        deposit=money(deposit),
    )
    sentence = sentences(sentence, whole or None)
    return _at_rate(ask, found, sentence, example)


def _to_jeonse(ask: Ask, found: Found, rent: Decimal, rate: Decimal, example: Decimal | None) -> Outcome:
    """Return the deposit that is left when all of a rent goes into it."""
    more, deposit = calc.deposit_of(rent, rate), number_of(ask, "deposit")
    if deposit is None:
        return _to_deposit(ask, found, rent, rate, example)
    sentence = filled(
        "월세 {rent:을/를} 모두 없애면 전세 보증금은 {whole}입니다(지금 보증금 {deposit} + 전환액 {more}, 전환율 연 {rate}).",
        "With all of the {rent} of rent turned into deposit, the jeonse deposit is {whole} "
        "({deposit} now + {more}, at {rate} a year).",
        rent=money(rent),
        whole=money(deposit + more),
        deposit=money(deposit),
        more=money(more),
        rate=percent(rate, 2),
    )
    return _at_rate(ask, found, sentence, example)


def _at_rate(ask: Ask, found: Found, sentence: Said, example: Decimal | None) -> Outcome:
    """Return a sum of a rent that becomes deposit: by the rate that was agreed, or by the cap as an example."""
    assumed = {"conversion": example} if example is not None else None
    answer = answered(
        ask,
        sentence,
        inputs=inputs_of(ask, assumed),
        grounds=grounds(given_line(ask), _cap_line(ask, found, example)),
        cautions=(_NO_CAP if example is None else _AN_EXAMPLE,),
    )
    known = (*law_proofs(found), *_base_proof(found)) if example is not None else ()
    return done(answer, own_evidence(ask, found), *known)


def _base_of(ask: Ask, found: Found) -> Decimal | None:
    """Return the base rate that the question names, else the newest."""
    told = number_of(ask, "base")
    return told if told is not None else _base_rate(found)


def _base_rate(found: Found) -> Decimal | None:
    return next((row.number("value") for row in rows_of(found.readings, "series")), None)


def _base_proof(found: Found) -> tuple[Evidence, ...]:
    title = Said("한국은행 기준금리", "Bank of Korea base rate")
    return tuple(
        proof(one, title, found.asking.locale, "macro")
        for one in found.readings
        if one.arguments.get("dataset") == "series"
    )
