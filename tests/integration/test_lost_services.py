"""A service that cannot be reached: the flow ends once, says what is missing, and never runs unguarded."""

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from hapju.flow.v1 import failure_pb2, flow_event_pb2
from hapju.gateway.v1 import gateway_service_pb2 as gateway_pb
from hapju.orchestrator.v1 import orchestrator_service_pb2 as pb
from services.catalog.topology import topology
from services.orchestrator.servicer import OrchestratorServicer
from services.runtime.errors import Unavailable
from tests.support.cluster import embedded

APPLE = "애플 주가 추세 분석해줘"
NOWHERE = "127.0.0.1:9"
"""An address at which nothing listens."""


@pytest.mark.asyncio
@pytest.mark.parametrize("lost", ["policy", "router", "planner"])
async def test_without_guard_route_or_plan_nothing_runs(tmp_path: Path, data: Path, lost: str) -> None:
    """A question that cannot be guarded, understood or planned fails as UNAVAILABLE, and no agent or tool is called."""
    async with embedded(tmp_path, data, elsewhere={lost: NOWHERE}, away_seconds_max=0.5) as cluster:
        told = await cluster.ask(APPLE)
    assert told.terminal == ["failed"]
    assert (told.events[-1].failed.code, bool(told.events[-1].failed.message)) == ("UNAVAILABLE", True)
    assert told.of("step_started") + told.of("tool_settled") == []
    assert NOWHERE not in str(told.events)


def lose_first_call(monkeypatch: pytest.MonkeyPatch, *, begun: bool) -> list[str]:
    """Has the first RunFlow call lost, before its flow has begun or behind that; returns the ids that are asked for."""
    asked: list[str] = []
    run_flow = OrchestratorServicer.RunFlow

    async def lost_at_first(
        servicer: OrchestratorServicer, request: pb.RunFlowRequest, context: object
    ) -> AsyncIterator[pb.RunFlowResponse]:
        asked.append(request.flow_run_id)
        if len(asked) == 1 and begun:
            await servicer.StartFlow(
                pb.StartFlowRequest(flow_run_id=request.flow_run_id, question=request.question), context
            )
        if len(asked) == 1:
            raise Unavailable("the connection was lost")
        async for told in run_flow(servicer, request, context):
            yield told

    monkeypatch.setattr(OrchestratorServicer, "RunFlow", lost_at_first)
    return asked


@pytest.mark.asyncio
@pytest.mark.parametrize("begun", [False, True])
async def test_a_question_whose_first_call_is_lost_is_answered(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    """Lost before the flow was written down, it is begun again under its id; lost behind that, it is heard on."""
    asked = lose_first_call(monkeypatch, begun=begun)
    async with embedded(tmp_path, data) as cluster:
        told = await cluster.ask(APPLE)
        listed = await cluster.stub.ListFlows(gateway_pb.ListFlowsRequest(), timeout=5)
    assert told.sequences == list(range(1, len(told.sequences) + 1))
    assert [told.answer.flow_run_id] == [one.flow_run_id for one in listed.flows]
    assert asked == [told.answer.flow_run_id] * (1 if begun else 2)


@pytest.mark.asyncio
async def test_a_message_of_a_conversation_is_never_said_again(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have answered a flow that waited for it: its client is told that the call was lost, and decides."""
    asked = lose_first_call(monkeypatch, begun=False)
    async with embedded(tmp_path, data) as cluster:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await cluster.ask("네", session_id="talk")
        listed = await cluster.stub.ListFlows(gateway_pb.ListFlowsRequest(), timeout=5)
    assert (refused.value.code(), len(asked), list(listed.flows)) == (grpc.StatusCode.UNAVAILABLE, 1, [])


@pytest.mark.asyncio
async def test_a_lost_agent_is_seen_in_stream_and_answer(tmp_path: Path, data: Path) -> None:
    """The step is UNREACHABLE, the answer says so without a figure, and the flow finishes with its tag."""
    async with embedded(tmp_path, data, elsewhere={"finance.equity": NOWHERE}, away_seconds_max=0.5) as cluster:
        told = await cluster.ask(APPLE)
    # Its companion branch would ask the same agent, and is not needed: the branch before it has not asked for it.
    assert [settled.outcome for settled in told.of("agent_settled")] == [
        flow_event_pb2.AGENT_OUTCOME_UNREACHABLE,
        flow_event_pb2.AGENT_OUTCOME_SKIPPED,
    ]
    answer = told.answer
    assert list(answer.failure_tags) == [failure_pb2.FAILURE_TAG_AGENT_CALL_FAILED]
    assert (list(answer.citations), answer.context_meta.invoked_agent_count) == ([], 0)
    assert "들어 있지 않습니다" in answer.final_response
    assert answer.final_response == told.text


@pytest.mark.asyncio
async def test_another_agent_stands_in_for_a_lost_one(tmp_path: Path, data: Path) -> None:
    """Prices of homes without their agent: the trend of the same district is looked at, and both are told."""
    async with embedded(tmp_path, data, elsewhere={"realty.search": NOWHERE}, away_seconds_max=0.5) as cluster:
        told = await cluster.ask("강남구 아파트 매매 시세 알려줘")
    assert [(one.agent, one.outcome) for one in told.of("agent_settled")] == [
        ("realty.search", flow_event_pb2.AGENT_OUTCOME_UNREACHABLE),
        ("finance.real_estate", flow_event_pb2.AGENT_OUTCOME_ANSWERED),
    ]
    assert any("대신" in progress.message for progress in told.of("progress"))
    answer = told.answer
    assert list(answer.failure_tags) == [failure_pb2.FAILURE_TAG_AGENT_CALL_FAILED]
    assert ("들어 있지 않습니다" in answer.final_response, "대신" in answer.final_response) == (True, True)
    assert [one.agent_name for one in answer.selected_agents] == ["finance.real_estate"]
    assert any("강남구" in metric.subject for metric in answer.selected_agents[0].output.metrics)


@pytest.mark.asyncio
async def test_lost_data_is_the_agents_to_tell(tmp_path: Path, data: Path) -> None:
    """Without the tool gateway the agent answers that it has no data; no figure is written."""
    async with embedded(tmp_path, data, elsewhere={"tool_gateway": NOWHERE}, away_seconds_max=0.5) as cluster:
        told = await cluster.ask(APPLE)
    # The agent's channel has tried three times; neither another attempt nor the other branch would find an open door.
    assert [settled.outcome for settled in told.of("agent_settled")] == [
        flow_event_pb2.AGENT_OUTCOME_FAILED,
        flow_event_pb2.AGENT_OUTCOME_SKIPPED,
    ]
    assert {settled.outcome for settled in told.of("tool_settled")} == {flow_event_pb2.TOOL_OUTCOME_KIND_FAILED}
    assert list(told.answer.citations) == []
    assert not any(character.isdigit() for character in told.answer.final_response)


@pytest.mark.asyncio
async def test_a_lost_synthesizer_leaves_the_results(tmp_path: Path, data: Path) -> None:
    """What the agents found is told as it is, under a new attempt, with the tag that says why."""
    async with embedded(tmp_path, data, elsewhere={"synthesizer": NOWHERE}, away_seconds_max=0.5) as cluster:
        told = await cluster.ask(APPLE)
    answer = told.answer
    assert list(answer.failure_tags) == [failure_pb2.FAILURE_TAG_RESPONSE_SYNTHESIS_FAILED]
    assert answer.selected_agents[0].output.summary in answer.final_response
    assert answer.final_response == told.text


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_lost_orchestrator_is_a_failed_event(tmp_path: Path, data: Path) -> None:
    """After `accepted` the stream ends well with a failed event; a call that could not begin is a status.

    While it is waited for, the stream may say that it is alive, and nothing else.
    """
    away = {name: NOWHERE for name in topology().names if name != "gateway"}
    async with embedded(tmp_path, data, elsewhere=away) as cluster:
        told = await cluster.ask(APPLE)
    kinds = [event.WhichOneof("event") for event in told.events]
    assert [kind for kind in kinds if kind != "heartbeat"] == ["accepted", "failed"]
    assert (kinds[0], kinds[-1]) == ("accepted", "failed")
    assert told.events[-1].failed.code == "UNAVAILABLE"
