"""Nodes and relations on their way into a graph, held against the schema as they are added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.tool_gateway.data.graph.schema import LABELS, RELATIONS


class GraphRowError(ValueError):
    """A node or relation does not fit the schema; the text names it."""


@dataclass(frozen=True, slots=True)
class NodeKey:
    """Names a node."""

    label: str
    """Its label."""
    node_id: str
    """Its id within the label."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One relation."""

    relation: str
    """Its type."""
    source: NodeKey
    """Where it leads from."""
    target: NodeKey
    """Where it leads to."""
    properties: Mapping[str, Any]
    """Its properties, without those of its origin."""


@dataclass
class GraphRows:
    """All nodes and relations of one data set."""

    origin: Mapping[str, Any]
    """Properties of every node and relation: the data set, its source, whether it is sample, its moment."""
    nodes: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """Properties of each node by label and id."""
    edges: list[Edge] = field(default_factory=list)
    """The relations."""

    def add_node(self, label: str, node_id: str, **properties: object) -> None:
        """Add a node.

        Raises:
            GraphRowError: It is there already, or lacks or has a property that its label does not.
        """
        row = {"id": node_id, **properties, **self.origin}
        if set(row) != set(LABELS[label]):
            raise GraphRowError(f"{label} {node_id}: properties {sorted(set(row) ^ set(LABELS[label]))} do not match")
        if node_id in self.nodes.setdefault(label, {}):
            raise GraphRowError(f"{label} {node_id} is there twice")
        self.nodes[label][node_id] = row

    def add_edge(self, edge: Edge) -> None:
        """Add a relation.

        Raises:
            GraphRowError: Its direction, an end or its properties do not fit the schema.
        """
        relation = RELATIONS[edge.relation]
        if not relation.allows(edge.source.label, edge.target.label):
            raise GraphRowError(f"{edge.relation} does not lead from {edge.source.label} to {edge.target.label}")
        if {*edge.properties, *self.origin} != set(relation.properties):
            raise GraphRowError(f"{edge.relation}: properties {sorted(edge.properties)} do not match")
        for end in (edge.source, edge.target):
            self.node(end)
        self.edges.append(edge)

    def node(self, key: NodeKey) -> Mapping[str, Any]:
        """Return a node's properties.

        Raises:
            GraphRowError: There is no such node.
        """
        row = self.nodes.get(key.label, {}).get(key.node_id)
        if row is None:
            raise GraphRowError(f"there is no {key.label} {key.node_id}")
        return row

    def edges_by_kind(self) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
        """Return the relations as rows with source and target, by type, source label and target label."""
        grouped: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
        for edge in self.edges:
            row = {"source": edge.source.node_id, "target": edge.target.node_id, **edge.properties, **self.origin}
            grouped.setdefault((edge.relation, edge.source.label, edge.target.label), []).append(row)
        return grouped

    @property
    def count(self) -> int:
        """Nodes and relations together."""
        return sum(len(nodes) for nodes in self.nodes.values()) + len(self.edges)


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
