"""The statements that write nodes and relations into a graph."""

from __future__ import annotations

from collections.abc import Sequence

from services.tool_gateway.data.graph.schema import LABELS, RELATIONS


def create_nodes(label: str) -> str:
    """Return the statement that creates the nodes `$rows` of a label."""
    return f"UNWIND $rows AS row CREATE (:{label} {{{_assigned(sorted(LABELS[label]))}}})"


def create_edges(relation: str, source: str, target: str) -> str:
    """Return the statement that creates the relations `$rows` between nodes of two labels."""
    return (
        f"UNWIND $rows AS row MATCH (a:{source} {{id: row.source}}) MATCH (b:{target} {{id: row.target}}) "
        f"CREATE (a)-[:{relation} {{{_assigned(sorted(RELATIONS[relation].properties))}}}]->(b)"
    )


def _assigned(names: Sequence[str]) -> str:
    return ", ".join(f"{name}: row.{name}" for name in names)
