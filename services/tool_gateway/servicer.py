"""ToolGatewayService: converts, delegates, converts, returns."""

import asyncio

import grpc

from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from hapju.tool.v1 import tool_gateway_service_pb2_grpc as pb_grpc
from services.catalog.loader import catalog
from services.contract.mapping import from_proto, to_proto
from services.contract.tool import InvokeToolRequest, InvokeToolResponse
from services.runtime import run
from services.runtime.errors import InvalidRequest
from services.runtime.health import Check
from services.runtime.identity import current_caller
from services.runtime.server import Service
from services.tool_gateway import observed
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.seeding import seeded_through
from services.tool_gateway.grants import grants_of
from services.tool_gateway.invocation import Call, Invocations
from services.tool_gateway.listing import Listing
from services.tool_gateway.reads import Reads
from services.tool_gateway.registry import load_registry

NOT_SEEDED = "the database holds no data of this version; `hapju seed` loads it"


class ToolGatewayServicer(pb_grpc.ToolGatewayServiceServicer):
    """The only door to data."""

    def __init__(self, invocations: Invocations, listing: Listing) -> None:
        self._invocations = invocations
        self._listing = listing

    async def ListTools(self, request: pb.ListToolsRequest, context: object) -> pb.ListToolsResponse:
        """Return the tools that the caller sees."""
        tools = self._listing.tools(current_caller().service, request.locale)
        return pb.ListToolsResponse(tools=[to_proto(tool, pb.ToolDescription) for tool in tools])

    async def DescribeTool(self, request: pb.DescribeToolRequest, context: object) -> pb.DescribeToolResponse:
        """Return one tool with its schemas."""
        tool = self._listing.tool(request.name, current_caller().service, request.locale)
        return pb.DescribeToolResponse(tool=to_proto(tool, pb.ToolDescription))

    async def InvokeTool(self, request: pb.InvokeToolRequest, context: object) -> pb.InvokeToolResponse:
        """Make a call and return its outcome."""
        asked = from_proto(request, InvokeToolRequest)
        call = _call(asked)
        with run.use(asked.run):
            outcome = await observed.invoke(self._invocations, call)
        return to_proto(InvokeToolResponse(outcome), pb.InvokeToolResponse)


async def register(server: grpc.aio.Server, service: Service) -> None:
    """Add the tool gateway to a server; it is ready once its database holds the data of this version."""
    reader = Reader.open(service.settings.data_url)
    service.stack.push_async_callback(reader.close)
    registry = load_registry()
    known = await asyncio.to_thread(catalog)
    reads = await asyncio.to_thread(Reads, reader)
    invocations = Invocations(registry, reads, grants_of(known, registry), now=service.clock)
    listing = Listing(invocations, frozenset(known.agents))
    service.health.ready_when("data", readiness(reads))
    pb_grpc.add_ToolGatewayServiceServicer_to_server(ToolGatewayServicer(invocations, listing), server)
    service.implements.append(pb.DESCRIPTOR.services_by_name["ToolGatewayService"].full_name)


def _call(asked: InvokeToolRequest) -> Call:
    for field in ("step_id", "tool", "arguments_json"):
        if not getattr(asked, field):
            raise InvalidRequest.of(field, "is required")
    return Call(
        flow_run_id=asked.run.flow_run_id,
        step_id=asked.step_id,
        tool=asked.tool,
        arguments_json=asked.arguments_json,
        arguments_schema_id=asked.arguments_schema_id,
        caller=current_caller(),
    )


def readiness(reads: Reads) -> Check:
    """Return the check that the data is there."""

    async def check() -> str:
        return "" if await seeded_through(reads) is not None else NOT_SEEDED

    return check
