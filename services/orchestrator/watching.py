"""Tells a flow's events to whoever may hear them, wherever the flow is driven.

driven here       from its Emitter, as they come
driven elsewhere  from the store, read again and again
ended             from the store

A watch changes from one to the other as often as the flow changes its driver; each sequence is told once.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from time import monotonic
from typing import Final

from services.contract.events import Accepted, Delta, Finished, FlowEvent, Heartbeat
from services.durable.store import FlowStore
from services.orchestrator.supervision import RunningFlow
from services.runtime import deadlines
from services.runtime.clock import Clock
from services.runtime.errors import ResumePositionInvalid
from services.runtime.streams import HEARTBEAT_SECONDS, Terminal

LOOK_SECONDS: Final = 0.25
"""How often the store is read for a flow that another replica drives."""


class Watching:
    """The watches of one replica.

    Args:
        store: Where events are kept.
        clock: The present instant.
        running: The flows that this replica drives.
        left: Told a flow's id when somebody has left it.
    """

    def __init__(
        self,
        store: FlowStore,
        clock: Clock,
        running: Mapping[str, RunningFlow],
        left: Callable[[str], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._running = running
        self._left = left

    async def watch(
        self, flow_run_id: str, after: int, greeting: Accepted | None
    ) -> AsyncGenerator[tuple[FlowEvent, ...]]:
        """Tell a flow's events after a sequence until its end, those together that are there at once.

        Raises:
            ResumePositionInvalid: The flow has not come that far.
        """
        position = after
        while True:
            running = self._driven(flow_run_id)
            if running is None:
                source = self._kept(flow_run_id, position, greeting)
            else:
                source = self._told(running, position, greeting)
            async with aclosing(source) as events:
                async for told in events:
                    position, greeting = max(position, *(event.sequence or 0 for event in told)), None
                    yield told
                    if isinstance(told[-1].event, Terminal):
                        return
            if running.state.emitter.ended if running is not None else self._driven(flow_run_id) is None:
                # Whoever has seen the end already is told nothing more.
                return

    def _driven(self, flow_run_id: str) -> RunningFlow | None:
        running = self._running.get(flow_run_id)
        return None if running is None or running.state.emitter.abandoned else running

    async def _told(
        self,
        running: RunningFlow,
        after: int,
        greeting: Accepted | None,
    ) -> AsyncGenerator[tuple[FlowEvent, ...]]:
        told = running.state.emitter.watch(after, greeting=greeting)
        try:
            async with aclosing(told):
                async for events in told:
                    yield events
        finally:
            # Where the time is up, the flow's own deadline says so.
            if not deadlines.is_over():
                self._left(running.state.flow_run_id)

    async def _kept(
        self,
        flow_run_id: str,
        after: int,
        greeting: Accepted | None,
    ) -> AsyncGenerator[tuple[FlowEvent, ...]]:
        """Tell what is kept until the flow ends or is driven here."""
        if after and after > (last := await self._store.reads.last_sequence(flow_run_id)):
            raise ResumePositionInvalid(
                f"after_sequence is {after}, the flow's last is {last}",
                metadata={"last_sequence": str(last)},
            )
        if greeting is not None:
            yield (self._passing(greeting),)
        told = monotonic()
        while self._driven(flow_run_id) is None:
            over = await self._store.reads.is_over(flow_run_id)
            for event in await self._store.reads.events(flow_run_id, after):
                if isinstance(event.event, Finished) and event.event.answer.final_response:
                    # The text came to those who watched the flow's driver; whoever watches here gets it in one piece.
                    yield (self._passing(Delta(1, 0, event.event.answer.final_response)), event)
                else:
                    yield (event,)
                after, told = event.sequence or after, monotonic()
                if isinstance(event.event, Terminal):
                    return
            if over:
                return
            if monotonic() - told >= HEARTBEAT_SECONDS:
                told = monotonic()
                yield (self._passing(Heartbeat()),)
            await asyncio.sleep(LOOK_SECONDS)

    def _passing(self, event: Accepted | Heartbeat | Delta) -> FlowEvent:
        return FlowEvent(None, self._clock(), event)
