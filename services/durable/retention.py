"""What is deleted from the flow store: flows that ended long ago, and conversations whose user wants them gone.

Rows are really deleted, children first and always in the same order of tables, so that two deletions never wait for
each other. A flow that still runs loses its row, and with it its driver's right to write: the driver stops by itself.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from services.durable.instants import micros_of
from services.durable.quotas import DAY, first_id
from services.durable.schema import (
    DELETED_FLOWS,
    FLOW_CHECKPOINTS,
    FLOW_EVENTS,
    FLOW_EXPERIMENTS,
    FLOW_QUESTIONS,
    FLOWS,
    SESSIONS,
)
from services.durable.writer import Writer
from services.runtime.clock import Clock
from services.runtime.identity import Caller

SWEEP_FLOWS_MAX: Final = 200
"""The most flows that one sweep deletes; what is left is the next one's."""
_CHILDREN: Final = (FLOW_QUESTIONS, FLOW_CHECKPOINTS, FLOW_EVENTS, FLOW_EXPERIMENTS)


class Retention:
    """Deletes."""

    def __init__(self, writer: Writer, clock: Clock) -> None:
        self._writer = writer
        self._clock = clock

    async def sweep(self, ended_before: datetime, flows_max: int = SWEEP_FLOWS_MAX) -> int:
        """Delete flows that ended before an instant, the oldest first, with all that belongs to them.

        Returns:
            How many; `flows_max` where there may be more.
        """
        due = select(FLOWS.c.flow_run_id).where(FLOWS.c.end_time < micros_of(ended_before))

        def swept(connection: Connection) -> int:
            found = connection.scalars(due.order_by(FLOWS.c.end_time).limit(flows_max)).all()
            self._delete_flows(connection, found)
            if found:
                # A conversation of which no flow is left is no more, and neither is what was remembered of it.
                of_it = (FLOWS.c.tenant == SESSIONS.c.tenant) & (FLOWS.c.session_id == SESSIONS.c.session_id)
                connection.execute(delete(SESSIONS).where(~select(FLOWS.c.flow_run_id).where(of_it).exists()))
            return len(found)

        return await self._writer.transact(swept)

    async def delete_session(self, caller: Caller, session_id: str) -> int:
        """Delete a conversation of the caller with all its flows, those that run included.

        Returns:
            How many flows it had; 0 also where the caller has no such conversation.
        """
        mine = (SESSIONS.c.tenant == caller.tenant) & (SESSIONS.c.user_id == caller.user_id)
        flows = select(FLOWS.c.flow_run_id).where(
            FLOWS.c.tenant == caller.tenant,
            FLOWS.c.user_id == caller.user_id,
            FLOWS.c.session_id == session_id,
        )

        def deleted(connection: Connection) -> int:
            found = connection.scalars(flows).all()
            self._delete_flows(connection, found)
            connection.execute(delete(SESSIONS).where(mine, SESSIONS.c.session_id == session_id))
            return len(found)

        return await self._writer.transact(deleted)

    def _delete_flows(self, connection: Connection, flow_run_ids: Sequence[str]) -> None:
        """Delete flows and what belongs to them; what quotas count of them stays for as long as they do."""
        counts = first_id(self._clock() - DAY)
        connection.execute(delete(DELETED_FLOWS).where(DELETED_FLOWS.c.flow_run_id < counts))
        for begin in range(0, len(flow_run_ids), SWEEP_FLOWS_MAX):
            some = flow_run_ids[begin : begin + SWEEP_FLOWS_MAX]
            for table in _CHILDREN:
                connection.execute(delete(table).where(table.c.flow_run_id.in_(some)))
            # What really was there is told: of two that delete the same, the second finds nothing to count.
            gone = delete(FLOWS).where(FLOWS.c.flow_run_id.in_(some))
            rows = connection.execute(gone.returning(FLOWS.c.flow_run_id, FLOWS.c.tenant, FLOWS.c.tokens)).mappings()
            if counted := [dict(row) for row in rows if row["flow_run_id"] >= counts]:
                connection.execute(insert(DELETED_FLOWS), counted)
