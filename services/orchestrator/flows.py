"""The flows of one orchestrator as its callers see them: started, told, answered, cancelled, listed.

A flow outlives the calls that start and watch it, and the process that began it.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from typing import Final

from observability.spans import current_traceparent
from services.contract.events import (
    Accepted,
    FlowEvent,
    Phase,
    QuestionOutcome,
)
from services.contract.flow import OnBusy, OnDisconnect, Question
from services.durable.experiments import assigned
from services.durable.questions import KeptQuestion
from services.durable.requests import digest_of
from services.durable.store import FlowStore, NewFlow
from services.durable.writer import Lease
from services.orchestrator.driving import Begun, Driving
from services.orchestrator.flow.waiting import check_reply, is_overtaken, outcome_of
from services.orchestrator.watching import LOOK_SECONDS, Watching
from services.runtime.call_policy import FLOW_SECONDS_DEFAULT
from services.runtime.clock import Clock
from services.runtime.deadlines import Deadline
from services.runtime.errors import FailedPrecondition, Overloaded, RequestIdReused, Unavailable
from services.runtime.identity import Caller
from services.runtime.ids import new_session_id
from services.runtime.settings import Settings
from services.runtime.tenants import tenants_from

CANCEL_SECONDS_MAX: Final = 8.0
"""How long a cancellation waits for the flow's end at another replica; the flow is cancelled in any case."""


class Flows:
    """Starts, tells and ends flows.

    Args:
        driving: Drives them.
        store: Where they are kept.
        settings: The process's settings.
        clock: The present instant.
        draining: Returns True once the process is about to stop.
    """

    def __init__(
        self, driving: Driving, store: FlowStore, settings: Settings, clock: Clock, draining: Callable[[], bool]
    ) -> None:
        self._driving = driving
        self._store = store
        self._settings = settings
        self._tenants = tenants_from(settings.tenants)
        self._clock = clock
        self._draining = draining
        self._watching = Watching(store, clock, driving.running, self._left)

    async def start(
        self,
        caller: Caller,
        flow_run_id: str,
        question: Question,
        seconds_left: float | None = None,
    ) -> Accepted:
        """Start a flow, or find the one that the same request had started.

        Args:
            caller: Who asks.
            flow_run_id: The id that the gateway made.
            question: The admitted question; without a session it begins a conversation.
            seconds_left: The deadline of the call that runs it; None where it outlives its call.

        Raises:
            Overloaded: This orchestrator runs as many flows as it takes.
            QuotaSpent: The caller's tenant has asked as much as it is granted.
            RequestIdReused: The request id came with another question before.
            UnknownSession: The conversation is another user's.
            FailedPrecondition: Another flow holds the conversation, and the question says REJECT.
        """
        starting = asyncio.create_task(self._start(caller, flow_run_id, question, seconds_left))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            # The caller left in the middle: what is half written down becomes a flow, and its wish then applies.
            starting.add_done_callback(lambda _: self._left(flow_run_id))
            raise

    def _left(self, flow_run_id: str) -> None:
        """Apply a flow's on_disconnect when nobody watches it any more."""
        running = self._driving.running.get(flow_run_id)
        if running is None or running.state.emitter.ended or running.state.emitter.watchers:
            return
        if running.state.desk.waits or self._draining():
            # A flow that waits for a person lives by its question's expiry; and a process that stops cuts its watchers
            # off itself: they find the flow at another replica.
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
        if len(self._driving.running) >= self._settings.flows_max:
            raise Overloaded(
                f"{self._settings.flows_max} flows are running, as many as this orchestrator takes",
                metadata={"limit": "HAPJU_FLOWS_MAX", "value": str(self._settings.flows_max)},
            )
        if await self._store.reads.by_request(caller, question.request_id) is None:
            await self._store.quotas.check(caller.tenant, self._tenants.of(caller.tenant))
        start, seconds, digest = self._clock(), _seconds_of(question, seconds_left), digest_of(question)
        question = replace(question, session_id=question.session_id or new_session_id(), now=question.now or start)
        new = NewFlow(
            flow_run_id=flow_run_id,
            caller=caller,
            question=question,
            request_digest=digest,
            traceparent=current_traceparent(),
            start_time=start,
            expire_time=start + timedelta(seconds=seconds),
            assignments=assigned(question.session_id, self._settings.reuse_variants_offered),
            holds_session=True,
        )
        lease, queued = await self._written_down(new)
        if lease is None:
            return await self._earlier(caller, flow_run_id, question.request_id, digest)
        begun = Begun(caller, question, Deadline.after(seconds), assignments=new.assignments, queued=queued)
        await self._driving.drive(lease, begun)
        return Accepted(flow_run_id, replayed=False, session_id=question.session_id)

    async def _written_down(self, new: NewFlow) -> tuple[Lease | None, bool]:
        """Write a new flow down, and return its lease and whether it has to wait for its turn.

        Raises:
            FailedPrecondition: Another flow holds the conversation, and the question says REJECT.
        """
        try:
            return await self._store.add(new), False
        except FailedPrecondition:
            on_busy = new.question.on_busy or OnBusy.QUEUE
            if on_busy is OnBusy.REJECT:
                raise
            lease = await self._store.add(replace(new, holds_session=False))
        if on_busy is OnBusy.INTERRUPT and lease is not None:
            for earlier in await self._store.turns.before(new.caller, new.question.session_id, new.flow_run_id):
                await self._asked_to_end(earlier, "INTERRUPTED")
        return lease, True

    async def say(self, caller: Caller, flow_run_id: str, question: Question) -> Accepted:
        """Start a flow that outlives its call, or hand a message to the flow that waits for it in its conversation.

        Raises:
            HapjuError: As `start`, and as `answer` where a flow waits for it.
        """
        _, _, greeting = await self._begun(caller, flow_run_id, question, None)
        return greeting

    async def run(
        self,
        caller: Caller,
        flow_run_id: str,
        question: Question,
        seconds_left: float | None,
    ) -> AsyncGenerator[tuple[FlowEvent, ...]]:
        """Start a flow as `start` does and tell its events; there is no moment between the two to leave it unwatched.

        Raises:
            HapjuError: As `start`, before the first event.
        """
        flow_id, after, greeting = await self._begun(caller, flow_run_id, question, seconds_left)
        async with aclosing(self._watching.watch(flow_id, after, greeting)) as events:
            async for told in events:
                yield told

    async def _begun(
        self,
        caller: Caller,
        flow_run_id: str,
        question: Question,
        seconds_left: float | None,
    ) -> tuple[str, int, Accepted]:
        """Return the flow that a message belongs to and where to begin: one that waits for it, or a new one.

        A message that says what is to become of a running flow (on_busy) is a question of its own and no answer; and
        neither is a request that was made before.
        """
        waiting = None if question.on_busy is not None else await self._waiting(caller, question.session_id)
        if waiting is not None and question.attachments:
            # A file is no answer to what was asked: what waits for one is given up for the question that it is.
            waiting, question = None, replace(question, on_busy=OnBusy.INTERRUPT)
        while waiting is not None and is_overtaken(waiting.asked, question.text):
            # The action stays undone; what the message says of it is read beside what was shown.
            await self._settle(waiting, QuestionOutcome.ANSWERED, question.text)
            waiting = await self._waiting(caller, question.session_id)
        if waiting is not None and await self._store.reads.by_request(caller, question.request_id) is None:
            after = await self._store.reads.last_sequence(waiting.flow_run_id)
            await self._answer(caller, waiting, question.text)
            greeting = Accepted(waiting.flow_run_id, replayed=True, session_id=question.session_id)
            return waiting.flow_run_id, after, greeting
        started = await self.start(caller, flow_run_id, question, seconds_left)
        return started.flow_run_id, 0, started

    async def watch(
        self, caller: Caller, flow_run_id: str, after_sequence: int
    ) -> AsyncGenerator[tuple[FlowEvent, ...]]:
        """Tell a flow's events after a sequence until its end.

        When the last watcher of a flow leaves before its end, the flow's on_disconnect applies.

        Raises:
            UnknownFlow: The caller has no such flow.
            ResumePositionInvalid: The flow has not come that far.
        """
        await self._store.reads.own(caller, flow_run_id)
        async with aclosing(self._watching.watch(flow_run_id, after_sequence, None)) as events:
            async for told in events:
                yield told

    async def cancel(self, caller: Caller, flow_run_id: str) -> Phase:
        """Cancel a flow at every hop, whichever replica drives it; an ended one is left as it is.

        Returns:
            How it stands: its end, unless a replica that drives it takes longer than CANCEL_SECONDS_MAX.

        Raises:
            UnknownFlow: The caller has no such flow.
            Unavailable: It could not be kept.
        """
        kept = await self._store.reads.own(caller, flow_run_id)
        running = self._driving.running.get(flow_run_id)
        if kept.summary.end_time is None:
            await self._asked_to_end(flow_run_id, "CLIENT_CANCELLED")
        if running is not None:
            await running.ended.wait()
        elif kept.summary.end_time is None:
            bound = asyncio.get_running_loop().time() + CANCEL_SECONDS_MAX
            while kept.summary.end_time is None and asyncio.get_running_loop().time() < bound:
                await asyncio.sleep(LOOK_SECONDS)
                kept = await self._store.reads.own(caller, flow_run_id)
        standing = (await self._store.reads.own(caller, flow_run_id)).summary
        if running is not None and standing.end_time is None and not running.state.emitter.abandoned:
            # It has stopped, and that could not be written down: after a restart it would go on.
            raise Unavailable("the cancellation could not be kept", reason="STORE_UNAVAILABLE")
        return standing.phase

    async def _asked_to_end(self, flow_run_id: str, reason: str) -> None:
        """Have a flow cancelled, whichever replica drives it."""
        running = self._driving.running.get(flow_run_id)
        if running is not None:
            running.cancel(reason)
        else:
            await self._store.request_cancel(flow_run_id, reason)

    async def answer(
        self, caller: Caller, flow_run_id: str, question_id: str, reply: str, action_digest: str = ""
    ) -> QuestionOutcome:
        """Hand a person's answer to a flow, whichever replica drives it.

        Raises:
            UnknownFlow: The caller has no such flow.
            FailedPrecondition: It does not wait with this question: answered before, or too late.
            HapjuError: As check_reply says.
        """
        await self._store.reads.own(caller, flow_run_id)
        question = await self._store.questions.find(flow_run_id, question_id)
        if question is None:
            raise _not_pending()
        return await self._answer(caller, question, reply, action_digest)

    async def _answer(
        self, caller: Caller, question: KeptQuestion, reply: str, action_digest: str = ""
    ) -> QuestionOutcome:
        check_reply(question.asked, caller, reply, action_digest)
        outcome = outcome_of(question.asked, reply)
        if not await self._settle(question, outcome, reply):
            raise _not_pending()
        return outcome

    async def _settle(self, question: KeptQuestion, outcome: QuestionOutcome, reply: str) -> bool:
        """Settle an open question and let its flow know; return whether it was open."""
        flow_run_id, question_id = question.flow_run_id, question.asked.question_id
        settled = await self._store.questions.answer(flow_run_id, question_id, outcome, reply, self._clock())
        running = self._driving.running.get(flow_run_id)
        if settled is not None and running is not None:
            running.state.desk.hear(question_id, settled)
        return settled is not None

    async def _waiting(self, caller: Caller, session_id: str) -> KeptQuestion | None:
        """Return the question with which a flow of the caller waits in a conversation: the next message answers it."""
        if not session_id:
            return None
        return await self._store.questions.open_in(caller, session_id, self._clock())

    async def _earlier(self, caller: Caller, flow_run_id: str, request_id: str, digest: str) -> Accepted:
        reads = self._store.reads
        kept = await reads.by_request(caller, request_id) or await reads.find(caller, flow_run_id)
        if kept is None or kept.request_digest != digest:
            raise RequestIdReused(f"request_id: {request_id} was used with another question")
        return Accepted(kept.summary.flow_run_id, replayed=True, session_id=kept.summary.session_id)


def _not_pending() -> FailedPrecondition:
    return FailedPrecondition("question_id: the flow does not wait with this question", reason="NOT_PENDING")


def _seconds_of(question: Question, seconds_left: float | None) -> float:
    """Return how long a flow may take: as its question says, and within the deadline of a call that runs it."""
    asked = question.flow_timeout.total_seconds() if question.flow_timeout is not None else None
    bounds = [seconds for seconds in (asked, seconds_left) if seconds is not None]
    return max(0.0, min(bounds)) if bounds else FLOW_SECONDS_DEFAULT
