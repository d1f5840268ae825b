"""The contract's part of an analysis: what its text lacks, what is risky in it, and figures that stand out. Pure."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from services.agents.domains.realty.clauses import Review, is_contract, review
from services.agents.domains.realty.given import slot_text
from services.agents.domains.realty.law import ACT, CIVIL, DECREE, rise_cap_percent
from services.agents.domains.realty.parts import Ground, Part, missing
from services.contract.flow import Metric
from services.text.saying import figure

_TERM_LAW: Final = ((ACT, "4"),)
_RISE_LAW: Final = ((ACT, "7"), (DECREE, "8"))
_PENALTY_LAW: Final = ((CIVIL, "398"),)
_UNFAIR_LAW: Final = ((ACT, "10"),)
_USED: Final = (*_TERM_LAW, *_RISE_LAW, *_PENALTY_LAW, *_UNFAIR_LAW)


def contract_text(ground: Ground) -> str:
    """Returns the contract that the question or a slot holds, "" where there is none."""
    in_slot = slot_text(ground.asking.slots, "contract_text")
    if in_slot:
        return in_slot
    return ground.given.text if is_contract(ground.given.text) else ""


def contract_part(ground: Ground) -> Part:
    """Returns what stands out in the contract; without its text only that it is needed."""
    text = contract_text(ground)
    if not text:
        return missing(
            ground.asking.say(
                "계약서 내용을 붙여 넣어 주시면 빠진 조항과 위험한 문구를 확인해 드립니다.",
                "Paste the contract's text to have it checked for missing clauses and risky words.",
            )
        )
    sums = ground.given.sums
    found = review(text, main_krw=sums.get("deposit") or sums.get("price"), penalty_krw=sums.get("penalty"))
    findings = tuple(_findings(ground, found))
    laws = [row for article in _USED if (row := ground.laws.get(*article)) is not None]
    return Part(
        summary=" ".join((_said(ground, found), *findings)),
        metrics=_metrics(ground, found),
        evidence=(ground.own, *ground.laws.evidence_of(laws)),
        key_drivers=findings,
        cautions=tuple(_cautions(ground)),
        actions=_actions(ground, found),
    )


def _said(ground: Ground, found: Review) -> str:
    kinds = {"lease": ("임대차", "lease"), "sale": ("매매", "sale contract")}
    ko, en = kinds[found.kind]
    return ground.asking.say(
        f"{ko} 계약서에서 빠진 조항 {len(found.missing)}건, 위험한 문구 {len(found.risky)}건을 찾았습니다.",
        f"The {en} lacks {len(found.missing)} clauses and has {len(found.risky)} risky passages.",
    )


def _findings(ground: Ground, found: Review) -> Iterator[str]:
    locale, say, laws = ground.asking.locale, ground.asking.say, ground.laws
    if found.missing:
        names = ", ".join(one.said(locale) for one in found.missing)
        yield say(f"빠진 것으로 보이는 조항: {names}.", f"Seems to be missing: {names}.")
    for risk in found.risky:
        yield f"{risk.said(locale)}{laws.behind(*_UNFAIR_LAW) if found.kind == 'lease' else ''}."
    if found.is_short and found.term_months is not None:
        yield say(
            f"임대차 기간이 {found.term_months}개월로 짧습니다{laws.behind(*_TERM_LAW)}.",
            f"The term is short, {found.term_months} months{laws.behind(*_TERM_LAW)}.",
        )
    yield from _rise_found(ground, found)
    if found.is_penalty_high:
        yield say(
            f"위약금이 큽니다{_penalty(found, ground)}{laws.behind(*_PENALTY_LAW)}.",
            f"The penalty is high{_penalty(found, ground)}{laws.behind(*_PENALTY_LAW)}.",
        )


def _rise_found(ground: Ground, found: Review) -> Iterator[str]:
    """Yields whether a rise that a lease allows is beyond the cap, where an article that holds the cap was found."""
    if found.rise_percent is None or found.kind != "lease":
        return
    rows = [row for article in _RISE_LAW if (row := ground.laws.get(*article)) is not None]
    cap = next((cap for row in reversed(rows) if (cap := rise_cap_percent(row)) is not None), None)
    percent = figure(found.rise_percent, "percent", ground.asking.locale)
    if cap is not None and found.rise_percent > cap:
        most = figure(cap, "percent", ground.asking.locale)
        yield ground.asking.say(
            f"인상률 {percent}는 한도 {most}를 넘습니다{ground.laws.behind(*_RISE_LAW)}.",
            f"A rise of {percent} is beyond the cap of {most}{ground.laws.behind(*_RISE_LAW)}.",
        )
    elif cap is None:
        yield ground.asking.say(
            f"인상률이 {percent}로 적혀 있으니 법의 한도를 확인하세요.",
            f"It names a rise of {percent}; check it against the cap by law.",
        )


def _penalty(found: Review, ground: Ground) -> str:
    if found.penalty_multiple is not None and found.penalty_multiple > 1:
        return ground.asking.say(
            f"(계약금의 {found.penalty_multiple}배)", f" ({found.penalty_multiple} times the earnest money)"
        )
    if found.penalty_percent is None:
        return ""
    percent = figure(found.penalty_percent, "percent", ground.asking.locale)
    return f"({percent})" if ground.asking.locale == "ko" else f" ({percent})"


def _metrics(ground: Ground, found: Review) -> tuple[Metric, ...]:
    asking, now = ground.asking, ground.asking.day_of(ground.asking.now)
    subject = ground.subject(asking.say("계약서 검토", "Review of the contract"), ground.own)
    counts = (
        ("missing_clause_count", asking.say("빠진 조항", "Missing clauses"), len(found.missing)),
        ("risky_clause_count", asking.say("위험한 문구", "Risky passages"), len(found.risky)),
    )
    metrics = [subject.number(name, label, Decimal(value), "count", now) for name, label, value in counts]
    if found.term_months is not None:
        label = asking.say("임대차 기간(개월)", "Term in months")
        metrics.append(subject.number("term_months", label, Decimal(found.term_months), "", now))
    if found.rise_percent is not None:
        label = asking.say("인상률", "Rise")
        metrics.append(subject.number("rise_change", label, found.rise_percent, "percent", now))
    return tuple(metrics)


def _cautions(ground: Ground) -> Iterator[str]:
    yield ground.asking.say(
        "문구를 찾아서 확인한 것이라 다른 말로 적힌 조항은 빠진 것으로 보일 수 있습니다. "
        "서명 전에 전문가의 확인을 받으세요.",
        "Words were looked for: a clause in other words may seem to be missing. Have an expert look before you sign.",
    )
    if not ground.laws:
        yield ground.asking.say(
            "관련 법 조문은 조회된 것이 없어 확인하지 못했습니다.", "No article of law was found to check this against."
        )


def _actions(ground: Ground, found: Review) -> tuple[str, ...]:
    say, actions = ground.asking.say, []
    if found.missing:
        actions.append(say("빠진 조항을 특약으로 넣어 달라고 요청하세요.", "Ask for the missing clauses to be added."))
    if found.risky:
        actions.append(say("위험한 문구를 빼거나 고쳐 달라고 요청하세요.", "Ask to have the risky passages taken out."))
    return tuple(actions)
