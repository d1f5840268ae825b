"""The doubles are strict: a test that asks for something else fails, and no fallback hides it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import date

import pytest

from prompts.agents.general_knowledge import PROMPT as TALK
from prompts.agents.general_knowledge import Inputs as TalkInputs
from prompts.fields import Trusted
from prompts.planner.query_normalization import PROMPT, Inputs, Output
from services.contract.flow import DecisionSource
from services.llm.decider import Decider
from services.llm.model import FailureReason, TokenCount
from services.runtime import ledger
from services.runtime.errors import ModelUnavailable
from tests.support.scripted_model import LeftOverSteps, ScriptedModel, Step, UnexpectedCall, WrongKind

Flow = Callable[..., AbstractContextManager[ledger.Ledger]]
MakeDecider = Callable[..., Decider]

KIND = "query_normalization"
INPUTS = Inputs(question="지난달 물가는?", today=date(2026, 3, 2), time_zone=Trusted("Asia/Seoul"))
TALK_INPUTS = TalkInputs(question="안녕", today=date(2026, 3, 2))
ANSWER = '{"normalised_question": "2026년 2월 물가는?", "reasoning": "지난달은 2026년 2월"}'


def rule(inputs: Inputs) -> Output:
    """Leave the question as it is."""
    return Output(normalised_question=inputs.question, reasoning="")


@pytest.mark.asyncio
async def test_a_script_answers_in_order(flow: Flow, decider_over: MakeDecider) -> None:
    """Each step answers one call, and its tokens are counted."""
    step = Step(KIND, text=ANSWER, tokens=TokenCount(7, 3))
    with flow() as opened, ScriptedModel(step) as model:
        decided = await decider_over(model).decide(PROMPT, INPUTS, rule)
    assert (decided.source, decided.output.normalised_question) == (DecisionSource.LLM, "2026년 2월 물가는?")
    assert (opened.usage.input_tokens, opened.usage.output_tokens) == (7, 3)


@pytest.mark.asyncio
async def test_a_scripted_failure_leads_to_the_rule(flow: Flow, decider_over: MakeDecider) -> None:
    """A step may fail as an endpoint does."""
    with flow(), ScriptedModel(Step(KIND, fails=FailureReason.RATE_LIMITED)) as model:
        decided = await decider_over(model).decide(PROMPT, INPUTS, rule)
    assert decided.fallback_reason == FailureReason.RATE_LIMITED


@pytest.mark.asyncio
async def test_a_call_after_the_end_is_an_error(flow: Flow, decider_over: MakeDecider) -> None:
    """UnexpectedCall leaves the decision as it is; the rule does not cover it up."""
    with flow(), pytest.raises(UnexpectedCall, match=KIND):
        await decider_over(ScriptedModel()).decide(PROMPT, INPUTS, rule)


@pytest.mark.asyncio
async def test_another_kind_is_an_error(flow: Flow, decider_over: MakeDecider) -> None:
    """WrongKind names both kinds."""
    with flow(), pytest.raises(WrongKind, match="query_normalization where the script has agent_summary"):
        await decider_over(ScriptedModel(Step("agent_summary"))).decide(PROMPT, INPUTS, rule)


def test_left_over_steps_are_an_error() -> None:
    """A script that was not used up fails at its end."""
    with pytest.raises(LeftOverSteps, match=KIND), ScriptedModel(Step(KIND)):
        pass


@pytest.mark.asyncio
async def test_a_scripted_stream_may_break(flow: Flow, decider_over: MakeDecider) -> None:
    """The pieces before the failure are handed on, then the typed error."""
    step = Step("general_knowledge", pieces=("안녕", "하세"), fails=FailureReason.STREAM_CUT)
    with flow(), ScriptedModel(step) as model:
        stream = decider_over(model).stream(TALK, TALK_INPUTS)
        pieces = [await anext(stream), await anext(stream)]
        with pytest.raises(ModelUnavailable) as caught:
            await anext(stream)
    assert (pieces, caught.value.reason) == (["안녕", "하세"], FailureReason.STREAM_CUT)
