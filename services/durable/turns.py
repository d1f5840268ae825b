"""One writer a conversation: of its flows one holds it, and the others come in the order in which they began.

    begins ─ nobody holds it ─► holds ─► ended: free
       └ somebody does ─► REJECT: refused · QUEUE: waits · INTERRUPT: those before it are cancelled, and it waits

The unique index over (tenant, holds_session) decides; flow ids are UUIDv7, so that a lower one began earlier.
"""

from sqlalchemy import ColumnElement, Connection, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from services.durable.schema import FLOWS
from services.durable.writer import Lease, Writer
from services.runtime.identity import Caller
from services.runtime.streams import Superseded


class Turns:
    """The turns of all conversations."""

    def __init__(self, writer: Writer, reader: AsyncEngine) -> None:
        self._writer = writer
        self._reader = reader

    async def take(self, lease: Lease, caller: Caller, session_id: str) -> bool:
        """Take the conversation for a flow, unless one that began before it has not ended; True where it holds it.

        Raises:
            Superseded: Another replica drives the flow, or it has ended.
        """
        mine = (FLOWS.c.flow_run_id == lease.flow_run_id) & (FLOWS.c.lease_token == lease.token)
        taking = update(FLOWS).where(mine, FLOWS.c.end_time.is_(None)).values(holds_session=session_id)
        before = select(FLOWS.c.flow_run_id).where(_before(caller, session_id, lease.flow_run_id)).limit(1)

        def taken(connection: Connection) -> bool:
            if connection.scalar(before) is not None:
                return False
            if connection.execute(taking).rowcount != 1:
                raise Superseded(f"flow {lease.flow_run_id} has another driver or has ended")
            return True

        try:
            return await self._writer.transact(taken)
        except IntegrityError:
            # A later flow found the conversation free before this one had been written down.
            return False

    async def before(self, caller: Caller, session_id: str, flow_run_id: str) -> tuple[str, ...]:
        """Return the flows of a conversation that began before one and have not ended."""
        wanted = select(FLOWS.c.flow_run_id).where(_before(caller, session_id, flow_run_id))
        async with self._reader.connect() as connection:
            return tuple(await connection.scalars(wanted.order_by(FLOWS.c.flow_run_id)))


def _before(caller: Caller, session_id: str, flow_run_id: str) -> ColumnElement[bool]:
    return (
        (FLOWS.c.tenant == caller.tenant)
        & (FLOWS.c.user_id == caller.user_id)
        & (FLOWS.c.session_id == session_id)
        & (FLOWS.c.flow_run_id < flow_run_id)
        & FLOWS.c.end_time.is_(None)
    )
