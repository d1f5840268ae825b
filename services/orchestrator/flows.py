"""The flows of one orchestrator: started, told, cancelled. A flow outlives the calls that start and watch it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from typing import Final

from observability.spans import current_traceparent
from services.contract.events import (
    Accepted,
    Failed,
    FlowEvent,
    FlowRecord,
    FlowSummary,
    Phase,
    QuestionOutcome,
    Terminal,
)
from services.contract.flow import OnDisconnect, Question
from services.orchestrator import texts
from services.orchestrator.chain import chain_of
from services.orchestrator.conductor import Conductor
from services.orchestrator.requests import digest_of
from services.orchestrator.state import FlowState, limits_from
from services.orchestrator.store import FlowStore, KeptFlow, NewFlow
from services.orchestrator.supervision import Keeper, RunningFlow, work
from services.orchestrator.waiting import answer
from services.runtime import deadlines
from services.runtime.clock import Clock
from services.runtime.errors import (
    FailedPrecondition,
    Overloaded,
    RequestIdReused,
    ResumePositionInvalid,
    UnknownFlow,
)
from services.runtime.identity import Caller
from services.runtime.ids import new_session_id
from services.runtime.settings import Settings
from services.runtime.streams import Emitter

EXPIRY_MARGIN_SECONDS: Final = 30
"""After its deadline and this margin, a flow without an end has lost its process."""
FLOW_SECONDS_DEFAULT: Final = 120.0
"""How long a flow may take when nobody says."""
FOREIGN_POLL_SECONDS: Final = 0.5
"""How often the store is read for a flow that another process drives."""


class Flows:
    """Starts, tells and ends flows."""

    def __init__(self, conductor: Conductor, store: FlowStore, settings: Settings, clock: Clock) -> None:
        self._conductor = conductor
        self._store = store
        self._settings = settings
        self._clock = clock
        self._running: dict[str, RunningFlow] = {}
        self._supervisors: set[asyncio.Task[None]] = set()

    async def start(
        self,
        caller: Caller,
        flow_run_id: str,
        question: Question,
        seconds_left: float | None = None,
    ) -> Accepted:
        """Starts a flow, or finds the one that the same request had started.

        Args:
            caller: Who asks.
            flow_run_id: The id that the gateway made.
            question: The admitted question; without a session it begins a conversation.
            seconds_left: The deadline of the call that runs it; None where it outlives its call.

        Raises:
            Overloaded: This orchestrator runs as many flows as it takes.
            RequestIdReused: The request id came with another question before.
            UnknownSession: The conversation is another user's.
        """
        starting = asyncio.create_task(self._start(caller, flow_run_id, question, seconds_left))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            # The caller left in the middle: what is half written down becomes a flow, and its wish then applies.
            starting.add_done_callback(lambda _: self._left(flow_run_id))
            raise

    def _left(self, flow_run_id: str) -> None:
        """Applies a flow's on_disconnect when nobody watches it any more."""
        running = self._running.get(flow_run_id)
        if running is None or running.state.emitter.ended or running.state.emitter.watchers:
            return
        if running.state.pending is not None:
            # A flow that waits for a person lives by its question's expiry.
            return
        if running.state.question.on_disconnect is OnDisconnect.CANCEL:
            running.cancel("CLIENT_DISCONNECTED")

    async def _start(
        self,
        caller: Caller,
        flow_run_id: str,
        question: Question,
        seconds_left: float | None,
    ) -> Accepted:
        if len(self._running) >= self._settings.flows_max:
            raise Overloaded(
                f"{self._settings.flows_max} flows are running, as many as this orchestrator takes",
                metadata={"limit": "HAPJU_FLOWS_MAX", "value": str(self._settings.flows_max)},
            )
        seconds, digest = _seconds_of(question, seconds_left), digest_of(question)
        question = replace(question, session_id=question.session_id or new_session_id())
        if not await self._store.add(self._new_flow(caller, flow_run_id, question, digest, seconds)):
            return await self._earlier(caller, question.request_id, digest)
        history = question.history or await self._store.history(caller, question.session_id)
        state = FlowState(
            flow_run_id=flow_run_id,
            question=question,
            caller=caller,
            now=question.now or self._clock(),
            emitter=Emitter(self._clock, Keeper(self._store, flow_run_id)),
            limits=limits_from(self._settings),
            clock=self._clock,
            deadline=deadlines.Deadline.after(seconds),
            history=history,
        )
        self._drive(state)
        return Accepted(flow_run_id, replayed=False, session_id=question.session_id)

    async def run(
        self,
        caller: Caller,
        flow_run_id: str,
        question: Question,
        seconds_left: float | None,
    ) -> AsyncGenerator[FlowEvent]:
        """Starts a flow as `start` does and tells its events; there is no moment between the two to leave it unwatched.

        Raises:
            HapjuError: As `start`, before the first event.
        """
        async with aclosing(await self._begun(caller, flow_run_id, question, seconds_left)) as events:
            async for event in events:
                yield event

    async def _begun(
        self,
        caller: Caller,
        flow_run_id: str,
        question: Question,
        seconds_left: float | None,
    ) -> AsyncGenerator[FlowEvent]:
        """Returns the events of the flow that a message belongs to: one that waits for it, or a new one."""
        waiting = self._waiting(caller, question.session_id)
        if waiting is not None and (pending := waiting.state.pending) is not None:
            after = waiting.state.emitter.last_sequence
            answer(waiting.state, pending.asked.question_id, question.text)
            greeting = Accepted(waiting.state.flow_run_id, replayed=True, session_id=question.session_id)
            return self._watch_running(waiting, after, greeting)
        started = await self.start(caller, flow_run_id, question, seconds_left)
        running = self._running.get(started.flow_run_id)
        if running is not None and not started.replayed:
            return self._watch_running(running, 0, started)
        return self.watch(caller, started.flow_run_id, 0, started)

    async def watch(
        self,
        caller: Caller,
        flow_run_id: str,
        after_sequence: int,
        greeting: Accepted | None = None,
    ) -> AsyncGenerator[FlowEvent]:
        """Tells a flow's events after a sequence until its end.

        When the last watcher of a flow leaves before its end, the flow's on_disconnect applies.

        Raises:
            UnknownFlow: The caller has no such flow.
            ResumePositionInvalid: The flow has not come that far.
        """
        kept = await self._kept(caller, flow_run_id)
        running = self._running.get(flow_run_id)
        if running is None:
            events = self._watch_kept(kept, after_sequence, greeting)
        else:
            events = self._watch_running(running, after_sequence, greeting)
        async with aclosing(events):
            async for event in events:
                yield event

    async def cancel(self, caller: Caller, flow_run_id: str) -> Phase:
        """Cancels a flow at every hop and returns how it stands; an ended one is left as it is.

        Raises:
            UnknownFlow: The caller has no such flow.
        """
        kept = await self._kept(caller, flow_run_id)
        running = self._running.get(flow_run_id)
        if running is None:
            return kept.summary.phase
        running.cancel("CLIENT_CANCELLED")
        await running.ended.wait()
        return (await self._kept(caller, flow_run_id)).summary.phase

    async def answer(self, caller: Caller, flow_run_id: str, question_id: str, reply: str) -> QuestionOutcome:
        """Hands a person's answer to a flow.

        Raises:
            UnknownFlow: The caller has no such flow.
            FailedPrecondition: It does not wait with this question: answered before, or too late.
        """
        await self._kept(caller, flow_run_id)
        running = self._running.get(flow_run_id)
        if running is None:
            raise FailedPrecondition("question_id: the flow does not wait with this question", reason="NOT_PENDING")
        return answer(running.state, question_id, reply)

    def _waiting(self, caller: Caller, session_id: str) -> RunningFlow | None:
        """Returns the caller's flow that waits with a question in a conversation: the next message answers it."""
        for running in self._running.values():
            state = running.state
            mine = (state.caller.tenant, state.caller.user_id) == (caller.tenant, caller.user_id)
            if mine and session_id and state.question.session_id == session_id and state.pending is not None:
                return running
        return None

    async def record(self, caller: Caller, flow_run_id: str) -> FlowRecord:
        """Returns all that is kept of a flow.

        Raises:
            UnknownFlow: The caller has no such flow.
        """
        kept = await self._kept(caller, flow_run_id)
        events = await self._store.events(flow_run_id)
        return FlowRecord(self._present(kept.summary), chain_of(events), events)

    async def page(self, caller: Caller, session_id: str, before: str, flows_max: int) -> tuple[FlowSummary, ...]:
        """Returns the caller's flows before an id, the newest first."""
        found = await self._store.page(caller, session_id=session_id, before=before, flows_max=flows_max)
        return tuple(self._present(summary) for summary in found)

    async def stop(self) -> None:
        """Cancels what still runs and waits until every end is kept."""
        for running in tuple(self._running.values()):
            running.cancel("SHUTDOWN")
        if self._supervisors:
            await asyncio.wait(self._supervisors)

    @property
    def running(self) -> int:
        """How many flows this process drives now."""
        return len(self._running)

    def _new_flow(
        self,
        caller: Caller,
        flow_run_id: str,
        question: Question,
        digest: str,
        seconds: float,
    ) -> NewFlow:
        start = self._clock()
        return NewFlow(
            flow_run_id=flow_run_id,
            caller=caller,
            session_id=question.session_id,
            request_id=question.request_id,
            request_digest=digest,
            question=question.text,
            traceparent=current_traceparent(),
            start_time=start,
            expire_time=start + timedelta(seconds=seconds + EXPIRY_MARGIN_SECONDS),
        )

    async def _earlier(self, caller: Caller, request_id: str, digest: str) -> Accepted:
        kept = await self._store.by_request(caller, request_id)
        if kept is None or kept.request_digest != digest:
            raise RequestIdReused(f"request_id: {request_id} was used with another question")
        return Accepted(kept.summary.flow_run_id, replayed=True, session_id=kept.summary.session_id)

    def _drive(self, state: FlowState) -> None:
        task = asyncio.create_task(work(self._conductor, state), name=f"flow {state.flow_run_id}")
        running = RunningFlow(state, task)
        self._running[state.flow_run_id] = running
        supervisor = asyncio.create_task(running.supervise(), name=f"supervise {state.flow_run_id}")
        self._supervisors.add(supervisor)
        supervisor.add_done_callback(lambda _: self._forget(supervisor, state.flow_run_id))

    def _forget(self, supervisor: asyncio.Task[None], flow_run_id: str) -> None:
        self._supervisors.discard(supervisor)
        self._running.pop(flow_run_id, None)

    async def _watch_running(
        self,
        running: RunningFlow,
        after_sequence: int,
        greeting: Accepted | None,
    ) -> AsyncGenerator[FlowEvent]:
        told = running.state.emitter.watch(after_sequence, greeting=greeting)
        try:
            async with aclosing(told):
                async for event in told:
                    yield event
        finally:
            # Where the time is up, the flow's own deadline says so.
            if not deadlines.is_over():
                self._left(running.state.flow_run_id)

    async def _watch_kept(
        self,
        kept: KeptFlow,
        after_sequence: int,
        greeting: Accepted | None,
    ) -> AsyncGenerator[FlowEvent]:
        """Tells a flow that this process does not drive: an ended one, or another process's until it ends."""
        flow_run_id = kept.summary.flow_run_id
        events = await self._store.events(flow_run_id)
        while not _has_ended(events):
            if self._clock() > kept.expire_time:
                lost = Failed("UNAVAILABLE", "FLOW_LOST", texts.say("en", "unavailable"))
                events = (*events, FlowEvent(len(events) + 1, self._clock(), lost))
                break
            await asyncio.sleep(FOREIGN_POLL_SECONDS)
            events = await self._store.events(flow_run_id)
        if after_sequence > len(events):
            raise ResumePositionInvalid(f"after_sequence is {after_sequence}, the flow's last is {len(events)}")
        async with aclosing(Emitter.ended_with(self._clock, events).watch(after_sequence, greeting=greeting)) as told:
            async for event in told:
                yield event

    async def _kept(self, caller: Caller, flow_run_id: str) -> KeptFlow:
        kept = await self._store.find(caller, flow_run_id)
        if kept is None:
            raise UnknownFlow(f"flow_run_id: no flow {flow_run_id} of this user")
        return kept

    def _present(self, summary: FlowSummary) -> FlowSummary:
        """Returns a summary with the phase of a running flow, which the store learns at its end."""
        running = self._running.get(summary.flow_run_id)
        if running is None:
            return summary
        state = running.state
        return replace(summary, phase=state.phase, latency=self._clock() - summary.start_time, usage=state.usage)


def _seconds_of(question: Question, seconds_left: float | None) -> float:
    """Returns how long a flow may take: as its question says, and within the deadline of a call that runs it."""
    asked = question.flow_timeout.total_seconds() if question.flow_timeout is not None else None
    bounds = [seconds for seconds in (asked, seconds_left) if seconds is not None]
    return max(0.0, min(bounds)) if bounds else FLOW_SECONDS_DEFAULT


def _has_ended(events: tuple[FlowEvent, ...]) -> bool:
    return bool(events) and isinstance(events[-1].event, Terminal)
