"""Deadlines that shrink from hop to hop; grpc passes none on.

A call made while serving gets what is left, less a margin.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Final

from services.runtime.errors import DeadlineExceeded

HOP_MARGIN_SECONDS: Final = 0.01
"""What a hop keeps for itself, so that its answer arrives before its caller gives up."""


@dataclass(slots=True)
class Deadline:
    """When the work of a task and of those that it begins has to be done."""

    at: float
    """The instant, by the monotonic clock."""

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """Return the deadline that is so many seconds away."""
        return cls(monotonic() + seconds)

    @property
    def remaining_seconds(self) -> float:
        """The seconds left, below 0 when they are over."""
        return self.at - monotonic()

    def extend(self, seconds: float) -> None:
        """Move it away: time that a person took does not count as the work's."""
        self.at += seconds


SHARED_SECONDS_MIN: Final = 1.5
"""With less than this left nothing is shared out: what has been begun takes it all, and its end is the deadline's."""
_deadline: ContextVar[Deadline | None] = ContextVar("hapju_deadline", default=None)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Set the time that its body may take; never lengthens what is left."""
    left = remaining_seconds()
    token = _deadline.set(Deadline.after(seconds if left is None else min(left, seconds)))
    try:
        yield
    finally:
        _deadline.reset(token)


@contextmanager
def within_share(share: float) -> Iterator[None]:
    """Leave its body a share of what is left, 0 to 1, so that whoever waits for it can still say how it ended.

    With less than SHARED_SECONDS_MIN left the body has all of it: half of a second serves neither side.
    """
    left = remaining_seconds()
    if left is None or left < SHARED_SECONDS_MIN:
        yield
        return
    with within(left * share):
        yield


@contextmanager
def governed_by(deadline: Deadline) -> Iterator[None]:
    """Set the deadline of work that outlives the call that began it; what that call had left does not matter."""
    token = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(token)


def remaining_seconds() -> float | None:
    """Return the seconds left, below 0 when they are over, or None where no deadline is set."""
    deadline = _deadline.get()
    return None if deadline is None else deadline.remaining_seconds


def is_over() -> bool:
    """Return whether the time is up, or so nearly that nothing more can be done in it."""
    left = remaining_seconds()
    return left is not None and left <= HOP_MARGIN_SECONDS


def timeout_for_call(policy_seconds: float | None, asked_seconds: float | None) -> float | None:
    """Return the timeout of an outgoing call: the least of policy, wish and what is left less the hop's margin.

    Raises:
        DeadlineExceeded: Where nothing is left to make the call in.
    """
    left = remaining_seconds()
    if left is not None:
        left -= HOP_MARGIN_SECONDS
        if left <= 0:
            raise DeadlineExceeded("no time is left for a further call")
    bounds = [seconds for seconds in (policy_seconds, asked_seconds, left) if seconds is not None]
    return min(bounds) if bounds else None
