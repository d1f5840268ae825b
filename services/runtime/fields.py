"""The forms of fields that many calls have, checked in one place: what does not fit is told with its field."""

import functools
import itertools
from dataclasses import dataclass
from typing import Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
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


def null_in(message: Message) -> str:
    """Return the path of a text of a message that holds a null character, or an empty text.

    No database keeps one in a text, and no person means one.
    """
    fields = _texts_of(message.DESCRIPTOR)
    return _null_text(message, fields) or _null_below(message, fields)


def _null_text(message: Message, fields: "_TextFields") -> str:
    for name in fields.text:
        if NULL in getattr(message, name):
            return name
    if not fields.texts and not fields.maps:
        return ""
    lists = (name for name in fields.texts if any(NULL in text for text in getattr(message, name)))
    entries = ((name, entry) for name in fields.maps for entry in getattr(message, name).items())
    mapped = (name for name, entry in entries if any(isinstance(one, str) and NULL in one for one in entry))
    return next(itertools.chain(lists, mapped), "")


def _null_below(message: Message, fields: "_TextFields") -> str:
    for name in fields.message:
        if message.HasField(name) and (path := null_in(getattr(message, name))):
            return f"{name}.{path}"
    if not fields.messages and not fields.maps:
        return ""
    each = ((name, one) for name in fields.messages for one in getattr(message, name))
    mapped = ((name, one) for name in fields.maps for one in getattr(message, name).values())
    below = (
        f"{name}.{path}"
        for name, one in itertools.chain(each, mapped)
        if isinstance(one, Message) and (path := null_in(one))
    )
    return next(below, "")


@dataclass(frozen=True, slots=True)
class _TextFields:
    """The fields of a kind of message that may hold texts, by how they do: of a large message they alone are read."""

    text: tuple[str, ...]
    texts: tuple[str, ...]
    message: tuple[str, ...]
    messages: tuple[str, ...]
    maps: tuple[str, ...]


@functools.cache
def _texts_of(kind: Descriptor) -> _TextFields:
    found = [one for one in kind.fields if _may_hold_texts(one, ())]
    maps = {one.name for one in found if one.message_type and one.message_type.GetOptions().map_entry}

    def named(*, is_text: bool, is_repeated: bool) -> tuple[str, ...]:
        fit = (one for one in found if one.name not in maps and one.is_repeated is is_repeated)
        return tuple(one.name for one in fit if (one.message_type is None) is is_text)

    return _TextFields(
        text=named(is_text=True, is_repeated=False),
        texts=named(is_text=True, is_repeated=True),
        message=named(is_text=False, is_repeated=False),
        messages=named(is_text=False, is_repeated=True),
        maps=tuple(maps),
    )


def _may_hold_texts(field: FieldDescriptor, above: tuple[Descriptor, ...]) -> bool:
    kind = field.message_type
    if kind is None or kind in above:
        return field.type == FieldDescriptor.TYPE_STRING
    return any(_may_hold_texts(one, (*above, kind)) for one in kind.fields)
