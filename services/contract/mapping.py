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
from typing import Any, TypeVar, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, OneofDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

D = TypeVar("D")
M = TypeVar("M", bound=Message)
Coder = Callable[[Any], Any]

_NANOS_PER_MICRO = 1_000
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
class _Field:
    """How one field crosses."""

    name: str
    encode: Coder
    decode: Coder
    repeated: bool
    optional: bool
    presence: bool
    """True where the wire tells an absent value from a default one."""
    default: Any
    """What stands for an absent message; MISSING where it is required."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Oneof:
    """How one oneof crosses: its case by dataclass, and its dataclass by case."""

    name: str
    case_of: dict[type, str]
    kind_of: dict[str, type]


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    """How one dataclass crosses."""

    message: type[Message]
    fields: tuple[_Field, ...]
    oneofs: tuple[_Oneof, ...]


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
    encoded = _encode(value)
    if not isinstance(encoded, message_class):
        raise TypeError(f"{type(value).__name__} stands for {type(encoded).__name__}, not {message_class.__name__}")
    return encoded


def from_proto(source: Message, kind: type[D]) -> D:
    """Returns the dataclass of a message.

    Raises:
        ContractViolation: Where a required message or enum is missing or unknown; names the field.
    """
    plan = _PLANS[kind]
    values: dict[str, Any] = {}
    for field in plan.fields:
        try:
            values[field.name] = _read(source, field)
        except ContractViolation as violation:
            raise ContractViolation(f"{field.name}.{violation.field}".rstrip("."), violation.problem) from None
    for oneof in plan.oneofs:
        case = source.WhichOneof(oneof.name)
        if case is None:
            raise ContractViolation(oneof.name, "is required")
        values[oneof.name] = from_proto(getattr(source, case), oneof.kind_of[case])
    return kind(**values)


def _encode(value: object) -> Message:
    plan = _PLANS[type(value)]
    arguments: dict[str, Any] = {}
    for field in plan.fields:
        item = getattr(value, field.name)
        if field.repeated:
            arguments[field.name] = [field.encode(element) for element in item]
        elif item is not None:
            arguments[field.name] = field.encode(item)
    for oneof in plan.oneofs:
        item = getattr(value, oneof.name)
        arguments[oneof.case_of[type(item)]] = _encode(item)
    return plan.message(**arguments)


def _read(source: Message, field: _Field) -> Any:
    value = getattr(source, field.name)
    if field.repeated:
        return tuple(field.decode(element) for element in value)
    if field.presence and not source.HasField(field.name):
        if field.optional:
            return None
        if field.default is not dataclasses.MISSING:
            return field.default
        raise ContractViolation("", "is required")
    if field.optional and not field.presence and value == 0:
        return None
    return field.decode(value)


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
    return _Plan(
        message_class,
        tuple(_field(kind, fields[name], hints[name]) for name in fields),
        tuple(_oneof(kind, oneofs[name], hints[name]) for name in oneofs),
    )


def _is_synthetic(oneof: OneofDescriptor) -> bool:
    return len(oneof.fields) == 1 and oneof.name == f"_{oneof.fields[0].name}"


def _oneof(kind: type, oneof: OneofDescriptor, hint: Any) -> _Oneof:
    by_message = {_PLANS[member].message.DESCRIPTOR.full_name: member for member in typing.get_args(hint)}
    kind_of = {field.name: by_message.get(cast("Descriptor", field.message_type).full_name) for field in oneof.fields}
    missing = sorted(name for name, member in kind_of.items() if member is None)
    if missing or len(by_message) != len(oneof.fields):
        raise TypeError(f"{kind.__name__}.{oneof.name} does not cover {missing or oneof.name}")
    found = {name: member for name, member in kind_of.items() if member is not None}
    return _Oneof(oneof.name, {member: name for name, member in found.items()}, found)


def _field(kind: type, field: FieldDescriptor, hint: Any) -> _Field:
    optional, hint = _strip_none(hint)
    repeated = typing.get_origin(hint) is tuple
    if repeated != bool(field.is_repeated):
        raise TypeError(f"{kind.__name__}.{field.name} is repeated on one side only")
    encode, decode = _coders(f"{kind.__name__}.{field.name}", field, typing.get_args(hint)[0] if repeated else hint)
    default = {own.name: own.default for own in dataclasses.fields(kind)}[field.name]
    return _Field(field.name, encode, decode, repeated, optional, bool(field.has_presence) and not repeated, default)


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


def _coders(where: str, field: FieldDescriptor, hint: Any) -> tuple[Coder, Coder]:
    if field.enum_type is not None:
        return _enum_coders(where, field.enum_type, hint)
    if field.message_type is not None:
        return _message_coders(where, field.message_type, hint)
    expected = bytes if field.type == FieldDescriptor.TYPE_BYTES else _SCALARS[field.cpp_type]
    if hint is not expected:
        raise TypeError(f"{where} is {hint!r}, the wire has {expected.__name__}")
    return _same, _same


def _same(value: Any) -> Any:
    return value


def _message_coders(where: str, descriptor: Descriptor, hint: Any) -> tuple[Coder, Coder]:
    if hint is datetime and descriptor.full_name == "google.protobuf.Timestamp":
        return _timestamp, _instant
    if hint is timedelta and descriptor.full_name == "google.protobuf.Duration":
        return _duration, _span
    plan = _PLANS.get(hint)
    if plan is None or plan.message.DESCRIPTOR.full_name != descriptor.full_name:
        raise TypeError(f"{where} is {hint!r}, the wire has {descriptor.full_name}")
    return _encode, lambda source: from_proto(source, hint)


def _enum_coders(where: str, descriptor: EnumDescriptor, hint: Any) -> tuple[Coder, Coder]:
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", descriptor.name).upper() + "_"
    numbers = {value.name.removeprefix(prefix): value.number for value in descriptor.values if value.number}
    if not issubclass(hint, StrEnum) or {member.name for member in hint} != set(numbers):
        raise TypeError(f"{where}: {hint!r} does not have the members of {descriptor.full_name}")
    members: dict[int, StrEnum] = {numbers[member.name]: member for member in hint}

    def decode(number: int) -> StrEnum:
        if number not in members:
            raise ContractViolation("", f"must be one of {', '.join(numbers)}")
        return members[number]

    return lambda member: numbers[member.name], decode


def _timestamp(value: datetime) -> Timestamp:
    if value.tzinfo is None:
        raise TypeError("a datetime without a time zone does not cross the wire")
    micros = (value - _EPOCH) // timedelta(microseconds=1)
    return Timestamp(seconds=micros // 1_000_000, nanos=micros % 1_000_000 * _NANOS_PER_MICRO)


def _instant(source: Timestamp) -> datetime:
    return _EPOCH + timedelta(seconds=source.seconds, microseconds=source.nanos // _NANOS_PER_MICRO)


def _duration(value: timedelta) -> Duration:
    micros = value // timedelta(microseconds=1)
    seconds = int(micros / 1_000_000)
    return Duration(seconds=seconds, nanos=(micros - seconds * 1_000_000) * _NANOS_PER_MICRO)


def _span(source: Duration) -> timedelta:
    return timedelta(seconds=source.seconds, microseconds=source.nanos // _NANOS_PER_MICRO)
