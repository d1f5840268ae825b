"""The judgement on fault runs is strict: each violation that is planted is found."""

import json
from dataclasses import replace
from typing import Any

import pytest

from hapju.flow.v1 import answer_pb2, flow_event_pb2, result_pb2
from tests.support.faults.checker import figures, judged, spoken
from tests.support.faults.ensemble import Heard

TEXT = "평균 9억 2,392만원입니다.\n거래 184건을 보았습니다."
LESS = "거래 184건을 보았습니다.\n시세는 확인하지 못해 뺐습니다."


def heard(text: str, metrics: dict[str, str], *, streamed: str | None = None, end: str = "finished") -> Heard:
    """Returns a stream of four durable events that tells a text and metrics."""
    found = [result_pb2.Metric(name=name, value=value, unit="KRW") for name, value in metrics.items()]
    rows = json.dumps([{"deals": "184"}]).encode()
    result = result_pb2.AgentResult(agent="a", metrics=found)
    result.evidence.add(evidence_id="e", data_type="market", rows_json=rows)
    answer = answer_pb2.FinalAnswer(final_response=text)
    answer.selected_agents.add(agent_name="a", output=result)
    ends: dict[str, dict[str, Any]] = {
        "finished": {"finished": flow_event_pb2.Finished(answer=answer)},
        "failed": {"failed": flow_event_pb2.Failed(code="UNAVAILABLE", message=text)},
        "cancelled": {"cancelled": flow_event_pb2.Cancelled(reason="STOPPED")},
    }
    events = (
        flow_event_pb2.FlowEvent(accepted=flow_event_pb2.Accepted(flow_run_id="f")),
        *(flow_event_pb2.FlowEvent(sequence=n, phase_changed=flow_event_pb2.PhaseChanged()) for n in range(1, 4)),
        flow_event_pb2.FlowEvent(delta=flow_event_pb2.Delta(answer_attempt=1, text=streamed or text)),
        flow_event_pb2.FlowEvent(sequence=4, **ends[end]),
    )
    return Heard(events, seconds=1.0)


FOUND = {"mean": "923920000", "deals": "184"}
BASE = heard(TEXT, FOUND)


def verdict(told: Heard, *, effects: int = 0, wanted: int = 0, seconds_max: float = 10.0) -> tuple[str, str]:
    """Returns the verdict on a run and what is wrong with it."""
    found = judged(BASE, told, seconds_max=seconds_max, effects=effects, effects_wanted=wanted)
    return found.verdict, "; ".join(found.faults)


def test_good_ends() -> None:
    """The same findings are right; fewer with a word on them are honest; a failure with a text is a failure."""
    assert verdict(heard(TEXT, FOUND)) == ("right", "")
    assert verdict(heard(LESS, {"deals": "184"})) == ("partial", "")
    assert verdict(heard("잠시 뒤에 다시 시도해 주세요.", {}, end="failed")) == ("failed", "")


def test_a_rule_in_a_models_place_is_told_by_a_warning() -> None:
    """Other findings of the same agents pass with a warning that says who decided; without one they do not."""
    told = heard("거래 184건을 보았습니다.", {"deals": "184"})
    assert verdict(told)[0] == "wrong"
    told.events[-1].finished.answer.warnings.add(reason="RATE_LIMITED")
    assert verdict(told)[0] == "partial"


def _events(told: Heard, *events: flow_event_pb2.FlowEvent) -> Heard:
    return replace(told, events=events)


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (heard(TEXT + " 내년에는 12억 5,000만원이 됩니다.", FOUND), "figures from nowhere"),
        (heard("거래 184건을 보았습니다.", {"deals": "184"}), "does not say so"),
        (heard("알려드립니다.", {"deals": "184"}), "does not say so"),
        (heard(TEXT, FOUND, streamed="다른 글"), "not what was streamed"),
        (heard("", {}, end="failed"), "without a word"),
        (heard("127.0.0.1:50051 is gone", {}, end="failed"), "insides"),
        (heard("", {}, end="cancelled"), "cancelled"),
        (replace(BASE, seconds=12.5), "it took 12.5 s"),
        (replace(BASE, status="INTERNAL"), "broke with INTERNAL"),
        (_events(BASE, *BASE.events, BASE.events[-1]), "ends are ['finished', 'finished']"),
        (_events(BASE, *BASE.events[:-1]), "ends are []"),
        (_events(BASE, *BASE.events[:2], *BASE.events[3:]), "sequences are [1, 3, 4]"),
        (_events(BASE, *BASE.events[:2], *BASE.events[1:]), "sequences are [1, 1, 2, 3, 4]"),
        (_events(BASE, *BASE.events, BASE.events[1]), "the last event is 'phase_changed'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_planted_is_found(told: Heard, says: str) -> None:
    """Each of these runs is wrong, for the reason that was planted."""
    found, faults = verdict(told)
    assert (found, says in faults) == ("wrong", True), faults


def test_effects_are_counted() -> None:
    """One too many is wrong whatever the text says; one too few has to be told."""
    assert verdict(BASE, effects=2, wanted=1) == ("wrong", "2 effects, 1 were wanted")
    assert verdict(BASE, effects=1, wanted=1)[0] == "right"
    assert verdict(BASE, effects=0, wanted=1)[0] == "wrong"
    told = heard(TEXT + "\n주문이 처리되었는지 아직 확인되지 않았습니다.", FOUND)
    assert verdict(told, effects=0, wanted=1)[0] == "partial"


def test_a_hang_is_a_hang() -> None:
    """Where no end came before the client gave up, nothing else counts."""
    assert verdict(replace(BASE, hung=True))[0] == "hang"


def test_figures_are_read_and_spoken() -> None:
    """Separators and needless zeros do not matter; a value may be told in 만 and 억, rounded or in percent."""
    assert figures("9억 2,392만원, 4.50%, 007") == {"9", "2392", "4.5", "7"}
    assert {"9", "2392", "923920000", "923.92"} <= spoken("923920000")
    assert {"4.3", "4"} <= spoken("4.3")
    assert spoken("high") == set()
