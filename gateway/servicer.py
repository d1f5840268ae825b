"""Serves GatewayService; what concerns flows is passed on to their owner as it is."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import cast

import grpc

from gateway.admission import QUESTION_CHARACTERS_MAX, Admission, Admitted, seen_answer
from gateway.asking import FlowStarter
from gateway.authentication import Authentication
from gateway.documents import MEDIA_TYPE, as_docx, document_in, file_name
from gateway.door import ENDS, Door, Inside
from gateway.files.reading import FileReader
from gateway.hearing import Events
from gateway.keys import KeySet
from gateway.previews import QuestionPreviews
from gateway.texts import in_language, worded
from hapju.agent.v1 import agent_description_pb2
from hapju.flow.v1 import decision_pb2, plan_pb2, question_pb2, route_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from hapju.gateway.v1 import gateway_service_pb2_grpc
from hapju.orchestrator.v1 import orchestrator_service_pb2 as owner_pb
from hapju.orchestrator.v1 import orchestrator_service_pb2_grpc
from hapju.planner.v1 import planner_service_pb2_grpc
from hapju.router.v1 import router_service_pb2_grpc
from hapju.tool.v1 import tool_gateway_service_pb2, tool_gateway_service_pb2_grpc
from observability.spans import bind_flow
from services.catalog.loader import Catalog, catalog
from services.contract.flow import OnDisconnect, Question
from services.contract.mapping import from_proto, to_proto
from services.plugin.declarations import Agent
from services.runtime.auditing import note
from services.runtime.errors import HapjuError
from services.runtime.fields import flow_id, language_asked, named, named_or_empty, page_size, page_token
from services.runtime.identity import Caller, current_caller
from services.runtime.ids import new_flow_run_id
from services.runtime.server import Service
from services.runtime.settings import SettingsError
from services.runtime.tenants import tenants_from
from services.text.language import language_of
from services.text.normalise import is_blank


class GatewayServicer(gateway_service_pb2_grpc.GatewayServiceServicer):
    """The door for clients."""

    def __init__(self, service: Service, admission: Admission, listed: Catalog) -> None:
        peers = service.peers
        self._admission = admission
        self._files = FileReader(service.settings)
        self._catalog = listed
        self._peers = peers
        self._owner = peers.stub(orchestrator_service_pb2_grpc.OrchestratorServiceStub, "orchestrator")
        self._tools = peers.stub(tool_gateway_service_pb2_grpc.ToolGatewayServiceStub, "tool_gateway")
        self._asking = FlowStarter(self._owner, service.clock)
        self._door = Door()
        self._flows_max = service.settings.flows_max
        self._tenants = tenants_from(service.settings.tenants)
        self._previews = QuestionPreviews(
            peers.stub(router_service_pb2_grpc.RouterServiceStub, "router"),
            peers.stub(planner_service_pb2_grpc.PlannerServiceStub, "planner"),
            service.settings,
            service.clock,
        )

    async def Ask(self, request: pb.AskRequest, context: object) -> AsyncIterator[pb.AskResponse]:
        """Ask a question and stream its flow."""
        with self._inside() as inside:
            admitted = await self._admitted(request.question, OnDisconnect.CANCEL)
            # The flow's owner may be full, or counts what a tenant asks: it says so before anything is promised.
            sure = self._door.running <= self._flows_max and not self._tenants.granted().has_quota
            events = self._asking.ask(admitted, at_once=sure)
            async with aclosing(events):
                async for told in events:
                    inside.heard(told)
                    _noted(told)
                    for first, *further in _shared(told, together=request.together):
                        yield pb.AskResponse(event=first, further_events=further)

    async def StartFlow(self, request: pb.StartFlowRequest, context: object) -> pb.StartFlowResponse:
        """Start a flow and return at once."""
        with self._inside() as inside:
            admitted = await self._admitted(request.question, OnDisconnect.CONTINUE)
            asked = to_proto(admitted.question, question_pb2.Question)
            flow_run_id = new_flow_run_id()
            with bind_flow(flow_run_id), worded(admitted.question.locale):
                call = self._owner.StartFlow(owner_pb.StartFlowRequest(flow_run_id=flow_run_id, question=asked))
                started = await call
            inside.goes_on(started.flow_run_id)
        note(flow_run_id=started.flow_run_id)
        return pb.StartFlowResponse(
            flow_run_id=started.flow_run_id,
            replayed=started.replayed,
            session_id=started.session_id,
        )

    async def WatchFlow(self, request: pb.WatchFlowRequest, context: object) -> AsyncIterator[pb.WatchFlowResponse]:
        """Stream a flow's events after a sequence until its end."""
        events = self._asking.watch(flow_id(request.flow_run_id), request.after_sequence)
        async with aclosing(events):
            async for told in events:
                self._door.heard(request.flow_run_id, told)
                for first, *further in _shared(told, together=request.together):
                    yield pb.WatchFlowResponse(event=first, further_events=further)

    async def CancelFlow(self, request: pb.CancelFlowRequest, context: object) -> pb.CancelFlowResponse:
        """Cancel a flow at every hop."""
        return pb.CancelFlowResponse(phase=(await self._asking.cancel(flow_id(request.flow_run_id))).phase)

    async def AnswerQuestion(self, request: pb.AnswerQuestionRequest, context: object) -> pb.AnswerQuestionResponse:
        """Answer a question that a flow waits with."""
        asked = owner_pb.AnswerQuestionRequest(
            flow_run_id=flow_id(request.flow_run_id),
            question_id=request.question_id,
            answer=seen_answer(request.answer),
            action_digest=request.action_digest,
        )
        return pb.AnswerQuestionResponse(outcome=(await self._owner.AnswerQuestion(asked)).outcome)

    async def GetFlow(self, request: pb.GetFlowRequest, context: object) -> pb.GetFlowResponse:
        """Return a flow's record with its call chain."""
        asked = owner_pb.GetFlowRequest(
            flow_run_id=flow_id(request.flow_run_id), of_tenant=request.of_tenant, with_content=request.with_content
        )
        return pb.GetFlowResponse(record=(await self._owner.GetFlow(asked)).record)

    async def GetDocument(self, request: pb.GetDocumentRequest, context: object) -> pb.GetDocumentResponse:
        """Return a document of a flow's answer as a file."""
        asked = owner_pb.GetFlowRequest(flow_run_id=flow_id(request.flow_run_id))
        document_id = named(request.document_id, "document_id")
        document = document_in((await self._owner.GetFlow(asked)).record.events, document_id)
        content = await asyncio.to_thread(as_docx, document)
        return pb.GetDocumentResponse(content=content, media_type=MEDIA_TYPE, file_name=file_name(document))

    async def GetFlowRecording(
        self, request: pb.GetFlowRecordingRequest, context: object
    ) -> pb.GetFlowRecordingResponse:
        """Return what it takes to replay a flow."""
        asked = owner_pb.GetFlowRecordingRequest(flow_run_id=flow_id(request.flow_run_id))
        return pb.GetFlowRecordingResponse(recording=(await self._owner.GetFlowRecording(asked)).recording)

    async def ReportExperiment(
        self, request: pb.ReportExperimentRequest, context: object
    ) -> pb.ReportExperimentResponse:
        """Return what the variants of an experiment have come to."""
        asked = owner_pb.ReportExperimentRequest(experiment=request.experiment)
        return pb.ReportExperimentResponse(variants=(await self._owner.ReportExperiment(asked)).variants)

    async def LabelFlow(self, request: pb.LabelFlowRequest, context: object) -> pb.LabelFlowResponse:
        """Say what would have been right in a flow."""
        asked = owner_pb.LabelFlowRequest(
            flow_run_id=flow_id(request.flow_run_id), experiment=request.experiment, label=request.label
        )
        await self._owner.LabelFlow(asked)
        return pb.LabelFlowResponse()

    async def ListFlows(self, request: pb.ListFlowsRequest, context: object) -> pb.ListFlowsResponse:
        """List the caller's flows, the newest first."""
        page_size(request.page_size)
        listed = await self._owner.ListFlows(
            owner_pb.ListFlowsRequest(
                page_size=request.page_size,
                page_token=page_token(request.page_token),
                session_id=named_or_empty(request.session_id, "session_id"),
                of_tenant=request.of_tenant,
                counted=request.counted,
            ),
        )
        return pb.ListFlowsResponse(
            flows=listed.flows, next_page_token=listed.next_page_token, total_size=listed.total_size
        )

    async def ListSessions(self, request: pb.ListSessionsRequest, context: object) -> pb.ListSessionsResponse:
        """List the caller's conversations, the latest first."""
        page_size(request.page_size)
        asked = owner_pb.ListSessionsRequest(page_size=request.page_size, page_token=page_token(request.page_token))
        listed = await self._owner.ListSessions(asked)
        return pb.ListSessionsResponse(sessions=listed.sessions, next_page_token=listed.next_page_token)

    async def GetSession(self, request: pb.GetSessionRequest, context: object) -> pb.GetSessionResponse:
        """Return what was said in a conversation."""
        page_size(request.page_size)
        asked = owner_pb.GetSessionRequest(
            session_id=named(request.session_id, "session_id"),
            page_size=request.page_size,
            page_token=page_token(request.page_token),
        )
        found = await self._owner.GetSession(asked)
        return pb.GetSessionResponse(session=found.session, turns=found.turns, next_page_token=found.next_page_token)

    async def DeleteSession(self, request: pb.DeleteSessionRequest, context: object) -> pb.DeleteSessionResponse:
        """Delete a conversation with everything that is kept of it."""
        asked = owner_pb.DeleteSessionRequest(session_id=named(request.session_id, "session_id"))
        return pb.DeleteSessionResponse(flows_deleted=(await self._owner.DeleteSession(asked)).flows_deleted)

    async def Route(self, request: pb.RouteRequest, context: object) -> pb.RouteResponse:
        """Return how a question would be understood."""
        preview = await self._previews.route((await self._admitted(request.question, OnDisconnect.CANCEL)).question)
        return pb.RouteResponse(
            flow_run_id=preview.flow_run_id,
            route=to_proto(preview.route, route_pb2.RouteDecision),
            spent=to_proto(preview.spent, decision_pb2.Spent),
        )

    async def Plan(self, request: pb.PlanRequest, context: object) -> pb.PlanResponse:
        """Return how a question would be answered."""
        preview = await self._previews.plan((await self._admitted(request.question, OnDisconnect.CANCEL)).question)
        return pb.PlanResponse(
            flow_run_id=preview.flow_run_id,
            route=to_proto(preview.route, route_pb2.RouteDecision),
            plan=to_proto(preview.plan, plan_pb2.ExecutionPlan) if preview.plan is not None else None,
            spent=to_proto(preview.spent, decision_pb2.Spent),
        )

    async def ListAgents(self, request: pb.ListAgentsRequest, context: object) -> pb.ListAgentsResponse:
        """List the agents of this deployment, each as the catalog declares it, in the language that is asked for."""
        return listed_agents(self._catalog, language_asked(request.locale))

    async def ListTools(self, request: pb.ListToolsRequest, context: object) -> pb.ListToolsResponse:
        """List the tools of this deployment."""
        asked = tool_gateway_service_pb2.ListToolsRequest(locale=request.locale)
        return pb.ListToolsResponse(tools=(await self._tools.ListTools(asked)).tools)

    def refusal(self, request: pb.AskRequest | pb.StartFlowRequest, caller: Caller) -> HapjuError | None:
        """Return why a question is not taken, in its language; None where there is room for its flow."""
        refusal = self._door.refusal(caller.tenant)
        if refusal is None:
            return None
        question = request.question
        return in_language(refusal, question.locale or language_of(question.text[:QUESTION_CHARACTERS_MAX]))

    @contextmanager
    def _inside(self) -> Iterator[Inside]:
        """Hold room for a question's flow."""
        inside = self._door.enter(current_caller().tenant)
        try:
            yield inside
        finally:
            inside.leave()

    async def _admitted(self, question: question_pb2.Question, on_disconnect: OnDisconnect) -> Admitted:
        """Return a question that may go on: its own fields are checked before any file of it is looked at."""
        asked = from_proto(question, Question)
        admitted = self._admission.admit(asked, current_caller(), on_disconnect)
        if not asked.attachments:
            return admitted
        read = await self._files.read(admitted.question)
        if not asked.locale and is_blank(asked.text):
            read = replace(read, locale=str(language_of(read.attachments[0].text[:QUESTION_CHARACTERS_MAX])))
        return replace(admitted, question=read)


def _noted(told: Events) -> None:
    """Note for the line that tells of the question which flow it became, and how that ended."""
    for event in told:
        name = event.WhichOneof("event")
        if name == "accepted":
            note(flow_run_id=event.accepted.flow_run_id)
        elif name in ENDS:
            note(outcome=name)


def _shared(told: Events, *, together: bool) -> tuple[Events, ...]:
    """Return what is told at once by the messages that it is told in."""
    return (told,) if together else tuple((event,) for event in told)


async def _kept_fresh(keys: KeySet, service: Service) -> None:
    """Have the keys of tokens looked at again while the service runs; it is ready once there are any."""

    async def known() -> str:
        if not keys.are_known:
            await keys.refresh()
        return "" if keys.are_known else "the identity provider's keys cannot be had"

    service.health.ready_when("jwt keys", known)
    fresh = asyncio.create_task(keys.keep_fresh())

    async def ended() -> None:
        fresh.cancel()
        await asyncio.gather(fresh, return_exceptions=True)

    service.stack.push_async_callback(ended)


async def register(server: grpc.aio.Server, service: Service) -> None:
    """Add the gateway to a server; from here on, callers are known by their tokens."""
    listed = catalog()
    known = tuple(listed.domains)
    enabled = service.settings.domains or known
    unknown = sorted(set(enabled) - set(known))
    if unknown:
        raise SettingsError(f"HAPJU_DOMAINS: unknown {', '.join(unknown)}; known are {', '.join(known)}")
    authentication = Authentication.from_settings(service.settings)
    service.identify = authentication.identify
    if authentication.keys is not None:
        await _kept_fresh(authentication.keys, service)
    servicer = GatewayServicer(service, Admission(known, enabled, tuple(listed.intents)), listed)
    gateway_service_pb2_grpc.add_GatewayServiceServicer_to_server(servicer, server)
    name = pb.DESCRIPTOR.services_by_name["GatewayService"].full_name
    service.implements.append(name)
    service.refusing |= {f"/{name}/Ask": servicer.refusal, f"/{name}/StartFlow": servicer.refusal}
    if service.settings.http_listen not in {"", "off"}:
        # Imported only where it is served: a gateway that speaks gRPC alone starts without a web server.
        from gateway.http.edge import stand_beside  # noqa: PLC0415

        gateway_service_pb2_grpc.add_GatewayServiceServicer_to_server(servicer, cast("grpc.aio.Server", service.local))

        stand_beside(service)


def listed_agents(catalog: Catalog, locale: str) -> pb.ListAgentsResponse:
    """Return every agent of the catalog, by id, with what domains and intents are called."""
    agents = sorted(catalog.agents.values(), key=lambda agent: agent.id)
    titles = {agent.id: agent.title.of(locale) for agent in agents}
    titles |= {domain.domain: domain.title.of(locale) for domain in catalog.domains.values()}
    titles |= {intent.id: intent.description.of(locale) for intent in catalog.intents.values()}
    return pb.ListAgentsResponse(agents=[_listed(agent, catalog, locale) for agent in agents], titles=titles)


def _listed(agent: Agent, catalog: Catalog, locale: str) -> pb.ListedAgent:
    description = agent_description_pb2.DescribeResponse(
        agent=agent.id,
        answers=agent.answers.of(locale),
        declines=agent.declines.of(locale),
        tools=[binding.name for binding in agent.tools] if agent.served else [],
    )
    return pb.ListedAgent(
        description=description,
        served=agent.served,
        intents=[intent.id for intent in catalog.intents.values() if agent.id in intent.owners],
        title=agent.title.of(locale),
    )
