"""Flows as the monitoring screen shows them."""

import pytest
from google.protobuf.duration_pb2 import Duration

from hapju.flow.v1 import action_pb2, decision_pb2, drop_pb2, flow_event_pb2, record_pb2
from services.cli.flows.chain import print_record, tree_lines


def link(order: int, service: str, name: str, kind: str, outcome: str = "") -> record_pb2.ChainLink:
    made = record_pb2.ChainLink(
        order=order, service=service, name=name, kind=kind, outcome=outcome, latency=Duration(nanos=1_500_000 * order)
    )
    made.settle_time.FromMilliseconds(1_700_000_000_000 + 10 * order)
    return made


def record() -> record_pb2.FlowRecord:
    """Returns a flow in which two agents ran side by side, so that their tool calls are mixed."""
    event = flow_event_pb2.FlowEvent
    decided = [
        event(decision_made=flow_event_pb2.DecisionMade(decision=decision_pb2.Decision(service=service)))
        for service in ("policy", "router", "planner")
    ]
    steps = [
        event(step_started=flow_event_pb2.StepStarted(step_id=step, agent=agent))
        for step, agent in (("s1", "finance.macro"), ("s2", "finance.equity"))
    ]
    tools = [event(tool_settled=flow_event_pb2.ToolSettled(step_id=step)) for step in ("s1", "s2")]
    ends = [event(agent_settled=flow_event_pb2.AgentSettled(step_id=step)) for step in ("s2", "s1")]
    end = event(decision_made=flow_event_pb2.DecisionMade(decision=decision_pb2.Decision(service="synthesizer")))
    chain = [
        link(1, "policy", "policy_check", "RULE"),
        link(2, "router", "intent_analysis", "FALLBACK", "RATE_LIMITED"),
        link(3, "planner", "plan_draft", "RULE"),
        link(4, "tool_gateway", "macro_series", "TOOL", "24 rows"),
        link(5, "tool_gateway", "equity_prices", "TOOL", "60 rows"),
        link(6, "finance.equity", "s2", "AGENT", "ANSWERED"),
        link(7, "finance.macro", "s1", "AGENT", "ANSWERED"),
        link(8, "synthesizer", "answer", "RULE"),
    ]
    summary = record_pb2.FlowSummary(
        flow_run_id="f",
        question="물가와 주가는?",
        phase=flow_event_pb2.PHASE_FINISHED,
        latency=Duration(nanos=80_000_000),
    )
    summary.start_time.FromMilliseconds(1_700_000_000_000)
    return record_pb2.FlowRecord(summary=summary, chain=chain, events=[*decided, *steps, *tools, *ends, end])


def test_tool_calls_stand_under_the_agent_whose_step_they_served() -> None:
    """Agents that ran side by side are one branch each, in the order in which they came in."""
    assert tree_lines(record()) == [
        "f  FINISHED  80 ms",
        "├─ policy",
        "│  └─ policy_check  RULE  1.5 ms",
        "├─ router",
        "│  └─ intent_analysis  FALLBACK  3.0 ms  RATE_LIMITED",
        "├─ planner",
        "│  └─ plan_draft  RULE  4.5 ms",
        "├─ finance.macro",
        "│  ├─ macro_series  TOOL  6.0 ms  24 rows",
        "│  └─ s1  AGENT  10 ms  ANSWERED",
        "├─ finance.equity",
        "│  ├─ equity_prices  TOOL  7.5 ms  60 rows",
        "│  └─ s2  AGENT  9.0 ms  ANSWERED",
        "└─ synthesizer",
        "   └─ answer  RULE  12 ms",
    ]


def test_the_chain_is_printed_in_order_with_source_latency_and_outcome(capsys: object) -> None:
    """The table has one row a link, in the order of the record, and cuts nothing through a pipe."""
    print_record(record())
    out = capsys.readouterr().out  # type: ignore[attr-defined]
    rows = [line.split() for line in out.splitlines() if line.strip()[:1].isdigit()]
    assert [row[0] for row in rows] == [str(order) for order in range(1, 9)]
    assert rows[1] == ["2", "17", "router", "intent_analysis", "FALLBACK", "3.0", "RATE_LIMITED"]


def test_an_action_stands_under_the_agent_that_asked_for_it() -> None:
    """What comes behind an action keeps its own place."""
    event = flow_event_pb2.FlowEvent
    record = record_pb2.FlowRecord(
        summary=record_pb2.FlowSummary(flow_run_id="f", phase=flow_event_pb2.PHASE_FINISHED),
        events=[
            event(step_started=flow_event_pb2.StepStarted(step_id="s1", agent="commerce.order")),
            event(action_settled=action_pb2.ActionSettled(step_id="s1", action_type="CANCEL_ORDER")),
            event(step_started=flow_event_pb2.StepStarted(step_id="s2", agent="commerce.catalog")),
            event(tool_settled=flow_event_pb2.ToolSettled(step_id="s2")),
            event(decision_made=flow_event_pb2.DecisionMade(decision=decision_pb2.Decision(service="synthesizer"))),
        ],
        chain=[
            link(1, "tool_gateway", "CANCEL_ORDER", "ACTION", "DONE"),
            link(2, "tool_gateway", "product_search", "TOOL", "3 rows"),
            link(3, "synthesizer", "answer", "RULE"),
        ],
    )
    assert [line for line in tree_lines(record) if line[0] in "├└"] == [
        "├─ commerce.order",
        "├─ commerce.catalog",
        "└─ synthesizer",
    ]


def test_what_came_after_the_flow_stands_behind_it(capsys: pytest.CaptureFixture[str]) -> None:
    """The line that a model wrote once the flow had ended is a row of the chain, and a branch apart in the tree."""
    told = record()
    told.after.append(link(9, "orchestrator", "conversation_summary", "LLM", "short"))
    assert tree_lines(told)[-2:] == ["after the flow", "└─ conversation_summary  LLM  14 ms  short"]
    print_record(told)
    assert "conversation_summary" in capsys.readouterr().out.partition("after the flow")[0]


def test_what_was_left_out_is_printed_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """Where it stood, whose it was, why it had to go, the part at fault and the text stand in one row; else nothing."""
    told = record()
    print_record(told)
    assert "left out" not in capsys.readouterr().out
    told.dropped.append(
        drop_pb2.Dropped(
            place=drop_pb2.DROP_PLACE_AGENT_SUMMARY,
            reason=drop_pb2.DROP_REASON_OTHER_DAY,
            text="9월 실업률은 4.1%입니다.",
            part="4.1%",
            step_id="s1",
        )
    )
    print_record(told)
    assert capsys.readouterr().out.splitlines()[-1].split() == [
        *("agent", "summary", "s1", "OTHER_DAY", "4.1%", "9월", "실업률은", "4.1%입니다."),
    ]
