"""hapju.client over connections that break: every event once, the whole text, errors by their kinds."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from hapju.client import (
    AsyncClient,
    Client,
    FlowEvent,
    InvalidRequest,
    NotFound,
    Question,
    Refused,
    Unauthenticated,
    Unavailable,
)
from hapju.flow.v1 import flow_event_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.runtime.environment import process_environment
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster, Told, embedded
from tests.support.tokens import token

APPLE = "애플 주가 추세 분석해줘"
VAGUE = "이번 달 전세 시세 알려줘"
NO_FLOW = "01900000-0000-7000-8000-000000000000"


class Line:
    """A line to a gateway that breaks after so many bytes of what is told, as often as it is asked to."""

    def __init__(self, gateway: str, cuts: list[int]) -> None:
        host, _, port = gateway.rpartition(":")
        self._target = (host, int(port))
        self._cuts = cuts
        self.broken = 0

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries one connection until either end closes, or it breaks."""
        there, back = await asyncio.open_connection(*self._target)
        limit = self._cuts.pop(0) if self._cuts else None
        up = asyncio.create_task(self._pass(reader, back, None))
        try:
            await self._pass(there, writer, limit)
        except (OSError, asyncio.CancelledError):
            pass  # an end has gone, or the test is over
        finally:
            up.cancel()
            for end in (writer, back):
                end.transport.abort()
            await asyncio.gather(up, return_exceptions=True)

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, limit: int | None) -> None:
        told = 0
        while data := await source.read(256):
            target.write(data)
            told += len(data)
            if limit is not None and told >= limit:
                self.broken += 1
                return
            await target.drain()


@asynccontextmanager
async def line_to(gateway: str, cuts: list[int]) -> AsyncIterator[tuple[str, Line]]:
    """Opens a line for the body and yields its address; its first connections break after these numbers of bytes."""
    line, carrying = Line(gateway, cuts), set[asyncio.Task[None]]()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        carrying.add(asyncio.create_task(line.carry(reader, writer)))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", line
    finally:
        server.close()
        for task in carrying:
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_client_goes_on_where_its_connection_breaks(tmp_path: Path, data: Path) -> None:
    """Broken again and again at other places, each event comes once in order, and the text is whole."""
    async with embedded(tmp_path, data, typed_asks=True) as cluster:
        whole = (await cluster.ask(APPLE)).answer.final_response
        for step in (700, 1_700, 4_000):
            # A line of its own: two channels of one process to one address may share a connection, an unbroken one too.
            async with line_to(cluster.gateway, [step] * 5) as (address, line), AsyncClient.connect(address) as client:
                told = Told(tuple([event async for event in client.ask(Question(text=APPLE))]))
            assert told.sequences == list(range(1, len(told.sequences) + 1))
            assert told.answer.final_response == whole
            assert line.broken
        async with line_to(cluster.gateway, [900] * 3) as (address, line):
            await asyncio.to_thread(_without_asyncio, address, whole)
            assert line.broken
        await _ways_out(cluster, dev_key(tmp_path))


def _without_asyncio(address: str, whole: str) -> None:
    with Client.connect(address) as client:
        events: list[FlowEvent] = list(client.ask(Question(text=APPLE)))
        assert Told(tuple(events)).answer.final_response == whole
        assert client.answer(Question(text=APPLE)).final_response == whole
        with pytest.raises(NotFound):
            list(client.watch(NO_FLOW))


async def _ways_out(cluster: Cluster, key: str) -> None:
    """Answers, leaves, watches and is refused."""
    async with AsyncClient.connect(cluster.gateway, token=lambda: token(key, "u-1")) as client:
        flow, asked = "", flow_event_pb2.QuestionAsked()
        async for event in client.ask(Question(text=VAGUE, interactive=True)):
            flow = flow or event.accepted.flow_run_id
            if event.WhichOneof("event") == "question_asked":
                asked = event.question_asked
                await client.reply(flow, asked.question_id, "강남구")
        assert (await client.cancel(flow)).phase == flow_event_pb2.PHASE_FINISHED
        with pytest.raises(Refused) as refused:
            await client.reply(flow, asked.question_id, "서초구")
        assert refused.value.reason == "NOT_PENDING"
        seen = [event.sequence async for event in client.watch(flow, after_sequence=3)]
        assert seen[0] == 4
        events = client.ask(Question(text=VAGUE, interactive=True))
        flow = (await anext(events)).accepted.flow_run_id
        await events.aclose()
        assert (await client.cancel(flow)).phase == flow_event_pb2.PHASE_CANCELLED
        with pytest.raises(InvalidRequest) as invalid:
            await client.answer(Question(text="가" * 4_001))
        assert invalid.value.violations[0][0] == "question.text"
        assert not invalid.value.may_retry
    async with AsyncClient.connect(cluster.gateway, token="nobody") as stranger:
        with pytest.raises(Unauthenticated):
            await stranger.answer(Question(text=APPLE))


def test_nothing_answers() -> None:
    """Where nothing listens, a client says so and that it may be tried again."""
    with (
        Client.connect("127.0.0.1:1") as client,
        closing(client.ask(Question(text=APPLE))) as events,
        pytest.raises(Unavailable) as lost,
    ):
        next(events)
    assert lost.value.may_retry


@pytest.mark.asyncio
async def test_the_command_line_speaks_to_a_flow_that_runs(tmp_path: Path, data: Path) -> None:
    """What a flow waits with is shown and answered, its end is watched from elsewhere, another one is cancelled."""
    async with embedded(tmp_path, data, typed_asks=True) as cluster:
        question = Question(text=VAGUE, interactive=True)
        flow = (await cluster.stub.StartFlow(pb.StartFlowRequest(question=question), timeout=10)).flow_run_id
        async with asyncio.timeout(30):
            while not (shown := (await ran(cluster, tmp_path, "answer", flow))[1]):
                await asyncio.sleep(0.1)
        assert len(shown.split(maxsplit=1)) == 2
        watching = asyncio.create_task(ran(cluster, tmp_path, "flows", "watch", flow))
        assert await ran(cluster, tmp_path, "answer", flow, "강남구") == (0, "ANSWERED\n")
        code, told = await watching
        assert code == 0
        assert "강남구" in told
        assert (await ran(cluster, tmp_path, "answer", flow, "서초구"))[0] == 1
        flow = (await cluster.stub.StartFlow(pb.StartFlowRequest(question=question), timeout=10)).flow_run_id
        assert await ran(cluster, tmp_path, "cancel", flow) == (0, "CANCELLED\n")
        assert (await ran(cluster, tmp_path, "flows", "watch", NO_FLOW))[0] == 1


async def ran(cluster: Cluster, folder: Path, *arguments: str) -> tuple[int, str]:
    """Runs the command against a gateway; returns its exit code and what it prints."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "services.cli",
        *arguments,
        env=process_environment(HAPJU_GATEWAY=cluster.gateway, HAPJU_DATA_DIR=str(folder)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    printed = (await child.communicate())[0]
    return int(child.returncode or 0), printed.decode()
