"""What streaming an answer costs: how soon a model's first token is with the client, and what a token costs behind it.

    model ── synthesizer ── orchestrator ── gateway ── client      a process each; the other services in one more

The vendor's SDK is measured by itself over the same bytes and stands beside: its cost is not ours. What a token costs
is the difference between long and short answers, so that a flow's own cost falls out.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from statistics import median
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
from services.cli.bench.children import Served, cpu_seconds, free_addresses, served
from services.cli.bench.model import Manner
from services.cli.bench.report import Note, Report, Result, median_result
from services.llm.providers import alone

if TYPE_CHECKING:
    import aiohttp

HOPS: Final = 3
"""From the synthesizer to the client: what the first token may cost, in bare hops."""
QUESTION: Final = "미국 실업률 최근값 알려줘"
_ECHO: Final = "services.cli.bench.echo"
_MODEL: Final = "services.cli.bench.model"
_CLI: Final = "services.cli"
_STREAMED: Final = ("synthesizer", "orchestrator", "gateway")
_SECONDS_MAX: Final = 60.0
_MICRO: Final = 1_000_000
_GAP_SECONDS: Final = 0.004


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


@dataclass(slots=True)
class _Figures:
    """What the rounds gave, in microseconds and tokens."""

    first: list[float] = field(default_factory=list)
    first_sdk: list[float] = field(default_factory=list)
    hop: list[float] = field(default_factory=list)
    keeping_up: list[float] = field(default_factory=list)
    behind: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    cpu_sdk: list[float] = field(default_factory=list)


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
        bare = stack.enter_context(served(_ECHO, "bare")).address
        model = stack.enter_context(served(_MODEL)).address
        note("starting the services on sample data")
        running = _services(stack, folder, model)
        figures = asyncio.run(_rounds(rounds, note, sizes, _Places(bare, model, running)))
    return Report(_results(figures))


@dataclass(frozen=True, slots=True)
class _Places:
    bare: str
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
        echo = await stack.enter_async_context(grpc.aio.insecure_channel(places.bare))
        door = await stack.enter_async_context(grpc.aio.insecure_channel(places.services["gateway"].address))
        sdk = await stack.enter_async_context(alone.client(f"{places.model}/v1"))
        http = await stack.enter_async_context(aiohttp.ClientSession(places.model))
        run = _Run(echo_grpc.AgentServiceStub(echo), pb_grpc.GatewayServiceStub(door), sdk, http, places, sizes)
        figures = _Figures()
        for number in range(rounds + 1):
            note(f"round {number}" if number else "warming up")
            parts = [run.firsts, run.kept_up, run.behind]
            for part in random.sample(parts, len(parts)):
                await part(figures if number else _Figures())
    return figures


class _Run:
    """One round's measures; each adds its medians to the figures."""

    def __init__(  # noqa: PLR0913, PLR0917 - the ends that are measured
        self,
        echo: "echo_grpc.AgentServiceAsyncStub",
        door: "pb_grpc.GatewayServiceAsyncStub",
        sdk: "alone.Client",
        http: "aiohttp.ClientSession",
        places: _Places,
        sizes: Sizes,
    ) -> None:
        self._echo = echo
        self._door = door
        self._sdk = sdk
        self._http = http
        self._pids = [one.pid for one in places.services.values()]
        self._sizes = sizes

    async def firsts(self, figures: _Figures) -> None:
        """Times first tokens through the services, through the SDK alone, and bare calls, one after the other."""
        ours: list[float] = []
        sdks: list[float] = []
        hops: list[float] = []
        for _ in range(self._sizes.firsts):
            ours.append(await self._first(self._ask()))
            sdks.append(await self._first(alone.texts(self._sdk, QUESTION)))
        for _ in range(self._sizes.hops):
            began = perf_counter()
            await self._echo.Describe(echo_pb.DescribeRequest())
            hops.append(perf_counter() - began)
        figures.first.append(median(ours) * _MICRO)
        figures.first_sdk.append(median(sdks) * _MICRO)
        figures.hop.append(median(hops) * _MICRO)

    async def kept_up(self, figures: _Figures) -> None:
        """Counts the tokens of a delta while the model is slower than the reader."""
        await self._tell(Manner(tokens=self._sizes.kept_up, gap_seconds=_GAP_SECONDS))
        deltas = [text async for text in self._ask()]
        figures.keeping_up.append(_tokens_of(deltas, self._sizes.kept_up))

    async def behind(self, figures: _Figures) -> None:
        """Counts the same, and the processor time of a token, while the model is faster."""
        short, long = Manner(), Manner(tokens=self._sizes.long_tokens)
        added = (long.tokens - short.tokens) * self._sizes.longs
        cpu, sdk = [], []
        deltas: list[str] = []
        for manner in (short, long):
            await self._tell(manner)
            before, sdk_before = cpu_seconds(self._pids), process_time()
            for _ in range(self._sizes.longs):
                deltas = [text async for text in self._ask()]
            cpu.append(cpu_seconds(self._pids) - before)
            sdk_before = process_time()
            for _ in range(self._sizes.longs):
                async for _text in alone.texts(self._sdk, QUESTION):
                    pass
            sdk.append(process_time() - sdk_before)
        figures.behind.append(_tokens_of(deltas, long.tokens))
        figures.cpu.append((cpu[1] - cpu[0]) / added * _MICRO)
        figures.cpu_sdk.append((sdk[1] - sdk[0]) / added * _MICRO)

    async def _ask(self) -> AsyncGenerator[str, None]:
        """Yields the text of each delta of one answer."""
        question = question_pb2.Question(text=QUESTION)
        async for message in self._door.Ask(pb.AskRequest(question=question), timeout=_SECONDS_MAX):
            if message.event.WhichOneof("event") == "delta":
                yield message.event.delta.text

    async def _first(self, texts: AsyncGenerator[str, None]) -> float:
        """Returns the seconds from the model's first token to the first text; reads to the end."""
        # With a gap as a model has it, so that what comes behind the first token does not stand in its way.
        await self._tell(Manner(gap_seconds=_GAP_SECONDS))
        arrived = 0.0
        async for _ in texts:
            arrived = arrived or perf_counter()
        async with self._http.get("/marks") as response:
            marks = await response.json()
        return float(arrived - marks[0])

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


def _results(figures: _Figures) -> tuple[Result, ...]:
    net = [whole - sdk for whole, sdk in zip(figures.cpu, figures.cpu_sdk, strict=True)]
    added = [whole - sdk for whole, sdk in zip(figures.first, figures.first_sdk, strict=True)]
    floors = [hop * HOPS for hop in figures.hop]
    return (
        median_result("first_token", "us", figures.first, floors),
        median_result("first_token_without_sdk", "us", added, floors),
        median_result("first_token_sdk_alone", "us", figures.first_sdk),
        median_result("tokens_a_delta_keeping_up", "tokens", figures.keeping_up),
        median_result("tokens_a_delta_behind", "tokens", figures.behind),
        median_result("token_cpu_behind_without_sdk", "us", net),
        median_result("token_cpu_sdk_alone", "us", figures.cpu_sdk),
    )
