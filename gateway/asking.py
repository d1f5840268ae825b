"""Ask: a flow started and told in one stream.

`accepted` is said before anything downstream is called, so that the first event costs one hop. Where the client names a
conversation or a request, the flow's owner has to say first whether they are the caller's; a refusal is then a status.
After `accepted` a failure is a `failed` event and the stream ends well, with one exception: the client's own deadline.

A flow outlives the orchestrator that began it. Where that one is lost, its events are told on by whichever replica
answers, after the last sequence that was heard here, so that the client hears 1..n once and does not notice. Where the
call of a question that begins a conversation was lost before its flow was written down, it is begun once more, under
the id that it has: it cannot run twice. Any other message may have been the answer that a flow waited for, taken when
the call was lost: said again it would answer the next question, or be one itself.

A client that leaves between `accepted` and the flow's first word, and wants it to go on, finds it when it comes back:
what was accepted is begun all the same, and a flow so young that it may not be written down yet is waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from functools import partial
from time import monotonic
from typing import Any, Final

from gateway.admission import Admitted
from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.orchestrator.v1 import orchestrator_service_pb2 as pb
from hapju.orchestrator.v1 import orchestrator_service_pb2_grpc
from observability.spans import bind_flow
from observability.telemetry import current as current_telemetry
from services.contract.events import Accepted, Failed, FlowEvent, Heartbeat
from services.contract.flow import OnDisconnect, Question
from services.contract.mapping import to_proto
from services.runtime import deadlines
from services.runtime.calls import messages
from services.runtime.clock import Clock
from services.runtime.errors import Aborted, DeadlineExceeded, HapjuError, Internal, Unavailable, UnknownFlow
from services.runtime.ids import made_seconds_ago, new_flow_run_id
from services.runtime.streams import HEARTBEAT_SECONDS

REATTACH_SECONDS_MAX: Final = 30.0
"""How long a flow's next driver is waited for: a lease has to run out first, which takes 10 s by default."""
YOUNG_SECONDS: Final = 1.0
"""A flow whose id is younger may be accepted and not yet written down."""
REATTACH_PAUSE_SECONDS: Final = 0.25
"""The pause between two tries to hear a flow again."""
Events = tuple[flow_event_pb2.FlowEvent, ...]
"""What is told at once, in order."""
_LOST = {
    "ko": "지금은 서비스 일부에 연결할 수 없습니다. 잠시 뒤에 다시 시도해 주세요.",
    "en": "A part of the service cannot be reached now. Please try again in a moment.",
}


class _Heard:
    """How far one client has heard a flow."""

    def __init__(self, flow_run_id: str, last_sequence: int = 0) -> None:
        self.flow_run_id = flow_run_id
        self.last_sequence = last_sequence
        self.lost: HapjuError | None = None
        self._at_all = last_sequence > 0
        self._told = self._lost_since = monotonic()

    def take(self, event: flow_event_pb2.FlowEvent) -> None:
        """Takes an event in that the client is told."""
        name = event.WhichOneof("event")
        if name == "accepted":
            # The request may have been made before: it is then that flow which is told.
            self.flow_run_id = event.accepted.flow_run_id
        self._at_all = True
        self.lost = None
        self._told = monotonic()
        self.last_sequence = event.sequence or self.last_sequence

    @property
    def nothing(self) -> bool:
        """True where not even that the flow has begun was heard."""
        return not self._at_all

    def may_go_on(self, lost: HapjuError) -> bool:
        """Returns whether the flow may still be heard elsewhere, now that a call of it was lost.

        A flow of which nothing was heard is looked for once: it may have begun all the same.
        """
        first, self.lost = self.lost is None, lost
        if first:
            self._lost_since = monotonic()
        return first or (self._at_all and monotonic() - self._lost_since < REATTACH_SECONDS_MAX)

    @property
    def silent(self) -> bool:
        """True where the client is due a sign of life."""
        due = monotonic() - self._told >= HEARTBEAT_SECONDS
        if due:
            self._told = monotonic()
        return due


class _FirstSigns:
    """Measures how long a person waits for the first event and for the first words of an answer."""

    def __init__(self) -> None:
        self._begun = monotonic()
        self._heard_event = self._heard_text = False

    def heard(self, told: Events) -> None:
        """Records what came for the first time."""
        if self._heard_text:
            return
        instruments, seconds = current_telemetry().instruments, monotonic() - self._begun
        if not self._heard_event:
            self._heard_event = True
            instruments.first_event_seconds.record(seconds)
        if any(event.WhichOneof("event") in {"delta", "finished"} for event in told):
            self._heard_text = True
            instruments.first_text_seconds.record(seconds)


class Asking:
    """Starts flows at the orchestrator and passes their events on as they come."""

    def __init__(self, orchestrator: orchestrator_service_pb2_grpc.OrchestratorServiceAsyncStub, clock: Clock) -> None:
        self._orchestrator = orchestrator
        self._clock = clock
        self._beginning: set[asyncio.Task[None]] = set()

    async def ask(self, admitted: Admitted) -> AsyncGenerator[Events]:
        """Yields a flow's events until its end, those together that came at once.

        Raises:
            HapjuError: Before the first event only, except DeadlineExceeded, which may come at any time.
        """
        flow_run_id = new_flow_run_id()
        timing = _FirstSigns()
        with bind_flow(flow_run_id):
            async with aclosing(self._asked(flow_run_id, admitted)) as events:
                async for told in events:
                    timing.heard(told)
                    yield told

    async def _asked(self, flow_run_id: str, admitted: Admitted) -> AsyncGenerator[Events]:
        question, at_once = admitted.question, admitted.begins_session
        accepted, promised = at_once, False
        try:
            if at_once:
                promised = True
                yield self._event(Accepted(flow_run_id, replayed=False, session_id=question.session_id))
            async with aclosing(self._run(flow_run_id, question, begins_session=at_once)) as events:
                async for told in events:
                    said_already = at_once and told[0].WhichOneof("event") == "accepted"
                    accepted, promised = True, False
                    if rest := told[1:] if said_already else told:
                        yield rest
        except (GeneratorExit, asyncio.CancelledError):
            if promised and question.on_disconnect is OnDisconnect.CONTINUE:
                self._begin_unheard(flow_run_id, question)
            raise
        except DeadlineExceeded:
            # The client's own timer is some hops' margins behind: it is to end the call, not we.
            await asyncio.sleep(max(0.0, deadlines.remaining_seconds() or 0.0))
            raise
        except HapjuError as error:
            if not accepted:
                raise
            yield self._event(_failed(error, question.locale))

    async def watch(self, flow_run_id: str, after_sequence: int) -> AsyncGenerator[Events]:
        """Yields a flow's events after a sequence until its end, whichever replica tells them.

        Raises:
            HapjuError: As the flow's owner says, or that it cannot be reached.
        """
        heard = _Heard(flow_run_id, after_sequence)
        while True:
            try:
                async with aclosing(self._followed(heard, self._watching(heard))) as events:
                    async for told in events:
                        yield told
            except UnknownFlow:
                if not heard.nothing or made_seconds_ago(flow_run_id) > YOUNG_SECONDS:
                    raise
                await asyncio.sleep(REATTACH_PAUSE_SECONDS)
            else:
                return

    def _begin_unheard(self, flow_run_id: str, question: Question) -> None:
        """Has a flow begun that its client was promised, and left before anybody heard of it."""

        async def begin() -> None:
            asked = to_proto(question, question_pb2.Question)
            with suppress(HapjuError):
                await self._orchestrator.StartFlow(pb.StartFlowRequest(flow_run_id=flow_run_id, question=asked))

        beginning = asyncio.create_task(begin())
        self._beginning.add(beginning)
        beginning.add_done_callback(self._beginning.discard)

    async def _run(self, flow_run_id: str, question: Question, *, begins_session: bool) -> AsyncGenerator[Events]:
        asked = to_proto(question, question_pb2.Question)
        begin = partial(
            self._orchestrator.RunFlow, pb.RunFlowRequest(flow_run_id=flow_run_id, question=asked, together=True)
        )
        again = begin if begins_session else None
        async with aclosing(self._followed(_Heard(flow_run_id), begin(), again)) as events:
            async for told in events:
                yield told

    async def _followed(
        self, heard: _Heard, call: Any, again: Callable[[], Any] | None = None
    ) -> AsyncGenerator[Events]:
        """Tells a call's events, and goes on at another replica where the call is lost before the flow's end.

        Args:
            heard: How far the client has heard the flow.
            call: The call that tells it.
            again: Begins a flow that was not written down once more; None where that may not be done.
        """
        while True:
            try:
                async with aclosing(messages(call)) as told:
                    async for message in told:
                        events = (message.event, *message.further_events)
                        for event in events:
                            heard.take(event)
                        yield events
            except UnknownFlow:
                # It was lost before it was written down.
                if again is None or heard.lost is None or not heard.nothing:
                    raise heard.lost or UnknownFlow(f"flow_run_id: no flow {heard.flow_run_id} of this user") from None
                call, again = again(), None
                continue
            except (Unavailable, Aborted) as error:
                if not heard.may_go_on(error):
                    raise
            else:
                # Told to its end, or there was nothing left to tell.
                return
            if heard.silent:
                yield self._event(Heartbeat())
            await asyncio.sleep(REATTACH_PAUSE_SECONDS)
            call = self._watching(heard)

    def _watching(self, heard: _Heard) -> Any:
        flow_run_id, last = heard.flow_run_id, heard.last_sequence
        request = pb.WatchFlowRequest(flow_run_id=flow_run_id, after_sequence=last, together=True)
        return self._orchestrator.WatchFlow(request)

    def _event(self, event: Accepted | Failed | Heartbeat) -> Events:
        return (to_proto(FlowEvent(None, self._clock(), event), flow_event_pb2.FlowEvent),)


def _failed(error: HapjuError, locale: str) -> Failed:
    text = error.message if not isinstance(error, Internal) else _LOST[locale]
    return Failed(error.code.name, error.reason, text, error.error_id)
