"""Opens the graph at a URL, read-only: a ladybug folder of this machine, or a Neo4j server over Bolt."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from services.tool_gateway.data.graph.access import BoltAddress, Graph
from services.tool_gateway.data.reader import sqlite_path

EMBEDDED: Final = "ladybug"
_BOLT: Final = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
FILE_NAME: Final = "graph.lbug"
"""Name of the database inside an embedded graph's folder."""


def open_graph(url: str) -> Graph:
    """Return the graph at `url`; nothing is connected or loaded before the first read.

    Raises:
        ValueError: The URL names no graph that hapju knows.
    """
    folder = embedded_folder(url)
    if folder is not None:
        # Imported here, as is the other engine: each brings a library that only its own deployments need in memory.
        from services.tool_gateway.data.graph.embedded import EmbeddedGraph  # noqa: PLC0415

        return EmbeddedGraph(folder / FILE_NAME)
    from services.tool_gateway.data.graph.bolt import BoltGraph  # noqa: PLC0415

    return BoltGraph(bolt_address(url))


def check_graph_url(url: str) -> None:
    """Refuse a URL that names no graph; nothing is opened.

    Raises:
        ValueError: It names none that hapju knows.
    """
    if embedded_folder(url) is None:
        bolt_address(url)


def bolt_address(url: str) -> BoltAddress:
    """Return the parts of a Bolt URL.

    Raises:
        ValueError: It is none, or names no host.
    """
    parts = urlsplit(url)
    if parts.scheme not in _BOLT or not parts.hostname:
        known = f"{EMBEDDED}:///folder or {'://host:port or '.join(_BOLT)}://host:port"
        raise ValueError(f"HAPJU_GRAPH_URL: {parts.scheme or 'no'} scheme is not supported; use {known}")
    return BoltAddress(url)


def embedded_folder(url: str) -> Path | None:
    """Return the folder of an embedded graph; None for a server.

    Raises:
        ValueError: An embedded URL names no folder.
    """
    parts = urlsplit(url)
    if parts.scheme != EMBEDDED:
        return None
    if parts.netloc or len(parts.path) < 2:
        raise ValueError(f"HAPJU_GRAPH_URL: an embedded graph is named by its folder, as in {EMBEDDED}:////data/graph")
    return Path(unquote(parts.path))


def graph_lacking(url: str) -> str:
    """Return why there is no graph to be opened at a URL; empty where there is one."""
    if not url:
        return "no graph is set; name one in HAPJU_GRAPH_URL"
    if embedded_folder(url) is not None and find_spec(EMBEDDED) is None:
        return "the embedded graph needs a package that is not installed: pip install 'hapju[sample]'"
    return ""


def default_graph_url(sql_url: str) -> str:
    """Return the graph of a database where none is set: a folder beside an SQLite file; empty beside another."""
    path = sqlite_path(sql_url)
    return "" if path is None else f"{EMBEDDED}://{path.resolve().parent / 'graph'}"
