"""Rents of a lease that runs: how far rent and deposit may rise, and a deposit turned into rent or back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import Ask, AskAnswer, AskedBefore, AskForm, AskVerdict, Said, Told
from services.contract.flow import Evidence
from services.domains.realty import calculators as calc
from services.domains.realty.asks.sums import (
    ACT,
    DECREE,
    SEARCH,
    TOO_MUCH,
    Topic,
    completed,
    done,
    drafted,
    given_line,
    grounds,
    inputs_of,
    last_money,
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
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, asking_back, ruled
from services.plugin.asks.edits import carried, points_back, short
from services.plugin.asks.roles import Role, of_role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, listed, percent, proof, query, rows_of, sentences, where

_INTENT: Final = "LEGAL_CONSULT"
_KRW: Final = ("krw",)
_UP: Final = r"\b(?:landlord|owner|he|she|they) (?:wants?|asks?|demands?|(?:is|are) (?:asking|demanding))\b|올려|올리|올린|올릴|올랐|올라|인상|증액|더\s?(?:달|내|올)|raise[ds]?|raising|increas\w+|\bhike\w*|\b(?:go|goes|going|put) (?:it )?up\b|\bpushed? up\b|\bextra\b|\bmore\b"
_DEPOSIT: Final = Role(
    "deposit",
    _KRW,
    before=r"보증금(?:은|을|이|도)?|전세(?:금|가)?(?:은|을|이|를|로|는)?|전셋값|\bdeposit(?:\s(?:of|is|from))*|\bjeonse(?:\s(?:of|is|from|deposit))*",
    behind=r"/|(?:짜리\s?)?(?:전세|보증금)|(?:won\s)?(?:jeonse|deposit)|(?:인\s)?전세",
    bare=True,
)
_RENT: Final = Role(
    "rent",
    _KRW,
    before=r"월세(?:는|를|가|로)?|다달이|매달|매월|달마다|한\s?달에|월\s?차임|차임|임대료|\b월\s?$|(?<=[\s,])월\s?$|/\s?$|(?<=[0-9천백만억원])에\s?$|(?:monthly\s)?\brent(?:\s(?:of|is|from))*|\bpay(?:ing)?",
    behind=r"(?:won\s)?(?:of\s|in\s)?(?:monthly\s)?rent\b|(?:씩\s?)?(?:의\s)?월세|(?:씩\s?)?(?:내고|내며|내면서)\s?(?:살|있)|(?:won\s)?(?:a|per)\smonth",
    bare=True,
)
_RAISED_TO: Final = Role(
    "raised_to",
    _KRW,
    before=r"에서\s?$|\bto\s(?:KRW\s|₩)?$|\b(?:wants?|demands?|asks? for|asking(?: for)?)\s(?:KRW\s|₩)?$|인상(?:된|한)\s?금액",
    behind=rf"(?:원)?(?:으로|로|까지)\s?(?:{_UP}|맞춰|맞추|하자|하재|하잔|하겠|가자|가재|재계약|갱신|달라|달래|부르|요구)",
    bare=True,
)
_RAISE_BY: Final = Role(
    "raise_by",
    _KRW,
    before=r"(?:raise|increase|rise|hike|up)(?:\s(?:of|by))",
    behind=rf"(?:원)?(?:을|만|씩|이나|이)?\s?(?:더\s?)?(?:{_UP}|요구|얹)",
    bare=True,
)
_PERCENT: Final = Role(
    "rise_percent",
    ("percent",),
    before=rf"(?:{_UP}|인상률)[^0-9]{{0,16}}",
    behind=rf"(?:를|나|씩|만|까지)?\s?(?:더\s?)?(?:{_UP}|요구)",
)
_SINCE: Final = Role(
    "elapsed",
    ("months",),
    before=r"지|계약하고|입주하고|올리고|since|after|only",
    behind=r"(?:만에|됐|되었|밖에|전에|지났|안\s?됐|ago|after|since|into)",
)


_DEPOSIT_MIN: Final = Decimal(5_000_000)
_RENT_MAX: Final = Decimal(10_000_000)


def _rises_so(sums: Mapping[str, Decimal]) -> bool:
    """Tell whether sums can be those of one rise: something is raised, by less than it is, or to at most its double."""
    before = [sums[role] for role in ("deposit", "rent") if role in sums]
    to, by = sums.get("raised_to"), sums.get("raise_by")
    if not before or (to is None) == (by is None) or "rise_percent" in sums:
        return False
    if sums.get("deposit", _DEPOSIT_MIN) < _DEPOSIT_MIN or sums.get("rent", Decimal(0)) > _RENT_MAX:
        return False
    if to is not None:
        return any(one < to <= one * 2 for one in before)
    return by is not None and any(by < one / 2 for one in before)


RISE: Final = Topic(
    "rent_rise",
    _INTENT,
    (_RAISED_TO, _RAISE_BY, _DEPOSIT, _RENT, _PERCENT, _SINCE),
    {"percent": "rise_percent", "months": "elapsed"},
    apart=(frozenset({"raised_to"}), frozenset({"raise_by"}), frozenset({"rise_percent"})),
    moved="raised_to",
    holds=_rises_so,
)
_FROM_TO: Final = r"(?:낮추|줄이|내리|올리|높이|늘리|하면|하고|바꾸|돌리|내려|올려)"
_DEPOSIT_TO: Final = Role(
    "deposit_to",
    _KRW,
    before=r"deposit (?:down |up )?to\s|\bto\s(?:KRW\s|₩)?$",
    behind=rf"(?:원)?(?:으로|로|까지|만)?\s?(?:보증금(?:으로|을)?\s?)?(?:{_FROM_TO}|남기|두고|놔두|놓고)|(?:원)?에\s?월세|(?:원)?\s?보증금(?:에|으로|과|이랑)\s?(?:월세|반전세|월\s)",
    bare=True,
)
_DEPOSIT_BY: Final = Role(
    "deposit_by",
    _KRW,
    before=r"(?:rais|increas|lower|reduc|cut)\w* (?:the |my )?deposit by",
    behind=r"(?:원)?(?:을|만|만큼)?\s?(?:더\s?)?(?:얹|넣|맡기|보태|올리|올려|늘리|낮추|줄이|내리|빼|깎)",
    bare=True,
)
_TURNED: Final = Role(
    "deposit_by",
    _KRW,
    before=r"(?:보증금\s?중|전세금?\s?중|그\s?중)(?:에서|에)?",
    behind=r"(?:원)?(?:을|를|만)?\s?월세로|(?:won\s)?(?:of\s)?(?:the\s|my\s)?(?:deposit\s)?(?:in)?to (?:monthly )?rent",
    bare=True,
)
_RENT_BY: Final = Role(
    "rent_by",
    _KRW,
    before=r"월세\s?중",
    behind=r"(?:원)?(?:을|를|만)?\s?(?:보증금|전세)으?로(?!\s?(?:남기|두고|놔|놓|하고|걸))|(?:won\s)?(?:of\s)?(?:the\s|my\s)?(?:monthly\s)?(?:rent\s)?(?:in)?to (?:a |the )?deposit",
    bare=True,
)
_RATE: Final = Role(
    "conversion",
    ("percent",),
    before=r"전환율|이율|금리|conversion(?:\srate)?(?:\s(?:of|is|at))*|연\s?$|\bat\s",
    behind=r"(?:전환율|conversion)",
    bare=True,
)
_BASE: Final = Role("base", ("percent",), before=r"기준\s?금리|base rate")
CONVERSION: Final = Topic(
    "rent_conversion",
    _INTENT,
    (
        _TURNED,
        _RENT_BY,
        _DEPOSIT_TO,
        _DEPOSIT_BY,
        _DEPOSIT,
        _RENT,
        _RATE,
        Role("savings", _KRW, before=r"여윳돈(?:이)?|모은\s?돈|가진\s?돈|savings", bare=True),
    ),
    {"percent": "conversion"},
)
TOPICS: Final = (CONVERSION, RISE)
_LEASE: Final = r"\bowner\b|\brenew|전세(?!계)|월세|보증금|임대료|차임|집주인|임대인|전월세|갱신|재계약|연장|셋방|\brent\b|landlord|deposit|jeonse|\blease|tenan|renewal"
_RISES: Final = rf"{_UP}"
_RENEWS: Final = r"갱신|재계약|연장|다시\s?계약|renew|extend|부르|부른|요구|달래|달라"
_TO_JEONSE: Final = (
    r"(?:순수?\s?)?전세로\s?(?:돌|바꾸|바꿔|전환|변경|가자|하자|올리)|월세\s?(?:없이|빼고)[^.?]{0,12}전세|(?:in)?to (?:a )?(?:full |pure )?jeonse|월세(?:를|는)?\s?(?:전부|모두|다|몽땅|아예)?\s?(?:없애|없앨)"
    r"|(?:no|without|instead of) (?:monthly )?rent[^.?]{0,20}jeonse|get rid of the (?:monthly )?rent|rent[^.?]{0,12}to (?:zero|nothing|0\b)"
)
"""Words of a rent that is to go whole into the deposit."""
_CONVERTS: Final = (
    r"월세로\s?(?:돌|바꾸|바꿔|전환|내|변경)|월세\s?전환|전환율|나머지[^.?]{0,10}월세|월세\s?[^.?]{0,6}(?:전부|모두|다)[^.?]{0,8}보증금|전월세\s?전환|보증금(?:으로|을|은|만)?[^.?]{0,16}(?:올리면|낮추면|줄이면|내리면|늘리면|올려서|낮춰)[^?]{0,30}월세|월세[^.?]{0,20}보증금으로\s?(?:돌|바꾸|바꿔|전환)"
    r"|\bconversion\b|convert\w*|into (?:monthly )?rent|into (?:a |the )?deposit|\bturn(?:ing|s)?\b[^.?]{0,40}(?:rent|deposit)|(?:rais|lower|increas|reduc|cut|drop|bring|halv)\w*\s(?:\w+\s){0,2}(?:[0-9.,]+ ?(?:million|m)? ?(?:won )?)?deposit[^?]*\brent\b|\bpay the rest as (?:monthly )?rent"
)
_USED_UP: Final = r"갱신(?:요구)?권[^.?]{0,12}(?:썼|사용|쓰고|이미|행사했|없|소진|다\s?씀)|새로\s?계약|신규\s?계약|새\s?계약|합의(?:로|하에|해서)?\s?(?:새|다시|재)|new (?:lease|contract|tenan)|used (?:up )?(?:my |the )?(?:renewal|right)|right (?:is|was|has been) used"
_REFUSES: Final = r"거절|거부|안\s?(?:내|올려|줘)|버텨|refuse|decline|say no|reject"
_ASKS_SUM: Final = r"얼마까지|얼마|최대|(?:상한|한도)(?!\s?선?\s?(?:안|이?내|밑|아래|을?를?\s?(?:넘|초과)|에\s?(?:걸|들)))|legal maximum|maximum|how (?:much|high|far)|highest|the most\b"
_JUDGES: Final = r"나요|까요|가요|아닌가|맞아|되나|돼\??|되나요|해야|괜찮|안임|인가|거야|가능|법적|합법|\?$|\bcan\b|\bmust\b|\bmay\b|\bam i\b|\bis (?:it|that|this)\b|have to|obliged|allowed|legal"
_PAID_BACK: Final = r"(?:더|초과|넘겨|넘게)\s?(?:낸|준|내면|냈)[^.?]{0,14}(?:돌려|반환|받)|(?:paid|pay) (?:too much|more|above|beyond)[^.?]{0,30}(?:back|refund|claim)|(?:get|claim)[^.?]{0,20}excess"
_NOT_HERE: Final = r"which (?:article|law|section)|어느\s?법|몇\s?조|수익률|yield|return on|특약|조항|계약서|관리비|상가|점포|가게|사무실|매장|\bshops?\b|\bstore\b|\boffice\b|commercial|대신[^.?]{0,20}(?:깎|낮|줄|내려)|\bclause|대출|금리\s?(?:가|인상)|시세|보증보험|수리|전세가율"
_SHOPS: Final = r"상가|점포|가게|사무실|매장|\bshops?\b|\bstore\b|\boffice\b|commercial"
_NEW: Final = Said(
    "새로 맺는 계약이나 갱신요구 없이 합의로 다시 맺는 계약에는 이 한도가 적용되지 않습니다.",
    "A new contract, or one made anew by agreement without a renewal request, is not bound by this cap.",
)
_ORDINANCE: Final = Said(
    "지방자치단체 조례가 더 낮은 한도를 정할 수 있고, 계약이나 지난 인상 뒤 1년 안에는 올릴 수 없습니다.",
    "A local ordinance may set less, and no rise may follow within a year of the contract or the last rise.",
)
_NO_CAP: Final = Said(
    "월세를 보증금으로 바꿀 때의 법정 상한은 없어 합의한 율로 계산했습니다.",
    "No legal cap binds turning rent into deposit; the agreed rate was used.",
)
_RISE_LAW: Final = ((ACT, "7"), (DECREE, "8"))
_CAP: Final = Decimal(5)
_YEAR: Final = 12
_Raised = tuple[Decimal | None, Decimal | None, Decimal | None, Said]
"""What rises: before, after, by how many percent, its name."""


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about a rise or a conversion."""
    if (
        (sheet.says(_CONVERTS) or sheet.says(_TO_JEONSE))
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
    return _rise_claims(ask, sheet) if sheet.says(_RISES) or renews else ()


def conversion(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for the rent that a deposit turns into, or back, of a question that is known to be one."""
    now = _of_rent(drafted(sheet, CONVERSION, AskForm.AMOUNT, articles="HLPA-7-2 HLPD-9"))
    if sheet.says(_TO_JEONSE) or (sheet.says(_DEPOSIT_ASKED) and _is_all_rent(now)):
        now = replace(now, notes={**now.notes, "to_jeonse": "1"})
    ask = completed(_with_rent_left(now, sheet), sheet, before, CONVERSION)
    return (Claim(ask, 0.95),) if ask.quantities else ()


_DEPOSIT_ASKED: Final = (
    r"보증금(?:은|이|으로)?\s?(?:총\s?)?(?:얼마|몇)|얼마(?:짜리)?\s?전세|전세(?:금|가)?(?:은|는|이|가)?\s?얼마|전세로\s?(?:치면|따지면|하면|환산)"
    r"|what (?:\w+ ){0,2}(?:deposit|jeonse)|how (?:much|big|large) (?:\w+ ){0,2}(?:deposit|jeonse)|deposit (?:is|would) (?:that|it|be)|full jeonse"
)
"""Words that ask for the deposit which a rent is worth."""


def _is_all_rent(ask: Ask) -> bool:
    """Tell whether all of a rent is turned: no part of it or of the deposit is named."""
    roles = {one.role for one in ask.quantities}
    return "rent" in roles and not roles & {"rent_by", "deposit_by", "deposit_to"}


def rise(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks about how far a rent may rise, of a question that is known to be about that."""
    return () if sheet.says(_SHOPS) else _rise_claims(_rise_drafted(sheet, before), sheet)


def _rise_drafted(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask:
    ask = completed(_upward(drafted(sheet, RISE, AskForm.AMOUNT, **_notes(sheet))), sheet, before, RISE)
    return _with_last_lease(ask, sheet, before)


def _upward(ask: Ask) -> Ask:
    """Return a rise of two sums of which words bind but one: the smaller is what is paid now, the greater what is asked."""
    sums = [one for one in ask.quantities if one.unit == "krw"]
    bound = [one for one in sums if one.role in {"rent", "deposit"}]
    if len(sums) != len({"now", "then"}) or len(bound) != 1 or {one.role for one in ask.quantities} & _RAISED:
        return ask
    low, high = sorted(sums, key=lambda one: Decimal(one.value))
    if not Decimal(low.value) < Decimal(high.value) <= Decimal(low.value) * 2:
        return ask
    roles = {id(low): bound[0].role, id(high): "raised_to"}
    kept = (replace(one, role=roles[id(one)]) if id(one) in roles else one for one in ask.quantities)
    return replace(ask, quantities=tuple(kept))


def _rise_claims(ask: Ask, sheet: Sheet) -> Sequence[Claim]:
    roles = {one.role for one in ask.quantities}
    if not roles & {*_RAISED, "deposit", "rent"}:
        return ()
    # A rise that is told without a question asks whether it has to be borne.
    asks_sum = sheet.says(_ASKS_SUM) or not (sheet.says(_JUDGES) or roles & _RAISED)
    ask = replace(ask, form=AskForm.AMOUNT if asks_sum else AskForm.VERDICT)
    claims = [Claim(ask, 0.95)]
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
_MOST: Final = r"얼마까지|최대|상한|한도|maximum|the most\b|highest|how (?:much|high|far) (?:can|may|could)"
"""Words that want the limit of a rise."""
_LIMIT_WORDS_MAX: Final = 10


_RENT_BEFORE: Final = re.compile(r"(?:월세|임대료|\brent)(?:를|을|는|가)?\s?(?:to\s?)?$", re.IGNORECASE)


def _with_rent_left(ask: Ask, sheet: Sheet) -> Ask:
    """Return a conversion to a lower rent as one of the part of the rent that goes: "월세 80을 50으로 낮추려면"."""
    to, rent = of_role(ask.quantities, "deposit_to"), number_of(ask, "rent")
    if to is None or rent is None or not 0 < Decimal(to.value) < rent:
        return ask
    if not _RENT_BEFORE.search(sheet.text[: to.start]) and Decimal(to.value) >= _RENT_MAX:
        return ask
    gone = replace(to, role="rent_by", value=f"{rent - Decimal(to.value):f}")
    return replace(ask, quantities=tuple(gone if one is to else one for one in ask.quantities))


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
            if one.role == "deposit_by" and is_rent and "월세로" not in ask.words[one.end : one.end + 6]
            else one
        )
    return replace(ask, quantities=tuple(found))


def _notes(sheet: Sheet) -> dict[str, str]:
    notes = {"articles": "HLPA-7 HLPD-8"}
    if sheet.says(_USED_UP):
        notes["new"] = "1"
    if sheet.says(_REFUSES):
        notes["way"] = "refuse"
    elif sheet.says(TOO_MUCH):
        notes["way"] = "violates"
    return notes


def _rise_calls(ask: Ask) -> Sequence[Call]:
    del ask
    return law_calls(*_RISE_LAW)


def _rise(ask: Ask, found: Found) -> Outcome:
    """Return the highest rent or deposit of a renewal, and whether what is asked for is within it."""
    if (back := unclear(ask)) is not None:
        return back
    raised = _raised(ask)
    if raised is None:
        return _which(ask)
    if raised[0] is None and raised[2] is None:
        return wanting(ask, "deposit")
    more: dict[str, Any] = {
        "inputs": inputs_of(ask),
        "grounds": grounds(given_line(ask), _rule(found)),
        "cautions": (_NEW, _ORDINANCE),
    }
    answer = _rise_answer(ask, found, raised, more)
    return done(answer, own_evidence(ask, found), *law_proofs(found))


def _rise_answer(ask: Ask, found: Found, raised: _Raised, more: Mapping[str, Any]) -> AskAnswer:
    before, after, share, name = raised
    if ask.notes.get("new"):
        return _new_contract(ask, found, share, more)
    if (since := number_of(ask, "elapsed")) is not None and since < _YEAR:
        return _too_soon(ask, found, since, more)
    if share is None and before is not None:
        return _highest(ask, before, name, found, more)
    over = _is_over(before, after, share, ask.notes.get("rise_percent_bound", ""))
    if over is not None:
        return _judged(ask, law_said(found), raised, over=over, more=more)
    label = Said("정확한 인상률", "the exact rise")
    sentence = filled(
        "{label:을/를} 알려 주시면 5% 한도 안인지 판단하겠습니다.",
        "Please tell me {label}; then I can check it against the cap of 5%.",
        label=label,
    )
    return asking_back(ask, sentence, label)


def _raised(ask: Ask) -> _Raised | None:
    """Return what rises: before, after, percent, its name; None where rent and deposit cannot be told apart."""
    sums = {role: value for role in ("deposit", "rent") if (value := number_of(ask, role)) is not None}
    to, by, share = (number_of(ask, role) for role in ("raised_to", "raise_by", "rise_percent"))
    fitting = (
        [
            role
            for role, value in sums.items()
            if (to is None or value < to <= value * 3) and (by is None or by <= value)
        ]
        if to is not None or by is not None
        else list(sums)
    )
    if sums and not fitting:
        return None
    if len(fitting) > 1 and by is not None:
        fitting = ["rent"]
    role = fitting[0] if len(fitting) == 1 else ""
    if len(fitting) > 1:
        role = "rent" if share is not None or to is None else ""
        if not role:
            return None
    names = {"deposit": Said("보증금", "deposit"), "rent": Said("월세", "rent"), "": Said("임대료", "rent")}
    before = sums.get(role)
    after = to
    if before is not None and by is not None:
        after = before + by
    if before is not None and share is not None and after is None:
        after = calc.whole(before * (1 + share / 100))
    rise = calc.rise(before, after) if before and after is not None else share
    return before, after, rise, names[role]


def _which(ask: Ask) -> Outcome:
    label = Said("지금 금액과 올리려는 금액이 보증금인지 월세인지", "which sums are the deposit and which the rent")
    sentence = Said(
        "지금의 보증금이나 월세가 얼마이고 얼마로 올리려는지 알려 주시면 한도를 계산하겠습니다.",
        "Please tell me what the deposit or rent is now and what it is to become; then I can compute the cap.",
    )
    return Outcome(asking_back(ask, sentence, label))


def _is_over(before: Decimal | None, after: Decimal | None, share: Decimal | None, bound: str) -> bool | None:
    if share is not None and bound in {"gt", "ge"} and (before is None or after is None or bound == "gt"):
        if share > _CAP or (share == _CAP and bound == "gt"):
            return True
        return None
    if before is not None and after is not None:
        return after > calc.highest_rise(before)
    return None if share is None else share > _CAP


def _rule(found: Found) -> Said:
    law = law_said(found)
    return Said(
        f"계약 중이거나 갱신을 요구한 계약에서는 약정한 금액의 20분의 1(5%)까지만 올릴 수 있습니다{law.ko}.",
        f"Within a lease, or on a renewal that the tenant asked for, a rise is capped at one twentieth, 5%{law.en}.",
    )


def _highest(ask: Ask, before: Decimal, name: Said, found: Found, more: Mapping[str, Any]) -> AskAnswer:
    sums = {role: value for role in ("deposit", "rent") if (value := number_of(ask, role)) is not None}
    if len(sums) == 2:
        del before, name
        parts = listed(
            [
                filled("보증금 {d}", "a deposit of {d}", d=money(calc.highest_rise(sums["deposit"]))),
                filled("월세 {r}", "a rent of {r}", r=money(calc.highest_rise(sums["rent"]))),
            ]
        )
        sentence = filled(
            "갱신 때 올릴 수 있는 한도는 5%로, 각각 {parts}까지입니다{law}.",
            "On renewal each may rise by 5% at most: {parts}{law}.",
            parts=parts,
            law=law_said(found),
        )
        return answered(ask, sentence, **more)
    highest = calc.highest_rise(before)
    sentence = filled(
        "{name:은/는} {before}에서 최대 {highest}까지, 곧 {gap}까지만 올릴 수 있습니다{law}.",
        "The {name} of {before} may rise to {highest} at most, by {gap}{law}.",
        name=name,
        before=money(before),
        highest=money(highest),
        gap=money(highest - before),
        law=law_said(found),
    )
    return answered(ask, sentence, told=(Told("rise_limit", f"{highest:f}", money(highest).ko),), **more)


def _judged(ask: Ask, law: Said, raised: _Raised, *, over: bool, more: Mapping[str, Any]) -> AskAnswer:
    bound = ask.notes.get("rise_percent_bound", "")
    before, after, share, name = raised
    shown = percent(share or Decimal(0), 2)
    if bound == "gt":
        shown = Said(f"{shown.ko} 초과", f"more than {shown.en}")
    if before is not None and after is not None and bound != "gt":
        highest = calc.highest_rise(before)
        if ask.form is AskForm.AMOUNT:
            way = Said("한도를 넘습니다", "beyond it") if over else Said("한도 안입니다", "within it")
            sentence = filled(
                "{name:은/는} {before}에서 최대 {highest}까지 올릴 수 있고, {after:으로/로} 올리는 것은 {shown} 인상이라 {way}{law}.",
                "The {name} of {before} may rise to {highest} at most; {after} would be a rise of {shown}, {way}{law}.",
                name=name,
                before=money(before),
                highest=money(highest),
                after=money(after),
                shown=shown,
                way=way,
                law=law,
            )
            told = (Told("rise_limit", f"{highest:f}", money(highest).ko),)
            return answered(ask, sentence, told=told, **more)
        core = filled(
            "{name} {before}에서 {after:으로/로} 올리는 것은 {shown} 인상이라 5% 한도({highest}){way}{law}",
            "raising the {name} from {before} to {after} is {shown}, {way} the cap of 5% ({highest}){law}",
            name=name,
            before=money(before),
            after=money(after),
            shown=shown,
            highest=money(highest),
            way=Said("를 넘습니다", "beyond") if over else Said(" 안입니다", "within"),
            law=law,
        )
    else:
        core = filled(
            "갱신이나 계약 중의 인상은 5%까지라서 {shown} 인상은 {way}{law}",
            "a rise within a lease or on its renewal is capped at 5%, so that {shown} is {way}{law}",
            shown=shown,
            way=Said("한도를 넘습니다", "beyond it") if over else Said("한도 안입니다", "within it"),
            law=law,
        )
    verdict, lead = _lead(ask, over=over)
    return ruled(ask, verdict, Said(f"{lead.ko} {core.ko}.", f"{lead.en} {core.en}."), **more)


def _lead(ask: Ask, *, over: bool) -> tuple[AskVerdict, Said]:
    """Return the verdict and its first words: of what the question asks, refusing, breaking the law, having to pay."""
    way = ask.notes.get("way", "")
    if way == "refuse":
        if over:
            return AskVerdict.YES, Said(
                "네, 한도를 넘는 부분은 거절할 수 있습니다.", "Yes, you may refuse what is beyond the cap:"
            )
        return AskVerdict.DEPENDS, Said("경우에 따라 다릅니다.", "It depends:")
    if way == "violates":
        if over:
            return AskVerdict.YES, Said("네, 한도 위반입니다.", "Yes, that is beyond what the law allows:")
        return AskVerdict.NO, Said("아니요, 위반이 아닙니다.", "No, that is not unlawful:")
    if over:
        return AskVerdict.NO, Said("아니요,", "No,")
    return AskVerdict.YES, Said("네,", "Yes,")


def _new_contract(ask: Ask, found: Found, share: Decimal | None, more: Mapping[str, Any]) -> AskAnswer:
    asked = (
        Said("", "")
        if share is None
        else Said(f" {percent(share, 2).ko} 인상도", f" a rise of {percent(share, 2).en} is not unlawful as such;")
    )
    sentence = filled(
        "경우에 따라 다릅니다. 갱신요구권을 이미 썼고 합의로 새로 맺는 계약이면 5% 한도가 적용되지 않아{asked} 불법은 아니지만, "
        "기존 계약을 그대로 잇는 중의 증액이면 5%까지입니다{law}.",
        "It depends: where the right is used up and a new contract is agreed, the cap of 5% does not bind,{asked} "
        "within a lease that goes on it does{law}.",
        asked=asked,
        law=law_said(found),
    )
    return ruled(ask, AskVerdict.DEPENDS, sentence, **{**more, "cautions": (_ORDINANCE,)})


def _too_soon(ask: Ask, found: Found, since: Decimal, more: Mapping[str, Any]) -> AskAnswer:
    sentence = filled(
        "아니요, 계약하거나 올린 지 1년이 지나기 전에는({months}개월) 다시 올려 달라고 할 수 없습니다{law}.",
        "No, within a year of the contract or the last rise ({months} months) no rise may be claimed{law}.",
        months=f"{since.normalize():f}",
        law=law_said(found),
    )
    return ruled(ask, AskVerdict.NO, sentence, **more)


def _refund_calls(ask: Ask) -> Sequence[Call]:
    del ask
    return law_calls((ACT, "10-2"))


def _refund(ask: Ask, found: Found) -> Outcome:
    """Return that what was paid beyond the cap may be claimed back."""
    sentence = filled(
        "네, 한도를 넘겨 낸 금액은 돌려 달라고 할 수 있습니다{law}.",
        "Yes, what was paid beyond the cap may be claimed back{law}.",
        law=law_said(found),
    )
    return done(ruled(ask, AskVerdict.YES, sentence), *law_proofs(found))


def _conversion_calls(ask: Ask) -> Sequence[Call]:
    del ask
    base = query(
        "series", ("value", "date"), mode="rows", filters=[where("series_id", "KR_BASE_RATE")], order_by="date", limit=1
    )
    return [*law_calls((ACT, "7-2"), (DECREE, "9")), base]


def _conversion(ask: Ask, found: Found) -> Outcome:
    """Return the rent that a deposit turns into, or the deposit that a rent turns into."""
    if (back := unclear(ask)) is not None:
        return back
    rate, base = number_of(ask, "conversion"), _base_rate(found)
    turned, rent_by = _turned(ask), number_of(ask, "rent_by")
    if ask.notes.get("to_jeonse") and (rent := number_of(ask, "rent") or rent_by) is not None:
        return wanting(ask, "conversion") if rate is None else _to_jeonse(ask, found, rent, rate)
    if rent_by is not None:
        return wanting(ask, "conversion") if rate is None else _to_deposit(ask, found, rent_by, rate)
    if turned is None:
        return wanting(ask, "deposit")
    cap = calc.conversion_cap(base) if base is not None and turned >= 0 else None
    used = rate if rate is not None else cap
    return wanting(ask, "conversion") if used is None else _converted(ask, found, turned, used, cap)


def _converted(ask: Ask, found: Found, turned: Decimal, rate: Decimal, cap: Decimal | None) -> Outcome:
    part, rent = calc.rent_of(abs(turned), rate), number_of(ask, "rent")
    if rent is not None and turned < 0 and part > rent:
        return _used_up(ask, rent, part)
    moves = number_of(ask, "deposit_to") is not None or number_of(ask, "deposit_by") is not None
    by_law = number_of(ask, "conversion") is None
    sentence = _turned_said(turned, part, rent if moves else None, rate, by_law=by_law)
    cautions = []
    if cap is not None and rate > cap:
        cautions.append(
            filled(
                "말씀하신 {rate}는 법정 상한 {cap}를 넘습니다.",
                "The {rate} that you name is beyond the legal cap of {cap}.",
                rate=percent(rate, 2),
                cap=percent(cap, 2),
            )
        )
    if turned < 0:
        cautions.append(_NO_CAP)
    known = () if turned < 0 else (*law_proofs(found), *_base_proof(found))
    used = ("deposit", "deposit_to", "deposit_by", "rent", "conversion")
    given, spare = told_lines(ask, used)
    lines = grounds(given, _cap_line(found, cap), spare)
    answer = answered(ask, sentence, inputs=inputs_of(ask), grounds=lines, cautions=tuple(cautions))
    return done(answer, own_evidence(ask, found), *known)


def _cap_line(found: Found, cap: Decimal | None) -> Said | None:
    base = _base_rate(found)
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
    if deposit is None and to is not None:
        deposit, by = by, None
    if deposit is not None and to is not None:
        return deposit - to
    if by is not None:
        rises = any(
            word in ask.words.lower()
            for word in ("올리", "올려", "늘리", "얹", "넣", "맡기", "보태", "rais", "increas")
        )
        return -by if rises else by
    return deposit


def _turned_said(turned: Decimal, part: Decimal, rent: Decimal | None, rate: Decimal, *, by_law: bool) -> Said:
    way = Said("법정 상한", "the legal cap of") if by_law else Said("전환율", "a conversion rate of")
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


def _to_deposit(ask: Ask, found: Found, rent: Decimal, rate: Decimal) -> Outcome:
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
    return done(
        answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask)), cautions=(_NO_CAP,)),
        own_evidence(ask, found),
    )


def _to_jeonse(ask: Ask, found: Found, rent: Decimal, rate: Decimal) -> Outcome:
    """Return the deposit that is left when all of a rent goes into it."""
    more, deposit = calc.deposit_of(rent, rate), number_of(ask, "deposit") or Decimal(0)
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
    answer = answered(ask, sentence, inputs=inputs_of(ask), grounds=grounds(given_line(ask)), cautions=(_NO_CAP,))
    return done(answer, own_evidence(ask, found))


def _base_rate(found: Found) -> Decimal | None:
    return next((row.number("value") for row in rows_of(found.readings, "series")), None)


def _base_proof(found: Found) -> tuple[Evidence, ...]:
    title = Said("한국은행 기준금리", "Bank of Korea base rate")
    return tuple(
        proof(one, title, found.asking.locale, "macro")
        for one in found.readings
        if one.arguments.get("dataset") == "series"
    )


ANSWERERS: Final = (
    Answerer(RISE.answerer, SEARCH, _rise, _rise_calls),
    Answerer("rise_refund", SEARCH, _refund, _refund_calls),
    Answerer(CONVERSION.answerer, SEARCH, _conversion, _conversion_calls),
)
