"""realty.document: drafts of leases and sale contracts, for a person to approve, and what a report is made of."""

from typing import Final

from services.domains.realty.agents.given import slot_text
from services.domains.realty.agreements.draft import DocumentDraft, drafted
from services.domains.realty.agreements.forms import forms
from services.domains.realty.agreements.terms import form_of, said_values, terms_in
from services.domains.realty.asks.papers.drafts import draft_evidence
from services.plugin.agent import AgentSpec
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

_REPORT: Final = "COMPREHENSIVE"
_PARTS: Final = {
    "market": Text("시세", "prices"),
    "listing": Text("매물", "homes on offer"),
    "legal": Text("법률", "law"),
    "loan": Text("대출", "loans"),
}
_TEXT_SLOTS: Final = ("landlord", "tenant", "seller", "buyer", "address", "account", "special")


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:  # noqa: ARG001 - it calls no tool
    """Return the draft as text, and what has to be filled in and approved; of a report what it is made of."""
    if asking.intent == _REPORT:
        return _report(asking)
    form = form_of(asking.question, slot_text(asking.slots, "deal_type"))
    slots = {name: text for name in _TEXT_SLOTS if (text := slot_text(asking.slots, name))}
    values = said_values({**terms_in(asking.question, form), **slots}, form, asking.locale)
    draft = drafted(form, values, asking.locale)
    return Findings(
        summary="\n\n".join((_opening(draft, asking), draft.text)),
        evidence=(draft_evidence(draft, values, asking),),
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


def _report(asking: Asking) -> Findings:
    """Return the parts of a report by what earlier steps found; no contract stands in it."""
    found = dict.fromkeys(piece.data_type for result in asking.prior_results for piece in result.evidence)
    parts = ", ".join(_PARTS[one].said(asking.locale) for one in found if one in _PARTS)
    if not parts:
        return Findings(
            summary=asking.say("보고서에 담을 자료를 찾지 못했습니다.", "Nothing was found to report on."), coverage=0.0
        )
    return Findings(summary=asking.say(f"보고서 구성: {parts}.", f"The report covers {parts}."))


def _opening(draft: DocumentDraft, asking: Asking) -> str:
    return asking.say(
        f"{draft.title} 초안입니다. 【 】로 표시한 곳은 아직 정해지지 않은 항목입니다.",
        f"This is a draft of a {draft.title}. What stands in 【 】 is still to be filled in.",
    )


def _missing(draft: DocumentDraft, asking: Asking) -> tuple[str, ...]:
    if not draft.missing:
        return ()
    names = ", ".join(forms().fields[name].of(asking.locale) for name in draft.missing)
    return (asking.say(f"아직 채우지 않은 항목: {names}", f"Still to be filled in: {names}"),)


def _actions(draft: DocumentDraft, asking: Asking) -> tuple[str, ...]:
    approve = asking.say(
        "초안을 읽고 승인, 수정 요청, 반려 가운데 하나를 알려 주세요.",
        "Read the draft and say whether you approve it, want changes, or reject it.",
    )
    fill = tuple(f"{line}." for line in _missing(draft, asking))
    return (*fill, approve)


AGENT = AgentSpec(
    id="realty.document",
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
