"""What counts as a difference between a recorded flow and its replay, and what does not."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from services.cli.replay.comparing import Difference, differences
from services.contract.events import FinalAnswer, Finished, FlowEvent
from services.contract.flow import (
    Branch,
    Decision,
    DecisionSource,
    ExecutionPlan,
    PlanStep,
    Question,
    Strategy,
    Usage,
)
from services.contract.recording import FlowRecording, Recollection, RecordedCaller, RecordedDecision
from services.orchestrator.replay.rerun import Replayed

NOW = datetime(2026, 6, 1, tzinfo=UTC)
END = FlowEvent(9, NOW, Finished(FinalAnswer("f", DecisionSource.RULE, "The answer.")))


def _made(
    place: str, kind: str = "agent_summary", service: str = "finance.macro", inputs: str = "1"
) -> RecordedDecision:
    decision = Decision(
        service=service,
        kind=kind,
        source=DecisionSource.RULE,
        prompt_version="0",
        model="",
        input_digest=inputs,
        output_json=b'{"a": 1, "b": 2}',
        confidence=None,
        reasoning="",
        fallback_reason="",
        latency=timedelta(),
        usage=Usage(),
        decide_time=NOW,
    )
    return RecordedDecision(place, decision)


def _recording(*decisions: RecordedDecision) -> FlowRecording:
    return FlowRecording(
        1, 1, "1", "f", RecordedCaller(), Question("q"), (), Recollection(), (), (), decisions, (), (), (), (), END
    )


def _step(step_id: str, *depends_on: str) -> PlanStep:
    return PlanStep(step_id, "finance.macro", "t", "q", depends_on, Branch.SQL, (), (), "", required=False)


def _plan(*steps: PlanStep) -> ExecutionPlan:
    return ExecutionPlan("q", (), None, steps, Strategy.PARALLEL, timedelta(), None, ())


def _found(recorded: list[RecordedDecision], made: list[RecordedDecision], *steps: PlanStep) -> tuple[Difference, ...]:
    return differences(_recording(*recorded), Replayed(tuple(made), (END,), _plan(*steps)))


def test_what_takes_time_is_no_difference() -> None:
    """Latency, usage, moments, versions of prompts and the spelling of JSON may be others."""
    was = _made("route")
    now = replace(
        was.decision,
        latency=timedelta(seconds=3),
        usage=Usage(model_calls=2),
        decide_time=NOW + timedelta(days=9),
        prompt_version="1",
        output_json=b'{"b":2,"a":1}',
    )
    assert _found([was], [RecordedDecision("route", now)]) == ()


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"source": DecisionSource.LLM}, "source"),
        ({"fallback_reason": "TIMED_OUT"}, "source"),
        ({"output_json": b"{}"}, "output"),
        ({"input_digest": "2"}, "inputs"),
    ],
)
def test_what_differs_is_named(changed: dict[str, object], kind: str) -> None:
    """Each difference has its kind, its place and both sides."""
    was = _made("route")
    made = RecordedDecision("route", replace(was.decision, **changed))  # type: ignore[arg-type]
    [difference] = _found([was], [made])
    assert (difference.kind, difference.where) == (kind, "route finance.macro agent_summary")
    assert difference.recorded != difference.replayed


def test_one_that_is_missing_and_one_that_is_new() -> None:
    """A decision of one side only is a difference; another service's of the same kind does not stand in for it."""
    found = _found([_made("route")], [_made("route", service="router")])
    assert [(one.kind, one.replayed == "-", one.recorded == "-") for one in found] == [
        ("decision", True, False),
        ("decision", False, True),
    ]


def test_steps_side_by_side_come_in_any_order() -> None:
    """Nothing binds them: they are paired by their inputs, whichever came first."""
    one, other = _made("step/s1/1/spent", inputs="1"), _made("step/s2/1/spent", inputs="2")
    assert _found([one, other], [other, one], _step("s1"), _step("s2")) == ()
    twins = [_made("draft/1", inputs="1"), _made("draft/1", inputs="2")]
    assert _found(twins, twins[::-1]) == ()


def test_the_words_of_a_step_come_in_any_order_with_what_rests_on_it() -> None:
    """The steps behind it go on with what it computed, before a model has worded that."""
    words, later = _made("step/s1/1/spent", "a"), _made("step/s2/1/assessment", "b")
    assert _found([words, later], [later, words], _step("s1"), _step("s2", "s1")) == ()


@pytest.mark.parametrize(
    ("first", "second", "steps"),
    [
        ("step/s1/1/assessment", "step/s3/1/spent", ("s1", "s2", "s3")),
        ("step/s1/1/choice/spent", "step/s2/1/spent", ("s1", "s2")),
        ("route", "draft/1", ()),
        ("draft/1", "step/s1/1/choice/spent", ("s1",)),
        ("step/s1/1/assessment", "review", ("s1",)),
        ("review", "answer", ()),
    ],
)
def test_what_rests_on_another_comes_after_it(first: str, second: str, steps: tuple[str, ...]) -> None:
    """Steps by what they depend on, over other steps too, and stages by the path of a question."""
    chain = [_step(name, *steps[max(0, place - 1) : place]) for place, name in enumerate(steps)]
    earlier, later = _made(first, "a"), _made(second, "b")
    [difference] = _found([earlier, later], [later, earlier], *chain)
    assert difference.kind == "order"
    assert _found([earlier, later], [earlier, later], *chain) == ()


def test_another_end_and_another_text() -> None:
    """How the flow ended and what the user read are compared too."""
    other = FlowEvent(9, NOW, Finished(FinalAnswer("f", DecisionSource.RULE, "Another.")))
    found = differences(_recording(), Replayed((), (other,)), unexpected=("s1: x {}",), left_over=("s2: y {}",))
    assert [(one.kind, one.where) for one in found] == [("tool", "s1: x {}"), ("tool", "s2: y {}"), ("answer", "flow")]
