"""A really migrated and seeded database, made once a run, and what reads from it."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from services.contract.tool import ToolFailure, ToolResult
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.seed.messages import SeedReport
from services.tool_gateway.invocation import Invocations
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import load_registry
from tests.support.databases import (  # noqa: F401 - fixtures are found by their names here
    filled_file,
    mariadb,
    mariadb_seeded,
    mariadb_url,
    postgres,
    postgres_seeded,
    postgres_url,
    shop,
    shop_url,
    sqlite_shop,
    sqlite_url,
)
from tests.support.seeding import folder_as_of, seeded_in
from tests.unit.tool_gateway.seeded_data import AGENT, AS_OF, Invoke, make_call


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> tuple[str, SeedReport]:
    """Return the URL of a seeded database and the report of its seed."""
    return seeded_in(folder_as_of(tmp_path_factory.getbasetemp(), worker_id, AS_OF), AS_OF)


@pytest.fixture
def url(seeded) -> str:
    """Return the URL of the seeded database."""
    return str(seeded[0])


@pytest_asyncio.fixture
async def reader(url) -> AsyncIterator[Reader]:
    """Return a reader of the seeded database with one connection, so that a connection that is lost is noticed."""
    opened = Reader.open(url, connections_max=1)
    yield opened
    assert opened.connections_in_use == 0
    await opened.close()


@pytest.fixture
def reads(reader) -> GatewayReads:
    """Return the packaged statements on that reader."""
    return GatewayReads(reader)


@pytest.fixture
def invocations(reads) -> Invocations:
    """Return calls of the packaged tools, all of which the test's agent may call."""
    registry = load_registry()
    return Invocations(registry, reads, {AGENT: frozenset(registry.names)})


@pytest.fixture
def invoke(invocations: Invocations) -> Invoke:
    """Return a function that calls a packaged tool."""

    async def call(tool: str, arguments: Any, **changed: Any) -> ToolResult | ToolFailure:
        return await invocations.invoke(make_call(tool, arguments, **changed))

    return call
