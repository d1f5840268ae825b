"""Holds a parsed statement against the schema: labels, relations and their directions, properties, what is returned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from services.tool_gateway.data.graph.cypher.parse import parse
from services.tool_gateway.data.graph.cypher.refusal import CypherRefused
from services.tool_gateway.data.graph.cypher.statement import (
    EdgePattern,
    Expression,
    Function,
    Items,
    Match,
    Node,
    Operation,
    Parameter,
    PathPattern,
    Projection,
    Property,
    ReadStatement,
    Variable,
)
from services.tool_gateway.data.graph.schema import LABELS, RELATIONS


@dataclass(frozen=True)
class CheckedStatement:
    """A statement that may run."""

    statement: ReadStatement
    """The parsed statement."""
    parameters: frozenset[str]
    """Names of its bound parameters."""
    labels: frozenset[str]
    """Labels that its nodes may have."""
    relations: frozenset[str]
    """Types of the relations that it follows."""
    directions: tuple[str, ...]
    """Each relation as it was held against the schema, for the record: `(EconomicIndicator)-[:AFFECTS]->(Company)`."""


@dataclass
class _Scope:
    """What names stand for at one point of a statement."""

    nodes: dict[str, frozenset[str]] = field(default_factory=dict)
    edges: dict[str, tuple[str, ...]] = field(default_factory=dict)
    values: set[str] = field(default_factory=set)
    constraints: list[tuple[str, EdgePattern, str]] = field(default_factory=list)

    def knows(self, name: str) -> bool:
        return name in self.nodes or name in self.edges or name in self.values


def checked(text: str) -> CheckedStatement:
    """Parse a statement and hold it against the schema.

    Raises:
        CypherRefused: It is no plain read, or names or joins what the schema does not.
    """
    statement = parse(text)
    checker = _Checker()
    for clause in statement.clauses:
        if isinstance(clause, Match):
            checker.match(clause)
        else:
            checker.project(clause)
    return CheckedStatement(
        statement,
        frozenset(checker.parameters),
        frozenset(checker.labels),
        frozenset(checker.relations),
        tuple(checker.directions),
    )


class _Checker:
    """Follows a statement clause by clause."""

    def __init__(self) -> None:
        self._scope = _Scope()
        self.parameters: set[str] = set()
        self.labels: set[str] = set()
        self.relations: set[str] = set()
        self.directions: list[str] = []

    def match(self, clause: Match) -> None:
        for pattern in clause.patterns:
            self._declare(pattern)
        self._narrow()
        for pattern in clause.patterns:
            self._check_properties(pattern)
        if clause.where is not None:
            self._expression(clause.where)
        self._record(clause)

    def project(self, clause: Projection) -> None:
        for item in clause.items:
            self._expression(item.expression, bare=not clause.is_return)
        after = self._after(clause)
        ordered = _Scope(
            {**self._scope.nodes, **after.nodes},
            {**self._scope.edges, **after.edges},
            self._scope.values | after.values,
        )
        self._scope = ordered
        for expression, _ in clause.order:
            self._expression(expression)
        self._rows(clause)
        self._scope = after
        if clause.where is not None:
            self._expression(clause.where)

    def _rows(self, clause: Projection) -> None:
        for rows in (clause.skip, clause.limit):
            if rows is not None:
                self._expression(rows)

    def _after(self, clause: Projection) -> _Scope:
        """Return what names stand for behind a projection."""
        after = _Scope()
        for item in clause.items:
            name = item.expression.name if isinstance(item.expression, Variable) else ""
            if name in self._scope.nodes:
                after.nodes[item.alias or name] = self._scope.nodes[name]
            elif name in self._scope.edges:
                after.edges[item.alias or name] = self._scope.edges[name]
            elif item.alias or name:
                after.values.add(item.alias or name)
            elif not clause.is_return:
                raise CypherRefused("each column of WITH needs a name: AS name")
        return after

    def _declare(self, pattern: PathPattern) -> None:
        for node in pattern.nodes:
            self._declare_node(node)
        for at, edge in enumerate(pattern.edges):
            unknown = sorted(set(edge.types) - set(RELATIONS))
            if unknown:
                raise CypherRefused(f"there is no relation {unknown[0]}; known: {', '.join(RELATIONS)}")
            if edge.variable:
                if self._scope.knows(edge.variable):
                    raise CypherRefused(f"{edge.variable} is named twice")
                self._scope.edges[edge.variable] = edge.types
            left, right = pattern.nodes[at].variable, pattern.nodes[at + 1].variable
            source, target = (left, right) if edge.points_right else (right, left)
            self._scope.constraints.append((source, edge, target))
            self.relations.update(edge.types)

    def _declare_node(self, node: Node) -> None:
        unknown = sorted(set(node.labels) - set(LABELS))
        if unknown:
            raise CypherRefused(f"there is no label {unknown[0]}; known: {', '.join(LABELS)}")
        if node.variable in self._scope.edges or node.variable in self._scope.values:
            raise CypherRefused(f"{node.variable} is no node")
        wanted = frozenset(node.labels or LABELS)
        before = self._scope.nodes.get(node.variable, wanted)
        self._scope.nodes[node.variable] = before & wanted
        if not before & wanted:
            raise CypherRefused(f"{node.variable} cannot have two labels")

    def _narrow(self) -> None:
        """Leave each node only the labels with which every relation keeps its direction."""
        changed = True
        while changed:
            changed = False
            for source, edge, target in self._scope.constraints:
                sources, targets = self._scope.nodes[source], self._scope.nodes[target]
                pairs = [(one, other) for one, other in _pairs(edge) if one in sources and other in targets]
                if not pairs:
                    raise CypherRefused(_wrong_direction(edge, sources, targets))
                left, right = frozenset(one for one, _ in pairs), frozenset(other for _, other in pairs)
                changed |= (left, right) != (sources, targets)
                self._scope.nodes[source], self._scope.nodes[target] = sources & left, targets & right
                if not self._scope.nodes[source] or not self._scope.nodes[target]:
                    raise CypherRefused(_wrong_direction(edge, sources, targets))

    def _record(self, clause: Match) -> None:
        for pattern in clause.patterns:
            for node in pattern.nodes:
                self.labels.update(self._scope.nodes[node.variable])
        for source, edge, target in self._scope.constraints:
            left, right = ("|".join(sorted(self._scope.nodes[name])) for name in (source, target))
            self.directions.append(f"({left})-[:{'|'.join(edge.types)}]->({right})")
        self._scope.constraints.clear()

    def _check_properties(self, pattern: PathPattern) -> None:
        for node in pattern.nodes:
            for name, value in node.properties:
                self._property(node.variable, name)
                self._expression(value)
        for edge in pattern.edges:
            for name, value in edge.properties:
                _known_property(name, _edge_properties(edge.types), "|".join(edge.types))
                self._expression(value)

    def _expression(self, expression: Expression, *, bare: bool = False) -> None:
        match expression:
            case Parameter():
                self.parameters.add(expression.name)
            case Variable():
                self._variable(expression.name, bare=bare)
            case Property():
                self._property(expression.variable, expression.name)
            case Items():
                self._expressions(expression.items)
            case Function():
                self._expressions(expression.arguments, bare=expression.name == "count")
            case Operation():
                self._expressions(expression.operands)

    def _expressions(self, expressions: tuple[Expression, ...], *, bare: bool = False) -> None:
        for expression in expressions:
            self._expression(expression, bare=bare)

    def _variable(self, name: str, *, bare: bool) -> None:
        if not self._scope.knows(name):
            raise CypherRefused(f"{name} is named nowhere before")
        if not bare and name not in self._scope.values:
            raise CypherRefused(f"{name} is a node or relation; name a property of it, as in {name}.id")

    def _property(self, variable: str, name: str) -> None:
        if variable in self._scope.nodes:
            labels = self._scope.nodes[variable]
            known = frozenset().union(*(LABELS[label] for label in labels))
            _known_property(name, known, "|".join(sorted(labels)))
        elif variable in self._scope.edges:
            _known_property(name, _edge_properties(self._scope.edges[variable]), variable)
        else:
            raise CypherRefused(f"{variable} is no node or relation")


def _known_property(name: str, known: frozenset[str], owner: str) -> None:
    if name not in known:
        raise CypherRefused(f"{owner} has no property {name}; known: {', '.join(sorted(known))}")


def _edge_properties(types: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(RELATIONS[one].properties for one in types))


def _pairs(edge: EdgePattern) -> Iterator[tuple[str, str]]:
    """Yield the labels that an edge, or its relations in a row, may lead from and to."""
    single = {pair for one in edge.types for pair in RELATIONS[one].pairs}
    least, most = edge.hops or (1, 1)
    reached: Mapping[int, set[tuple[str, str]]] = {1: single}
    for hops in range(2, most + 1):
        longer = {(a, d) for a, b in reached[hops - 1] for c, d in single if b == c}
        reached = {**reached, hops: longer}
    for hops in range(least, most + 1):
        yield from reached[hops]


def _wrong_direction(edge: EdgePattern, sources: frozenset[str], targets: frozenset[str]) -> str:
    types = "|".join(edge.types)
    known = "; ".join(f"({one})-[:{types}]->({other})" for one, other in sorted(set(_pairs(edge)))[:12])
    return (
        f"[:{types}] does not lead from {'|'.join(sorted(sources))} to {'|'.join(sorted(targets))}; it leads: {known}"
    )
