"""ToolGatewayService: converts, delegates, converts, returns."""

import asyncio
from collections.abc import Mapping
from math import inf
from time import monotonic
from typing import Final

import grpc
import structlog

from hapju.tool.v1 import tool_description_pb2
from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from hapju.tool.v1 import tool_gateway_service_pb2_grpc as pb_grpc
from services.catalog.loader import catalog
from services.contract.mapping import from_proto, to_proto
from services.contract.tool import (
    ApproveActionRequest,
    ApproveActionResponse,
    ExecuteActionRequest,
    ExecuteActionResponse,
    InvokeToolRequest,
    InvokeToolResponse,
    PreviewActionRequest,
    PreviewActionResponse,
    ReconcileActionRequest,
    ReconcileActionResponse,
)
from services.runtime import run
from services.runtime.errors import InvalidRequest
from services.runtime.health import Check
from services.runtime.identity import current_caller
from services.runtime.server import Service
from services.runtime.settings import Settings
from services.runtime.tenants import tenants_from
from services.runtime.threads import computed
from services.runtime.transport import Transport
from services.tool_gateway import observed
from services.tool_gateway.a2a.agents import MountedAgents
from services.tool_gateway.a2a.mounts import agents_from
from services.tool_gateway.data.graph.engines import default_graph_url, graph_lacking, open_graph
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.seed.state import schema_lacking
from services.tool_gateway.data.writer import DataWriter, WriteBusy, touched
from services.tool_gateway.effects.actions import Actions
from services.tool_gateway.effects.admission import ActionCall
from services.tool_gateway.effects.approvals import ApprovalWord
from services.tool_gateway.effects.backend import EffectBackend, GrpcBackend
from services.tool_gateway.effects.key import ORDINAL_MAX, EffectKey
from services.tool_gateway.grants import grants_of
from services.tool_gateway.graph_reads import GatewayGraphReads
from services.tool_gateway.invocation import Invocations, ToolInvocation
from services.tool_gateway.listing import Listing
from services.tool_gateway.mcp.mounts import mounts_from
from services.tool_gateway.mcp.servers import MountedServers
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import Registry, load_registry
from services.tool_gateway.web.provider import WebSearch
from services.tool_gateway.web.searxng import SearxngSearch

_log = structlog.get_logger(__name__)
KEY_CHARACTERS_MAX = 64


class ToolGatewayServicer(pb_grpc.ToolGatewayServiceServicer):
    """The only door to data and side effects."""

    def __init__(self, invocations: Invocations, listing: Listing, actions: Actions) -> None:
        self._invocations = invocations
        self._listing = listing
        self._actions = actions

    async def ListTools(self, request: pb.ListToolsRequest, context: object) -> pb.ListToolsResponse:
        """Return the tools that the caller sees."""
        caller = current_caller().service
        # The schemas and digests of those that nobody has seen yet are made now; one caller sees more than another.
        tools = await computed(lambda: self._listing.tools(caller, request.locale), at_once=False)
        return pb.ListToolsResponse(tools=[to_proto(tool, tool_description_pb2.ToolDescription) for tool in tools])

    async def DescribeTool(self, request: pb.DescribeToolRequest, context: object) -> pb.DescribeToolResponse:
        """Return one tool with its schemas."""
        caller = current_caller().service
        tool = await computed(lambda: self._listing.tool(request.name, caller, request.locale), at_once=True)
        return pb.DescribeToolResponse(tool=to_proto(tool, tool_description_pb2.ToolDescription))

    async def InvokeTool(self, request: pb.InvokeToolRequest, context: object) -> pb.InvokeToolResponse:
        """Make a call and return its outcome."""
        asked = from_proto(request, InvokeToolRequest)
        call = _call(asked)
        with run.use(asked.run):
            outcome = await observed.invoke(self._invocations, call)
        return to_proto(InvokeToolResponse(outcome), pb.InvokeToolResponse)

    async def PreviewAction(self, request: pb.PreviewActionRequest, context: object) -> pb.PreviewActionResponse:
        """Tell what an action would do."""
        asked = from_proto(request, PreviewActionRequest)
        call = _action_call(asked)
        with run.use(asked.run):
            outcome = await self._actions.preview(call, forced=asked.confirmation_forced)
        return to_proto(PreviewActionResponse(outcome), pb.PreviewActionResponse)

    async def ApproveAction(self, request: pb.ApproveActionRequest, context: object) -> pb.ApproveActionResponse:
        """Take the word of the user whose assertion this call bears."""
        asked = from_proto(request, ApproveActionRequest)
        _require(asked, "approval_id", "action_digest")
        word = ApprovalWord(
            asked.approval_id, asked.action_digest, asked.verdict, current_caller(), asked.run.session_id
        )
        with run.use(asked.run):
            outcome = await self._actions.approve(word)
        return to_proto(ApproveActionResponse(outcome), pb.ApproveActionResponse)

    async def ExecuteAction(self, request: pb.ExecuteActionRequest, context: object) -> pb.ExecuteActionResponse:
        """Do an action once."""
        asked = from_proto(request, ExecuteActionRequest)
        call = _action_call(asked)
        with run.use(asked.run):
            outcome = await observed.execute(self._actions, call, asked.approval_id)
        self._invocations.forget(call.caller, call.key.flow_run_id)
        return to_proto(ExecuteActionResponse(outcome), pb.ExecuteActionResponse)

    async def ReconcileAction(self, request: pb.ReconcileActionRequest, context: object) -> pb.ReconcileActionResponse:
        """Settle an action whose outcome is not known."""
        asked = from_proto(request, ReconcileActionRequest)
        key = _key(asked)
        with run.use(asked.run):
            outcome = await self._actions.reconcile(key, current_caller())
        return to_proto(ReconcileActionResponse(outcome), pb.ReconcileActionResponse)


async def register(server: grpc.aio.Server, service: Service, backend: EffectBackend | None = None) -> None:
    """Add the tool gateway to a server; it is ready once its database has the schema of this version.

    Args:
        server: The server.
        service: What it is built from.
        backend: Where money is moved; what the settings name by default, our own data where they name nothing.
    """
    reader = Reader.open(service.settings.read_url)
    service.stack.push_async_callback(reader.close)
    graph_url = service.settings.graph_url or default_graph_url(service.settings.data_url)
    lacking = graph_lacking(graph_url)
    registry = _registry({"graph": lacking} if lacking else {})
    known = await asyncio.to_thread(catalog)
    graph = GatewayGraphReads(None if lacking else open_graph(graph_url))
    service.stack.push_async_callback(graph.close)
    web = _web(service)
    tenants = tenants_from(service.settings.tenants)
    servers = MountedServers(mounts_from(service.settings.mcp_servers.get_secret_value()), tenants)
    service.stack.push_async_callback(servers.close)
    agents = MountedAgents(agents_from(service.settings.a2a_agents.get_secret_value()), tenants)
    service.stack.push_async_callback(agents.close)
    reads = await asyncio.to_thread(GatewayReads, reader, None, graph, web, servers, agents)
    grants = grants_of(known, registry, web=web is not None)
    invocations = Invocations(registry, reads, grants, now=service.clock)
    backend = backend or _backend_from(service.settings)
    writer = _writer(service)
    actions = Actions.of(registry, grants, writer, backend, service.clock, figures=invocations.figures)
    _begin(actions, backend, service)
    listing = Listing(invocations, frozenset(known.agents))
    service.health.ready_when("data", readiness(reads, writer))
    pb_grpc.add_ToolGatewayServiceServicer_to_server(ToolGatewayServicer(invocations, listing, actions), server)
    service.implements.append(pb.DESCRIPTOR.services_by_name["ToolGatewayService"].full_name)


def _registry(lacking: Mapping[str, str]) -> Registry:
    """Return the tools that this deployment can offer, and say which it cannot."""
    registry = load_registry(lacking)
    if registry.names_off:
        _log.warning("tools_not_offered", tools=registry.names_off, why=list(lacking.values()))
    return registry


def _web(service: Service) -> WebSearch | None:
    url = service.settings.web_search_url
    if not url:
        return None
    search = SearxngSearch(url, tenants_from(service.settings.tenants))
    service.stack.push_async_callback(search.close)
    return search


def _writer(service: Service) -> DataWriter:
    writer = DataWriter.open(service.settings.data_url)
    service.stack.push_async_callback(writer.close)
    return writer


def _backend_from(settings: Settings) -> EffectBackend | None:
    address = settings.payment_gateway
    return GrpcBackend(address, Transport.from_settings(settings)) if address else None


def _begin(actions: Actions, backend: EffectBackend | None, service: Service) -> None:
    """Have unsettled effects looked after until the service stops; what is being done then is awaited first."""
    if backend is not None:
        service.stack.push_async_callback(backend.close)
    service.stack.push_async_callback(actions.executions.close)
    sweeping = asyncio.create_task(actions.reconciling.run())
    service.stack.push_async_callback(_ended, sweeping)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})


def _require(asked: object, *fields: str) -> None:
    for field in fields:
        if not getattr(asked, field):
            raise InvalidRequest.of(field, "is required")


def _key(asked: PreviewActionRequest | ExecuteActionRequest | ReconcileActionRequest) -> EffectKey:
    _require(asked, "step_id")
    if not asked.run.flow_run_id:
        raise InvalidRequest.of("run.flow_run_id", "is required")
    for field, value in (("proposed_by", _proposer(asked)), ("step_id", asked.step_id)):
        if len(value) > KEY_CHARACTERS_MAX or "\x00" in value:
            raise InvalidRequest.of(field, f"is over {KEY_CHARACTERS_MAX} characters, or holds a null character")
    if not 0 <= asked.ordinal <= ORDINAL_MAX:
        raise InvalidRequest.of("ordinal", f"lies outside 0 to {ORDINAL_MAX}")
    return EffectKey(_proposer(asked), asked.step_id, asked.ordinal)


def _proposer(asked: PreviewActionRequest | ExecuteActionRequest | ReconcileActionRequest) -> str:
    """Return the flow whose action it is; an approval binds its key to the user and the conversation."""
    proposed_by = "" if isinstance(asked, PreviewActionRequest) else asked.proposed_by
    return proposed_by or asked.run.flow_run_id


def _action_call(asked: PreviewActionRequest | ExecuteActionRequest) -> ActionCall:
    _require(asked, "action_type", "arguments_json")
    return ActionCall(
        key=_key(asked),
        session_id=asked.run.session_id,
        locale=asked.run.locale,
        action_type=asked.action_type,
        arguments_json=asked.arguments_json,
        arguments_schema_id=asked.arguments_schema_id,
        caller=current_caller(),
    )


def _call(asked: InvokeToolRequest) -> ToolInvocation:
    _require(asked, "step_id", "tool", "arguments_json")
    return ToolInvocation(
        flow_run_id=asked.run.flow_run_id,
        step_id=asked.step_id,
        tool=asked.tool,
        arguments_json=asked.arguments_json,
        arguments_schema_id=asked.arguments_schema_id,
        caller=current_caller(),
    )


WRITTEN_SECONDS: Final = 4.0
"""How long it is taken for granted that what could be written can be."""
WRITING_SECONDS: Final = 1.0
"""How long a check waits for its turn to write."""


def readiness(reads: GatewayReads, writer: DataWriter) -> Check:
    """Return the check that the tables are there, and that what is done can be written down."""
    written_at = -inf

    async def check() -> str:
        nonlocal written_at
        if lacking := await schema_lacking(reads):
            return lacking
        if monotonic() - written_at >= WRITTEN_SECONDS:
            try:
                # A full disk is read as ever: only a write tells.
                async with asyncio.timeout(WRITING_SECONDS):
                    await writer.transact(touched)
            except (WriteBusy, TimeoutError):
                # Somebody else writes.
                return ""
            written_at = monotonic()
        return ""

    return check
