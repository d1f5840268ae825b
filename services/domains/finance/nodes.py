"""What the tools over the graph share: nodes of a row, and ids that the graph does not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import Field

from services.plugin.tools.reads import Reads, Row
from services.plugin.tools.tool import UnknownIdentifier
from services.text.patterns import Pattern

_NODES_MAX: Final = 16
_SERIES_ID: Final = Pattern(r"[A-Z0-9_]+")
_DETAIL: Final = Pattern(r"\s*\((?!예시\)|sample\))[^()]*\)$")


def plain_name(name: str) -> str:
    """Return a node's name without what stands in brackets behind it, unless that says that it is a sample."""
    return _DETAIL.sub("", name)


class GraphNode(Row):
    """A node of the graph."""

    id: str
    """Series id, security id, region code or id of an event; never shown to a user."""
    name_ko: str = Field(min_length=1)
    """Name for Korean readers."""
    name_en: str = Field(min_length=1)
    """Name for English readers."""

    def name(self, locale: str) -> str:
        """Return its plain name."""
        return plain_name(self.name_ko if locale == "ko" else self.name_en)

    @property
    def is_series(self) -> bool:
        """Whether it has a value that may rise and fall, as a series has and an event has not."""
        return _SERIES_ID.fullmatch(self.id) is not None


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
