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

An orchestrator that is silent for longer than its own heartbeats allow is as good as lost: the client hears ours
meanwhile, and where nobody goes on with the flow it hears an end, in its language, before its own time is up.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from functools import partial
from typing import Any, Final

from gateway.admission import Admitted
from gateway.hearing import REATTACH_PAUSE_SECONDS, ClientHearing, Events, FirstSigns, paced
from gateway.texts import in_language
from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.orchestrator.v1 import orchestrator_service_pb2 as pb
from hapju.orchestrator.v1 import orchestrator_service_pb2_grpc
from observability.spans import bind_flow
from services.contract.events import Accepted, Failed, FlowEvent, Heartbeat
from services.contract.flow import OnDisconnect, Question
from services.contract.mapping import to_proto
from services.runtime import deadlines
from services.runtime.call_policy import FLOW_SECONDS_DEFAULT
from services.runtime.calls import messages
from services.runtime.clock import Clock
from services.runtime.errors import Aborted, DeadlineExceeded, HapjuError, Unavailable, UnknownFlow
from services.runtime.ids import made_seconds_ago, new_flow_run_id

OWN_DEADLINE_SECONDS: Final = 0.5
"""A DEADLINE_EXCEEDED that comes with no more than this left of the client's time is the client's own."""
YOUNG_SECONDS: Final = 1.0
"""A flow whose id is younger may be accepted and not yet written down."""


class FlowStarter:
    """Starts flows at the orchestrator and passes their events on as they come."""

    def __init__(self, orchestrator: orchestrator_service_pb2_grpc.OrchestratorServiceAsyncStub, clock: Clock) -> None:
        self._orchestrator = orchestrator
        self._clock = clock
        self._beginning: set[asyncio.Task[None]] = set()

    async def ask(self, admitted: Admitted, *, at_once: bool = True) -> AsyncGenerator[Events]:
        """Yield a flow's events until its end, those together that came at once.

        Args:
            admitted: The question.
            at_once: Whether one that begins a conversation is accepted before the flow's owner has said so.

        Raises:
            HapjuError: Before the first event only, except DeadlineExceeded, which may come at any time.
        """
        flow_run_id = new_flow_run_id()
        timing = FirstSigns()
        with bind_flow(flow_run_id):
            try:
                async with aclosing(self._asked(flow_run_id, admitted, at_once and admitted.begins_session)) as events:
                    async for told in events:
                        timing.heard(told)
                        yield told
            finally:
                timing.over()

    async def _asked(self, flow_run_id: str, admitted: Admitted, at_once: bool) -> AsyncGenerator[Events]:  # noqa: FBT001
        question = admitted.question
        accepted, promised = at_once, False
        try:
            if at_once:
                promised = True
                yield self._event(Accepted(flow_run_id, replayed=False, session_id=question.session_id))
            run = self._run(flow_run_id, question, begins_session=admitted.begins_session, is_accepted=at_once)
            async with aclosing(run) as events:
                async for told in events:
                    said_already = at_once and told[0].WhichOneof("event") == "accepted"
                    if told[0].WhichOneof("event") != "heartbeat":
                        accepted, promised = True, False
                    if rest := told[1:] if said_already else told:
                        yield rest
        except (GeneratorExit, asyncio.CancelledError):
            if promised and question.on_disconnect is OnDisconnect.CONTINUE:
                self._begin_unheard(flow_run_id, question)
            raise
        except HapjuError as error:
            left = deadlines.remaining_seconds()
            if isinstance(error, DeadlineExceeded) and left is not None and left <= OWN_DEADLINE_SECONDS:
                # The client's own timer is some hops' margins behind: it is to end the call, not we.
                await asyncio.sleep(max(0.0, left))
                raise
            if not accepted:
                raise in_language(error, question.locale) from None
            yield self._event(_failed(error, question.locale))

    async def watch(self, flow_run_id: str, after_sequence: int) -> AsyncGenerator[Events]:
        """Yield a flow's events after a sequence until its end, whichever replica tells them.

        Raises:
            HapjuError: As the flow's owner says, or that it cannot be reached.
        """
        heard = ClientHearing(flow_run_id, after_sequence)
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

    async def cancel(self, flow_run_id: str) -> pb.CancelFlowResponse:
        """Cancel a flow, one too that is accepted and not written down yet.

        Raises:
            HapjuError: As the flow's owner says.
        """
        while True:
            try:
                return await self._orchestrator.CancelFlow(pb.CancelFlowRequest(flow_run_id=flow_run_id))
            except UnknownFlow:
                if made_seconds_ago(flow_run_id) > YOUNG_SECONDS:
                    raise
            await asyncio.sleep(REATTACH_PAUSE_SECONDS)

    def _begin_unheard(self, flow_run_id: str, question: Question) -> None:
        """Have a flow begun that its client was promised, and left before anybody heard of it."""

        async def begin() -> None:
            asked = to_proto(question, question_pb2.Question)
            with suppress(HapjuError):
                await self._orchestrator.StartFlow(pb.StartFlowRequest(flow_run_id=flow_run_id, question=asked))

        beginning = asyncio.create_task(begin())
        self._beginning.add(beginning)
        beginning.add_done_callback(self._beginning.discard)

    async def _run(
        self, flow_run_id: str, question: Question, *, begins_session: bool, is_accepted: bool
    ) -> AsyncGenerator[Events]:
        asked = to_proto(question, question_pb2.Question)
        begin = partial(
            self._orchestrator.RunFlow, pb.RunFlowRequest(flow_run_id=flow_run_id, question=asked, together=True)
        )
        again = begin if begins_session else None
        heard = ClientHearing(flow_run_id, seconds_max=_seconds_of(question), is_accepted=is_accepted)
        async with aclosing(self._followed(heard, begin(), again)) as events:
            async for told in events:
                yield told

    async def _followed(
        self, heard: ClientHearing, call: Any, again: Callable[[], Any] | None = None
    ) -> AsyncGenerator[Events]:
        """Tell a call's events, and go on at another replica where the call is lost before the flow's end.

        Args:
            heard: How far the client has heard the flow.
            call: The call that tells it.
            again: Begins a flow that was not written down once more; None where that may not be done.
        """
        while True:
            try:
                async with aclosing(self._told(heard, call)) as told:
                    async for events in told:
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

    async def _told(self, heard: ClientHearing, call: Any) -> AsyncGenerator[Events]:
        """Tell one call's events, with signs of life in between.

        Raises:
            Unavailable: It has been silent for too long.
        """
        async with aclosing(paced(messages(call), lambda: heard.beat_seconds)) as told:
            async for message, silent_for in told:
                if message is None:
                    heard.silence(silent_for)
                    yield self._event(Heartbeat())
                    continue
                events = (message.event, *message.further_events)
                for event in events:
                    heard.take(event)
                yield events

    def _watching(self, heard: ClientHearing) -> Any:
        flow_run_id, last = heard.flow_run_id, heard.last_sequence
        request = pb.WatchFlowRequest(flow_run_id=flow_run_id, after_sequence=last, together=True)
        return self._orchestrator.WatchFlow(request)

    def _event(self, event: Accepted | Failed | Heartbeat) -> Events:
        return (to_proto(FlowEvent(None, self._clock(), event), flow_event_pb2.FlowEvent),)


def _seconds_of(question: Question) -> float | None:
    """Return how long a question's flow may take; None where it may ask a person, whose time it lives longer by."""
    if question.interactive:
        return None
    asked = None if question.flow_timeout is None else question.flow_timeout.total_seconds()
    bounds = [seconds for seconds in (asked, deadlines.remaining_seconds()) if seconds is not None]
    return min(bounds, default=FLOW_SECONDS_DEFAULT)


def _failed(error: HapjuError, locale: str) -> Failed:
    told = in_language(error, locale)
    return Failed(told.code.name, told.reason, told.message, told.error_id)
