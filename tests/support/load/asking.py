"""Questions to a gateway, one after another, several at once or so many a second; what became of each is kept.

python -m tests.support.load.asking        asks by the lines of its input and answers each with a line: others who ask
are no part of the process that measures them, and what they take of the cores can be told from what the services take
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any

import grpc
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status

from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc

QUESTIONS = ("애플 주가 추세 분석해줘", "삼성전자 주가 알려줘", "테슬라 주가 알려줘", "엔비디아 주가 추세 분석해줘")
ALLOWED_SECONDS = 30.0
"""How long an answer is waited for."""
LINE_BYTES_MAX = 1 << 26
Metadata = tuple[tuple[str, str], ...]


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


class Client:
    """Asks the gateway."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = gateway_service_pb2_grpc.GatewayServiceStub(channel)
        self._number = 0

    async def ask(self, metadata: Metadata = ()) -> Asked:
        """Asks the next question and returns what became of it."""
        self._number += 1
        question = question_pb2.Question(text=QUESTIONS[self._number % len(QUESTIONS)], locale="ko")
        begin, end = monotonic(), ""
        stream: Any = self._stub.Ask(pb.AskRequest(question=question), timeout=ALLOWED_SECONDS, metadata=metadata)
        try:
            async for message in stream:
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

    async def at_rate(self, rate: float, seconds: float, metadata: Metadata = ()) -> list[Asked]:
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


@dataclass
class Others:
    """A process that asks so many questions a second."""

    child: asyncio.subprocess.Process
    """It."""

    async def at_rate(self, rate: float, seconds: float, metadata: Sequence[tuple[str, str]] = ()) -> list[Asked]:
        """Has it ask so many questions a second, and returns what became of them."""
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        wanted = {"rate": rate, "seconds": seconds, "metadata": list(metadata)}
        self.child.stdin.write(json.dumps(wanted).encode() + b"\n")
        return [Asked(**one) for one in json.loads(await self.child.stdout.readline())]


@asynccontextmanager
async def others(door: str) -> AsyncIterator[Others]:
    """Starts a process that asks at a door."""
    piped = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "tests.support.load.asking", door)
    child = await asyncio.create_subprocess_exec(*command, stdin=piped, stdout=piped, limit=LINE_BYTES_MAX)
    try:
        yield Others(child)
    finally:
        child.kill()
        await child.wait()


async def _main(door: str) -> None:
    async with grpc.aio.insecure_channel(door) as channel:
        client = Client(channel)
        while line := await asyncio.to_thread(sys.stdin.readline):
            wanted = json.loads(line)
            metadata = tuple((key, value) for key, value in wanted["metadata"])
            told = await client.at_rate(wanted["rate"], wanted["seconds"], metadata)
            sys.stdout.write(json.dumps([asdict(one) for one in told], ensure_ascii=False) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1]))
