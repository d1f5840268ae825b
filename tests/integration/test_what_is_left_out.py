"""What nothing holds is left out of summaries and answers, and told with its reason in the flow's record."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from hapju.flow.v1 import drop_pb2, record_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.cli.flows.chain import print_record
from services.cli.output import message_json
from tests.support.cluster import Cluster, Told, embedded
from tests.support.model_server import ModelServer, Reply

QUESTION = "엔비디아 주가가 왜 내렸어"
FALSE_SUMMARY = "엔비디아는 하루에 77.7% 올랐습니다."
FALSE_DRIVER = "금리 인상 때문에 움직였습니다."
FALSE_ANSWER = "목표가는 더 높습니다."
SUMMARY = {"summary": FALSE_SUMMARY, "key_drivers": [FALSE_DRIVER], "primary_trend": "NEUTRAL", "confidence": 1}


@pytest_asyncio.fixture
async def model() -> AsyncIterator[ModelServer]:
    """A model that answers sensibly but for what a test scripts."""
    async with ModelServer() as server:
        yield server


async def _record(cluster: Cluster, told: Told) -> record_pb2.FlowRecord:
    request = pb.GetFlowRequest(flow_run_id=told.answer.flow_run_id)
    return (await cluster.stub.GetFlow(request, timeout=5)).record


def _told(one: drop_pb2.Dropped) -> tuple[str, str, str, bool]:
    place, reason = drop_pb2.DropPlace.Name(one.place), drop_pb2.DropReason.Name(one.reason)
    return place.removeprefix("DROP_PLACE_"), reason.removeprefix("DROP_REASON_"), one.text, bool(one.step_id)


@pytest.mark.asyncio
async def test_the_record_tells_what_was_left_out_and_why(
    data: Path, tmp_path: Path, model: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sentences of an agent and the answer, and a mark that leads nowhere, stand with their reasons in the record."""
    for _ in range(4):
        model.script("agent_summary", Reply(text=json.dumps(SUMMARY, ensure_ascii=False)))
    model.script("response_synthesis", Reply(text=f"살펴본 내용입니다. [9] {FALSE_ANSWER} 이상입니다."))
    async with embedded(tmp_path, data, openai_base_url=model.base_url, openai_api_key="test") as cluster:
        told = await cluster.ask(QUESTION)
        record = await _record(cluster, told)
    left_out = [_told(one) for one in record.dropped]
    assert ("AGENT_SUMMARY", "UNKNOWN_FIGURE", FALSE_SUMMARY, True) in left_out
    assert ("CLAIM", "UNSUPPORTED_CAUSE", FALSE_DRIVER, True) in left_out
    assert ("ANSWER", "SIGNAL", FALSE_ANSWER, False) in left_out
    assert ("CITATION", "UNKNOWN_CITATION", "살펴본 내용입니다.", False) in left_out
    agents = [one for agent in told.answer.selected_agents for one in agent.output.dropped]
    assert list(record.dropped) == [*agents, *told.answer.dropped]
    assert not any(text in told.answer.final_response for text in (FALSE_SUMMARY, FALSE_DRIVER, FALSE_ANSWER))
    print_record(record)
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("left out of", "agent summary", "UNKNOWN_FIGURE", "77.7%", "[9]"))
    assert [one["text"] for one in message_json(record)["dropped"]] == [one.text for one in record.dropped]
