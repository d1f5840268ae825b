"""Ten times as many questions as can be answered, for a minute, to services in processes of their own.

pytest -m slow tests/robustness/load        prints the figures, with the machine's load beside them
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import grpc
import pytest
import pytest_asyncio
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc
from services.runtime.probe import serving
from services.runtime.settings import dev_key
from tests.support.apart.processes import Processes, apart
from tests.support.tokens import token

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.asyncio]
QUESTIONS = ("애플 주가 추세 분석해줘", "삼성전자 주가 알려줘", "테슬라 주가 알려줘", "엔비디아 주가 추세 분석해줘")
SECONDS = 60.0
"""How long more is asked than can be answered."""
TIMES = 10


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
            await asyncio.sleep(0.002)
        return list(await asyncio.gather(*asking))


def _retry(error: grpc.aio.AioRpcError) -> bool:
    packed = next((value for key, value in error.trailing_metadata() or () if key == "grpc-status-details-bin"), b"")
    details = Status.FromString(packed).details if isinstance(packed, bytes) else ()
    return any(detail.Is(RetryInfo.DESCRIPTOR) for detail in details)


def _p99(told: Iterable[Asked]) -> float:
    seconds = sorted(one.seconds for one in told)
    return seconds[int(len(seconds) * 0.99)] if seconds else 0.0


def _ok(told: Iterable[Asked]) -> list[Asked]:
    return [one for one in told if one.status == "OK"]


@pytest_asyncio.fixture
async def services(tmp_path: Path, data: Path) -> AsyncIterator[Processes]:
    """The services, warm."""
    shutil.copy(data, tmp_path / "data.db")
    async with apart(tmp_path, tmp_path / "data.db") as running, grpc.aio.insecure_channel(running.door) as channel:
        client = Client(gateway_service_pb2_grpc.GatewayServiceStub(channel))
        while len(_ok(await client.one_after_another(8))) < 8:
            await asyncio.sleep(0.1)
        yield running


async def _watched(processes: Processes, states: list[bool]) -> None:
    async with grpc.aio.insecure_channel(processes.door) as channel:
        while True:
            await asyncio.sleep(1)
            states.append(await serving(processes.door, "gateway", channel))


async def test_ten_times_the_capacity(services: Processes, capsys: pytest.CaptureFixture[str]) -> None:
    """Nine tenths of the capacity is answered, in no more than twice the unhurried time; the others hear at once."""
    states = list[bool]()
    async with grpc.aio.insecure_channel(services.door) as channel:
        client = Client(gateway_service_pb2_grpc.GatewayServiceStub(channel))
        unhurried = await client.one_after_another(100)
        side_by_side = _ok(await client.at_once(4, 15))
        capacity = max(len(side_by_side) / 15, len(unhurried) / sum(one.seconds for one in unhurried))
        watching = asyncio.create_task(_watched(services, states))
        told = await client.at_rate(TIMES * capacity, SECONDS)
        watching.cancel()
        await asyncio.sleep(8)
        after = await client.one_after_another(10)
    answered, refused = _ok(told), [one for one in told if one.status == "RESOURCE_EXHAUSTED"]
    goodput = len(answered) / SECONDS
    with capsys.disabled():
        print(  # noqa: T201
            f"\nload average {os.getloadavg()[0]:.1f}: capacity {capacity:.1f}/s, goodput {goodput:.1f}/s, p99 alone "
            f"{_p99(unhurried) * 1e3:.0f} ms, in the crowd {_p99(answered) * 1e3:.0f} ms; {len(refused)} refused, p99 "
            f"{_p99(refused) * 1e3:.0f} ms; others {len(told) - len(answered) - len(refused)}"
        )
    assert len(told) == len(answered) + len(refused)
    assert all(one.bears_retry for one in refused)
    assert {any("가" <= mark <= "힣" for mark in one.message) for one in refused} == {True}
    assert all(states)
    assert len(_ok(after)) == len(after)
    assert goodput >= 0.9 * capacity
    assert _p99(refused) <= 0.05
    assert _p99(answered) <= 2 * _p99(unhurried)


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
