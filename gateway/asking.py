"""Ask: a flow started and told in one stream.

`accepted` is said before anything downstream is called, so that the first event costs one hop. Where the client names a
conversation or a request, the flow's owner has to say first whether they are the caller's; a refusal is then a status.
After `accepted` a failure is a `failed` event and the stream ends well, with one exception: the client's own deadline.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from gateway.admission import Admitted
from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.orchestrator.v1 import orchestrator_service_pb2 as pb
from hapju.orchestrator.v1 import orchestrator_service_pb2_grpc
from services.contract.events import Accepted, Failed, FlowEvent
from services.contract.flow import Question
from services.contract.mapping import to_proto
from services.runtime import deadlines
from services.runtime.calls import messages
from services.runtime.clock import Clock
from services.runtime.errors import DeadlineExceeded, HapjuError, Internal
from services.runtime.ids import new_flow_run_id

_LOST = {
    "ko": "지금은 서비스 일부에 연결할 수 없습니다. 잠시 뒤에 다시 시도해 주세요.",
    "en": "A part of the service cannot be reached now. Please try again in a moment.",
}


class Asking:
    """Starts flows at the orchestrator and passes their events on as they come."""

    def __init__(self, orchestrator: orchestrator_service_pb2_grpc.OrchestratorServiceAsyncStub, clock: Clock) -> None:
        self._orchestrator = orchestrator
        self._clock = clock

    async def ask(self, admitted: Admitted) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        """Yields a flow's events until its end.

        Raises:
            HapjuError: Before the first event only, except DeadlineExceeded, which may come at any time.
        """
        flow_run_id, question, at_once = new_flow_run_id(), admitted.question, admitted.begins_session
        accepted = at_once
        if at_once:
            yield self._event(Accepted(flow_run_id, replayed=False, session_id=question.session_id))
        try:
            async with aclosing(self._run(flow_run_id, question)) as events:
                async for event in events:
                    if event.WhichOneof("event") == "accepted" and at_once:
                        continue
                    accepted = True
                    yield event
        except DeadlineExceeded:
            # The client's own timer is some hops' margins behind: it is to end the call, not we.
            await asyncio.sleep(max(0.0, deadlines.remaining_seconds() or 0.0))
            raise
        except HapjuError as error:
            if not accepted:
                raise
            yield self._event(_failed(error, question.locale))

    async def _run(self, flow_run_id: str, question: Question) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
        request = pb.RunFlowRequest(flow_run_id=flow_run_id, question=to_proto(question, question_pb2.Question))
        async with aclosing(messages(self._orchestrator.RunFlow(request))) as told:
            async for message in told:
                yield message.event

    def _event(self, event: Accepted | Failed) -> flow_event_pb2.FlowEvent:
        return to_proto(FlowEvent(None, self._clock(), event), flow_event_pb2.FlowEvent)


def _failed(error: HapjuError, locale: str) -> Failed:
    text = error.message if not isinstance(error, Internal) else _LOST[locale]
    return Failed(error.code.name, error.reason, text, error.error_id)
