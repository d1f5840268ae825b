"""What streaming an answer costs: how soon a model's first token is with the client, and what a token costs behind it.

    model ── synthesizer ── orchestrator ── gateway ── client      a process each; the other services in one more

The vendor's SDK is measured by itself over the same bytes, used as services use it, and stands beside: its cost is not
ours. Bare servers and this process run on asyncio's own loop, services on theirs. What a token costs
is the difference between a long answer and a short one that takes as long, so that what a flow costs and what services
do by the clock fall out. The first token stands beside three bare calls, and `first_message_relayed` beside them too: a
message that comes after a pause and is passed on by bare servers over as many hops, so that waking them up is in it.
The floor of a token's processor time is the processor time of one message through bare grpc.aio, both ends together. A
machine whose speed changes while it is measured tells little by differences: each processor time is taken in runs of a
fixed loop that is timed right before and behind it, and told in microseconds by its median, which stands beside.
"""

import asyncio
import os
import random
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field, replace
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Final

import grpc

from hapju.agent.v1 import agent_service_pb2 as echo_pb
from hapju.agent.v1 import agent_service_pb2_grpc as echo_grpc
from hapju.flow.v1 import question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc as pb_grpc
from services.catalog.topology import topology
from tests.bench import sdk_alone
from tests.bench.children import Served, cpu_seconds, free_addresses, served
from tests.bench.model import WORDS_A_SENTENCE, Manner
from tests.bench.report import Note, Report, Result, median_result

if TYPE_CHECKING:
    import aiohttp

HOPS: Final = 3
"""From the synthesizer to the client: what the first token may cost, in bare hops."""
QUESTION: Final = "미국 실업률 최근값 알려줘"
_ECHO: Final = "tests.bench.echo"
_MODEL: Final = "tests.bench.model"
_CLI: Final = "services.cli"
_STREAMED: Final = ("synthesizer", "orchestrator", "gateway")
_SECONDS_MAX: Final = 60.0
_MICRO: Final = 1_000_000
_GAP_SECONDS: Final = 0.004
_LOOP_STEPS: Final = 100_000
_FIRST: Final = Manner(gap_seconds=_GAP_SECONDS)
"""With a gap as a model has it, so that what comes behind the first token does not stand in its way."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured in one round."""

    firsts: int = 20
    """Answers whose first token is timed."""
    hops: int = 200
    """Bare calls."""
    kept_up: int = 60
    """Tokens of the answer that comes no faster than it is read."""
    long_tokens: int = 6_600
    """Tokens of the answer that comes faster."""
    longs: int = 3
    """Answers of that kind, and as many short ones."""
    messages: int = 2_000
    """Bare messages of one stream."""


@dataclass(slots=True)
class _Figures:
    """What the rounds gave, in microseconds and tokens; processor times in runs of the fixed loop."""

    first: list[float] = field(default_factory=list)
    first_each: list[float] = field(default_factory=list)
    first_with_head: list[float] = field(default_factory=list)
    first_sdk: list[float] = field(default_factory=list)
    first_relayed: list[float] = field(default_factory=list)
    hop: list[float] = field(default_factory=list)
    hop_each: list[float] = field(default_factory=list)
    keeping_up: list[float] = field(default_factory=list)
    behind: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    cpu_sdk: list[float] = field(default_factory=list)
    cpu_message: list[float] = field(default_factory=list)
    loop: list[float] = field(default_factory=list)


def measure(rounds: int, note: Note, sizes: Sizes = Sizes()) -> Report:
    """Returns the figures.

    Args:
        rounds: Rounds over everything, one more to warm up.
        note: Takes lines of progress.
        sizes: How much one round measures.

    Raises:
        Problem: Where a server does not start.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="hapju-bench-"))
        bare = stack.enter_context(served(_ECHO, "bare"))
        relayed = stack.enter_context(served(_ECHO, "paced")).address
        for _ in range(HOPS - 1):
            relayed = stack.enter_context(served(_ECHO, "relay", relayed)).address
        model = stack.enter_context(served(_MODEL)).address
        note("starting the services on sample data")
        running = _services(stack, folder, model)
        figures = asyncio.run(_rounds(rounds, note, sizes, _Places(bare, relayed, model, running)))
    return Report(_results(figures))


@dataclass(frozen=True, slots=True)
class _Places:
    bare: Served
    relayed: str
    model: str
    services: Mapping[str, Served]


def _services(stack: ExitStack, folder: str, model: str) -> dict[str, Served]:
    """Starts the services of the streamed path in a process each, the others in one; a model writes answers only."""
    processes = topology().processes
    at = dict(zip(processes, free_addresses(len(processes)), strict=True))
    shared = {process.address_variable: at[name] for name, process in processes.items()}
    shared |= {"HAPJU_DATA_DIR": folder, "HAPJU_SQL_URL": "", "HAPJU_STORE_URL": "", "HAPJU_LOG_LEVEL": "warning"}
    shared |= {"HAPJU_LISTEN": "", "HAPJU_CITATION_POSTPROCESS": "false", "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}
    others = [argument for name in processes if name not in _STREAMED for argument in ("--only", name)]
    stack.enter_context(served(_CLI, "up", *others, **shared))
    asking = {"OPENAI_BASE_URL": f"{model}/v1", "OPENAI_API_KEY": "bench"}
    running = {}
    for name in _STREAMED:
        own = {**shared, **(asking if name == "synthesizer" else {})}
        running[name] = stack.enter_context(served(_CLI, "up", "--only", name, **own))
    return running


async def _rounds(rounds: int, note: Note, sizes: Sizes, places: _Places) -> _Figures:
    import aiohttp  # noqa: PLC0415 - for the model's marks

    async with AsyncExitStack() as stack:
        echo = await stack.enter_async_context(grpc.aio.insecure_channel(places.bare.address))
        relay = await stack.enter_async_context(grpc.aio.insecure_channel(places.relayed))
        door = await stack.enter_async_context(grpc.aio.insecure_channel(places.services["gateway"].address))
        sdk = await stack.enter_async_context(sdk_alone.client(f"{places.model}/v1"))
        http = await stack.enter_async_context(aiohttp.ClientSession(places.model))
        bare = (echo_grpc.AgentServiceStub(echo), echo_grpc.AgentServiceStub(relay))
        run = _Run(bare, pb_grpc.GatewayServiceStub(door), sdk, http, places, sizes)
        figures = _Figures()
        for number in range(rounds + 1):
            note(f"round {number}" if number else "warming up")
            parts = [run.firsts, run.kept_up, run.behind]
            for part in random.sample(parts, len(parts)):
                await part(figures if number else _Figures())
    return figures


@dataclass(frozen=True, slots=True)
class _Read:
    """One answer that was read."""

    deltas: list[str] = field(default_factory=list)
    seconds: float = 0.0
    cpu_loops: float = 0.0


class _Used:
    """The processor time that processes take from now on, in runs of the fixed loop."""

    def __init__(self, pids: list[int]) -> None:
        self._pids = pids
        self._loop = _loop_seconds()
        self._seconds = cpu_seconds(pids)

    def loops(self) -> float:
        """Returns how much it has been."""
        seconds = cpu_seconds(self._pids) - self._seconds
        return seconds / mean((self._loop, _loop_seconds()))


class _Run:
    """One round's measures; each adds its medians to the figures."""

    def __init__(  # noqa: PLR0917 - the ends that are measured
        self,
        bare: "tuple[echo_grpc.AgentServiceAsyncStub, echo_grpc.AgentServiceAsyncStub]",
        door: "pb_grpc.GatewayServiceAsyncStub",
        sdk: "sdk_alone.Client",
        http: "aiohttp.ClientSession",
        places: _Places,
        sizes: Sizes,
    ) -> None:
        self._echo, self._relay = bare
        self._door = door
        self._sdk = sdk
        self._http = http
        self._pids = [one.pid for one in places.services.values()]
        self._bare_pid = places.bare.pid
        self._sizes = sizes

    async def firsts(self, figures: _Figures) -> None:
        """Times first tokens through the services, through the SDK alone, and bare calls, one after the other."""
        ours, with_head, sdks, relayed, hops = [], [], [], [], []
        for _ in range(self._sizes.firsts):
            ours.append(await self._first(_FIRST, self._ask()))
            with_head.append(await self._first(replace(_FIRST, head_first=False), self._ask()))
            sdks.append(await self._first(_FIRST, sdk_alone.texts(self._sdk, QUESTION)))
            relayed.append(await self._first_relayed())
        for _ in range(self._sizes.hops):
            began = perf_counter()
            await self._echo.Describe(echo_pb.DescribeRequest())
            hops.append((perf_counter() - began) * _MICRO)
        figures.first.append(median(ours))
        figures.first_each += ours
        figures.first_with_head.append(median(with_head))
        figures.first_sdk.append(median(sdks))
        figures.first_relayed.append(median(relayed))
        figures.hop.append(median(hops))
        figures.hop_each += hops

    async def kept_up(self, figures: _Figures) -> None:
        """Counts the tokens of a delta while the model is slower than the reader."""
        await self._tell(Manner(tokens=self._sizes.kept_up, gap_seconds=_GAP_SECONDS))
        deltas = [text async for text in self._ask()]
        figures.keeping_up.append(_tokens_of(deltas, self._sizes.kept_up))

    async def behind(self, figures: _Figures) -> None:
        """Counts the same, and the processor time of a token, while the model is faster."""
        long = Manner(tokens=self._sizes.long_tokens)
        added = (long.tokens - WORDS_A_SENTENCE) * self._sizes.longs
        cpu = sdk = 0.0
        read = _Read()
        for _ in range(self._sizes.longs):
            read = await self._read(long)
            # Hardly a token in the same time: what the services do by the clock is in both.
            cpu += read.cpu_loops - (await self._read(Manner(first_seconds=read.seconds))).cpu_loops
            sdk += await self._sdk_loops(long) - await self._sdk_loops(Manner())
        figures.behind.append(_tokens_of(read.deltas, long.tokens))
        figures.cpu.append(cpu / added)
        figures.cpu_sdk.append(sdk / added)
        figures.cpu_message.append(await self._message_loops())
        figures.loop.append(_loop_seconds() * _MICRO)

    async def _read(self, manner: Manner) -> "_Read":
        """Reads one answer through the services."""
        await self._tell(manner)
        deltas, began = [], 0.0
        used = _Used(self._pids)
        async for text in self._ask():
            began = began or perf_counter()
            deltas.append(text)
        return _Read(deltas, perf_counter() - began, used.loops())

    async def _sdk_loops(self, manner: Manner) -> float:
        """Returns the processor time of one answer through the SDK alone."""
        await self._tell(manner)
        used = _Used([os.getpid()])
        async for _ in sdk_alone.texts(self._sdk, QUESTION):
            pass
        return used.loops()

    async def _message_loops(self) -> float:
        """Returns the processor time of one streamed message through bare grpc.aio, at both ends."""
        used = _Used([self._bare_pid, os.getpid()])
        async for _ in self._echo.Run(echo_pb.RunRequest(question=str(self._sizes.messages))):
            pass
        return used.loops() / self._sizes.messages

    async def _ask(self) -> AsyncGenerator[str, None]:
        """Yields the text of each delta of one answer."""
        question = question_pb2.Question(text=QUESTION)
        async for message in self._door.Ask(pb.AskRequest(question=question), timeout=_SECONDS_MAX):
            if message.event.WhichOneof("event") == "delta":
                yield message.event.delta.text

    async def _first(self, manner: Manner, texts: AsyncGenerator[str, None]) -> float:
        """Returns the microseconds from the model's first token to the first text; reads to the end."""
        await self._tell(manner)
        arrived = 0.0
        async for _ in texts:
            arrived = arrived or perf_counter()
        async with self._http.get("/marks") as response:
            marks = await response.json()
        return (arrived - float(marks[0])) * _MICRO

    async def _first_relayed(self) -> float:
        """Returns the microseconds from a bare first message to its reader, over as many hops; reads to the end."""
        took = 0.0
        async for message in self._relay.Run(echo_pb.RunRequest()):
            took = took or (perf_counter() - float(message.progress.message)) * _MICRO
        return took

    async def _tell(self, manner: Manner) -> None:
        async with self._http.post("/told", json=manner.as_json()):
            pass


def _tokens_of(deltas: list[str], tokens: int) -> float:
    """Returns how many of the model's tokens a delta held; the lines that the template adds behind are left out."""
    written = 0
    for number, text in enumerate(deltas, 1):
        written += len(text.split())
        if written >= tokens:
            return tokens / number
    return tokens / max(len(deltas), 1)


def _loop_seconds() -> float:
    """Returns the processor time of a thousand steps of a plain loop."""
    before, total = process_time(), 0
    for step in range(_LOOP_STEPS):
        total += step * step
    return (process_time() - before) / _LOOP_STEPS * 1_000


def _results(figures: _Figures) -> tuple[Result, ...]:
    loop = median(figures.loop)
    net = [(whole - sdk) * loop for whole, sdk in zip(figures.cpu, figures.cpu_sdk, strict=True)]
    sdk = [one * loop for one in figures.cpu_sdk]
    message = [one * loop for one in figures.cpu_message]
    added = [whole - sdk for whole, sdk in zip(figures.first, figures.first_sdk, strict=True)]
    floors = [hop * HOPS for hop in figures.hop]
    late, late_floor = _p99(figures.first_each), _p99(figures.hop_each) * HOPS
    return (
        median_result("first_token", "us", figures.first, floors),
        Result("first_token_p99", "us", round(late, 3), round(late_floor, 3)),
        median_result("first_token_with_head", "us", figures.first_with_head, floors),
        median_result("first_token_without_sdk", "us", added, floors),
        median_result("first_token_sdk_alone", "us", figures.first_sdk),
        median_result("first_message_relayed", "us", figures.first_relayed, floors),
        median_result("tokens_a_delta_keeping_up", "tokens", figures.keeping_up),
        median_result("tokens_a_delta_behind", "tokens", figures.behind),
        median_result("token_cpu_behind_without_sdk", "us", net, message),
        median_result("token_cpu_sdk_alone", "us", sdk, message),
        median_result("thousand_steps_cpu", "us", figures.loop),
    )


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100, method="inclusive")[98]
