"""Serves MCP on standard input and output until the agent that started the command closes them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from google.protobuf.message import Message
from mcp.server.stdio import stdio_server

from gateway.http.door import Events, Refusal
from gateway.mcp.server import server
from hapju.flow.v1 import flow_event_pb2, question_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.cli import output
from services.cli.client import GatewayClient
from services.cli.connection import connected
from services.cli.environment import finish, settings_now
from services.cli.problems import Problem, problem_from_settings
from services.cli.tokens import Identity
from services.plugin.tools.mounted import ServerFailed
from services.runtime.call_policy import FLOW_SECONDS_MAX
from services.runtime.settings import SettingsError
from services.tool_gateway.a2a.agents import MountedAgents
from services.tool_gateway.a2a.mounts import agents_from
from services.tool_gateway.mcp.mounts import mounts_from
from services.tool_gateway.mcp.servers import MountedServers


class ClientDoor:
    """The gateway, as the command line calls it.

    Args:
        gateway: Its client.
    """

    def __init__(self, gateway: GatewayClient) -> None:
        self._gateway = gateway

    async def call(self, rpc: str, request: Message) -> Any:
        """Return a unary call's response; raise Refusal."""
        try:
            return await self._gateway.call(getattr(self._gateway.stub, rpc), request)
        except Problem as problem:
            raise _refusal(problem) from None

    def ask(self, question: question_pb2.Question) -> Events:
        """Yield a new flow's events until its end; raise Refusal."""
        return _told(self._gateway.ask(pb.AskRequest(question=question), FLOW_SECONDS_MAX))

    def watch(self, flow_run_id: str, after_sequence: int) -> Events:
        """Yield a flow's events after a sequence until its end; raise Refusal."""
        return _told(self._gateway.watch(flow_run_id, after_sequence))


def serve(identity: Identity) -> None:
    """Serve for a user until standard input ends.

    Raises:
        Problem: Settings, user or data cannot be used.
    """
    finish(_serve(identity))


def print_pins() -> None:
    """Print what an operator pins: server, tool and the digest of its definition, a line each.

    Raises:
        Problem: A server cannot be mounted or reached.
    """
    finish(_print_pins())


async def _print_pins() -> None:
    try:
        settings = settings_now()
        servers = MountedServers(mounts_from(settings.mcp_servers.get_secret_value()))
        agents = MountedAgents(agents_from(settings.a2a_agents.get_secret_value()))
        try:
            found, cards = await servers.pins(), await agents.pins()
        finally:
            await servers.close()
            await agents.close()
    except SettingsError as error:
        raise problem_from_settings(str(error)) from None
    except ServerFailed as failed:
        raise Problem("UNAVAILABLE", "SERVER_FAILED", str(failed)) from None
    rows = [(server, tool, digest) for server, tools in found.items() for tool, digest in sorted(tools.items())]
    rows += [(agent, "agent card", digest) for agent, digest in cards.items()]
    output.print_table(("server", "tool", "digest"), rows)


async def _serve(identity: Identity) -> None:
    # The streams are taken first: what the services print must not come between the protocol's lines.
    async with stdio_server() as (reading, writing), connected(identity, output.say) as gateway:
        door = ClientDoor(gateway)
        served = server(lambda _: door)
        await served.run(reading, writing, served.create_initialization_options())


async def _told(events: AsyncGenerator[flow_event_pb2.FlowEvent]) -> AsyncGenerator[flow_event_pb2.FlowEvent]:
    try:
        async with aclosing(events):
            async for event in events:
                yield event
    except Problem as problem:
        raise _refusal(problem) from None


def _refusal(problem: Problem) -> Refusal:
    return Refusal(problem.code, problem.reason, problem.message, problem.violations, problem.metadata)
