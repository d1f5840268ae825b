"""The calls that answer with one message: each connects, asks once and returns the response."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.cli import output
from services.cli.client import UNARY_SECONDS, GatewayClient
from services.cli.connection import connected
from services.cli.environment import finish
from services.cli.questions import CommandQuestion
from services.cli.tokens import Identity

R = TypeVar("R")


def routed(asked: CommandQuestion) -> pb.RouteResponse:
    """Return how a question is understood; raise Problem."""
    request = pb.RouteRequest(question=asked.to_proto())
    seconds = asked.timeout_seconds or UNARY_SECONDS
    return _with_gateway(asked.identity, lambda gateway: gateway.call(gateway.stub.Route, request, seconds))


def planned(asked: CommandQuestion) -> pb.PlanResponse:
    """Return how a question would be answered; raise Problem."""
    request = pb.PlanRequest(question=asked.to_proto())
    seconds = asked.timeout_seconds or UNARY_SECONDS
    return _with_gateway(asked.identity, lambda gateway: gateway.call(gateway.stub.Plan, request, seconds))


def flow(identity: Identity, flow_run_id: str) -> pb.GetFlowResponse:
    """Return a flow's record; raise Problem where the caller has no such flow."""
    request = pb.GetFlowRequest(flow_run_id=flow_run_id)
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.GetFlow, request))


def document(identity: Identity, flow_run_id: str, document_id: str) -> pb.GetDocumentResponse:
    """Return a document of a flow as a file; raises Problem where the caller has no such flow or document."""
    request = pb.GetDocumentRequest(flow_run_id=flow_run_id, document_id=document_id)
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.GetDocument, request))


def answered(identity: Identity, request: pb.AnswerQuestionRequest) -> pb.AnswerQuestionResponse:
    """Answer what a flow asks; raise Problem where it does not wait with it."""
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.AnswerQuestion, request))


def cancelled(identity: Identity, flow_run_id: str) -> pb.CancelFlowResponse:
    """Cancel a flow; raise Problem where the caller has no such flow."""
    request = pb.CancelFlowRequest(flow_run_id=flow_run_id)
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.CancelFlow, request))


def flow_recording(identity: Identity, flow_run_id: str) -> pb.GetFlowRecordingResponse:
    """Return what it takes to replay a flow; raise Problem where the caller may not have it, or it cannot be."""
    request = pb.GetFlowRecordingRequest(flow_run_id=flow_run_id)
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.GetFlowRecording, request))


def experiment(identity: Identity, name: str) -> pb.ReportExperimentResponse:
    """Return what the variants of an experiment have come to; raise Problem."""
    request = pb.ReportExperimentRequest(experiment=name)
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.ReportExperiment, request))


def label(identity: Identity, flow_run_id: str, name: str, said: str) -> pb.LabelFlowResponse:
    """Say what would have been right in a flow of an experiment; raise Problem."""
    request = pb.LabelFlowRequest(flow_run_id=flow_run_id, experiment=name, label=said)
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.LabelFlow, request))


def flows(identity: Identity, request: pb.ListFlowsRequest) -> pb.ListFlowsResponse:
    """Return the caller's flows, the newest first; raise Problem."""
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.ListFlows, request))


def sessions(identity: Identity, request: pb.ListSessionsRequest) -> pb.ListSessionsResponse:
    """Return the caller's conversations, the latest first; raise Problem."""
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.ListSessions, request))


def session(identity: Identity, request: pb.GetSessionRequest) -> pb.GetSessionResponse:
    """Return what was said in a conversation; raise Problem where the caller has no such one."""
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.GetSession, request))


def delete_session(identity: Identity, session_id: str) -> pb.DeleteSessionResponse:
    """Delete a conversation; raise Problem where the caller has no such one."""
    request = pb.DeleteSessionRequest(session_id=session_id)
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.DeleteSession, request))


def agents(identity: Identity) -> pb.ListAgentsResponse:
    """Return the agents of the deployment; raise Problem."""
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.ListAgents, pb.ListAgentsRequest()))


def tools(identity: Identity, locale: str) -> pb.ListToolsResponse:
    """Return the tools that the caller may call, described in a language; raise Problem."""
    request = pb.ListToolsRequest(locale=locale)
    return _with_gateway(identity, lambda gateway: gateway.call(gateway.stub.ListTools, request))


def _with_gateway(identity: Identity, ask: Callable[[GatewayClient], Awaitable[R]]) -> R:
    async def work() -> R:
        async with connected(identity, output.say) as gateway:
            return await ask(gateway)

    return finish(work())
