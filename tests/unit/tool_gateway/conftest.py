"""A really migrated and seeded database, made once a session, and what reads from it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio

from services.contract.tool import ToolFailure, ToolResult
from services.runtime.identity import Caller
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.data.seeding import SeedReport, seed
from services.tool_gateway.invocation import Call, Invocations
from services.tool_gateway.reads import Reads
from services.tool_gateway.registry import load_registry

# A Friday after the close in Seoul and before it in New York.
AS_OF = datetime(2026, 6, 12, 9, 0, tzinfo=UTC)
AGENT = "test.agent"

Invoke = Callable[..., Awaitable[ToolResult | ToolFailure]]


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, SeedReport]:
    """Return the URL of a seeded database and the report of its seed."""
    url = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('data')}/data.db"
    return url, asyncio.run(seed(url, as_of=AS_OF))


@pytest.fixture
def url(seeded) -> str:
    """Return the URL of the seeded database."""
    return seeded[0]


@pytest_asyncio.fixture
async def reader(url) -> AsyncIterator[Reader]:
    """Return a reader of the seeded database with one connection, so that a connection that is lost is noticed."""
    opened = Reader.open(url, connections_max=1)
    yield opened
    assert opened.connections_in_use == 0
    await opened.close()


@pytest.fixture
def reads(reader) -> Reads:
    """Return the packaged statements on that reader."""
    return Reads(reader)


@pytest.fixture
def invocations(reads) -> Invocations:
    """Return calls of the packaged tools, all of which the test's agent may call."""
    registry = load_registry()
    return Invocations(registry, reads, {AGENT: frozenset(registry.names)})


def make_call(tool: str, arguments: Any, **changed: Any) -> Call:
    """Return a call with these arguments (an object, or bytes as they are) in a flow of the test."""
    document = arguments if isinstance(arguments, bytes) else json.dumps(arguments).encode()
    fields: dict[str, Any] = {
        "flow_run_id": "flow-1",
        "step_id": "step-1",
        "tool": tool,
        "arguments_json": document,
        "arguments_schema_id": f"hapju.tool.{tool}.arguments.v1",
        "caller": Caller(user_id="user-1", service=AGENT),
    }
    return Call(**{**fields, **changed})


@pytest.fixture
def invoke(invocations) -> Invoke:
    """Return a function that calls a packaged tool."""

    async def call(tool: str, arguments: Any, **changed: Any) -> ToolResult | ToolFailure:
        return await invocations.invoke(make_call(tool, arguments, **changed))

    return call


def rows_of(outcome: ToolResult | ToolFailure) -> list[dict[str, Any]]:
    """Return the rows of a result."""
    assert isinstance(outcome, ToolResult), outcome
    rows: list[dict[str, Any]] = json.loads(outcome.rows_json)
    assert len(rows) == outcome.row_count == outcome.provenance.row_count
    return rows


async def reading(reader: Reader) -> None:
    """Wait until a statement holds a connection."""
    async with asyncio.timeout(5):
        while reader.connections_in_use == 0:  # noqa: ASYNC110 - the pool tells its state, and no event of it
            await asyncio.sleep(0.001)
