"""One writer a conversation: what a second question does while a first one is being answered is what it says."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from services.runtime.errors import FailedPrecondition
from tests.support.replicas import Client, Heard, replicas
from tests.support.slow_tools import slow_tools

APPLE = "애플 주가 추세 분석해줘"
HOUSES = "아파트 매물 찾아줘"
pytestmark = [pytest.mark.asyncio, pytest.mark.timed, pytest.mark.long]


def sequences_are_whole(heard: Heard) -> bool:
    """Returns whether every durable event was heard once, in sequence."""
    return heard.sequences == list(range(1, len(heard.sequences) + 1))


def started_and_ended(heard: Heard) -> tuple[float, float]:
    """Returns when a flow was first checked, and when it ended."""
    times = [event.emit_time.ToNanoseconds() / 1e9 for event in heard.events if event.WhichOneof("event") == "routed"]
    return times[0], heard.events[-1].emit_time.ToNanoseconds() / 1e9


async def test_a_second_question_is_refused_waits_or_interrupts(tmp_path: Path, data: Path) -> None:
    """Across two replicas: REJECT is a status, QUEUE comes after the first, INTERRUPT ends those before it."""
    elsewhere: dict[str, Any] = {}
    async with slow_tools(tmp_path, 1.5) as tools:
        elsewhere["tool_gateway"] = tools.address
        async with replicas(tmp_path, data, elsewhere=elsewhere) as all_of_them:
            one, other = await all_of_them.join(), await all_of_them.join()
            first, queued = Client(one, other), Client(other, one)
            asking = asyncio.create_task(first.ask(APPLE, session_id="talk"))
            await asyncio.wait_for(tools.begun.wait(), 20)
            with pytest.raises(FailedPrecondition) as refused:
                await Client(other, one).ask(APPLE, session_id="talk", on_busy="ON_BUSY_REJECT")
            assert (refused.value.reason, refused.value.metadata["flow_run_id"]) == ("SESSION_BUSY", first.flow_run_id)
            second = await queued.ask(APPLE, session_id="talk", on_busy="ON_BUSY_QUEUE")
            assert ((await asking).ends, second.ends) == (["finished"], ["finished"])
            assert started_and_ended(second)[0] >= started_and_ended(first.heard)[1]
            tools.begun.clear()
            long, behind = Client(one, other), Client(one, other)
            running = asyncio.create_task(long.ask(APPLE, session_id="talk"))
            await asyncio.wait_for(tools.begun.wait(), 20)
            waiting = asyncio.create_task(behind.ask(APPLE, session_id="talk"))
            async with asyncio.timeout(5):
                while not behind.heard.of("progress"):
                    await asyncio.sleep(0.02)
            third = await Client(other, one).ask(APPLE, session_id="talk", on_busy="ON_BUSY_INTERRUPT")
            assert (third.ends, (await running).ends, (await waiting).ends) == (
                ["finished"],
                ["cancelled"],
                ["cancelled"],
            )
            assert long.heard.events[-1].cancelled.reason == "INTERRUPTED"
            assert all(map(sequences_are_whole, (first.heard, second, long.heard, behind.heard, third)))


async def test_a_queued_question_survives_its_replica(tmp_path: Path, data: Path) -> None:
    """The replica that held both is stopped; another one answers the first and then the second."""
    async with replicas(tmp_path, data) as all_of_them:
        one, other = await all_of_them.join(), await all_of_them.join()
        first, second = Client(one, other), Client(one, other)
        asking = asyncio.create_task(first.ask(HOUSES, session_id="talk", interactive=True))
        await asyncio.wait_for(first.asked_for.wait(), 20)
        start = {"on_busy": "ON_BUSY_QUEUE", "on_disconnect": "ON_DISCONNECT_CONTINUE"}
        begun = await second.start(APPLE, session_id="talk", **start)
        await one.running.stop(0)
        first.answers = ("서울 강남구",)
        (question,) = first.heard.of("question_asked")
        await first.answer(question.question_id)
        assert (await asking).ends == ["finished"]
        told = await second.watch(other)
        assert (told.ends, sequences_are_whole(told)) == (["finished"], True)
        assert begun.flow_run_id == second.flow_run_id
        assert started_and_ended(told)[0] >= started_and_ended(first.heard)[1]


@pytest.mark.parametrize(
    ("wish", "end"), [("ON_DISCONNECT_CANCEL", "cancelled"), ("ON_DISCONNECT_CONTINUE", "finished")]
)
async def test_a_flow_that_nobody_hears_any_more_does_as_it_was_told(
    tmp_path: Path, data: Path, wish: str, end: str
) -> None:
    """Only when the last of two watchers has left: it is then cancelled at every hop, or goes on to its answer."""
    async with (
        slow_tools(tmp_path, 2.5) as tools,
        replicas(tmp_path, data, elsewhere={"tool_gateway": tools.address}) as all_of_them,
    ):
        replica = await all_of_them.join()
        client = Client(replica, replica)
        asking = asyncio.create_task(client.ask(APPLE, on_disconnect=wish))
        await asyncio.wait_for(tools.begun.wait(), 20)
        beside = Client(replica, replica, flow_run_id=client.flow_run_id)
        watching = asyncio.create_task(beside.watch(replica))
        async with asyncio.timeout(5):
            while not beside.heard.sequences:
                await asyncio.sleep(0.02)
        asking.cancel()
        await asyncio.sleep(0.3)
        assert (tools.running > 0, beside.heard.ends) == (True, [])
        watching.cancel()
        heard = await Client(replica, replica, flow_run_id=client.flow_run_id).watch_later(replica)
        assert (heard.ends, sequences_are_whole(heard)) == ([end], True)
        assert tools.running == 0
        if end == "cancelled":
            assert heard.events[-1].cancelled.reason == "CLIENT_DISCONNECTED"
