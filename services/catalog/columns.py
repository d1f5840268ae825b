"""How a person reads the rows of evidence: which columns there are, and what they are called in their language."""

import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import resources
from typing import Any, Final

from services.catalog.loader import catalog
from services.contract.flow import AgentResult, Column, Evidence
from services.plugin.data.columns import FILE, ColumnFile, ColumnName, installed_columns
from services.plugin.documents import read_model
from services.text.patterns import Pattern

_SPOKEN: Final = Pattern(r"(.+)_(ko|en)((?:_\d+)?)")
"""A column that says the same as another in one language."""
_ROWS_READ_MAX: Final = 200
"""Of so many rows the codes are looked at."""


def with_columns(result: AgentResult, locale: str) -> AgentResult:
    """Return an agent's result whose evidence says how its rows are read."""
    if not result.evidence:
        return result
    domain = result.agent.partition(".")[0]
    return replace(result, evidence=tuple(described(piece, domain, locale) for piece in result.evidence))


def described(piece: Evidence, domain: str, locale: str) -> Evidence:
    """Return a piece of evidence with its columns, as the domain that read it calls them; the rows stay as they are.

    Args:
        piece: The evidence.
        domain: The domain of the agent that read it; what it builds on has its say after it.
        locale: The reader's language.
    """
    rows = _rows(piece.rows_json)
    names = dict.fromkeys(name for row in rows for name in row)
    return replace(piece, columns=tuple(_columns(names, rows, domain, locale)))


def untitled(names: Iterable[str], domain: str) -> tuple[str, ...]:
    """Return the columns of which no file of a domain, nor of what it builds on, says what they are called."""
    files = _files_of(domain)
    return tuple(name for name in names if not any(file.knows(_bare(name)) or file.knows(name) for file in files))


@functools.lru_cache(maxsize=4096)
def title_of(name: str, domain: str, language: str) -> ColumnName | None:
    """Return what a column is called, by its own name where no file says; None where it is hidden or not spoken."""
    spoken = _SPOKEN.fullmatch(name)
    if spoken and spoken[2] != language:
        return None
    bare = _bare(name)
    for file in _files_of(domain):
        if bare in file.hidden or name in file.hidden:
            return None
        if bare in file.columns:
            return file.columns[bare]
    words = bare.replace("_", " ")
    return ColumnName(ko=words, en=words)


def _bare(name: str) -> str:
    """Return the name that both languages' columns share."""
    spoken = _SPOKEN.fullmatch(name)
    return f"{spoken[1]}{spoken[3]}" if spoken else name


def _columns(names: Iterable[str], rows: list[dict[str, Any]], domain: str, locale: str) -> Iterator[Column]:
    language = "en" if locale.lower().startswith("en") else "ko"
    for name in names:
        found = title_of(name, domain, language)
        if found is None or all(row.get(name) in (None, "") for row in rows):
            continue
        codes = {_code(row.get(name)) for row in rows} if found.words else set()
        words = {code: word.of(locale) for code, word in found.words.items() if code in codes}
        yield Column(name, found.of(locale), found.unit, words)


def _code(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _rows(rows_json: bytes) -> list[dict[str, Any]]:
    rows = json.loads(rows_json) if rows_json else []
    found = rows if isinstance(rows, list) else []
    held = [row.get("fields", row) for row in found[:_ROWS_READ_MAX] if isinstance(row, dict)]
    return [row for row in held if isinstance(row, dict)]


@functools.cache
def _files_of(domain: str) -> tuple[ColumnFile, ...]:
    installed: Mapping[str, ColumnFile] = installed_columns()
    try:
        grounds = tuple(one.domain for one in catalog().with_grounds(domain))
    except KeyError:
        grounds = ()
    own = tuple(installed[name] for name in grounds if name in installed)
    return (*own, _core())


@functools.cache
def _core() -> ColumnFile:
    return read_model(resources.files("services.catalog").joinpath(FILE), ColumnFile)
