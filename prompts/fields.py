"""The building blocks of a prompt's Inputs and Output: trusted and untrusted text, confidence, reasoning.

A text field of Inputs is either `Trusted` (written by us: a name in the catalog, a date that we formatted)
or `Untrusted` (written by anybody else: the question, earlier turns, rows, documents). The template can print
the second only through the `data` filter, which fences it, so that it never reads as an instruction.
"""

import ast
import inspect
import json
import math
import re
import sys
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

REASONING_CHARS_MAX = 1_000

_PERCENT = re.compile(r"\s*(\d{1,3}(?:\.\d+)?)\s*[%％]\s*")
_FRACTION = re.compile(r"\s*([01](?:\.\d+)?|\.\d+)\s*")


class _Text(str):
    """A str that keeps its class through validation, so that the template knows who wrote it."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(cls, core_schema.str_schema())


class Trusted(_Text):
    """Text that we wrote: catalog names and descriptions, labels, dates that we formatted."""

    __slots__ = ()


class Untrusted(_Text):
    """Text that somebody else wrote: it is printed inside a fence, as data."""

    __slots__ = ()


class PromptInputs(BaseModel):
    """What a template may print. Every text in it is `Trusted` or `Untrusted`; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class _Described(GenerateJsonSchema):
    """Makes schemas whose properties are described by the sentences under the fields.

    pydantic can do it where a class is made (use_attribute_docstrings): it looks the source of each up among all
    modules, a twentieth of a service's start, though without a model nobody reads a schema.
    """

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Return the schema of a class with its sentences."""
        found = super().model_schema(schema)
        fields = schema["cls"].model_fields
        for name, sentence in sentences(schema["cls"]).items():
            if name in fields and fields[name].description is None:
                found["properties"][name]["description"] = sentence
        return found


def sentences(model: type) -> dict[str, str]:
    """Return what stands under each field of a class, those of the classes that it is made from among them."""
    classes = [one for one in reversed(model.__mro__) if one.__module__.startswith(__package__)]
    pairs = [pair for one in classes for pair in pairwise(_bodies(one.__module__)[one.__name__])]
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairs
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
    }


@cache
def _bodies(module: str) -> dict[str, list[ast.stmt]]:
    """Return the statements of each class of a module; inspect would look through all modules for every class."""
    source = Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8")
    with PARSING:
        tree = ast.parse(source)
    return {one.name: one.body for one in ast.walk(tree) if isinstance(one, ast.ClassDef)}


PARSING: Final = Lock()
"""Held by whoever has Python make a tree of a text, as numpy does of each array's header: of two threads that do so at
once one fails with a SystemError before CPython 3.11.8 (python/cpython#106905)."""


class PromptOutput(BaseModel):
    """What a model must answer. Field docstrings become the schema's descriptions, which the model reads."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,  # without a model most outputs are never made
        allow_inf_nan=False,
        str_strip_whitespace=True,
    )

    trailing_commas_repaired: ClassVar[bool] = True
    """False where the output may lead to a side effect: such text is asked for again, never mended."""

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the answer, with descriptions and limits."""
        return cls.model_json_schema(mode="validation", schema_generator=_Described)


class PromptTurn(PromptInputs):
    """One message of the conversation so far."""

    role: Trusted
    """"user" or "assistant"."""
    text: Untrusted
    """The message as it was said; an assistant's text may hold what documents said, so it is data as well."""

    @classmethod
    def of(cls, role: str, text: str) -> Self:
        """Build a turn from plain strings."""
        return cls(role=Trusted(role), text=Untrusted(text))


def parse_confidence(value: object) -> float | None:
    """Read a model's confidence; what is not plainly on the scale 0..1 is unknown (None), never guessed.

    A number from 0 to 1 stands for itself, also as text ("0.85"); a percentage is divided ("85%" is .85).
    A bare 85, 1.7, -0.2, NaN, "0,85", a word or a boolean is unknown: every gate reads that as below its
    threshold.
    """
    number: float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value)
    elif isinstance(value, str) and (percent := _PERCENT.fullmatch(value)):
        number = float(percent[1]) / 100
    elif isinstance(value, str) and (fraction := _FRACTION.fullmatch(value)):
        number = float(fraction[1])
    return number if number is not None and math.isfinite(number) and 0 <= number <= 1 else None


def _clip_reasoning(value: object) -> object:
    return value.strip()[:REASONING_CHARS_MAX] if isinstance(value, str) else value


Confidence = Annotated[
    float | None,
    BeforeValidator(parse_confidence),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]
"""A number from 0 to 1, or None where the model's wording left it unknown."""

Reasoning = Annotated[str, BeforeValidator(_clip_reasoning), Field(max_length=REASONING_CHARS_MAX)]
"""Why, for a person who reads the record; longer prose is clipped, because nothing is decided by it."""


def _refuse_duplicates(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            msg = f"the key {key!r} occurs twice"
            raise ValueError(msg)
        seen[key] = value
    return seen


def _refuse_constant(name: str) -> float:
    msg = f"{name} is not JSON"
    raise ValueError(msg)


def _object_text(value: object) -> str:
    """Return canonical JSON text of an object given as an object or, encoded once, as text."""
    if isinstance(value, str):
        try:
            value = json.loads(value, object_pairs_hook=_refuse_duplicates, parse_constant=_refuse_constant)
        except RecursionError as error:
            msg = "nested too deeply"
            raise ValueError(msg) from error
    if not isinstance(value, dict):
        msg = 'must be one JSON object, such as {"region": "서울"}; null, a list or a bare value is refused'
        raise ValueError(msg)  # noqa: TRY004 - pydantic turns a ValueError, not a TypeError, into a finding
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


ObjectText = Annotated[
    str,
    BeforeValidator(_object_text),
    WithJsonSchema({"type": "string", "description": "One JSON object as text."}),
]
"""A JSON object as canonical text: strict schemas have no open objects, so it travels as a string.

An object written directly is accepted too; null, a list and broken text are refused, never read as {}.
"""
