"""What a tenant with a small deposit is paid before all others, by place and by the day of the first mortgage."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskVerdict, Said
from services.domains.realty.asks.proved import (
    ACT,
    DECREE,
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
)
from services.domains.realty.asks.rents.tenants_money import RENT
from services.domains.realty.asks.sums import drafted
from services.domains.realty.asks.topic import Topic
from services.domains.realty.brackets import Protection, ProtectionPeriod, rules
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome, answered, asking_back, ruled
from services.plugin.asks.roles import Role
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import day_said, filled, listed

_WORDS: Final = r"최우선\s?변제|소액\s?임차|소액\s?보증금|우선\s?변제\s?금|top-?priority|small[- ](?:sum |deposit )?tenant|priority repayment"
_ALSO: Final = r"근저당[^.?]{0,20}(?:우선|먼저)|경매[^.?]{0,30}(?:얼마|먼저)"
_LIMITS: Final = r"기준|한도|범위|요건|얼마\s?(?:이하|까지)|(?:누가|어떤\s?사람이?)\s?(?:해당|소액)|\blimits?\b|threshold|how (?:small|low|much)|counts? as|qualif"
"""Words that ask how small a deposit has to be."""
_DEPOSIT: Final = Role(
    "deposit",
    ("krw",),
    before=r"보증금(?:은|을|이)?|전세금?|월세|\bdeposit(?:\sof|\sis)?",
    behind=r"(?:원)?(?:에|의)?\s?(?:전세|보증금|월세|세입자)|(?:won\s)?deposit",
    bare=True,
)
PROTECTED: Final = Topic("small_tenant", "LEGAL_CONSULT", (RENT, _DEPOSIT), {"krw": "deposit"}, ("deposit",))
TOPICS: Final = (PROTECTED,)


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask for the part of a deposit that is paid first."""
    del before
    if not sheet.says(_WORDS) and not (sheet.says(_ALSO) and sheet.says(r"보증금|deposit")):
        return ()
    return claimed(sheet)


def claimed(sheet: Sheet) -> Sequence[Claim]:
    """Return the ask for the part that is paid first, of a question that is known to be one."""
    ask = drafted(sheet, PROTECTED, AskForm.VERDICT if _judges(sheet) else AskForm.AMOUNT)
    if number_of(ask, "deposit") is None and not sheet.says(_LIMITS):
        return ()
    day = next((start for start, _, _ in sheet.periods if start <= sheet.today), sheet.today)
    named = "1" if sheet.periods else ""
    notes = {**ask.notes, "day": day.isoformat(), "named": named}
    return (Claim(replace(ask, notes=notes, subjects=sheet.of_kind("region")[:1]), 0.97, is_whole=True),)


def _judges(sheet: Sheet) -> bool:
    return sheet.wants(AskForm.VERDICT) and not sheet.wants(AskForm.AMOUNT, AskForm.LEVEL)


def _calls(ask: Ask) -> Sequence[Call]:
    del ask
    return law_calls((ACT, "8"), (DECREE, "10"), (DECREE, "11"))


def _answer(ask: Ask, found: Found) -> Outcome:
    deposit = number_of(ask, "deposit")
    if deposit is None:
        return _limits(ask, found)
    if not ask.subjects or ask.subjects[0].alternatives:
        sentence = filled(
            "최우선변제는 집이 있는 지역과 근저당 설정일에 따라 기준이 달라집니다. 어느 지역 집인지 알려 주세요{law}.",
            "The limits differ by place and by the day of the mortgage; please tell me where the home is{law}.",
            law=law_said(found),
        )
        return Outcome(replace(asking_back(ask, sentence, Said("지역", "the place")), grounds=grounds(given_line(ask))))
    table = rules().small_tenants
    day, place = date.fromisoformat(ask.notes["day"]), ask.subjects[0]
    period = next(one for one in table.periods if one.since <= day) if day >= table.periods[-1].since else None
    if period is None:
        sentence = filled(
            "{day} 전에 설정된 근저당의 기준은 자료에 없어 계산할 수 없습니다.",
            "The limits of mortgages set before {day} are not in the data, so that nothing can be computed.",
            day=day_said(table.periods[-1].since),
        )
        return done(answered(ask, sentence), own_evidence(ask, found), *law_proofs(found))
    zone: Protection = period.of(place.value)
    fits = deposit <= zone.deposit_max
    when = day_said(period.since)
    sentence = _said(deposit, zone, place.label, law_said(found))
    lines = grounds(
        given_line(ask),
        filled(
            "적용 기준: {since}부터, {place} 보증금 {most} 이하일 때 최대 {paid}",
            "Limits since {since}: in {place} deposits up to {most}, of which at most {paid}",
            since=when,
            place=place.label,
            most=money(Decimal(zone.deposit_max)),
            paid=money(Decimal(zone.paid_max)),
        ),
        Said(
            "모든 소액임차인의 합계는 집값(대지 포함)의 절반까지입니다.",
            "All small tenants together get at most half of the home's value, its land included.",
        ),
    )
    cautions = [_MUST]
    if not ask.notes.get("named"):
        cautions.insert(0, _DAY)
    more = {"inputs": inputs_of(ask), "grounds": lines, "cautions": tuple(cautions)}
    answer = (
        ruled(ask, AskVerdict.YES if fits else AskVerdict.NO, sentence, **more)
        if ask.form is AskForm.VERDICT
        else answered(ask, sentence, **more)
    )
    piece = rule_evidence(found, table.source, {"deposit_max": zone.deposit_max, "paid_max": zone.paid_max})
    return done(answer, own_evidence(ask, found), piece, *law_proofs(found))


def _limits(ask: Ask, found: Found) -> Outcome:
    """Return how small a deposit has to be and what of it is paid first, in the place that is named or everywhere."""
    table = rules().small_tenants
    day = date.fromisoformat(ask.notes["day"])
    period = next((one for one in table.periods if one.since <= day), table.periods[-1])
    code = ask.subjects[0].value if ask.subjects and not ask.subjects[0].alternatives else ""
    sentence = (
        _limit_said(period, period.of(code), ask.subjects[0].label, law_said(found))
        if code
        else _limits_said(period, law_said(found))
    )
    zones = (period.of(code),) if code else period.zones
    document = {f"{at}": f"{zone.deposit_max} {zone.paid_max}" for at, zone in enumerate(zones)}
    answer = answered(ask, sentence, cautions=(_DAY, _MUST) if not ask.notes.get("named") else (_MUST,))
    return done(answer, rule_evidence(found, table.source, document), *law_proofs(found))


def _limit_said(period: ProtectionPeriod, zone: Protection, place: str, law: Said) -> Said:
    return filled(
        "{place:은/는} 보증금 {most} 이하이면 소액임차인으로 최대 {paid}까지 먼저 받습니다({since}부터의 기준){law}.",
        "In {place} deposits up to {most} count as small, of which at most {paid} is paid first "
        "(limits since {since}){law}.",
        place=place,
        most=money(Decimal(zone.deposit_max)),
        paid=money(Decimal(zone.paid_max)),
        since=day_said(period.since),
        law=law,
    )


def _limits_said(period: ProtectionPeriod, law: Said) -> Said:
    """Return the limits of all places, those of equal ones once."""
    zones = period.zones
    different = [
        zone for at, zone in enumerate(zones, 1) if zone.deposit_max not in {one.deposit_max for one in zones[at:]}
    ]
    named = [
        filled(
            "{place} {most} 이하(최대 {paid})",
            "{place} up to {most} (at most {paid} paid first)",
            place=zone.title.said,
            most=money(Decimal(zone.deposit_max)),
            paid=money(Decimal(zone.paid_max)),
        )
        for zone in different
    ]
    return filled(
        "보증금이 다음 이하이면 소액임차인으로 괄호 안의 금액까지 먼저 받습니다: {zones}({since}부터의 기준){law}.",
        "Deposits count as small as follows: {zones} (limits since {since}){law}.",
        zones=listed(named),
        since=day_said(period.since),
        law=law,
    )


def _said(deposit: Decimal, zone: Protection, place: str, law: Said) -> Said:
    if deposit <= zone.deposit_max:
        return filled(
            "네, {place} 보증금 {deposit:은/는} 소액임차인에 들어 최우선변제로 최대 {paid}까지 먼저 받을 수 있습니다{law}.",
            "Yes: in {place} a deposit of {deposit} counts as small, and up to {paid} of it is paid first{law}.",
            place=place,
            deposit=money(deposit),
            paid=money(min(deposit, Decimal(zone.paid_max))),
            law=law,
        )
    return filled(
        "아니요, {place} 기준인 보증금 {most:을/를} 넘어 {deposit:은/는} 최우선변제를 받지 못합니다(0원){law}.",
        "No: in {place} only deposits up to {most} count as small, so that nothing of {deposit} is paid first{law}.",
        place=place,
        most=money(Decimal(zone.deposit_max)),
        deposit=money(deposit),
        law=law,
    )


_DAY: Final = Said(
    "근저당 등 선순위 담보가 설정된 날의 기준이 적용되며, 날을 말씀하지 않아 지금의 기준으로 보았습니다.",
    "The limits on the day of the first mortgage apply; as no day was named, those of today were taken.",
)
_MUST: Final = Said(
    "경매개시결정 등기 전에 입주와 전입신고를 마치고 배당요구 종기까지 배당을 요구해야 합니다.",
    "You must live and be registered there before the auction is registered, and claim by the court's deadline.",
)
ANSWERERS: Final = (Answerer(PROTECTED.answerer, SEARCH, _answer, _calls),)
