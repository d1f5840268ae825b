"""What each engine is told before rows are written: ladybug wants tables, Neo4j a uniqueness constraint a label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from services.plugin.data.graph import FLAG, NUMBER, TEXT
from services.tool_gateway.data.graph.schema import LABELS, RELATIONS

_LADYBUG_TYPES = {TEXT: "STRING", NUMBER: "DOUBLE", FLAG: "BOOL"}


def embedded_ddl() -> Iterator[str]:
    """Yield the statements that make an empty ladybug database ready."""
    for label, properties in LABELS.items():
        yield f"CREATE NODE TABLE {label}({_columns(properties)}, PRIMARY KEY(id))"
    for name, relation in RELATIONS.items():
        pairs = ", ".join(f"FROM {source} TO {target}" for source, target in relation.pairs)
        yield f"CREATE REL TABLE {name}({pairs}, {_columns(relation.properties)})"


def bolt_ddl() -> Iterator[str]:
    """Yield the statements that make a Neo4j database ready; all of them may be repeated."""
    for label in LABELS:
        yield (f"CREATE CONSTRAINT hapju_{label.lower()}_id IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE")


def _columns(properties: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {_LADYBUG_TYPES[kind]}" for name, kind in properties.items())
