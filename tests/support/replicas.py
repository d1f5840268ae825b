"""Replicas of the orchestrator as processes of their own, over one store and one set of other services."""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.orchestrator.v1 import orchestrator_service_pb2 as pb
from hapju.orchestrator.v1 import orchestrator_service_pb2_grpc
from services.catalog.topology import topology
from services.cli.ensemble import Layout, LocalServices
from services.orchestrator.servicer import register
from services.runtime import deadlines
from services.runtime.calls import Peers
from services.runtime.environment import process_environment
from services.runtime.errors import Aborted, FailedPrecondition, Unavailable
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.ids import new_flow_run_id
from services.runtime.server import RunningService
from services.runtime.server import start as start_service
from services.runtime.settings import Settings, dev_key
from tests.support.cluster import until_serving
from tests.support.ports import free_ports

LEASE_SECONDS = 1.5
"""Short, so that a test does not wait for long; long enough for a busy machine to renew it."""
CLIENT_SECONDS_MAX = 60
"""How long a client hears a flow."""
ANSWER_TRIES_MAX = 5
"""How often a client gives its answer whose connection breaks."""
MORTAL = Path(__file__).parent / "mortal_orchestrator.py"
ENDS = {"finished", "failed", "cancelled"}


@dataclass
class Replica:
    """One orchestrator process."""

    address: str
    """Where it listens."""
    process: asyncio.subprocess.Process
    """The process."""
    stub: Any
    """A client of it."""

    async def has_died(self) -> bool:
        """Tells whether it has died by its own hand; one that lives on after its flow has ended is ended here."""
        try:
            async with asyncio.timeout(DIES_WITHIN_SECONDS):
                return await self.process.wait() == -9
        except TimeoutError:
            self.process.kill()
            return False


DIES_WITHIN_SECONDS = 10
"""How long a process may take to die whose flow has ended; one that lives on was never to die in this flow."""


@dataclass
class Neighbour:
    """One orchestrator in this process."""

    address: str
    """Where it listens."""
    running: RunningService
    """The service."""
    stub: Any
    """A client of it."""


@dataclass
class Heard:
    """What one client heard of one flow, over all its streams."""

    events: list[flow_event_pb2.FlowEvent] = field(default_factory=list)
    """Every event, in order of arrival."""
    streams: int = 0
    """How many streams it took."""

    @property
    def sequences(self) -> list[int]:
        """The sequences of the durable events."""
        return [event.sequence for event in self.events if event.HasField("sequence")]

    @property
    def ends(self) -> list[str]:
        """The terminal events."""
        return [name for event in self.events if (name := event.WhichOneof("event")) in ENDS]

    def of(self, name: str) -> list[Any]:
        """The events of one kind."""
        return [getattr(event, name) for event in self.events if event.WhichOneof("event") == name]

    @property
    def last_sequence(self) -> int:
        """The last sequence heard, 0 before the first."""
        return self.sequences[-1] if self.sequences else 0


@dataclass
class Replicas:
    """Replicas over one store."""

    environment: Mapping[str, str]
    """What every replica is started with."""
    key: str
    """The key of caller assertions."""
    stack: AsyncExitStack
    """Ends everything."""
    settings: Settings
    """What a replica in this process is started with."""
    peers: Mapping[str, str]
    """Where the other services listen."""

    async def join(self, **settings: Any) -> "Neighbour":
        """Starts a replica in this process."""
        given = {**self.settings.model_dump(exclude_defaults=True), "lease_seconds": LEASE_SECONDS, **settings}
        running = await start_service(
            "orchestrator", register, Settings(**given), listen="127.0.0.1:0", addresses=dict(self.peers)
        )
        self.stack.push_async_callback(running.stop, 0)
        return Neighbour(running.address, running, await self._stub(running.address))

    async def start(self, dies_after: int | str = 0) -> Replica:
        """Starts a replica that dies after a write or a call, or never."""
        address = f"127.0.0.1:{free_ports(1)[0]}"
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(MORTAL),
            str(dies_after),
            env=process_environment(**self.environment, HAPJU_LISTEN=address),
        )
        self.stack.push_async_callback(_ended, process)
        await until_serving("orchestrator", address)
        return Replica(address, process, await self._stub(address))

    async def _stub(self, address: str) -> Any:
        peers = Peers("gateway", {"orchestrator": address}, Assertions(self.key))
        self.stack.push_async_callback(peers.close)
        return peers.stub(orchestrator_service_pb2_grpc.OrchestratorServiceStub, "orchestrator")


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()


@asynccontextmanager
async def replicas(
    tmp_path: Path,
    data: Path,
    store_url: str = "",
    *,
    elsewhere: Mapping[str, str] = MappingProxyType({}),
    user: str = "u-1",
    traces: str = "",
    model: str = "",
    typed_asks: bool = True,
) -> AsyncIterator[Replicas]:
    """Runs everything but gateway and orchestrator in this process; replicas are started by the test.

    Args:
        tmp_path: Their data folder.
        data: The seeded data file.
        store_url: The flow store; a file of SQLite by default.
        elsewhere: Services that the test serves itself, by name.
        user: Who asks.
        traces: Where replicas send their spans; nowhere by default.
        model: The base URL of a model that all of them ask; none by default.
        typed_asks: Whether questions are read as asks, whose calls no model chooses.
    """
    asking = {"openai_base_url": model, "openai_api_key": "test"} if model else {}
    settings = Settings.model_validate(
        {"data_dir": tmp_path, "sql_url": f"sqlite+aiosqlite:///{data}", "log_level": "error", "typed_asks": typed_asks}
        | asking
    )
    places = topology()
    names = tuple(name for name in places.names if name not in {"gateway", "orchestrator", *elsewhere})
    async with (
        LocalServices(settings, places, Layout(names, lambda _: "127.0.0.1:0", dict(elsewhere))) as ensemble,
        AsyncExitStack() as stack,
    ):
        addresses = {places.address_variable(name): address for name, address in ensemble.addresses.items()}
        environment = {
            "HAPJU_DATA_DIR": str(tmp_path),
            "HAPJU_LOG_LEVEL": "error",
            "HAPJU_LEASE_SECONDS": str(LEASE_SECONDS),
            "HAPJU_DRAIN_SECONDS_MAX": "1",
            **({"HAPJU_STORE_URL": store_url} if store_url else {}),
            **({"OTEL_EXPORTER_OTLP_ENDPOINT": traces} if traces else {}),
            **{name.upper(): value for name, value in asking.items()},
            **addresses,
        }
        stack.enter_context(acting_for(Caller(user, user_type="consumer")))
        yield Replicas(environment, dev_key(tmp_path), stack, settings, ensemble.addresses)


@dataclass
class Client:
    """A client that asks one question and hears it to its end, whatever becomes of the replica that it asked."""

    asked: Replica | Neighbour
    """Where it asks."""
    other: Replica | Neighbour
    """Where it goes when its stream breaks, and where it answers."""
    answers: tuple[str, ...] = ()
    """What it says when it is asked, in order."""
    flow_run_id: str = field(default_factory=new_flow_run_id)
    """Its flow."""
    heard: Heard = field(default_factory=Heard)
    """What it has heard."""
    answered: list[str] = field(default_factory=list)
    """The questions that it has answered."""
    asked_for: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is asked something that it has no answer to; it then waits with its stream open."""

    async def ask(self, text: str, **fields: Any) -> Heard:
        """Asks, and returns all that was heard until the end."""
        with deadlines.within(CLIENT_SECONDS_MAX):
            return await self._ask(text, **fields)

    async def start(self, text: str, **fields: Any) -> pb.StartFlowResponse:
        """Starts the flow and leaves it."""
        request = pb.StartFlowRequest(flow_run_id=self.flow_run_id, question=_question(text, **fields))
        response: pb.StartFlowResponse = await self.asked.stub.StartFlow(request)
        return response

    async def watch(self, replica: Replica | Neighbour) -> Heard:
        """Hears the flow at a replica from where it was left, to its end."""
        with deadlines.within(CLIENT_SECONDS_MAX):
            while not self.heard.ends:
                again = pb.WatchFlowRequest(flow_run_id=self.flow_run_id, after_sequence=self.heard.last_sequence)
                await self._hear(replica.stub.WatchFlow(again))
        return self.heard

    async def watch_later(self, replica: Replica | Neighbour) -> Heard:
        """Hears a whole flow once it has ended, without having been there."""
        request = pb.GetFlowRequest(flow_run_id=self.flow_run_id)
        async with asyncio.timeout(CLIENT_SECONDS_MAX):
            while not (await replica.stub.GetFlow(request)).record.summary.HasField("end_time"):
                await asyncio.sleep(0.05)
        return await self.watch(replica)

    async def _ask(self, text: str, **fields: Any) -> Heard:
        request = pb.RunFlowRequest(flow_run_id=self.flow_run_id, question=_question(text, **fields))
        await self._hear(self.asked.stub.RunFlow(request))
        return await self.watch(self.other)

    async def _hear(self, stream: Any) -> None:
        self.heard.streams += 1
        assert self.heard.streams < 20, "the flow is never told to its end"
        try:
            async for message in stream:
                self.heard.events.append(message.event)
                if message.event.WhichOneof("event") == "question_asked":
                    await self.answer(message.event.question_asked.question_id)
        except (Unavailable, Aborted):
            return

    async def answer(self, question_id: str) -> None:
        """Says what comes next among its answers."""
        if len(self.answered) == len(self.answers):
            self.asked_for.set()
            return
        said = self.answers[len(self.answered)]
        self.answered.append(question_id)
        request = pb.AnswerQuestionRequest(flow_run_id=self.flow_run_id, question_id=question_id, answer=said)
        for trial in range(ANSWER_TRIES_MAX):
            try:
                await self.other.stub.AnswerQuestion(request)
            except Unavailable:
                # Its connection broke: whether the answer arrived is not known, and asking again is harmless.
                continue
            except FailedPrecondition:
                assert trial, "the first answer is refused"
            return
        raise AssertionError("the answer cannot be given")


def _question(text: str, **fields: Any) -> question_pb2.Question:
    domains = ["realty", "finance", "commerce", "general"]
    return question_pb2.Question(text=text, locale="ko", time_zone="Asia/Seoul", domains=domains, **fields)
