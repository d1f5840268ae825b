"""A gateway that says what a test tells it to, over real gRPC: the command line is its client, as of any other."""

import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import grpc
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from hapju.flow.v1 import (
    answer_pb2,
    evidence_pb2,
    experiment_pb2,
    flow_event_pb2,
    memory_pb2,
    question_pb2,
    record_pb2,
    route_pb2,
)
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc

FLOW_RUN_ID = "01890a5d-ac96-774b-bcce-b302099a8057"


class ScriptedGateway(gateway_service_pb2_grpc.GatewayServiceServicer):
    """Says its script to every question, and keeps what it was asked."""

    def __init__(self) -> None:
        self.events: list[flow_event_pb2.FlowEvent] = []
        self.refusal: Status | None = None
        self.is_endless = False
        self.cancelled = Event()
        self.requests: list[Any] = []
        self.metadata: dict[str, str | bytes] = {}
        self.seconds_left: float | None = None

    def Ask(self, request: pb.AskRequest, context: grpc.ServicerContext) -> Iterator[pb.AskResponse]:
        self._note(request, context)
        # Taken before the first event: a client that leaves at it may be gone before anything behind it runs.
        if self.is_endless and not context.add_callback(self.cancelled.set):
            self.cancelled.set()  # The client was gone before; no callback is taken then.
        for event in self.events:
            yield pb.AskResponse(event=event)
        if self.is_endless:
            self.cancelled.wait(30)

    def Route(self, request: pb.RouteRequest, context: grpc.ServicerContext) -> pb.RouteResponse:
        self._note(request, context)
        route = route_pb2.RouteDecision(
            domain="finance", intent="macro_outlook", confidence=0.91, next_action=route_pb2.NEXT_ACTION_PROCEED
        )
        return pb.RouteResponse(flow_run_id=FLOW_RUN_ID, route=route)

    def Plan(self, request: pb.PlanRequest, context: grpc.ServicerContext) -> pb.PlanResponse:
        self._note(request, context)
        return pb.PlanResponse(flow_run_id=FLOW_RUN_ID)

    def GetFlow(self, request: pb.GetFlowRequest, context: grpc.ServicerContext) -> pb.GetFlowResponse:
        self._note(request, context)
        summary = record_pb2.FlowSummary(flow_run_id=request.flow_run_id, question="물가는?")
        return pb.GetFlowResponse(record=record_pb2.FlowRecord(summary=summary))

    def GetDocument(self, request: pb.GetDocumentRequest, context: grpc.ServicerContext) -> pb.GetDocumentResponse:
        self._note(request, context)
        return pb.GetDocumentResponse()

    def GetFlowRecording(
        self, request: pb.GetFlowRecordingRequest, context: grpc.ServicerContext
    ) -> pb.GetFlowRecordingResponse:
        self._note(request, context)
        return pb.GetFlowRecordingResponse()

    def ReportExperiment(
        self, request: pb.ReportExperimentRequest, context: grpc.ServicerContext
    ) -> pb.ReportExperimentResponse:
        self._note(request, context)
        return pb.ReportExperimentResponse(
            variants=[experiment_pb2.VariantReport(variant="hybrid", flows=4, answered=3, correct_skips=2, labelled=2)]
        )

    def LabelFlow(self, request: pb.LabelFlowRequest, context: grpc.ServicerContext) -> pb.LabelFlowResponse:
        self._note(request, context)
        return pb.LabelFlowResponse()

    def ListFlows(self, request: pb.ListFlowsRequest, context: grpc.ServicerContext) -> pb.ListFlowsResponse:
        self._note(request, context)
        return pb.ListFlowsResponse(flows=[record_pb2.FlowSummary(flow_run_id=FLOW_RUN_ID, question="물가는?")])

    def ListSessions(self, request: pb.ListSessionsRequest, context: grpc.ServicerContext) -> pb.ListSessionsResponse:
        self._note(request, context)
        return pb.ListSessionsResponse(sessions=[memory_pb2.SessionSummary(session_id="talk", summary="물가는? → 2%")])

    def GetSession(self, request: pb.GetSessionRequest, context: grpc.ServicerContext) -> pb.GetSessionResponse:
        self._note(request, context)
        said = question_pb2.Turn(speaker=question_pb2.SPEAKER_USER, text="물가는?")
        return pb.GetSessionResponse(session=memory_pb2.SessionSummary(session_id=request.session_id), turns=[said])

    def DeleteSession(
        self, request: pb.DeleteSessionRequest, context: grpc.ServicerContext
    ) -> pb.DeleteSessionResponse:
        self._note(request, context)
        return pb.DeleteSessionResponse(flows_deleted=2)

    def ListAgents(self, request: pb.ListAgentsRequest, context: grpc.ServicerContext) -> pb.ListAgentsResponse:
        self._note(request, context)
        return pb.ListAgentsResponse(agents=[pb.ListedAgent(served=True, intents=["macro_outlook"])])

    def ListTools(self, request: pb.ListToolsRequest, context: grpc.ServicerContext) -> pb.ListToolsResponse:
        self._note(request, context)
        return pb.ListToolsResponse()

    def StartFlow(self, request: pb.StartFlowRequest, context: grpc.ServicerContext) -> pb.StartFlowResponse:
        raise NotImplementedError

    def WatchFlow(self, request: pb.WatchFlowRequest, context: grpc.ServicerContext) -> Iterator[pb.WatchFlowResponse]:
        raise NotImplementedError

    def CancelFlow(self, request: pb.CancelFlowRequest, context: grpc.ServicerContext) -> pb.CancelFlowResponse:
        raise NotImplementedError

    def AnswerQuestion(
        self, request: pb.AnswerQuestionRequest, context: grpc.ServicerContext
    ) -> pb.AnswerQuestionResponse:
        raise NotImplementedError

    def _note(self, request: Any, context: grpc.ServicerContext) -> None:
        self.requests.append(request)
        self.metadata = dict(context.invocation_metadata())
        self.seconds_left = context.time_remaining()
        if self.refusal is not None:
            context.abort_with_status(rpc_status.to_status(self.refusal))


def told(sequence: int | None = None, **event: Any) -> flow_event_pb2.FlowEvent:
    """Returns one event."""
    return flow_event_pb2.FlowEvent(sequence=sequence, **event)


def refusal(code: grpc.StatusCode, reason: str, message: str, field: str = "") -> Status:
    """Returns the status by which a gateway refuses a request."""
    status = Status(code=code.value[0], message=message)
    status.details.add().Pack(ErrorInfo(reason=reason, domain="hapju"))
    if field:
        status.details.add().Pack(BadRequest(field_violations=[{"field": field, "description": message}]))
    return status


def answered(text: str = "실업률은 4.1%입니다.") -> flow_event_pb2.FlowEvent:
    """Returns the end of a flow that answered from one sample source."""
    citation = evidence_pb2.Citation(evidence_id="e1", title="US unemployment rate", source="hapju", sample=True)
    citation.as_of_time.FromJsonString("2026-10-01T00:00:00Z")
    answer = answer_pb2.FinalAnswer(flow_run_id=FLOW_RUN_ID, final_response=text, citations=[citation])
    return told(3, finished=flow_event_pb2.Finished(answer=answer))


def wait_until(holds: Callable[[], bool], seconds_max: float = 10.0) -> bool:
    """Waits for a state; returns whether it came."""
    until = time.monotonic() + seconds_max
    while not holds() and time.monotonic() < until:
        time.sleep(0.01)
    return holds()
