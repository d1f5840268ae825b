"""A tool gateway that takes its time: a real server whose tools answer when a test says so, or never."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from hapju.tool.v1 import tool_gateway_service_pb2_grpc
from services.runtime.server import Service, start
from services.runtime.settings import Settings


@dataclass
class SlowTools:
    """What the slow tool gateway has seen."""

    seconds: float
    """How long each call takes."""
    lingers_seconds: float = 0.0
    """How long a call cleans up after itself."""
    address: str = ""
    """Where it listens."""
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a call has arrived."""
    running: int = 0
    """Calls that run now."""
    finished: int = 0
    """Calls that ran to their end."""


class _Servicer(tool_gateway_service_pb2_grpc.ToolGatewayServiceServicer):
    def __init__(self, tools: SlowTools) -> None:
        self._tools = tools

    async def ListTools(self, request: pb.ListToolsRequest, context: object) -> pb.ListToolsResponse:
        return pb.ListToolsResponse()

    async def DescribeTool(self, request: pb.DescribeToolRequest, context: object) -> pb.DescribeToolResponse:
        return pb.DescribeToolResponse()

    async def PreviewAction(self, request: pb.PreviewActionRequest, context: object) -> pb.PreviewActionResponse:
        raise AssertionError("no action is expected here")

    async def ApproveAction(self, request: pb.ApproveActionRequest, context: object) -> pb.ApproveActionResponse:
        raise AssertionError("no action is expected here")

    async def ExecuteAction(self, request: pb.ExecuteActionRequest, context: object) -> pb.ExecuteActionResponse:
        raise AssertionError("no action is expected here")

    async def ReconcileAction(self, request: pb.ReconcileActionRequest, context: object) -> pb.ReconcileActionResponse:
        raise AssertionError("no action is expected here")

    async def InvokeTool(self, request: pb.InvokeToolRequest, context: object) -> pb.InvokeToolResponse:
        self._tools.running += 1
        self._tools.begun.set()
        try:
            await asyncio.sleep(self._tools.seconds)
            self._tools.finished += 1
        finally:
            await asyncio.sleep(self._tools.lingers_seconds)
            self._tools.running -= 1
        return pb.InvokeToolResponse(failure=pb.ToolFailure(reason="TOOL_FAILED", message="slow", retryable=False))


@asynccontextmanager
async def slow_tools(tmp_path: Path, seconds: float, lingers_seconds: float = 0.0) -> AsyncIterator[SlowTools]:
    """Serves slow tools in the place of the tool gateway."""
    tools = SlowTools(seconds, lingers_seconds)

    async def register(server: grpc.aio.Server, service: Service) -> None:
        del service
        tool_gateway_service_pb2_grpc.add_ToolGatewayServiceServicer_to_server(_Servicer(tools), server)

    settings = Settings(data_dir=tmp_path, log_level="error")
    running = await start("tool_gateway", register, settings, listen="127.0.0.1:0", addresses={})
    tools.address = running.address
    try:
        yield tools
    finally:
        await running.stop(drain_seconds=0)
