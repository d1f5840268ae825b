"""The door: with more questions than the machine answers, those that are taken keep their pace, the others hear so.

    calm        whatever comes is taken: a few at once, a restart's backlog
    crowded     more come together than are answered in time, or far too fast, or answers have slowed down and keep so:
                no more run than keep the machine busy, and the rest are refused at once, with a time to come again

How many come together in calm, and how many run in a crowd, follows from what the machine has shown (pace.py), not from
a setting. In a crowd a tenant that asks within its share is taken whatever the others do.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from os import cpu_count
from time import monotonic
from typing import Final

from gateway.pace import MOMENT_SECONDS, WINDOW_SECONDS, Pace, Rate
from hapju.flow.v1 import flow_event_pb2
from services.runtime.errors import Overloaded

CROWD_UNKNOWN: Final = 16
"""So many questions at once are no crowd where the machine's capacity is not known."""
CROWD_PACES: Final = 2.0
"""There, questions at so many times the best pace of answers are one."""
TOGETHER_SECONDS: Final = 0.6
"""Where it is known, as many as are answered within the time of a long unhurried answer and this time more are none:
for the chance of many at once, and of a minute's answers too few to count."""
TOGETHER_MIN: Final = 8.0
"""So many are none on any machine: where a few people wait for a slow model or a lost service, what is answered in a
second says how much was asked, and would be taken for all that the machine can do."""
RUSH: Final = 3.0
"""Where they come at so many times its capacity, that is seen at once: each of those that begin together takes as long
as all of them."""
RUSH_MIN: Final = 4
"""So many within a moment, with as many running, are a rush where they come as fast; fewer are none on any machine."""
SLOWED: Final = 3.0
"""Answers that take so many times as long as unhurried ones have slowed down."""
SLOWED_SECONDS_MAX: Final = 10.0
"""How long they may, with more than a few running, until that counts as a crowd however few come."""
RUNNING_MOST: Final = 128
"""With so many running, slow answers are a crowd at once."""
WORKED_OFF: Final = 0.75
"""The time counts anew where no more run than this share of the most that did."""
ROOM: Final = 1.5
"""Flows that run in a crowd, as a multiple of those that just keep the machine busy: a little more, so that it never
waits for one; each takes longer by as much."""
SLOWED_SECONDS_KEPT: Final = 4.0
"""Behind such a crowd there is calm when nobody had to be refused for so long."""
KEPT_PACE: Final = 2.0
"""Answers in a crowd take no more than so many times as long as unhurried ones; there is less room where they do."""
ROOM_MIN: Final = cpu_count() or 1
"""Flows that always run."""
ROOM_UNKNOWN: Final = 4 * ROOM_MIN
"""Flows that run in a crowd until the first answers have told more."""
UNLIKELY: Final = 3.0 * ROOM_MIN
"""Where no more than those run, answers cannot have slowed down so much: what they take alone has changed."""
TENANT_BURST: Final = 2.0
"""Questions of one tenant at once that are within any share."""
AGAIN_SECONDS: Final = (1.0, 10.0)
"""The shortest and the longest time after which who is refused is told to come again."""
KEPT_SECONDS_UNKNOWN: Final = 1.0
"""How long room is kept for a flow behind its call until the first answers have told more."""
_KEPT_MAX: Final = 4_096
ENDS: Final = frozenset({"finished", "failed", "cancelled", "question_asked"})
_TENANTS_MAX: Final = 1_024
_ACTIVE: Final = 0.05
_COUNTED_SECONDS: Final = 0.1


@dataclass(slots=True)
class _Tenant:
    running: int = 0
    came: Rate = field(default_factory=Rate)


class Inside:
    """One flow that was taken; the door is told of its way by what its client hears.

    Attributes:
        tells: True while what is heard of it may say something of the pace.
    """

    def __init__(self, door: Door, tenant: _Tenant, *, alone: bool, afresh: bool = False) -> None:
        self._door = door
        self._tenant = tenant
        self._alone, self._afresh = alone, afresh
        self._began = door.clock()
        self.tells = self._runs = True
        tenant.running += 1
        door.running += 1
        door.began += self._began

    def heard(self, events: Sequence[flow_event_pb2.FlowEvent]) -> None:
        """Take in what the client hears.

        A flow that waits for a person takes no room; neither it nor one that is told again says anything of the pace.
        """
        for event in events if self.tells else ():
            name = event.WhichOneof("event")
            if name == "finished":
                now = self._door.clock()
                self._door.pace.answered(now - self._began, now, alone=self._alone, afresh=self._afresh)
            if name in ENDS or (name == "accepted" and event.accepted.replayed):
                self.tells = False
                self.leave()

    def goes_on(self, flow_run_id: str) -> None:
        """Keep room for the flow behind its call; nobody may hear it, so it is taken to last as long as others do."""
        self._door.keep(flow_run_id, Inside(self._door, self._tenant, alone=self._alone))

    def leave(self) -> None:
        """Give the flow's room to another."""
        if self._runs:
            self._runs = False
            self._tenant.running -= 1
            self._door.running -= 1
            self._door.began -= self._began
            self._door.more.add(self._door.clock(), -1.0)


class Door:
    """Takes questions in or refuses them.

    Args:
        clock: Seconds that never go back.

    Attributes:
        running: How many flows are inside.
        began: When they began, summed up.
        pace: What the machine can do.
        more: How many more came than left just now: who asks again when he is answered adds nothing.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self.running = 0
        self.began = 0.0
        self.pace = Pace()
        self._came = Rate()
        self.more = Rate(MOMENT_SECONDS)
        self._tenants: dict[str, _Tenant] = {}
        self._kept: dict[str, Inside] = {}
        self._slow_since, self._slow_until = inf, -inf
        self._slow_most = 0
        self._is_crowd = False
        self._active, self._active_at = 0, 0.0

    def refusal(self, tenant: str) -> Overloaded | None:
        """Count a question of a tenant, and return why it is not taken, with when to come again; None where it is."""
        now, asking = self.clock(), self._of(tenant)
        self._came.add(now)
        self.more.add(now)
        asking.came.add(now)
        if not self.is_crowded(now) or self._has_room(asking, now):
            return None
        if now < self._slow_until:
            self._slow_until = now + SLOWED_SECONDS_KEPT
        return self._refusal(now)

    def enter(self, tenant: str) -> Inside:
        """Return the room for a flow of a tenant whose question is taken, which has to be left."""
        now, asking = self.clock(), self._of(tenant)
        if self.running and self.running < ROOM_MIN and self.pace.slowdown(now) > UNLIKELY:
            return Inside(self, asking, alone=True, afresh=True)
        return Inside(self, asking, alone=not self.running)

    def keep(self, flow_run_id: str, inside: Inside) -> None:
        """Keep room for a flow as long as flows take; whoever watches it tells its way."""
        seconds = self.pace.unhurried_seconds(self.clock()) * ROOM or KEPT_SECONDS_UNKNOWN
        asyncio.get_running_loop().call_later(seconds, inside.leave)
        if len(self._kept) >= _KEPT_MAX:
            del self._kept[next(iter(self._kept))]
        self._kept[flow_run_id] = inside

    def heard(self, flow_run_id: str, events: Sequence[flow_event_pb2.FlowEvent]) -> None:
        """Take in what a watcher hears of a flow that goes on behind its call."""
        inside = self._kept.get(flow_run_id)
        if inside is not None:
            inside.heard(events)
            if not inside.tells:
                self._kept.pop(flow_run_id, None)

    def is_crowded(self, now: float) -> bool:
        """Return whether more is asked than can be answered."""
        came = self._came.of(now)
        together = self.together(now)
        few = together if self.pace.capacity() else CROWD_UNKNOWN
        slowed_for = self._slowed_for(now, few)
        if slowed_for and (came > few or slowed_for >= SLOWED_SECONDS_MAX or self.running > RUNNING_MOST):
            self._slow_until = now + SLOWED_SECONDS_KEPT
        # A few who ask again as soon as they are answered come together now and then, and are no crowd.
        goes_on = came > together and (self._is_crowd or self.running >= TOGETHER_MIN)
        self._is_crowd = goes_on or self._is_rush(now)
        return now < self._slow_until or self._is_crowd

    def _is_rush(self, now: float) -> bool:
        """Return whether a few are running, and more come many times too fast."""
        capacity, more = self.pace.capacity(), self.more.of(now)
        few = RUSH_MIN if more > RUSH_MIN else TOGETHER_MIN
        return 0 < capacity < more / (RUSH * MOMENT_SECONDS) and self.running >= few

    def together(self, now: float) -> float:
        """Return how many may come at once without being a crowd."""
        capacity = self.pace.capacity()
        if not capacity:
            return max(CROWD_UNKNOWN, CROWD_PACES * self.pace.answers_a_second(now) * WINDOW_SECONDS)
        return max(TOGETHER_MIN, capacity * (self.pace.unhurried_seconds_most(now) + TOGETHER_SECONDS))

    def room(self, now: float) -> float:
        """Return how many flows run in a crowd."""
        unhurried, capacity = self.pace.unhurried_seconds(now), self.pace.capacity()
        if not capacity:
            return max(ROOM_UNKNOWN, round(self.pace.answers_a_second(now) * unhurried * CROWD_PACES))
        kept = min(1.0, KEPT_PACE / max(self.pace.slowdown_most(now), 1e-9))
        return max(ROOM_MIN, capacity * unhurried * ROOM * kept)

    def _is_under_way(self, room: float, now: float) -> bool:
        """Return whether what runs is as far as it usually is with so many: half done, and no less.

        Those that begin together end together, each as late as all of them; another one beside them is slower still.
        """
        each = self.pace.lately
        if self.running < ROOM_MIN or not (self.pace.capacity() and each):
            return True
        done = min((self.running * now - self.began) / each, float(self.running))
        return self.running - done <= (room - 1.0) / 2.0

    def _slowed_for(self, now: float, few: float) -> float:
        """Return for how many seconds more than a few have run and been slow; 0 where it is not so."""
        age = now - self.began / self.running if self.running else 0.0
        if self.running <= few or self.pace.slowdown(now, age) <= SLOWED:
            self._slow_since, self._slow_most = inf, 0
            return 0.0
        self._slow_most = max(self._slow_most, self.running)
        if self.running < WORKED_OFF * self._slow_most:
            # What has come together, behind a restart for one, is being worked off.
            self._slow_since, self._slow_most = inf, self.running
        self._slow_since = min(self._slow_since, now)
        return max(now - self._slow_since, 1e-9)

    def _has_room(self, asking: _Tenant, now: float) -> bool:
        room = self.room(now)
        if self.running < room and self._is_under_way(room, now):
            return True
        own = asking.came.of(now)
        if self._came.of(now) - own <= _ACTIVE:
            # Nobody else asks: the crowd is this tenant's.
            return False
        active = self._active_tenants(now)
        share = max(TENANT_BURST, self.pace.answers_a_second(now) * WINDOW_SECONDS / active)
        return own <= share or asking.running < max(1, int(room) // active)

    def _active_tenants(self, now: float) -> int:
        # Counted now and then, for a crowd asks often.
        if now - self._active_at >= _COUNTED_SECONDS:
            self._active_at = now
            self._active = sum(one.running > 0 or one.came.of(now) > _ACTIVE for one in self._tenants.values())
        return max(2, self._active)

    def _refusal(self, now: float) -> Overloaded:
        shortest, longest = AGAIN_SECONDS
        seconds = min(longest, max(shortest, self.running / self.pace.answers_a_second(now)))
        # Spread, so that those who are refused together do not come again together.
        again = round(seconds * random.uniform(1.0, 1.5), 3)  # noqa: S311 - no secret
        refused = Overloaded(
            "more is asked than can be answered now", metadata={"limit": "flows", "value": str(self.running)}
        )
        refused.retry_seconds = again
        return refused

    def _of(self, tenant: str) -> _Tenant:
        found = self._tenants.get(tenant)
        if found is None:
            if len(self._tenants) >= _TENANTS_MAX:
                now = self.clock()
                self._tenants = {
                    name: one for name, one in self._tenants.items() if one.running or one.came.of(now) > _ACTIVE
                }
            found = self._tenants[tenant] = _Tenant()
        return found
