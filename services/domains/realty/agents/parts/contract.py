"""The contract's part of an analysis: what its text lacks, what is risky in it, and figures that stand out. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from services.contract.flow import Evidence, Metric
from services.domains.realty.agents.contract_text import Contract
from services.domains.realty.agents.parts.part import AnalysisGround, AnalysisPart, missing
from services.domains.realty.agreements.clauses import ContractReview, review
from services.domains.realty.agreements.concerns import ARTICLES, concerns


def contract_part(ground: AnalysisGround, contract: Contract | None) -> AnalysisPart:
    """Return what stands out in the contract; without its text only that it is needed."""
    if contract is None:
        return missing(
            ground.asking.say(
                "계약서 내용을 붙여 넣어 주시면 빠진 조항과 위험한 문구를 확인해 드립니다.",
                "Paste the contract's text to have it checked for missing clauses and risky words.",
            )
        )
    found = review(contract.text)
    if contract.is_excerpt:
        # A clause by itself lacks what stands in the rest of its contract.
        found = replace(found, missing=())
    findings = tuple(_findings(ground, found))
    laws = [row for article in ARTICLES if (row := ground.laws.get(*article)) is not None]
    evidence = contract.evidence(ground.asking)
    return AnalysisPart(
        summary=" ".join((_said(ground, found, contract), *findings)),
        metrics=_metrics(ground, found, contract, evidence),
        evidence=(evidence, *ground.laws.evidence_of(laws)),
        key_drivers=findings,
        cautions=tuple(_cautions(ground, contract)),
        actions=_actions(ground, found),
    )


def _said(ground: AnalysisGround, found: ContractReview, contract: Contract) -> str:
    if contract.is_excerpt:
        return ground.asking.say(
            f"적어 주신 조항에서 위험한 문구 {len(found.defects)}건을 찾았습니다.",
            f"The clause that you quote has {len(found.defects)} risky passages.",
        )
    kinds = {"lease": ("임대차", "lease"), "sale": ("매매", "sale contract")}
    ko, en = kinds[found.kind]
    return ground.asking.say(
        f"{ko} 계약서에서 빠진 조항 {len(found.missing)}건, 위험한 문구 {len(found.defects)}건을 찾았습니다.",
        f"The {en} lacks {len(found.missing)} clauses and has {len(found.defects)} risky passages.",
    )


def _findings(ground: AnalysisGround, found: ContractReview) -> Iterator[str]:
    locale, say, laws = ground.asking.locale, ground.asking.say, ground.laws
    if found.missing:
        names = ", ".join(one.of(locale) for one in found.missing)
        yield say(f"빠진 것으로 보이는 조항: {names}.", f"Seems to be missing: {names}.")
    for concern in concerns(found):
        if concern.finding != "missing_clause":
            yield f"{concern.text.of(locale)}{laws.behind(*concern.articles)}."


def _metrics(
    ground: AnalysisGround, found: ContractReview, contract: Contract, evidence: Evidence
) -> tuple[Metric, ...]:
    asking, now = ground.asking, ground.asking.day_of(ground.asking.now)
    subject = ground.subject(asking.say("계약서 검토", "Review of the contract"), evidence)
    counts = (
        ("missing_clause_count", len(found.missing)),
        ("risky_clause_count", len(found.defects)),
    )
    said = counts[1:] if contract.is_excerpt else counts
    metrics = [subject.figure(kind, Decimal(value), now) for kind, value in said]
    figures = {"short_term": "term_months", "rise_above_cap": "rise_change"}
    stated = ((figures[one.kind.id], one.stated) for one in found.defects if one.kind.id in figures)
    metrics += [subject.figure(kind, value, now) for kind, value in stated if value is not None]
    return tuple(metrics)


def _cautions(ground: AnalysisGround, contract: Contract) -> Iterator[str]:
    if contract.is_excerpt:
        yield ground.asking.say(
            "적어 주신 조항만 보았습니다. 계약서 전체를 붙여 넣어 주시면 빠진 조항도 확인해 드립니다.",
            "Only the clause that you quote was looked at. Paste the whole contract to learn what it lacks.",
        )
    yield ground.asking.say(
        "문구를 찾아서 확인한 것이라 다른 말로 적힌 조항은 빠진 것으로 보일 수 있습니다. "
        "서명 전에 전문가의 확인을 받으세요.",
        "Words were looked for: a clause in other words may seem to be missing. Have an expert look before you sign.",
    )
    if not ground.laws:
        yield ground.asking.say(
            "관련 법 조문은 조회된 것이 없어 확인하지 못했습니다.", "No article of law was found to check this against."
        )


def _actions(ground: AnalysisGround, found: ContractReview) -> tuple[str, ...]:
    say, actions = ground.asking.say, []
    if found.missing:
        actions.append(say("빠진 조항을 특약으로 넣어 달라고 요청하세요.", "Ask for the missing clauses to be added."))
    if found.defects:
        actions.append(say("위험한 문구를 빼거나 고쳐 달라고 요청하세요.", "Ask to have the risky passages taken out."))
    return tuple(actions)
