"""Turns a call's argument bytes into the tool's typed arguments, or into the tag and field of what is wrong.

UTF-8 -> JSON (no NaN, no infinity, no number too large for a double, no key twice) -> object -> the tool's model
"""

import json
import math
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from services.contract.asks import Said
from services.contract.tool import ToolFailure
from services.plugin.tools.tool import Arguments, Tool

ARGUMENTS_BYTES_MAX: Final = 256 * 1024


class ArgumentsRefused(ValueError):
    """Arguments that a tool cannot be called with.

    Attributes:
        failure: The outcome of the call: tag, field and what is wrong, without the value.
    """

    def __init__(self, reason: str, field: str, message: str) -> None:
        super().__init__(message)
        self.failure = refusal(reason, field, message)


def refusal(reason: str, field: str, message: str, *, retryable: bool = False, told: Said | None = None) -> ToolFailure:
    """Return a failed outcome whose message begins with the field; `told` says why to a user."""
    return ToolFailure(reason, f"{field}: {message}" if field else message, field, retryable, told)


def parse_arguments(tool: Tool, schema_id: str, document: bytes) -> Arguments:
    """Return the typed arguments of a call.

    Raises:
        ArgumentsRefused: The schema id is not the tool's, the bytes are no JSON object, or a field does not fit.
    """
    if schema_id != tool.arguments_schema_id:
        known = f"{tool.name} takes {tool.arguments_schema_id}"
        raise ArgumentsRefused("SCHEMA_NOT_FOUND", "arguments_schema_id", known)
    if len(document) > ARGUMENTS_BYTES_MAX:
        raise ArgumentsRefused("PAYLOAD_TOO_LARGE", "arguments_json", f"is over {ARGUMENTS_BYTES_MAX} bytes")
    _check_json(document)
    try:
        return tool.arguments.model_validate_json(document, strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        raise _refused(tool, details[0]) from None


def _check_json(document: bytes) -> None:
    try:
        text = document.decode("utf-8")
        parsed = json.loads(text, parse_constant=_not_finite, parse_float=_finite, object_pairs_hook=_once)
    except ArgumentsRefused:
        raise
    except UnicodeDecodeError:
        raise ArgumentsRefused("INVALID_FORMAT", "arguments_json", "is not UTF-8") from None
    except (ValueError, RecursionError):
        raise ArgumentsRefused("INVALID_FORMAT", "arguments_json", "is not valid JSON") from None
    if not isinstance(parsed, dict):
        raise ArgumentsRefused("TYPE_MISMATCH", "arguments_json", "is not a JSON object")


def _not_finite(constant: str) -> float:
    raise ArgumentsRefused("INVALID_FORMAT", "arguments_json", f"holds {constant}, which is no JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ArgumentsRefused("VALUE_OUT_OF_RANGE", "arguments_json", "holds a number too large for a double")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ArgumentsRefused("INVALID_FORMAT", key[:100], "stands twice in the arguments")
        found[key] = value
    return found


def _refused(tool: Tool, error: ErrorDetails) -> ArgumentsRefused:
    field = _path(error["loc"])
    kind = error["type"]
    if kind == "extra_forbidden":
        known = ", ".join(tool.arguments.model_fields)
        return ArgumentsRefused("INVALID_FORMAT", field[:100], f"is no argument of {tool.name}, which takes {known}")
    if not field:
        # A rule over several fields; its own sentence names them, and it begins with the first.
        sentence = error["msg"].removeprefix("Value error, ")
        return ArgumentsRefused("VALUE_OUT_OF_RANGE", sentence.split()[0], sentence)
    return ArgumentsRefused(_tag(kind), field, error["msg"])


def _tag(kind: str) -> str:
    if kind == "missing":
        return "MISSING_REQUIRED_FIELD"
    if kind in {"string_pattern_mismatch", "date_parsing", "date_from_datetime_parsing", "string_unicode"}:
        return "INVALID_FORMAT"
    if kind.endswith(("_type", "_parsing")):
        return "TYPE_MISMATCH"
    return "VALUE_OUT_OF_RANGE"


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path
