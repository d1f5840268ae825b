"""The flow store: what survives the process. One text for SQLite and PostgreSQL; SQLAlchemy Core over async drivers."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self

from sqlalchemy import Connection, Row, Select, event, insert, inspect, select, text, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from hapju.flow.v1 import decision_pb2, flow_event_pb2
from services.contract.events import FlowEvent, FlowSummary, Phase
from services.contract.flow import Speaker, Turn, Usage
from services.contract.mapping import from_proto, to_proto
from services.orchestrator.schema import FLOW_EVENTS, FLOWS, SESSIONS
from services.runtime.errors import UnknownSession
from services.runtime.identity import Caller

HISTORY_TURNS_MAX: Final = 18
"""Turns of a conversation that are handed to routing and planning: under 10 questions with their answers (spec 1.3)."""
NEWEST_REVISION: Final = "0001"
"""The newest migration that this code carries; a test holds it against the scripts."""
BUSY_SECONDS: Final = 5
"""How long a write waits for another process's write to the same SQLite file."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class NewFlow:
    """What is written down when a flow starts."""

    flow_run_id: str
    """Its id."""
    caller: Caller
    """Who asked."""
    session_id: str
    """The conversation."""
    request_id: str
    """The client's id for the request; empty where it gave none."""
    request_digest: str
    """SHA-256 of the question with all that belongs to it."""
    question: str
    """The text as the user wrote it."""
    traceparent: str
    """The span that started it, so that a resume can link to it."""
    start_time: datetime
    """When it began."""
    expire_time: datetime
    """When it will have ended in any case."""


@dataclass(frozen=True, slots=True)
class KeptFlow:
    """What is kept of a flow."""

    summary: FlowSummary
    """The summary."""
    request_digest: str
    """See NewFlow."""
    expire_time: datetime
    """See NewFlow."""


class FlowStore:
    """The rows of flows, their events and sessions. Every read names the caller: another's rows are not there."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @classmethod
    async def open(cls, url: str) -> Self:
        """Opens the store and brings its schema to the newest revision.

        Raises:
            ValueError: The URL names a database that hapju does not know.
        """
        engine = _engine(make_url(url))
        if await _revision(engine) != NEWEST_REVISION:
            async with engine.begin() as connection:
                await connection.run_sync(_upgrade)
        return cls(engine)

    async def close(self) -> None:
        """Closes every connection."""
        await self._engine.dispose()

    async def check(self) -> str:
        """Returns why the store cannot be used now, or an empty text."""
        async with self._engine.connect() as connection:
            await connection.execute(select(SESSIONS.c.tenant).limit(1))
        return ""

    async def add(self, flow: NewFlow) -> bool:
        """Writes a new flow down, and takes its conversation for its caller.

        Returns:
            False where the tenant has used the request id before; nothing is written then.

        Raises:
            UnknownSession: The conversation is another user's.
        """
        try:
            async with self._engine.begin() as connection:
                owner = await connection.scalar(_session_owner(flow.caller.tenant, flow.session_id))
                if owner is None:
                    await connection.execute(insert(SESSIONS).values(_session_row(flow)))
                elif owner != flow.caller.user_id:
                    raise UnknownSession(f"session_id: no conversation {flow.session_id} of this user")
                await connection.execute(insert(FLOWS).values(_flow_row(flow)))
        except IntegrityError:
            if await self.by_request(flow.caller, flow.request_id) is None:
                raise
            return False
        return True

    async def keep(self, flow_run_id: str, kept: FlowEvent) -> None:
        """Writes a durable event down."""
        row = {
            "flow_run_id": flow_run_id,
            "sequence": kept.sequence,
            "event": to_proto(kept, flow_event_pb2.FlowEvent).SerializeToString(),
        }
        async with self._engine.begin() as connection:
            await connection.execute(insert(FLOW_EVENTS).values(row))

    async def end(self, flow_run_id: str, kept: FlowEvent, phase: Phase, answer: str, usage: Usage) -> None:
        """Writes the terminal event and the flow's end down, both or neither."""
        row = {
            "flow_run_id": flow_run_id,
            "sequence": kept.sequence,
            "event": to_proto(kept, flow_event_pb2.FlowEvent).SerializeToString(),
        }
        ended = {
            "phase": phase.value,
            "answer": answer,
            "end_time": _micros(kept.emit_time),
            "usage": to_proto(usage, decision_pb2.Usage).SerializeToString(),
        }
        async with self._engine.begin() as connection:
            await connection.execute(insert(FLOW_EVENTS).values(row))
            await connection.execute(update(FLOWS).where(FLOWS.c.flow_run_id == flow_run_id).values(ended))

    async def find(self, caller: Caller, flow_run_id: str) -> KeptFlow | None:
        """Returns a flow of the caller, or None."""
        return await self._one(_flows_of(caller).where(FLOWS.c.flow_run_id == flow_run_id))

    async def by_request(self, caller: Caller, request_id: str) -> KeptFlow | None:
        """Returns the flow that the caller's tenant started under a request id, or None."""
        if not request_id:
            return None
        same = (FLOWS.c.tenant == caller.tenant) & (FLOWS.c.request_id == request_id)
        return await self._one(select(FLOWS).where(same))

    async def events(self, flow_run_id: str, after_sequence: int = 0) -> tuple[FlowEvent, ...]:
        """Returns a flow's durable events after a sequence."""
        rows = select(FLOW_EVENTS.c.event).where(
            FLOW_EVENTS.c.flow_run_id == flow_run_id,
            FLOW_EVENTS.c.sequence > after_sequence,
        )
        async with self._engine.connect() as connection:
            found = await connection.scalars(rows.order_by(FLOW_EVENTS.c.sequence))
            return tuple(from_proto(flow_event_pb2.FlowEvent.FromString(row), FlowEvent) for row in found)

    async def page(
        self,
        caller: Caller,
        *,
        session_id: str,
        before: str,
        flows_max: int,
    ) -> tuple[FlowSummary, ...]:
        """Returns the caller's flows before an id, the newest first; an empty `before` begins at the newest."""
        wanted = _flows_of(caller)
        if session_id:
            wanted = wanted.where(FLOWS.c.session_id == session_id)
        if before:
            wanted = wanted.where(FLOWS.c.flow_run_id < before)
        async with self._engine.connect() as connection:
            rows = await connection.execute(wanted.order_by(FLOWS.c.flow_run_id.desc()).limit(flows_max))
            return tuple(_kept(row).summary for row in rows)

    async def history(self, caller: Caller, session_id: str) -> tuple[Turn, ...]:
        """Returns the conversation's last turns, the oldest first; nothing of another user's conversation."""
        rows = _flows_of(caller).where(FLOWS.c.session_id == session_id, FLOWS.c.phase == Phase.FINISHED.value)
        async with self._engine.connect() as connection:
            found = await connection.execute(rows.order_by(FLOWS.c.flow_run_id.desc()).limit(HISTORY_TURNS_MAX // 2))
            pairs = [(row.question, row.answer, _instant(row.start_time)) for row in found]
        turns: list[Turn] = []
        for question, answer, time in reversed(pairs):
            turns += [Turn(Speaker.USER, question, time), Turn(Speaker.ASSISTANT, answer, time)]
        return tuple(turns)

    async def _one(self, wanted: Select[Any]) -> KeptFlow | None:
        async with self._engine.connect() as connection:
            row = (await connection.execute(wanted.limit(1))).first()
        return _kept(row) if row is not None else None


def _flows_of(caller: Caller) -> Select[Any]:
    return select(FLOWS).where(FLOWS.c.tenant == caller.tenant, FLOWS.c.user_id == caller.user_id)


def _session_owner(tenant: str, session_id: str) -> Select[Any]:
    return select(SESSIONS.c.user_id).where(SESSIONS.c.tenant == tenant, SESSIONS.c.session_id == session_id)


def _session_row(flow: NewFlow) -> dict[str, object]:
    return {
        "tenant": flow.caller.tenant,
        "session_id": flow.session_id,
        "user_id": flow.caller.user_id,
        "create_time": _micros(flow.start_time),
    }


def _flow_row(flow: NewFlow) -> dict[str, object]:
    return {
        "flow_run_id": flow.flow_run_id,
        "tenant": flow.caller.tenant,
        "user_id": flow.caller.user_id,
        "session_id": flow.session_id,
        "request_id": flow.request_id or None,
        "request_digest": flow.request_digest,
        "question": flow.question,
        "phase": Phase.ADMITTED.value,
        "traceparent": flow.traceparent,
        "start_time": _micros(flow.start_time),
        "expire_time": _micros(flow.expire_time),
        "usage": b"",
    }


def _kept(row: Row[Any]) -> KeptFlow:
    start, expire = _instant(row.start_time), _instant(row.expire_time)
    end = _instant(row.end_time) if row.end_time is not None else None
    summary = FlowSummary(
        flow_run_id=row.flow_run_id,
        session_id=row.session_id,
        question=row.question,
        phase=Phase(row.phase),
        start_time=start,
        end_time=end,
        latency=(end or datetime.now(UTC)) - start,
        usage=from_proto(decision_pb2.Usage.FromString(row.usage), Usage),
    )
    return KeptFlow(summary, row.request_digest, expire)


def _micros(instant: datetime) -> int:
    return (instant - _EPOCH) // timedelta(microseconds=1)


def _instant(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)


def _engine(url: URL) -> AsyncEngine:
    if url.get_backend_name() == "postgresql":
        return create_async_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise ValueError(f"HAPJU_STORE_URL: {url.get_backend_name()} is not supported; use sqlite or postgresql")
    Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(url.set(drivername="sqlite+aiosqlite"))
    event.listen(engine.sync_engine, "connect", _tune_sqlite)
    return engine


def _tune_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    cursor.close()


async def _revision(engine: AsyncEngine) -> str:
    """Returns the schema's revision, or an empty text where there is no schema yet."""
    async with engine.connect() as connection:
        if not await connection.run_sync(lambda inner: inspect(inner).has_table("alembic_version")):
            return ""
        return str(await connection.scalar(text("SELECT version_num FROM alembic_version")))


def _upgrade(connection: Connection) -> None:
    # Imported only where a migration is due: Alembic costs a tenth of a cold start.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
