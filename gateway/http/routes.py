"""Which path is which call: the one table that the application, the OpenAPI document and the tests are made from."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from google.protobuf.message import Message

from gateway import documents
from hapju.flow.v1 import answer_pb2, flow_event_pb2, question_pb2, record_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb


@dataclass(frozen=True, slots=True)
class RouteCall:
    """One path of the edge and the call that it makes."""

    method: str
    """GET, POST or DELETE."""
    path: str
    """The path; a part in braces is a field of the request."""
    rpc: str
    """The call of GatewayService."""
    request: type[Message]
    """Its request."""
    response: type[Message]
    """What the response's body holds."""
    body: type[Message] | None = None
    """What the request's body holds; None where it has none."""
    body_field: str = ""
    """The field of the request that the body is; empty where it is the whole request."""
    response_field: str = ""
    """The field of the call's response that is told; empty where it is the whole."""
    status: int = HTTPStatus.OK
    """The status of a response."""
    events: bool = False
    """True where the response is, or may be, a stream of events."""
    file: str = ""
    """The media type of the file that the call's response holds, which is told as it is; empty where it holds none."""

    @property
    def in_path(self) -> tuple[str, ...]:
        """The fields that the path holds."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    @property
    def in_query(self) -> frozenset[str]:
        """The fields that the query holds."""
        if self.body is not None:
            return frozenset()
        return frozenset(self.request.DESCRIPTOR.fields_by_name) - set(self.in_path) - {"together"}


ASK: Final = RouteCall(
    "POST",
    "/v1/ask",
    "Ask",
    pb.AskRequest,
    answer_pb2.FinalAnswer,
    body=question_pb2.Question,
    body_field="question",
    events=True,
)
"""Asks a question."""
WATCH: Final = RouteCall(
    "GET", "/v1/flows/{flow_run_id}/events", "WatchFlow", pb.WatchFlowRequest, flow_event_pb2.FlowEvent, events=True
)
"""Tells a flow's events."""
UNARY: Final = (
    RouteCall(
        "POST",
        "/v1/flows",
        "StartFlow",
        pb.StartFlowRequest,
        pb.StartFlowResponse,
        body=question_pb2.Question,
        body_field="question",
        status=HTTPStatus.ACCEPTED,
    ),
    RouteCall("GET", "/v1/flows", "ListFlows", pb.ListFlowsRequest, pb.ListFlowsResponse),
    RouteCall(
        "GET",
        "/v1/flows/{flow_run_id}",
        "GetFlow",
        pb.GetFlowRequest,
        record_pb2.FlowRecord,
        response_field="record",
    ),
    RouteCall(
        "GET",
        "/v1/flows/{flow_run_id}/documents/{document_id}",
        "GetDocument",
        pb.GetDocumentRequest,
        pb.GetDocumentResponse,
        file=documents.MEDIA_TYPE,
    ),
    RouteCall("POST", "/v1/flows/{flow_run_id}/cancel", "CancelFlow", pb.CancelFlowRequest, pb.CancelFlowResponse),
    RouteCall(
        "POST",
        "/v1/flows/{flow_run_id}/questions/{question_id}/answer",
        "AnswerQuestion",
        pb.AnswerQuestionRequest,
        pb.AnswerQuestionResponse,
        body=pb.AnswerQuestionRequest,
    ),
    RouteCall("GET", "/v1/sessions", "ListSessions", pb.ListSessionsRequest, pb.ListSessionsResponse),
    RouteCall("GET", "/v1/sessions/{session_id}", "GetSession", pb.GetSessionRequest, pb.GetSessionResponse),
    RouteCall(
        "DELETE", "/v1/sessions/{session_id}", "DeleteSession", pb.DeleteSessionRequest, pb.DeleteSessionResponse
    ),
    RouteCall(
        "POST",
        "/v1/route",
        "Route",
        pb.RouteRequest,
        pb.RouteResponse,
        body=question_pb2.Question,
        body_field="question",
    ),
    RouteCall(
        "POST", "/v1/plan", "Plan", pb.PlanRequest, pb.PlanResponse, body=question_pb2.Question, body_field="question"
    ),
    RouteCall("GET", "/v1/agents", "ListAgents", pb.ListAgentsRequest, pb.ListAgentsResponse),
    RouteCall("GET", "/v1/tools", "ListTools", pb.ListToolsRequest, pb.ListToolsResponse),
)
"""Every call that answers with one message."""
CALLS: Final = (ASK, *UNARY[:3], WATCH, *UNARY[3:])
"""Every path of the edge that is a call."""
