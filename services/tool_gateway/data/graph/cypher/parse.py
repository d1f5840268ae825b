"""Parses statements: the upper half of the recursive parser, clauses and patterns."""

from __future__ import annotations

from typing import Final

from services.tool_gateway.data.graph.cypher.expressions import Tokens
from services.tool_gateway.data.graph.cypher.refusal import CypherRefused
from services.tool_gateway.data.graph.cypher.statement import (
    EdgePattern,
    Expression,
    Literal,
    Match,
    Node,
    Parameter,
    PathPattern,
    ProjectedItem,
    Projection,
    Property,
    ReadStatement,
    Variable,
)
from services.tool_gateway.data.graph.cypher.tokens import TokenKind

CLAUSES_MAX: Final = 10
EDGES_MAX: Final = 8
HOPS_MAX: Final = 3


def parse(text: str) -> ReadStatement:
    """Return the parsed statement.

    Raises:
        CypherRefused: It is not of the subset: MATCH, OPTIONAL MATCH, WHERE, WITH and RETURN with their parts.
    """
    return _Parser(text).statement()


class _Parser(Tokens):
    """Reads one statement."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._unnamed = 0
        self._edges = 0

    def statement(self) -> ReadStatement:
        clauses: list[Match | Projection] = []
        while not (clauses and isinstance(clauses[-1], Projection) and clauses[-1].is_return):
            clauses.append(self._clause())
            if len(clauses) > CLAUSES_MAX:
                raise CypherRefused(f"the statement has over {CLAUSES_MAX} clauses")
        if self.next.kind is not TokenKind.END:
            raise CypherRefused(f"nothing may follow RETURN, but {self.next.text[:40]!r} does")
        last = clauses[-1]
        columns = tuple(_column(item) for item in last.items) if isinstance(last, Projection) else ()
        if len(set(columns)) != len(columns):
            raise CypherRefused("two columns of RETURN bear one name")
        return ReadStatement(tuple(clauses), columns)

    def _clause(self) -> Match | Projection:
        if self.takes("MATCH"):
            return self._match(optional=False)
        if self.takes("OPTIONAL", "MATCH"):
            return self._match(optional=True)
        if self.takes("WITH"):
            return self._projection(is_return=False)
        if self.takes("RETURN"):
            return self._projection(is_return=True)
        raise CypherRefused(
            f"{self.next.text[:40]!r} begins no read clause; allowed: MATCH, OPTIONAL MATCH, WITH, RETURN"
        )

    def _match(self, *, optional: bool) -> Match:
        patterns = [self._pattern()]
        while self.takes(","):
            patterns.append(self._pattern())
        return Match(tuple(patterns), optional, self.expression() if self.takes("WHERE") else None)

    def _pattern(self) -> PathPattern:
        nodes, edges = [self._node()], []
        while self.next.kind is TokenKind.SIGN and self.next.text in {"-", "<"}:
            edges.append(self._edge())
            nodes.append(self._node())
            self._edges += 1
            if self._edges > EDGES_MAX:
                raise CypherRefused(f"the statement follows over {EDGES_MAX} relations")
        return PathPattern(tuple(nodes), tuple(edges))

    def _node(self) -> Node:
        self.expect("(")
        named = self.next.kind is TokenKind.WORD
        self._unnamed += not named
        variable = self.name("variable") if named else f"_n{self._unnamed}"
        labels = self._alternatives("label") if self.takes(":") else ()
        properties = self._properties()
        self.expect(")")
        return Node(variable, labels, properties, named)

    def _edge(self) -> EdgePattern:
        points_left = self.takes("<")
        self.expect("-")
        self.expect("[")
        variable = self.name("variable") if self.next.kind is TokenKind.WORD else ""
        if not self.takes(":"):
            raise CypherRefused("each relation of a pattern names its type, as in -[:AFFECTS]->")
        types = self._alternatives("relation")
        hops = self._hops() if self.takes("*") else None
        properties = self._properties()
        self.expect("]")
        self.expect("-")
        points_right = self.takes(">")
        if points_left == points_right:
            raise CypherRefused("each relation of a pattern has one direction, as in -[:AFFECTS]->")
        if hops and (variable or properties):
            raise CypherRefused("several relations in a row take neither a variable nor properties")
        return EdgePattern(variable, types, points_right, hops, properties)

    def _alternatives(self, what: str) -> tuple[str, ...]:
        found = [self.name(what)]
        while self.takes("|"):
            found.append(self.name(what))
        return tuple(found)

    def _hops(self) -> tuple[int, int]:
        least = self._whole()
        self.expect("..")
        most = self._whole()
        if not 1 <= least <= most <= HOPS_MAX:
            raise CypherRefused(f"relations in a row are written *1..{HOPS_MAX} at most")
        return least, most

    def _whole(self) -> int:
        token = self.take()
        if token.kind is not TokenKind.NUMBER or "." in token.text:
            raise CypherRefused(f"{token.text[:40]!r} is no whole number")
        return int(token.text)

    def _properties(self) -> tuple[tuple[str, Expression], ...]:
        if not self.takes("{"):
            return ()
        found: list[tuple[str, Expression]] = []
        while not self.takes("}"):
            if found:
                self.expect(",")
            name = self.name("property")
            self.expect(":")
            value = self.expression()
            if not isinstance(value, (Literal, Parameter)):
                raise CypherRefused("a property in a pattern is a plain value")
            found.append((name, value))
        return tuple(found)

    def _projection(self, *, is_return: bool) -> Projection:
        distinct = self.takes("DISTINCT")
        items = [self._item()]
        while self.takes(","):
            items.append(self._item())
        order = self._order() if self.takes("ORDER", "BY") else ()
        skip = self._rows() if self.takes("SKIP") else None
        limit = self._rows() if self.takes("LIMIT") else None
        where = self.expression() if not is_return and self.takes("WHERE") else None
        return Projection(tuple(items), is_return, distinct, order, skip, limit, where)

    def _item(self) -> ProjectedItem:
        expression = self.expression()
        alias = self.name("alias") if self.takes("AS") else ""
        if not alias and not isinstance(expression, (Variable, Property)):
            raise CypherRefused("a computed column needs a name: AS name")
        return ProjectedItem(expression, alias)

    def _order(self) -> tuple[tuple[Expression, bool], ...]:
        found = []
        while True:
            expression = self.expression()
            descends = self.takes("DESC") or self.takes("DESCENDING")
            if not descends:
                _ = self.takes("ASC") or self.takes("ASCENDING")
            found.append((expression, descends))
            if not self.takes(","):
                return tuple(found)

    def _rows(self) -> Expression:
        expression = self.expression()
        whole = isinstance(expression, Literal) and isinstance(expression.value, int)
        if not whole and not isinstance(expression, Parameter):
            raise CypherRefused("SKIP and LIMIT take a whole number")
        return expression


def _column(item: ProjectedItem) -> str:
    if item.alias:
        return item.alias
    if isinstance(item.expression, Property):
        return f"{item.expression.variable}.{item.expression.name}"
    return item.expression.name if isinstance(item.expression, Variable) else ""
