"""The tool gateway as a service: real sockets, real callers, real rows."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from hapju.tool.v1 import tool_gateway_service_pb2 as pb
from hapju.tool.v1 import tool_gateway_service_pb2_grpc as pb_grpc
from services.catalog.loader import catalog
from services.contract.flow import Budget, RunContext
from services.contract.mapping import from_proto, to_proto
from services.contract.tool import InvokeToolRequest, InvokeToolResponse, ToolDescription, ToolFailure, ToolResult
from services.runtime import deadlines
from services.runtime.calls import Peers, bare_channel
from services.runtime.clock import utc_now
from services.runtime.errors import DeadlineExceeded, InvalidRequest, UnknownTool
from services.runtime.identity import Assertions, Caller, acting_for
from services.runtime.ids import new_flow_run_id
from services.runtime.server import Register, RunningService, Service, start
from services.runtime.settings import Settings
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.writer import DataWriter
from services.tool_gateway.effects.actions import Actions
from services.tool_gateway.grants import grants_of
from services.tool_gateway.listing import Listing
from services.tool_gateway.registry import load_registry
from services.tool_gateway.servicer import ToolGatewayServicer, register
from tests.unit.tool_gateway.seeded_data import AS_OF, rows_of
from tests.unit.tool_gateway.sized_tool import sized_invocations, sized_tool


class Agent:
    """A caller of the tool gateway."""

    def __init__(self, name: str, running: RunningService, settings: Settings) -> None:
        self._peers = Peers(name, {"tool_gateway": running.address}, Assertions(settings.assertion_key))
        self.stub: Any = self._peers.stub(pb_grpc.ToolGatewayServiceStub, "tool_gateway")
        self._run = RunContext(new_flow_run_id(), "", "ko", AS_OF, "Asia/Seoul", Budget(1, 1, 1, 1), ())

    async def invoke(self, tool: str, arguments: object, seconds: float = 10, cleared: str = "") -> Any:
        """Calls a tool; the field `cleared` is left out of the request."""
        schema = f"hapju.tool.{tool}.arguments.v1"
        request = InvokeToolRequest(self._run, "step-1", tool, json.dumps(arguments).encode(), schema)
        message = to_proto(request, pb.InvokeToolRequest)
        if cleared:
            message.ClearField(cast("Any", cleared))
        with acting_for(Caller("user-1")), deadlines.within(seconds):
            return from_proto(await self.stub.InvokeTool(message), InvokeToolResponse).outcome

    async def tools(self, locale: str = "") -> list[ToolDescription]:
        """Lists the tools."""
        with acting_for(Caller("user-1")), deadlines.within(5):
            response = await self.stub.ListTools(pb.ListToolsRequest(locale=locale))
        return [from_proto(tool, ToolDescription) for tool in response.tools]

    async def tool(self, name: str) -> ToolDescription:
        """Describes one tool."""
        with acting_for(Caller("user-1")), deadlines.within(5):
            response = await self.stub.DescribeTool(pb.DescribeToolRequest(name=name, locale="ko"))
        return from_proto(response.tool, ToolDescription)

    async def close(self) -> None:
        """Hangs up."""
        await self._peers.close()


@asynccontextmanager
async def gateway(
    tmp_path: Path, url: str, *names: str, registering: Register = register
) -> AsyncIterator[tuple[RunningService, list[Agent]]]:
    """Starts the tool gateway on the database and a caller for each name."""
    settings = Settings(data_dir=tmp_path, sql_url=url, drain_seconds_max=1.0)
    running = await start("tool_gateway", registering, settings, listen="127.0.0.1:0", addresses={})
    agents = [Agent(name, running, settings) for name in names]
    try:
        yield running, agents
    finally:
        for agent in agents:
            await agent.close()
        await running.stop()


@pytest.mark.asyncio
async def test_every_served_agent_reads_what_the_catalog_gives_it(tmp_path, url) -> None:
    """Each agent that is served sees exactly the tools of its bindings; the API gateway sees all."""
    served = [agent for agent in catalog().agents.values() if agent.served]
    granted = grants_of(catalog(), load_registry())
    async with gateway(tmp_path, url, *(agent.id for agent in served), "gateway") as (_, callers):
        for agent, caller in zip(served, callers, strict=False):
            assert {tool.name for tool in await caller.tools()} == granted[agent.id]
        assert tuple(tool.name for tool in await callers[-1].tools()) == load_registry().names


@pytest.mark.asyncio
async def test_rows_cross_the_wire_with_their_provenance(tmp_path, url) -> None:
    """A call returns rows, provenance and whether it was replayed; an equal one in the flow is."""
    async with gateway(tmp_path, url, "finance.equity") as (_, [agent]):
        first = await agent.invoke("equity_prices", {"ticker": "KR:005930", "bars": 3})
        again = await agent.invoke("equity_prices", {"ticker": "kr:005930", "bars": 3})
    assert [row["date"] for row in rows_of(first)] == ["2026-06-12", "2026-06-11", "2026-06-10"]
    assert isinstance(first, ToolResult)
    assert (first.provenance.table, first.provenance.sample) == ("kr_equity_prices", True)
    assert (first.replayed, again.replayed) == (False, True)
    assert again.rows_json == first.rows_json


@pytest.mark.asyncio
async def test_another_agents_tool_is_refused_and_not_shown(tmp_path, url) -> None:
    """An agent that calls another's tool gets UNAUTHORIZED_ACTION as an outcome; described, it looks unknown."""
    async with gateway(tmp_path, url, "finance.equity", "gateway") as (_, [agent, edge]):
        for caller in (agent, edge):
            outcome = await caller.invoke("market_data", {"region_code": "11680"})
            assert isinstance(outcome, ToolFailure)
            assert outcome.reason == "UNAUTHORIZED_ACTION"
        with pytest.raises(UnknownTool, match=r"known: .*equity_prices"):
            await agent.tool("market_data")


@pytest.mark.asyncio
async def test_a_tool_is_described_with_live_figures(tmp_path, url) -> None:
    """The description follows the locale and carries schemas; after a call it says when the tool was last used."""
    async with gateway(tmp_path, url, "realty.search") as (_, [agent]):
        before = await agent.tool("market_data")
        assert before.description.startswith("지역")
        assert before.last_use_time is None
        assert before.typical_duration == timedelta(seconds=1.5)
        assert json.loads(before.arguments_schema_json)["required"] == ["region_code"]
        await agent.invoke("market_data", {"region_code": "11680"})
        after = await agent.tool("market_data")
        assert after.last_use_time is not None
        assert after.typical_duration < timedelta(seconds=1.5)
        assert after.definition_digest == before.definition_digest


@pytest.mark.parametrize("field", ["step_id", "tool", "arguments_json"])
@pytest.mark.asyncio
async def test_a_required_field_is_named(tmp_path, url, field) -> None:
    """A request without a required field is INVALID_ARGUMENT with the field's name."""
    async with gateway(tmp_path, url, "finance.equity") as (_, [agent]):
        with pytest.raises(InvalidRequest, match=f"{field}: is required"):
            await agent.invoke("equity_prices", {"ticker": "US:AAPL"}, cleared=field)
        with pytest.raises(InvalidRequest, match="locale"):
            await agent.tools("fr")


@pytest.mark.asyncio
async def test_a_deadline_ends_the_statement(tmp_path, url) -> None:
    """A call whose caller's time runs out ends in time, and its statement stops with it."""
    reader = Reader.open(url)

    async def register_sized(server: grpc.aio.Server, _service: Service) -> None:
        invocations = sized_invocations(reader, sized_tool(timeout_seconds=60), agent="finance.equity")
        actions = Actions.of(invocations.registry, {}, DataWriter.open(url), None, utc_now)
        servicer = ToolGatewayServicer(invocations, Listing(invocations, frozenset()), actions)
        pb_grpc.add_ToolGatewayServiceServicer_to_server(servicer, server)

    async with gateway(tmp_path, url, "finance.equity", registering=register_sized) as (running, [agent]):
        began = time.monotonic()
        with pytest.raises(DeadlineExceeded):
            await agent.invoke("sized", {"statement": "slow.v1"}, seconds=0.5)
        assert time.monotonic() - began < 2
        async with asyncio.timeout(2):
            while running.running or reader.connections_in_use:
                await asyncio.sleep(0.01)
    await reader.close()


@pytest.mark.parametrize(("seeded_database", "status"), [(True, "SERVING"), (False, "NOT_SERVING")])
@pytest.mark.asyncio
async def test_the_service_is_ready_once_its_data_is_there(tmp_path, url, seeded_database, status) -> None:
    """Without data of this version the service lives but is not ready, and says why; nothing is created."""
    where = url if seeded_database else f"sqlite+aiosqlite:///{tmp_path}/none.db"
    async with gateway(tmp_path, where) as (running, _), bare_channel(running.address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        ready = await stub.Check(health_pb2.HealthCheckRequest(service="tool_gateway"), timeout=5)
        alive = await stub.Check(health_pb2.HealthCheckRequest(service=""), timeout=5)
        names = health_pb2.HealthCheckResponse.ServingStatus
        assert (names.Name(ready.status), names.Name(alive.status)) == (status, "SERVING")
        assert ("hapju seed" in running.health.reasons.get("data", "")) is not seeded_database
    assert not (tmp_path / "none.db").exists()


@pytest.mark.asyncio
async def test_a_caller_without_an_assertion_is_refused(tmp_path, url) -> None:
    """A call that does not say who makes it never reaches a tool."""
    async with gateway(tmp_path, url) as (running, _), bare_channel(running.address) as channel:
        stub: Any = pb_grpc.ToolGatewayServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.ListTools(pb.ListToolsRequest(), timeout=5)
        assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.asyncio
@pytest.mark.xdist_group("postgres")
async def test_without_a_graph_its_tools_are_not_offered(tmp_path: Path, postgres_url: str) -> None:
    """On a PostgreSQL beside which no graph is named no list has them, and a call of one is told that, not a fault."""
    async with gateway(tmp_path, postgres_url, "finance.ontology") as (_, (agent,)):
        assert not {"graph_paths", "graph_stories"} & {tool.name for tool in await agent.tools()}
        assert "news_search" in {tool.name for tool in await agent.tools()}
        outcome = await agent.invoke("graph_paths", {"series_ids": ["FEDFUNDS"]})
    assert isinstance(outcome, ToolFailure)
    assert (outcome.reason, outcome.retryable) == ("NOT_SET_UP", False)
    assert "HAPJU_GRAPH_URL" in outcome.message
