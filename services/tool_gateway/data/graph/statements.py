"""The named Cypher statements: files with a typed header, in the subset that ladybug and Neo4j both read.

    // id: graph_impacts_1.v1               the template id that provenance names
    // table: AFFECTS                       the relation whose rows it returns
    // param: ids text[8]                   one line a bound parameter; a list is bound as a list

A caller's text reaches a statement as a bound value only. Each file is read by the parser that refuses a model's
Cypher, so that a template can write no more than a model can, and names only what the schema knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from services.plugin.installed import installed_domains
from services.tool_gateway.data.graph.cypher.check import checked

ROW_LIMIT: Final = "row_limit"
_PARAM: Final = re.compile(r"([a-z_]+) (text|integer)(?:\[(\d+)\])?")
_TYPES: Final[Mapping[str, type]] = {"text": str, "integer": int}


class GraphStatementError(ValueError):
    """A statement file is malformed, or values do not fit; the text names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class GraphParameter:
    """One bound parameter."""

    name: str
    """Its name."""
    kind: str
    """text or integer."""
    size: int | None
    """How many values a list has at most; None for a single value."""

    def fits(self, value: Any) -> bool:
        """Return whether a value may be bound."""
        values = [value] if self.size is None else value
        if not isinstance(values, (list, tuple)) or not 1 <= len(values) <= (self.size or 1):
            return False
        return all(isinstance(one, _TYPES[self.kind]) and not isinstance(one, bool) for one in values)


@dataclass(frozen=True, slots=True)
class GraphStatement:
    """A named Cypher statement."""

    template_id: str
    """The id that provenance names."""
    table: str
    """The relation or label whose rows it returns."""
    parameters: Mapping[str, GraphParameter]
    """Its parameters by name; `row_limit` is one of them."""
    text: str
    """The Cypher as it stands in the file, without the header."""

    def bind(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is bound for `values`.

        Raises:
            GraphStatementError: A parameter is missing, unknown, or does not fit its type and size.
        """
        if set(values) != set(self.parameters):
            differing = sorted(set(values) ^ set(self.parameters))
            raise GraphStatementError(f"{self.template_id}: parameters {differing} do not match")
        for name, parameter in self.parameters.items():
            if not parameter.fits(values[name]):
                raise GraphStatementError(f"{self.template_id}: {name} does not fit {parameter.kind}")
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def load_graph_statements() -> Mapping[str, GraphStatement]:
    """Return every statement of the installed domains by id.

    Raises:
        GraphStatementError: A file is malformed, or two bear one id.
    """
    statements: dict[str, GraphStatement] = {}
    folders = (domain.folder / "statements" for domain in installed_domains())
    files = (file for folder in folders if folder.is_dir() for file in folder.iterdir())
    for file in sorted(files, key=lambda entry: entry.name):
        if file.name.endswith(".cypher"):
            statement = graph_statement_from_text(file.name, file.read_text(encoding="utf-8"))
            if statement.template_id in statements:
                raise GraphStatementError(f"{file.name}: {statement.template_id} is taken")
            statements[statement.template_id] = statement
    return MappingProxyType(statements)


def graph_statement_from_text(file_name: str, content: str) -> GraphStatement:
    """Read one statement file.

    Raises:
        GraphStatementError: The header is incomplete, or binds and parameters differ.
        CypherRefused: The statement is no plain read of the schema.
    """
    header = [line[3:].split(": ", 1) for line in content.splitlines() if line.startswith("// ") and ": " in line]
    fields = {key: value for key, value in header if key != "param"}
    parameters = {p.name: p for p in (_parameter(file_name, value) for key, value in header if key == "param")}
    text = "\n".join(line for line in content.splitlines() if not line.startswith("//")).strip()
    for key in ("id", "table"):
        if key not in fields:
            raise GraphStatementError(f"{file_name}: the header lacks {key}")
    used = checked(text).parameters
    if used != set(parameters) or ROW_LIMIT not in used:
        raise GraphStatementError(f"{file_name}: {sorted(used ^ set(parameters))} not both declared and used")
    return GraphStatement(fields["id"], fields["table"], MappingProxyType(parameters), text)


def _parameter(file_name: str, declaration: str) -> GraphParameter:
    match = _PARAM.fullmatch(declaration.strip())
    if match is None:
        raise GraphStatementError(f"{file_name}: the parameter {declaration!r} is not `name text|integer`")
    return GraphParameter(match[1], match[2], int(match[3]) if match[3] else None)
