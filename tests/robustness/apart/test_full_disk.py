"""The flow store's disk is full: nothing that could not be written down is told as done, and a flow has one end.

pytest -m slow tests/robustness/apart -k full_disk
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
import pytest_asyncio
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status

from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc
from services.tool_gateway.data.copying import copy_database
from tests.support.apart.client import ENDS, QUESTION
from tests.support.apart.processes import Processes, apart

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="module")]
LEASE_SECONDS = 3
"""As long as these services' leases: a flow that nobody drives is taken over behind it."""
PHASES = {
    "finished": flow_event_pb2.PHASE_FINISHED,
    "failed": flow_event_pb2.PHASE_FAILED,
    "cancelled": flow_event_pb2.PHASE_CANCELLED,
}
Stub = Any


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def services(tmp_path_factory: pytest.TempPathFactory, data: Path) -> AsyncIterator[Processes]:
    """The services, each a process."""
    folder = tmp_path_factory.mktemp("full")
    copy_database(data, folder / "data.db")
    async with apart(folder, folder / "data.db") as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def stub(services: Processes) -> AsyncIterator[Stub]:
    """A client; a question has been answered."""
    async with grpc.aio.insecure_channel(services.door) as channel:
        client = gateway_service_pb2_grpc.GatewayServiceStub(channel)
        while (await _end(client.Ask(_asking(), timeout=60))).WhichOneof("event") != "finished":
            await asyncio.sleep(0.3)
        yield client


def _asking(session_id: str = "") -> pb.AskRequest:
    return pb.AskRequest(question=question_pb2.Question(text=QUESTION, locale="ko", session_id=session_id))


async def _end(stream: Any) -> flow_event_pb2.FlowEvent:
    """Returns a stream's last event."""
    events: list[flow_event_pb2.FlowEvent] = [message.event async for message in stream]
    return events[-1]


async def _until_a_step(stream: Any) -> str:
    """Hears a stream until an agent works, and returns its flow."""
    flow = ""
    async for message in stream:
        event = message.event
        flow = event.accepted.flow_run_id if event.WhichOneof("event") == "accepted" else flow
        if event.WhichOneof("event") == "step_started":
            return flow
    raise AssertionError("no step")


async def _refused(call: Awaitable[object]) -> None:
    """Makes a call that has to write, and is refused with a time to come again."""
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE, refused.value
    packed = [value for key, value in refused.value.trailing_metadata() or () if key == "grpc-status-details-bin"]
    status = Status.FromString(packed[0]) if packed and isinstance(packed[0], bytes) else Status()
    assert any(one.Is(RetryInfo.DESCRIPTOR) for one in status.details)


async def test_a_cancel_that_is_not_kept_is_not_told_as_done(services: Processes, stub: Stub) -> None:
    """It is refused, no watcher hears of it, and behind it the flow has the very end that its watchers heard."""
    owner, agent = services.services["orchestrator"], services.services["finance.equity"]
    agent.send(signal.SIGSTOP)
    try:
        stream = stub.Ask(_asking(), timeout=60)
        flow = await _until_a_step(stream)
        owner.fill(is_full=True)
        ending = asyncio.create_task(_end(stream))
        await _refused(stub.CancelFlow(pb.CancelFlowRequest(flow_run_id=flow), timeout=30))
        heard = await ending
    finally:
        owner.fill(is_full=False)
        agent.send(signal.SIGCONT)
    assert heard.WhichOneof("event") == "failed"
    assert heard.failed.code == "UNAVAILABLE"
    assert any("가" <= mark <= "힣" for mark in heard.failed.message)
    await asyncio.sleep(2 * LEASE_SECONDS)
    record = (await stub.GetFlow(pb.GetFlowRequest(flow_run_id=flow), timeout=30)).record
    assert [one for one in record.events if one.WhichOneof("event") in ENDS] == [heard]
    assert await _end(stub.WatchFlow(pb.WatchFlowRequest(flow_run_id=flow), timeout=30)) == heard
    cancelled = await stub.CancelFlow(pb.CancelFlowRequest(flow_run_id=flow), timeout=30)
    assert cancelled.phase == PHASES["failed"]


async def test_an_answer_that_is_not_kept_has_one_end(services: Processes, stub: Stub) -> None:
    """A flow whose agent answers on a full disk fails, for those who hear it and for all who ask later."""
    owner, agent = services.services["orchestrator"], services.services["finance.equity"]
    agent.send(signal.SIGSTOP)
    try:
        stream = stub.Ask(_asking(), timeout=60)
        flow = await _until_a_step(stream)
        owner.fill(is_full=True)
        agent.send(signal.SIGCONT)
        heard = await _end(stream)
        await asyncio.sleep(2 * LEASE_SECONDS)
    finally:
        owner.fill(is_full=False)
        agent.send(signal.SIGCONT)
    assert heard.failed.code == "UNAVAILABLE", heard
    for _ in range(2):
        assert await _end(stub.WatchFlow(pb.WatchFlowRequest(flow_run_id=flow), timeout=30)) == heard
        await asyncio.sleep(LEASE_SECONDS)


async def test_whatever_has_to_be_written_is_refused(services: Processes, stub: Stub) -> None:
    """Flows, conversations that are deleted, labels: each says that it could not be kept, and may be asked again."""
    begun = await stub.StartFlow(pb.StartFlowRequest(question=_asking("s-full").question), timeout=60)
    await _end(stub.WatchFlow(pb.WatchFlowRequest(flow_run_id=begun.flow_run_id), timeout=60))
    calls: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: stub.StartFlow(pb.StartFlowRequest(question=_asking("s-full").question), timeout=30),
        lambda: stub.DeleteSession(pb.DeleteSessionRequest(session_id="s-full"), timeout=30),
    )
    owner = services.services["orchestrator"]
    owner.fill(is_full=True)
    try:
        for call in calls:
            await _refused(call())
        listed = await stub.ListFlows(pb.ListFlowsRequest(session_id="s-full"), timeout=30)
        assert [one.flow_run_id for one in listed.flows] == [begun.flow_run_id]
    finally:
        owner.fill(is_full=False)
    deleted = await stub.DeleteSession(pb.DeleteSessionRequest(session_id="s-full"), timeout=30)
    assert deleted.flows_deleted == 1
