"""The risk's part of an analysis: the score and every term that it was computed from. Pure."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric
from services.domains.realty.agents.home_risk import RiskScore, RiskTerm, TermName, ratio_percent, score
from services.domains.realty.agents.law import FoundLaws
from services.domains.realty.agents.market import prices_of
from services.domains.realty.agents.parts.market import priced
from services.domains.realty.agents.parts.part import AnalysisGround, AnalysisPart, missing
from services.domains.realty.agents.standing import mean_of, spread
from services.domains.realty.agreements.statutes import ACT
from services.plugin.figures.declared import declared_kind
from services.plugin.wording import Text
from services.text.ko.written import number
from services.text.saying import figure

_LEVELS: Final = {"low": Text("낮음", "low"), "medium": Text("보통", "medium"), "high": Text("높음", "high")}
_DANGERS: Final = {
    "mortgage": Text("근저당 등 담보", "a mortgage"),
    "seizure": Text("압류·가압류", "a seizure"),
    "auction": Text("경매·공매", "an auction"),
    "trust": Text("신탁", "a trust"),
    "illegal": Text("위반 건축물", "an illegal building"),
    "arrears": Text("세금 체납", "tax arrears"),
    "proxy": Text("대리인 계약", "signing by proxy"),
}
_PROTECTING: Final = ((ACT, "3"), (ACT, "3-2"), (ACT, "3-7"), (ACT, "8"))
_CHECKS: Final = (
    Text(
        "계약 전날과 잔금 지급 직전에 등기사항증명서로 소유자와 담보를 확인하세요.",
        "Check owner and mortgages in the register the day before signing and before the balance.",
    ),
    Text(
        "임대인의 세금 납부 증명과 먼저 들어온 세입자의 보증금을 확인하세요.",
        "Ask for proof of the landlord's taxes and for the deposits of earlier tenants.",
    ),
    Text(
        "보증금 반환 보증에 가입할 수 있는 집인지 확인하세요.",
        "Check whether the home qualifies for insurance of the deposit.",
    ),
)


def risk_part(ground: AnalysisGround) -> AnalysisPart:
    """Return the score with its terms; without prices and dangers only that it could not be told."""
    values = dict(_values(ground))
    found = score(values)
    if found is None:
        return missing(
            ground.asking.say(
                "매매와 전세 시세가 함께 있어야 전세가율을 알 수 있는데 그 자료가 없어 위험 점수는 내지 않았습니다.",
                "A risk score needs sale and jeonse prices of the same homes; they are missing, so that none is given.",
            )
        )
    pieces = tuple(piece for piece, _ in ground.homes)
    own = (ground.own,) if {"deposit_ratio", "dangers"} & {term.name for term in found.terms if term.value} else ()
    law_rows = [row for article in _PROTECTING if (row := ground.laws.get(*article)) is not None]
    return AnalysisPart(
        summary=" ".join((_said(ground, found), *_law_said(ground, ground.laws))),
        metrics=_metrics(ground, found, (*pieces, *own)),
        evidence=(*pieces, *own, *ground.laws.evidence_of(law_rows)),
        key_drivers=tuple(_term_said(ground, term) for term in found.terms if term.points > 0),
        cautions=tuple(_cautions(ground, found)),
        actions=tuple(text.said(ground.asking.locale) for text in _CHECKS),
        coverage=Decimal(len(found.terms)) / (len(found.terms) + len(found.missing))
        if not ground.homes
        else Decimal(1),
    )


def _values(ground: AnalysisGround) -> Iterator[tuple[TermName, Decimal]]:
    rows = ground.home_rows
    sales = {
        (row.region_code, row.complex_name, row.property_type, row.area_m2): prices_of(row, "price").mean
        for row in rows
        if row.deal_type == "sale"
    }
    pairs = []
    for row in rows:
        sale = sales.get((row.region_code, row.complex_name, row.property_type, row.area_m2))
        if row.deal_type == "jeonse" and sale is not None:
            pairs.append((prices_of(row, "deposit").mean, sale, row.deal_count))
    if (ratio := ratio_percent(pairs)) is not None:
        yield "jeonse_ratio", ratio
    homes = priced(rows, "sale")
    deposit, level = ground.given.sums.get("deposit"), mean_of(homes, ground.given.area_m2)
    if deposit and level:
        yield "deposit_ratio", (Decimal(deposit) / level * 100).quantize(Decimal("0.1"))
    if ground.given.dangers or rows:
        yield "dangers", Decimal(len(ground.given.dangers))
    if (apart := spread(homes)) is not None:
        yield "sale_spread", apart.percent
    if rows:
        yield "thin_market", Decimal(sum(row.deal_count for row in rows))


def _said(ground: AnalysisGround, found: RiskScore) -> str:
    asking, level = ground.asking, _LEVELS[found.level].said(ground.asking.locale)
    terms = ", ".join(_term_said(ground, term) for term in found.terms)
    return asking.say(
        f"위험 점수는 100점 만점에 {number(found.value)}점({level})입니다. 항목별로 보면 {terms}입니다.",
        f"The risk score is {number(found.value)} of 100 ({level}). By term: {terms}.",
    )


def _term_said(ground: AnalysisGround, term: RiskTerm) -> str:
    kind, locale = declared_kind(term.name), ground.asking.locale
    value = _value_said(ground, term) if kind.unit == "count" else figure(term.value, kind.unit, locale)
    points = number(term.points)
    return ground.asking.say(
        f"{kind.label.ko} {value}에 {points}점(최대 {term.most}점)",
        f"{kind.label.en.lower()} {value}: {points} of {term.most} points",
    )


def _value_said(ground: AnalysisGround, term: RiskTerm) -> str:
    if term.name == "dangers" and ground.given.dangers:
        names = ", ".join(_DANGERS[name].said(ground.asking.locale) for name in ground.given.dangers)
        return ground.asking.say(names, f"({names})")
    if term.name == "dangers":
        return ground.asking.say("없음", "none")
    return figure(term.value, "count", ground.asking.locale)


def _law_said(ground: AnalysisGround, laws: FoundLaws) -> Iterator[str]:
    """Yield what protects a deposit, by the articles that were found."""
    locale = ground.asking.locale
    for article in _PROTECTING[:2]:
        row = laws.get(*article)
        if row is not None:
            yield ground.asking.say(
                f"{row.cited(locale)}: {row.said(locale)}.", f"{row.cited(locale)}: {row.said(locale)}."
            )


def _metrics(ground: AnalysisGround, found: RiskScore, pieces: tuple[Evidence, ...]) -> tuple[Metric, ...]:
    asking, as_of = ground.asking, _as_of(ground)
    subject = ground.subject(asking.say("위험 평가", "Risk"), *pieces)
    metrics = [subject.figure("risk_score", found.value, as_of)]
    for term in found.terms:
        metric = subject.figure(term.name, term.value, as_of)
        metrics.append(metric)
        metrics.append(subject.figure("risk_points_{term}", term.points, as_of, term=term.name, name=metric.label))
    return tuple(metrics)


def _as_of(ground: AnalysisGround) -> datetime:
    rows = ground.home_rows
    return ground.asking.day_of(max(row.as_of for row in rows) if rows else ground.asking.now)


def _cautions(ground: AnalysisGround, found: RiskScore) -> Iterator[str]:
    say = ground.asking.say
    yield say(
        "위험 점수는 시세와 질문에 나온 내용으로만 계산했고 등기부는 보지 않았습니다.",
        "The risk score rests on prices and on what the question says; the register was not seen.",
    )
    if found.missing:
        names = ", ".join(declared_kind(name).label.of(ground.asking.locale) for name in found.missing)
        yield say(f"자료가 없어 점수에서 뺀 항목: {names}.", f"Left out of the score for want of data: {names}.")
    if not ground.laws:
        yield say(
            "관련 법 조문은 조회된 것이 없어 확인하지 못했습니다.", "No article of law was found to check this against."
        )
