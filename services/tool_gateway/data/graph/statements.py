"""The named Cypher statements: files with a typed header, in the subset that ladybug and Neo4j both read.

    // id: graph_impacts_1.v1               the template id that provenance names
    // table: AFFECTS                       the relation whose rows it returns
    // param: ids text[8]                   one line a bound parameter; a list is bound as a list

A caller's text reaches a statement as a bound value only. Each file is read by the parser that refuses a model's
Cypher, so that a template can write no more than a model can, and names only what the schema knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from services.tool_gateway.data.graph.cypher.check import checked
from services.tool_gateway.statements import (
    ROW_LIMIT,
    NamedStatement,
    StatementError,
    StatementParameter,
    domain_folders,
    named_statement,
    statements_in,
)

_TYPES: Final[Mapping[str, type]] = {"text": str, "integer": int}


@dataclass(frozen=True, slots=True)
class GraphStatement(NamedStatement):
    """A named Cypher statement."""

    def bind(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is bound for `values`.

        Raises:
            StatementError: A parameter is missing, unknown, or does not fit its type and size.
        """
        self.check_names(values)
        for name, parameter in self.parameters.items():
            if not _fits(parameter, values[name]):
                raise StatementError(f"{self.template_id}: {name} does not fit {parameter.kind}")
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def load_graph_statements() -> Mapping[str, GraphStatement]:
    """Return every statement of the installed domains by id.

    Raises:
        StatementError: A file is malformed, or two bear one id.
    """
    return statements_in(domain_folders(), ".cypher", graph_statement_from_text)


def graph_statement_from_text(file_name: str, content: str) -> GraphStatement:
    """Read one statement file.

    Raises:
        StatementError: The header is incomplete, or binds and parameters differ.
        CypherRefused: The statement is no plain read of the schema.
    """
    named = named_statement(file_name, content, "//", tuple(_TYPES))
    used = checked(named.text).parameters
    if used != set(named.parameters) or ROW_LIMIT not in used:
        raise StatementError(f"{file_name}: {sorted(used ^ set(named.parameters))} not both declared and used")
    return GraphStatement(named.template_id, named.table, named.parameters, named.text)


def _fits(parameter: StatementParameter, value: Any) -> bool:
    """Return whether a value may be bound."""
    values = [value] if parameter.size is None else value
    if not isinstance(values, (list, tuple)) or not 1 <= len(values) <= (parameter.size or 1):
        return False
    return all(isinstance(one, _TYPES[parameter.kind]) and not isinstance(one, bool) for one in values)
