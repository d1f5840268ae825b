"""realty.document: drafts of leases and sale contracts, for a person to approve (spec 3.3)."""

import hashlib
import json
from typing import Final

from services.contract.flow import Evidence, Provenance
from services.domains.realty.agents.contract_terms import ContractTerms, contract_terms
from services.domains.realty.agents.given import given_in
from services.domains.realty.agreements.draft import Draft, drafted
from services.domains.realty.agreements.forms import forms
from services.plugin.agent import AgentSpec
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

DRAFT_SCHEMA: Final = "hapju.agent.realty_document.draft.v1"
"""The schema of a draft: form, title, text, fields with kind and value, missing fields, and its state of approval."""
_SOURCE: Final = Text("이 서비스가 만든 초안", "a draft made by this service")


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:  # noqa: ARG001 - it calls no tool
    """Returns the draft as text, and what has to be filled in and approved before it is a contract."""
    terms = contract_terms(asking, given_in(asking))
    draft = drafted(terms.form, terms.values, asking.locale)
    return Findings(
        summary="\n\n".join((_opening(draft, asking), draft.text)),
        evidence=(_as_evidence(draft, terms, asking),),
        key_drivers=_missing(draft, asking),
        cautions=(
            asking.say(
                "이 문서는 초안이며 승인하시기 전에는 확정되지 않습니다. "
                "서명하기 전에 공인중개사나 변호사의 확인을 받으세요.",
                "This is a draft and final only once you approve it. Have an agent or a lawyer look before you sign.",
            ),
        ),
        suggested_actions=_actions(draft, asking),
    )


def _opening(draft: Draft, asking: Asking) -> str:
    return asking.say(
        f"{draft.title} 초안입니다. 【 】로 표시한 곳은 아직 정해지지 않은 항목입니다.",
        f"This is a draft of a {draft.title}. What stands in 【 】 is still to be filled in.",
    )


def _missing(draft: Draft, asking: Asking) -> tuple[str, ...]:
    if not draft.missing:
        return ()
    names = ", ".join(forms().fields[name].said(asking.locale) for name in draft.missing)
    return (asking.say(f"아직 채우지 않은 항목: {names}", f"Still to be filled in: {names}"),)


def _actions(draft: Draft, asking: Asking) -> tuple[str, ...]:
    approve = asking.say(
        "초안을 읽고 승인, 수정 요청, 반려 가운데 하나를 알려 주세요.",
        "Read the draft and say whether you approve it, want changes, or reject it.",
    )
    fill = tuple(f"{line}." for line in _missing(draft, asking))
    return (*fill, approve)


def _as_evidence(draft: Draft, terms: ContractTerms, asking: Asking) -> Evidence:
    """Returns the draft as a typed row, which a review or an editor reads; it waits for a person's approval."""
    fields = {name: {"kind": field.kind, "value": terms.values.get(name)} for name, field in forms().fields.items()}
    row = {
        "form": draft.form,
        "title": draft.title,
        "text": draft.text,
        "locale": asking.locale,
        "fields": {name: field for name, field in fields.items() if name in terms.values or name in draft.missing},
        "missing": draft.missing,
        "approval": "required",
    }
    rows = json.dumps([row], ensure_ascii=False, separators=(",", ":")).encode()
    digest = hashlib.sha256(rows).hexdigest()
    provenance = Provenance(_SOURCE.said(asking.locale), "draft", "", b"{}", asking.now, 1, "", digest, sample=False)
    title = asking.say(f"{draft.title} 초안", f"Draft of a {draft.title}")
    return Evidence(f"ev-{digest[:16]}", "contract", title, title, rows, DRAFT_SCHEMA, provenance)


AGENT = AgentSpec(
    id="realty.document",
    answers="drafts of contracts and reports",
    declines="acting as a lawyer",
    sources=(),
    analyse=analyse,
    covers=Text(
        "전세와 월세, 매매 계약서의 초안을 만듭니다.", "It drafts jeonse and monthly leases and sale contracts."
    ),
    reading=Text("계약 조건을 정리하고 있습니다.", "Gathering the terms of the contract."),
    computing=Text("초안을 쓰고 있습니다.", "Writing the draft."),
    short=Text("정해지지 않은 항목이 많습니다.", "Much is still to be filled in."),
    next_steps=(),
    confidence_max=0.9,
)
