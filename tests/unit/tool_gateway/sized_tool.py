"""A tool over two statements of the tests' own: one that never ends, one whose rows are as long as wanted."""

from dataclasses import replace
from typing import Any, Literal

from services.plugin.tools.reads import ReadResult, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.invocation import Invocations
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import Registry, load_registry
from services.tool_gateway.statements import load_statements, statement_from_text
from tests.unit.tool_gateway.seeded_data import AGENT

SCHEMA = {"arguments_schema_id": "hapju.tool.sized.arguments.v1"}
SLOW = statement_from_text(
    "slow.sql",
    "-- id: slow.v1\n-- table: n\n-- param: row_limit integer\n"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)\n"
    "SELECT COUNT(*) AS size, 'x' AS text, 'd' AS dataset_id, 's' AS dataset_source, 1 AS dataset_sample,\n"
    "'2026-01-01 00:00:00' AS as_of FROM n LIMIT :row_limit",
)
LARGE = statement_from_text(
    "large.sql",
    "-- id: large.v1\n-- table: n\n-- param: size integer\n-- param: row_limit integer\n"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)\n"
    "SELECT i AS size, printf('%.*c', :size, 'x') AS text, 'd' AS dataset_id, 's' AS dataset_source,\n"
    "1 AS dataset_sample, '2026-01-01 00:00:00' AS as_of FROM n LIMIT :row_limit",
)


class SizedRow(Row):
    """A row as long as wanted."""

    size: int
    """Its number."""
    text: str
    """Its length."""
    as_of: UtcTime
    """Its time."""


class SizedArguments(Arguments):
    """Which statement, and how long its rows are."""

    statement: Literal["slow.v1", "large.v1"]
    size: int = 0


async def sized_read(arguments: SizedArguments, reads: GatewayReads, timeout_seconds: float) -> ReadResult:
    """Read one of the statements."""
    values = {"size": arguments.size} if arguments.statement == "large.v1" else {}
    return await reads.read(arguments.statement, SizedRow, values, rows_max=100, timeout_seconds=timeout_seconds)


def sized_tool(**changed: Any) -> Tool:
    """Return the tool with some of its definition changed."""
    tool = load_registry().get("market_data")
    assert tool is not None
    own = {"name": "sized", "arguments": SizedArguments, "row": SizedRow, "read": sized_read, "alternatives": ()}
    return replace(tool, **{**own, **changed})


def sized_invocations(reader: Reader, *tools: Tool, agent: str = AGENT, **options: Any) -> Invocations:
    """Return calls of these tools, all of which the agent may make."""
    statements = {**load_statements(), SLOW.template_id: SLOW, LARGE.template_id: LARGE}
    registry = Registry(tools)
    return Invocations(registry, GatewayReads(reader, statements), {agent: frozenset(registry.names)}, **options)
