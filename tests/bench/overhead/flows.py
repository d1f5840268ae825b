"""The flows that are measured, and what a model that takes no time says in them.

    flow14    policy, normalisation, selection, decomposition, strategy, then side by side for two agents the choice
              of tools, a summary and an assessment each, review, answer and the order of its citations: 14 model calls
    flow5     policy, and for one agent the choice of tools and an assessment, review and answer: 5 model calls

Both go the way without typed asks, which asks a model most and has every service do its part.
Each answer is what a well-behaved model would say; every service checks it as it would a real one's.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Flow:
    """One question, the services that answer it, and the model's part."""

    name: str
    """What its figures begin with."""
    question: str
    """The question."""
    model_calls: int
    """How often the model is asked; a flow that asks otherwise is not measured."""
    agents: tuple[str, ...]
    """The agents that it needs."""
    said: Mapping[str, str]
    """What the model says, by the prompt's kind; for one agent's tools by kind and agent."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What its services are set to."""

    @property
    def services(self) -> tuple[str, ...]:
        """Every service on the flow's way."""
        return (*_SERVICES, *self.agents)

    def answer(self, kind: str, text: str) -> str:
        """Returns what the model says to a prompt of a kind with this user's message."""
        if kind in self.said:
            return self.said[kind]
        return next(self.said[f"{kind} {agent}"] for agent in self.agents if f": {agent}" in text)


_SERVICES: Final = ("gateway", "orchestrator", "policy", "router", "planner", "synthesizer", "tool_gateway")


def _object(**fields: Any) -> str:
    return json.dumps({**fields, "confidence": 0.9, "reasoning": "scripted"}, ensure_ascii=False)


def _calls(tool: str, **arguments: Any) -> str:
    return _object(calls=[{"tool": tool, "arguments": json.dumps(arguments)}], skipped=[])


_WITHOUT_ASKS: Final = {"HAPJU_TYPED_ASKS": "false"}
_QUESTION: Final = "오늘 뉴욕 증시와 미국 실업률을 요약해줘"
_AGENTS: Final = ("finance.macro", "finance.equity")
_EITHER: Final = {
    "policy_safety": json.dumps({"verdict": "ALLOW", "tags": [], "reason": "harmless", "confidence": 0.95}),
    "execution_orchestration": _object(quality_score=0.9, relevance=0.9, action="continue"),
    "execution_review": _object(goal_achieved="yes", score=0.9, missing=[]),
    "tool_orchestration finance.macro": _calls("macro_series", series_ids=["UNRATE"], date_from="2025-09-01"),
}

FLOW14: Final = Flow(
    name="flow14",
    question=_QUESTION,
    model_calls=14,
    agents=_AGENTS,
    settings=_WITHOUT_ASKS,
    said={
        **_EITHER,
        "query_normalization": json.dumps({"normalised_question": _QUESTION, "reasoning": "scripted"}),
        "agent_selection": _object(
            steps=[{"agent": agent, "task": "지표를 찾습니다", "depends_on": []} for agent in _AGENTS]
        ),
        "query_decomposition": _object(
            steps=[{"agent": agent, "sub_question": _QUESTION, "depends_on": [], "condition": ""} for agent in _AGENTS]
        ),
        "execution_strategy": _object(strategy="PARALLEL"),
        "tool_orchestration finance.equity": _calls("equity_prices", ticker="US:AAPL", bars=20),
        "agent_summary": json.dumps(
            {"summary": "자료의 흐름을 정리했습니다.", "key_drivers": [], "primary_trend": "NEUTRAL", "confidence": 0.9}
        ),
        "response_synthesis": "실업률의 흐름을 정리했습니다 [1]. 주가의 흐름도 정리했습니다 [2].",
        "citation_postprocess": json.dumps(
            {"citations": [{"mark": "c1", "title": "실업률"}, {"mark": "c2", "title": "주가"}], "reasoning": "scripted"}
        ),
    },
)

FLOW5: Final = Flow(
    name="flow5",
    question="미국 실업률 알려줘",
    model_calls=5,
    agents=_AGENTS[:1],
    said={**_EITHER, "response_synthesis": "실업률의 흐름을 정리했습니다 [1]."},
    settings={**_WITHOUT_ASKS, "HAPJU_AGENT_SUMMARY": "false"},
)

FLOWS: Final = {flow.name: flow for flow in (FLOW14, FLOW5)}
"""The flows by name."""
