"""Every RPC of every service under mutated messages: each is answered or refused by name, never INTERNAL or UNKNOWN.

pytest -m slow tests/robustness/fuzz        20,000 messages; the statuses and the loop's lag are printed

FUZZ_SEED and FUZZ_MESSAGES choose others, and how many.
"""

import asyncio
import os
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, thread_time
from typing import Any

import grpc
import pytest

from services.runtime import interceptors
from services.runtime.call_policy import CALL_POLICY
from services.runtime.identity import CALLER_KEY, Assertions, Caller
from services.runtime.settings import dev_key
from services.tool_gateway.data.copying import copy_database
from tests.support.cluster import Cluster, embedded
from tests.support.fuzz.messages import Mutator, request_of
from tests.support.fuzz.standing import Standing

SEED = int(os.environ.get("FUZZ_SEED", "20261128"))
SECONDS_MAX = 2.0
"""How long one call may take: a flow that goes on is left."""
AT_ONCE = 4
SEEDS_MAX = 40
"""So many messages of an RPC are kept to be changed."""
TRIES = 5
"""So often a question is asked until it counts as not answered."""
LAG_SECONDS_MAX = 0.1
"""How long the loop that all services share, and the client, may compute in one go. That is how long it stands still on
a machine of its own; on a shared one it also waits for a core, which says nothing of the services."""
FORBIDDEN = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}
SERVERS = {
    "gateway": ("gateway",),
    "orchestrator": ("orchestrator",),
    "policy": ("policy",),
    "router": ("router",),
    "planner": ("planner",),
    "synthesizer": ("synthesizer",),
    "agent": ("finance.equity", "realty.search", "commerce.order_flow"),
    "tool": ("tool_gateway",),
    "runtime": ("policy", "tool_gateway"),
}
"""Who serves the RPCs of a part of the contract."""
CONVERSATIONS = (
    ("애플 주가 알려줘", "그럼 작년 말이랑 비교하면?"),
    ("강남구 아파트 매매 시세 알려줘", "서초구는?"),
    ("3만원 이하 이어폰 추천해줘", "더 싼 거는?"),
)
"""What is asked so that there are messages to be changed: the second of each bears what was asked and found before."""


@dataclass
class Heard:
    """What came of the messages."""

    statuses: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each status came, by RPC."""
    wrong: list[str] = field(default_factory=list)
    """Calls that ended as none may, with the bytes that they bore."""
    lags: list[float] = field(default_factory=list)
    """How late the loop came to a timer, in seconds."""
    computed: list[float] = field(default_factory=list)
    """How long it had computed from one timer to the next, in seconds of a core."""
    standing: Standing = field(default_factory=lambda: Standing(LAG_SECONDS_MAX))
    """What it computed where that was too long."""

    def table(self) -> str:
        """Returns what is printed."""
        by_status: Counter[str] = Counter()
        for (_, status), count in self.statuses.items():
            by_status[status] += count
        lag = f"the loop computed {_most(self.computed)} and was late {_most(self.lags)}"
        return f"{sum(by_status.values())} messages: {dict(by_status)}; {lag}; load average {os.getloadavg()[0]:.1f}"


def _most(seconds: list[float]) -> str:
    ordered = sorted(seconds) or [0.0]
    return f"p99 {ordered[int(len(ordered) * 0.99)] * 1e3:.0f} ms, most {ordered[-1] * 1e3:.0f} ms"


def _recording(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[bytes]]:
    """Keeps the bytes of every request that a service reads."""
    seen: dict[str, list[bytes]] = defaultdict(list)
    own = interceptors._decoder

    def recording(method: str, decode: Callable[[bytes], Any] | None) -> Callable[[bytes], Any]:
        read = own(method, decode)

        def decoded(data: bytes) -> Any:
            if len(seen[method]) < SEEDS_MAX:
                seen[method].append(data)
            return read(data)

        return decoded

    monkeypatch.setattr(interceptors, "_decoder", recording)
    return seen


async def _lag(heard: Heard) -> None:
    while True:
        due, computed = monotonic() + 0.01, thread_time()
        await asyncio.sleep(0.01)
        heard.lags.append(max(0.0, monotonic() - due))
        heard.computed.append(thread_time() - computed)
        heard.standing.tick()


async def _send(channel: grpc.aio.Channel, method: str, data: bytes, metadata: Any) -> grpc.StatusCode:
    """Sends a message and returns how the call ended; a stream is heard for one message and left."""
    sending: Any = channel.unary_stream(method)
    call = sending(data, timeout=SECONDS_MAX, metadata=metadata)
    try:
        async for _ in call:
            return grpc.StatusCode.OK
    except grpc.aio.AioRpcError as error:
        return error.code()
    finally:
        call.cancel()
    return grpc.StatusCode.OK


async def _fuzzed(cluster: Cluster, folder: Path, seeds: dict[str, list[bytes]], count: int) -> Heard:
    heard, mutator = Heard(), Mutator(SEED)
    caller = Caller("u-1", user_type="consumer", roles=frozenset({"evaluator", "router"}))
    assertions = Assertions(dev_key(folder))
    channels = {name: grpc.aio.insecure_channel(address) for name, address in cluster.addresses.items()}
    methods = [(one, name) for one in CALL_POLICY for name in SERVERS[one.split(".")[1]] if "EffectBackend" not in one]
    todo = asyncio.Queue[tuple[str, str, bytes]]()
    for number in range(count):
        method, name = methods[number % len(methods)]
        todo.put_nowait((method, name, mutator.mutated(request_of(method), seeds.get(method, []))))

    async def work() -> None:
        while not todo.empty():
            method, name, data = todo.get_nowait()
            metadata = ((CALLER_KEY, assertions.sign(caller, "gateway")),)
            code = await _send(channels[name], method, data, metadata)
            heard.statuses[method, code.name] += 1
            if code in FORBIDDEN:
                heard.wrong.append(f"{code.name} {name} {method} {data[:400]!r}")

    watching = asyncio.create_task(_lag(heard))
    with heard.standing.looked_at():
        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    watching.cancel()
    for channel in channels.values():
        await channel.close()
    return heard


async def _run(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, count: int) -> Heard:
    copy_database(data, tmp_path / "data.db")
    seeds = _recording(monkeypatch)
    async with embedded(tmp_path, tmp_path / "data.db", typed_asks=True, log_level="error") as cluster:
        for number, questions in enumerate(CONVERSATIONS):
            for question in questions:
                assert await _answered(cluster, question, f"s-{number}"), question
        kept = {method: list(data) for method, data in seeds.items()}
        heard = await _fuzzed(cluster, tmp_path, kept, count)
        assert await _answered(cluster, CONVERSATIONS[0][0], "s-after"), "the services are not as they were"
    return heard


async def _answered(cluster: Cluster, question: str, session_id: str) -> bool:
    """Returns whether a question is answered; a busy machine may be too late for the first of some."""
    for _ in range(TRIES):
        if (await cluster.ask(question, session_id=session_id)).terminal == ["finished"]:
            return True
    return False


@pytest.mark.asyncio
async def test_some_messages_to_every_rpc(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short version: some of the messages below."""
    heard = await _run(tmp_path, data, monkeypatch, 300)
    assert heard.wrong == []


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.timeout(3_600)
async def test_twenty_thousand_messages(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No status that tells of a fault of ours, and no message that holds the loop up."""
    heard = await _run(tmp_path, data, monkeypatch, int(os.environ.get("FUZZ_MESSAGES", "20000")))
    with capsys.disabled():
        print("\n".join(("", heard.table(), *heard.standing.lines())))  # noqa: T201
    assert heard.wrong == []
    assert max(heard.computed) <= LAG_SECONDS_MAX
