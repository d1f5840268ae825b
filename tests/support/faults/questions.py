"""The flows that faults are put into: fifteen questions, each by rule and by a model that understands it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from tests.support.models import SENSIBLE, Answer, Asked


@dataclass(frozen=True)
class Question:
    """One question and how a model that understands it reads it."""

    name: str
    """A short name for tables."""
    text: str
    """As it is asked."""
    domain: str
    """Its domain."""
    intent: str
    """Its intent."""
    agents: tuple[str, ...]
    """Who answers, in order, each over the one before."""
    earlier: str = ""
    """What the conversation has asked before it; empty where it begins it."""
    wishes: bool = False
    """True where its agent is a double that wants something bought, which the user approves."""


QUESTIONS = (
    Question("prices", "강남구 아파트 전세 시세 알려줘", "realty", "MARKET_INQUIRY", ("realty.search",)),
    Question("listings", "Show me apartments for sale in Mapo-gu", "realty", "MARKET_INQUIRY", ("realty.search",)),
    Question(
        "price+risk",
        "송파구 아파트 매매 시세를 알려주고 위험도 분석해줘",
        "realty",
        "COMPREHENSIVE",
        ("realty.search", "realty.analysis"),
    ),
    Question(
        "report",
        "마포구 아파트 시세와 위험도로 종합 보고서를 만들어줘",
        "realty",
        "COMPREHENSIVE",
        ("realty.search", "realty.analysis", "realty.document"),
    ),
    Question("law", "집주인이 전세금을 올려달라는데 법으로 되나요?", "realty", "LEGAL_CONSULT", ("realty.search",)),
    Question("share", "엔비디아 주가 흐름 알려줘", "finance", "us_single_stock", ("finance.equity",)),
    Question(
        "indicator", "What is the latest US unemployment rate?", "finance", "indicator_lookup", ("finance.macro",)
    ),
    Question("cause", "미국 금리가 왜 내렸어?", "finance", "general_macro", ("finance.macro", "finance.ontology")),
    Question("share-en", "How have Tesla shares moved lately?", "finance", "us_single_stock", ("finance.equity",)),
    Question("homes", "노원구 아파트값 추이 보여줘", "finance", "real_estate_detail", ("finance.real_estate",)),
    Question(
        "goods", "30만원 이하 무선 이어폰 추천해줘", "commerce", "get_recommendation", ("commerce.product_search",)
    ),
    Question(
        "goods-en",
        "show me wireless earphones under 150000 won",
        "commerce",
        "search_product",
        ("commerce.product_search",),
    ),
    Question(
        "reuse",
        "방금 찾은 서초구 아파트 전세 시세 다시 정리해줘",
        "realty",
        "MARKET_INQUIRY",
        ("realty.search",),
        earlier="서초구 아파트 전세 시세 알려줘",
    ),
    Question(
        "reuse+risk",
        "방금 검색한 강남구 아파트 전세 시세로 위험도 분석해줘",
        "realty",
        "RISK_ANALYSIS",
        ("realty.search", "realty.analysis"),
        earlier="강남구 아파트 전세 시세 알려줘",
    ),
    Question("action", "서울 서초구 아파트 매물 찾아줘", "realty", "MARKET_INQUIRY", ("realty.search",), wishes=True),
)


LOOK_UPS = {"realty.search", "commerce.product_search"}
"""Agents whose rows are counted: with few of them another look is taken."""


def _known(text: str) -> Question:
    """Returns the question that a text is nearest to: what a model is shown may be normalised already."""
    return max(QUESTIONS, key=lambda one: max(_likeness(text, said) for said in (one.text, one.earlier)))


def _likeness(text: str, said: str) -> float:
    return SequenceMatcher(None, text, said).ratio()


def _intent(asked: Asked) -> str:
    text = asked.data("question")
    one = _known(text)
    intent = "MARKET_INQUIRY" if text == one.earlier else one.intent
    chosen = {"domain": one.domain, "intent": intent, "confidence": 0.95, "alternatives": [], "reasoning": "plain"}
    return json.dumps({**chosen, "sql_need": True, "graph_need": False})


def _steps(asked: Asked, named: str) -> str:
    text = asked.data("question")
    one = _known(text)
    offered = [agent for agent in (one.agents[:1] if text == one.earlier else one.agents) if agent in asked.offers()]
    steps = [{"agent": agent, named: text[:200], "depends_on": [n] if n else []} for n, agent in enumerate(offered)]
    extra = {"condition": ""} if named == "sub_question" else {}
    return json.dumps(
        {"steps": [{**step, **extra} for step in steps], "confidence": 0.9, "reasoning": "the team"},
        ensure_ascii=False,
    )


def _calls(asked: Asked) -> str:
    """Calls what the plan's values are for, and nothing that takes none."""
    output = json.loads(SENSIBLE["tool_orchestration"](asked))
    made = [call for call in output["calls"] if json.loads(call["arguments"])]
    left = [{"tool": call["tool"], "reason": "not asked for"} for call in output["calls"] if call not in made]
    return json.dumps({**output, "calls": made, "skipped": [*output["skipped"], *left]}, ensure_ascii=False)


def _judgement(asked: Asked) -> str:
    """Takes fewer than three rows of a look-up for too little, as the rule does."""
    last = asked.lines("done")[-1]
    quality = 0.3 if last["row_count"] < 3 and last["agent"] in LOOK_UPS else 0.9
    judged = {"quality_score": quality, "relevance": 0.9, "action": "continue", "confidence": 0.9}
    return json.dumps({**judged, "reasoning": f"{last['row_count']} rows"})


UNDERSTANDING: Mapping[str, Answer] = {
    **SENSIBLE,
    "intent_analysis": _intent,
    "tool_orchestration": _calls,
    "execution_orchestration": _judgement,
    "agent_selection": lambda asked: _steps(asked, "task"),
    "query_decomposition": lambda asked: _steps(asked, "sub_question"),
}
"""A model that reads each question as it is meant."""
