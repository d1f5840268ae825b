"""What the tools over the graph share: nodes of a row, and ids that the graph does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from services.plugin.reads import Reads, Row
from services.plugin.tool import UnknownIdentifier

_NODES_MAX: Final = 16


class GraphNode(Row):
    """A node of the graph."""

    id: str
    """Series id, security id, region code or id of an event; never shown to a user."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""


async def require_nodes(reads: Reads, ids: Sequence[str], timeout_seconds: float) -> None:
    """Return if the graph holds every one of the ids.

    Raises:
        UnknownIdentifier: It lacks one; the text names it and its field.
    """
    found = await reads.graph.records(
        "graph_known.v1", {"ids": list(ids)}, rows_max=_NODES_MAX, timeout_seconds=timeout_seconds
    )
    known = {record["id"] for record in found}
    for one in ids:
        if one not in known:
            field = "ticker" if ":" in one else "region_code" if one.isdigit() else "series_ids"
            raise UnknownIdentifier(field, f"{one} is not in the graph")
