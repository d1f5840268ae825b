"""The server: its tools and resources over the SDK, each a call of the gateway that the request's own caller makes."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final, TypeVar

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from gateway.http.door import CallerDoor, Refusal
from gateway.http.problems import internal
from gateway.mcp.arguments import Answered, Asked, Listed, McpArguments, OneFlow, read
from gateway.mcp.asking import Context, Outcome, ToolHearing
from gateway.mcp.telling import ASKED_SCHEMA, as_object, message, refused
from hapju.gateway.v1 import gateway_service_pb2 as pb

T = TypeVar("T")
DoorOf = Callable[[Context], CallerDoor]
"""Returns the gateway as a request's caller has it."""
Run = Callable[[CallerDoor, Context, CallToolRequestParams], Awaitable[Outcome]]
INSTRUCTIONS: Final = (
    "hapju answers questions from data, with sources; ask it in the user's own words, in Korean or English. Its "
    "answers are checked against their rows: pass figures on as they stand, with the sources. Where it asks something "
    "back, put the question to the user and hand over what they say; an approval is the user's own word for exactly "
    "what they were shown."
)
"""What a client's model is told of the server."""
FLOW: Final = "hapju://flows/"
"""What the address of a flow begins with."""


async def _ask(door: CallerDoor, ctx: Context, params: CallToolRequestParams) -> Outcome:
    return await ToolHearing(door, ctx).outcome(params)


async def _answer(door: CallerDoor, ctx: Context, params: CallToolRequestParams) -> Outcome:
    given = read(Answered, params.arguments)
    return await ToolHearing(door, ctx).replied(**given.model_dump())


async def _plan(door: CallerDoor, _: Context, params: CallToolRequestParams) -> Outcome:
    question = read(Asked, params.arguments).to_proto(interactive=False)
    return message(await door.call("Plan", pb.PlanRequest(question=question)))


async def _list_flows(door: CallerDoor, _: Context, params: CallToolRequestParams) -> Outcome:
    return message(await door.call("ListFlows", pb.ListFlowsRequest(**read(Listed, params.arguments).model_dump())))


async def _get_flow(door: CallerDoor, _: Context, params: CallToolRequestParams) -> Outcome:
    flow_run_id = read(OneFlow, params.arguments).flow_run_id
    record = (await door.call("GetFlow", pb.GetFlowRequest(flow_run_id=flow_run_id))).record
    return message(record, without=("events",))


async def _cancel_flow(door: CallerDoor, _: Context, params: CallToolRequestParams) -> Outcome:
    flow_run_id = read(OneFlow, params.arguments).flow_run_id
    return message(await door.call("CancelFlow", pb.CancelFlowRequest(flow_run_id=flow_run_id)))


@dataclass(frozen=True, slots=True)
class Offered:
    """One tool."""

    title: str
    """What a person calls it."""
    description: str
    """What it is for."""
    arguments: type[McpArguments]
    """What it takes."""
    run: Run
    """What it does."""
    reads_only: bool = True
    """Whether nothing can be changed by it."""
    output: dict[str, Any] | None = None
    """The schema of what it returns; None where the contract's message says."""

    def as_tool(self, name: str) -> Tool:
        """Return it as the protocol describes it."""
        return Tool(
            name=name,
            title=self.title,
            description=self.description,
            input_schema=self.arguments.model_json_schema(),
            output_schema=self.output,
            annotations=ToolAnnotations(
                read_only_hint=self.reads_only, destructive_hint=not self.reads_only, open_world_hint=False
            ),
        )


TOOLS: Final = {
    "ask": Offered(
        "Ask a question",
        "Answers a question of the user from data, with its sources. What it asks back is put to the user, or is "
        "returned as `waiting`; nothing is ordered, paid or changed without the user's own approval of what is shown.",
        Asked,
        _ask,
        reads_only=False,
        output=ASKED_SCHEMA,
    ),
    "answer": Offered(
        "Answer what a question waits with",
        "Hands over what the user said to what a flow asks, and returns the flow's answer. An approval names the "
        "digest of the action that the user was shown.",
        Answered,
        _answer,
        reads_only=False,
        output=ASKED_SCHEMA,
    ),
    "plan": Offered(
        "Plan a question", "Returns how a question is understood and would be answered; nothing runs.", Asked, _plan
    ),
    "list_flows": Offered("List flows", "Lists the user's own flows, the newest first.", Listed, _list_flows),
    "get_flow": Offered(
        "Show a flow", "Returns what happened in a flow: every decision, tool and agent.", OneFlow, _get_flow
    ),
    "cancel_flow": Offered("Cancel a flow", "Stops a flow at every hop.", OneFlow, _cancel_flow, reads_only=False),
}
"""Every tool, by name."""
_LISTED: Final[dict[str, Callable[[CallerDoor], Awaitable[Any]]]] = {
    "hapju://flows": lambda door: door.call("ListFlows", pb.ListFlowsRequest()),
    "hapju://sessions": lambda door: door.call("ListSessions", pb.ListSessionsRequest()),
    "hapju://agents": lambda door: door.call("ListAgents", pb.ListAgentsRequest()),
}
"""The resources that are always there, by address."""


def server(door_of: DoorOf) -> Server[Any]:
    """Return the server, which calls the gateway by `door_of` each request."""

    async def tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[offered.as_tool(name) for name, offered in TOOLS.items()])

    async def call(ctx: Context, params: CallToolRequestParams) -> Outcome:
        offered = TOOLS.get(params.name)
        if offered is None:
            raise MCPError(INVALID_PARAMS, "there is no such tool")
        try:
            return await _guarded(offered.run(door_of(ctx), ctx, params))
        except Refusal as refusal:
            return refused(refusal)

    async def resources(_: Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
        return ListResourcesResult(
            resources=[Resource(uri=uri, name=uri.rpartition("/")[2], mime_type="application/json") for uri in _LISTED]
        )

    async def templates(_: Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        template = ResourceTemplate(
            uri_template=f"{FLOW}{{flow_run_id}}",
            name="flow",
            description="A flow's record with its events, its answer and its rows.",
            mime_type="application/json",
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def resource(ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        try:
            text = await _guarded(_text_of(door_of(ctx), params.uri))
        except Refusal as refusal:
            raise MCPError(INVALID_PARAMS, str(refusal), refusal.problem) from None
        return ReadResourceResult(
            contents=[TextResourceContents(uri=params.uri, mime_type="application/json", text=text)]
        )

    return Server(
        "hapju",
        version=version("hapju"),
        title="hapju",
        instructions=INSTRUCTIONS,
        on_list_tools=tools,
        on_call_tool=call,
        on_list_resources=resources,
        on_list_resource_templates=templates,
        on_read_resource=resource,
    )


async def _text_of(door: CallerDoor, uri: str) -> str:
    if uri in _LISTED:
        return json.dumps(as_object(await _LISTED[uri](door)), ensure_ascii=False)
    if not uri.startswith(FLOW):
        raise Refusal("NOT_FOUND", "UNKNOWN_RESOURCE", "there is no such resource")
    found = await door.call("GetFlow", pb.GetFlowRequest(flow_run_id=uri.removeprefix(FLOW)))
    return json.dumps(as_object(found.record), ensure_ascii=False)


async def _guarded(work: Awaitable[T]) -> T:
    """Return what work comes to; what nobody expected becomes a refusal with an id, and the log tells what it was."""
    try:
        return await work
    except (Refusal, MCPError):
        raise
    except Exception as error:  # noqa: BLE001 - the one place where everything becomes a refusal that is told
        told = internal(error)
        raise Refusal(told.code.name, told.reason, told.message, metadata=told.metadata) from None
