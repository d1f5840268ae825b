"""What tenants have begun, counted where every replica writes it down: a quota holds for all of them together.

Two questions that are begun at one moment may both be the last that is granted: a quota bounds what is spent, and is
no lock.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, Table, case, func, literal, select
from sqlalchemy.ext.asyncio import AsyncEngine

from services.durable.schema import DELETED_FLOWS, FLOWS
from services.runtime.clock import Clock
from services.runtime.errors import QuotaSpent
from services.runtime.tenants import Tenant

MINUTE: Final = timedelta(minutes=1)
DAY: Final = timedelta(days=1)
AGAIN_SECONDS: Final = {
    "flows_max": 5.0,
    "questions_a_minute": 60.0,
    "questions_a_day": 3_600.0,
    "tokens_a_day": 3_600.0,
}
"""When whoever has spent a quota is told to come again, by its name."""


class Quotas:
    """Holds tenants to what they are granted.

    Args:
        reader: The connections of the flow store.
        clock: The present instant.
    """

    def __init__(self, reader: AsyncEngine, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def check(self, name: str, granted: Tenant) -> None:
        """Let a tenant begin one more question.

        Raises:
            QuotaSpent: It has begun as many as it is granted; names the quota.
        """
        if not granted.has_quota:
            return
        now = self._clock()
        there = _counted(FLOWS, func.sum(case((FLOWS.c.end_time.is_(None), 1), else_=0)), name, now)
        deleted = _counted(DELETED_FLOWS, literal(0), name, now)
        async with self._reader.connect() as connection:
            counts = [(await connection.execute(counted)).one() for counted in (there, deleted)]
        for quota, spent_of in zip(AGAIN_SECONDS, zip(*counts, strict=True), strict=True):
            most = getattr(granted, quota)
            if most is not None and sum(one or 0 for one in spent_of) >= most:
                spent = QuotaSpent(f"{quota}: {most} are granted", metadata={"limit": quota, "value": str(most)})
                spent.retry_seconds = AGAIN_SECONDS[quota]
                raise spent


def _counted(flows: Table, running: ColumnElement[int], name: str, now: datetime) -> Select[int, Any, int, Any]:
    """Return what counts of a tenant's flows of a day, in the order of AGAIN_SECONDS; sums of no rows are None."""
    lately = case((flows.c.flow_run_id >= first_id(now - MINUTE), 1), else_=0)
    counts = select(running, func.sum(lately), func.count(), func.sum(flows.c.tokens))
    return counts.where(flows.c.tenant == name, flows.c.flow_run_id >= first_id(now - DAY))


def first_id(moment: datetime) -> str:
    """Return what no id of a flow that began at a moment or later is below: such ids begin with their time."""
    digits = f"{int(moment.timestamp() * 1000):012x}"
    return f"{digits[:8]}-{digits[8:]}"
