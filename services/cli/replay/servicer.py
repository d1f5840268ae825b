"""The tool gateway of a flow that is replayed: it describes the tools of this code, and answers as the recording says.

Nothing is read and nothing is done. A call that was not made then is refused and noted; one that was made then and is
not made now is left over.
"""

import json
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc

from hapju.tool.v1 import tool_description_pb2
from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from hapju.tool.v1 import tool_gateway_service_pb2_grpc as pb_grpc
from services.catalog.loader import catalog
from services.contract.flow import ToolExchange
from services.contract.mapping import to_proto
from services.contract.recording import FlowRecording, RecordedAction
from services.contract.tool import ToolFailure
from services.runtime.exchanges import error_of
from services.runtime.identity import current_caller
from services.runtime.server import Service
from services.tool_gateway.grants import grants_of
from services.tool_gateway.invocation import Invocations
from services.tool_gateway.listing import Listing
from services.tool_gateway.registry import load_registry

NOT_RECORDED: Final = "NOT_RECORDED"
"""Why a call is refused that was not made when the flow was recorded."""


class RecordedTools(pb_grpc.ToolGatewayServiceServicer):
    """Serves ToolGatewayService from a recording.

    Attributes:
        unexpected: The calls and actions that were asked for and are not in the recording.
    """

    def __init__(self, recording: FlowRecording) -> None:
        self.unexpected: list[str] = []
        self._calls: defaultdict[tuple[str, str, str], deque[ToolExchange]] = defaultdict(deque)
        for exchange in recording.tool_exchanges:
            self._calls[exchange.step_id, exchange.tool, _canonical(exchange.arguments_json)].append(exchange)
        self._actions = {(one.step_id, one.ordinal): one for one in recording.actions}
        self._approvals = {_approval_id(one): one for one in recording.actions if one.preview}
        registry, known = load_registry(), catalog()
        web = any(one.tool == "web_search" for one in recording.tool_exchanges)
        # The listing alone is asked of it: there is nothing behind it that could be read.
        invocations = Invocations(registry, None, grants_of(known, registry, web=web))  # type: ignore[arg-type]
        self._listing = Listing(invocations, frozenset(known.agents))

    @property
    def left_over(self) -> tuple[str, ...]:
        """The calls of the recording that nobody has made."""
        left = (exchange for waiting in self._calls.values() for exchange in waiting)
        return tuple(f"{one.step_id}: {one.tool} {_canonical(one.arguments_json)}" for one in left)

    async def ListTools(self, request: pb.ListToolsRequest, context: object) -> pb.ListToolsResponse:
        """Return the tools as this code declares them."""
        tools = self._listing.tools(current_caller().service, request.locale)
        return pb.ListToolsResponse(tools=[to_proto(tool, tool_description_pb2.ToolDescription) for tool in tools])

    async def DescribeTool(self, request: pb.DescribeToolRequest, context: object) -> pb.DescribeToolResponse:
        """Return one tool as this code declares it."""
        tool = self._listing.tool(request.name, current_caller().service, request.locale)
        return pb.DescribeToolResponse(tool=to_proto(tool, tool_description_pb2.ToolDescription))

    async def InvokeTool(self, request: pb.InvokeToolRequest, context: object) -> pb.InvokeToolResponse:
        """Return what the same call of the same step came to then."""
        arguments = _canonical(request.arguments_json)
        waiting = self._calls.get((request.step_id, request.tool, arguments))
        if not waiting:
            return pb.InvokeToolResponse(failure=self._refused(f"{request.step_id}: {request.tool} {arguments}"))
        exchange = waiting.popleft()
        if exchange.code:
            raise error_of(exchange.code, exchange.reason)
        if exchange.left_out:
            return pb.InvokeToolResponse(failure=self._refused(f"{request.step_id}: {request.tool}, too large to keep"))
        return pb.InvokeToolResponse.FromString(exchange.response)

    async def PreviewAction(self, request: pb.PreviewActionRequest, context: object) -> pb.PreviewActionResponse:
        """Return how the same action was shown then."""
        kept = self._same(request)
        if kept is None or not kept.preview:
            return pb.PreviewActionResponse(failure=self._refused(_named(request)))
        return pb.PreviewActionResponse.FromString(kept.preview)

    async def ApproveAction(self, request: pb.ApproveActionRequest, context: object) -> pb.ApproveActionResponse:
        """Return what came of the user's word then."""
        kept = self._approvals.get(request.approval_id)
        if kept is None or not kept.approval:
            return pb.ApproveActionResponse(failure=self._refused("a word on an action"))
        return pb.ApproveActionResponse.FromString(kept.approval)

    async def ExecuteAction(self, request: pb.ExecuteActionRequest, context: object) -> pb.ExecuteActionResponse:
        """Return what came of the same action then; nothing is done."""
        kept = self._same(request)
        if kept is None or not kept.receipt:
            return pb.ExecuteActionResponse(failure=self._refused(_named(request)))
        return pb.ExecuteActionResponse.FromString(kept.receipt)

    async def ReconcileAction(self, request: pb.ReconcileActionRequest, context: object) -> pb.ReconcileActionResponse:
        """Refuse: what an action came to in the end stands in its receipt."""
        return pb.ReconcileActionResponse(
            failure=self._refused(f"{request.step_id}: action {request.ordinal} in doubt")
        )

    def _same(self, request: pb.PreviewActionRequest | pb.ExecuteActionRequest) -> RecordedAction | None:
        kept = self._actions.get((request.step_id, request.ordinal))
        if kept is None or kept.action_type != request.action_type:
            return None
        return kept if _canonical(kept.arguments_json) == _canonical(request.arguments_json) else None

    def _refused(self, what: str) -> pb.ToolFailure:
        self.unexpected.append(what)
        return to_proto(
            ToolFailure(NOT_RECORDED, "the recording does not hold this", "", retryable=False), pb.ToolFailure
        )


def register_for(double: RecordedTools) -> Callable[[grpc.aio.Server, Service], Awaitable[None]]:
    """Return what adds the double to a server in the tool gateway's place."""

    async def register(server: grpc.aio.Server, service: Service) -> None:
        pb_grpc.add_ToolGatewayServiceServicer_to_server(double, server)
        service.implements.append(pb.DESCRIPTOR.services_by_name["ToolGatewayService"].full_name)

    return register


def _canonical(arguments_json: bytes) -> str:
    try:
        value: Any = json.loads(arguments_json)
    except ValueError:
        return arguments_json.decode(errors="replace")
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _named(request: pb.PreviewActionRequest | pb.ExecuteActionRequest) -> str:
    return f"{request.step_id}: action {request.action_type} {_canonical(request.arguments_json)}"


def _approval_id(action: RecordedAction) -> str:
    return pb.PreviewActionResponse.FromString(action.preview).preview.approval_id
