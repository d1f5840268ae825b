"""Rows and results of earlier steps as the realty agents read them, written down by the tests."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from services.contract.flow import AgentResult, AgentStatus, Evidence, Provenance, SlotValue
from services.plugin.findings import Asking

NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
AS_OF = "2026-11-26T21:00:00Z"


def asking(question: str, intent: str = "LEGAL_CONSULT", *, locale: str = "ko", **changed: Any) -> Asking:
    """Returns what is asked of an agent; `prior` are results of earlier steps."""
    slots = tuple(
        SlotValue(name, json.dumps(value).encode(), "answer") for name, value in changed.pop("slots", {}).items()
    )
    prior = tuple(changed.pop("prior", ()))
    return Asking(question, locale, NOW, "Asia/Seoul", intent, (), (), prior, slots)


def result(tool: str, data_type: str, *rows: dict[str, Any], sample: bool = True) -> AgentResult:
    """Returns a search's result with one piece of evidence that holds rows of a tool."""
    provenance = Provenance("a test", "test", tool, b"{}", NOW, len(rows), f"{tool}.v1", "f" * 64, sample)
    piece = Evidence(
        f"ev-{tool}", data_type, tool, "", json.dumps(rows).encode(), f"hapju.tool.{tool}.rows.v1", provenance
    )
    return AgentResult("realty.search", "s1", AgentStatus.ANSWERED, evidence=(piece,), confidence=0.8)


def article(statute: str, number: str, summary: str, **changed: Any) -> dict[str, Any]:
    """Returns an article of law."""
    english = {"주택임대차보호법": "Housing Lease Protection Act", "민법": "Civil Act"}
    return {
        "article_id": f"{statute}-{number}",
        "statute_ko": statute,
        "statute_en": english.get(statute, "Enforcement Decree of the Housing Lease Protection Act"),
        "article": number,
        "title_ko": "제목",
        "title_en": "Title",
        "summary_ko": summary,
        "summary_en": "Summary.",
        "topic": "rent",
        "is_tenant_protection": True,
        "is_tax": False,
        "as_of": AS_OF,
        **changed,
    }


RISE = article("주택임대차보호법 시행령", "8", "증액은 이십분의 일을 넘지 못하고 한 해 안에는 다시 하지 못한다.")
RISE_ACT = article("주택임대차보호법", "7", "올리는 것은 이십분의 일을 넘지 못한다.")
CONVERSION = article("주택임대차보호법 시행령", "9", "상한은 연 일 할이며 기준금리에 더하는 이율은 연 이 퍼센트이다.")
TERM = article("주택임대차보호법", "4", "이 년보다 짧게 정한 임대차는 이 년으로 본다.")


def home(name: str, deal: str, area: float, value: int, deals: int, **changed: Any) -> dict[str, Any]:
    """Returns the prices of one complex: `value` is the price, the deposit, or with `rent` the deposit beside it."""
    document: dict[str, Any] = {
        "region_code": "11680",
        "province_ko": "서울특별시",
        "province_en": "Seoul",
        "region_ko": "강남구",
        "region_en": "Gangnam-gu",
        "dong": "개포동",
        "complex_name": name,
        "property_type": "apartment",
        "deal_type": deal,
        "area_m2": area,
        "deal_count": deals,
        "as_of": AS_OF,
    }
    for figure in ("price", "deposit", "monthly_rent"):
        document |= {f"{figure}_{place}_krw": None for place in ("low", "mean", "high")}
    named = {"price": value} if deal == "sale" else {"deposit": value}
    if "rent" in changed:
        named["monthly_rent"] = changed.pop("rent")
    for figure, mean in named.items():
        low, high = int(Decimal(mean) * 9 / 10), int(Decimal(mean) * 11 / 10)
        document |= {f"{figure}_low_krw": low, f"{figure}_mean_krw": mean, f"{figure}_high_krw": high}
    return document | changed
