"""The test server itself: its sensible answers are inside every schema, and it runs as a process of its own."""

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, aclosing
from datetime import date
from typing import Any

import pytest

from prompts.agents import agent_summary, general_knowledge
from prompts.fields import Trusted
from prompts.orchestrator import tool_orchestration
from prompts.planner import agent_selection, query_normalization
from prompts.policy import policy_safety
from prompts.prompt import Prompt
from prompts.router import intent_analysis
from services.contract.flow import DecisionSource
from services.llm.decider import Decider
from services.llm.providers.openai_compatible import CallTimeouts, OpenAiCompatible
from services.runtime import ledger
from tests.support.model_server import ModelServer

Flow = Callable[..., AbstractContextManager[ledger.Ledger]]
MakeDecider = Callable[..., Decider]

TODAY = date(2026, 3, 2)


def _intent(name: str, description: str) -> intent_analysis.IntentBrief:
    return intent_analysis.IntentBrief(name=Trusted(name), description=Trusted(description))


DOMAIN = intent_analysis.DomainBrief(
    name=Trusted("realty"),
    description=Trusted("집"),
    intents=(_intent("LOAN_CONSULT", "전세대출 한도와 금리"), _intent("MARKET_INQUIRY", "아파트 시세 조회")),
)
TOOLS = tuple(
    tool_orchestration.ToolBrief(
        name=Trusted(name), description=Trusted("rows"), parameters_schema=Trusted(json.dumps(schema))
    )
    for name, schema in {
        "market_data": {"type": "object", "properties": {"region": {"type": "string"}}, "required": ["region"]},
        "loan_data": {"type": "object", "properties": {"bank": {"type": "string"}}, "required": ["bank"]},
    }.items()
)
POLICY = policy_safety.Inputs(
    question="시세는?",
    user_type=Trusted("none"),
    tags=(policy_safety.Tag(name=Trusted("PII_REQUEST"), meaning=Trusted("asks for data of a person.")),),
)
CASES: list[tuple[Prompt[Any, Any], Any, dict[str, Any]]] = [
    (policy_safety.PROMPT, POLICY, {"verdict": "ALLOW"}),
    (
        intent_analysis.PROMPT,
        intent_analysis.Inputs(question="용산구 아파트 시세 알려줘", domains=(DOMAIN,)),
        {"domain": "realty", "intent": "MARKET_INQUIRY"},
    ),
    (
        query_normalization.PROMPT,
        query_normalization.Inputs(question="시세는?", today=TODAY, time_zone=Trusted("Asia/Seoul")),
        {"normalised_question": "시세는?"},
    ),
    (
        agent_selection.PROMPT,
        agent_selection.Inputs(
            question="시세는?",
            domain=Trusted("realty"),
            intent=Trusted("MARKET_INQUIRY"),
            agents=(
                agent_selection.AgentBrief(
                    name=Trusted("realty.search"), answers=Trusted("prices"), declines=Trusted("")
                ),
            ),
        ),
        {"steps": [{"agent": "realty.search", "task": "시세는?", "depends_on": []}]},
    ),
    (
        tool_orchestration.PROMPT,
        tool_orchestration.Inputs(
            question="시세는?",
            agent=Trusted("realty.search"),
            task="시세",
            tools=TOOLS,
            known_values=(tool_orchestration.KnownValue(name=Trusted("region"), value='"11170"'),),
        ),
        {
            "calls": [{"tool": "market_data", "arguments": '{"region":"11170"}'}],
            "skipped": [{"tool": "loan_data", "reason": "unknown: bank"}],
        },
    ),
    (
        agent_summary.PROMPT,
        agent_summary.Inputs(
            question="금리는?",
            agent=Trusted("finance.macro"),
            metrics=(agent_summary.MetricLine(label="기준금리", value="2.75", unit="%", as_of="2026-02"),),
            sample=True,
        ),
        {"summary": "기준금리 2.75 % (2026-02)", "primary_trend": "NEUTRAL"},
    ),
]


@pytest.mark.asyncio
@pytest.mark.parametrize("locale", ["ko", "en"])
@pytest.mark.parametrize(("prompt", "inputs", "expected"), CASES, ids=lambda value: getattr(value, "kind", ""))
async def test_sensible_answers_fit_every_prompt(
    decider: Decider, flow: Flow, *, prompt: Prompt[Any, Any], inputs: Any, expected: dict[str, Any], locale: str
) -> None:
    """Without a script each decision is answered at the first try, from what the prompt offers and gives."""

    def no_rule(_inputs: Any) -> Any:
        raise AssertionError("the model's answer was not taken")

    with flow(locale=locale) as opened:
        decided = await decider.decide(prompt, inputs, no_rule)
    output = decided.output.model_dump(mode="json")
    assert (decided.source, opened.usage.model_calls) == (DecisionSource.LLM, 1)
    assert {name: output[name] for name in expected} == expected


@pytest.mark.asyncio
async def test_it_runs_as_a_process_of_its_own(flow: Flow, decider_over: MakeDecider) -> None:
    """Started as a module it prints its base URL, and a client in another process gets an answer."""
    arguments = ("-m", "tests.support.model_server", "--text", "다른 프로세스의 답")
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        base_url = (await asyncio.wait_for(process.stdout.readline(), 20)).decode().strip()
        model = OpenAiCompatible(base_url, "", CallTimeouts(2.0, 5.0, 5.0, 5.0))
        inputs = general_knowledge.Inputs(question="안녕", today=TODAY)
        with flow():
            async with aclosing(decider_over(model).stream(general_knowledge.PROMPT, inputs)) as text:
                answer = "".join([piece async for piece in text])
        await model.aclose()
    finally:
        process.terminate()
        await process.wait()
    assert answer == "다른 프로세스의 답"


@pytest.mark.asyncio
async def test_until_gives_up_in_time(server: ModelServer) -> None:
    """A state that never comes is a TimeoutError, not a wait for ever."""
    with pytest.raises(TimeoutError):
        await server.until(lambda it: it.open_requests == 1, timeout_seconds=0.05)
