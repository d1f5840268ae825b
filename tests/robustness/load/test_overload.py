"""Ten times as many questions as can be answered, for a minute, to services in processes of their own.

pytest -m slow tests/robustness/load        prints the figures, with what else the machine did meanwhile

Who asks runs in a process of its own, and nothing stands between the services. Every figure is held to one of the same
run, for the machine may be shared: answers to those of unhurried questions before and behind, refusals to what a health
check takes that costs next to nothing, and all of them to what the others, the askers too, left of the cores.
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
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.runtime.settings import dev_key
from services.tool_gateway.data.copying import copy_database
from tests.support.apart.processes import Processes, apart
from tests.support.load.asking import Asked, Client, Metadata, others
from tests.support.tokens import token

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.asyncio]
SECONDS = 60.0
"""How long more is asked than can be answered."""
TIMES = 10
KEPT = 2.0
"""How many times as long as alone an answer may take in a crowd."""
REFUSED_SECONDS_MAX = 0.05
"""How long a refusal may take, on a machine that has a core for it."""
NORMAL_SECONDS = 8.0
"""How long behind a crowd everybody is to be answered again."""


def _p99(told: Iterable[Asked | float]) -> float:
    seconds = sorted(one.seconds if isinstance(one, Asked) else one for one in told)
    return seconds[int(len(seconds) * 0.99)] if seconds else 0.0


def _ok(told: Iterable[Asked]) -> list[Asked]:
    return [one for one in told if one.status == "OK"]


@pytest_asyncio.fixture
async def services(tmp_path: Path, data: Path) -> AsyncIterator[Processes]:
    """The services, warm."""
    copy_database(data, tmp_path / "data.db")
    async with apart(tmp_path, tmp_path / "data.db", straight=True) as running:
        async with grpc.aio.insecure_channel(running.door) as channel:
            while len(_ok(await Client(channel).one_after_another(8))) < 8:
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
class Cores:
    """Who took what of the cores for a while."""

    processes: Processes
    """The services."""
    share_left: float = 1.0
    """What all others left of them to the services, 0 to 1."""
    gateway_seconds: float = 0.0
    """What the gateway took of one."""

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Counts meanwhile."""
        busy, own, door, begin = _busy_seconds(), self._all(), self._of("gateway"), monotonic()
        yield
        elsewhere = (_busy_seconds() - busy) - (self._all() - own)
        passed = (monotonic() - begin) * (os.cpu_count() or 1)
        self.share_left = min(1.0, max(0.1, 1 - elsewhere / passed))
        self.gateway_seconds = self._of("gateway") - door

    def _all(self) -> float:
        return sum(map(self._of, self.processes.services))

    def _of(self, name: str) -> float:
        child = self.processes.services[name].child
        assert child is not None
        times = psutil.Process(child.pid).cpu_times()
        return float(times.user + times.system)


def _busy_seconds() -> float:
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0))


async def test_ten_times_the_capacity(services: Processes, capsys: pytest.CaptureFixture[str]) -> None:
    """Nine tenths of the capacity is answered, in no more than twice the unhurried time; the others hear at once."""
    watched, before, crowded = Watched(), Cores(services), Cores(services)
    async with grpc.aio.insecure_channel(services.door) as channel, others(services.door) as crowd:
        client = Client(channel)
        unhurried = await client.one_after_another(100)
        with before.counted():
            side_by_side = _ok(await client.at_once(4, 15))
        capacity = max(len(side_by_side) / 15, len(unhurried) / sum(one.seconds for one in unhurried))
        watching = asyncio.create_task(watched.watch(services.door))
        with crowded.counted():
            told = await crowd.at_rate(TIMES * capacity, SECONDS)
        watching.cancel()
        await asyncio.sleep(NORMAL_SECONDS)
        after = await client.one_after_another(50)
    answered, refused = _ok(told), [one for one in told if one.status == "RESOURCE_EXHAUSTED"]
    left = f"{before.share_left:.0%} and {crowded.share_left:.0%}"
    goodput, alone, check = len(answered) / SECONDS, _p99([*unhurried, *after]), _p99(watched.seconds)
    of_answers = before.gateway_seconds / max(1, len(side_by_side)) * len(answered)
    each = max(0.0, crowded.gateway_seconds - of_answers) / max(1, len(refused))
    with capsys.disabled():
        print(  # noqa: T201
            f"\ncapacity {capacity:.1f}/s, goodput {goodput:.1f}/s; answers p50 {_p50(answered) * 1e3:.0f} ms, p99 "
            f"{_p99(answered) * 1e3:.0f} ms, alone p50 {_p50([*unhurried, *after]) * 1e3:.0f} ms, p99 "
            f"{alone * 1e3:.0f} ms; {len(refused)} refused, p99 {_p99(refused) * 1e3:.0f} ms, {each * 1e3:.2f} ms of a "
            f"core each; a health check {check * 1e3:.0f} ms; others {len(told) - len(answered) - len(refused)}; "
            f"left of the machine {left}, load average {os.getloadavg()[0]:.1f}"
        )
    assert len(told) == len(answered) + len(refused)
    assert all(one.bears_retry for one in refused)
    assert {any("가" <= mark <= "힣" for mark in one.message) for one in refused} == {True}
    assert all(watched.states)
    assert len(_ok(after)) == len(after)
    # Where others take a share of the machine, there is less to answer with, and what runs at once has less of it each.
    assert goodput >= 0.9 * capacity * min(1.0, crowded.share_left / before.share_left)
    assert _p99(refused) <= max(REFUSED_SECONDS_MAX, 2 * check)
    assert _p99(answered) <= KEPT * alone / crowded.share_left


def _p50(told: Iterable[Asked]) -> float:
    seconds = sorted(one.seconds for one in told)
    return seconds[len(seconds) // 2] if seconds else 0.0


async def test_one_tenant_at_twenty_times(
    services: Processes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others, who ask within their share, are answered."""
    key = dev_key(tmp_path)

    def of(tenant: str) -> Metadata:
        return (("authorization", f"Bearer {token(key, 'u-1', tenant=tenant)}"),)

    async with grpc.aio.insecure_channel(services.door) as channel, others(services.door) as crowd:
        client = Client(channel)
        capacity = len(_ok(await client.at_once(4, 10))) / 10
        quiet = [client.at_rate(0.1 * capacity, 30, of(f"t-{number}")) for number in range(3)]
        greedy, *calm = await asyncio.gather(crowd.at_rate(20 * capacity, 30, of("greedy")), *quiet)
    asked = [one for told in calm for one in told]
    with capsys.disabled():
        print(  # noqa: T201
            f"\nload average {os.getloadavg()[0]:.1f}: others {len(_ok(asked))} of {len(asked)}, p99 "
            f"{_p99(asked) * 1e3:.0f} ms, the greedy one {len(_ok(greedy))} of {len(greedy)}"
        )
    assert len(_ok(asked)) >= 0.99 * len(asked)
