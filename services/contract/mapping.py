"""Maps frozen dataclasses to protobuf messages and back, by equal names.

A dataclass declares its message once, with `@message(pb.Decision)`. The plan for both directions is made at that
moment, so a field that stands on one side only, or whose types do not fit, fails at import. Types map as follows:

    str int float bool bytes        the same
    StrEnum                         enum; the wire's NAME_PREFIX_ is left out, UNSPECIFIED is no member
    datetime (aware)                google.protobuf.Timestamp, read back in UTC
    timedelta                       google.protobuf.Duration
    a declared dataclass            its message
    X | None                        presence; for an enum, UNSPECIFIED
    X with a default                an absent message is the default; without one it is required
    tuple[X, ...]                   repeated
    a union of declared dataclasses oneof of the field's name; the member's message picks the case
"""

import dataclasses
import re
import types
import typing
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from operator import attrgetter
from typing import Any, TypeVar, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

D = TypeVar("D")
M = TypeVar("M", bound=Message)
Coder = Callable[[Any], Any]
Fill = Callable[[Any, Any], None]
"""Writes a value into a message of its kind."""
Write = Callable[[Any, Any], None]
"""Writes one field of a dataclass into the message that stands for it."""
Read = tuple[str, Callable[[Any], Any]]
"""A field's name and what reads it from a message."""

_NANOS_PER_MICRO = 1_000
_SECONDS_PER_DAY = 86_400
_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ContractViolation(ValueError):
    """A message or dataclass that breaks the contract.

    Attributes:
        field: The path of the field, with the wire's names.
        problem: What is wrong with it, without its value.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    """How one dataclass crosses; one step for each field, in the message's order."""

    message: type[Message]
    writes: tuple[Write, ...]
    reads: tuple[Read, ...]


_PLANS: dict[type, _Plan] = {}


def message(message_class: type[Message]) -> Callable[[type[D]], type[D]]:
    """Declares which message a frozen dataclass stands for.

    Raises:
        TypeError: At import, where the two do not have the same fields of fitting types.
    """

    def declare(kind: type[D]) -> type[D]:
        _PLANS[kind] = _plan(kind, message_class)
        return kind

    return declare


def declared() -> dict[type, type[Message]]:
    """Returns every declared dataclass with its message."""
    return {kind: plan.message for kind, plan in _PLANS.items()}


def to_proto(value: object, message_class: type[M]) -> M:
    """Returns the message of a declared dataclass.

    Raises:
        TypeError: Where the dataclass stands for another message.
    """
    plan = _PLANS[type(value)]
    if plan.message is not message_class:
        raise TypeError(f"{type(value).__name__} stands for {plan.message.__name__}, not {message_class.__name__}")
    target = message_class()
    for write in plan.writes:
        write(target, value)
    return target


def from_proto(source: Message, kind: type[D]) -> D:
    """Returns the dataclass of a message.

    Raises:
        ContractViolation: Where a required message or enum is missing or unknown; names the field.
    """
    values: dict[str, Any] = {}
    name = ""
    try:
        for name, read in _PLANS[kind].reads:
            values[name] = read(source)
    except ContractViolation as violation:
        raise ContractViolation(f"{name}.{violation.field}".rstrip("."), violation.problem) from None
    return kind(**values)


def _plan(kind: type, message_class: type[Message]) -> _Plan:
    if not dataclasses.is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is no dataclass")
    descriptor = cast("Descriptor", message_class.DESCRIPTOR)
    hints = typing.get_type_hints(kind)
    oneofs = {oneof.name: oneof for oneof in descriptor.oneofs if not _is_synthetic(oneof)}
    inside = {field.name for oneof in oneofs.values() for field in oneof.fields}
    fields = {field.name: field for field in descriptor.fields if field.name not in inside}
    expected = set(fields) | set(oneofs)
    if set(hints) != expected:
        raise TypeError(f"{kind.__name__} and {descriptor.full_name} differ in {sorted(set(hints) ^ expected)}")
    steps = [_field(kind, fields[name], hints[name]) for name in fields]
    steps += [_oneof(kind, oneofs[name], hints[name]) for name in oneofs]
    return _Plan(message_class, tuple(write for write, _ in steps), tuple(read for _, read in steps))


def _is_synthetic(oneof: OneofDescriptor) -> bool:
    return len(oneof.fields) == 1 and oneof.name == f"_{oneof.fields[0].name}"


def _oneof(kind: type, oneof: OneofDescriptor, hint: Any) -> tuple[Write, Read]:
    by_message = {_PLANS[member].message.DESCRIPTOR.full_name: member for member in typing.get_args(hint)}
    kind_of = {field.name: by_message.get(cast("Descriptor", field.message_type).full_name) for field in oneof.fields}
    missing = sorted(name for name, member in kind_of.items() if member is None)
    if missing or len(by_message) != len(oneof.fields):
        raise TypeError(f"{kind.__name__}.{oneof.name} does not cover {missing or oneof.name}")
    name = oneof.name
    writes = {member: (case, _fill(_PLANS[member])) for case, member in kind_of.items() if member is not None}

    def write(target: Any, value: Any) -> None:
        item = getattr(value, name)
        case, fill = writes[type(item)]
        fill(getattr(target, case), item)

    def read(source: Message) -> Any:
        case = source.WhichOneof(name)
        if case is None:
            raise ContractViolation("", "is required")
        return from_proto(getattr(source, case), cast("type", kind_of[case]))

    return write, (name, read)


def _field(kind: type, field: FieldDescriptor, hint: Any) -> tuple[Write, Read]:
    optional, hint = _strip_none(hint)
    repeated = typing.get_origin(hint) is tuple
    if repeated != bool(field.is_repeated):
        raise TypeError(f"{kind.__name__}.{field.name} is repeated on one side only")
    where, hint = f"{kind.__name__}.{field.name}", typing.get_args(hint)[0] if repeated else hint
    if field.message_type is not None:
        fill, decode = _message_coders(where, field.message_type, hint)
        write = _all_filled(field.name, fill) if repeated else _filled(field.name, fill)
    else:
        encode, decode = _coders(where, field, hint)
        write = (
            _all_set(field.name, encode) if repeated else _set(field.name, encode, presence=bool(field.has_presence))
        )
    default = {own.name: own.default for own in dataclasses.fields(kind)}[field.name]
    if repeated:
        return write, (field.name, _all_read(field.name, decode))
    if field.has_presence:
        return write, (field.name, _read_if_there(field.name, decode, None if optional else default))
    return write, (field.name, _read(field.name, decode, optional=optional))


def _strip_none(hint: Any) -> tuple[bool, Any]:
    if typing.get_origin(hint) not in {types.UnionType, typing.Union}:
        return False, hint
    rest = [member for member in typing.get_args(hint) if member is not type(None)]
    return len(rest) < len(typing.get_args(hint)), rest[0]


_SCALARS: dict[int, type] = {
    FieldDescriptor.CPPTYPE_INT32: int,
    FieldDescriptor.CPPTYPE_INT64: int,
    FieldDescriptor.CPPTYPE_DOUBLE: float,
    FieldDescriptor.CPPTYPE_BOOL: bool,
    FieldDescriptor.CPPTYPE_STRING: str,
}


def _set(name: str, encode: Coder | None, *, presence: bool) -> Write:
    def plain(target: Any, value: Any) -> None:
        # Where absence is the default value, half of what is written would change nothing.
        item = getattr(value, name)
        if item:
            setattr(target, name, item)

    def present(target: Any, value: Any) -> None:
        item = getattr(value, name)
        if item is not None:
            setattr(target, name, item)

    def encoded(target: Any, value: Any) -> None:
        item = getattr(value, name)
        if item is not None:
            setattr(target, name, encode(item))

    return encoded if encode is not None else present if presence else plain


def _all_set(name: str, encode: Coder | None) -> Write:
    def write(target: Any, value: Any) -> None:
        items = getattr(value, name)
        if items:
            getattr(target, name).extend(items if encode is None else map(encode, items))

    return write


def _filled(name: str, fill: Fill) -> Write:
    def write(target: Any, value: Any) -> None:
        item = getattr(value, name)
        if item is not None:
            fill(getattr(target, name), item)

    return write


def _all_filled(name: str, fill: Fill) -> Write:
    def write(target: Any, value: Any) -> None:
        items = getattr(value, name)
        if items:
            add = getattr(target, name).add
            for item in items:
                fill(add(), item)

    return write


def _read(name: str, decode: Coder | None, *, optional: bool) -> Callable[[Any], Any]:
    if decode is None and not optional:
        return attrgetter(name)

    def read(source: Message) -> Any:
        value = getattr(source, name)
        if optional and value == 0:
            return None
        return value if decode is None else decode(value)

    return read


def _read_if_there(name: str, decode: Coder | None, default: Any) -> Callable[[Any], Any]:
    def read(source: Message) -> Any:
        if source.HasField(name):
            value = getattr(source, name)
            return value if decode is None else decode(value)
        if default is dataclasses.MISSING:
            raise ContractViolation("", "is required")
        return default

    return read


def _all_read(name: str, decode: Coder | None) -> Callable[[Any], Any]:
    def read(source: Message) -> Any:
        values = getattr(source, name)
        return tuple(values) if decode is None or not values else tuple([decode(value) for value in values])

    return read


def _coders(where: str, field: FieldDescriptor, hint: Any) -> tuple[Coder | None, Coder | None]:
    """Returns how a scalar crosses; None where both sides have the same."""
    if field.enum_type is not None:
        return _enum_coders(where, field.enum_type, hint)
    expected = bytes if field.type == FieldDescriptor.TYPE_BYTES else _SCALARS[field.cpp_type]
    if hint is not expected:
        raise TypeError(f"{where} is {hint!r}, the wire has {expected.__name__}")
    return None, None


def _message_coders(where: str, descriptor: Descriptor, hint: Any) -> tuple[Fill, Coder]:
    if hint is datetime and descriptor.full_name == "google.protobuf.Timestamp":
        return _timestamp, _instant
    if hint is timedelta and descriptor.full_name == "google.protobuf.Duration":
        return _duration, _span
    plan = _PLANS.get(hint)
    if plan is None or plan.message.DESCRIPTOR.full_name != descriptor.full_name:
        raise TypeError(f"{where} is {hint!r}, the wire has {descriptor.full_name}")
    return _fill(plan), lambda source: from_proto(source, hint)


def _fill(plan: _Plan) -> Fill:
    """Returns what writes a dataclass where its message stands in another: a message handed over would be copied."""

    def fill(target: Any, value: Any) -> None:
        target.SetInParent()
        for write in plan.writes:
            write(target, value)

    return fill


def _enum_coders(where: str, descriptor: EnumDescriptor, hint: Any) -> tuple[Coder, Coder]:
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", descriptor.name).upper() + "_"
    numbers = {value.name.removeprefix(prefix): value.number for value in descriptor.values if value.number}
    if not issubclass(hint, StrEnum) or {member.name for member in hint} != set(numbers):
        raise TypeError(f"{where}: {hint!r} does not have the members of {descriptor.full_name}")
    numbered: dict[Any, int] = {member: numbers[member.name] for member in hint}
    members = {number: member for member, number in numbered.items()}

    def decode(number: int) -> StrEnum:
        if number not in members:
            raise ContractViolation("", f"must be one of {', '.join(numbers)}")
        return members[number]

    return numbered.__getitem__, decode


def _timestamp(target: Timestamp, value: datetime) -> None:
    if value.tzinfo is None:
        raise TypeError("a datetime without a time zone does not cross the wire")
    since = value - _EPOCH
    target.SetInParent()
    target.seconds = since.days * _SECONDS_PER_DAY + since.seconds
    target.nanos = since.microseconds * _NANOS_PER_MICRO


def _instant(source: Timestamp) -> datetime:
    return _EPOCH + timedelta(seconds=source.seconds, microseconds=source.nanos // _NANOS_PER_MICRO)


def _duration(target: Duration, value: timedelta) -> None:
    micros = value // _MICROSECOND
    seconds = int(micros / 1_000_000)
    target.SetInParent()
    target.seconds = seconds
    target.nanos = (micros - seconds * 1_000_000) * _NANOS_PER_MICRO


def _span(source: Duration) -> timedelta:
    return timedelta(seconds=source.seconds, microseconds=source.nanos // _NANOS_PER_MICRO)
