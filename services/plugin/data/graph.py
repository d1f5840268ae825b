"""The graph: what its nodes and relations are, declared by a domain, and rows on their way into it.

Every node has an `id` that is unique within its label. `graph.py` of a domain holds its SCHEMA.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

TEXT: Final = "text"
NUMBER: Final = "number"
FLAG: Final = "flag"

# Where a node or relation comes from; provenance is read from these.
ORIGIN: Final[Mapping[str, str]] = MappingProxyType(
    {"dataset_id": TEXT, "dataset_source": TEXT, "dataset_sample": FLAG, "as_of": TEXT}
)
_NAMES: Final = {"id": TEXT, "name_ko": TEXT, "name_en": TEXT}


@dataclass(frozen=True)
class Relation:
    """One type of relation."""

    pairs: tuple[tuple[str, str], ...]
    """Labels that it may lead from and to."""
    properties: Mapping[str, str]
    """Kind of each property by name."""

    def allows(self, source: str, target: str) -> bool:
        """Return whether it may lead from a node of one label to a node of another."""
        return (source, target) in self.pairs


@dataclass(frozen=True)
class GraphSchema:
    """The labels and relations of a graph."""

    labels: Mapping[str, Mapping[str, str]]
    """Kind of each property by name, by label."""
    relations: Mapping[str, Relation]
    """The types of relations by name."""


def pairs(sources: str, targets: str) -> tuple[tuple[str, str], ...]:
    """Return each source with each target; both are labels with spaces between."""
    return tuple((source, target) for source in sources.split() for target in targets.split())


def node_of(**properties: str) -> Mapping[str, str]:
    """Return the properties of a label: id, names, those given, and where a node comes from."""
    return MappingProxyType({**_NAMES, **properties, **ORIGIN})


def relation_of(ends: tuple[tuple[str, str], ...], **properties: str) -> Relation:
    """Return a type of relation with its properties and where it comes from."""
    return Relation(ends, MappingProxyType({**properties, **ORIGIN}))


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

    schema: GraphSchema
    """What they have to fit."""
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
        known = set(self.schema.labels[label])
        if set(row) != known:
            raise GraphRowError(f"{label} {node_id}: properties {sorted(set(row) ^ known)} do not match")
        if node_id in self.nodes.setdefault(label, {}):
            raise GraphRowError(f"{label} {node_id} is there twice")
        self.nodes[label][node_id] = row

    def add_edge(self, edge: Edge) -> None:
        """Add a relation.

        Raises:
            GraphRowError: Its direction, an end or its properties do not fit the schema.
        """
        relation = self.schema.relations[edge.relation]
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
