"""A parsed read statement: patterns, conditions and what is returned."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Literal:
    """A string, number, truth value or null."""

    value: str | int | float | bool | None
    """Its value."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A bound parameter."""

    name: str
    """Its name without the dollar sign."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A node, a relation or an alias, by name."""

    name: str
    """Its name."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a node or relation."""

    variable: str
    """Whose property it is."""
    name: str
    """Name of the property."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Expression, ...]
    """What it holds."""


@dataclass(frozen=True, slots=True)
class Function:
    """A call of one of the allowed functions."""

    name: str
    """Its name as it is written anew."""
    arguments: tuple[Expression, ...]
    """Its arguments; empty with `star`."""
    distinct: bool = False
    """Whether equal values count once."""
    star: bool = False
    """Whether it is count(*)."""


@dataclass(frozen=True, slots=True)
class Operation:
    """Operands joined by an operator; one operand for NOT, minus, IS NULL and IS NOT NULL."""

    operator: str
    """The operator in capitals."""
    operands: tuple[Expression, ...]
    """One or two."""


Expression = Literal | Parameter | Variable | Property | Items | Function | Operation


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a pattern."""

    variable: str
    """Its name; one made up (`_n1`) where the text gives none."""
    labels: tuple[str, ...]
    """Labels of which it has one; empty for any."""
    properties: tuple[tuple[str, Expression], ...] = ()
    """Properties that it must have."""
    is_named: bool = True
    """Whether the name stands in the text."""


@dataclass(frozen=True, slots=True)
class EdgePattern:
    """A relation of a pattern, from left to right."""

    variable: str
    """Its name; empty where the text gives none."""
    types: tuple[str, ...]
    """Types of which it has one; at least one."""
    points_right: bool
    """Whether it leads from the node on its left to the one on its right."""
    hops: tuple[int, int] | None = None
    """Least and most relations in a row; None for exactly one."""
    properties: tuple[tuple[str, Expression], ...] = ()
    """Properties that it must have."""


@dataclass(frozen=True, slots=True)
class PathPattern:
    """Nodes joined by relations."""

    nodes: tuple[Node, ...]
    """One node more than edges."""
    edges: tuple[EdgePattern, ...]
    """The relations between them, in order."""


@dataclass(frozen=True, slots=True)
class Match:
    """MATCH or OPTIONAL MATCH."""

    patterns: tuple[PathPattern, ...]
    """At least one."""
    optional: bool
    """Whether rows without a match are kept."""
    where: Expression | None = None
    """The condition."""


@dataclass(frozen=True, slots=True)
class ProjectedItem:
    """One column of WITH or RETURN."""

    expression: Expression
    """What it is."""
    alias: str
    """Its name; empty where the text gives none."""


@dataclass(frozen=True, slots=True)
class Projection:
    """WITH or RETURN."""

    items: tuple[ProjectedItem, ...]
    """At least one."""
    is_return: bool
    """Whether it ends the statement."""
    distinct: bool = False
    """Whether equal rows count once."""
    order: tuple[tuple[Expression, bool], ...] = ()
    """What rows are ordered by, each with whether it descends."""
    skip: Expression | None = None
    """Rows left out from the start."""
    limit: Expression | None = None
    """Rows kept."""
    where: Expression | None = None
    """The condition of WITH."""


@dataclass(frozen=True, slots=True)
class ReadStatement:
    """A whole statement."""

    clauses: tuple[Match | Projection, ...]
    """The clauses in order; the last one is RETURN."""
    columns: tuple[str, ...] = field(default=())
    """Names of what it returns."""
