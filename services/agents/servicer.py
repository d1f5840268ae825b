"""AgentService for every agent; which one it is, the service's name says."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING

import grpc

from hapju.agent.v1 import agent_service_pb2 as pb
from hapju.agent.v1 import agent_service_pb2_grpc
from hapju.tool.v1.tool_gateway_service_pb2_grpc import ToolGatewayServiceStub
from services.agents.loop import AgentLoop
from services.agents.registry import spec_of
from services.agents.summary import Summaries
from services.agents.tool_calls import ToolCalls
from services.contract.agent import AgentDescription, RunRequest, RunResponse
from services.contract.mapping import from_proto, to_proto
from services.llm.build import decider_from
from services.plugin.agent import AgentSpec
from services.runtime import run

if TYPE_CHECKING:
    from services.runtime.server import Service


class AgentServicer(agent_service_pb2_grpc.AgentServiceServicer):
    """Converts, delegates, converts, returns."""

    def __init__(self, agent: AgentLoop) -> None:
        self._agent = agent

    async def Describe(self, request: pb.DescribeRequest, context: object) -> pb.DescribeResponse:
        """Returns what the agent is for."""
        return to_proto(_description(self._agent.spec), pb.DescribeResponse)

    async def Run(self, request: pb.RunRequest, context: object) -> AsyncIterator[pb.RunResponse]:
        """Runs one step and streams what happens; the result comes last and once."""
        asked = from_proto(request, RunRequest)
        with run.use(asked.run):
            async with aclosing(self._agent.run(asked)) as events:
                async for event in events:
                    yield to_proto(RunResponse(event), pb.RunResponse)


async def register(server: grpc.aio.Server, service: "Service") -> None:
    """Adds the agent of the service's name to the server.

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
    return AgentDescription(spec.id, spec.answers, spec.declines, spec.tools, spec.digest)
