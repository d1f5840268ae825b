"""A plan is drawn up by what earlier flows have found: what that settles is not put to a model."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from services.contract.flow import DecisionSource, Facet, HeldLookUp
from services.contract.planner import DraftPlanResponse
from tests.support.model_server import ModelServer, Reply
from tests.support.models import SENSIBLE, Asked
from tests.support.understanding import NOW, Understanding, said, understanding

LAW = (
    "보증금 반환이 늦어지면 임차권등기를 할 수 있다는 조항 찾아줘",
    "방금 그 임차권등기 조항 다시 읽어줘",
    "LEGAL_CONSULT",
)
RISK = (
    "구로구 아파트 전세 시세랑 관련 법을 종합해줘",
    "방금 찾은 걸로 구로구 아파트 전세 위험도 알려줘",
    "RISK_ANALYSIS",
)
REPORT = (
    "구로구 아파트 전세 시세랑 관련 법을 종합해줘",
    "방금 그 구로구 아파트 전세 종합 보고서 다시 써줘",
    "COMPREHENSIVE",
)
CHOOSING = ("agent_selection", "query_decomposition", "execution_strategy")


def look_up(data_type: str, rows: int = 5, days: float = 0.01, region: str = "11530") -> HeldLookUp:
    """Returns what a search found some days ago in 구로구."""
    facets = (Facet("region", (region,)), Facet("property_type", ("apartment",)), Facet("deal_type", ("jeonse",)))
    topics = (Facet("topic", ("lease_registration",)),)
    return HeldLookUp(
        data_type, "realty.search", rows, topics if data_type == "legal" else facets, (), NOW - timedelta(days=days)
    )


def judging(is_sufficient: bool, confidence: float = 0.97) -> str:
    """Returns a model's first judgement."""
    source = "chat_history" if is_sufficient else "none"
    judgement = {"is_sufficient": is_sufficient, "confidence": confidence, "data_source": source}
    return json.dumps({**judgement, "missing_types": [], "reasoning": "r"})


@pytest_asyncio.fixture(params=[True, False], ids=["ahead", "one by one"])
async def shaped(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Understanding, ModelServer]]:
    """Router and planner with a sensible model, in the fast and in the serial shape."""
    async with ModelServer(SENSIBLE) as server:
        settings: dict[str, Any] = {"model_url": server.base_url, "decide_ahead": request.param}
        async with understanding(tmp_path, "router", "planner", **settings) as started:
            yield started, server


async def planned(
    by: tuple[Understanding, ModelServer], talk: tuple[str, str, str], held: tuple[HeldLookUp, ...], judgement: str
) -> DraftPlanResponse:
    """Plans the second question of a conversation."""
    understood, server = by
    first, question, intent = talk
    history = said(first, "찾은 내용입니다.")
    route = (await understood.route(question, history=history, intent_hint=intent)).route
    server.script("data_sufficiency_check", Reply(text=judgement))
    return await understood.plan(question, route, history=history, held=held)


def chosen_by(came: DraftPlanResponse) -> list[DecisionSource]:
    """Returns who decided on agents, parts and strategy."""
    return [one.source for kind in CHOOSING for one in came.spent.decisions if one.kind == kind]


RULE, LLM = DecisionSource.RULE, DecisionSource.LLM
LAW_HELD, BOTH_HELD = (look_up("legal"),), (look_up("market"), look_up("legal"))


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("talk", "held", "sure", "sources"),
    [
        (LAW, LAW_HELD, True, [RULE, RULE, RULE]),
        (RISK, BOTH_HELD, True, [RULE, RULE, RULE]),
        (REPORT, BOTH_HELD, True, [LLM, LLM, LLM]),
        (LAW, LAW_HELD, False, [LLM, RULE, RULE]),
        (RISK, BOTH_HELD, False, [LLM, LLM, LLM]),
        (RISK, BOTH_HELD[:1], True, [LLM, LLM, LLM]),
        (RISK, (look_up("market", region="11545"), look_up("legal")), True, [LLM, LLM, LLM]),
        (RISK, (look_up("market", days=9), look_up("legal")), True, [LLM, LLM, LLM]),
        (LAW, (), True, [LLM, RULE, RULE]),
    ],
    ids=["law", "risk", "two left", "unsure", "unsure of both", "missing", "elsewhere", "old", "not told"],
)
async def test_what_is_held_leaves_nothing_to_choose(
    shaped: tuple[Understanding, ModelServer],
    talk: tuple[str, str, str],
    held: tuple[HeldLookUp, ...],
    sure: bool,
    sources: list[DecisionSource],
) -> None:
    """One step left at most: by rule. Two left, an unsure model, or what will not be used: a model is asked as ever.

    Either way each kind of decision is made once, and in both shapes alike.
    """
    came = await planned(shaped, talk, held, judging(sure))
    assert chosen_by(came) == sources
    kinds = sorted(one.kind for one in came.spent.decisions)
    assert kinds == sorted((*CHOOSING, "data_sufficiency_check", "query_normalization", "query_rewrite"))


@pytest.mark.asyncio
async def test_a_model_judges_by_what_was_found(tmp_path: Path) -> None:
    """It is shown types, rows and ages of the look-ups themselves, not what the wording of the questions suggests."""
    shown: list[str] = []

    def judge(asked: Asked) -> str:
        shown.append(asked.data("held"))
        return judging(is_sufficient=True)

    async with (
        ModelServer({**SENSIBLE, "data_sufficiency_check": judge}) as server,
        understanding(tmp_path, "router", "planner", model_url=server.base_url) as understood,
    ):
        history = said("음", "찾은 내용입니다.")
        question = "방금 그 구로구 아파트 전세 시세 다시 말해줘"
        route = (await understood.route(question, history=history)).route
        came = await understood.plan(question, route, history=history, held=(look_up("market", rows=7),))
    assert came.plan.sufficiency is not None
    assert came.plan.sufficiency.is_sufficient
    assert "7 rows" in shown[0]
    assert "11530" in shown[0]


@pytest.mark.asyncio
async def test_who_reads_nothing_is_left_what_it_builds_on(tmp_path: Path) -> None:
    """A model that names no dependency leaves the analysis, which has no tool, behind the search all the same."""
    _, asked, intent = RISK
    async with (
        ModelServer(SENSIBLE) as server,
        understanding(tmp_path, "router", "planner", model_url=server.base_url) as understood,
    ):
        route = (await understood.route(asked, intent_hint=intent)).route
        plan = (await understood.plan(asked, route)).plan
    assert server.count("query_decomposition") == 1
    assert [(one.agent, one.depends_on) for one in plan.steps] == [("realty.search", ()), ("realty.analysis", ("s1",))]
