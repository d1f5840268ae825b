"""One question per domain through every service, on real rows, with no model, however it is deployed."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from decimal import Decimal
from pathlib import Path

import pytest
import pytest_asyncio

from hapju.flow.v1 import answer_pb2, decision_pb2
from hapju.flow.v1 import flow_event_pb2 as events
from services.text.stated.figures import figures
from tests.support.cluster import Cluster, Told, embedded, processes

Run = Callable[[Path, Path], AbstractAsyncContextManager[Cluster]]

APPLE = "애플 주가 추세 분석해줘"
UNEMPLOYMENT = "What is the latest US unemployment rate and how has it moved?"
JEONSE = "강남구 아파트 전세 시세 알려줘"
EARPHONES = "20만원 이하 무선 이어폰 찾아줘"
KNOWLEDGE = "오늘 바깥 날씨 어때?"


# One worker starts the processes, once.
@pytest_asyncio.fixture(
    scope="module",
    loop_scope="module",
    params=[embedded, pytest.param(processes, marks=[pytest.mark.long, pytest.mark.xdist_group("processes")])],
    ids=["embedded", "processes"],
)
async def cluster(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, data: Path
) -> AsyncIterator[Cluster]:
    """The ensemble, in one process and in one process a service."""
    run: Run = request.param
    async with run(tmp_path_factory.mktemp("answers"), data) as running:
        yield running


def check_stream(told: Told) -> answer_pb2.FinalAnswer:
    """Checks what holds for every finished flow, and returns its answer."""
    answer = told.answer
    assert told.terminal == ["finished"]
    assert told.events[0].WhichOneof("event") == "accepted"
    assert list(range(1, len(told.sequences) + 1)) == told.sequences
    assert answer.final_response == told.text
    assert answer.source == decision_pb2.DECISION_SOURCE_RULE
    assert all(decision.source == decision_pb2.DECISION_SOURCE_RULE for decision in answer.decisions)
    assert answer.usage.model_calls == 0
    return answer


def money_values(text: str) -> set[Decimal]:
    """Returns the values of a text's figures."""
    return {figure.value for figure in figures(text)}


@pytest.mark.asyncio(loop_scope="module")
async def test_every_domain_answers_from_rows(cluster: Cluster) -> None:
    """Each answer's figures, dates and sources are those of the rows, and it says that they are sample data."""
    apple = check_stream(await cluster.ask(APPLE))
    close, day = cluster.rows(
        "SELECT close, date FROM us_equity_prices WHERE security_id = 'US:AAPL' ORDER BY date DESC LIMIT 1",
    )[0]
    closes = [
        Decimal(str(row[0]))
        for row in cluster.rows(
            "SELECT close FROM us_equity_prices WHERE security_id = 'US:AAPL' ORDER BY date DESC LIMIT 120",
        )
    ]
    values = money_values(apple.final_response)
    assert Decimal(str(close)) in values
    for days in (20, 60, 120):
        assert round(sum(closes[:days]) / days, 2) in values
    year, month, date = (int(part) for part in str(day).split("-"))
    assert f"{year}년 {month}월 {date}일" in apple.final_response
    assert (apple.context_meta.sample_data, "예시 데이터" in apple.final_response) == (True, True)
    assert [agent.agent_name for agent in apple.selected_agents] == ["finance.equity"]
    assert apple.citations
    assert all(citation.sample for citation in apple.citations)

    rate = check_stream(await cluster.ask(UNEMPLOYMENT))
    latest = cluster.rows(
        "SELECT value, date FROM macro_observations WHERE series_id = 'UNRATE' ORDER BY date DESC LIMIT 13",
    )
    values = money_values(rate.final_response)
    assert {Decimal(str(latest[0][0])), Decimal(str(latest[1][0]))} <= values
    change = abs(Decimal(str(latest[0][0])) - Decimal(str(latest[12][0])))
    assert change in {abs(value) for value in values}

    jeonse = check_stream(await cluster.ask(JEONSE))
    low, high, deals = cluster.rows(
        "SELECT MIN(deposit_low_krw), MAX(deposit_high_krw), SUM(deal_count) FROM realty_market_prices "
        "WHERE region_code = '11680' AND property_type = 'apartment' AND deal_type = 'jeonse'",
    )[0]
    assert {Decimal(low), Decimal(high), Decimal(deals)} <= money_values(jeonse.final_response)

    earphones = check_stream(await cluster.ask(EARPHONES))
    assert [agent.agent_name for agent in earphones.selected_agents] == ["commerce.product_search"]
    offers = {
        (name, Decimal(price))
        for name, price in cluster.rows(
            "SELECT p.name_ko, o.price_krw FROM products p JOIN offers o USING (product_id) "
            "WHERE p.category = 'earphones' AND o.price_krw <= 200000",
        )
    }
    named = {(name, price) for name, price in offers if name in earphones.final_response}
    assert named
    assert {price for _, price in named} & money_values(earphones.final_response)


@pytest.mark.asyncio(loop_scope="module")
async def test_general_knowledge_says_that_no_data_was_consulted(cluster: Cluster) -> None:
    """Without a model a question of general knowledge is answered honestly, and no tool runs."""
    told = await cluster.ask(KNOWLEDGE)
    answer = check_stream(told)
    assert told.of("tool_settled") == []
    assert "내부 데이터" in answer.final_response


@pytest.mark.long
@pytest.mark.asyncio(loop_scope="module")
async def test_a_sector_without_covered_shares_is_answered_by_the_market_at_large(cluster: Cluster) -> None:
    """The agent of shares says what it covers, the macro agent answers, and the gap is named; no share is invented."""
    told = await cluster.ask("조선 업종에 지금 들어가도 될까?")
    answer = check_stream(told)
    outcomes = {one.agent: events.AgentOutcome.Name(one.outcome) for one in told.of("agent_settled")}
    assert outcomes["finance.equity"] == "AGENT_OUTCOME_INSUFFICIENT_DATA"
    assert outcomes["finance.macro"] == "AGENT_OUTCOME_ANSWERED"
    assert "다음 내용은 결과를 얻지 못했습니다: 주가" in answer.final_response
    (rate,) = cluster.rows(
        "SELECT value FROM macro_observations WHERE series_id = 'KR_BASE_RATE' ORDER BY date DESC LIMIT 1"
    )[0]
    assert Decimal(str(rate)) in money_values(answer.final_response)
