"""How far a client has heard a flow, and when its owner counts as lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from time import monotonic
from typing import Final, TypeVar

from hapju.flow.v1 import flow_event_pb2
from observability.telemetry import current as current_telemetry
from services.runtime import deadlines
from services.runtime.errors import HapjuError, Unavailable
from services.runtime.streams import HEARTBEAT_SECONDS

REATTACH_SECONDS_MAX: Final = 30.0
"""How long a flow's next driver is waited for: a lease has to run out first, which takes 10 s by default."""
REATTACH_PAUSE_SECONDS: Final = 0.25
"""The pause between two tries to hear a flow again."""
BEAT_SECONDS: Final = 4.5
"""The longest silence towards a client; a little longer than an orchestrator's own, whose sign of life says more."""
SILENT_SECONDS_MAX: Final = 10.0
"""How long an orchestrator may be silent until it counts as lost: it has missed two of its heartbeats by then."""
SETTLE_SECONDS: Final = 3.0
"""How long after its flow's own deadline an end may be on its way."""
GIVE_UP_AFTER_SECONDS: Final = 8.0
"""A client whose time runs out is told an end where its flow has been lost for so long; before that the flow may still
be taken over, and what ends is the client's call."""
STORE_SECONDS_MAX: Final = 8.0
"""How long a flow of which nothing was heard waits for a store that is away, as while a database fails over."""
LAST_WORD_SECONDS: Final = 0.5
"""What is left of a client's time for telling it an end."""

STORE_AWAY: Final = "STORE_UNAVAILABLE"
"""The reason of an orchestrator whose store cannot be used."""

T = TypeVar("T")
Events = tuple[flow_event_pb2.FlowEvent, ...]
"""What is told at once, in order."""


class ClientHearing:
    """How far one client has heard a flow.

    Args:
        flow_run_id: The flow.
        last_sequence: What the client has heard before.
        seconds_max: How long the flow may take; None where that is not known here.
        is_accepted: Whether the client was told already that its question is accepted, and hears that from no owner.
    """

    def __init__(
        self,
        flow_run_id: str,
        last_sequence: int = 0,
        seconds_max: float | None = None,
        *,
        is_accepted: bool = False,
    ) -> None:
        self.flow_run_id = flow_run_id
        self.last_sequence = last_sequence
        self.lost: HapjuError | None = None
        self._is_accepted = is_accepted
        self._at_all = last_sequence > 0
        self._told = self._lost_since = monotonic()
        self._silent_since = 0.0
        self._over_at = None if seconds_max is None else monotonic() + seconds_max + SETTLE_SECONDS

    def take(self, event: flow_event_pb2.FlowEvent) -> None:
        """Take an event in, which the client is told where it does not know it."""
        name = event.WhichOneof("event")
        if name == "accepted":
            # The request may have been made before: it is then that flow which is told.
            self.flow_run_id = event.accepted.flow_run_id
        self._at_all = True
        self.lost, self._silent_since = None, 0.0
        if name != "accepted" or not self._is_accepted:
            self._told = monotonic()
        self.last_sequence = event.sequence or self.last_sequence

    @property
    def nothing(self) -> bool:
        """True where not even that the flow has begun was heard."""
        return not self._at_all

    def may_go_on(self, lost: HapjuError) -> bool:
        """Return whether the flow may still be heard elsewhere, now that a call of it was lost.

        A flow of which nothing was heard is looked for once: it may have begun all the same. While the store is away
        that cannot be told, and is looked for again.
        """
        first, self.lost = self.lost is None, lost
        if first:
            self._lost_since, self._silent_since = self._silent_since or monotonic(), 0.0
        if lost.reason == STORE_AWAY and monotonic() - self._lost_since < STORE_SECONDS_MAX:
            return not self.is_given_up
        return first or (self._at_all and not self.is_given_up)

    @property
    def is_given_up(self) -> bool:
        """True where nobody goes on with a lost flow, or the client's or the flow's own time is up."""
        if self.lost is None:
            return False
        now, left = monotonic(), deadlines.remaining_seconds()
        lost_for = now - self._lost_since
        if self._over_at is not None and now >= self._over_at:
            return True
        if left is not None and left <= LAST_WORD_SECONDS and lost_for >= GIVE_UP_AFTER_SECONDS:
            return True
        return lost_for >= REATTACH_SECONDS_MAX

    @property
    def silent(self) -> bool:
        """True where the client is due a sign of life: it would be, by the time that a lost flow is heard again."""
        due = monotonic() - self._told >= HEARTBEAT_SECONDS - REATTACH_PAUSE_SECONDS
        if due:
            self._told = monotonic()
        return due

    @property
    def beat_seconds(self) -> float:
        """How long the silence may go on, which a call that was lost has begun; short where the time is nearly over."""
        left, least = deadlines.remaining_seconds(), REATTACH_PAUSE_SECONDS / 2
        beat = max(least, BEAT_SECONDS - (monotonic() - self._told))
        if self.lost is None or left is None:
            return beat
        return min(beat, max(least, left - LAST_WORD_SECONDS))

    def silence(self, seconds: float) -> None:
        """Note that an orchestrator has said nothing for so long, of which the client is to hear.

        Raises:
            Unavailable: For too long: it is as good as lost; the client has heard nothing of that yet.
        """
        self._silent_since = self._silent_since or monotonic() - seconds
        if seconds >= SILENT_SECONDS_MAX or self.is_given_up:
            raise Unavailable("the flow's owner is silent", reason="SILENT")
        self._told = monotonic()


class FirstSigns:
    """Measures how long a person waits for the first event and for the first words, those of a question back too.

    Who is told that no answer comes, or leaves before any word, has waited as well: else nothing would be measured
    just where it is slowest.
    """

    WORDS: Final = frozenset({"delta", "finished", "question_asked"})
    """The events that have words for the person."""

    def __init__(self) -> None:
        self._begun = monotonic()
        self._heard_event = self._heard_text = False
        # Of the task that asks; one that is given up may be closed in another.
        self._instruments = current_telemetry().instruments

    def heard(self, told: Events) -> None:
        """Record what came for the first time."""
        if not self._heard_event:
            self._heard_event = True
            self._instruments.first_event_seconds.record(monotonic() - self._begun)
        if not self._heard_text and any(event.WhichOneof("event") in self.WORDS for event in told):
            self._words_end()

    def over(self) -> None:
        """Record the wait of who heard of the flow and no word of it."""
        if self._heard_event and not self._heard_text:
            self._words_end()

    def _words_end(self) -> None:
        self._heard_text = True
        self._instruments.first_text_seconds.record(monotonic() - self._begun)


async def paced(source: AsyncGenerator[T], seconds: Callable[[], float]) -> AsyncGenerator[tuple[T | None, float]]:
    """Yield what a source yields, and after each so many seconds of silence None with how long it has lasted."""
    waiting: asyncio.Task[T] | None = None
    try:
        while True:
            waiting, begin = asyncio.create_task(anext(source)), monotonic()
            while not (await asyncio.wait({waiting}, timeout=seconds()))[0]:
                yield None, monotonic() - begin
            try:
                yield waiting.result(), 0.0
            except StopAsyncIteration:
                return
    finally:
        if waiting is not None:
            waiting.cancel()
            # One that has ended unheard is taken note of too, else the loop complains of its end.
            await asyncio.gather(waiting, return_exceptions=True)
        await source.aclose()
