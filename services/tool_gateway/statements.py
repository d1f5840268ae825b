"""The named statements: SQL files with a typed header, loaded and checked once.

    -- id: equity_prices_us.v1                the template id that provenance names
    -- table: us_equity_prices                the table whose rows it returns
    -- param: security_id text                one line a bound parameter; `text[8]` binds :series_ids_1 to :series_ids_8

A caller's text reaches a statement as a bound value only; its text is that of the file, byte for byte. Each one ends
with `LIMIT :row_limit`. One whose rows a tool returns selects `PROVENANCE_COLUMNS` beside the columns of its row.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Final, TypeVar

from sqlalchemy import BigInteger, Date, String, TextClause, bindparam, text
from sqlalchemy.types import TypeEngine

from services.plugin.installed import installed_domains

ROW_LIMIT: Final = "row_limit"
_TYPES: Final[Mapping[str, type[TypeEngine[Any]]]] = {"text": String, "integer": BigInteger, "date": Date}
_PARAM: Final = re.compile(r"([a-z_]+) ([a-z]+)(?:\[(\d+)\])?")
_BIND: Final = re.compile(r"(?<![:\w]):([a-z_][a-z0-9_]*)")


class StatementError(ValueError):
    """A statement file is malformed, or values do not fit; the text names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class StatementParameter:
    """One bound parameter of a statement, of SQL or Cypher."""

    name: str
    """Its name."""
    kind: str
    """text, integer or date."""
    size: int | None
    """How many values a list has at most; None for a single value."""

    @property
    def binds(self) -> tuple[str, ...]:
        """The names under which its values stand in the SQL."""
        return (self.name,) if self.size is None else tuple(f"{self.name}_{n}" for n in range(1, self.size + 1))


@dataclass(frozen=True, slots=True)
class NamedStatement:
    """A statement of SQL or Cypher, as its file says it."""

    template_id: str
    """The id that provenance names."""
    table: str
    """The table, relation or label whose rows it returns."""
    parameters: Mapping[str, StatementParameter]
    """Its parameters by name; `row_limit` is one of them."""
    text: str
    """The statement as it stands in the file, without the header."""

    def check_names(self, values: Mapping[str, Any]) -> None:
        """Refuse values that are not those of the parameters, all and no other.

        Raises:
            StatementError: A parameter is missing or unknown.
        """
        if set(values) != set(self.parameters):
            differing = sorted(set(values) ^ set(self.parameters))
            raise StatementError(f"{self.template_id}: parameters {differing} do not match")


Template = TypeVar("Template", bound=NamedStatement)


@dataclass(frozen=True, slots=True)
class Statement(NamedStatement):
    """A named SQL statement."""

    clause: TextClause
    """The same with typed bound parameters."""

    @property
    def digest(self) -> str:
        """The first 16 hexadecimal digits of the SQL's SHA-256."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    def bind(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is bound for `values`; a list is filled up with its last value, which changes no result.

        Raises:
            StatementError: A parameter is missing, unknown, or a list is empty or too long.
        """
        self.check_names(values)
        bound: dict[str, Any] = {}
        for name, parameter in self.parameters.items():
            bound.update(_bound(self.template_id, parameter, values[name]))
        return bound


def load_statements() -> Mapping[str, Statement]:
    """Return every statement by id: those of the `templates` folder and those of the installed domains.

    Raises:
        StatementError: A file is malformed, or two bear one id.
    """
    return statements_in((resources.files(__package__) / "templates", *domain_folders()), ".sql", statement_from_text)


def domain_folders() -> tuple[Traversable, ...]:
    """Return the folders of statements of the installed domains."""
    return tuple(one.folder / "statements" for one in installed_domains())


def statements_in(
    folders: Iterable[Traversable], ending: str, read: Callable[[str, str], Template]
) -> Mapping[str, Template]:
    """Return the statements of the files with an ending by id, in the order of the files' names.

    Raises:
        StatementError: Two bear one id.
    """
    statements: dict[str, Template] = {}
    files = (file for folder in folders if folder.is_dir() for file in folder.iterdir() if file.name.endswith(ending))
    for file in sorted(files, key=lambda entry: entry.name):
        statement = read(file.name, file.read_text(encoding="utf-8"))
        if statement.template_id in statements:
            raise StatementError(f"{file.name}: {statement.template_id} is taken")
        statements[statement.template_id] = statement
    return MappingProxyType(statements)


def statement_from_text(file_name: str, content: str) -> Statement:
    """Read one statement file.

    Raises:
        StatementError: The header is incomplete, the SQL is no single SELECT, or binds and parameters differ.
    """
    named = named_statement(file_name, content, "--", tuple(_TYPES))
    _check(file_name, named.text, named.parameters)
    binds = [bindparam(name, type_=_TYPES[p.kind]()) for p in named.parameters.values() for name in p.binds]
    clause = text(named.text).bindparams(*binds)
    return Statement(named.template_id, named.table, named.parameters, named.text, clause)


def named_statement(file_name: str, content: str, mark: str, kinds: Sequence[str]) -> NamedStatement:
    """Return what a statement's file says of it in comments with a mark, and the statement without them.

    Raises:
        StatementError: The id or the table is missing, or a parameter is of none of the kinds.
    """
    lines = [
        line.removeprefix(f"{mark} ").split(": ", 1) for line in content.splitlines() if line.startswith(f"{mark} ")
    ]
    header = [(line[0], line[1]) for line in lines if len(line) > 1]
    fields = {key: value for key, value in header if key != "param"}
    parameters = (_parameter(file_name, value, kinds) for key, value in header if key == "param")
    for key in ("id", "table"):
        if key not in fields:
            raise StatementError(f"{file_name}: the header lacks {key}")
    body = "\n".join(line for line in content.splitlines() if not line.startswith(mark)).strip()
    return NamedStatement(fields["id"], fields["table"], MappingProxyType({p.name: p for p in parameters}), body)


def _parameter(file_name: str, declaration: str, kinds: Sequence[str]) -> StatementParameter:
    match = _PARAM.fullmatch(declaration.strip())
    if match is None or match[2] not in kinds:
        raise StatementError(f"{file_name}: the parameter {declaration!r} is not `name {'|'.join(kinds)}`")
    return StatementParameter(match[1], match[2], int(match[3]) if match[3] else None)


def _check(file_name: str, sql: str, parameters: Mapping[str, StatementParameter]) -> None:
    if not sql.upper().startswith(("SELECT", "WITH")) or ";" in sql:
        raise StatementError(f"{file_name}: a statement is one SELECT without a semicolon")
    if not sql.endswith(f"LIMIT :{ROW_LIMIT}"):
        raise StatementError(f"{file_name}: a statement ends with LIMIT :{ROW_LIMIT}")
    declared = {name for parameter in parameters.values() for name in parameter.binds}
    if set(_BIND.findall(sql)) != declared:
        raise StatementError(f"{file_name}: {sorted(set(_BIND.findall(sql)) ^ declared)} not both declared and bound")


def _bound(template_id: str, parameter: StatementParameter, value: Any) -> dict[str, Any]:
    if parameter.size is None:
        return {parameter.name: value}
    values: Sequence[Any] = value
    if not 1 <= len(values) <= parameter.size:
        raise StatementError(f"{template_id}: {parameter.name} takes 1 to {parameter.size} values")
    filled = [*values, *[values[-1]] * (parameter.size - len(values))]
    return dict(zip(parameter.binds, filled, strict=True))
