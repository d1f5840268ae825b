"""An agent that wants something done: a real server in the place of one that only reads, which asks for an order.

It reports what a model would have cost it, so that what a flow spent can be compared.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import grpc

from hapju.agent.v1 import agent_description_pb2, agent_service_pb2_grpc
from hapju.agent.v1 import agent_service_pb2 as pb
from hapju.flow.v1 import decision_pb2, flow_event_pb2, result_pb2
from services.runtime.server import Service, start
from services.runtime.settings import Settings
from services.tool_gateway.registry import load_registry

TOOL = "order_create"


class _Servicer(agent_service_pb2_grpc.AgentServiceServicer):
    def __init__(self, name: str, arguments: tuple[Mapping[str, object], ...]) -> None:
        self._name = name
        schema_id = next(tool.arguments_schema_id for tool in load_registry() if tool.name == TOOL)
        self._wishes = [
            result_pb2.ActionRequest(
                action_type="CREATE_ORDER", arguments_json=json.dumps(one).encode(), arguments_schema_id=schema_id
            )
            for one in arguments
        ]

    async def Describe(self, request: pb.DescribeRequest, context: object) -> agent_description_pb2.DescribeResponse:
        return agent_description_pb2.DescribeResponse(agent=self._name)

    async def Run(self, request: pb.RunRequest, context: object) -> AsyncIterator[pb.RunResponse]:
        step_id = request.step.step_id
        yield pb.RunResponse(progress=flow_event_pb2.Progress(service=self._name, step_id=step_id, message="wishing"))
        result = result_pb2.AgentResult(
            agent=self._name,
            step_id=step_id,
            status=result_pb2.AGENT_STATUS_ANSWERED,
            summary="주문을 준비했습니다.",
            confidence=0.9,
            action_requests=self._wishes,
        )
        usage = decision_pb2.Usage(model_calls=1, input_tokens=100, output_tokens=20, cost_micro_usd=7)
        yield pb.RunResponse(run_result=pb.RunResult(result=result, spent=decision_pb2.Spent(usage=usage)))


@asynccontextmanager
async def wishing_agent(tmp_path: Path, name: str, *arguments: Mapping[str, object]) -> AsyncIterator[str]:
    """Serves it under an agent's name and yields its address; each of `arguments` is an order that it wants."""

    async def register(server: grpc.aio.Server, service: Service) -> None:
        del service
        agent_service_pb2_grpc.add_AgentServiceServicer_to_server(_Servicer(name, arguments), server)

    running = await start(
        name, register, Settings(data_dir=tmp_path, log_level="error"), listen="127.0.0.1:0", addresses={}
    )
    try:
        yield running.address
    finally:
        await running.stop(drain_seconds=0)
