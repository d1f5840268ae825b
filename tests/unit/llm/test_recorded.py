"""The model of a replayed flow: each recorded decision once, on its own inputs, by the same checks."""

import json
from dataclasses import replace

import pytest

from prompts.fields import Untrusted
from prompts.planner import keyword_extraction
from services.contract.flow import Decision, DecisionSource
from services.llm.build import decider_from, models_replaced
from services.llm.decider import Decided
from services.llm.playback import RecordedModel
from services.runtime.model_settings import LlmSettings
from tests.unit.llm.conftest import Flow

PROMPT = keyword_extraction.PROMPT
RULED = keyword_extraction.Output(keywords=("rule",), confidence=1.0, reasoning="the rule")
CONFIGURED = LlmSettings(base_url="http://nowhere.invalid")
pytestmark = pytest.mark.asyncio


def _inputs(question: str) -> keyword_extraction.Inputs:
    return keyword_extraction.Inputs(question=Untrusted(question))


async def _decided(
    flow: Flow, model: RecordedModel, question: str
) -> tuple[Decided[keyword_extraction.Output], Decision]:
    with models_replaced(lambda _: model), flow() as ledger:
        decider = decider_from(CONFIGURED, "planner")
        decided = await decider.decide(PROMPT, _inputs(question), lambda _: RULED)
        await decider.aclose()
    return decided, ledger.decisions[0]


async def _made(flow: Flow, **changed: object) -> Decision:
    """Returns a decision as it stands in a record: asked about "one", answered by a model."""
    said = {"keywords": ["said"], "confidence": 0.9, "reasoning": "r"}
    _, made = await _decided(flow, RecordedModel(()), "one")
    fields = {"source": DecisionSource.LLM, "fallback_reason": "", "output_json": json.dumps(said).encode()}
    return replace(made, **{**fields, **changed})  # type: ignore[arg-type]


async def test_the_recorded_answer_is_given_once(flow: Flow) -> None:
    """The same kind on the same inputs gets it; asked again there is none left, and the reason says so."""
    model = RecordedModel([await _made(flow)])
    decided, _ = await _decided(flow, model, "one")
    assert (decided.source, decided.output.keywords) == (DecisionSource.LLM, ("said",))
    again, _ = await _decided(flow, model, "one")
    assert (again.source, again.fallback_reason) == (DecisionSource.FALLBACK, "NOT_RECORDED")


async def test_other_inputs_have_no_answer(flow: Flow) -> None:
    """An answer to something else is missing, not nearly right."""
    decided, _ = await _decided(flow, RecordedModel([await _made(flow)]), "two")
    assert (decided.source, decided.output, decided.fallback_reason) == (DecisionSource.FALLBACK, RULED, "NOT_RECORDED")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (DecisionSource.FALLBACK, "RATE_LIMITED"),
        (DecisionSource.FALLBACK, "OUTPUT_INVALID"),
        (DecisionSource.RULE, "MODEL_CALLS_SPENT"),
        (DecisionSource.RULE, ""),
    ],
)
async def test_a_recorded_failure_is_that_failure_again(flow: Flow, source: DecisionSource, reason: str) -> None:
    """A fallback falls back for the same reason, and what went by its rule then does so now."""
    model = RecordedModel([await _made(flow, source=source, fallback_reason=reason)])
    decided, _ = await _decided(flow, model, "one")
    assert (decided.source, decided.fallback_reason, decided.output) == (source, reason, RULED)


async def test_an_answer_outside_todays_schema_is_refused_as_ever(flow: Flow) -> None:
    """A recorded answer passes the same checks as a fresh one: the schema may have changed since."""
    model = RecordedModel([await _made(flow, output_json=b'{"keywords": 7}')])
    decided, _ = await _decided(flow, model, "one")
    assert decided.source is DecisionSource.FALLBACK
