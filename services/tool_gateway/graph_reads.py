"""Runs named Cypher statements and a model's checked ones: typed rows, a row limit, and where the rows come from."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from services.plugin.tools.reads import CheckedRecords, StatementOrigin
from services.tool_gateway.data.reader import DatabaseUnavailable

if TYPE_CHECKING:
    from services.tool_gateway.data.graph.access import Graph
    from services.tool_gateway.data.graph.statements import GraphStatement

_NO_GRAPH: Final = "there is no graph here"


class GatewayGraphReads:
    """The named Cypher statements and the graph on which they run.

    Args:
        graph: The graph; None in a deployment that has none, where every read fails.
        statements: The named statements; the packaged ones by default, read at the first use.
    """

    def __init__(self, graph: Graph | None, statements: Mapping[str, GraphStatement] | None = None) -> None:
        self._graph = graph
        self._statements = statements

    async def origin(self, template_ids: Sequence[str], table: str) -> StatementOrigin:
        """Return several statements whose rows were put together as one, as provenance names them."""
        texts = [(await self._statement(template_id)).text for template_id in template_ids]
        return StatementOrigin("+".join(template_ids), table, "\n".join(texts))

    async def records(
        self, template_id: str, values: Mapping[str, Any], *, rows_max: int, timeout_seconds: float
    ) -> list[dict[str, Any]]:
        """Run a named statement and return its records.

        Raises:
            ReadTimeout, DatabaseUnavailable: See `Graph.fetch`.
            StatementError: The values do not fit the statement.
        """
        statement = await self._statement(template_id)
        bound = statement.bind({**values, "row_limit": rows_max})
        return await self._opened().fetch(statement.text, bound, timeout_seconds)

    async def checked_records(self, text: str, *, rows_max: int, timeout_seconds: float) -> CheckedRecords:
        """Check a model's statement, run it, written anew with a forced limit, and return its records.

        Raises:
            CypherRefused: It is no plain read of what the schema knows, or has parameters.
            ReadTimeout, DatabaseUnavailable: See `Graph.fetch`.
        """
        # Imported here: a gateway that is never asked this parses no Cypher.
        from services.tool_gateway.data.graph.cypher.check import checked  # noqa: PLC0415
        from services.tool_gateway.data.graph.cypher.render import render  # noqa: PLC0415

        statement = checked(text)
        rendered = render(statement, rows_max)
        records = await self._opened().fetch(rendered.text, rendered.parameters, timeout_seconds)
        return CheckedRecords(tuple(records), statement.relations, statement.labels, statement.directions)

    async def close(self) -> None:
        """Close the graph."""
        if self._graph is not None:
            await self._graph.close()

    def _opened(self) -> Graph:
        if self._graph is None:
            raise DatabaseUnavailable(_NO_GRAPH)
        return self._graph

    async def _statement(self, template_id: str) -> GraphStatement:
        if self._statements is None:
            # Imported here: a gateway that is never asked about the graph parses no Cypher.
            from services.tool_gateway.data.graph.statements import load_graph_statements  # noqa: PLC0415

            self._statements = await asyncio.to_thread(load_graph_statements)
        return self._statements[template_id]
