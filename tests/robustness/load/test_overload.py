"""Ten times as many questions as can be answered, for a minute, to services in processes of their own.

pytest -m slow tests/robustness/load        prints the figures, with what else the machine did meanwhile

Every figure is held to one of the same run, for the machine may be shared: answers to those of unhurried questions
before and behind, refusals to what a health check takes that costs next to nothing.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import grpc
import psutil
import pytest
import pytest_asyncio
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from grpc_health.v1 import health_pb2, health_pb2_grpc

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc
from services.runtime.settings import dev_key
from services.tool_gateway.data.copying import copy_database
from tests.support.apart.processes import Processes, apart
from tests.support.tokens import token

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.asyncio]
QUESTIONS = ("애플 주가 추세 분석해줘", "삼성전자 주가 알려줘", "테슬라 주가 알려줘", "엔비디아 주가 추세 분석해줘")
SECONDS = 60.0
"""How long more is asked than can be answered."""
TIMES = 10
KEPT = 2.0
"""How many times as long as alone an answer may take in a crowd."""
REFUSED_SECONDS_MAX = 0.05
"""How long a refusal may take, on a machine that has a core for it."""


@dataclass(frozen=True)
class Asked:
    """What became of one question."""

    began: float
    """When it was asked."""
    seconds: float
    """How long it took."""
    status: str
    """OK, or the status with which it was refused."""
    bears_retry: bool = False
    """Whether a refusal says when to come again."""
    message: str = ""
    """What a refusal says."""


@dataclass
class Client:
    """Asks the gateway."""

    stub: "gateway_service_pb2_grpc.GatewayServiceAsyncStub"
    """The gateway."""
    number: int = 0
    """Questions asked."""

    async def ask(self, metadata: tuple[tuple[str, str], ...] = ()) -> Asked:
        """Asks the next question and returns what became of it."""
        self.number += 1
        question = question_pb2.Question(text=QUESTIONS[self.number % len(QUESTIONS)], locale="ko")
        begin, end = monotonic(), ""
        try:
            async for message in self.stub.Ask(pb.AskRequest(question=question), timeout=30, metadata=metadata):
                end = message.event.WhichOneof("event") or ""
        except grpc.aio.AioRpcError as error:
            return Asked(begin, monotonic() - begin, error.code().name, _retry(error), error.details() or "")
        return Asked(begin, monotonic() - begin, "OK" if end == "finished" else end)

    async def one_after_another(self, count: int) -> list[Asked]:
        """Asks questions with nothing beside them."""
        return [await self.ask() for _ in range(count)]

    async def at_once(self, count: int, seconds: float) -> list[Asked]:
        """Asks from several sides, each one question after another."""
        until, told = monotonic() + seconds, list[Asked]()

        async def side() -> None:
            while monotonic() < until:
                told.append(await self.ask())

        await asyncio.gather(*(side() for _ in range(count)))
        return told

    async def at_rate(self, rate: float, seconds: float, metadata: tuple[tuple[str, str], ...] = ()) -> list[Asked]:
        """Asks so many questions a second, whatever becomes of those before."""
        begin, asking = monotonic(), list[asyncio.Task[Asked]]()
        while (passed := monotonic() - begin) < seconds:
            asking += [asyncio.create_task(self.ask(metadata)) for _ in range(int(passed * rate) - len(asking))]
            await asyncio.sleep(0.01)
        return list(await asyncio.gather(*asking))


def _retry(error: grpc.aio.AioRpcError) -> bool:
    packed = next((value for key, value in error.trailing_metadata() or () if key == "grpc-status-details-bin"), b"")
    details = Status.FromString(packed).details if isinstance(packed, bytes) else ()
    return any(detail.Is(RetryInfo.DESCRIPTOR) for detail in details)


def _p99(told: Iterable[Asked | float]) -> float:
    seconds = sorted(one.seconds if isinstance(one, Asked) else one for one in told)
    return seconds[int(len(seconds) * 0.99)] if seconds else 0.0


def _ok(told: Iterable[Asked]) -> list[Asked]:
    return [one for one in told if one.status == "OK"]


@pytest_asyncio.fixture
async def services(tmp_path: Path, data: Path) -> AsyncIterator[Processes]:
    """The services, warm."""
    copy_database(data, tmp_path / "data.db")
    async with apart(tmp_path, tmp_path / "data.db") as running, grpc.aio.insecure_channel(running.door) as channel:
        client = Client(gateway_service_pb2_grpc.GatewayServiceStub(channel))
        while len(_ok(await client.one_after_another(8))) < 8:
            await asyncio.sleep(0.1)
        yield running


@dataclass
class Watched:
    """What was seen of the services while they were asked."""

    states: list[bool] = field(default_factory=list)
    """Whether the gateway said that it serves, each time that it was asked."""
    seconds: list[float] = field(default_factory=list)
    """How long it took to say so."""

    async def watch(self, door: str) -> None:
        """Asks for the gateway's health, over one connection, until cancelled."""
        async with grpc.aio.insecure_channel(door) as channel:
            stub = health_pb2_grpc.HealthStub(channel)
            while True:
                begin = monotonic()
                answer = await stub.Check(health_pb2.HealthCheckRequest(service="gateway"), timeout=10)
                self.seconds.append(monotonic() - begin)
                self.states.append(answer.status == health_pb2.HealthCheckResponse.SERVING)
                await asyncio.sleep(0.2)


@dataclass
class Left:
    """What others than this test left of the machine."""

    share: float = 1.0
    """Of all its cores, 0 to 1."""

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Counts what others take meanwhile."""
        busy, own = _busy_seconds(), _own_seconds()
        begin = monotonic()
        yield
        others = (_busy_seconds() - busy) - (_own_seconds() - own)
        self.share = min(1.0, max(0.1, 1 - others / ((monotonic() - begin) * (os.cpu_count() or 1))))


def _busy_seconds() -> float:
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0))


def _own_seconds() -> float:
    """Returns what this process and those that it has started have taken of the cores."""
    own = psutil.Process()
    return float(sum(one.cpu_times().user + one.cpu_times().system for one in (own, *own.children(recursive=True))))


async def test_ten_times_the_capacity(services: Processes, capsys: pytest.CaptureFixture[str]) -> None:
    """Nine tenths of the capacity is answered, in no more than twice the unhurried time; the others hear at once."""
    watched, left_before, left = Watched(), Left(), Left()
    async with grpc.aio.insecure_channel(services.door) as channel:
        client = Client(gateway_service_pb2_grpc.GatewayServiceStub(channel))
        unhurried = await client.one_after_another(100)
        with left_before.counted():
            side_by_side = _ok(await client.at_once(4, 15))
        capacity = max(len(side_by_side) / 15, len(unhurried) / sum(one.seconds for one in unhurried))
        watching = asyncio.create_task(watched.watch(services.door))
        with left.counted():
            told = await client.at_rate(TIMES * capacity, SECONDS)
        watching.cancel()
        await asyncio.sleep(8)
        after = await client.one_after_another(50)
    answered, refused = _ok(told), [one for one in told if one.status == "RESOURCE_EXHAUSTED"]
    goodput, alone, check = len(answered) / SECONDS, _p99([*unhurried, *after]), _p99(watched.seconds)
    with capsys.disabled():
        print(  # noqa: T201
            f"\ncapacity {capacity:.1f}/s, goodput {goodput:.1f}/s; answers p99 {_p99(answered) * 1e3:.0f} ms, alone "
            f"{alone * 1e3:.0f} ms; {len(refused)} refused, p99 {_p99(refused) * 1e3:.0f} ms, a health check "
            f"{check * 1e3:.0f} ms; others {len(told) - len(answered) - len(refused)}; left of the machine by other "
            f"processes {left_before.share:.0%} and {left.share:.0%}, load average {os.getloadavg()[0]:.1f}"
        )
    assert len(told) == len(answered) + len(refused)
    assert all(one.bears_retry for one in refused)
    assert {any("가" <= mark <= "힣" for mark in one.message) for one in refused} == {True}
    assert all(watched.states)
    assert len(_ok(after)) == len(after)
    # Where others take a share of the machine, there is less to answer with, and what runs at once has less of it each.
    assert goodput >= 0.9 * capacity * min(1.0, left.share / left_before.share)
    assert _p99(refused) <= max(REFUSED_SECONDS_MAX, 2 * check)
    assert _p99(answered) <= KEPT * alone / left.share


async def test_one_tenant_at_twenty_times(
    services: Processes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others, who ask within their share, are answered."""
    key = dev_key(tmp_path)

    def of(tenant: str) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {token(key, 'u-1', tenant=tenant)}"),)

    async with grpc.aio.insecure_channel(services.door) as channel:
        client = Client(gateway_service_pb2_grpc.GatewayServiceStub(channel))
        capacity = len(_ok(await client.at_once(4, 10))) / 10
        quiet = [client.at_rate(0.1 * capacity, 30, of(f"t-{number}")) for number in range(3)]
        greedy, *others = await asyncio.gather(client.at_rate(20 * capacity, 30, of("greedy")), *quiet)
    asked = [one for told in others for one in told]
    with capsys.disabled():
        print(  # noqa: T201
            f"\nload average {os.getloadavg()[0]:.1f}: others {len(_ok(asked))} of {len(asked)}, the greedy one "
            f"{len(_ok(greedy))} of {len(greedy)}"
        )
    assert len(_ok(asked)) >= 0.99 * len(asked)
