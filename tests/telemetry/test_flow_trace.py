"""One flow, one trace: every hop, decision, tool and model call hangs in one tree, across real processes."""

import asyncio
from pathlib import Path

import pytest

from hapju.flow.v1 import decision_pb2
from observability import attributes as names
from services.catalog.topology import topology
from tests.support.cluster import processes
from tests.support.model_server import ModelServer
from tests.support.otlp_receiver import OtlpReceiver, ReceivedSpan, SpanTree

APPLE = "애플 주가 추세 분석해줘"
EDGES = {
    ("gateway", "orchestrator"),
    ("orchestrator", "policy"),
    ("orchestrator", "router"),
    ("orchestrator", "planner"),
    ("orchestrator", "finance.equity"),
    ("orchestrator", "synthesizer"),
    ("orchestrator", "tool_gateway"),
    ("finance.equity", "tool_gateway"),
}


def spans_of(spans: tuple[ReceivedSpan, ...], flow_run_id: str) -> list[ReceivedSpan]:
    """Returns the spans of the trace that the flow's own span belongs to."""
    flow = next(span for span in spans if span.name == names.SPAN_FLOW and flow_run_id in span.attributes.values())
    return [span for span in spans if span.trace_id == flow.trace_id]


@pytest.mark.long
@pytest.mark.timed  # no call of a model may run out of its time
@pytest.mark.asyncio
async def test_a_flow_is_one_trace_through_every_process(tmp_path: Path, data: Path) -> None:
    """One trace, no orphan, the edges of the picture, the flow's id on every span, and registered names only."""
    with OtlpReceiver() as receiver:
        async with (
            ModelServer() as server,
            processes(
                tmp_path,
                data,
                OTEL_EXPORTER_OTLP_ENDPOINT=receiver.endpoint,
                OPENAI_BASE_URL=server.base_url,
                OPENAI_API_KEY="test",
            ) as cluster,
        ):
            told = await cluster.ask(APPLE)
            flow_run_id = told.answer.flow_run_id
        # The processes have stopped, and flushed what they had.
        received = await asyncio.to_thread(
            receiver.wait_for,
            lambda spans: any(span.name == names.SPAN_FLOW for span in spans),
            5.0,
        )
    spans = spans_of(tuple(received), flow_run_id)
    tree = SpanTree(spans)
    assert (len(tree.roots), tree.orphans) == (1, ()), tree.render()
    assert (tree.roots[0].service, tree.roots[0].kind) == ("gateway", "SERVER")
    assert set(tree.edges()) == EDGES, tree.render()
    assert set(tree.edges()) <= topology().edges()
    assert {span.attributes.get(names.FLOW_RUN_ID) for span in received} == {flow_run_id}
    assert sorted({name for span in spans for name in span.attributes if not names.is_registered(name)}) == []
    decisions = [span for span in spans if span.name == names.SPAN_DECIDE]
    assert len(told.answer.decisions) == len(decisions)
    models = [span for span in spans if names.GEN_AI_REQUEST_MODEL in span.attributes and span.kind == "CLIENT"]
    assert told.answer.usage.model_calls == len(models)
    # One that was given up, for what it asked ahead was not needed, has no answer to count.
    answered = [span for span in models if names.GEN_AI_RESPONSE_MODEL in span.attributes]
    assert len(answered) >= sum(one.source == decision_pb2.DECISION_SOURCE_LLM for one in told.answer.decisions) > 0
    assert all(span.attributes[names.GEN_AI_USAGE_INPUT_TOKENS] > 0 for span in answered)
    assert [span.name for span in received if span.is_error] == []
    flow = next(span for span in spans if span.name == names.SPAN_FLOW)
    assert flow.attributes[names.FLOW_END] == "finished"
    assert {names.POLICY_VERDICT, names.DOMAIN, names.INTENT, names.NEXT_ACTION, names.PLAN_STRATEGY} <= set(
        flow.attributes
    )
    assert "hapju.phase" in flow.events
    steps = [span for span in spans if span.name == names.SPAN_STEP]
    assert {span.attributes[names.AGENT_ID] for span in steps} == {"finance.equity"}
