"""How fast questions come and are answered: what the door decides by, learnt from the machine as it runs.

Two figures say what a machine can carry, whatever its size and whatever its questions cost: the most that it has
answered in a second lately, and how long an answer takes while nothing else runs. Their product is the number of flows
that keep it busy with none of them waiting for another (Little's law; BBR drives a network path by the same two).
"""

from __future__ import annotations

from collections import deque
from math import exp
from os import cpu_count
from statistics import median
from typing import Final

WINDOW_SECONDS: Final = 0.5
"""Over how long arrivals are counted together."""
BUCKET_SECONDS: Final = 1.0
"""The shortest time over which answers a second are taken."""
BUCKET_SECONDS_MAX: Final = 5.0
"""The longest, where answers are few."""
BUCKET_ANSWERS: Final = 8
"""So many answers make a figure."""
PACE_SECONDS: Final = 60.0
"""How long the best pace is remembered."""
ALONE_SECONDS: Final = 600.0
"""How long it is remembered what an answer takes alone."""
ALONE_ANSWERS: Final = 31
"""Of so many of them the middle one counts: a first question, which loads what it needs, says little."""
ANSWERS_UNKNOWN: Final = 16.0 * (cpu_count() or 1)
"""Answers a second that are taken for possible until some have been counted."""


class Rate:
    """Counts what came lately: each arrival counts 1, and less with every moment since."""

    __slots__ = ("_at", "_value")

    def __init__(self) -> None:
        self._at = self._value = 0.0

    def add(self, now: float) -> None:
        """Count one more."""
        self._value = self.of(now) + 1.0
        self._at = now

    def of(self, now: float) -> float:
        """Returns the count; something that comes n times a second stands at n times WINDOW_SECONDS."""
        return self._value * exp((self._at - now) / WINDOW_SECONDS) if self._value else 0.0


class Pace:
    """What the machine has shown that it can do."""

    def __init__(self) -> None:
        self._bests: deque[tuple[float, float]] = deque()
        self._bucket_began: float | None = None
        self._bucket = 0
        self._alone: deque[float] = deque(maxlen=ALONE_ANSWERS)
        self._alone_at = -ALONE_SECONDS
        self._usual = 0.0
        self._lately = 0.0

    def answered(self, seconds: float, now: float, *, alone: bool) -> None:
        """Take in that a flow has been answered, and whether it began with no other beside it."""
        self._count(now)
        self._lately += (seconds - self._lately) / 8 if self._lately else seconds
        self._usual += (seconds - self._usual) / 64 if self._usual else seconds
        if alone:
            self._alone.append(seconds)
            self._alone_at = now

    def answers_a_second(self, now: float) -> float:
        """Returns the most that was answered in a second lately."""
        while self._bests and self._bests[0][0] < now - PACE_SECONDS:
            self._bests.popleft()
        return self._bests[0][1] if self._bests else ANSWERS_UNKNOWN

    def unhurried_seconds(self, now: float) -> float:
        """Returns how long an answer takes where nothing is in its way; 0 where no answer was heard yet."""
        if self._alone and now - self._alone_at <= ALONE_SECONDS:
            return median(self._alone)
        return self._usual

    def slowdown(self, now: float) -> float:
        """Returns how many times as long as unhurried ones answers take now."""
        unhurried = self.unhurried_seconds(now)
        return self._lately / unhurried if unhurried else 1.0

    def _count(self, now: float) -> None:
        if self._bucket_began is None or now - self._bucket_began > 2 * BUCKET_SECONDS_MAX:
            # A long pause says nothing of what the machine can do.
            self._bucket_began, self._bucket = now, 0
            return
        self._bucket += 1
        lasted = now - self._bucket_began
        if lasted < BUCKET_SECONDS or (self._bucket < BUCKET_ANSWERS and lasted < BUCKET_SECONDS_MAX):
            return
        pace = self._bucket / lasted
        # Those before it that are no better will never be the best again.
        while self._bests and self._bests[-1][1] <= pace:
            self._bests.pop()
        self._bests.append((now, pace))
        self._bucket_began, self._bucket = now, 0
