"""Reads requests: a body, a path and a query become the message of a call, or an error that names the field."""

import asyncio
import json
import re
from typing import Any, Final, NoReturn, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message
from starlette.requests import ClientDisconnect, Request

from services.runtime.errors import Aborted, DeadlineExceeded, InvalidRequest, PayloadTooLarge

M = TypeVar("M", bound=Message)

BYTES_PARSED_AT_ONCE_MAX: Final = 16_384
"""A body above this is parsed beside the loop."""
ECHOED_CHARACTERS_MAX: Final = 80
"""How much of a name that a client sent is said back to it."""
_FIELD: Final = re.compile(r"Failed to parse (\w+) field")
_UNKNOWN: Final = re.compile(r'has no field named "(.*?)" at "')


async def body_of(request: Request, bytes_max: int, seconds_max: float) -> bytes:
    """Return a request's body.

    Raises:
        InvalidRequest: It is no JSON by its own word: a page of another origin cannot send what is.
        PayloadTooLarge: It is longer than the edge takes; names the limit.
        DeadlineExceeded: It takes too long to come.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise InvalidRequest.of("content-type", "must be application/json")
    body = bytearray()
    try:
        async with asyncio.timeout(seconds_max):
            async for chunk in request.stream():
                body += chunk
                if len(body) > bytes_max:
                    metadata = {"limit": "HAPJU_HTTP_BODY_BYTES_MAX", "value": str(bytes_max)}
                    raise PayloadTooLarge(f"the body is longer than {bytes_max:,} bytes", metadata=metadata)
    except TimeoutError:
        raise DeadlineExceeded(f"the body did not come within {seconds_max:g} s") from None
    except ClientDisconnect:
        raise Aborted("the client has gone") from None
    return bytes(body)


async def message_in(body: bytes, kind: type[M]) -> M:
    """Return the message that a body holds as proto JSON.

    Raises:
        InvalidRequest: It is none; names the field.
    """
    if len(body) <= BYTES_PARSED_AT_ONCE_MAX:
        return parsed(body, kind)
    return await asyncio.to_thread(parsed, body, kind)


def parsed(body: bytes, kind: type[M]) -> M:
    """Return the message that a text holds as proto JSON; raise InvalidRequest that names the field."""
    given = object_in(body)
    message = kind()
    try:
        ParseDict(given, message)
    except ParseError as wrong:
        raise _named(str(wrong)) from None
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise InvalidRequest.of("body", "is no message of this call") from None
    return message


def object_in(body: bytes) -> dict[str, object]:
    """Return the JSON object that a body holds; raise InvalidRequest where it is none."""
    try:
        given = json.loads(body.decode("utf-8"), parse_constant=_refused, object_pairs_hook=_once_each)
    except (ValueError, RecursionError):
        raise InvalidRequest.of("body", "must be a JSON object in UTF-8, each of its names once") from None
    if not isinstance(given, dict):
        raise InvalidRequest.of("body", "must be a JSON object")
    return given


def fill_from_query(request: Request, message: Message, names: frozenset[str]) -> None:
    """Take the query's parameters into a message.

    Raises:
        InvalidRequest: One is unknown, stands twice or is no value of its field.
    """
    fields = message.DESCRIPTOR.fields_by_name
    for name, value in request.query_params.multi_items():
        if name not in names:
            known = f"; known are {', '.join(sorted(names))}" if names else ""
            raise InvalidRequest.of(name[:ECHOED_CHARACTERS_MAX], f"is no parameter here{known}")
        if len(request.query_params.getlist(name)) > 1:
            raise InvalidRequest.of(name, "stands more than once")
        set_field(message, fields[name], value)


def set_field(message: Message, field: Any, text: str) -> None:
    """Set a scalar field from text; raise InvalidRequest where the text is no value of it."""
    try:
        value: object = (
            text if field.type == FieldDescriptor.TYPE_STRING else _READ.get(field.type, _whole_number)(text)
        )
        setattr(message, field.name, value)
    except (ValueError, TypeError):
        kind = _KINDS.get(field.type, "a whole number within its range")
        raise InvalidRequest.of(field.name, f"must be {kind}") from None


def _flag(text: str) -> bool:
    if text not in {"true", "false"}:
        raise ValueError
    return text == "true"


_READ: Final = {FieldDescriptor.TYPE_BOOL: _flag}
_KINDS: Final = {FieldDescriptor.TYPE_STRING: "a text", FieldDescriptor.TYPE_BOOL: "true or false"}


def _whole_number(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        raise ValueError
    return int(text)


def _named(told: str) -> InvalidRequest:
    """Return the error for what the parser of proto JSON says, without the values that it repeats."""
    path = ".".join(_FIELD.findall(told))
    unknown = _UNKNOWN.search(told)
    if unknown:
        name = unknown[1][:ECHOED_CHARACTERS_MAX]
        return InvalidRequest.of(f"{path}.{name}" if path else name, "is no field of this message")
    return InvalidRequest.of(path or "body", "does not have the form that the contract gives it")


def _refused(_: str) -> NoReturn:
    raise ValueError


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    given = dict(pairs)
    if len(given) != len(pairs):
        raise ValueError
    return given
