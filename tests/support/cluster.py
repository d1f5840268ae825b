"""The whole ensemble for tests, in one process or in one process a service, and a client of generated stubs alone.

The same test runs against both: it gets a Cluster and knows no more than the gateway's address.
"""

import asyncio
import os
import sqlite3
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from hapju.flow.v1 import answer_pb2, flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc
from services.catalog.topology import Topology, topology
from services.cli.ensemble import Layout, LocalServices
from services.runtime.calls import bare_channel
from services.runtime.environment import process_environment
from services.runtime.probe import serving
from services.runtime.settings import Settings
from services.runtime.transport import Transport
from tests.support.certificates import Authority
from tests.support.ports import free_ports

START_SECONDS_MAX = 120.0
"""How long a process may take until it serves, on a busy machine."""


@dataclass(frozen=True)
class Told:
    """What a client was told of one flow."""

    events: tuple[flow_event_pb2.FlowEvent, ...]
    """Every event, in order of arrival."""

    @property
    def terminal(self) -> list[str]:
        """The names of the terminal events."""
        ends = {"finished", "failed", "cancelled"}
        return [name for event in self.events if (name := event.WhichOneof("event")) in ends]

    @property
    def answer(self) -> answer_pb2.FinalAnswer:
        """The final answer; fails where the flow did not finish."""
        last = self.events[-1]
        assert last.WhichOneof("event") == "finished", last
        return last.finished.answer

    @property
    def sequences(self) -> list[int]:
        """The sequences of the durable events."""
        return [event.sequence for event in self.events if event.HasField("sequence")]

    @property
    def text(self) -> str:
        """The text as a client puts it together: a higher attempt voids, an offset places."""
        attempt, text = 0, ""
        for event in self.events:
            if event.WhichOneof("event") == "delta":
                delta = event.delta
                if delta.answer_attempt > attempt:
                    attempt, text = delta.answer_attempt, ""
                text = text[: delta.text_offset] + delta.text
        return text

    def of(self, name: str) -> list[Any]:
        """The events of one kind."""
        return [getattr(event, name) for event in self.events if event.WhichOneof("event") == name]


@dataclass
class Cluster:
    """A running ensemble."""

    gateway: str
    """The gateway's address."""
    addresses: Mapping[str, str]
    """Every service's address."""
    data: Path
    """The seeded data file."""
    doors: Mapping[str, str] = field(default_factory=dict)
    """Where it is reached in other ways, a URL by the name of what is served there."""
    transport: Transport = field(default_factory=Transport)
    """The way there; in the clear by default."""
    channel: grpc.aio.Channel = field(init=False)
    """A plain channel to the gateway."""

    def __post_init__(self) -> None:
        self.channel = self.transport.channel(self.gateway, ())
        self.stub: gateway_service_pb2_grpc.GatewayServiceAsyncStub = gateway_service_pb2_grpc.GatewayServiceStub(
            self.channel
        )

    async def ask(self, text: str, *, seconds: float = 60.0, token: str = "", **fields: Any) -> Told:
        """Asks a question and returns all that was told."""
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        request = pb.AskRequest(question=question_pb2.Question(text=text, **fields))
        return Told(tuple([m.event async for m in self.stub.Ask(request, timeout=seconds, metadata=metadata)]))

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Reads the data behind the services' back."""
        with sqlite3.connect(f"file:{self.data}?mode=ro", uri=True) as connection:
            return connection.execute(query, values).fetchall()


@asynccontextmanager
async def embedded(
    tmp_path: Path,
    data: Path,
    *,
    elsewhere: Mapping[str, str] | None = None,
    **settings: Any,
) -> AsyncIterator[Cluster]:
    """Runs the ensemble in this process; services named in `elsewhere` are taken from there."""
    # What is tried of steps, models and recovery is tried where agents answer questions whole; a test of asks says so.
    own = {"data_dir": tmp_path, "sql_url": f"sqlite+aiosqlite:///{data}", "log_level": "error", "typed_asks": False}
    given = {**own, **settings}
    away = dict(elsewhere or {})
    names = tuple(name for name in topology().names if name not in away)
    ensemble = LocalServices(Settings(**given), topology(), Layout(names, lambda _: "127.0.0.1:0", away))
    async with ensemble:
        cluster = Cluster(ensemble.addresses["gateway"], ensemble.addresses, data, ensemble.doors)
        async with cluster.channel:
            yield cluster


@asynccontextmanager
async def processes(
    tmp_path: Path, data: Path, *, authority: Authority | None = None, **environment: str
) -> AsyncIterator[Cluster]:
    """Runs every service as a process of its own, as a deployment does; with an authority, over mutual TLS."""
    places = topology()
    addresses = {
        name: f"127.0.0.1:{port}" for name, port in zip(places.names, free_ports(len(places.names)), strict=True)
    }
    shared = {
        "HAPJU_DATA_DIR": str(tmp_path),
        "HAPJU_SQL_URL": f"sqlite+aiosqlite:///{data}",
        "HAPJU_LOG_LEVEL": "error",
        "HAPJU_TYPED_ASKS": "false",  # as above
        **{places.address_variable(name): address for name, address in addresses.items()},
        **environment,
    }
    async with AsyncExitStack() as stack:
        for name in places.names:
            own = authority.variables(name) if authority else {}
            await stack.enter_async_context(_process(places, name, addresses[name], {**shared, **own}))
        transport = authority.transport("client") if authority else Transport()
        async with asyncio.TaskGroup() as group:
            for name, address in addresses.items():
                group.create_task(until_serving(name, address, transport))
        cluster = Cluster(addresses["gateway"], addresses, data, transport=transport)
        async with cluster.channel:
            yield cluster


@asynccontextmanager
async def _process(places: Topology, name: str, listen: str, shared: Mapping[str, str]) -> AsyncIterator[None]:
    process = places.process(name)
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        process.module,
        *process.arguments,
        env=process_environment(**shared, HAPJU_LISTEN=listen),
    )
    try:
        yield
    finally:
        if child.returncode is None:
            child.terminate()
        try:
            async with asyncio.timeout(10):
                await child.wait()
        except TimeoutError:
            child.kill()
            await child.wait()
            raise AssertionError(f"{name} did not stop on SIGTERM") from None


async def until_serving(name: str, address: str, transport: Transport | None = None) -> None:
    """Waits until a service says that it is ready; names it where it does not."""
    try:
        async with asyncio.timeout(START_SECONDS_MAX):
            while not await serving(address, name, bare_channel(address, transport)):
                await asyncio.sleep(0.1)
    except TimeoutError:
        load = f"the machine's load average is {os.getloadavg()[0]:.1f}"
        raise AssertionError(f"{name} did not serve within {START_SECONDS_MAX:g} s; {load}") from None
