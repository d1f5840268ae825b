"""What a graph is to whoever reads it, wherever it lies: the same for every engine."""

from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit


class Graph(Protocol):
    """A graph that can only be read."""

    async def fetch(self, text: str, parameters: Mapping[str, Any], timeout_seconds: float) -> list[dict[str, Any]]:
        """Return the rows of a Cypher statement as mappings.

        Raises:
            ReadTimeout: It took longer than `timeout_seconds` and was stopped.
            GraphWriteRefused: It would have written.
            DatabaseUnavailable: The graph cannot be opened: not seeded yet, or not reachable.
        """

    async def close(self) -> None:
        """Close every connection."""


class GraphWriteRefused(Exception):
    """A statement on a read path tried to write; nothing was written."""


class BoltAddress:
    """A Bolt URL taken apart: bolt://user:password@host:7687/database."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        host = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
        self.uri = f"{parts.scheme}://{host}"
        self.auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
        self.database = parts.path.strip("/") or None
