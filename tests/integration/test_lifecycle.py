"""The life of a flow: started once, told to whoever may hear it, ended once, by its own end or by somebody's word."""

import asyncio
import random
from collections import Counter
from pathlib import Path
from time import monotonic

import grpc
import pytest

from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster, Told, embedded
from tests.support.slow_tools import SlowTools, slow_tools
from tests.support.tokens import token

APPLE = "애플 주가 추세 분석해줘"
VAGUE = "아파트 매물 찾아줘"
"""Asks where before it can be answered."""
SETTLE_SECONDS_MAX = 2.0


async def status_of(call: object) -> grpc.aio.AioRpcError:
    """Returns the status with which a call fails."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call  # type: ignore[misc]
    return caught.value


async def watched(cluster: Cluster, flow_run_id: str, after_sequence: int = 0, user: str = "") -> Told:
    """Watches a flow until its end."""
    metadata = (("authorization", f"Bearer {user}"),) if user else ()
    request = pb.WatchFlowRequest(flow_run_id=flow_run_id, after_sequence=after_sequence)
    return Told(tuple([m.event async for m in cluster.stub.WatchFlow(request, metadata=metadata)]))


def _bearer(user_token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {user_token}"),)


def tasks_of_flows() -> list[str]:
    """Returns the names of the tasks that work for a flow."""
    names = [task.get_name() for task in asyncio.all_tasks()]
    return [name for name in names if name.startswith(("flow ", "supervise ", "step "))]


def tasks_at_work() -> list[str]:
    """Returns the names of all tasks but those of the health watch that a channel holds open at its server.

    A channel that connects late, or again, opens it at any moment; grpc.aio names a handler's task after its method
    and wraps it in a further one, `rpc_task`.
    """
    names = [task.get_name() for task in asyncio.all_tasks()]
    return sorted(name for name in names if name != "rpc_task" and "/grpc.health.v1.Health/" not in name)


async def phases_of(cluster: Cluster) -> set[int]:
    """Returns the phases of the newest flows."""
    listed = await cluster.stub.ListFlows(pb.ListFlowsRequest(page_size=200), timeout=5)
    return {flow.phase for flow in listed.flows}


async def until_quiet() -> None:
    """Waits until nothing works for a flow any more."""
    async with asyncio.timeout(SETTLE_SECONDS_MAX):
        while tasks_of_flows():
            await asyncio.sleep(0.01)


@pytest.mark.timed
@pytest.mark.asyncio
async def test_cancelling_at_any_moment_leaves_nothing_running(tmp_path: Path, data: Path) -> None:
    """A client that leaves at a random moment leaves no task and no tool call behind, in any service."""
    moments = random.Random(7)  # noqa: S311 - moments, not secrets
    async with (
        slow_tools(tmp_path, 10.0) as tools,
        embedded(tmp_path, data, elsewhere={"tool_gateway": tools.address}) as cluster,
    ):
        await warmed_up(cluster, tools)
        before = tasks_at_work()
        for _ in range(20):
            asking = asyncio.create_task(cluster.ask(APPLE))
            await asyncio.sleep(moments.uniform(0, 0.25))
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            await until_quiet()
        settle_by = monotonic() + SETTLE_SECONDS_MAX
        left, phases = tasks_at_work(), await phases_of(cluster)
        while monotonic() < settle_by and (len(left) > len(before) or phases != {flow_event_pb2.PHASE_CANCELLED}):
            await asyncio.sleep(0.02)
            left, phases = tasks_at_work(), await phases_of(cluster)
        assert len(left) <= len(before), Counter(left) - Counter(before)
        assert phases == {flow_event_pb2.PHASE_CANCELLED}
        assert (tools.running, tools.finished) == (0, 0)


async def warmed_up(cluster: Cluster, tools: SlowTools) -> None:
    """Connects every channel by one question that gets as far as its tool, and lets it go."""
    asking = asyncio.create_task(cluster.ask(APPLE))
    await asyncio.wait_for(tools.begun.wait(), 20)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await until_quiet()


async def seconds_until_deadline(cluster: Cluster) -> float:
    """Returns how long a question with one second to live over a tool of ten took to fail."""
    begin = monotonic()
    error = await status_of(cluster.ask(APPLE, seconds=1.0))
    took = monotonic() - begin
    assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    return took


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_short_deadline_ends_a_long_tool(tmp_path: Path, data: Path) -> None:
    """One second over a tool of ten ends at one second with DEADLINE_EXCEEDED; nothing goes on, the record says so.

    The quickest of three is held to the limit, since the machine may be busy with other tests.
    """
    async with (
        slow_tools(tmp_path, 10.0) as tools,
        embedded(tmp_path, data, elsewhere={"tool_gateway": tools.address}) as cluster,
    ):
        await warmed_up(cluster, tools)
        took = [await seconds_until_deadline(cluster) for _ in range(3)]
        assert 1.0 <= min(took) <= 1.2, took
        assert max(took) < 2.0, took
        await until_quiet()
        assert (tools.running, tools.finished) == (0, 0)
        newest = (await cluster.stub.ListFlows(pb.ListFlowsRequest(page_size=1), timeout=5)).flows[0]
        record = (await cluster.stub.GetFlow(pb.GetFlowRequest(flow_run_id=newest.flow_run_id), timeout=5)).record
        assert record.summary.phase == flow_event_pb2.PHASE_FAILED
        assert record.events[-1].failed.code == "DEADLINE_EXCEEDED"


@pytest.mark.timed
@pytest.mark.asyncio
async def test_a_flows_own_time_is_a_failed_event(tmp_path: Path, data: Path) -> None:
    """Where the question itself sets the time, its end is an event and the stream ends well."""
    async with (
        slow_tools(tmp_path, 10.0) as tools,
        embedded(tmp_path, data, elsewhere={"tool_gateway": tools.address}) as cluster,
    ):
        told = await cluster.ask(APPLE, flow_timeout={"nanos": 500_000_000})
        assert told.terminal == ["failed"]
        assert (
            told.events[-1].failed.code,
            told.events[-1].failed.reason,
        ) == ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED")
        assert tools.finished == 0


@pytest.mark.asyncio
async def test_a_started_flow_goes_on_and_can_be_cancelled(tmp_path: Path, data: Path) -> None:
    """StartFlow outlives its call; CancelFlow ends it at every hop, once, and whoever watches is told."""
    async with (
        slow_tools(tmp_path, 10.0) as tools,
        embedded(tmp_path, data, elsewhere={"tool_gateway": tools.address}) as cluster,
    ):
        request = pb.StartFlowRequest(question=question_pb2.Question(text=APPLE))
        started = await cluster.stub.StartFlow(request, timeout=10)
        await asyncio.wait_for(tools.begun.wait(), 10)
        watching = asyncio.create_task(watched(cluster, started.flow_run_id))
        cancelling = pb.CancelFlowRequest(flow_run_id=started.flow_run_id)
        ended = await cluster.stub.CancelFlow(cancelling, timeout=10)
        assert ended.phase == flow_event_pb2.PHASE_CANCELLED
        told = await watching
        assert (told.terminal, told.events[-1].cancelled.reason) == (["cancelled"], "CLIENT_CANCELLED")
        assert (await cluster.stub.CancelFlow(cancelling, timeout=10)).phase == flow_event_pb2.PHASE_CANCELLED
        assert (tools.running, tools.finished) == (0, 0)


@pytest.mark.asyncio
async def test_a_flow_is_told_again_from_any_sequence(tmp_path: Path, data: Path) -> None:
    """Whoever watches after a sequence gets the rest, each once; a position that is not there is OUT_OF_RANGE."""
    async with embedded(tmp_path, data) as cluster:
        told = await cluster.ask(APPLE)
        flow_run_id = told.events[0].accepted.flow_run_id
        last = told.sequences[-1]
        for after in (0, 3, last - 1):
            again = await watched(cluster, flow_run_id, after)
            assert list(range(after + 1, last + 1)) == again.sequences
            assert told.answer == again.answer
            assert told.text == again.text
        assert (await watched(cluster, flow_run_id, last)).sequences == []
        error = await status_of(watched(cluster, flow_run_id, last + 1))
        assert error.code() == grpc.StatusCode.OUT_OF_RANGE


@pytest.mark.asyncio
async def test_the_same_request_is_the_same_flow(tmp_path: Path, data: Path) -> None:
    """A request id with the same question returns the same flow, with another question it is refused."""
    async with embedded(tmp_path, data) as cluster:
        first = await cluster.ask(APPLE, request_id="r-1")
        again = await cluster.ask(APPLE, request_id="r-1")
        assert first.answer == again.answer
        assert (first.events[0].accepted.replayed, again.events[0].accepted.replayed) == (False, True)
        assert first.events[0].accepted.session_id == again.events[0].accepted.session_id
        error = await status_of(cluster.ask("테슬라 주가 추세 분석해줘", request_id="r-1"))
        assert error.code() == grpc.StatusCode.ALREADY_EXISTS
        both = await asyncio.gather(*(cluster.ask(APPLE, request_id="r-2") for _ in range(5)), return_exceptions=True)
        assert len({told.answer.flow_run_id for told in both if isinstance(told, Told)}) == 1
        assert sum(isinstance(told, Told) for told in both) == 5


@pytest.mark.asyncio
async def test_a_request_id_tells_another_user_nothing(tmp_path: Path, data: Path) -> None:
    """Who repeats another's request, with the same question or another one, has a flow as if the id were new."""
    mine, theirs = (token(dev_key(tmp_path), user) for user in ("u-1", "u-2"))
    asked = pb.StartFlowRequest(question=question_pb2.Question(text=VAGUE, request_id="r-1", interactive=True))
    async with embedded(tmp_path, data) as cluster:
        first = await cluster.ask(APPLE, request_id="r-0", token=mine)
        waiting = await cluster.stub.StartFlow(asked, timeout=10, metadata=_bearer(mine))
        same = await cluster.ask(APPLE, request_id="r-0", token=theirs)
        refused = await status_of(cluster.ask("테슬라 주가 추세 분석해줘", request_id="r-0", token=theirs))
        started = await cluster.stub.StartFlow(asked, timeout=10, metadata=_bearer(theirs))
    accepted, again = first.events[0].accepted, same.events[0].accepted
    assert (same.terminal, again.replayed) == (["finished"], False)
    assert {again.flow_run_id, again.session_id}.isdisjoint({accepted.flow_run_id, accepted.session_id})
    # It is refused for their own first question under the id, not for the other's.
    assert (refused.code(), accepted.flow_run_id in str(refused)) == (grpc.StatusCode.ALREADY_EXISTS, False)
    assert (started.replayed, started.flow_run_id != waiting.flow_run_id) == (False, True)
    assert started.session_id != waiting.session_id


@pytest.mark.asyncio
async def test_flows_and_conversations_belong_to_their_user(tmp_path: Path, data: Path) -> None:
    """Another user's flow or conversation looks like one that does not exist."""
    mine, theirs = (token(dev_key(tmp_path), user) for user in ("u-1", "u-2"))
    async with embedded(tmp_path, data) as cluster:
        told = await cluster.ask(APPLE, token=mine, session_id="talk-1")
        flow_run_id = told.events[0].accepted.flow_run_id
        metadata = (("authorization", f"Bearer {theirs}"),)
        for call in (
            cluster.stub.GetFlow(pb.GetFlowRequest(flow_run_id=flow_run_id), timeout=5, metadata=metadata),
            cluster.stub.CancelFlow(pb.CancelFlowRequest(flow_run_id=flow_run_id), timeout=5, metadata=metadata),
            watched(cluster, flow_run_id, user=theirs),
            cluster.ask(APPLE, token=theirs, session_id="talk-1"),
        ):
            assert (await status_of(call)).code() == grpc.StatusCode.NOT_FOUND
        listed = await cluster.stub.ListFlows(pb.ListFlowsRequest(), timeout=5, metadata=metadata)
        assert list(listed.flows) == []


@pytest.mark.asyncio
async def test_the_record_lists_every_decision_in_order(tmp_path: Path, data: Path) -> None:
    """The call chain holds each decision, tool call and step with its source and latency, as the stream told them."""
    async with embedded(tmp_path, data) as cluster:
        told = await cluster.ask(APPLE)
        request = pb.GetFlowRequest(flow_run_id=told.answer.flow_run_id)
        record = (await cluster.stub.GetFlow(request, timeout=5)).record
        assert list(range(1, len(record.chain) + 1)) == [link.order for link in record.chain]
        decisions = [(link.service, link.name) for link in record.chain if link.kind == "RULE"]
        assert decisions == [(decision.service, decision.kind) for decision in told.answer.decisions]
        assert decisions[:2] == [("policy", "policy_safety"), ("router", "intent_analysis")]
        called = {link.name for link in record.chain if link.kind == "TOOL"}
        assert called == {"earnings_events", "equity_financials", "equity_prices"}
        settled = [link for link in record.chain if link.kind == "AGENT"]
        assert [link.service for link in settled] == ["finance.equity"] * 2
        assert [link.outcome for link in settled] == ["ANSWERED", "COMPANION_NOT_NEEDED"]
        assert all(link.latency.ToMicroseconds() > 0 for link in record.chain if link is not settled[1])
        durable = [event for event in told.events if event.HasField("sequence")]
        assert durable == list(record.events)
