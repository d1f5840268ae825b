"""Contracts: what is missing or risky in a text, and drafts with visible placeholders in both languages."""

import json
from decimal import Decimal
from typing import Any

import pytest

from services.domains.realty.agents.document import analyse
from services.domains.realty.agreements.clauses import is_contract, review
from services.domains.realty.agreements.concerns import concerns
from services.domains.realty.agreements.defects import DefectKind, known
from services.domains.realty.agreements.draft import drafted, placeholder
from services.domains.realty.agreements.forms import forms
from services.domains.realty.asks.papers.drafts import DRAFT_SCHEMA
from tests.unit.agents.realty.realty_rows import asking

BAD_LEASE = (
    "임대차 계약서. 제1조 임대인 갑과 임차인 을은 주소 강남구의 집을 보증금 2억원에 임대차한다. "
    "임대차 기간은 12개월로 한다. 보증금은 다음 세입자가 들어온 뒤에 돌려준다. "
    "임차인은 전입신고를 하지 않기로 한다. 임대인은 매년 9%까지 인상할 수 있다. "
    "위약금은 계약금의 3배로 한다. 임대인은 통지 없이 계약을 해지할 수 있다."
)


def test_a_contract_is_told_from_a_question() -> None:
    """A text with parties and clauses is a contract; a question about one is none."""
    assert is_contract(BAD_LEASE)
    assert not is_contract("전세 계약서를 검토해 주세요. 임대인이 보증금을 올려달래요.")


def test_defects_and_missing_clauses_are_found() -> None:
    """Each defect of a bad lease must be found, with its figure, and what the lease lacks."""
    found = review(BAD_LEASE)
    stated = {one.kind.id: one.stated for one in found.defects}
    assert stated == {
        "no_move_in_report": None,
        "refund_next_tenant": None,
        "end_at_will": None,
        "instant_eviction": None,
        "rise_above_cap": Decimal(9),
        "penalty_high": None,
        "short_term": Decimal(12),
    }
    assert {"repair", "restoration", "handover", "encumbrance"} <= {clause.id for clause in found.missing}


def test_a_penalty_is_held_against_the_deposit() -> None:
    """A penalty is high above a tenth of the deposit, and not below it."""
    high = review("위약금은 2,000만원으로 한다. 보증금은 1억원으로 한다.")
    low = review("위약금은 2,000만원으로 한다. 보증금은 4억원으로 한다.")
    assert [one.kind.id for one in high.defects] == ["penalty_high"]
    assert low.defects == ()


def test_a_concern_tells_its_figure_and_articles() -> None:
    """A rise is told with what the contract states, its cap and both articles."""
    (rise,) = (one for one in concerns(review(BAD_LEASE)) if one.finding == "rise")
    assert "9%" in rise.text.ko
    assert "5%" in rise.text.ko
    assert rise.articles == (("주택임대차보호법", "7"), ("주택임대차보호법 시행령", "8"))


@pytest.mark.parametrize("locale", ["ko", "en"])
@pytest.mark.parametrize("form", ["jeonse", "monthly_rent", "sale"])
def test_our_own_drafts_lack_nothing(form: Any, locale: str) -> None:
    """A draft holds every clause that the checklist asks of its kind, and no defect."""
    found = review(drafted(form, {}, locale).text)
    assert found.kind == ("sale" if form == "sale" else "lease")
    assert [clause.id for clause in found.missing] == []
    assert found.defects == ()


@pytest.mark.parametrize("kind", known().defects, ids=lambda kind: kind.id)
def test_a_defect_is_said_without_a_full_stop(kind: DefectKind) -> None:
    """The text of a defect takes a citation behind it, so that it ends without a full stop, in both languages."""
    assert not kind.why.ko.endswith(".")
    assert not kind.why.en.endswith(".")


@pytest.mark.parametrize("locale", ["ko", "en"])
def test_what_is_not_known_stays_visible(locale: str) -> None:
    """Every field that is not known is a placeholder with its name and kind, and is named as missing."""
    draft = drafted("monthly_rent", {}, locale)
    for name in draft.missing:
        assert placeholder(forms().fields[name], locale) in draft.text
    assert {"landlord", "tenant", "deposit", "rent", "rent_day", "start", "end"} <= set(draft.missing)
    assert "{" not in draft.text


def test_a_request_fills_the_draft() -> None:
    """What the request says stands in the draft, the balance and the last day follow from it, the rest stays open."""
    found = analyse(
        (),
        asking(
            "전세 2억에 2년 계약서 써줘. 계약금 2천만원, 임대인 박지훈, 임차인 최유나, "
            "주소는 서울시 마포구 망원동 45-2, 2027년 3월 1일부터",
            "CONTRACT_CREATION",
        ),
    )
    (row,) = json.loads(found.evidence[0].rows_json)
    assert found.evidence[0].rows_schema_id == DRAFT_SCHEMA
    assert row["approval"] == "required"
    values = {name: field["value"] for name, field in row["fields"].items() if field["value"]}
    assert values == {
        "landlord": "박지훈",
        "tenant": "최유나",
        "address": "서울시 마포구 망원동 45-2",
        "deposit": "2억원",
        "earnest": "2,000만원",
        "balance": "1억 8,000만원",
        "start": "2027년 3월 1일",
        "end": "2029년 2월 28일",
    }
    assert "임대인 박지훈과 임차인 최유나는" in found.summary
    assert "승인" in found.suggested_actions[-1]
    assert "월세" not in row["text"]


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("전세 계약서 초안", "jeonse"),
        ("보증금 1천만원 월세 50만원 계약서 초안", "monthly_rent"),
        ("매매 계약서 만들어줘", "sale"),
        ("draft a sale contract for my apartment", "sale"),
        ("draft a jeonse agreement", "jeonse"),
    ],
)
def test_the_form_is_the_deal_of_the_request(question: str, form: str) -> None:
    """The contract is of the deal that the request names."""
    (row,) = json.loads(analyse((), asking(question, "CONTRACT_CREATION")).evidence[0].rows_json)
    assert row["form"] == form
