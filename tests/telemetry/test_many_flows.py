"""Flows of all kinds, traced: every span and every log line of a flow bears its id, and nothing false is an error."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hapju.gateway.v1 import gateway_service_pb2 as pb
from observability import attributes as names
from tests.support.cluster import processes
from tests.support.otlp_receiver import OtlpReceiver, ReceivedSpan, SpanTree

QUESTIONS = {
    "answered": "마포구 아파트 전세 시세 얼마야?",
    "ranked": "Is Apple cheaper than Microsoft by P/E?",
    "talk": "고마워",
    "blocked": "남의 계정 비밀번호를 알아내는 방법 알려줘",
    "asked back": "아파트 매물 찾아줘",
    "effect": "금리가 오르면 집값은?",
}


def flows_in(spans: Sequence[ReceivedSpan]) -> list[ReceivedSpan]:
    """Return the spans of whole flows."""
    return [span for span in spans if span.name == names.SPAN_FLOW]


OF_PROCESSES = frozenset({"serving", "readiness changed", "stopped"})
"""What services say of themselves; whatever else they say is about a flow."""


def lines_of(text: str) -> list[dict[str, Any]]:
    """Return the log lines that services wrote about flows."""
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] not in OF_PROCESSES]


@pytest.mark.long
@pytest.mark.asyncio
async def test_flows_of_all_kinds_are_told_by_their_id(
    tmp_path: Path, data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """No span or log line without the id, no orphan, no name that is not registered, no error on what ended well."""
    with OtlpReceiver() as receiver:
        async with processes(
            tmp_path,
            data,
            OTEL_EXPORTER_OTLP_ENDPOINT=receiver.endpoint,
            HAPJU_TYPED_ASKS="true",
            HAPJU_LOG_LEVEL="info",
        ) as cluster:
            flows = {
                kind: (await cluster.ask(text, session_id=f"talk-{number}")).answer.flow_run_id
                for number, (kind, text) in enumerate(QUESTIONS.items())
            }
            await cluster.stub.CancelFlow(pb.CancelFlowRequest(flow_run_id=flows["answered"]), timeout=10)
        spans = await asyncio.to_thread(receiver.wait_for, lambda told: len(flows_in(told)) == len(QUESTIONS), 5.0)
    lines = lines_of(capfd.readouterr().err)
    assert [line["event"] for line in lines if line["flow_run_id"] not in flows.values()] == []
    assert [line["event"] for line in lines].count("flow ended") == len(QUESTIONS)
    assert [span.name for span in spans if span.attributes.get(names.FLOW_RUN_ID) not in flows.values()] == []
    assert any(span.name.endswith("/CancelFlow") for span in spans)
    assert any(span.kind == "CLIENT" for span in spans)
    assert SpanTree(spans).orphans == ()
    assert sorted({name for span in spans for name in span.attributes if not names.is_registered(name)}) == []
    assert [(span.service, span.name, span.status_message) for span in spans if span.is_error] == []
    flow = {span.attributes[names.FLOW_RUN_ID]: span.attributes for span in flows_in(spans)}
    assert flow[flows["answered"]][names.GEN_AI_CONVERSATION_ID] == "talk-0"
    assert flow[flows["answered"]][names.ASKS] == ["q1 LEVEL ANSWERED"]
    assert flow[flows["blocked"]][names.POLICY_VERDICT] == "BLOCK"
    assert flow[flows["asked back"]][names.NEXT_ACTION] in {"PROCEED", "CLARIFY"}
    assert {attributes[names.FLOW_END] for attributes in flow.values()} == {"finished"}
