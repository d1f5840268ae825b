"""Runs the named statements of the installed domains over the connections of the data database."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select

from services.plugin.tools.reads import ReadResult, Row, StatementOrigin, reading_of
from services.tool_gateway.a2a.agents import MountedAgents
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.graph_reads import GatewayGraphReads
from services.tool_gateway.mcp.servers import MountedServers
from services.tool_gateway.search.finder import Finder
from services.tool_gateway.statements import ROW_LIMIT, Statement, load_statements
from services.tool_gateway.web.provider import WebSearch


class GatewayReads:
    """The statements and the connections on which they run.

    Args:
        reader: The connections of the data database.
        statements: The named statements; the packaged ones by default.
        graph: The graph of the same data; without it every read of the graph says that there is none.
        web: Who searches the web; None where nobody does.
        servers: The mounted MCP servers; none by default.
        agents: The mounted A2A agents; none by default.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - all that a tool may read with
        self,
        reader: Reader,
        statements: Mapping[str, Statement] | None = None,
        graph: GatewayGraphReads | None = None,
        web: WebSearch | None = None,
        servers: MountedServers | None = None,
        agents: MountedAgents | None = None,
    ) -> None:
        self._reader = reader
        self._statements = load_statements() if statements is None else statements
        self.graph = graph or GatewayGraphReads(None)
        """Named statements over the graph."""
        self.web = web
        """Who searches the web; None where nobody does."""
        self.servers = servers or MountedServers({})
        """The MCP servers that the deployment has mounted."""
        self.agents = agents or MountedAgents({})
        """The A2A agents that the deployment has mounted."""
        self.finder = Finder(self)
        """Search by words and meaning over the same connections."""

    async def read(
        self,
        template_id: str,
        row: type[Row],
        values: Mapping[str, Any],
        *,
        rows_max: int,
        timeout_seconds: float,
    ) -> ReadResult:
        """Run a statement and return its rows as `row` models.

        Raises:
            ReadTimeout, DatabaseUnavailable: See `Reader.fetch`.
            StatementError: The values do not fit the statement.
            RowTooLarge: The first row alone is longer than `ROWS_BYTES_MAX`.
        """
        found = await self.records(template_id, values, rows_max=rows_max + 1, timeout_seconds=timeout_seconds)
        return reading_of(self.origin(template_id), row, values, found, rows_max=rows_max)

    def origin(self, template_id: str) -> StatementOrigin:
        """Return a statement as provenance names it."""
        statement = self._statements[template_id]
        return StatementOrigin(statement.template_id, statement.table, statement.text)

    async def records(
        self, template_id: str, values: Mapping[str, Any], *, rows_max: int, timeout_seconds: float
    ) -> list[dict[str, Any]]:
        """Run a statement and return its records as they are; see `read` for the errors."""
        statement = self._statements[template_id]
        bound = statement.bind({**values, ROW_LIMIT: rows_max})
        return await self._reader.fetch(statement.clause, bound, timeout_seconds)

    async def records_of(self, statement: Select[Any], *, timeout_seconds: float) -> list[dict[str, Any]]:
        """Run a compiled query and return its records; see `read` for the errors."""
        return await self._reader.fetch(statement, {}, timeout_seconds)
