"""The forms of fields that many calls have, checked in one place: what does not fit is told with its field."""

from collections.abc import Iterator
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from services.contract.forms import LOCALES
from services.runtime.errors import InvalidRequest
from services.runtime.ids import FLOW_RUN_ID_PATTERN, NAME_PATTERN

PAGE_SIZE_MAX: Final = 200
"""Flows, conversations or exchanges on one page."""
NULL: Final = "\x00"
_NAME: Final = "must be 1 to 64 characters of A-Z a-z 0-9 _ . -"


def language_asked(given: str) -> str:
    """Return the language that texts are asked for in, English where none is said; raise InvalidRequest for others."""
    if given not in {"", *LOCALES}:
        raise InvalidRequest.of("locale", f"is not known; use {' or '.join(LOCALES)}")
    return given or "en"


def flow_id(given: str, field: str = "flow_run_id") -> str:
    """Return a flow's id; raise InvalidRequest where it is none."""
    if not FLOW_RUN_ID_PATTERN.fullmatch(given):
        raise InvalidRequest.of(field, "must be a UUIDv7 in its canonical form")
    return given


def name_problem(given: str) -> str:
    """Return what is wrong with a name that may be left out: of a conversation, a request, a user."""
    return "" if not given or NAME_PATTERN.fullmatch(given) else _NAME


def named(given: str, field: str) -> str:
    """Return a name; raise InvalidRequest where it is empty or none."""
    if not given or name_problem(given):
        raise InvalidRequest.of(field, _NAME)
    return given


def named_or_empty(given: str, field: str) -> str:
    """Return a name that may be left out; raise InvalidRequest where it is none."""
    if problem := name_problem(given):
        raise InvalidRequest.of(field, problem)
    return given


def page_size(given: int, default: int = 20) -> int:
    """Return how much a page holds; raise InvalidRequest outside the bounds."""
    if not 0 <= given <= PAGE_SIZE_MAX:
        raise InvalidRequest.of("page_size", f"must be 1 to {PAGE_SIZE_MAX}")
    return given or default


def page_token(given: str) -> str:
    """Return where a page begins; raise InvalidRequest where no page has told it."""
    if given and not FLOW_RUN_ID_PATTERN.fullmatch(given):
        raise InvalidRequest.of("page_token", "must be the next_page_token of a page")
    return given


def null_in(message: Message, path: str = "") -> str:
    """Return the path of a text of a message that holds a null character, or an empty text.

    No database keeps one in a text, and no person means one.
    """
    return next(_nulls(message, path), "")


def _nulls(message: Message, path: str) -> Iterator[str]:
    for field, value in message.ListFields():
        where = f"{path}.{field.name}" if path else field.name
        if field.type == FieldDescriptor.TYPE_STRING:
            if any(NULL in text for text in (value if field.is_repeated else (value,))):
                yield where
        elif field.message_type is not None:
            if field.message_type.GetOptions().map_entry:
                yield from _nulls_of_map(value, where)
                continue
            for one in value if field.is_repeated else (value,):
                yield from _nulls(one, where)


def _nulls_of_map(value: Any, where: str) -> Iterator[str]:
    for key, one in value.items():
        if NULL in str(key) or (isinstance(one, str) and NULL in one):
            yield where
        elif isinstance(one, Message):
            yield from _nulls(one, where)
