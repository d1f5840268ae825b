"""Router and planner over sockets: from a question to agents and arguments, without a model and with one."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from services.contract.flow import (
    Branch,
    DecisionSource,
    ExecutionPlan,
    IntentAlternative,
    NextAction,
    PlanStep,
    Strategy,
)
from services.runtime.errors import InvalidRequest
from tests.support.model_server import ModelServer, Reply
from tests.support.understanding import Understanding, said, understanding


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A scriptable endpoint."""
    async with ModelServer() as started:
        yield started


@pytest_asyncio.fixture
async def ruled(tmp_path: Path) -> AsyncIterator[Understanding]:
    """Router and planner without a model."""
    async with understanding(tmp_path, "router", "planner") as started:
        yield started


@pytest_asyncio.fixture
async def advised(tmp_path: Path, server: ModelServer) -> AsyncIterator[Understanding]:
    """Router and planner with a model."""
    async with understanding(tmp_path, "router", "planner", model_url=server.base_url) as started:
        yield started


async def planned(
    by: Understanding, question: str, *, locale: str = "ko", asks: bool = True, **more: Any
) -> ExecutionPlan:
    """Route a question and plan it; without its asks as a question is planned of which none is typed."""
    route = (await by.route(question, locale=locale, **more)).route
    route = route if asks else replace(route, asks=())
    return (await by.plan(question, route, locale=locale, history=more.get("history", ()))).plan


def unconditional(plan: ExecutionPlan) -> list[PlanStep]:
    """Return the steps that run whatever comes."""
    return [step for step in plan.steps if not step.condition]


def calls(plan: ExecutionPlan) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the suggested calls as (agent, tool, arguments)."""
    return [
        (step.agent, call.tool, json.loads(call.arguments_json)) for step in plan.steps for call in step.suggested_calls
    ]


@pytest.mark.asyncio
async def test_a_share(ruled: Understanding) -> None:
    """One share: a year of bars of its security, by the equity agent, with the schema's id."""
    plan = await planned(ruled, "마이크로소프트 주가 추세 보여줘", asks=False)
    assert calls(plan)[0] == ("finance.equity", "equity_prices", {"ticker": "US:MSFT", "bars": 260})
    assert plan.steps[0].suggested_calls[0].arguments_schema_id == "hapju.tool.equity_prices.arguments.v1"
    assert (plan.steps[0].required, plan.strategy, plan.unavailable_agents) == (True, Strategy.SEQUENTIAL, ())
    assert plan.estimated_duration.total_seconds() > 0


@pytest.mark.asyncio
async def test_two_shares_are_two_calls(ruled: Understanding) -> None:
    """A comparison makes one call for each security."""
    plan = await planned(ruled, "구글하고 아마존 앞으로 전망 비교해줘", asks=False)
    tickers = [arguments["ticker"] for _, tool, arguments in calls(plan) if tool == "equity_prices"]
    assert sorted(tickers) == ["US:AMZN", "US:GOOGL"]


@pytest.mark.asyncio
async def test_an_indicator(ruled: Understanding) -> None:
    """An indicator is read from 14 months back, so that the value of a year before is among the rows."""
    plan = await planned(ruled, "How high is the US CPI now?", locale="en", asks=False)
    expected = {"series_ids": ["CPIAUCSL"], "date_from": "2025-09-01"}
    assert calls(plan)[0] == ("finance.macro", "macro_series", expected)


@pytest.mark.asyncio
async def test_a_named_period_keeps_its_end(ruled: Understanding) -> None:
    """A past period ends the rows where it ends, and begins 14 months before that."""
    plan = await planned(ruled, "작년 12월 한국 실업률 알려줘", asks=False)
    expected = {"series_ids": ["KR_UNEMPLOYMENT"], "date_from": "2024-10-01", "date_to": "2025-12-31"}
    assert calls(plan)[0] == ("finance.macro", "macro_series", expected)
    assert "2025-12-01~2025-12-31" in plan.normalised_question


@pytest.mark.asyncio
async def test_a_home(ruled: Understanding) -> None:
    """Region, kind of home and kind of deal reach the typed query as the data names them."""
    plan = await planned(ruled, "해운대구 오피스텔 월세 시세 알려줘")
    [(agent, tool, arguments)] = calls(plan)
    assert (agent, tool, arguments["dataset"]) == ("realty.search", "query_data", "home_prices")
    assert {one["field"]: one["value"] for one in arguments["filters"]} == {
        "region_code": "2635",
        "property_type": "officetel",
        "deal_type": "monthly_rent",
    }
    assert arguments["measures"][:2] == ["monthly_rent", "rent_deposit"]
    slots = {slot.slot: (json.loads(slot.value_json), slot.source) for slot in plan.slots}
    assert slots["region_code"] == ("26350", "question")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("월세 80만원을 95만원으로 올려달래요", "legal_search", {"query": "임대료 증액 한도 월세 인상 초과"}),
        ("묵시적 갱신이 되면 언제 나갈 수 있나요", "legal_search", {"query": "묵시적 갱신이 되면 언제 나갈 수 있나요"}),
        ("전세대출 금리 비교해줘", "loan_data", {"purpose": "jeonse"}),
        ("주택담보대출 금리 비교해줘", "loan_data", {"purpose": "mortgage"}),
    ],
)
async def test_law_and_loans(ruled: Understanding, question: str, tool: str, arguments: dict[str, str]) -> None:
    """Law and loans are read where the intent rests on them, and no other tool without a region."""
    plan = await planned(ruled, question, asks=False)
    assert [(name, one) for _, name, one in calls(plan)] == [
        (tool, {**arguments, "limit": 6} if tool == "legal_search" else arguments)
    ]
    assert "legal_query" not in {slot.slot for slot in plan.slots}


@pytest.mark.asyncio
async def test_a_risk_needs_every_deal(ruled: Understanding) -> None:
    """Whether a jeonse is safe is judged by sale prices too, so that the named deal binds no call."""
    plan = await planned(ruled, "송파구 아파트 전세 위험한지 봐줘")
    where = {"region_code": "11710", "property_type": "apartment"}
    assert [(tool, arguments) for _, tool, arguments in calls(plan)[:2]] == [
        ("market_data", where),
        ("real_estate_search", where),
    ]
    assert [step.agent for step in plan.steps] == ["realty.search", "realty.analysis"]


@pytest.mark.asyncio
async def test_goods(ruled: Understanding) -> None:
    """A recommendation is answered by its own agent, from the data of its category and what was bought before."""
    plan = await planned(ruled, "10만원 이하 기계식 키보드 추천해줘")
    agent, tool, arguments = calls(plan)[0]
    assert (agent, tool, arguments["dataset"]) == ("commerce.reco_fit", "query_data", "products")
    assert plan.unavailable_agents == ()
    assert [(step.agent, step.required, step.depends_on) for step in plan.steps] == [("commerce.reco_fit", True, ())]


@pytest.mark.asyncio
async def test_general_knowledge(ruled: Understanding) -> None:
    """Common knowledge is answered directly, with no call."""
    plan = await planned(ruled, "무역풍이 뭐야?")
    assert [(step.agent, step.branch, step.suggested_calls) for step in plan.steps] == [
        ("general.general_knowledge", Branch.LLM_DIRECT, ())
    ]


@pytest.mark.asyncio
@pytest.mark.parametrize(("locale", "first"), [("ko", "부산 동구"), ("en", "Dong-gu, Busan")])
async def test_an_ambiguous_district_is_asked(ruled: Understanding, locale: str, first: str) -> None:
    """A name that several cities have is asked about, in the user's language, with the places as options."""
    question = "동구 빌라 전세 시세" if locale == "ko" else "jeonse price of a villa in Dong-gu"
    plan = await planned(ruled, question, locale=locale)
    assert plan.steps == ()
    assert plan.slot_question is not None
    assert (plan.slot_question.slot, first in plan.slot_question.options) == ("region_choice", True)


@pytest.mark.asyncio
async def test_the_answer_to_a_slot_completes_the_plan(ruled: Understanding) -> None:
    """The place given as an answer joins the kinds of the question before."""
    history = said("동구 빌라 전세 시세", "어느 곳을 말씀하시나요?")
    plan = await planned(ruled, "대전 동구", history=history)
    expected = {"region_code": "30110", "property_type": "villa", "deal_type": "jeonse"}
    assert calls(plan) == [("realty.search", tool, expected) for tool in ("market_data", "real_estate_search")]


@pytest.mark.asyncio
async def test_a_follow_up_keeps_what_it_leaves_out(ruled: Understanding) -> None:
    """Kinds come from the turn before, the place from the question, and the normalised question says them."""
    plan = await planned(ruled, "그럼 강서구는?", history=said("양천구 아파트 매매 시세", "찾았습니다."))
    assert plan.slot_question is not None  # 서울 and 부산 both have a 강서구
    plan = await planned(ruled, "그럼 노원구는?", history=said("양천구 아파트 매매 시세", "찾았습니다."))
    expected = {"region_code": "11350", "property_type": "apartment", "deal_type": "sale"}
    assert calls(plan) == [("realty.search", tool, expected) for tool in ("market_data", "real_estate_search")]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "agents"),
    [
        ("구로구 오피스텔 전세 시세", ["search"]),
        ("구로구 오피스텔 전세 2억인데 시세에 비해 괜찮은 걸까", ["search", "analysis"]),
        ("집주인이 보증금을 안 돌려주는데 어떻게 해야 하나요", ["search", "analysis"]),
        ("연봉 4천만원이면 전세대출 얼마까지 가능해? 계산해줘", ["search", "analysis"]),
        ("월세 계약서 초안 만들어줘", ["document"]),
        ("이 전세 위험한지 분석해줘", ["search", "analysis"]),
        ("구로구 전세 종합 보고서 만들어줘", ["search", "analysis", "document"]),
    ],
)
async def test_wording_selects_agents(ruled: Understanding, question: str, agents: list[str]) -> None:
    """A fact needs search; judgement, advice and sums add analysis; a contract and a report need the document."""
    plan = await planned(ruled, question, asks=False)
    assert [step.agent.partition(".")[2] for step in plan.steps] == agents


@pytest.mark.asyncio
async def test_reasons_run_beside_figures(ruled: Understanding) -> None:
    """A question for figures and causes has both branches, side by side."""
    plan = await planned(ruled, "테슬라가 왜 떨어졌는지 하락 폭이랑 같이 알려줘")
    assert [step.branch for step in plan.steps] == [Branch.SQL, Branch.GRAPH]
    assert (plan.strategy, [step.depends_on for step in plan.steps]) == (Strategy.CONDITIONAL_PARALLEL, [(), ()])


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "steps"),
    [
        (
            "도봉구 전세가 2억 밑이면 계약서 초안 만들어주고 아니면 됐어",
            [("realty.search", ""), ("realty.document", "도봉구 전세가 2억 밑이면")],
        ),
        (
            "아직 배송 출발 안 했으면 ORD-20261119-0456 취소해줘",
            [("commerce.order_flow", ""), ("commerce.after_sales", "아직 배송 출발 안 했으면")],
        ),
    ],
)
async def test_a_condition(ruled: Understanding, question: str, steps: list[tuple[str, str]]) -> None:
    """The fact is found out first; what hangs on it is a step with a condition; the plan is adaptive."""
    plan = await planned(ruled, question, asks=False)
    assert [(step.agent, step.condition) for step in plan.steps] == steps
    assert plan.strategy is Strategy.ADAPTIVE


@pytest.mark.asyncio
async def test_after_both_both_are_planned(ruled: Understanding) -> None:
    """Once the user wants both of two intents, one plan serves both, even of two domains, side by side."""
    question = "한국 기준금리랑 강동구 아파트 시세"
    route = (await ruled.route(question)).route
    both = replace(
        route,
        intent="indicator_lookup",
        domain="finance",
        next_action=NextAction.PROCEED,
        reason="MULTIPLE_INTENTS",
        alternatives=(IntentAlternative("MARKET_INQUIRY", 0.9),),
    )
    plan = (await ruled.plan(question, both)).plan
    assert [step.agent for step in unconditional(plan)] == ["finance.macro", "realty.search"]
    assert plan.strategy is Strategy.PARALLEL


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "branches"),
    [
        ("삼성전자 주가 흐름 보여줘", [Branch.SQL, Branch.GRAPH]),
        ("미국 실업률 최근값 알려줘", [Branch.SQL, Branch.GRAPH]),
    ],
)
async def test_a_step_of_one_branch_has_a_companion(
    ruled: Understanding, question: str, branches: list[Branch]
) -> None:
    """The same agent's opposite branch stands behind it, on the condition that it asks, and decides no strategy."""
    plan = await planned(ruled, question, asks=False)
    first, second = plan.steps
    assert [step.branch for step in plan.steps] == branches
    assert (second.agent, second.depends_on, second.condition) == (first.agent, ("s1",), "companion_of:s1")
    assert (first.required, second.required, second.suggested_calls) == (True, False, first.suggested_calls)
    assert plan.strategy is Strategy.SEQUENTIAL


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "question", ["엔비디아 주가가 왜 내렸어", "강남구 아파트 전세 시세 알려줘", "인플레이션이 뭐야"]
)
async def test_a_plan_of_both_branches_or_of_none_has_no_companion(ruled: Understanding, question: str) -> None:
    """What runs anyway is not run again, and who reads one kind of data has no other branch."""
    plan = await planned(ruled, question)
    assert unconditional(plan) == list(plan.steps)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("question", "agents", "tickers"),
    [
        (
            "반도체 업종 요즘 왜 내렸어",
            {"finance.equity": True},
            {"US:NVDA", "US:AMD", "US:AVGO", "KR:005930", "KR:000660"},
        ),
        ("지금 주식 매수 타이밍이야?", {"finance.equity": False, "finance.macro": True}, set()),
        ("지금 조선 업종에 들어가도 될까", {"finance.equity": True, "finance.macro": False}, set()),
    ],
)
async def test_a_sector_is_read_by_its_shares(
    ruled: Understanding, question: str, agents: dict[str, bool], tickers: set[str]
) -> None:
    """Where no share is named the sector's covered ones are read; of a sector without any that is said.

    The agent of shares stands before it all the same: it says what is not covered.
    """
    plan = await planned(ruled, question)
    assert {step.agent: step.required for step in plan.steps if step.branch is Branch.SQL} == agents
    assert plan.steps[0].agent == "finance.equity"
    assert {arguments["ticker"] for _, tool, arguments in calls(plan) if tool == "equity_prices"} == tickers


@pytest.mark.asyncio
async def test_what_is_answered_at_once_has_no_steps(ruled: Understanding) -> None:
    """A greeting has a plan without steps."""
    assert (await planned(ruled, "안녕하세요")).steps == ()


@pytest.mark.asyncio
async def test_an_unknown_intent_is_refused(ruled: Understanding) -> None:
    """A route of an intent that there is not, wherever it stands, names the field."""
    route = (await ruled.route("송파구 아파트 시세")).route
    typed = replace(route.asks[0], intent="SOMETHING")
    for field, odd in (
        ("intent", replace(route, intent="SOMETHING")),
        ("alternatives.intent", replace(route, alternatives=(IntentAlternative("SOMETHING", 0.4),))),
        ("asks.intent", replace(route, asks=(typed,))),
    ):
        with pytest.raises(InvalidRequest, match=rf"route\.{field}"):
            await ruled.plan("송파구 아파트 시세", odd)


@pytest.mark.asyncio
async def test_a_rewrite_that_loses_a_number_is_dropped(advised: Understanding, server: ModelServer) -> None:
    """A model's rewrite without the user's figure is not used; a faithful one is."""
    question = "지난달 강북구 빌라 전세 2억 5천만원이면 시세보다 비싼 편이야"
    route = (await advised.route(question)).route
    lossy = "강북구 빌라 전세가 시세보다 비싼가요"
    faithful = "2026년 10월 강북구 빌라 전세 2억 5천만원(250,000,000원)이면 시세보다 비싼 편인가요"
    for text, used in ((lossy, False), (faithful, True)):
        server.script("query_normalization", Reply(text=json.dumps({"normalised_question": text, "reasoning": "r"})))
        plan = (await advised.plan(question, route)).plan
        assert (plan.normalised_question == text) is used


@pytest.mark.asyncio
async def test_a_model_cannot_invent_an_agent(advised: Understanding, server: ModelServer) -> None:
    """An agent that was not offered, twice, gives FALLBACK and the rule's plan."""
    step = {"agent": "finance.oracle", "task": "guess", "depends_on": []}
    reply = Reply(text=json.dumps({"steps": [step], "confidence": 1.0, "reasoning": "r"}))
    server.script("agent_selection", reply, reply)
    route = (await advised.route("국내 증시 시황 정리해줘")).route
    answer = await advised.plan("국내 증시 시황 정리해줘", route)
    selection = next(one for one in answer.spent.decisions if one.kind == "agent_selection")
    assert selection.source is DecisionSource.FALLBACK
    assert [step.agent for step in unconditional(answer.plan)] == ["finance.macro"]


@pytest.mark.asyncio
async def test_decisions_that_agree_are_asked_together(advised: Understanding, server: ModelServer) -> None:
    """Where the model keeps the rule's plan, who does what and how is settled in the time of one call, each once."""
    question = "송파구 아파트 시세와 리스크를 종합해서 보고서로"
    route = (await advised.route(question)).route
    kinds = ("agent_selection", "query_decomposition", "execution_strategy")
    server.calls.clear()
    server.script("agent_selection", Reply(text=_as_ruled("agent", "task"), latency_seconds=0.3))
    server.script("query_decomposition", Reply(text=_as_ruled("agent", "sub_question"), latency_seconds=0.3))
    planning = asyncio.create_task(advised.plan(question, route))
    await server.until(lambda it: all(it.count(kind) == 1 for kind in kinds) and it.open_requests >= 2)
    answer = await planning
    assert [server.count(kind) for kind in kinds] == [1, 1, 1]
    assert [step.depends_on for step in answer.plan.steps] == [(), ("s1",), ("s2",)]
    assert {one.source for one in answer.spent.decisions if one.kind in kinds} == {DecisionSource.LLM}


def _as_ruled(*named: str) -> str:
    """Returns the rule's own team for a report, as a model words it."""
    team = ("realty.search", "realty.analysis", "realty.document")
    steps = [
        {**dict(zip(named, (agent, f"part {n}"), strict=True)), "depends_on": [n] if n else []}
        for n, agent in enumerate(team)
    ]
    more = {} if "task" in named else {"condition": ""}
    return json.dumps({"steps": [step | more for step in steps], "confidence": 0.9, "reasoning": "r"})


@pytest.mark.asyncio
async def test_a_model_cannot_leave_out_what_is_required(advised: Understanding, server: ModelServer) -> None:
    """A selection without the intent's required agent is dropped for the rule's plan."""
    step = {"agent": "finance.equity", "task": "shares only", "depends_on": []}
    server.script("agent_selection", Reply(text=json.dumps({"steps": [step], "confidence": 1.0, "reasoning": "r"})))
    route = (await advised.route("국내 증시 시황 정리해줘")).route
    plan = (await advised.plan("국내 증시 시황 정리해줘", route)).plan
    assert [step.agent for step in unconditional(plan)] == ["finance.macro"]


@pytest.mark.asyncio
@pytest.mark.parametrize("reply", [Reply(status=500), Reply(hang=True), Reply(text="[]")])
async def test_a_failing_model_leaves_the_rule(advised: Understanding, server: ModelServer, reply: Reply) -> None:
    """A model that fails changes neither agents nor arguments."""
    server.always(reply)
    plan = await planned(advised, "지난달 미국 실업률 알려줘", asks=False)
    expected = {"series_ids": ["UNRATE"], "date_from": "2025-08-01", "date_to": "2026-10-31"}
    assert calls(plan)[0] == ("finance.macro", "macro_series", expected)
