"""Who drives which flow: a lease on the flow's row that one replica holds, renews, hands over or lets run out.

free or run out ──take──► held ──renew──► held ──release──► free
                           └─ not renewed in time ─► run out: another replica takes it under a higher token

Taking is a compare-and-set on the token, so of two replicas one gets it. The clocks of the replicas decide only when a
lease may be taken; that an old driver writes nothing afterwards is decided by the token in the condition of its writes.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final
from uuid import uuid4

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Connection,
    Integer,
    String,
    and_,
    bindparam,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncEngine

from services.durable.instants import micros_of
from services.durable.schema import FLOWS
from services.durable.writer import Lease, Writer
from services.runtime.clock import Clock


class Leases:
    """The leases of one replica.

    Args:
        writer: Writes them.
        reader: Reads them.
        clock: When they run out.
        seconds: How long one holds without being renewed.
    """

    def __init__(self, writer: Writer, reader: AsyncEngine, clock: Clock, seconds: float) -> None:
        self.owner = uuid4().hex
        """This replica, in this run of its process."""
        self.seconds = seconds
        self._writer = writer
        self._reader = reader
        self._clock = clock

    def until(self) -> int:
        """Return when a lease taken or renewed now runs out, in microseconds."""
        return micros_of(self._clock() + timedelta(seconds=self.seconds))

    async def take(self, flows_max: int) -> tuple[Lease, ...]:
        """Take flows that have not ended and that nobody drives, those first that have waited longest."""
        now, until = micros_of(self._clock()), self.until()
        async with self._reader.connect() as reading:
            found = (await reading.execute(_FREE, {"now": now, "flows_max": flows_max})).all()
        if not found:
            return ()

        def taken(connection: Connection) -> tuple[Lease, ...]:
            return tuple(
                Lease(row.flow_run_id, row.lease_token + 1)
                for row in found
                if connection.execute(
                    update(FLOWS)
                    .where(
                        FLOWS.c.flow_run_id == row.flow_run_id,
                        FLOWS.c.lease_token == row.lease_token,
                        FLOWS.c.end_time.is_(None),
                        FLOWS.c.lease_expire_time <= now,
                    )
                    .values(lease_owner=self.owner, lease_token=row.lease_token + 1, lease_expire_time=until)
                ).rowcount
                == 1
            )

        return await self._writer.transact(taken)

    async def renew(self) -> Mapping[str, int]:
        """Renew every lease that this replica holds, and return them: tokens by flow."""
        until, mine = self.until(), _held_by(self.owner)

        def renewed(connection: Connection) -> dict[str, int]:
            connection.execute(update(FLOWS).where(mine).values(lease_expire_time=until))
            held = connection.execute(select(FLOWS.c.flow_run_id, FLOWS.c.lease_token).where(mine))
            return {row.flow_run_id: row.lease_token for row in held}

        return await self._writer.transact(renewed)

    async def release(self, lease: Lease) -> None:
        """Hand a flow over: whoever looks next may take it, and work that was left behind here writes nothing more."""
        released = (
            update(FLOWS)
            .where(FLOWS.c.flow_run_id == lease.flow_run_id, FLOWS.c.lease_token == lease.token)
            .values(lease_owner="", lease_token=lease.token + 1, lease_expire_time=0)
        )
        await self._writer.transact(lambda connection: connection.execute(released).rowcount)

    async def cancellations(self) -> Mapping[str, str]:
        """Return why flows that this replica drives are to be cancelled, by flow."""
        async with self._reader.connect() as connection:
            rows = await connection.execute(_CANCELLED, {"owner": self.owner})
            return {row.flow_run_id: row.cancel_reason for row in rows}


def _held_by(owner: str | BindParameter[str]) -> ColumnElement[bool]:
    return and_(FLOWS.c.end_time.is_(None), FLOWS.c.lease_owner == owner)


# Asked several times a second: a statement costs more to build than to run.
_CANCELLED: Final = select(FLOWS.c.flow_run_id, FLOWS.c.cancel_reason).where(
    _held_by(bindparam("owner", type_=String)), FLOWS.c.cancel_reason != ""
)
_FREE: Final = (
    select(FLOWS.c.flow_run_id, FLOWS.c.lease_token)
    .where(FLOWS.c.end_time.is_(None), FLOWS.c.lease_expire_time <= bindparam("now", type_=BigInteger))
    .order_by(FLOWS.c.lease_expire_time)
    .limit(bindparam("flows_max", type_=Integer))
)
