"""AgentService for every agent; which one it is, the service's name says."""

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

import grpc

from hapju.agent.v1 import agent_description_pb2, agent_service_pb2_grpc
from hapju.agent.v1 import agent_service_pb2 as pb
from hapju.tool.v1.tool_gateway_service_pb2_grpc import ToolGatewayServiceStub
from services.agents.loop import AgentLoop
from services.agents.registry import spec_of
from services.agents.summary import Summaries
from services.agents.tool_calls import ToolCalls
from services.catalog.loader import catalog
from services.contract.agent import AgentDescription, RunRequest, RunResponse
from services.contract.mapping import from_proto, to_proto
from services.llm.build import decider_from
from services.plugin.agent import AgentSpec
from services.runtime import run
from services.runtime.errors import InvalidRequest

if TYPE_CHECKING:
    from services.runtime.server import Service


class AgentServicer(agent_service_pb2_grpc.AgentServiceServicer):
    """Converts, delegates, converts, returns."""

    def __init__(self, agent: AgentLoop) -> None:
        self._agent = agent

    async def Describe(self, request: pb.DescribeRequest, context: object) -> agent_description_pb2.DescribeResponse:
        """Return what the agent is for."""
        return to_proto(_description(self._agent.spec), agent_description_pb2.DescribeResponse)

    async def Run(self, request: pb.RunRequest, context: object) -> AsyncIterator[pb.RunResponse]:
        """Run one step and stream what happens; the result comes last and once."""
        asked = from_proto(request, RunRequest)
        _check_calls(asked)
        with run.use(asked.run):
            async with aclosing(self._agent.run(asked)) as events:
                async for event in events:
                    yield to_proto(RunResponse(event), pb.RunResponse)


def _check_calls(asked: RunRequest) -> None:
    """Check the calls that a step brings along.

    Raises:
        InvalidRequest: The arguments of one are no JSON.
    """
    for call in asked.step.suggested_calls:
        try:
            json.loads(call.arguments_json)
        except (ValueError, RecursionError):
            raise InvalidRequest.of("step.suggested_calls.arguments_json", "is no JSON") from None


async def register(server: grpc.aio.Server, service: "Service") -> None:
    """Add the agent of the service's name to the server.

    Raises:
        SpecError: No agent has that name.
    """
    spec = spec_of(service.name)
    decider = decider_from(service.settings.llm, service.name)
    service.stack.push_async_callback(decider.aclose)
    gateway = service.peers.stub(ToolGatewayServiceStub, "tool_gateway")
    tools = ToolCalls(gateway, spec, recorded=service.settings.records_flows)
    summaries = Summaries(decider, wanted=service.settings.agent_summary)
    loop = AgentLoop(spec, tools, summaries, early=service.settings.early_results)
    servicer = AgentServicer(loop)
    agent_service_pb2_grpc.add_AgentServiceServicer_to_server(servicer, server)
    service.implements.append(pb.DESCRIPTOR.services_by_name["AgentService"].full_name)


def _description(spec: AgentSpec) -> AgentDescription:
    declared = catalog().agent(spec.id)
    return AgentDescription(spec.id, declared.answers.en, declared.declines.en, spec.tools, spec.digest)
