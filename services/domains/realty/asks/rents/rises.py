"""How far rent and deposit may rise, and whether a rise is within that."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import Ask, AskAnswer, AskForm, AskVerdict, Said, Told
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
    unclear,
    wanting,
)
from services.plugin.asks.answering import Call, Found, Outcome, answered, asking_back, ruled
from services.plugin.asks.telling import filled, listed, percent, sentences

_NEW: Final = Said(
    "새로 맺는 계약이나 갱신요구 없이 합의로 다시 맺는 계약에는 이 한도가 적용되지 않습니다.",
    "A new contract, or one made anew by agreement without a renewal request, is not bound by this cap.",
)
_ORDINANCE: Final = Said(
    "지방자치단체 조례가 더 낮은 한도를 정할 수 있고, 계약이나 지난 인상 뒤 1년 안에는 올릴 수 없습니다.",
    "A local ordinance may set less, and no rise may follow within a year of the contract or the last rise.",
)
_RISE_LAW: Final = ((ACT, "7"), (DECREE, "8"))
_CAP: Final = Decimal(5)
_YEAR: Final = 12
_Raised = tuple[Decimal | None, Decimal | None, Decimal | None, Said]
"""What rises: before, after, by how many percent, its name."""


def rise_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read the law on a rise."""
    del ask
    return law_calls(*_RISE_LAW)


def rise(ask: Ask, found: Found) -> Outcome:
    """Return the highest rent or deposit of a renewal, and whether what is asked for is within it."""
    if (back := unclear(ask)) is not None:
        return back
    more: dict[str, Any] = {
        "inputs": inputs_of(ask),
        "grounds": grounds(given_line(ask), _rule(found)),
        "cautions": (_NEW, _ORDINANCE),
    }
    since = None if ask.notes.get("new") else number_of(ask, "elapsed")
    if since is not None and since < _YEAR:
        # Within the year no rise may be claimed, whatever it is of and however small.
        return done(_too_soon(ask, found, since, more), own_evidence(ask, found), *law_proofs(found))
    raised = _raised(ask)
    if raised is None:
        return _which(ask)
    if raised[0] is None and raised[2] is None:
        return wanting(ask, "deposit")
    answer = _rise_answer(ask, found, raised, more)
    if (both := _both(ask)) is not None and answer.sentence is not None:
        parts = (answer.sentence, both) if ask.form is AskForm.VERDICT else (both, answer.sentence)
        answer = replace(answer, sentence=sentences(*parts))
    return done(answer, own_evidence(ask, found), *law_proofs(found))


def _both(ask: Ask) -> Said | None:
    """Return what deposit and rent come to where both are raised by a share; None where only one of them is."""
    deposit, rent, share = (number_of(ask, role) for role in ("deposit", "rent", "rise_percent"))
    if deposit is None or rent is None or share is None:
        return None
    raised = {name: calc.whole(value * (100 + share) / 100) for name, value in (("deposit", deposit), ("rent", rent))}
    return filled(
        "{share} 올리면 보증금은 {deposit}에서 {to}, 월세는 {rent}에서 {rent_to:이/가} 됩니다.",
        "Raised by {share}, the deposit goes from {deposit} to {to} and the rent from {rent} to {rent_to}.",
        share=percent(share, 2),
        deposit=money(deposit),
        to=money(raised["deposit"]),
        rent=money(rent),
        rent_to=money(raised["rent"]),
    )


def _rise_answer(ask: Ask, found: Found, raised: _Raised, more: Mapping[str, Any]) -> AskAnswer:
    before, after, share, name = raised
    if ask.notes.get("new"):
        return _new_contract(ask, found, share, more)
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
            by_share = filled(
                "{name:을/를} {shown} 올리면 {gap} 늘어나 {before}에서 {after:이/가} 되고, 올릴 수 있는 최대는 {highest:이라/라} {way}{law}.",
                "Raising the {name} by {shown} adds {gap}, from {before} to {after}; the most it may rise to is {highest}, so this "
                "is {way}{law}.",
                name=name,
                shown=shown,
                gap=money(after - before),
                before=money(before),
                after=money(after),
                highest=money(highest),
                way=way,
                law=law,
            )
            by_sum = filled(
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
            is_share = number_of(ask, "rise_percent") is not None
            return answered(ask, by_share if is_share else by_sum, told=told, **more)
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
    """Return the verdict and its first words: of what the question asks, refusing, breaking the law, having to pay or leave."""
    usual = (AskVerdict.NO, Said("아니요,", "No,")) if over else (AskVerdict.YES, Said("네,", "Yes,"))
    return _WAYS.get(ask.notes.get("way", ""), {}).get(over, usual)


_NEED_NOT_LEAVE: Final = (
    AskVerdict.NO,
    Said("아니요, 올려 주지 않는다고 나가야 하는 것은 아닙니다.", "No, refusing a rise does not make you leave:"),
)
_MAY_STAY: Final = (
    AskVerdict.YES,
    Said("네, 올려 주지 않아도 나가지 않아도 됩니다.", "Yes, you need not leave though you refuse the rise:"),
)
_WAYS: Final = {
    "refuse": {
        True: (
            AskVerdict.YES,
            Said("네, 한도를 넘는 부분은 거절할 수 있습니다.", "Yes, you may refuse what is beyond the cap:"),
        ),
        False: (AskVerdict.DEPENDS, Said("경우에 따라 다릅니다.", "It depends:")),
    },
    "violates": {
        True: (AskVerdict.YES, Said("네, 한도 위반입니다.", "Yes, that is beyond what the law allows:")),
        False: (AskVerdict.NO, Said("아니요, 위반이 아닙니다.", "No, that is not unlawful:")),
    },
    "denied": {
        True: (AskVerdict.YES, Said("네, 맞습니다.", "That is right:")),
        False: (AskVerdict.NO, Said("아니요, 올릴 수 있습니다.", "No, it may rise so far:")),
    },
    "leave": dict.fromkeys((True, False), _NEED_NOT_LEAVE),
    "stay": dict.fromkeys((True, False), _MAY_STAY),
}
"""What the verdict is on, and on what is beyond the cap or within it, with its first words."""


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
    verdict, lead = _TOO_SOON.get(ask.notes.get("way", ""), (AskVerdict.NO, Said("아니요,", "No,")))
    sentence = filled(
        "{lead} 계약하거나 올린 지 1년이 지나기 전에는({months}개월) 다시 올려 달라고 할 수 없습니다{law}.",
        "{lead} within a year of the contract or the last rise ({months} months) no rise may be claimed{law}.",
        lead=lead,
        months=f"{since.normalize():f}",
        law=law_said(found),
    )
    return ruled(ask, verdict, sentence, **more)


_TOO_SOON: Final = {
    "refuse": (AskVerdict.YES, Said("네, 거절할 수 있습니다.", "Yes, you may refuse:")),
    "violates": (AskVerdict.YES, Said("네, 위반입니다.", "Yes, that is unlawful:")),
    "denied": (AskVerdict.YES, Said("네, 맞습니다.", "That is right:")),
    "stay": _MAY_STAY,
}
"""The verdict on a rise within the year by what is asked of it, and its first words; else none may be claimed."""


def refund_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls that read the law on what was paid beyond it."""
    del ask
    return law_calls((ACT, "10-2"))


def refund(ask: Ask, found: Found) -> Outcome:
    """Return that what was paid beyond the cap may be claimed back."""
    sentence = filled(
        "네, 한도를 넘겨 낸 금액은 돌려 달라고 할 수 있습니다{law}.",
        "Yes, what was paid beyond the cap may be claimed back{law}.",
        law=law_said(found),
    )
    return done(ruled(ask, AskVerdict.YES, sentence), *law_proofs(found))
