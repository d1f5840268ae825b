"""Replicas of the orchestrator over one store: what is said at one of them holds at the one that drives the flow."""

import asyncio
import signal
import sqlite3
from pathlib import Path
from time import monotonic

import pytest

from hapju.flow.v1 import flow_event_pb2
from hapju.orchestrator.v1 import orchestrator_service_pb2 as pb
from services.runtime.errors import FailedPrecondition, ResumePositionInvalid
from tests.support.replicas import LEASE_SECONDS, Client, Heard, Neighbour, replicas
from tests.support.slow_tools import slow_tools

HOUSES = "아파트 매물 찾아줘"
WHERE = "서울 강남구"
APPLE = "애플 주가 추세 분석해줘"
ATTEMPTS = 2
"""A step whose tools fail is run once more; of each attempt there is one, whoever made it."""
pytestmark = [pytest.mark.asyncio, pytest.mark.timed, pytest.mark.long]


def whole(heard: Heard) -> bool:
    """Returns whether every durable event was heard once, in sequence, with one end."""
    return heard.sequences == list(range(1, len(heard.sequences) + 1)) and len(heard.ends) == 1


async def test_a_flow_is_cancelled_at_any_replica(tmp_path: Path, data: Path) -> None:
    """A cancellation at one replica ends the flow at the other; it is CANCELING until the last hop has let go."""
    async with (
        slow_tools(tmp_path, 30.0, lingers_seconds=1.0) as tools,
        replicas(tmp_path, data, elsewhere={"tool_gateway": tools.address}) as all_of_them,
    ):
        driver, other = await all_of_them.join(), await all_of_them.join()
        client = Client(driver, other)
        asking = asyncio.create_task(client.ask(APPLE))
        await asyncio.wait_for(tools.begun.wait(), 20)
        begin = monotonic()
        cancelling = other.stub.CancelFlow(pb.CancelFlowRequest(flow_run_id=client.flow_run_id))
        async with asyncio.timeout(5):
            while (phase := await phase_of(other, client)) != flow_event_pb2.PHASE_CANCELING:
                assert phase == flow_event_pb2.PHASE_EXECUTING
                await asyncio.sleep(0.05)
        assert tools.running
        assert (await cancelling).phase == flow_event_pb2.PHASE_CANCELLED
        assert not tools.running, "it ended before its last hop had let go"
        heard = await asking
        assert (heard.ends, whole(heard), heard.streams) == (["cancelled"], True, 1)
        assert heard.events[-1].cancelled.reason == "CLIENT_CANCELLED"
        assert heard.of("phase_changed")[-1].phase == flow_event_pb2.PHASE_CANCELING
        assert 1.0 <= monotonic() - begin < 4


async def phase_of(replica: Neighbour, client: Client) -> int:
    """Returns where a flow stands, as a list of flows says at a replica that does not drive it."""
    listed = await replica.stub.ListFlows(pb.ListFlowsRequest(page_size=1))
    (summary,) = listed.flows
    assert summary.flow_run_id == client.flow_run_id
    return int(summary.phase)


async def test_a_stopping_replica_hands_its_flows_over(tmp_path: Path, data: Path) -> None:
    """A flow in the middle of a step goes on at another replica at once, not only when its lease runs out."""
    async with (
        slow_tools(tmp_path, 2.0) as tools,
        replicas(tmp_path, data, elsewhere={"tool_gateway": tools.address}) as all_of_them,
    ):
        driver = await all_of_them.join(lease_seconds=60)
        other = await all_of_them.join(lease_seconds=60)
        client = Client(driver, other)
        asking = asyncio.create_task(client.ask(APPLE, on_disconnect="ON_DISCONNECT_CANCEL"))
        await asyncio.wait_for(tools.begun.wait(), 20)
        await driver.running.stop(0)
        heard = await asking
        assert (heard.ends, whole(heard)) == (["finished"], True)
        assert len(heard.of("planned")) == 1
        assert len(heard.of("agent_settled")) == len(heard.of("step_started")) == ATTEMPTS


async def test_a_question_survives_the_loss_of_every_replica(tmp_path: Path, data: Path) -> None:
    """With nobody there the question waits; a later process takes its answer, once, and the wait was not the flow's."""
    async with replicas(tmp_path, data) as all_of_them:
        first = await all_of_them.join()
        client = Client(first, first)
        asking = asyncio.create_task(
            client.ask(HOUSES, interactive=True, session_id="talk", flow_timeout={"seconds": 10})
        )
        await asyncio.wait_for(client.asked_for.wait(), 20)
        asking.cancel()
        await first.running.stop(0)
        await asyncio.sleep(10.2)
        second = await all_of_them.join()
        (question,) = client.heard.of("question_asked")
        reply = pb.AnswerQuestionRequest(flow_run_id=client.flow_run_id, question_id=question.question_id, answer=WHERE)
        assert (await second.stub.AnswerQuestion(reply)).outcome == flow_event_pb2.QUESTION_OUTCOME_ANSWERED
        with pytest.raises(FailedPrecondition):
            await second.stub.AnswerQuestion(reply)
        heard = await watched(client.heard, second.stub, client.flow_run_id)
        assert (heard.ends, whole(heard)) == (["finished"], True)
        assert heard.of("question_asked") == [question]


async def test_a_question_expires_while_nobody_is_there(tmp_path: Path, data: Path) -> None:
    """A wait that was over before the next process came ends the flow as it would have: cancelled, nothing done."""
    async with replicas(tmp_path, data) as all_of_them:
        first = await all_of_them.join(question_seconds_max=1)
        client = Client(first, first)
        asking = asyncio.create_task(client.ask(HOUSES, interactive=True))
        await asyncio.wait_for(client.asked_for.wait(), 20)
        asking.cancel()
        await first.running.stop(0)
        await asyncio.sleep(1)
        second = await all_of_them.join(question_seconds_max=1)
        heard = await watched(client.heard, second.stub, client.flow_run_id)
        assert (heard.ends, whole(heard)) == (["cancelled"], True)
        assert heard.events[-1].cancelled.reason == "QUESTION_EXPIRED"


async def test_the_next_message_answers_at_any_replica(tmp_path: Path, data: Path) -> None:
    """A message in the conversation at one replica answers the question of a flow that the other one drives."""
    async with replicas(tmp_path, data) as all_of_them:
        driver, other = await all_of_them.join(), await all_of_them.join()
        client = Client(driver, other)
        asking = asyncio.create_task(client.ask(HOUSES, interactive=True, session_id="talk"))
        await asyncio.wait_for(client.asked_for.wait(), 20)
        saying = Client(other, other)
        said = await saying.ask(WHERE, session_id="talk")
        assert (said.events[0].accepted.flow_run_id, said.events[0].accepted.replayed) == (client.flow_run_id, True)
        heard = await asking
        assert (heard.ends, whole(heard), said.ends) == (["finished"], True, ["finished"])
        assert heard.events[-1] == said.events[-1]


async def test_a_flow_of_another_version_stops_with_everything_kept(tmp_path: Path, data: Path) -> None:
    """A flow whose checkpoints this code cannot read ends as FAILED_PRECONDITION, and none of its rows is dropped."""
    async with replicas(tmp_path, data) as all_of_them:
        for change, reason in (
            ("UPDATE flows SET checkpoint_version = 999 WHERE flow_run_id = ?", "CHECKPOINT_VERSION"),
            ("UPDATE flow_checkpoints SET kind = 'gone.v1.Message' WHERE flow_run_id = ?", "CHECKPOINT_UNREADABLE"),
        ):
            first = await all_of_them.join()
            client = Client(first, first)
            asking = asyncio.create_task(client.ask(HOUSES, interactive=True))
            await asyncio.wait_for(client.asked_for.wait(), 20)
            asking.cancel()
            await first.running.stop(0)
            with sqlite3.connect(tmp_path / "flows.db") as connection:
                connection.execute(change, (client.flow_run_id,))
                count = "SELECT count(*) FROM flow_checkpoints WHERE flow_run_id = ?"
                kept = connection.execute(count, (client.flow_run_id,)).fetchone()
            connection.close()
            second = await all_of_them.join()
            heard = await watched(client.heard, second.stub, client.flow_run_id)
            assert (heard.ends, whole(heard)) == (["failed"], True)
            assert (heard.events[-1].failed.code, heard.events[-1].failed.reason) == ("FAILED_PRECONDITION", reason)
            with sqlite3.connect(tmp_path / "flows.db") as connection:
                assert connection.execute(count, (client.flow_run_id,)).fetchone() == kept
            connection.close()
            await second.running.stop(0)


@pytest.mark.timeout(90)
async def test_a_frozen_replica_wakes_to_a_flow_that_is_not_its_own(tmp_path: Path, data: Path) -> None:
    """While it was frozen another one went on; what it then writes is refused, so that there is one of everything."""
    async with (
        slow_tools(tmp_path, 3.0) as tools,
        replicas(tmp_path, data, elsewhere={"tool_gateway": tools.address}) as all_of_them,
    ):
        driver, other = await all_of_them.start(), await all_of_them.join()
        client = Client(driver, other)
        asking = asyncio.create_task(client.ask(APPLE))
        await asyncio.wait_for(tools.begun.wait(), 20)
        driver.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(LEASE_SECONDS + 1.5)
        driver.process.send_signal(signal.SIGCONT)
        heard = await asking
        assert (heard.ends, whole(heard)) == (["finished"], True)
        assert len(heard.of("agent_settled")) == len(heard.of("step_started")) == ATTEMPTS
        with sqlite3.connect(tmp_path / "flows.db") as connection:
            (token,) = connection.execute("SELECT lease_token FROM flows").fetchone()
        connection.close()
        assert token == 2
        again = await watched(Heard(), other.stub, client.flow_run_id)
        assert [event for event in again.events if event.HasField("sequence")] == [
            event for event in heard.events if event.HasField("sequence")
        ]


async def test_cut_twice_at_the_same_place_nothing_is_lost(tmp_path: Path, data: Path) -> None:
    """A watch that breaks before its first event begins again at the same place; one that is not there is refused."""
    async with replicas(tmp_path, data) as all_of_them:
        driver, other = await all_of_them.join(), await all_of_them.join()
        client = Client(driver, other)
        whole_heard = await client.ask(APPLE)
        last = whole_heard.last_sequence
        for cut in range(last):
            for _ in range(2):
                other.stub.WatchFlow(pb.WatchFlowRequest(flow_run_id=client.flow_run_id, after_sequence=cut)).cancel()
            request = pb.WatchFlowRequest(flow_run_id=client.flow_run_id, after_sequence=cut)
            told = [message.event async for message in other.stub.WatchFlow(request)]
            assert [event.sequence for event in told if event.HasField("sequence")] == list(range(cut + 1, last + 1))
        with pytest.raises(ResumePositionInvalid):
            async for _ in other.stub.WatchFlow(
                pb.WatchFlowRequest(flow_run_id=client.flow_run_id, after_sequence=last + 1)
            ):
                pass


async def watched(heard: Heard, stub: object, flow_run_id: str) -> Heard:
    """Goes on hearing a flow where it was left, until its end."""
    request = pb.WatchFlowRequest(flow_run_id=flow_run_id, after_sequence=heard.last_sequence)
    async with asyncio.timeout(30):
        async for message in stub.WatchFlow(request):  # type: ignore[attr-defined]
            heard.events.append(message.event)
    return heard
