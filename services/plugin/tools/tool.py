"""What a tool is: its whole definition as data, and the one function that reads or has an effect."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from services.contract.tool import SideEffect, ToolCost
from services.plugin.tools.effect import Effect
from services.plugin.tools.reads import ReadResult, Reads, Row, read_own
from services.plugin.wording import Text
from services.runtime.identity import Caller


class Arguments(BaseModel):
    """The base of every tool's arguments: unknown fields, NaN and infinity are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


def canonical(arguments: Arguments) -> bytes:
    """Return the one written form of equal arguments: defaults filled in, identifiers folded, keys in order."""
    return json.dumps(arguments.model_dump(mode="json"), ensure_ascii=False, sort_keys=True).encode()


class UnknownIdentifier(ValueError):
    """An argument names something that the data does not cover, which is not the same as having no rows.

    Attributes:
        field: The argument.
        message: What is not covered, and what is.
        reason: The tag of the failed call.
    """

    reason = "VALUE_OUT_OF_RANGE"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class NotOwned(UnknownIdentifier):
    """An id of the user's own rows that does not exist, or that is somebody else's: the two look alike."""

    reason = "NOT_FOUND"


@dataclass(frozen=True, kw_only=True)
class Tool:
    """The whole definition of one tool. It has exactly one of `read`, `read_own` and `effect`."""

    name: str
    """Name under which agents call it."""
    description_ko: str
    """What it returns, for Korean readers and models."""
    description_en: str
    """What it returns, for English readers and models."""
    arguments: type[Arguments]
    """Its arguments."""
    row: type[Row]
    """One row of its result."""
    read: Callable[[Any, Reads, float], Awaitable[ReadResult]] | None = None
    """Reads for validated arguments within a statement timeout in seconds; may raise UnknownIdentifier."""
    read_own: Callable[[Any, Reads, float, Caller], Awaitable[ReadResult]] | None = None
    """The same for what belongs to the calling user, who is logged in; may raise UnknownIdentifier."""
    effect: Effect | None = None
    """What it changes; called through PreviewAction and ExecuteAction only."""
    domain: str
    """Domain that it belongs to."""
    title: Text | None = None
    """What a user calls its rows; None where no agent shows them by a title."""
    data_type: str
    """Kind of data, which decides how it ages: market, macro, price, product, legal or loan."""
    cost: ToolCost = ToolCost.LOW
    """What a call costs."""
    typical_seconds: float = 0.5
    """How long a call takes as a rule, before any was measured."""
    quality_prior: float = 0.9
    """How good its results are, 0 to 1, before any was used."""
    timeout_seconds: float = 5.0
    """How long a call may take."""
    concurrency_max: int = 8
    """How many calls may run at once."""
    depends_on: tuple[str, ...] = ()
    """Tools whose results it needs."""
    alternatives: tuple[str, ...] = ()
    """Tools that return the same kind of data."""
    side_effect: SideEffect = SideEffect.NONE
    """What a call changes."""
    idempotency_key: tuple[str, ...] = ()
    """The parts of the key under which an effect happens once; required where there is an effect."""
    required_role: str = ""
    """Role that the user needs; empty where none."""
    version: int = 1
    """Version of its schemas."""
    needs: Literal["", "graph"] = ""
    """What a deployment must have set up beside the data database, or the tool is not offered; empty for nothing."""

    @property
    def arguments_schema_id(self) -> str:
        """Id of the arguments' schema."""
        return f"hapju.tool.{self.name}.arguments.v{self.version}"

    @property
    def rows_schema_id(self) -> str:
        """Id of the schema of a row."""
        return f"hapju.tool.{self.name}.rows.v{self.version}"

    @cached_property
    def arguments_schema_json(self) -> bytes:
        """JSON Schema of the arguments, UTF-8."""
        return _written(self.arguments.model_json_schema())

    @cached_property
    def rows_schema_json(self) -> bytes:
        """JSON Schema of a row as it is written, UTF-8."""
        return _written(self.row.model_json_schema(mode="serialization"))

    @cached_property
    def digest(self) -> str:
        """First 12 hexadecimal digits of the definition's SHA-256; any change of the definition changes it."""
        plain = {
            name: value
            for name, value in vars(self).items()
            if name in type(self).__dataclass_fields__ and not callable(value)
        }
        plain["title"] = None if self.title is None else [self.title.ko, self.title.en]
        if self.effect is not None:
            plain["effect"] = {name: value for name, value in asdict(self.effect).items() if not callable(value)}
        schemas = [self.arguments_schema_json.decode(), self.rows_schema_json.decode()]
        return hashlib.sha256(_written({"definition": plain, "schemas": schemas})).hexdigest()[:12]

    def description(self, locale: str) -> str:
        """Return the description in Korean for `ko`, else in English."""
        return self.description_ko if locale == "ko" else self.description_en


def _written(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


ROWS_MAX = 100
"""How many rows a tool returns whose arguments hold no `limit`."""


def by_statement(template_id: str, row: type[Row]) -> Callable[[Any, Reads, float], Awaitable[ReadResult]]:
    """Return the read of a tool whose arguments are the parameters of its statement; `limit` bounds the rows."""

    async def read(arguments: Arguments, reads: Reads, timeout_seconds: float) -> ReadResult:
        values, rows_max = _parameters(arguments)
        return await reads.read(template_id, row, values, rows_max=rows_max, timeout_seconds=timeout_seconds)

    return read


def own_by_statement(template_id: str, row: type[Row]) -> Callable[[Any, Reads, float, Caller], Awaitable[ReadResult]]:
    """Return the same of rows that belong to the calling user; the statement binds `tenant` and `user_id` as well."""

    async def read(arguments: Arguments, reads: Reads, timeout_seconds: float, caller: Caller) -> ReadResult:
        values, rows_max = _parameters(arguments)
        return await read_own(
            reads, template_id, row, values, caller=caller, rows_max=rows_max, timeout_seconds=timeout_seconds
        )

    return read


def _parameters(arguments: Arguments) -> tuple[dict[str, Any], int]:
    values = arguments.model_dump()
    return values, int(values.pop("limit", ROWS_MAX))
