"""Writes a checked statement anew: strings become parameters, and a LIMIT is forced."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from services.tool_gateway.data.graph.cypher.check import CheckedStatement
from services.tool_gateway.data.graph.cypher.refusal import CypherRefused
from services.tool_gateway.data.graph.cypher.statement import (
    EdgePattern,
    Expression,
    Function,
    Items,
    Literal,
    Match,
    Node,
    Operation,
    Parameter,
    PathPattern,
    Projection,
    Property,
    Variable,
)

ROW_LIMIT: Final = "row_limit"


@dataclass(frozen=True)
class RenderedStatement:
    """A statement as it runs."""

    text: str
    """The Cypher; it ends with `LIMIT $row_limit`."""
    parameters: dict[str, str | int]
    """What is bound: the strings of the statement and the row limit."""


def render(checked: CheckedStatement, rows_max: int) -> RenderedStatement:
    """Return the statement with at most `rows_max` rows, whatever its own LIMIT says.

    Raises:
        CypherRefused: It has parameters of its own: a model has nothing to bind them to.
    """
    if checked.parameters:
        raise CypherRefused(f"${min(checked.parameters)} is bound to nothing; write the value")
    writer = _Writer()
    *before, last = checked.statement.clauses
    lines = [writer.clause(clause) for clause in before]
    if isinstance(last, Projection):
        own = last.limit.value if isinstance(last.limit, Literal) and isinstance(last.limit.value, int) else rows_max
        lines.append(writer.clause(replace(last, limit=Parameter(ROW_LIMIT))))
        writer.parameters[ROW_LIMIT] = min(own, rows_max)
    return RenderedStatement("\n".join(lines), writer.parameters)


class _Writer:
    """Collects the strings of one statement while it is written."""

    def __init__(self) -> None:
        self.parameters: dict[str, str | int] = {}

    def clause(self, clause: Match | Projection) -> str:
        if isinstance(clause, Projection):
            return self._projection(clause)
        patterns = ", ".join(self._pattern(pattern) for pattern in clause.patterns)
        where = "" if clause.where is None else f" WHERE {self.expression(clause.where)}"
        return f"{'OPTIONAL ' if clause.optional else ''}MATCH {patterns}{where}"

    def _projection(self, clause: Projection) -> str:
        parts = ["RETURN" if clause.is_return else "WITH"]
        if clause.distinct:
            parts.append("DISTINCT")
        parts.append(
            ", ".join(
                self.expression(item.expression) + (f" AS {item.alias}" if item.alias else "") for item in clause.items
            )
        )
        if clause.order:
            order = (self.expression(one) + (" DESC" if descends else "") for one, descends in clause.order)
            parts.append(f"ORDER BY {', '.join(order)}")
        for word, rows in (("SKIP", clause.skip), ("LIMIT", clause.limit), ("WHERE", clause.where)):
            if rows is not None:
                parts.append(f"{word} {self.expression(rows)}")
        return " ".join(parts)

    def _pattern(self, pattern: PathPattern) -> str:
        written = self._node(pattern.nodes[0])
        for edge, node in zip(pattern.edges, pattern.nodes[1:], strict=True):
            written += self._edge(edge) + self._node(node)
        return written

    def _node(self, node: Node) -> str:
        labels = f":{'|'.join(node.labels)}" if node.labels else ""
        return f"({node.variable if node.is_named else ''}{labels}{self._properties(node.properties)})"

    def _edge(self, edge: EdgePattern) -> str:
        hops = f"*{edge.hops[0]}..{edge.hops[1]}" if edge.hops else ""
        inner = f"[{edge.variable}:{'|'.join(edge.types)}{hops}{self._properties(edge.properties)}]"
        return f"-{inner}->" if edge.points_right else f"<-{inner}-"

    def _properties(self, properties: tuple[tuple[str, Expression], ...]) -> str:
        written = ", ".join(f"{name}: {self.expression(value)}" for name, value in properties)
        return f" {{{written}}}" if written else ""

    def expression(self, expression: Expression) -> str:
        match expression:
            case Literal():
                written = self._literal(expression)
            case Parameter():
                written = f"${expression.name}"
            case Variable():
                written = expression.name
            case Property():
                written = f"{expression.variable}.{expression.name}"
            case Items():
                written = f"[{', '.join(self.expression(item) for item in expression.items)}]"
            case Function():
                written = self._function(expression)
            case Operation():
                written = self._operation(expression)
        return written

    def _literal(self, literal: Literal) -> str:
        if isinstance(literal.value, str):
            name = f"text_{len(self.parameters) + 1}"
            self.parameters[name] = literal.value
            return f"${name}"
        if literal.value is None:
            return "null"
        return str(literal.value).lower() if isinstance(literal.value, bool) else repr(literal.value)

    def _function(self, function: Function) -> str:
        if function.star:
            return "count(*)"
        arguments = ", ".join(self.expression(argument) for argument in function.arguments)
        return f"{function.name}({'DISTINCT ' if function.distinct else ''}{arguments})"

    def _operation(self, operation: Operation) -> str:
        operands = [self.expression(operand) for operand in operation.operands]
        if operation.operator in {"NOT", "MINUS"}:
            return f"({'NOT ' if operation.operator == 'NOT' else '-'}{operands[0]})"
        if len(operands) == 1:
            return f"({operands[0]} {operation.operator})"
        return f"({operands[0]} {operation.operator} {operands[1]})"
