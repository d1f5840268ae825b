"""Rents of a lease that runs: how far rent and deposit may rise, and a deposit turned into rent or back."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, AskVerdict
from services.domains.realty.asks.changed import completed, with_part
from services.domains.realty.asks.law.propositions import leaving_asked
from services.domains.realty.asks.proved import SEARCH, TOO_MUCH, number_of
from services.domains.realty.asks.rents import conversions, rises, swaps
from services.domains.realty.asks.rents.topics import CONVERSION, RAISING, RENT_MAX, RISE, TO_JEONSE
from services.domains.realty.asks.sums import drafted, last_money
from services.plugin.asks.answering import Answerer, Claim
from services.plugin.asks.edits import carried, points_back, short
from services.plugin.asks.forms import confirms_denial
from services.plugin.asks.roles import of_role
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

_LEASE: Final = r"\bowner\b|\brenew|전세(?!계)|월세|보증금|임대료|차임|집주인|임대인|전월세|갱신|재계약|연장|셋방|\brent\b|landlord|deposit|jeonse|\blease|tenan|renewal"
_RENEWS: Final = r"갱신|재계약|연장|다시\s?계약|renew|extend|부르|부른|요구|달래|달라"
_AS_JEONSE: Final = (
    r"전세로(?:는)?\s?(?:치|따지|환산|보|계산)|전세(?:였|였다|라|이라|이)(?:으)?면"
    r"|\b(?:as|in|of) (?:an? )?(?:full |pure )?jeonse|jeonse (?:equivalent|terms)|if it were (?:a )?jeonse"
)
"""Words of a rent and its deposit that are to be said as one deposit."""
_CONVERTS: Final = (
    r"월세로\s?(?:돌|바꾸|바꿔|전환|내|변경)|월세\s?전환|전환율|나머지[^.?]{0,10}월세|월세\s?[^.?]{0,6}(?:전부|모두|다)[^.?]{0,8}보증금|전월세\s?전환|보증금(?:으로|을|은|만)?[^.?]{0,16}(?:올리면|늘리면|올려서|낮추|낮춰|줄이|줄여|줄인|내리|내려|빼\s?주|빼고|깎)[^?]{0,30}월세|월세[^.?]{0,20}보증금으로\s?(?:돌|바꾸|바꿔|전환)"
    r"|deposit[^?.]{0,20}\bto (?:cut|lower|reduce|bring down|drop)\b[^?.]{0,12}\brent|\bconversion\b|convert\w*|into (?:monthly )?rent|into (?:a |the )?deposit|\b(?:turn|swap|exchang|trad|replac)\w*\b[^.?]{0,40}(?:rent|deposit)|(?:rais|lower|increas|reduc|cut|drop|bring|halv)\w*\s(?:\w+\s){0,2}(?:[0-9.,]+ ?(?:million|m)? ?(?:won )?)?deposit[^?]*\brent\b|\bpay the rest as (?:monthly )?rent"
)
_USED_UP: Final = r"갱신(?:요구)?권[^.?]{0,12}(?:썼|사용|쓰고|이미|행사했|없|소진|다\s?씀)|새로\s?계약|신규\s?계약|새\s?계약|합의(?:로|하에|해서)?\s?(?:새|다시|재)|new (?:lease|contract|tenan)|used (?:up )?(?:my |the )?(?:renewal|right)|right (?:is|was|has been) used"
_REFUSES: Final = (
    r"거절|거부|안\s?(?:내|올려|줘)|버텨|(?:안|못)\s?[가-힣]{1,4}다고\s?(?:말)?해도|싫다고\s?(?:말)?해도|동의\s?(?:안|하지)|응하지|안\s?받아들"
    r"|refuse|decline|say(?:ing)? no|reject|turn (?:it|this|that|them) down|object|not (?:agree|accept)|disagree"
)
_ASKS_SUM: Final = r"얼마까지|얼마|최대|(?:상한|한도)(?!\s?선?\s?(?:안|이?내|밑|아래|을?를?\s?(?:넘|초과)|에\s?(?:걸|들)))|legal maximum|maximum|ceiling|\bwhat[^.?]{0,12}\bcap\b|how (?:much|high|far)|highest|the most\b"
_JUDGES: Final = r"나요|까요|가요|아닌가|맞아|되나|돼\??|되나요|해야|괜찮|안임|인가|거야|가능|법적|합법|\?$|\bcan\b|\bmust\b|\bmay\b|\bam i\b|\bis (?:it|that|this)\b|have to|obliged|allowed|legal"
_PAID_BACK: Final = r"(?:더|초과|넘겨|넘게)\s?(?:낸|준|내면|냈)[^.?]{0,14}(?:돌려|반환|받)|(?:paid|pay) (?:too much|more|above|beyond)[^.?]{0,30}(?:back|refund|claim)|(?:get|claim)[^.?]{0,20}excess"
_NOT_HERE: Final = r"which (?:article|law|section)|어느\s?법|몇\s?조|수익률|yield|return on|특약|조항|계약서|관리비|상가|점포|가게|사무실|매장|\bshops?\b|\bstore\b|\boffice\b|commercial|대신[^.?]{0,20}(?:깎|낮|줄|내려)|\bclause|대출|금리\s?(?:가|인상)|시세|보증보험|수리|전세가율"
_FEES_RAISED: Final = r"관리비\S{0,2}\s[^.?]{0,14}(?:올|인상)|(?:raise|increase|up)\w*[^.?]{0,16}\b(?:maintenance|management|service) (?:fee|charge)"
"""What is raised is no rent, and no cap of rents holds for it."""
_SHOPS: Final = r"상가|점포|가게|사무실|매장|\bshops?\b|\bstore\b|\boffice\b|commercial"


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about a rise or a conversion."""
    if swaps.is_swap(sheet) and (sums := swaps.quantities(sheet)):
        return (Claim(_swap(sheet, sums), 0.95),)
    if swaps.is_swap_back(sheet):
        return (Claim(_swap(sheet, swaps.quantities(sheet), back=True), 0.95),)
    if (
        (sheet.says(_CONVERTS) or sheet.says(TO_JEONSE) or (sheet.says(_AS_JEONSE) and len(sheet.numbers) > 1))
        and sheet.says(_LEASE)
        and not sheet.says(r"수익률|yield|return on")
        and not sheet.says(r"시장\s?전환율|평균\s?전환율")
    ):
        return conversion(sheet, before)
    if (limit := _limit_of_last(sheet, before)) is not None:
        return (Claim(limit, 0.96),)
    leased = sheet.says(_LEASE) or bool(last_money(before[:1], [RISE]))
    if not leased or sheet.says(_NOT_HERE):
        return ()
    ask = _rise_drafted(sheet, before)
    numbers = {one.role for one in ask.quantities}
    raised = numbers & _RAISED
    renews = sheet.says(_RENEWS) and bool(raised or (numbers and sheet.says(_MOST)))
    return _rise_claims(ask, sheet) if sheet.says(RAISING) or renews else ()


def _swap(sheet: Sheet, sums: tuple[AskQuantity, ...], *, back: bool = False) -> Ask:
    """Return the ask of a message that sets a higher deposit against a lower rent, or a lower one against a higher rent."""
    judged = {"deposit_by", "deposit_to"} & {one.role for one in sums} and any(one.role == "rent_by" for one in sums)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        form=AskForm.VERDICT if judged else AskForm.AMOUNT,
        intent=CONVERSION.intent,
        answerer=CONVERSION.answerer,
        quantities=sums,
        notes={"articles": "HLPA-7-2 HLPD-9", "swap": "back" if back else "1"},
    )


def conversion(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for the rent that a deposit turns into, or back, of a question that is known to be one."""
    now = _into_deposit(
        _of_rent(with_part(drafted(sheet, CONVERSION, AskForm.AMOUNT, articles="HLPA-7-2 HLPD-9"), sheet))
    )
    if any(not one.role and one.unit == "krw" for one in now.quantities) and sheet.says(_PUTS_IN):
        return (Claim(replace(_swap(sheet, swaps.quantities(sheet)), form=AskForm.AMOUNT), 0.95),)
    of_part = {"rent", "rent_by"} <= {one.role for one in now.quantities}
    if (sheet.says(TO_JEONSE) and not of_part) or (
        (sheet.says(_DEPOSIT_ASKED) or sheet.says(_AS_JEONSE)) and _is_all_rent(now)
    ):
        now = replace(now, notes={**now.notes, "to_jeonse": "1"})
    ask = completed(_with_rent_left(now, sheet), sheet, before, CONVERSION)
    # A lease that is said as another is told in full: the place that it is in, and its market, are not asked about.
    alone = sheet.says(_AS_JEONSE) and not sheet.says(r"[.?!]\s+\S") and _is_all_rent(ask)
    return (Claim(ask, 0.97 if alone else 0.95, is_whole=alone),) if ask.quantities else ()


_PUTS_IN: Final = r"더\s?(?:내|넣|걸|얹|맡기)|추가로|보태|\b(?:put|putting|pay|paying|add|adding) (?:in )?[^.?]{0,20}\bmore\b|\bmore in\b|\bextra\b"
"""Words that add to a deposit which they do not name again."""
_DEPOSIT_ASKED: Final = (
    r"보증금(?:은|이|으로)?\s?(?:총\s?)?(?:얼마|몇)|얼마(?:짜리)?\s?전세|전세(?:금|가)?(?:은|는|이|가)?\s?얼마|전세로\s?(?:치면|따지면|하면|환산)"
    r"|what (?:\w+ ){0,2}(?:deposit|jeonse)|how (?:much|big|large) (?:\w+ ){0,2}(?:deposit|jeonse)|deposit (?:is|would) (?:that|it|be)|full jeonse"
)
"""Words that ask for the deposit which a rent is worth."""


def _into_deposit(ask: Ask) -> Ask:
    """Return an ask that says which way its rent goes where that stands behind it: "월세 60을 전세로" is all of the 60."""
    rents = [one for one in ask.quantities if one.role in {"rent", "rent_by"}]
    if not any(_INTO_DEPOSIT.match(ask.words, one.end) for one in rents):
        return ask
    if len(rents) > 1:
        return replace(ask, notes={**ask.notes, "into": "deposit"})
    whole = tuple(replace(one, role="rent") if one in rents else one for one in ask.quantities)
    return replace(ask, quantities=whole, notes={**ask.notes, "to_jeonse": "1"})


_INTO_DEPOSIT: Final = Pattern(r"(?:원)?(?:을|를|만|은|는)?\s?(?:보증금|전세)으?로")


def _is_all_rent(ask: Ask) -> bool:
    """Tell whether all of a rent is turned: no part of it or of the deposit is named."""
    roles = {one.role for one in ask.quantities}
    return "rent" in roles and not roles & {"rent_by", "deposit_by", "deposit_to"}


def rise(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about how far a rent may rise, of a question that is known to be about that."""
    return () if sheet.says(_SHOPS) or sheet.says(_FEES_RAISED) else _rise_claims(_rise_drafted(sheet, before), sheet)


def _rise_drafted(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask:
    ask = completed(_upward(drafted(sheet, RISE, AskForm.AMOUNT, **_notes(sheet))), sheet, before, RISE)
    return _with_last_lease(ask, sheet, before)


def _upward(ask: Ask) -> Ask:
    """Return a rise of two sums of which words bind one at most: the smaller is paid now, the greater is asked for.

    A share that is the cap itself is held against their rise and is none: "2억 8천에서 3억이면 5% 넘나요".
    """
    found = [one for one in ask.quantities if not (one.role == "rise_percent" and Decimal(one.value) == _CAP)]
    sums = [one for one in found if one.unit == "krw"]
    bound = [one.role for one in sums if one.role in {"rent", "deposit"}]
    if len(sums) != len({"now", "then"}) or len(bound) > 1 or {one.role for one in found} & _RAISED:
        return ask
    low, high = sorted(sums, key=lambda one: Decimal(one.value))
    if not Decimal(low.value) < Decimal(high.value) <= Decimal(low.value) * 2:
        return ask
    paid = bound[0] if bound else "deposit" if Decimal(low.value) >= RENT_MAX else "rent"
    roles = {id(low): paid, id(high): "raised_to"}
    kept = (replace(one, role=roles[id(one)]) if id(one) in roles else one for one in found)
    return replace(ask, quantities=tuple(kept))


_CAP: Final = Decimal(5)


def _rise_claims(ask: Ask, sheet: Sheet) -> Sequence[Claim]:
    roles = {one.role for one in ask.quantities}
    if not roles & {*_RAISED, "deposit", "rent"}:
        return ()
    # A rise that is told without a question asks whether it has to be borne.
    asks_sum = sheet.says(_ASKS_SUM) or not (sheet.says(_JUDGES) or roles & _RAISED)
    ask = replace(ask, form=AskForm.AMOUNT if asks_sum else AskForm.VERDICT)
    # A rise and the refusal of it are one request, in however many sentences.
    refused = ask.notes.get("way") == "refuse" and bool(ask.quantities) and sheet.text.count("?") <= 1
    claims = [Claim(ask, 0.95, is_whole=refused)]
    if sheet.says(_PAID_BACK):
        claims.append(Claim(replace(ask, form=AskForm.VERDICT, answerer="rise_refund", quantities=()), 0.95))
    return tuple(claims)


def _with_last_lease(ask: Ask, sheet: Sheet, before: Sequence[AskedBefore]) -> Ask:
    """Return a rise that names no lease with the one that was asked about just before."""
    last = last_money(before[:1], [RISE])
    roles = {one.role for one in ask.quantities}
    if last is None or {"deposit", "rent"} & roles or not short(sheet.text, _LEASE_WORDS_MAX):
        return ask
    kept = tuple(one for one in last.quantities if one.role in {"deposit", "rent"})
    return carried(ask, replace(last, quantities=kept))


_LEASE_WORDS_MAX: Final = 14
_MOST: Final = r"얼마까지|최대|상한|한도|maximum|ceiling|\bcap\b|legal limit|the most\b|highest|how (?:much|high|far) (?:can|may|could)"
"""Words that want the limit of a rise."""
_LIMIT_WORDS_MAX: Final = 10


_RENT_BEFORE: Final = Pattern(r"(?:월세|임대료|\brent)(?:를|을|는|가)?\s?(?:to\s?)?$", re.IGNORECASE)


def _with_rent_left(ask: Ask, sheet: Sheet) -> Ask:
    """Return a conversion to a lower rent as one of the part of the rent that goes: "월세 80을 50으로 낮추려면"."""
    to, rent = _sum_reached(ask, sheet), number_of(ask, "rent")
    if to is None or rent is None or not 0 < Decimal(to.value) < rent:
        return ask
    if not _RENT_BEFORE.before(sheet.text, to.start) and Decimal(to.value) >= RENT_MAX:
        return ask
    gone = replace(to, role="rent_by", value=f"{rent - Decimal(to.value):f}")
    return replace(ask, quantities=tuple(gone if one is to else one for one in ask.quantities))


def _sum_reached(ask: Ask, sheet: Sheet) -> AskQuantity | None:
    """Return the sum that a rent or a deposit is brought to: by its role, or by the word behind it, as in "55까지"."""
    by = of_role(ask.quantities, "rent_by") or of_role(ask.quantities, "deposit_by")
    reached = by is not None and (_REACHED.match(sheet.text, by.start) or _REACHED_EN.before(sheet.text, by.start))
    return by if reached else of_role(ask.quantities, "deposit_to")


_REACHED: Final = Pattern(r"[0-9.,]+\s?[천백만억]*\s?원?\s?(?:까지|으로|로)\s")
_REACHED_EN: Final = Pattern(r"\b(?:down\s)?to\s(?:KRW\s|₩)?$", re.IGNORECASE)


def _limit_of_last(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return the limit of the rise that was asked about before, where a short message asks how far it may go."""
    last = last_money(before if points_back(sheet) else before[:1], [RISE])
    if last is None or not sheet.says(_MOST) or not short(sheet.text, _LIMIT_WORDS_MAX) or sheet.of_kind("region"):
        return None
    now = drafted(sheet, RISE, AskForm.AMOUNT)
    if any(one.role in _RAISED or not one.role for one in now.quantities) or sheet.says(_NOT_HERE):
        return None
    whole = carried(now, last)
    gone = set(_RAISED)
    if sheet.says(r"월세|월\s?차임|\brent\b") and any(one.role == "rent" for one in whole.quantities):
        gone.add("deposit")
    kept = tuple(one for one in whole.quantities if one.role not in gone)
    return replace(whole, words=sheet.text, start=0, end=len(sheet.text), quantities=kept, form=AskForm.AMOUNT)


_RAISED: Final = frozenset({"raised_to", "raise_by", "rise_percent"})


_OF_DEPOSIT: Final = Pattern(
    r".{0,3}?월세로|\s?(?:원)?(?:을|를|만|만큼)?\s?보증금(?:에|으로)|\s(?:won\s)?(?:more\s|extra\s)?(?:in)?to\s(?:the\s|my\s|our\s)?deposit",
    re.IGNORECASE,
)


def _of_rent(ask: Ask) -> Ask:
    """Return an ask whose change is of the rent where the rent is the nearest word before it."""
    found = []
    for one in ask.quantities:
        words = ask.words[: one.start]
        is_rent = one.start and max(words.rfind("월세"), words.rfind("rent")) > max(
            words.rfind("보증금"), words.rfind("전세"), words.rfind("deposit")
        )
        found.append(
            replace(one, role="rent_by")
            if one.role == "deposit_by"
            and is_rent
            and Decimal(one.value) <= RENT_MAX
            and not _OF_DEPOSIT.match(ask.words, one.end)
            else one
        )
    return replace(ask, quantities=tuple(found))


def _notes(sheet: Sheet) -> dict[str, str]:
    notes = {"articles": "HLPA-7 HLPD-8"}
    if sheet.says(_USED_UP):
        notes["new"] = "1"
    if (leaving := leaving_asked(sheet.text)) is not None:
        notes["way"] = "stay" if leaving is AskVerdict.YES else "leave"
    elif sheet.says(_REFUSES):
        notes["way"] = "refuse"
    elif sheet.says(TOO_MUCH):
        notes["way"] = "violates"
    elif confirms_denial(sheet.text):
        notes["way"] = "denied"
    return notes


ANSWERERS: Final = (
    Answerer(RISE.answerer, SEARCH, rises.rise, rises.rise_calls),
    Answerer("rise_refund", SEARCH, rises.refund, rises.refund_calls),
    Answerer(CONVERSION.answerer, SEARCH, conversions.conversion, conversions.conversion_calls),
)
