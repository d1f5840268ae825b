"""A model's summary: asked for where it is wanted, checked before it leaves, and never needed."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from services.contract.drops import DropPlace, DropReason
from services.contract.flow import AgentResult, DecisionSource, Trend
from services.runtime.errors import InvalidRequest
from services.runtime.settings import Settings
from tests.support.model_server import ModelServer, Reply
from tests.unit.agents.loopback import (
    AS_OF,
    Outcome,
    ScriptedGateway,
    Told,
    asked,
    call,
    ensemble,
    registering,
    tool_result,
)

MACRO = "finance.macro"
KIND = "agent_summary"
ROWS = [
    {
        "series_id": "UNRATE",
        "title_ko": "미국 실업률",
        "title_en": "US Unemployment Rate",
        "country": "US",
        "next_release_date": None,
        "unit": "%",
        "frequency": "monthly",
        "date": f"2026-{month:02d}-01",
        "value": value,
        "as_of": AS_OF,
    }
    for month, value in ((10, 4.3), (9, 4.4), (8, 4.2))
]


@pytest_asyncio.fixture
async def model() -> AsyncIterator[ModelServer]:
    """The scriptable endpoint."""
    async with ModelServer() as started:
        yield started


def answer(summary: str, *drivers: str, trend: str = "NEUTRAL") -> Reply:
    """Returns a reply with this summary."""
    body = {"summary": summary, "key_drivers": list(drivers), "primary_trend": trend, "confidence": 1}
    return Reply(text=json.dumps(body, ensure_ascii=False))


async def run_with(
    tmp_path,
    model: ModelServer | None,
    *,
    rows=ROWS,
    computed: AgentResult | None = None,
    said_before: tuple[AgentResult, ...] = (),
    **changed: object,
) -> Told:
    """Runs a step of the macro agent beside a model."""

    def change(given: Settings) -> Settings:
        endpoint = {} if model is None else {"openai_base_url": model.base_url}
        return given.model_copy(update={**endpoint, **changed})

    script: dict[str, list[Outcome]] = {} if rows is None else {"macro_series": [tool_result("macro_series", rows)]}
    step = asked(MACRO, call("macro_series", series_ids=["UNRATE"]))
    async with ensemble(MACRO, tmp_path, registering(ScriptedGateway(script)), change) as running:
        return await running.run(replace(step, computed=computed, said_before=said_before))


@pytest.mark.asyncio
async def test_a_true_summary_replaces_the_template(tmp_path, model) -> None:
    """A model's summary whose figures hold must stand in the result, and the decision be recorded with its cost."""
    text = "미국 실업률은 2026년 10월 4.3%로 전월 4.4%에서 0.1%p 내렸습니다."
    model.script(KIND, answer(text, "전월 대비 0.1%p 하락"))
    told = await run_with(tmp_path, model)
    assert (told.result.summary, told.result.key_drivers) == (text, ("전월 대비 0.1%p 하락",))
    assert told.result.dropped == ()
    (decision,) = told.end.spent.decisions
    assert (decision.service, decision.kind, decision.source) == (MACRO, KIND, DecisionSource.LLM)
    assert (told.end.spent.usage.model_calls, told.end.spent.usage.tool_calls) == (1, 1)


@pytest.mark.asyncio
async def test_false_figures_are_dropped_from_a_summary(tmp_path, model) -> None:
    """Sentences and drivers with figures or signals that no row holds must not leave; each is told with its reason."""
    true = "미국 실업률은 2026년 10월 4.3%입니다."
    model.script(
        KIND, answer(f"{true} 연말에는 5.2%까지 오를 것입니다. 골든크로스도 나타났습니다.", "파업으로 30만 명 감소")
    )
    told = await run_with(tmp_path, model)
    assert told.result.summary == true
    assert [(one.place, one.reason, one.text, one.part, one.step_id) for one in told.result.dropped] == [
        (DropPlace.AGENT_SUMMARY, DropReason.UNKNOWN_FIGURE, "연말에는 5.2%까지 오를 것입니다.", "5.2%", "s1"),
        (DropPlace.AGENT_SUMMARY, DropReason.SIGNAL, "골든크로스도 나타났습니다.", "골든크로스", "s1"),
        (DropPlace.CLAIM, DropReason.UNKNOWN_FIGURE, "파업으로 30만 명 감소", "30만 명", "s1"),
    ]
    assert told.result.key_drivers == ("미국 실업률: 2026년 10월 4.3%, 2026년 9월 4.4%, 2026년 8월 4.2%",)


@pytest.mark.asyncio
async def test_a_wholly_false_summary_gives_way_to_the_template(tmp_path, model) -> None:
    """Where nothing of a model's summary holds, the computed one stands, with the drop told."""
    model.script(KIND, answer("실업률은 9.9%입니다.", trend="BULL"))
    told = await run_with(tmp_path, model)
    plain = await run_with(tmp_path, None)
    assert told.result.summary == plain.result.summary
    assert ([one.part for one in told.result.dropped], plain.result.dropped) == (["9.9%"], ())


@pytest.mark.asyncio
async def test_trend_and_confidence_stay_computed(tmp_path, model) -> None:
    """A model's trend and confidence must not replace what the rows give."""
    model.script(KIND, answer("미국 실업률은 4.3%입니다.", trend="BULL"))
    told = await run_with(tmp_path, model)
    assert (told.result.primary_trend, told.result.confidence) == (Trend.NEUTRAL, 0.85)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "reply", [Reply(status=500), Reply(status=429), Reply(text="no JSON at all"), Reply(body="<html>")]
)
async def test_a_failing_model_changes_nothing_but_the_record(tmp_path, model, reply) -> None:
    """A model that fails must leave the computed result as it is; the decision says FALLBACK and why."""
    model.always(reply)
    told = await run_with(tmp_path, model)
    plain = await run_with(tmp_path, None)
    assert told.result == plain.result
    (decision,) = told.end.spent.decisions
    assert decision.source is DecisionSource.FALLBACK
    assert decision.fallback_reason


@pytest.mark.asyncio
async def test_the_switch_turns_summaries_off(tmp_path, model) -> None:
    """With the switch off no model may be asked and no decision recorded."""
    told = await run_with(tmp_path, model, agent_summary=False)
    assert (model.calls, told.end.spent.decisions) == ([], ())


@pytest.mark.asyncio
async def test_without_rows_no_model_is_asked(tmp_path, model) -> None:
    """An agent that found nothing must not ask a model to say something about it."""
    told = await run_with(tmp_path, model, rows=[])
    assert (model.calls, told.result.reason) == ([], "NO_ROWS")


@pytest.mark.asyncio
async def test_a_model_sees_figures_as_they_may_be_quoted(tmp_path, model) -> None:
    """The sensible model, which copies what it is shown, must have nothing dropped."""
    told = await run_with(tmp_path, model)
    assert told.result.dropped == ()
    assert "4.3%" in told.result.summary


@pytest.mark.asyncio
async def test_what_is_computed_is_told_before_its_summary_is_asked_for(tmp_path, model) -> None:
    """The computed result must come ahead of the model's answer and be the run's, but for the words."""
    text = "미국 실업률은 2026년 10월 4.3%입니다."
    model.script(KIND, answer(text))
    told = await run_with(tmp_path, model)
    (computed,) = told.computed
    plain = await run_with(tmp_path, None)
    assert computed == plain.result
    assert told.result == replace(computed, summary=text)
    assert told.events.index(computed) == len(told.events) - 2


@pytest.mark.asyncio
@pytest.mark.parametrize("changed", [{"early_results": False}, {"agent_summary": False}])
async def test_nothing_is_told_early_without_need(tmp_path, model, changed) -> None:
    """With the shortcut off, or with no summary to wait for, the result must come once and last."""
    told = await run_with(tmp_path, model, **changed)
    assert (told.computed, told.result.reason) == ([], "")


@pytest.mark.asyncio
async def test_a_computed_result_is_summed_up_and_not_computed_again(tmp_path, model) -> None:
    """A run that is handed what the step has computed must call no tool and return it with a model's summary."""
    computed = (await run_with(tmp_path, None)).result
    told = await run_with(tmp_path, model, computed=computed, rows=None)
    assert (told.settled, told.computed) == ([], [])
    assert told.result == replace(computed, summary=told.result.summary, key_drivers=told.result.key_drivers)
    assert [decision.kind for decision in told.end.spent.decisions] == [KIND]


@pytest.mark.asyncio
async def test_what_was_said_before_is_not_worded_anew(tmp_path, model) -> None:
    """Where an earlier flow's result said it all, no model is asked: the decision is the rule's."""
    before = (await run_with(tmp_path, None)).result
    told = await run_with(tmp_path, model, said_before=(before,))
    assert (told.computed, told.result, len(model.calls)) == ([], before, 0)
    assert [(one.kind, one.source) for one in told.end.spent.decisions] == [(KIND, DecisionSource.RULE)]
    other = replace(before, metrics=before.metrics[1:])
    told = await run_with(tmp_path, model, said_before=(other,))
    assert [one.source for one in told.end.spent.decisions] == [DecisionSource.LLM]


@pytest.mark.asyncio
async def test_a_result_of_another_agent_is_no_result_of_this_one(tmp_path, model) -> None:
    """A run that is handed what another agent has computed must be refused by the field's name."""
    computed = replace((await run_with(tmp_path, None)).result, agent="finance.equity")
    with pytest.raises(InvalidRequest) as refused:
        await run_with(tmp_path, model, computed=computed)
    assert [one.field for one in refused.value.violations] == ["computed.agent"]
