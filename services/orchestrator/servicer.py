"""Serves OrchestratorService over flows.py and looking.py, and what the store alone answers."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from typing import Final

import grpc

from hapju.flow.v1 import experiment_pb2, flow_event_pb2, memory_pb2, question_pb2, record_pb2, recording_pb2
from hapju.orchestrator.v1 import orchestrator_service_pb2 as pb
from hapju.orchestrator.v1 import orchestrator_service_pb2_grpc
from prompts.prompt import ModelRole
from services.contract.events import Failed, FlowEvent
from services.contract.flow import Question
from services.contract.forms import zone_problem
from services.contract.mapping import from_proto, to_proto
from services.durable.store import FlowStore
from services.llm.build import decider_from
from services.llm.decider import Decider
from services.orchestrator.calls import PeerEnsemble
from services.orchestrator.caretaker import Caretaker
from services.orchestrator.driving import Driving
from services.orchestrator.flow.conductor import Conductor
from services.orchestrator.flow.reusing import Reusing
from services.orchestrator.flow.writing import Writing
from services.orchestrator.flows import Flows
from services.orchestrator.looking import Looking
from services.orchestrator.replay.recording import recording_of
from services.orchestrator.speculation.preparing import Preparing
from services.orchestrator.steps.assessment import Assessor
from services.orchestrator.steps.attempt import Steps
from services.orchestrator.steps.loop import TeamLoop
from services.orchestrator.steps.review import Reviewer
from services.orchestrator.steps.tooling import ToolChoice
from services.orchestrator.summarising import Summarising
from services.runtime import deadlines
from services.runtime.errors import DeadlineExceeded, InvalidRequest
from services.runtime.fields import flow_id, named, named_or_empty, page_size, page_token
from services.runtime.identity import current_caller
from services.runtime.model_settings import LlmSettings
from services.runtime.server import Service
from services.runtime.settings import Settings

TOGETHER_BYTES_MAX: Final = 256 * 1024
"""How much events that share a message may be, far below what a message may be; a larger one goes by itself."""


class OrchestratorServicer(orchestrator_service_pb2_grpc.OrchestratorServiceServicer):
    """Starts, tells and ends flows for the caller of each call."""

    def __init__(self, flows: Flows, looking: Looking, store: FlowStore) -> None:
        self._flows = flows
        self._looking = looking
        self._store = store

    async def StartFlow(self, request: pb.StartFlowRequest, context: object) -> pb.StartFlowResponse:
        """Start a flow, or answer the one that waits for it, and return at once."""
        question = _question(request)
        started = await self._flows.say(current_caller(), flow_id(request.flow_run_id), question)
        return pb.StartFlowResponse(
            flow_run_id=started.flow_run_id,
            replayed=started.replayed,
            session_id=started.session_id,
        )

    async def RunFlow(self, request: pb.RunFlowRequest, context: object) -> AsyncIterator[pb.RunFlowResponse]:
        """Start a flow and tell its events; the caller's deadline ends both with DEADLINE_EXCEEDED."""
        caller, question = current_caller(), _question(request)
        left = deadlines.remaining_seconds()
        bound = left is not None and (question.flow_timeout is None or question.flow_timeout.total_seconds() >= left)
        events = self._flows.run(caller, flow_id(request.flow_run_id), question, left)
        async with aclosing(events):
            async for told in events:
                late = _late(told[-1]) if bound else None
                for first, *further in _messages(told if late is None else told[:-1], together=request.together):
                    yield pb.RunFlowResponse(event=first, further_events=further)
                if late is not None:
                    raise late

    async def WatchFlow(self, request: pb.WatchFlowRequest, context: object) -> AsyncIterator[pb.WatchFlowResponse]:
        """Tell a flow's events after a sequence until its end."""
        events = self._flows.watch(current_caller(), flow_id(request.flow_run_id), request.after_sequence)
        async with aclosing(events):
            async for told in events:
                for first, *further in _messages(told, together=request.together):
                    yield pb.WatchFlowResponse(event=first, further_events=further)

    async def CancelFlow(self, request: pb.CancelFlowRequest, context: object) -> pb.CancelFlowResponse:
        """Cancel a flow at every hop."""
        phase = await self._flows.cancel(current_caller(), flow_id(request.flow_run_id))
        return pb.CancelFlowResponse(phase=flow_event_pb2.Phase.Value(f"PHASE_{phase.value}"))

    async def AnswerQuestion(self, request: pb.AnswerQuestionRequest, context: object) -> pb.AnswerQuestionResponse:
        """Answer a question that a flow waits with."""
        outcome = await self._flows.answer(
            current_caller(), flow_id(request.flow_run_id), request.question_id, request.answer, request.action_digest
        )
        return pb.AnswerQuestionResponse(outcome=flow_event_pb2.QuestionOutcome.Value(f"QUESTION_OUTCOME_{outcome}"))

    async def GetFlow(self, request: pb.GetFlowRequest, context: object) -> pb.GetFlowResponse:
        """Return all that is kept of a flow."""
        caller, flow_run_id = current_caller(), flow_id(request.flow_run_id)
        if request.of_tenant:
            record = await self._looking.overseen(caller, flow_run_id, with_content=request.with_content)
        else:
            record = await self._looking.record(caller, flow_run_id)
        return pb.GetFlowResponse(record=to_proto(record, record_pb2.FlowRecord))

    async def GetFlowRecording(
        self, request: pb.GetFlowRecordingRequest, context: object
    ) -> pb.GetFlowRecordingResponse:
        """Return what it takes to replay a flow."""
        recording = await recording_of(self._store, current_caller(), flow_id(request.flow_run_id))
        return pb.GetFlowRecordingResponse(recording=to_proto(recording, recording_pb2.FlowRecording))

    async def ReportExperiment(
        self, request: pb.ReportExperimentRequest, context: object
    ) -> pb.ReportExperimentResponse:
        """Return what the variants of an experiment have come to."""
        reported = await self._store.experiments.report(current_caller(), request.experiment)
        variants = [to_proto(one, experiment_pb2.VariantReport) for one in reported]
        return pb.ReportExperimentResponse(variants=variants)

    async def LabelFlow(self, request: pb.LabelFlowRequest, context: object) -> pb.LabelFlowResponse:
        """Say what would have been right in a flow."""
        of_flow = flow_id(request.flow_run_id)
        await self._store.experiments.label(current_caller(), of_flow, request.experiment, request.label)
        return pb.LabelFlowResponse()

    async def ListFlows(self, request: pb.ListFlowsRequest, context: object) -> pb.ListFlowsResponse:
        """List the caller's flows, the newest first."""
        size, token = page_size(request.page_size), page_token(request.page_token)
        session_id = named_or_empty(request.session_id, "session_id")
        found = await self._looking.page(current_caller(), session_id, token, size, of_tenant=request.of_tenant)
        token = found[-1].flow_run_id if len(found) == size else ""
        listed = [to_proto(summary, record_pb2.FlowSummary) for summary in found]
        total = 0
        if request.counted:
            total = await self._looking.count(current_caller(), session_id, of_tenant=request.of_tenant)
        return pb.ListFlowsResponse(flows=listed, next_page_token=token, total_size=total)

    async def ListSessions(self, request: pb.ListSessionsRequest, context: object) -> pb.ListSessionsResponse:
        """List the caller's conversations, the latest first."""
        size, token = page_size(request.page_size), page_token(request.page_token)
        found = await self._store.memory.sessions(current_caller(), token, size)
        listed = [to_proto(summary, memory_pb2.SessionSummary) for summary, _ in found]
        return pb.ListSessionsResponse(sessions=listed, next_page_token=found[-1][1] if len(found) == size else "")

    async def GetSession(self, request: pb.GetSessionRequest, context: object) -> pb.GetSessionResponse:
        """Return what was said in a conversation."""
        size, token = page_size(request.page_size), page_token(request.page_token)
        summary, turns, token = await self._store.memory.session(
            current_caller(), named(request.session_id, "session_id"), token, size
        )
        return pb.GetSessionResponse(
            session=to_proto(summary, memory_pb2.SessionSummary),
            turns=[to_proto(turn, question_pb2.Turn) for turn in turns],
            next_page_token=token,
        )

    async def DeleteSession(self, request: pb.DeleteSessionRequest, context: object) -> pb.DeleteSessionResponse:
        """Delete a conversation."""
        caller, session_id = current_caller(), named(request.session_id, "session_id")
        await self._store.memory.session(caller, session_id, "", 1)  # raises where there is none
        deleted = await self._store.retention.delete_session(caller, session_id)
        return pb.DeleteSessionResponse(flows_deleted=deleted)


def _question(request: pb.StartFlowRequest | pb.RunFlowRequest) -> Question:
    """Return the question of a request; what the flow is kept by has to have its form, whoever calls.

    Raises:
        ContractViolation: As `from_proto`.
        InvalidRequest: A name or the time zone has none.
    """
    if not request.HasField("question"):
        raise InvalidRequest.of("question", "is required")
    question = from_proto(request.question, Question)
    for field in ("session_id", "request_id"):
        named_or_empty(getattr(question, field), f"question.{field}")
    if question.time_zone and (problem := zone_problem(question.time_zone)):
        raise InvalidRequest.of("question.time_zone", problem)
    return question


def _late(event: FlowEvent) -> DeadlineExceeded | None:
    """Return the error of a flow that ended because its time was up."""
    failed = event.event
    if isinstance(failed, Failed) and failed.reason == DeadlineExceeded.default_reason:
        return DeadlineExceeded(failed.message)
    return None


def _messages(events: Sequence[FlowEvent], *, together: bool) -> Iterator[list[flow_event_pb2.FlowEvent]]:
    """Yield the events of each message."""
    group: list[flow_event_pb2.FlowEvent] = []
    size = 0
    for event in events:
        made = to_proto(event, flow_event_pb2.FlowEvent)
        size += made.ByteSize()
        if group and (size > TOGETHER_BYTES_MAX or not together):
            yield group
            group, size = [], made.ByteSize()
        group.append(made)
    if group:
        yield group


def conductor_of(settings: Settings, ensemble: PeerEnsemble, decider: Decider) -> Conductor:
    """Return the conductor that settings make."""
    reviewer = Reviewer(decider, decider_from(LlmSettings(), "orchestrator"), typed_asks=settings.typed_asks)
    steps = Steps(ensemble, ToolChoice(decider), tools_ahead=settings.tools_ahead, early=settings.early_results)
    return Conductor(
        ensemble,
        Reusing(wanted=settings.data_reuse, question_seconds_max=settings.reuse_question_seconds_max),
        TeamLoop(steps, Assessor(decider), reviewer, together=settings.judged_together),
        Writing(ensemble, reviewer, ahead=settings.answer_ahead),
        settings.question_seconds_max,
        preparing=Preparing(ensemble, wanted=settings.wording_ahead and decider.configured(ModelRole.UTILITY)),
        route_beside_policy=settings.route_beside_policy,
    )


async def register(server: grpc.aio.Server, service: Service) -> None:
    """Open the flow store and add the orchestrator to a server."""
    store = FlowStore.at(service.settings.flow_store_url, service.clock, service.settings.lease_seconds)
    service.stack.push_async_callback(store.close)
    service.health.ready_when("flow_store", store.check)
    decider = decider_from(service.settings.llm, service.name)
    service.stack.push_async_callback(decider.aclose)
    conductor = conductor_of(service.settings, PeerEnsemble(service.peers), decider)
    summarising = Summarising(decider, store.writer, wanted=service.settings.conversation_summary)
    service.stack.push_async_callback(summarising.stop)

    def draining() -> bool:
        return service.health.stopping

    driving = Driving(conductor, store, service.settings, service.clock, draining, summarising)
    service.stack.push_async_callback(driving.stop)
    caretaker = Caretaker(driving, store, service.clock)
    service.stack.push_async_callback(caretaker.stop)
    await caretaker.start()
    flows = Flows(driving, store, service.settings, service.clock, draining)
    servicer = OrchestratorServicer(flows, Looking(store, driving.running, service.clock), store)
    orchestrator_service_pb2_grpc.add_OrchestratorServiceServicer_to_server(servicer, server)
    service.implements.append(pb.DESCRIPTOR.services_by_name["OrchestratorService"].full_name)
