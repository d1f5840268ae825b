"""The rent's part of an analysis: a rise held against the cap of the law, and a deposit turned into rent. Pure."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from services.contract.flow import Metric
from services.domains.realty.agents.parts.part import AnalysisGround, AnalysisPart, missing
from services.domains.realty.agents.rent import (
    RiseCheck,
    check_percent,
    check_rise,
    conversion_cap,
    monthly_rent,
    rise_percent,
)
from services.domains.realty.agreements.statutes import ACT, DECREE, RISE_LAW, conversion_rates, rise_cap_percent
from services.domains.realty.tools.legal_search import LegalSearchRow
from services.plugin.wording import Text
from services.text.ko.written import josa
from services.text.saying import figure

_CONVERSION_LAW: Final = ((ACT, "7-2"), (DECREE, "9"))
_EXCESS_LAW: Final = ((ACT, "10-2"),)
_NAMES: Final = {"rent": Text("월세", "rent"), "deposit": Text("보증금", "deposit")}


def rise_part(ground: AnalysisGround) -> AnalysisPart:
    """Return the rise that is asked for, and whether it is within the cap that a found article holds."""
    given = ground.given
    rise, cap_row = given.rise, _cap_row(ground)
    percent = rise_percent(rise.before_krw, rise.after_krw) if rise is not None else given.rise_percent
    if percent is None:
        return missing("")
    cap = rise_cap_percent(cap_row) if cap_row is not None else None
    if cap is None:
        return AnalysisPart(
            summary=_rise_said(ground, percent),
            metrics=_rise_metrics(ground, percent, None),
            evidence=(ground.own,),
            cautions=(
                ground.asking.say(
                    "인상 한도를 정한 법 조문이 조회되지 않아 한도 안인지는 확인하지 못했습니다.",
                    "No article that caps a rise was found, so that it was not checked against the cap.",
                ),
            ),
            coverage=Decimal("0.5"),
        )
    check = check_percent(percent, cap) if rise is None else check_rise(rise.before_krw, rise.after_krw, cap)
    rows = [row for article in (*RISE_LAW, *_EXCESS_LAW) if (row := ground.laws.get(*article)) is not None]
    return AnalysisPart(
        summary=" ".join((_rise_said(ground, percent), *_check_said(ground, check))),
        metrics=_rise_metrics(ground, percent, check),
        evidence=(ground.own, *ground.laws.evidence_of(rows)),
        key_drivers=tuple(_check_said(ground, check))[:1],
        cautions=tuple(_rise_cautions(ground)),
        actions=_rise_actions(ground, check),
    )


def _cap_row(ground: AnalysisGround) -> LegalSearchRow | None:
    """Return the article that holds the cap: the decree's figure before the act's, of homes and not of shops."""
    for article in reversed(RISE_LAW):
        row = ground.laws.get(*article)
        if row is not None and rise_cap_percent(row) is not None:
            return row
    return None


def _rise_said(ground: AnalysisGround, percent: Decimal) -> str:
    locale, rise = ground.asking.locale, ground.given.rise
    size = figure(percent, "percent", locale)
    if rise is None:
        return ground.asking.say(f"요구받은 인상률은 {size}입니다.", f"The rise that is asked for is {size}.")
    before, after = (figure(Decimal(value), "krw", locale) for value in (rise.before_krw, rise.after_krw))
    name = _NAMES[rise.role].said(locale)
    return ground.asking.say(
        f"{josa(name, '을/를')} {before}에서 {after}으로 올리면 인상률은 {size}입니다.",
        f"Raising the {name} from {before} to {after} is a rise of {size}.",
    )


def _check_said(ground: AnalysisGround, check: RiseCheck) -> Iterator[str]:
    locale, say = ground.asking.locale, ground.asking.say
    law, cap = ground.laws.behind(*RISE_LAW), figure(check.cap_percent, "percent", locale)
    if check.within:
        yield say(f"계약 중의 인상 한도인 {cap} 안에 있습니다{law}.", f"It is within the cap of {cap} on a rise{law}.")
        return
    yield say(f"계약 중의 인상 한도인 {cap}를 넘습니다{law}.", f"It is beyond the cap of {cap} on a rise{law}.")
    if check.highest_krw is not None and check.excess_krw is not None:
        highest, excess = figure(check.highest_krw, "krw", locale), figure(check.excess_krw, "krw", locale)
        yield say(
            f"한도 안에서는 {highest}까지이고, 요구액은 그보다 {excess} 많습니다.",
            f"Within the cap it may go up to {highest}; what is asked for is {excess} more.",
        )
    refund = ground.laws.cited(*_EXCESS_LAW)
    if refund:
        yield say(
            f"한도를 넘겨 낸 금액은 돌려받을 수 있습니다({refund}).",
            f"What was paid beyond it may be claimed back ({refund}).",
        )


def _rise_metrics(ground: AnalysisGround, percent: Decimal, check: RiseCheck | None) -> tuple[Metric, ...]:
    asking, now = ground.asking, ground.asking.day_of(ground.asking.now)
    law = ground.laws.evidence_of([row]) if (row := _cap_row(ground)) is not None else ()
    subject = ground.subject(asking.say("임대료 인상", "Rise of the rent"), ground.own, *law)
    found = [subject.figure("rise_change", percent, now)]
    rise = ground.given.rise
    if rise is not None:
        found.append(subject.figure(f"{rise.role}_before", Decimal(rise.before_krw), now))
        found.append(subject.figure(f"{rise.role}_after", Decimal(rise.after_krw), now))
    if check is not None:
        found.append(subject.figure("rise_cap", check.cap_percent, now))
        if check.highest_krw is not None:
            found.append(subject.figure("rise_highest", check.highest_krw, now))
        if check.excess_krw:
            found.append(subject.figure("rise_excess", check.excess_krw, now))
    return tuple(found)


def _rise_cautions(ground: AnalysisGround) -> Iterator[str]:
    law = ground.laws.behind(*RISE_LAW)
    yield ground.asking.say(
        f"한도는 기존 계약을 이어 갈 때의 것이고, 계약이나 지난 인상 뒤 한 해 안에는 다시 올릴 수 없습니다{law}.",
        f"The cap is for a lease that goes on; within a year of contract or last rise there is no other{law}.",
    )
    yield ground.asking.say(
        "새로 맺는 계약이거나 보증금과 월세를 함께 바꾸는 경우는 따로 따져 봐야 합니다.",
        "A new lease, or a change of deposit and rent together, has to be looked at separately.",
    )


def _rise_actions(ground: AnalysisGround, check: RiseCheck) -> tuple[str, ...]:
    say = ground.asking.say
    if check.within:
        return (
            say("인상 시기와 지난 인상일을 계약서에서 확인하세요.", "Check in the contract when the last rise was."),
        )
    return (
        say(
            "한도와 근거 조문을 적어 임대인에게 조정을 요청해 보세요.",
            "Ask the landlord in writing to keep to the cap, naming the article.",
        ),
        say(
            "합의가 안 되면 주택임대차분쟁조정위원회에 조정을 신청할 수 있는지 알아보세요.",
            "If you do not agree, find out about mediation by the Housing Lease Dispute Mediation Committee.",
        ),
    )


def conversion_part(ground: AnalysisGround) -> AnalysisPart:
    """Return what rent the given deposit turns into, at the given rate and at the highest that the law allows."""
    deposit, asking = ground.given.sums.get("deposit"), ground.asking
    decree, base = _decree_rates(ground), ground.given.rates.get("base")
    rates: list[tuple[str, Text, Decimal]] = []
    if (asked := ground.given.rates.get("conversion")) is not None:
        rates.append(("asked", Text("말씀하신 전환율", "the rate that you name"), asked))
    if decree is not None:
        cap = decree[0] if base is None else conversion_cap(decree[0], base, decree[1])
        name = Text("법이 정한 상한", "the highest rate by law")
        rates.append(("cap", name if base is not None else Text("시행령의 상한", "the decree's own cap"), cap))
    if deposit is None or not rates:
        return missing(
            asking.say(
                "보증금과 전환율을 알아야 월세로 얼마가 되는지 계산할 수 있습니다.",
                "The deposit and the rate of conversion are needed to tell what rent it turns into.",
            )
        )
    rows = [row for article in _CONVERSION_LAW if (row := ground.laws.get(*article)) is not None]
    return AnalysisPart(
        summary=" ".join(_converted_said(ground, deposit, name, rate) for _, name, rate in rates),
        metrics=_conversion_metrics(ground, deposit, rates),
        evidence=(ground.own, *ground.laws.evidence_of(rows)),
        cautions=tuple(_conversion_cautions(ground, decree)),
        coverage=Decimal(1) if decree is not None and base is not None else Decimal("0.5"),
    )


def _decree_rates(ground: AnalysisGround) -> tuple[Decimal, Decimal] | None:
    row = ground.laws.get(*_CONVERSION_LAW[1])
    return conversion_rates(row) if row is not None else None


def _converted_said(ground: AnalysisGround, deposit: int, name: Text, rate: Decimal) -> str:
    locale = ground.asking.locale
    rent = figure(monthly_rent(deposit, rate), "krw", locale)
    whole, percent = figure(Decimal(deposit), "krw", locale), figure(rate, "percent", locale)
    law = "" if name.ko.startswith("말씀") else ground.laws.behind(*_CONVERSION_LAW)
    return ground.asking.say(
        f"보증금 {whole}을 {name.ko}인 연 {percent}로 돌리면 월세는 {rent}입니다{law}.",
        f"At {name.en}, {percent} a year, a deposit of {whole} turns into a rent of {rent} a month{law}.",
    )


def _conversion_metrics(
    ground: AnalysisGround, deposit: int, rates: list[tuple[str, Text, Decimal]]
) -> tuple[Metric, ...]:
    asking, now = ground.asking, ground.asking.day_of(ground.asking.now)
    rows = [row for article in _CONVERSION_LAW if (row := ground.laws.get(*article)) is not None]
    pieces = (ground.own, *ground.laws.evidence_of(rows))
    subject = ground.subject(asking.say("보증금의 월세 전환", "Deposit turned into rent"), *pieces)
    found = [
        subject.figure("deposit_given", Decimal(deposit), now),
    ]
    for key, name, rate in rates:
        said = {"which": key, "name": name.said(asking.locale)}
        found.append(subject.figure("conversion_rate_{which}", rate, now, **said))
        found.append(subject.figure("converted_rent_{which}", monthly_rent(deposit, rate), now, **said))
    return tuple(found)


def _conversion_cautions(ground: AnalysisGround, decree: tuple[Decimal, Decimal] | None) -> Iterator[str]:
    say = ground.asking.say
    if decree is None:
        yield say(
            "전환율의 상한을 정한 법 조문이 조회되지 않아 상한 안인지는 확인하지 못했습니다.",
            "No article that caps the rate of conversion was found, so that it was not checked against it.",
        )
    elif "base" not in ground.given.rates:
        margin = figure(decree[1], "percent", ground.asking.locale)
        yield say(
            f"기준금리에 {margin}를 더한 율이 이보다 낮으면 그 율이 상한입니다. "
            "기준금리를 알려 주시면 다시 계산합니다.",
            f"Where the base rate plus {margin} is lower, that is the cap; name the base rate to have it computed.",
        )
