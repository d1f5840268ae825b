"""The law's part of an analysis: what the articles that were found say, those that protect tenants first. Pure."""

from services.domains.realty.agents.parts.part import AnalysisGround, AnalysisPart
from services.domains.realty.tools.legal_search import LegalSearchRow

_TOLD_MAX = 3


def law_part(ground: AnalysisGround) -> AnalysisPart:
    """Return what the articles say for the question, those that protect tenants first."""
    rows = sorted(ground.laws.rows, key=lambda row: not row.is_tenant_protection)[:_TOLD_MAX]
    protecting = [row for row in rows if row.is_tenant_protection]
    say, locale = ground.asking.say, ground.asking.locale
    told = " ".join(_said(row, locale) for row in rows)
    if protecting:
        opening = say(
            "세입자를 보호하는 조문을 기준으로 보면 다음과 같습니다.",
            "By the articles that protect tenants, this holds.",
        )
    else:
        opening = say("찾은 조문을 기준으로 보면 다음과 같습니다.", "By the articles that were found, this holds.")
    return AnalysisPart(
        summary=f"{opening} {told}",
        evidence=ground.laws.evidence_of(rows),
        key_drivers=tuple(_said(row, locale) for row in rows),
        cautions=(
            say(
                "계약서와 사실관계에 따라 결론이 달라질 수 있으니 중요한 결정 전에는 법률 상담을 받으세요.",
                "The contract and the facts may change the conclusion; take legal advice before an important decision.",
            ),
        ),
        actions=(
            say(
                "계약서와 주고받은 문자, 입금 내역을 모아 두세요.",
                "Keep the contract, the messages and the records of payment together.",
            ),
        ),
    )


def _said(row: LegalSearchRow, locale: str) -> str:
    return f"{row.said(locale)} ({row.cited(locale)})."
