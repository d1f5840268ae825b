"""What a replica does beside its flows: it keeps its leases, hears what other replicas were told, and takes over.

every LOOK_SECONDS    cancellations and answers that were given at another replica are handed to the flows driven here
every BEAT            leases are renewed, and flows whose lease has gone to another replica are let go
every TAKE_SECONDS    flows that nobody drives are taken and gone on with
every SWEEP_SECONDS   a bounded number of flows that ended long ago are deleted
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Final

import structlog

from services.durable.store import FlowStore
from services.orchestrator.driving import Driving
from services.orchestrator.supervision import SUPERSEDED
from services.runtime.clock import Clock
from services.runtime.errors import Unavailable

LOOK_SECONDS: Final = 0.25
"""The longest that an answer or a cancellation from another replica is on its way."""
TAKE_SECONDS: Final = 1.0
"""The longest that a flow that was handed over waits for its next driver."""
TAKEN_AT_ONCE_MAX: Final = 20
"""How many flows are taken over at a time, so that a replica that comes back is not drowned."""
SWEEP_SECONDS: Final = 600.0
"""How often flows that ended long ago are deleted."""
AWAY_SECONDS: Final = 2.0
"""How often a database that is away at the start is looked for."""
KEPT_DAYS: Final = 90
"""How long a flow is kept after its end."""
_BEATS: Final = 4

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Duty:
    seconds: float
    work: Callable[[], Awaitable[None]]
    due: float = 0.0


class Caretaker:
    """Looks after one replica's flows until it is stopped.

    Args:
        driving: Drives them.
        store: Where they are kept.
        clock: The present instant.
    """

    def __init__(self, driving: Driving, store: FlowStore, clock: Clock) -> None:
        self._driving = driving
        self._store = store
        self._clock = clock
        beat = store.leases.seconds / _BEATS
        self._duties = (
            _Duty(beat, self.renew),
            _Duty(LOOK_SECONDS, self.hear),
            _Duty(min(TAKE_SECONDS, beat), self.take),
            _Duty(SWEEP_SECONDS, self.sweep, monotonic() + SWEEP_SECONDS),
        )
        self._pace = min(LOOK_SECONDS, beat)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin, with the store's schema of this version; a database that is away is waited for beside all else."""
        is_up = await self._is_up()
        self._task = asyncio.create_task(self._run(is_up=is_up), name="caretaker")

    async def stop(self) -> None:
        """End, and return when nothing is under way any more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _run(self, *, is_up: bool) -> None:
        while not is_up:
            await asyncio.sleep(AWAY_SECONDS)
            is_up = await self._is_up()
        while True:
            for duty in self._duties:
                if duty.due <= monotonic():
                    await self._do(duty)
            await asyncio.sleep(self._pace)

    async def _is_up(self) -> bool:
        try:
            await self._store.migrate()
        except Unavailable as away:
            # The driver's words name host and user; no password stands in them.
            why = str(getattr(away.__cause__, "orig", "")).partition("\n")[0]
            _log.warning("HAPJU_STORE_URL: the database is away; waiting for it", why=why)
            return False
        return True

    async def _do(self, duty: _Duty) -> None:
        try:
            await duty.work()
        except Exception:  # noqa: BLE001 - see below
            # A database that is away comes back; what was not done is due again.
            _log.exception("the caretaker could not do its duty", duty=duty.work.__name__)
        duty.due = monotonic() + duty.seconds

    async def renew(self) -> None:
        """Renew the leases, and let go of flows that another replica has taken."""
        before = self._driving.driven
        if not before:
            return
        held = await self._store.leases.renew()
        for running in before:
            lease = running.lease
            if held.get(lease.flow_run_id) != lease.token and not running.ended.is_set():
                running.cancel(SUPERSEDED)

    async def hear(self) -> None:
        """Hand over what was said at other replicas."""
        driven = {running.state.flow_run_id: running for running in self._driving.driven}
        if not driven:
            return
        for flow_run_id, reason in (await self._store.leases.cancellations()).items():
            if flow_run_id in driven:
                driven[flow_run_id].cancel(reason)
        desks = {found: running.state.desk for running in driven.values() for found in running.state.desk.question_ids}
        if desks:
            for question_id, settlement in (await self._store.questions.settlements(desks)).items():
                desks[question_id].hear(question_id, settlement)

    async def take(self) -> None:
        """Take flows over that nobody drives, as many as there are places for."""
        places = min(self._driving.places, TAKEN_AT_ONCE_MAX)
        if places <= 0:
            return
        for lease in await self._store.leases.take(places):
            try:
                await self._driving.resume(lease)
            except Exception:  # noqa: BLE001 - the next one is not to suffer from it
                _log.exception("a flow could not be gone on with", flow_run_id=lease.flow_run_id)
                # Its lease runs out by itself: it is tried again, here or elsewhere, and not at once.

    async def sweep(self) -> None:
        """Delete flows that ended long ago."""
        deleted = await self._store.retention.sweep(self._clock() - timedelta(days=KEPT_DAYS))
        if deleted:
            _log.info("old flows deleted", flows=deleted)
