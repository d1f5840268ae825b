"""What tests of the seeded data share: its moment, the calling agent, calls and their rows."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from services.contract.tool import ToolFailure, ToolResult
from services.runtime.identity import Caller
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.invocation import ToolInvocation

# A Friday after the close in Seoul and before it in New York.
AS_OF = datetime(2026, 6, 12, 9, 0, tzinfo=UTC)
AGENT = "test.agent"

Invoke = Callable[..., Awaitable[ToolResult | ToolFailure]]


def make_call(tool: str, arguments: Any, **changed: Any) -> ToolInvocation:
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
    return ToolInvocation(**{**fields, **changed})


def rows_of(outcome: ToolResult | ToolFailure) -> list[dict[str, Any]]:
    """Return the rows of a result."""
    assert isinstance(outcome, ToolResult), outcome
    rows: list[dict[str, Any]] = json.loads(outcome.rows_json)
    assert len(rows) == outcome.row_count == outcome.provenance.row_count
    return rows


async def reading(reader: Reader) -> None:
    """Wait until a statement holds a connection."""
    async with asyncio.timeout(5):
        while reader.connections_in_use == 0:
            await asyncio.sleep(0.001)
