"""How fast questions come and are answered: what the door decides by, learnt from the machine as it runs.

Two figures say what a machine can carry, whatever its size and whatever its questions cost: how many it answers in a
second when it is pushed, and how long an answer takes while nothing else runs. Their product is the number of flows
that keep it busy with none of them waiting for another (Little's law; BBR drives a network path by the same two).

A machine is pushed where answers take visibly longer than alone. What it answers while it is not says only that it can
do as much, never that it could not do more: until it was pushed once, its capacity is unknown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from math import exp
from os import cpu_count
from statistics import quantiles
from typing import Final

WINDOW_SECONDS: Final = 0.5
"""Over how long arrivals are counted together."""
MOMENT_SECONDS: Final = 0.1
"""And where it has to be seen at once that they come far too fast."""
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
"""So many of them are remembered, and as many of the latest of all."""
ENOUGH_ANSWERS: Final = ALONE_ANSWERS // 2
"""So many tell how long the longest take."""
PUSHED: Final = 1.4
"""A machine whose answers take so many times as long as unhurried ones, with so many at once, does what it can."""
PUSHED_BUCKETS: Final = 12
"""So many figures of a pushed machine make its capacity: their upper quartile."""
STOOD_STILL: Final = 0.5
"""One that answered nothing for so much of the time waited for something: that says nothing of what it can do."""
AT_EASE: Final = 1.2
"""One whose answers take less than so many times as long could do more."""
DOUBTFUL: Final = 3.0
"""So many times what was remembered is far longer."""
ANSWERS_UNKNOWN: Final = 16.0 * (cpu_count() or 1)
"""Answers a second that are taken for possible until some have been counted."""


class Rate:
    """Counts what came lately: each arrival counts 1, and less with every moment since.

    Args:
        seconds: Over how long; something that comes n times a second stands at n times as much.
    """

    __slots__ = ("_at", "_seconds", "_value")

    def __init__(self, seconds: float = WINDOW_SECONDS) -> None:
        self._at = self._value = 0.0
        self._seconds = seconds

    def add(self, now: float, count: float = 1.0) -> None:
        """Count one more, or so many."""
        self._value = self.of(now) + count
        self._at = now

    def of(self, now: float) -> float:
        """Return the count."""
        return self._value * exp((self._at - now) / self._seconds) if self._value else 0.0


class Pace:
    """What the machine has shown that it can do."""

    def __init__(self) -> None:
        self._bests: deque[tuple[float, float]] = deque()
        self._bucket_began: float | None = None
        self._bucket = 0
        self._bucket_seconds = self._bucket_pause = self._answered_at = 0.0
        self._pushed: deque[float] = deque(maxlen=PUSHED_BUCKETS)
        self._capacity = 0.0
        self._alone: deque[float] = deque(maxlen=ALONE_ANSWERS)
        self._alone_at = -ALONE_SECONDS
        self._alone_usual = self._alone_most = 0.0
        self._usual = 0.0
        self.lately = 0.0
        self._latest: deque[float] = deque(maxlen=ALONE_ANSWERS)
        self._latest_most = 0.0

    def answered(self, seconds: float, now: float, *, alone: bool, afresh: bool = False) -> None:
        """Take in that a flow has been answered.

        Args:
            seconds: How long it took.
            now: The present moment.
            alone: Whether it had nothing in its way.
            afresh: Whether what is remembered of such answers is in doubt; where this one takes far longer, it goes.
        """
        self._count(seconds, now)
        self._latest.append(seconds)
        self._latest_most = _most_of(self._latest)
        self.lately += (seconds - self.lately) / 8 if self.lately else seconds
        self._usual += (seconds - self._usual) / 64 if self._usual else seconds
        if not alone:
            return
        if afresh and seconds > DOUBTFUL * self.unhurried_seconds(now):
            self._alone.clear()
        self._alone.append(seconds)
        self._alone_at = now
        # A first question, which loads what it needs, says little.
        usual = sorted(self._alone)[: max(1, len(self._alone) - 1)]
        self._alone_usual, self._alone_most = sum(usual) / len(usual), _most_of(self._alone)

    def answers_a_second(self, now: float) -> float:
        """Return the most that was answered in a second lately."""
        while self._bests and self._bests[0][0] < now - PACE_SECONDS:
            self._bests.popleft()
        return self._bests[0][1] if self._bests else ANSWERS_UNKNOWN

    def capacity(self) -> float:
        """Return how many are answered in a second when the machine is pushed; 0 where it has never been."""
        return self._capacity

    def unhurried_seconds(self, now: float) -> float:
        """Return how long an answer takes where nothing is in its way; 0 where no answer was heard yet."""
        return self._alone_usual if self._alone and now - self._alone_at <= ALONE_SECONDS else self._usual

    def unhurried_seconds_most(self, now: float) -> float:
        """Return how long nine of ten answers take at most where nothing is in their way."""
        if len(self._alone) >= ENOUGH_ANSWERS and now - self._alone_at <= ALONE_SECONDS:
            return self._alone_most
        return self.unhurried_seconds(now)

    def slowdown(self, now: float, age: float = 0.0) -> float:
        """Return how many times as long as unhurried ones answers take now; those that run have run for an age."""
        unhurried = self.unhurried_seconds(now)
        return max(self.lately, age) / unhurried if unhurried else 1.0

    def slowdown_most(self, now: float) -> float:
        """Return how many times as long as unhurried ones the longest of the latest answers take: nine of ten, each.

        People are promised no more than that of the long ones, and those of a crowd differ less from one another.
        """
        if len(self._latest) < ENOUGH_ANSWERS or len(self._alone) < ENOUGH_ANSWERS:
            return self.slowdown(now)
        return self._latest_most / self.unhurried_seconds_most(now)

    def _count(self, seconds: float, now: float) -> None:
        pause, self._answered_at = now - self._answered_at, now
        if self._bucket_began is None or now - self._bucket_began > 2 * BUCKET_SECONDS_MAX:
            # A long pause says nothing of what the machine can do.
            self._begin_bucket(now)
            return
        self._bucket += 1
        self._bucket_seconds += seconds
        self._bucket_pause = max(self._bucket_pause, pause)
        lasted = now - self._bucket_began
        if lasted < BUCKET_SECONDS or (self._bucket < BUCKET_ANSWERS and lasted < BUCKET_SECONDS_MAX):
            return
        self._learn(self._bucket / lasted, self._bucket_seconds / self._bucket, now, self._bucket_pause / lasted)
        self._begin_bucket(now)

    def _begin_bucket(self, now: float) -> None:
        self._bucket_began, self._bucket, self._bucket_seconds, self._bucket_pause = now, 0, 0.0, 0.0

    def _learn(self, pace: float, seconds: float, now: float, pause: float) -> None:
        """Take in so many answers a second, each of which took so long, with none for a share of the time."""
        # Those before it that are no better will never be the best again.
        while self._bests and self._bests[-1][1] <= pace:
            self._bests.pop()
        self._bests.append((now, pace))
        slowed = seconds / (self.unhurried_seconds(now) or seconds)
        is_pushed = slowed >= PUSHED and pace * seconds >= PUSHED and pause < STOOD_STILL
        if is_pushed or (self._pushed and slowed <= AT_EASE and pace > self.capacity()):
            # Where it does with ease more than was taken for all that it can, there is more of it now.
            self._pushed.append(pace)
            several = len(self._pushed) > 1
            self._capacity = quantiles(self._pushed, n=4, method="inclusive")[2] if several else pace


def _most_of(seconds: Collection[float]) -> float:
    """Return how long nine of ten take at most."""
    return sorted(seconds)[int(0.9 * len(seconds))]
