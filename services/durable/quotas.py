"""What tenants have begun, counted where every replica writes it down: a quota holds for all of them together.

Two questions that are begun at one moment may both be the last that is granted: a quota bounds what is spent, and is
no lock.
"""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import case, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from services.durable.schema import FLOWS
from services.runtime.clock import Clock
from services.runtime.errors import QuotaSpent
from services.runtime.tenants import Tenant

MINUTE: Final = timedelta(minutes=1)
DAY: Final = timedelta(days=1)
AGAIN_SECONDS: Final = {"flows_max": 5.0, "questions_a_minute": 60.0, "questions_a_day": 3_600.0}
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
        lately = case((FLOWS.c.flow_run_id >= first_id(now - MINUTE), 1), else_=0)
        running = case((FLOWS.c.end_time.is_(None), 1), else_=0)
        counts = select(func.coalesce(func.sum(running), 0), func.coalesce(func.sum(lately), 0), func.count())
        of_a_day = counts.where(FLOWS.c.tenant == name, FLOWS.c.flow_run_id >= first_id(now - DAY))
        async with self._reader.connect() as connection:
            begun = dict(zip(AGAIN_SECONDS, (await connection.execute(of_a_day)).one(), strict=True))
        for quota, count in begun.items():
            most = getattr(granted, quota)
            if most is not None and count >= most:
                spent = QuotaSpent(f"{quota}: {most} are granted", metadata={"limit": quota, "value": str(most)})
                spent.retry_seconds = AGAIN_SECONDS[quota]
                raise spent


def first_id(moment: datetime) -> str:
    """Return what no id of a flow that began at a moment or later is below: such ids begin with their time."""
    digits = f"{int(moment.timestamp() * 1000):012x}"
    return f"{digits[:8]}-{digits[8:]}"
