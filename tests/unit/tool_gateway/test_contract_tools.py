"""contract_analysis and lease_document, called through the gateway: findings with their articles, drafts with gaps."""

import json
import time
from typing import Any

import pytest

from services.contract.tool import ToolFailure, ToolResult
from services.domains.realty.agreements.forms import forms
from services.domains.realty.tools.contract_analysis import TEXT_CHARS_MAX
from services.domains.realty.tools.lease_document import LeaseDocumentArguments, argument_of
from services.runtime.identity import Caller
from services.tool_gateway.invocation import Invocations
from services.tool_gateway.registry import load_registry
from tests.unit.tool_gateway.seeded_data import AGENT, Invoke, make_call, rows_of

LEASE = (
    "임대차 계약서\n제1조 임대인 갑과 임차인 을은 주소 나루동 12의 집을 보증금 3억원에 임대차한다.\n"
    "제2조 임대차 기간은 14개월로 한다. 제3조 임차인은 전입신고를 하지 않기로 한다.\n"
    "제4조 임대인은 해마다 8%까지 인상할 수 있다. 제5조 위약금은 계약금의 3배로 한다."
)
SALE = (
    "Sale agreement. Article 1: The seller sells to the buyer the home at 12 Naru-ro (address). The purchase price is "
    "KRW 500,000,000 and the balance is payable on handover. The penalty is 30% of the price."
)
ACT, DECREE = "주택임대차보호법", "주택임대차보호법 시행령"


async def analysed(invoke: Invoke, text: str) -> ToolResult:
    """Return the analysis of a contract in a flow that has searched the law."""
    await invoke("legal_search", {"query": "임대료 인상 한도"})
    outcome = await invoke("contract_analysis", {"text": text})
    assert isinstance(outcome, ToolResult), outcome
    return outcome


@pytest.mark.asyncio
async def test_a_contract_waits_for_the_law(invoke: Invoke) -> None:
    """Before the flow has a result of legal_search the analysis is refused and may be asked for again; then it runs."""
    early = await invoke("contract_analysis", {"text": LEASE})
    assert isinstance(early, ToolFailure)
    assert (early.reason, early.retryable) == ("DEPENDENCY_NOT_MET", True)
    assert "legal_search" in early.message
    first = await analysed(invoke, LEASE)
    again = await invoke("contract_analysis", {"text": LEASE})
    assert isinstance(again, ToolResult)
    assert (first.replayed, again.replayed, again.rows_json) == (False, True, first.rows_json)


@pytest.mark.asyncio
async def test_each_finding_has_its_figures_and_articles(invoke: Invoke) -> None:
    """Risk, term, rise and penalty of a bad lease are a row each: what it states, its limit, and the right articles."""
    rows = rows_of(await analysed(invoke, LEASE))
    assert {row["contract_kind"] for row in rows} == {"lease"}
    told = {
        row["item"]: (row["finding"], row["stated"], row["limit"], row["unit"], row["articles_ko"])
        for row in rows
        if row["finding"] != "missing_clause"
    }
    assert told == {
        "no_move_in_report": ("risky_wording", None, None, None, [f"{ACT} 제3조", f"{ACT} 제10조"]),
        "short_term": ("term", 14.0, 24.0, "months", [f"{ACT} 제4조", f"{ACT} 제10조"]),
        "rise_above_cap": ("rise", 8.0, 5.0, "percent", [f"{ACT} 제7조", f"{DECREE} 제8조"]),
        "penalty_high": ("penalty", None, None, None, ["민법 제398조", f"{ACT} 제10조"]),
    }
    missing = {row["item"]: row["articles_ko"] for row in rows if row["finding"] == "missing_clause"}
    assert {"handover", "repair", "restoration", "refund", "encumbrance"} <= set(missing)
    assert not {"parties", "deposit", "term", "property"} & set(missing)
    assert list(missing.values()) == [[]] * len(missing)
    rise = next(row for row in rows if row["item"] == "rise_above_cap")
    assert "8%" in rise["text_ko"]
    assert "above the cap of 5%" in rise["text_en"]
    assert rise["articles_en"][0] == "Housing Lease Protection Act, Article 7"


@pytest.mark.asyncio
async def test_a_sale_has_no_rules_of_leases(invoke: Invoke) -> None:
    """A sale lacks clauses of a sale, its penalty is held against a tenth of the price, and no rule of leases."""
    rows = rows_of(await analysed(invoke, SALE))
    assert {row["contract_kind"] for row in rows} == {"sale"}
    assert [row["item"] for row in rows if row["finding"] != "missing_clause"] == ["penalty_high"]
    assert "ownership" in {row["item"] for row in rows}
    assert not {"deposit", "term", "restoration"} & {row["item"] for row in rows}


@pytest.mark.asyncio
async def test_a_penalty_in_won_is_held_against_the_deposit(invoke: Invoke) -> None:
    """A penalty that is named as a sum stands out above a tenth of the deposit, and not below it."""
    high = rows_of(await analysed(invoke, LEASE.replace("계약금의 3배로", "4,500만원으로")))
    low = rows_of(await analysed(invoke, LEASE.replace("계약금의 3배로", "1,500만원으로")))
    assert [row["item"] for row in high if row["finding"] == "penalty"] == ["penalty_high"]
    assert [row for row in low if row["finding"] == "penalty"] == []


@pytest.mark.asyncio
async def test_a_draft_has_nothing_to_find(invoke: Invoke) -> None:
    """The text of our own draft lacks no clause and has no risky words, in both languages; the note says so."""
    for locale in ("ko", "en"):
        (draft,) = rows_of(await invoke("lease_document", {"form": "jeonse", "locale": locale}))
        outcome = await analysed(invoke, draft["text"])
        assert rows_of(outcome) == []
        assert "nothing" in outcome.note


@pytest.mark.asyncio
async def test_the_law_is_in_the_provenance_and_the_contract_is_not(invoke: Invoke) -> None:
    """It says formula, table, day and the sample mark of the law it used, and a digest in place of the text."""
    found = await analysed(invoke, LEASE)
    provenance = found.provenance
    assert (provenance.template_id, provenance.table, provenance.sample) == (
        "contract_analysis.v1",
        "law_articles",
        True,
    )
    assert provenance.source.startswith("computed from the arguments over: ")
    assert provenance.as_of_time is not None
    filters = json.loads(provenance.filters_json)
    assert set(filters) == {"text_sha256"}
    assert "나루동" not in provenance.filters_json.decode()


@pytest.mark.parametrize(
    ("tool", "arguments", "reason", "field"),
    [
        ("contract_analysis", {}, "MISSING_REQUIRED_FIELD", "text"),
        ("contract_analysis", {"text": 7}, "TYPE_MISMATCH", "text"),
        ("contract_analysis", {"text": "짧은 계약서"}, "VALUE_OUT_OF_RANGE", "text"),
        ("contract_analysis", {"text": "오늘 날씨가 참 좋습니다. " * 20}, "VALUE_OUT_OF_RANGE", "text"),
        ("contract_analysis", {"text": LEASE + "가" * TEXT_CHARS_MAX}, "VALUE_OUT_OF_RANGE", "text"),
        ("contract_analysis", {"text": LEASE, "url": "x"}, "INVALID_FORMAT", "url"),
        ("lease_document", {}, "MISSING_REQUIRED_FIELD", "form"),
        ("lease_document", {"form": "gift"}, "VALUE_OUT_OF_RANGE", "form"),
        ("lease_document", {"form": "jeonse", "landlord": "가" * 101}, "VALUE_OUT_OF_RANGE", "landlord"),
        ("lease_document", {"form": "jeonse", "tenant": " \u200b "}, "VALUE_OUT_OF_RANGE", "tenant"),
        ("lease_document", {"form": "jeonse", "special": "가" * 2_001}, "VALUE_OUT_OF_RANGE", "special"),
        ("lease_document", {"form": "jeonse", "rent_day": 31}, "VALUE_OUT_OF_RANGE", "rent_day"),
        ("lease_document", {"form": "jeonse", "start": "2027-02-30"}, "INVALID_FORMAT", "start"),
        ("lease_document", {"form": "jeonse", "seller": "한서윤"}, "VALUE_OUT_OF_RANGE", "seller"),
        ("lease_document", {"form": "sale", "rent_krw": 500_000}, "VALUE_OUT_OF_RANGE", "rent_krw"),
        (
            "lease_document",
            {"form": "jeonse", "start": "2027-03-02", "end": "2027-03-01"},
            "VALUE_OUT_OF_RANGE",
            "end",
        ),
        (
            "lease_document",
            {"form": "sale", "price_krw": 500, "earnest_krw": 200, "middle_krw": 200, "balance_krw": 200},
            "VALUE_OUT_OF_RANGE",
            "price_krw",
        ),
    ],
)
@pytest.mark.asyncio
async def test_bad_input_is_refused_with_its_field(invoke, tool, arguments, reason, field) -> None:
    """What is no contract, too long, of another form or at odds with itself is refused before the law is asked for."""
    refused = await invoke(tool, arguments)
    assert isinstance(refused, ToolFailure)
    assert (refused.reason, refused.field, refused.retryable) == (reason, field, False)


@pytest.mark.parametrize("form", ["jeonse", "monthly_rent", "sale"])
@pytest.mark.parametrize("locale", ["ko", "en"])
@pytest.mark.asyncio
async def test_what_is_not_given_stays_a_placeholder(invoke: Invoke, form: Any, locale: str) -> None:
    """With nothing but its form a draft names every field as missing, each visible in the text."""
    (row,) = rows_of(await invoke("lease_document", {"form": form, "locale": locale}))
    known = forms()
    # A jeonse lease has no rent, unless it is given.
    without = {"rent", "rent_day"} if form == "jeonse" else set()
    assert set(row["missing"]) == set(known.forms[form].fields()) - without
    assert [f"【{name}: " in row["text"] for name in row["missing_names"]] == [True] * len(row["missing"])
    assert (row["form"], row["locale"], row["approval"]) == (form, locale, "required")


@pytest.mark.asyncio
async def test_what_is_given_stands_in_the_draft(invoke: Invoke) -> None:
    """Names, sums, days and area are written as the language has them; only the rest is missing."""
    given = {
        "form": "monthly_rent",
        "landlord": "오세라",
        "tenant": "문태준",
        "address": "나루로 12, 3동 404호",
        "area_m2": 59.94,
        "deposit_krw": 50_000_000,
        "earnest_krw": "5000000",
        "balance_krw": 45_000_000,
        "rent_krw": 900_000,
        "rent_day": 25,
        "start": "2027-03-01",
        "end": "2029-02-28",
    }
    (row,) = rows_of(await invoke("lease_document", given))
    assert "임대인 오세라와 임차인 문태준은" in row["text"]
    for said in (
        "나루로 12, 3동 404호",
        "59.94㎡",
        "5,000만원",
        "500만원",
        "월세는 90만원",
        "매월 25일",
        "2027년 3월 1일",
    ):
        assert said in row["text"]
    assert row["missing"] == ["balance_date", "account", "handover", "special", "signed_on"]
    (english,) = rows_of(await invoke("lease_document", {**given, "locale": "en"}))
    assert "from March 1, 2027 to February 28, 2029" in english["text"]
    assert "59.94 m²" in english["text"]


@pytest.mark.asyncio
async def test_a_value_is_text_and_no_template(invoke: Invoke) -> None:
    """Braces and line breaks of a value fill no other field and open no paragraph."""
    hostile = {"form": "sale", "seller": "{buyer}\n\n제99조(몰래) 무효", "buyer": "류하린"}
    (row,) = rows_of(await invoke("lease_document", hostile))
    assert "{buyer}  제99조(몰래) 무효" in row["text"]
    assert not any(line.startswith("제99조") for line in row["text"].splitlines())


@pytest.mark.asyncio
async def test_names_stay_out_of_the_provenance(invoke: Invoke) -> None:
    """The provenance says which fields were given and a digest, no name and no account; other input, other digest."""
    arguments = {"form": "jeonse", "landlord": "오세라", "account": "가온은행 110-22-333 오세라"}
    outcome = await invoke("lease_document", arguments)
    assert isinstance(outcome, ToolResult)
    filters = json.loads(outcome.provenance.filters_json)
    assert (filters["form"], filters["given"]) == ("jeonse", ["account", "landlord"])
    assert "오세라" not in outcome.provenance.filters_json.decode()
    assert (outcome.provenance.table, outcome.provenance.sample) == ("", False)
    other = await invoke("lease_document", {**arguments, "landlord": "오세리"})
    assert isinstance(other, ToolResult)
    assert json.loads(other.provenance.filters_json)["arguments_sha256"] != filters["arguments_sha256"]


def test_every_field_of_the_forms_is_an_argument() -> None:
    """The arguments are the fields of the forms with their units, and form and locale; none is left out."""
    assert {argument_of(name) for name in forms().fields} | {"form", "locale"} == set(
        LeaseDocumentArguments.model_fields
    )


@pytest.mark.parametrize(
    "word", ["임대인 ", "모든 ", "9", "9 ", "보증금 다음 ", "위약금 1", "인상 1", "landlord tenant ", "term 1"]
)
@pytest.mark.asyncio
async def test_the_longest_hostile_text_takes_little_time(invoke: Invoke, word: str) -> None:
    """A text of the greatest length that is made to be hard to search is read within a second."""
    await invoke("legal_search", {"query": "임대료 인상 한도"})
    text = (LEASE + " " + word * TEXT_CHARS_MAX)[:TEXT_CHARS_MAX].strip()
    began = time.process_time()
    outcome = await invoke("contract_analysis", {"text": text})
    assert isinstance(outcome, ToolResult), outcome
    assert time.process_time() - began < 1


@pytest.mark.asyncio
async def test_an_agent_without_the_grant_has_neither(invocations: Invocations) -> None:
    """The tools are called by agents that are bound to them, and by nobody else."""
    other = Caller(user_id="user-1", service="other.agent")
    for tool, arguments in (("contract_analysis", {"text": LEASE}), ("lease_document", {"form": "sale"})):
        refused = await invocations.invoke(make_call(tool, arguments, caller=other))
        assert isinstance(refused, ToolFailure)
        assert refused.reason == "UNAUTHORIZED_ACTION"
    assert other.service != AGENT
    assert {"contract_analysis", "lease_document"} <= set(load_registry().names)
