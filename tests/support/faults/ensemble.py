"""One ensemble for many flows: every service behind a proxy of its own, and a client that judges nothing."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import grpc

from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc
from services.catalog.topology import topology
from services.cli.ensemble import Layout, LocalServices, levels
from services.runtime.settings import Settings, dev_key
from tests.support.cluster import Told
from tests.support.faults.proxy import Faults, proxied
from tests.support.tokens import token

USER = "mina"
"""Who asks: a user of the sample shop."""
COMES_AGAIN_SECONDS = 0.2
"""How long a client that was refused stays away."""
CLIENT_GRACE_SECONDS = 20.0
"""How much longer than its flow a client listens: a flow that is late is told from one that never ends."""


@dataclass(frozen=True)
class Heard(Told):
    """What a client was told, and how long that took."""

    seconds: float = 0.0
    """From the question to the stream's end."""
    hung: bool = False
    """True where no end had come when the client gave up."""
    status: str = ""
    """The status with which the stream broke; empty where it ended well."""

    @property
    def refused(self) -> bool:
        """True where the door had no room, so that nothing began."""
        return self.status == grpc.StatusCode.RESOURCE_EXHAUSTED.name and not self.events


@dataclass
class FaultyEnsemble:
    """A running ensemble whose every call can be harmed."""

    faults: Faults
    """What is done to calls."""
    shop: Path
    """The data file."""
    bearer: str
    """The client's token."""
    channel: grpc.aio.Channel
    """To the gateway."""
    stub: Any = field(init=False)

    def __post_init__(self) -> None:
        self.stub = gateway_service_pb2_grpc.GatewayServiceStub(self.channel)

    @property
    def _metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.bearer}"),)

    async def ask(self, text: str, session_id: str, seconds: float, answers: Sequence[str] = ()) -> Heard:
        """Asks a question, says what is asked for, and returns all that was heard.

        Where the door has no room it comes again, as any client would: a refusal tells nothing of a fault.
        """
        end = monotonic() + seconds
        while (heard := await self._heard(text, session_id, seconds, answers)).refused and monotonic() < end:
            await asyncio.sleep(COMES_AGAIN_SECONDS)
        return heard

    async def _heard(self, text: str, session_id: str, seconds: float, answers: Sequence[str]) -> Heard:
        question = question_pb2.Question(text=text, session_id=session_id, interactive=bool(answers))
        question.flow_timeout.FromTimedelta(timedelta(seconds=seconds))
        events: list[flow_event_pb2.FlowEvent] = []
        left, begin, hung, status = list(answers), monotonic(), False, ""
        try:
            # The call is given longer than the flow, so that the flow's own end is what is heard.
            stream = self.stub.Ask(
                pb.AskRequest(question=question), timeout=seconds + CLIENT_GRACE_SECONDS, metadata=self._metadata
            )
            async for message in stream:
                events.append(message.event)
                if message.event.WhichOneof("event") == "question_asked" and left:
                    await self._say(events, left.pop(0))
        except grpc.aio.AioRpcError as error:
            status, hung = error.code().name, error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        return Heard(tuple(events), monotonic() - begin, hung, status)

    async def _say(self, events: list[flow_event_pb2.FlowEvent], answer: str) -> None:
        asked = events[-1].question_asked
        flow_run_id = next(one.accepted.flow_run_id for one in events if one.WhichOneof("event") == "accepted")
        request = pb.AnswerQuestionRequest(
            flow_run_id=flow_run_id,
            question_id=asked.question_id,
            answer=answer,
            action_digest=asked.action.action_digest,
        )
        await self.stub.AnswerQuestion(request, timeout=10, metadata=self._metadata)

    def effects(self, flow_run_id: str) -> list[str]:
        """Returns the keys of a flow's effects, of those that have happened."""
        with sqlite3.connect(f"file:{self.shop}?mode=ro", uri=True) as connection:
            query = "SELECT effect_key FROM effects WHERE flow_run_id = ? AND status = 'SUCCEEDED'"
            rows = connection.execute(query, (flow_run_id,)).fetchall()
        connection.close()
        return [key for (key,) in rows]


@asynccontextmanager
async def faulty_ensemble(folder: Path, shop: Path, **settings: Any) -> AsyncIterator[FaultyEnsemble]:
    """Runs every service in this process, callees first, each reached through its proxy."""
    own = {"data_dir": folder, "sql_url": f"sqlite+aiosqlite:///{shop}", "log_level": "error"}
    given = Settings.model_validate(own | settings)
    places, faults = topology(), Faults()
    addresses: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        for level in levels(places.names, places):
            layout = Layout(level, lambda _: "127.0.0.1:0", dict(addresses))
            running = await stack.enter_async_context(LocalServices(given, places, layout))
            for name in level:
                addresses[name] = await stack.enter_async_context(proxied(name, running.addresses[name], faults))
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(addresses["gateway"]))
        yield FaultyEnsemble(faults, shop, token(dev_key(folder), USER, seconds=3_600), channel)


async def at_once(count: int, works: Sequence[Any]) -> list[Any]:
    """Awaits coroutines, so many at once, and returns what they came to, in order."""
    places = asyncio.Semaphore(count)

    async def one(work: Any) -> Any:
        async with places:
            return await work

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(work)) for work in works]
    return [task.result() for task in tasks]
