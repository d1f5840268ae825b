"""The flow store: what survives the process. One text for SQLite and PostgreSQL, SQLAlchemy Core on both.

Reads go through an async engine; everything is written by one thread (writer.py). Every read for a person names the
caller: another's rows are not there.
"""

import asyncio
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self

from sqlalchemy import Connection, Engine, Select, bindparam, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from hapju.flow.v1 import decision_pb2, flow_event_pb2, question_pb2
from services.contract.events import DataReuseDecision, FlowEvent, Phase
from services.contract.flow import Question, Usage
from services.contract.mapping import to_proto
from services.contract.recording import Assignment
from services.durable.checkpoints import VERSION, Checkpoint
from services.durable.earlier import EarlierFlows
from services.durable.engines import VERSION_TABLE, migrate, reading_engine, store_url, told_as, writing_engine
from services.durable.experiments import Experiments, experiment_rows, note_reuse
from services.durable.instants import micros_of
from services.durable.leases import Leases
from services.durable.memory import Memory, remember
from services.durable.overseeing import Overseeing
from services.durable.questions import Questions
from services.durable.quotas import Quotas
from services.durable.reading import FlowReads
from services.durable.records import FlowRecords
from services.durable.requests import shown_text
from services.durable.retention import Retention
from services.durable.schema import FLOW_CHECKPOINTS, FLOW_EVENTS, FLOW_EXPERIMENTS, FLOWS, SESSIONS
from services.durable.turns import Turns
from services.durable.writer import FlowRow, Lease, Writer
from services.runtime.clock import Clock, utc_now
from services.runtime.errors import FailedPrecondition, UnknownFlow, UnknownSession
from services.runtime.identity import Caller
from services.runtime.streams import Superseded

LEASE_SECONDS: Final = 10.0
"""How long a flow of a lost replica waits until another one goes on with it."""


@dataclass(frozen=True, slots=True)
class NewFlow:
    """What is written down when a flow starts."""

    flow_run_id: str
    """Its id."""
    caller: Caller
    """Who asked."""
    question: Question
    """What was asked, with its conversation named and everything that a resume needs."""
    request_digest: str
    """SHA-256 of the question with all that belongs to it."""
    traceparent: str
    """The span that started it, so that a resume can link to it."""
    start_time: datetime
    """When it began."""
    expire_time: datetime
    """Its deadline; a person's time moves it away."""
    assignments: tuple[Assignment, ...] = ()
    """The variants of experiments that it runs under."""
    holds_session: bool = False
    """True where no other flow of the conversation may run beside it that holds the conversation too."""


class FlowStore:
    """The rows of flows, their events, checkpoints and sessions.

    Attributes:
        leases: Who drives which flow.
        questions: What flows ask persons.
        retention: Deletes what is over.
        reads: What is read of flows.
        records: What a driver needs to go on with a flow.
        earlier: What a conversation's flows have found.
        turns: Whose turn it is in a conversation.
        memory: What is remembered of conversations.
        experiments: What flows came to under the variants of experiments.
        overseeing: What operators see of other people's flows.
        quotas: What tenants are granted.
        writer: The thread that writes.
    """

    def __init__(self, reader: AsyncEngine, writing: Engine, clock: Clock, lease_seconds: float) -> None:
        self._reader = reader
        self._writing = writing
        self.writer = writer = Writer(writing)
        self.leases = Leases(writer, reader, clock, lease_seconds)
        self.questions = Questions(writer, reader)
        self.retention = Retention(writer, clock)
        self.reads = FlowReads(reader)
        self.records = FlowRecords(reader)
        self.earlier = EarlierFlows(reader)
        self.turns = Turns(writer, reader)
        self.memory = Memory(reader)
        self.experiments = Experiments(writer, reader)
        self.overseeing = Overseeing(writer, reader, clock)
        self.quotas = Quotas(reader, clock)

    @classmethod
    async def open(cls, url: str, clock: Clock = utc_now, lease_seconds: float = LEASE_SECONDS) -> Self:
        """Open the store and bring its schema to the newest revision.

        Raises:
            ValueError: The URL names a database that hapju does not know.
        """
        store = cls.at(url, clock, lease_seconds)
        await store.migrate()
        return store

    @classmethod
    def at(cls, url: str, clock: Clock = utc_now, lease_seconds: float = LEASE_SECONDS) -> Self:
        """Return the store at a URL, which is reached when it is first used; `migrate` comes before anything else.

        Raises:
            ValueError: The URL names a database that hapju does not know.
        """
        made = store_url(url)
        return cls(reading_engine(made), writing_engine(made), clock, lease_seconds)

    async def migrate(self) -> None:
        """Bring the schema to the newest revision.

        Raises:
            Unavailable: The database is a server, and cannot be reached.
        """
        try:
            await asyncio.to_thread(migrate, self._writing)
        except DBAPIError as error:
            if self._writing.dialect.name != "postgresql":
                raise
            raise told_as(error, self._writing) from error

    async def close(self) -> None:
        """Write what is under way and close every connection."""
        await self.writer.close()
        await self._reader.dispose()

    async def check(self) -> str:
        """Return why the store cannot be used now, or an empty text."""
        async with self._reader.connect() as connection:
            await connection.execute(select(SESSIONS.c.tenant).limit(1))
        # A full disk is read as ever: only a write tells.
        await self.writer.transact(lambda connection: connection.execute(_TOUCHED).rowcount)
        return ""

    async def add(self, flow: NewFlow) -> Lease | None:
        """Write a new flow down, takes its conversation for its caller and the flow for this replica.

        Returns:
            The lease; None where the caller has used the request id before, or the flow is there already: nothing is
            written then.

        Raises:
            UnknownSession: The conversation is another user's.
            UnknownFlow: The flow is there already, and another user's.
            FailedPrecondition: It holds the conversation, and another flow does so already.
        """
        row = _flow_row(flow, self.leases.owner, self.leases.until())
        try:
            holder = await self.writer.transact(lambda connection: _add(connection, flow, row))
        except IntegrityError:
            # Another replica wrote the same request or the same conversation down at the same moment.
            if await self.reads.by_request(flow.caller, flow.question.request_id) is not None:
                return None
            if await self.reads.find(flow.caller, flow.flow_run_id) is not None:
                # Its caller had lost the call that began it.
                return None
            if await self.reads.is_there(flow.flow_run_id):
                raise UnknownFlow(f"flow_run_id: no flow {flow.flow_run_id} of this user") from None
            holder = await self.reads.holder(flow.caller, flow.question.session_id) if flow.holds_session else ""
            if not holder:
                raise
        if holder == flow.flow_run_id:
            return None
        if holder:
            raise FailedPrecondition(
                "session_id: another question of this conversation is being answered",
                reason="SESSION_BUSY",
                metadata={"flow_run_id": holder},
            )
        return Lease(flow.flow_run_id, 1)

    async def keep(self, lease: Lease, *kept: FlowEvent) -> None:
        """Write durable events down, all or none.

        Raises:
            Superseded: Another replica drives the flow.
        """
        await self.writer.append(lease, *(FlowRow(FLOW_EVENTS, _event_row(one)) for one in kept))

    async def record(self, lease: Lease, checkpoints: tuple[Checkpoint, ...]) -> None:
        """Write checkpoints down, all or none.

        Raises:
            Superseded: Another replica drives the flow.
        """
        rows = ({"name": made.name, "kind": made.kind, "message": made.message} for made in checkpoints)
        await self.writer.append(lease, *(FlowRow(FLOW_CHECKPOINTS, row) for row in rows))

    async def end(  # noqa: PLR0913, PLR0917 - an end is all of it at once
        self,
        lease: Lease,
        kept: FlowEvent,
        phase: Phase,
        answer: str,
        usage: Usage,
        reuse: DataReuseDecision | None = None,
    ) -> None:
        """Write the terminal event and the flow's end down, both or neither, once in a flow's life.

        Args:
            lease: The right to drive the flow.
            kept: The terminal event.
            phase: How it ended.
            answer: The text; empty where there is none.
            usage: What it spent.
            reuse: What became of what the conversation held; None where nothing was held.

        Raises:
            Superseded: Another replica drives the flow, or it has ended.
        """
        event = {"flow_run_id": lease.flow_run_id, **_event_row(kept)}
        ended = {
            "phase": phase.value,
            "answer": answer,
            "end_time": (ended_at := micros_of(kept.emit_time)),
            "usage": to_proto(usage, decision_pb2.Usage).SerializeToString(),
            "tokens": usage.tokens,
            "lease_owner": "",
            "holds_session": None,
        }
        driven = {"of_flow": lease.flow_run_id, "of_token": lease.token}

        def end(connection: Connection) -> None:
            if connection.execute(_ENDING, {**driven, **ended}).rowcount != 1:
                raise Superseded(f"flow {lease.flow_run_id} has another driver or has ended")
            connection.execute(_EVENT, event)
            if reuse is not None:
                note_reuse(connection, lease.flow_run_id, reuse)
            if phase is Phase.FINISHED:
                remember(connection, lease.flow_run_id, answer, ended_at)

        await self.writer.transact(end)

    async def request_cancel(self, flow_run_id: str, reason: str) -> None:
        """Ask whoever drives a flow to cancel it; the first reason stays."""
        asking = update(FLOWS).where(FLOWS.c.flow_run_id == flow_run_id, FLOWS.c.end_time.is_(None))
        asking = asking.where(FLOWS.c.cancel_reason == "").values(cancel_reason=reason)
        await self.writer.transact(lambda connection: connection.execute(asking).rowcount)


def _add(connection: Connection, flow: NewFlow, row: dict[str, object]) -> str:
    """Write a flow down; return the flow that holds the conversation, with nothing written, where one does."""
    session_id = flow.question.session_id
    conversation = {"tenant": flow.caller.tenant, "user_id": flow.caller.user_id, "session_id": session_id}
    owner = connection.scalar(_OWNER, conversation)
    if owner is None:
        connection.execute(_SESSION, {**conversation, "create_time": row["start_time"]})
    elif owner != flow.caller.user_id:
        raise UnknownSession(f"session_id: no conversation {session_id} of this user")
    is_new = not flow.question.request_id or connection.scalar(_of_request(flow)) is None
    if flow.holds_session and is_new and (holder := connection.scalar(_OPEN_IN, conversation)) is not None:
        return str(holder)
    connection.execute(_FLOW, row)
    if rows := experiment_rows(flow.flow_run_id, flow.assignments):
        connection.execute(insert(FLOW_EXPERIMENTS), rows)
    return ""


def _of_request(flow: NewFlow) -> Select[tuple[str]]:
    mine = (FLOWS.c.tenant == flow.caller.tenant) & (FLOWS.c.user_id == flow.caller.user_id)
    return select(FLOWS.c.flow_run_id).where(mine, FLOWS.c.request_id == flow.question.request_id)


def _event_row(kept: FlowEvent) -> dict[str, object]:
    return {"sequence": kept.sequence, "event": to_proto(kept, flow_event_pb2.FlowEvent).SerializeToString()}


def _flow_row(flow: NewFlow, owner: str, until: int) -> dict[str, object]:
    question = flow.question
    return {
        "flow_run_id": flow.flow_run_id,
        "tenant": flow.caller.tenant,
        "user_id": flow.caller.user_id,
        "user_type": flow.caller.user_type,
        "roles": json.dumps(sorted(flow.caller.roles)),
        "session_id": question.session_id,
        "request_id": question.request_id or None,
        "request_digest": flow.request_digest,
        "question": shown_text(question),
        "request": to_proto(question, question_pb2.Question).SerializeToString(),
        "phase": Phase.ADMITTED.value,
        "traceparent": flow.traceparent,
        "start_time": micros_of(flow.start_time),
        "expire_time": micros_of(flow.expire_time),
        "usage": b"",
        "checkpoint_version": VERSION,
        "lease_owner": owner,
        "lease_token": 1,
        "lease_expire_time": until,
        "holds_session": question.session_id if flow.holds_session else None,
    }


# What every flow runs is built once: a statement costs more to build than to run.
_OWNER: Final = select(SESSIONS.c.user_id).where(
    SESSIONS.c.tenant == bindparam("tenant"), SESSIONS.c.session_id == bindparam("session_id")
)
"""Whose a conversation is."""
_OPEN_IN: Final = (
    select(FLOWS.c.flow_run_id)
    .where(
        FLOWS.c.tenant == bindparam("tenant"),
        FLOWS.c.user_id == bindparam("user_id"),
        FLOWS.c.session_id == bindparam("session_id"),
        FLOWS.c.end_time.is_(None),
    )
    .order_by(FLOWS.c.flow_run_id)
    .limit(1)
)
"""The flow of a conversation that comes first among those that have not ended, waiting ones included."""
_ENDING: Final = update(FLOWS).where(
    FLOWS.c.flow_run_id == bindparam("of_flow"),
    FLOWS.c.lease_token == bindparam("of_token"),
    FLOWS.c.end_time.is_(None),
)
"""The end of a flow by its driver; executed with the columns that it sets."""
_TOUCHED: Final = text(f"UPDATE {VERSION_TABLE} SET version_num = version_num")  # noqa: S608 - a constant
"""A write that changes nothing."""
_SESSION: Final = insert(SESSIONS)
_FLOW: Final = insert(FLOWS)
_EVENT: Final = insert(FLOW_EVENTS)
