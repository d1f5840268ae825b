"""What is read of flows: the rows of one or of many, their events, and what a conversation has said.

Every read for a person names the caller: another's rows are not there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Row, Select, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from hapju.flow.v1 import decision_pb2, flow_event_pb2
from services.contract.events import FlowEvent, FlowSummary, Phase
from services.contract.flow import Speaker, Spent, Turn, Usage
from services.contract.mapping import from_proto
from services.durable.instants import instant_of
from services.durable.overseeing import without_words
from services.durable.schema import FLOW_CHECKPOINTS, FLOW_EVENTS, FLOWS
from services.runtime.errors import UnknownFlow
from services.runtime.identity import Caller

HISTORY_TURNS_MAX: Final = 18
"""Turns of a conversation that are handed to routing and planning: under 10 questions with their answers."""


@dataclass(frozen=True, slots=True)
class KeptFlow:
    """What is kept of a flow."""

    summary: FlowSummary
    """The summary."""
    request_digest: str
    """See NewFlow."""


class FlowReads:
    """Reads flows.

    Args:
        reader: What it reads with.
    """

    def __init__(self, reader: AsyncEngine) -> None:
        self._reader = reader

    async def find(self, caller: Caller, flow_run_id: str) -> KeptFlow | None:
        """Return a flow of the caller, or None."""
        return await self._one(_flows_of(caller).where(FLOWS.c.flow_run_id == flow_run_id))

    async def own(self, caller: Caller, flow_run_id: str) -> KeptFlow:
        """Return a flow of the caller.

        Raises:
            UnknownFlow: The caller has no such flow.
        """
        kept = await self.find(caller, flow_run_id)
        if kept is None:
            raise UnknownFlow(f"flow_run_id: no flow {flow_run_id} of this user")
        return kept

    async def by_request(self, caller: Caller, request_id: str) -> KeptFlow | None:
        """Return the flow that the caller started under a request id, or None; another user's is not there."""
        if not request_id:
            return None
        return await self._one(_flows_of(caller).where(FLOWS.c.request_id == request_id))

    async def events(self, flow_run_id: str, after_sequence: int = 0) -> tuple[FlowEvent, ...]:
        """Return a flow's durable events after a sequence."""
        rows = select(FLOW_EVENTS.c.event).where(
            FLOW_EVENTS.c.flow_run_id == flow_run_id,
            FLOW_EVENTS.c.sequence > after_sequence,
        )
        async with self._reader.connect() as connection:
            found = await connection.scalars(rows.order_by(FLOW_EVENTS.c.sequence))
            return tuple(from_proto(flow_event_pb2.FlowEvent.FromString(row), FlowEvent) for row in found)

    async def spent_at(self, flow_run_id: str, place: str) -> Spent | None:
        """Return what was decided and spent at one place of a flow; None where nothing was."""
        wanted = select(FLOW_CHECKPOINTS.c.message).where(
            FLOW_CHECKPOINTS.c.flow_run_id == flow_run_id, FLOW_CHECKPOINTS.c.name == place
        )
        async with self._reader.connect() as connection:
            found = await connection.scalar(wanted)
        return from_proto(decision_pb2.Spent.FromString(found), Spent) if found is not None else None

    async def phases(self, flow_run_ids: Sequence[str]) -> Mapping[str, Phase]:
        """Return where flows stand by their newest events that tell it; those that tell none are left out.

        A flow's row learns its phase at its end only.
        """
        rows = select(FLOW_EVENTS).where(FLOW_EVENTS.c.flow_run_id.in_(flow_run_ids)).order_by(FLOW_EVENTS.c.sequence)
        reached: dict[str, Phase] = {}
        async with self._reader.connect() as connection:
            for row in await connection.execute(rows):
                told = flow_event_pb2.FlowEvent.FromString(row.event)
                if told.HasField("phase_changed"):
                    name = flow_event_pb2.Phase.Name(told.phase_changed.phase)
                    reached[row.flow_run_id] = Phase(name.removeprefix("PHASE_"))
        return reached

    async def last_sequence(self, flow_run_id: str) -> int:
        """Return the sequence of a flow's newest durable event, 0 before the first."""
        newest = select(func.max(FLOW_EVENTS.c.sequence)).where(FLOW_EVENTS.c.flow_run_id == flow_run_id)
        async with self._reader.connect() as connection:
            return await connection.scalar(newest) or 0

    async def is_over(self, flow_run_id: str) -> bool:
        """Return whether a flow has ended or is no more."""
        is_open = select(FLOWS.c.flow_run_id).where(FLOWS.c.flow_run_id == flow_run_id, FLOWS.c.end_time.is_(None))
        async with self._reader.connect() as connection:
            return await connection.scalar(is_open) is None

    async def page(
        self,
        caller: Caller,
        *,
        session_id: str,
        before: str,
        flows_max: int,
        of_tenant: bool = False,
    ) -> tuple[FlowSummary, ...]:
        """Return the caller's flows before an id, the newest first; an empty `before` begins at the newest.

        Those of the whole tenant say whose they are and not what was asked.
        """
        wanted = _listed(caller, session_id, of_tenant=of_tenant)
        if before:
            wanted = wanted.where(FLOWS.c.flow_run_id < before)
        async with self._reader.connect() as connection:
            rows = await connection.execute(wanted.order_by(FLOWS.c.flow_run_id.desc()).limit(flows_max))
            if of_tenant:
                return tuple(replace(without_words(_kept(row).summary), user_id=row.user_id) for row in rows)
            return tuple(_kept(row).summary for row in rows)

    async def count(self, caller: Caller, *, session_id: str, of_tenant: bool = False) -> int:
        """Return how many flows `page` has on all its pages."""
        wanted = _listed(caller, session_id, of_tenant=of_tenant).with_only_columns(func.count())
        async with self._reader.connect() as connection:
            return await connection.scalar(wanted) or 0

    async def history(self, caller: Caller, session_id: str, before: str) -> tuple[Turn, ...]:
        """Return the conversation's last turns before a flow, the oldest first; nothing of another user's."""
        wanted = {"tenant": caller.tenant, "user_id": caller.user_id, "session_id": session_id, "before": before}
        async with self._reader.connect() as connection:
            found = await connection.execute(_ANSWERED, wanted)
            pairs = [(row.question, row.answer, instant_of(row.start_time)) for row in found]
        turns: list[Turn] = []
        for question, answer, time in reversed(pairs):
            turns += [Turn(Speaker.USER, question, time), Turn(Speaker.ASSISTANT, answer, time)]
        return tuple(turns)

    async def _one(self, wanted: Select[Any]) -> KeptFlow | None:
        async with self._reader.connect() as connection:
            row = (await connection.execute(wanted.limit(1))).first()
        return _kept(row) if row is not None else None

    async def is_there(self, flow_run_id: str) -> bool:
        """Return whether there is a flow of an id, whoever's it is."""
        return await self._one(select(FLOWS).where(FLOWS.c.flow_run_id == flow_run_id)) is not None

    async def holder(self, caller: Caller, session_id: str) -> str:
        """Return the flow that holds a conversation, or an empty text."""
        held = (FLOWS.c.tenant == caller.tenant) & (FLOWS.c.holds_session == session_id)
        async with self._reader.connect() as connection:
            return await connection.scalar(select(FLOWS.c.flow_run_id).where(held)) or ""


def _flows_of(caller: Caller) -> Select[Any]:
    return select(FLOWS).where(FLOWS.c.tenant == caller.tenant, FLOWS.c.user_id == caller.user_id)


def _listed(caller: Caller, session_id: str, *, of_tenant: bool) -> Select[Any]:
    """Return the flows of a caller, or of everybody in the tenant; of one conversation where it is named."""
    wanted = select(FLOWS).where(FLOWS.c.tenant == caller.tenant) if of_tenant else _flows_of(caller)
    return wanted.where(FLOWS.c.session_id == session_id) if session_id else wanted


def _kept(row: Row[Any]) -> KeptFlow:
    start = instant_of(row.start_time)
    end = instant_of(row.end_time) if row.end_time is not None else None
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
    return KeptFlow(summary, row.request_digest)


_ANSWERED: Final = (
    select(FLOWS.c.question, FLOWS.c.answer, FLOWS.c.start_time)
    .where(
        FLOWS.c.tenant == bindparam("tenant"),
        FLOWS.c.user_id == bindparam("user_id"),
        FLOWS.c.session_id == bindparam("session_id"),
        FLOWS.c.phase == Phase.FINISHED.value,
        FLOWS.c.flow_run_id < bindparam("before"),
    )
    .order_by(FLOWS.c.flow_run_id.desc())
    .limit(HISTORY_TURNS_MAX // 2)
)
"""The user's last answered questions in a conversation before a flow, the newest first."""
