"""Requests to the synthesizer, put together from small parts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from services.contract.entities import Entity
from services.contract.flow import (
    AgentResult,
    AgentStatus,
    Budget,
    Evidence,
    Metric,
    NextAction,
    Provenance,
    RouteDecision,
    RunContext,
    ToolMode,
)
from services.contract.synthesizer import SynthesizeRequest

NOW = datetime(2026, 11, 27, 0, 0, tzinfo=UTC)
"""The flow's instant: nine in the morning in Seoul."""
CLOSED = datetime(2026, 11, 26, 21, 0, tzinfo=UTC)
"""When the newest US session closed."""


def evidence(
    evidence_id: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    data_type: str = "price",
    title: str = "",
    as_of: datetime | None = CLOSED,
    sample: bool = True,
    dataset: str = "sample",
) -> Evidence:
    """Return evidence that holds rows."""
    provenance = Provenance(
        "generated", dataset, "table", b"{}", as_of, len(rows), "template.v1", "f" * 64, sample=sample
    )
    return Evidence(
        evidence_id, data_type, title or evidence_id, "", json.dumps(list(rows)).encode(), "rows.v1", provenance
    )


def metric(name: str, label: str, value: str, unit: str, subject: str, *evidence_ids: str, word: str = "") -> Metric:
    """Return a metric of the newest session."""
    return Metric(name, label, value, word, unit, datetime(2026, 11, 26, tzinfo=UTC), evidence_ids, subject)


def route(domain: str, intent: str, entities: tuple[Entity, ...] = ()) -> RouteDecision:
    """Return a route that goes on."""
    return RouteDecision(
        domain, intent, 0.9, (), intent, True, False, ToolMode.SINGLE, (), entities, (),
        NextAction.PROCEED, "vote", (), "", (), "", False,
    )  # fmt: skip


def request(
    results: Sequence[AgentResult],
    *,
    locale: str = "ko",
    domain: str = "finance",
    intent: str = "general_macro",
    cautions: Sequence[str] = (),
    question: str = "어떻습니까?",
    domains: Sequence[str] = (),
) -> SynthesizeRequest:
    """Return a request for an answer."""
    run = RunContext(
        "019a0000-0000-7000-8000-000000001234",
        "session",
        locale,
        NOW,
        "Asia/Seoul",
        Budget(40, 100_000, 3, 10**6),
        tuple(domains),
    )
    return SynthesizeRequest(run, question, route(domain, intent), tuple(results), tuple(cautions), 1)


def equity(locale: str = "ko") -> AgentResult:
    """Return what is found about the price of one share, from two bars."""
    korean = locale == "ko"
    name = "애플" if korean else "Apple"
    rows = [
        {"date": "2026-11-26", "close": 262.1, "currency": "USD", "volume": 51_000_200, "security_id": "US:AAPL"},
        {"date": "2026-11-25", "close": 260.0, "currency": "USD", "volume": 40_000_100, "security_id": "US:AAPL"},
    ]
    piece = evidence("ev-00aa11", rows, title=f"{name} 일별 주가" if korean else f"{name} daily prices")
    of = ("ev-00aa11",)
    return AgentResult(
        agent="finance.equity",
        step_id="step-1",
        status=AgentStatus.ANSWERED,
        summary=(
            "애플의 2026년 11월 26일 종가는 262.1달러로, 직전 거래일보다 0.81% 올랐습니다."
            if korean
            else "Apple closed at $262.1 on November 26, 2026, up 0.81% from the session before."
        ),
        metrics=(
            metric("latest_close", "종가" if korean else "Close", "262.1", "usd", name, *of),
            metric("return_1d", "1거래일 수익률" if korean else "1-session return", "0.8077", "percent", name, *of),
            metric("ma_20", "20일 이동평균" if korean else "20-day average", "255.3", "usd", name, *of),
            metric("deepest_fall", "최대 낙폭" if korean else "Deepest fall", "-12.5", "percent", name, *of),
            metric("short_trend", "단기 추세" if korean else "Short-term trend", "", "", name, *of, word="up"),
        ),
        evidence=(piece,),
        confidence=0.85,
        suggested_actions=("같은 업종의 다른 종목과 비교해 보세요." if korean else "Compare it with a peer.",),
        cautions=("예시 데이터로 만든 결과입니다." if korean else "This rests on sample data.",),
    )


def macro(locale: str = "ko") -> AgentResult:
    """Return what is found about one monthly series."""
    korean = locale == "ko"
    name = "미국 실업률" if korean else "US unemployment rate"
    rows = [
        {"series_id": "UNRATE", "unit": "%", "frequency": "monthly", "date": "2026-10-01", "value": 4.1,
         "as_of": "2026-11-06T13:30:00Z", "next_release_date": "2026-12-04"},
        {"series_id": "UNRATE", "unit": "%", "frequency": "monthly", "date": "2026-09-01", "value": 4.3,
         "as_of": "2026-10-02T13:30:00Z", "next_release_date": "2026-11-06"},
    ]  # fmt: skip
    as_of = datetime(2026, 11, 6, 13, 30, tzinfo=UTC)
    piece = evidence("ev-00bb22", rows, data_type="macro", title=name, as_of=as_of, dataset="macro")
    latest = replace(
        metric("latest_value", "최근 값" if korean else "latest value", "4.1", "percent", name, "ev-00bb22"),
        as_of_time=datetime(2026, 10, 1, tzinfo=UTC),
    )
    change = replace(
        latest, name="change", label="전월 대비" if korean else "change", value="-0.2", unit="percentage_point"
    )
    return AgentResult(
        agent="finance.macro",
        step_id="step-2",
        status=AgentStatus.ANSWERED,
        summary=(
            "미국 실업률은 2026년 10월 4.1%로, 전월보다 0.2%p 내렸습니다."
            if korean
            else "The US unemployment rate was 4.1% in October 2026, down 0.2 percentage points from the month before."
        ),
        metrics=(latest, change),
        evidence=(piece,),
        confidence=0.9,
        suggested_actions=("관련된 다른 지표와 비교해 보세요." if korean else "Compare it with a related series.",),
    )


def nothing(agent: str = "realty.search", *, failed: bool = False, summary: str = "") -> AgentResult:
    """Return the result of an agent that found nothing or whose tools failed."""
    status = AgentStatus.FAILED if failed else AgentStatus.INSUFFICIENT_DATA
    return AgentResult(agent, "step-3", status, summary, reason="NO_ROWS")
