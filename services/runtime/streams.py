"""The Emitter: a flow's events in two lanes, told to any number of watchers, ended once.

Durable events are numbered and kept; text is kept as one string for the current attempt. A watcher is a pair of
cursors, so a slow one costs no memory: it gets at once whatever has piled up since, as one delta. Text that was written
before a durable event is told before it.

A flow that is gone on with begins with the events of its former drivers. Its path is taken again from the beginning, so
an event that equals one of theirs is the same event: it is neither numbered nor told again.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

import structlog

from services.contract.events import Accepted, Delta, Event, FlowEvent, Heartbeat, Terminal
from services.runtime.clock import Clock
from services.runtime.errors import ResumePositionInvalid

HEARTBEAT_SECONDS: Final = 4.0
"""The longest silence of a running flow's stream; spec 3.4 allows 5 s."""

_log = structlog.get_logger(__name__)

Keep = Callable[[FlowEvent], Awaitable[None]]
"""Writes a durable event down; it is told to nobody before that is done (spec 2.7)."""


class Superseded(Exception):
    """Whoever writes for a flow drives it no more: another process does, or the flow has ended or is gone."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A durable event, and how much text had been written when it was emitted."""

    event: FlowEvent
    attempt: int
    length: int


class Emitter:
    """The events of one flow.

    Args:
        clock: The time that events bear.
        keep: Writes a durable event down.
        told: The events of the flow's former drivers, in sequence.
        attempts: How many attempts at the answer they may have made.
    """

    def __init__(self, clock: Clock, keep: Keep, told: tuple[FlowEvent, ...] = (), attempts: int = 0) -> None:
        self._clock = clock
        self._keep = keep
        self._kept = [_Kept(event, 0, 0) for event in told]
        self._before = Counter(event.event for event in told)
        self._attempt = attempts
        self._text = ""
        self._ended = False
        self._abandoned = False
        self._changed = asyncio.Event()
        self._lock = asyncio.Lock()
        self._keeping: set[asyncio.Task[None]] = set()
        self.watchers = 0
        """How many watchers are attached."""

    @property
    def ended(self) -> bool:
        """True once the terminal event has been emitted."""
        return self._ended

    @property
    def abandoned(self) -> bool:
        """True once somebody else tells the flow's events."""
        return self._abandoned

    @property
    def text(self) -> str:
        """The text of the current attempt."""
        return self._text

    @property
    def attempt(self) -> int:
        """The current attempt, 0 before the first."""
        return self._attempt

    @property
    def last_sequence(self) -> int:
        """The sequence of the newest durable event, 0 before the first."""
        return len(self._kept)

    async def emit(self, event: Event) -> None:
        """Numbers, keeps and tells a durable event; one that a former driver told is passed over.

        Raises:
            RuntimeError: After the terminal event: a flow ends once, and then says nothing.
            Superseded: Another process drives the flow; nothing is told any more.
        """
        if self._before and self._told_before(event):
            return
        # A task of its own: an emitter cancelled between keeping and telling would use a sequence twice.
        keeping = asyncio.create_task(self._keep_and_tell(event))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)
        await asyncio.shield(keeping)

    def _told_before(self, event: Event) -> bool:
        left = self._before[event]
        if left <= 1:
            del self._before[event]
        else:
            self._before[event] = left - 1
        return left > 0

    async def _keep_and_tell(self, event: Event) -> None:
        async with self._lock:
            if self._ended:
                raise RuntimeError(f"{type(event).__name__} after the flow's end")
            if self._abandoned:
                raise Superseded(f"{type(event).__name__} of a flow that was handed over")
            numbered = FlowEvent(len(self._kept) + 1, self._clock(), event)
            try:
                await self._keep(numbered)
            except Superseded:
                self.abandon()
                raise
            except Exception:
                if not isinstance(event, Terminal):
                    raise
                # Whoever watches must learn of the end, even where it cannot be kept.
                _log.exception("the flow's end could not be kept")
            self._kept.append(_Kept(numbered, self._attempt, len(self._text)))
            self._ended = isinstance(event, Terminal)
            self._notify()

    def abandon(self) -> None:
        """Ends every watch without an end of the flow: whoever drives it now tells the rest."""
        self._abandoned = True
        self._notify()

    def begin_attempt(self) -> int:
        """Begins the answer anew, voiding what was written, and returns the attempt's number."""
        self._attempt += 1
        self._text = ""
        self._notify()
        return self._attempt

    def write(self, text: str) -> None:
        """Appends a piece of the answer.

        Raises:
            RuntimeError: Before the first attempt or after the end.
        """
        if self._ended or not self._attempt:
            raise RuntimeError("text outside an attempt")
        self._text += text
        self._notify()

    async def watch(self, after_sequence: int, *, greeting: Accepted | None = None) -> AsyncGenerator[FlowEvent]:
        """Tells the events after a sequence until the end or until the flow is abandoned, with heartbeats in between.

        Raises:
            ResumePositionInvalid: Where the flow has not come that far.
        """
        if not 0 <= after_sequence <= len(self._kept):
            raise ResumePositionInvalid(
                f"after_sequence is {after_sequence}, the flow's last is {len(self._kept)}",
                metadata={"last_sequence": str(len(self._kept))},
            )
        self.watchers += 1
        try:
            if greeting is not None:
                yield self._passing(greeting)
            async with aclosing(self._told(after_sequence)) as told:
                async for event in told:
                    yield event
        finally:
            self.watchers -= 1

    async def _told(self, position: int) -> AsyncGenerator[FlowEvent]:
        cursor = (0, 0)
        while True:
            changed = self._changed
            while position < len(self._kept):
                kept = self._kept[position]
                if (delta := self._delta(cursor, min((kept.attempt, kept.length), self._written()))) is not None:
                    cursor = (self._attempt, delta.text_offset + len(delta.text))
                    yield self._passing(delta)
                    continue
                position += 1
                yield kept.event
            if self._ended or self._abandoned:
                return
            delta = self._delta(cursor, self._written())
            if delta is not None:
                cursor = (self._attempt, delta.text_offset + len(delta.text))
                yield self._passing(delta)
            elif changed is self._changed and not await _within(changed, HEARTBEAT_SECONDS):
                yield self._passing(Heartbeat())

    def _written(self) -> tuple[int, int]:
        return self._attempt, len(self._text)

    def _delta(self, cursor: tuple[int, int], until: tuple[int, int]) -> Delta | None:
        """Returns the text between two positions; text of a voided attempt is not told any more."""
        if until[0] != self._attempt:
            return None
        offset = cursor[1] if cursor[0] == self._attempt else 0
        if until[1] <= offset:
            return None
        return Delta(self._attempt, offset, self._text[offset : until[1]])

    def _passing(self, event: Accepted | Heartbeat | Delta) -> FlowEvent:
        return FlowEvent(None, self._clock(), event)

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


async def _within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
