"""The Emitter: a flow's events in two lanes, told to any number of watchers, ended once.

Durable events are numbered and kept; text is kept as one string for the current attempt. A watcher is a pair of
cursors, so a slow one costs no memory: it gets at once whatever has piled up since, as one delta. Text that was written
before a durable event is told before it.

A flow that is gone on with begins with the events of its former drivers. Its path is taken again from the beginning, so
an event that equals one of theirs is the same event: it is neither numbered nor told again.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Protocol

import structlog

from services.contract.events import Accepted, Cancelled, Delta, Event, Failed, Finished, FlowEvent, Heartbeat
from services.runtime.clock import Clock
from services.runtime.errors import ResumePositionInvalid

HEARTBEAT_SECONDS: Final = 4.0
"""The longest silence of a running flow's stream; people wait no longer for a sign of life."""

_log = structlog.get_logger(__name__)

KEPT_AT_ONCE_MAX: Final = 64
"""How many events wait to be kept at most, and are kept in one go; whoever emits a further one waits."""
TOGETHER_SECONDS: Final = 0.01
"""How long an event waits for others to be kept and told with, where nobody waits for it; less than an eye sees."""

Terminal = Finished | Failed | Cancelled
"""The events that end a flow; exactly one of them is emitted."""
UNKEPT: Final = Failed("INTERNAL", "END_NOT_KEPT", "the answer could not be kept")
"""The end of a flow whose own end cannot be written down, where nobody says how a person is told of it."""


class Keep(Protocol):
    """Writes durable events down, all or none, the terminal one by itself; nobody is told of them before."""

    async def __call__(self, *events: FlowEvent) -> None:
        """Write them down."""


class Superseded(Exception):
    """Whoever writes for a flow drives it no more: another process does, or the flow has ended or is gone."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A durable event, and how much text had been written when it was emitted."""

    event: FlowEvent
    attempt: int
    length: int


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An event that is still to be kept; it gets its sequence then, so that one that cannot be kept leaves no gap."""

    event: Event
    time: datetime
    attempt: int
    length: int


class Emitter:
    """The events of one flow.

    Whoever emits an event goes on at once: what has piled up is kept in one go by a task of its own, in order, and then
    told. `settled` waits for it; the terminal event does so by itself. An event that nobody waits for, and no text
    stands behind, waits a moment for others: a transaction, and a message at every hop, cost more than what is in them.

    Args:
        clock: The time that events bear.
        keep: Writes durable events down.
        told: The events of the flow's former drivers, in sequence.
        attempts: How many attempts at the answer they may have made.
        unkept: Returns the end of a flow whose own end cannot be written down, by what stood in the way.
    """

    def __init__(
        self,
        clock: Clock,
        keep: Keep,
        told: tuple[FlowEvent, ...] = (),
        attempts: int = 0,
        unkept: Callable[[Exception], Failed] = lambda _: UNKEPT,
    ) -> None:
        self._clock = clock
        self._keep = keep
        self._unkept = unkept
        self._kept = [_Kept(event, 0, 0) for event in told]
        self._before = Counter(event.event for event in told)
        self._attempt = attempts
        self._text = ""
        self._ended = False
        self._abandoned = False
        self._changed = asyncio.Event()
        self._waiting: list[_Waiting] = []
        self._keeping: asyncio.Task[None] | None = None
        self._hurried = asyncio.Event()
        self._failure: Exception | None = None
        self.watchers = 0
        """How many watchers are attached."""
        self.owed: FlowEvent | None = None
        """The end, where it was told and could not be kept; it is the flow's end all the same."""

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
        """Have a durable event kept and told; one that a former driver told is passed over.

        Raises:
            RuntimeError: After the terminal event: a flow ends once, and then says nothing.
            Superseded: Another process drives the flow; nothing is told any more.
            Exception: An earlier event could not be kept.
        """
        if self._before and self._told_before(event):
            return
        ends = isinstance(event, Terminal)
        if self._ending:
            raise RuntimeError(f"{type(event).__name__} after the flow's end")
        self._check(failures=not ends)
        self._waiting.append(_Waiting(event, self._clock(), self._attempt, len(self._text)))
        if self._keeping is None or self._keeping.done():
            # A task of its own: an emitter cancelled between keeping and telling would use a sequence twice.
            self._hurried.clear()
            self._keeping = asyncio.create_task(self._keep_waiting())
        if ends or len(self._waiting) >= KEPT_AT_ONCE_MAX:
            self._hurried.set()
            await asyncio.shield(self._keeping)
            if ends:
                self._check(failures=False)

    async def settled(self) -> None:
        """Wait until everything that was emitted is kept and told.

        Raises:
            Superseded: Another process drives the flow.
            Exception: An event could not be kept.
        """
        if self._keeping is not None:
            self._hurried.set()
            await asyncio.shield(self._keeping)
        self._check(failures=True)

    @property
    def _ending(self) -> bool:
        waits = bool(self._waiting) and not self._abandoned and isinstance(self._waiting[-1].event, Terminal)
        return self._ended or waits

    def _check(self, *, failures: bool) -> None:
        if self._abandoned:
            raise Superseded("the flow was handed over")
        if failures and self._failure is not None:
            raise self._failure

    def _told_before(self, event: Event) -> bool:
        left = self._before[event]
        if left <= 1:
            del self._before[event]
        else:
            self._before[event] = left - 1
        return left > 0

    async def _keep_waiting(self) -> None:
        while self._waiting and not self._abandoned:
            await _within(self._hurried, TOGETHER_SECONDS)
            if self._abandoned:
                return
            batch = _first_of(self._waiting)
            numbered = [
                FlowEvent(number, one.time, one.event) for number, one in enumerate(batch, self.last_sequence + 1)
            ]
            ends = isinstance(batch[-1].event, Terminal)
            try:
                await self._keep(*numbered)
            except Superseded:
                self.abandon()
                return
            except Exception as error:  # noqa: BLE001 - whoever emits next gets it
                if not ends:
                    # The flow fails by it; only its end is still told.
                    _log.warning("events could not be kept", events=len(batch))
                    self._failure = error
                    self._waiting = [one for one in self._waiting if isinstance(one.event, Terminal)]
                    continue
                _log.exception("the flow's end could not be kept")
                if not isinstance(batch[-1].event, Failed):
                    # What is told and what is kept are one end: it becomes one that can be written down.
                    self._waiting[0] = replace(batch[-1], event=self._unkept(error))
                    continue
                # Whoever watches must learn of the end, even where none can be kept.
                self.owed = numbered[-1]
            del self._waiting[: len(batch)]
            told = zip(numbered, batch, strict=True)
            self._kept += [_Kept(event, one.attempt, one.length) for event, one in told]
            self._ended = ends
            self._notify()

    def abandon(self) -> None:
        """End every watch without an end of the flow: whoever drives it now tells the rest."""
        self._abandoned = True
        self._hurried.set()
        self._notify()

    def begin_attempt(self) -> int:
        """Begin the answer anew, voiding what was written, and return the attempt's number."""
        self._attempt += 1
        self._text = ""
        self._notify()
        return self._attempt

    def write(self, text: str) -> None:
        """Append a piece of the answer.

        Raises:
            RuntimeError: Before the first attempt or after the end.
        """
        if self._ended or not self._attempt:
            raise RuntimeError("text outside an attempt")
        self._text += text
        if self._waiting:
            self._hurried.set()
        self._notify()

    async def watch(
        self, after_sequence: int, *, greeting: Accepted | None = None
    ) -> AsyncGenerator[tuple[FlowEvent, ...]]:
        """Tell the events after a sequence until the end or until the flow is abandoned, with heartbeats in between.

        Whatever is there at once is told at once, as one tuple.

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
                yield (self._passing(greeting),)
            async with aclosing(self._told(after_sequence)) as told:
                async for events in told:
                    yield events
        finally:
            self.watchers -= 1

    async def _told(self, position: int) -> AsyncGenerator[tuple[FlowEvent, ...]]:
        cursor = (0, 0)
        while True:
            changed, over = self._changed, self._ended or self._abandoned
            events: list[FlowEvent] = []
            for kept in self._kept[position:]:
                cursor = self._pass_text(events, cursor, min((kept.attempt, kept.length), self._written()))
                events.append(kept.event)
            position = len(self._kept)
            if not over:
                cursor = self._pass_text(events, cursor, self._written())
            if events:
                yield tuple(events)
            elif over:
                return
            elif changed is self._changed and not await _within(changed, HEARTBEAT_SECONDS):
                yield (self._passing(Heartbeat()),)

    def _pass_text(self, events: list[FlowEvent], cursor: tuple[int, int], until: tuple[int, int]) -> tuple[int, int]:
        """Add the text up to a position to events, and return how far it has been told then."""
        delta = self._delta(cursor, until)
        if delta is None:
            return cursor
        events.append(self._passing(delta))
        return self._attempt, delta.text_offset + len(delta.text)

    def _written(self) -> tuple[int, int]:
        """Return how much text may be told: none that was written behind an event that waits to be kept."""
        written = self._attempt, len(self._text)
        return min(written, (self._waiting[0].attempt, self._waiting[0].length)) if self._waiting else written

    def _delta(self, cursor: tuple[int, int], until: tuple[int, int]) -> Delta | None:
        """Return the text between two positions; text of a voided attempt is not told any more."""
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


def _first_of(waiting: list[_Waiting]) -> list[_Waiting]:
    """Return what is kept next: events up to the terminal one, which is kept by itself."""
    plain = next((place for place, one in enumerate(waiting) if isinstance(one.event, Terminal)), len(waiting))
    return waiting[: min(plain, KEPT_AT_ONCE_MAX)] or waiting[:1]


async def _within(event: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
