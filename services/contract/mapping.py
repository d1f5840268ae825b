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
    Mapping[str, str]               map<string, string>
    a union of declared dataclasses oneof of the field's name; the member's message picks the case
"""

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Mapping
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
Fill = Callable[[Any, Any], None]
"""Writes a value into a message of its kind."""

_NANOS_PER_MICRO = 1_000
_SECONDS_PER_DAY = 86_400
_MICROSECOND = timedelta(microseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NANOS_PER_SECOND = 1_000_000_000
# No instant that anybody asks about or has data of lies outside; one near the calendar's ends has no local time.
_FIRST_YEAR, _LAST_YEAR = 1800, 2999
_FIRST_SECOND = int(datetime(_FIRST_YEAR, 1, 1, tzinfo=UTC).timestamp())
_LAST_SECOND = int(datetime(_LAST_YEAR + 1, 1, 1, tzinfo=UTC).timestamp())
_SPAN_SECONDS_MAX = 100 * 366 * _SECONDS_PER_DAY


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
    """How one dataclass crosses."""

    message: type[Message]
    fill: Fill
    """Writes the dataclass into the message."""
    read: Coder
    """Makes the dataclass of the message."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Step:
    """How one field crosses: what it adds to the two functions of its dataclass."""

    name: str
    write: str
    """The statement that writes `value.name` into `target`."""
    read: str
    """The expression that reads it from `source`."""
    uses: dict[str, Any] = dataclasses.field(default_factory=dict)
    """What the two name."""


_PLANS: dict[type, _Plan] = {}


def message(message_class: type[Message], check: Callable[[Any], None] | None = None) -> Callable[[type[D]], type[D]]:
    """Declare which message a frozen dataclass stands for.

    Args:
        message_class: The message.
        check: Looks at what was read from the wire, and raises ContractViolation where a field does not have its form.

    Raises:
        TypeError: At import, where the two do not have the same fields of fitting types.
    """

    def declare(kind: type[D]) -> type[D]:
        plan = _plan(kind, message_class)
        _PLANS[kind] = plan if check is None else dataclasses.replace(plan, read=_checked(plan.read, check))
        return kind

    return declare


def declared() -> dict[type, type[Message]]:
    """Return every declared dataclass with its message."""
    return {kind: plan.message for kind, plan in _PLANS.items()}


def to_proto(value: object, message_class: type[M]) -> M:
    """Return the message of a declared dataclass.

    Raises:
        TypeError: Where the dataclass stands for another message.
    """
    plan = _PLANS[type(value)]
    if plan.message is not message_class:
        raise TypeError(f"{type(value).__name__} stands for {plan.message.__name__}, not {message_class.__name__}")
    target = message_class()
    plan.fill(target, value)
    return target


def from_proto(source: Message, kind: type[D]) -> D:
    """Return the dataclass of a message.

    Raises:
        ContractViolation: Where a required message or enum is missing or unknown, or an instant cannot be; names the
            field.
    """
    return cast("D", _PLANS[kind].read(source))


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
    return _Plan(message_class, *_compiled(kind, steps))


def _compiled(kind: type, steps: list[_Step]) -> tuple[Fill, Coder]:
    """Return the two functions of a dataclass, made as dataclasses make theirs: a call for each field costs more."""
    uses: dict[str, Any] = {"_kind": kind}
    for step in steps:
        uses.update(step.uses)
    writes = "\n    ".join(step.write for step in steps) or "pass"
    reads = ", ".join(f"{step.name}={step.read}" for step in steps)
    text = f"def fill(target, value):\n    {writes}\ndef read(source):\n    return _kind({reads})\n"
    exec(text, uses)  # noqa: S102 - names of our own messages' fields and nothing else
    return uses["fill"], uses["read"]


def _checked(read: Coder, check: Callable[[Any], None]) -> Coder:
    def checked(source: Any) -> Any:
        made = read(source)
        check(made)
        return made

    return checked


def _is_synthetic(oneof: OneofDescriptor) -> bool:
    return len(oneof.fields) == 1 and oneof.name == f"_{oneof.fields[0].name}"


def _oneof(kind: type, oneof: OneofDescriptor, hint: Any) -> _Step:
    by_message = {_PLANS[member].message.DESCRIPTOR.full_name: member for member in typing.get_args(hint)}
    kind_of = {field.name: by_message.get(cast("Descriptor", field.message_type).full_name) for field in oneof.fields}
    missing = sorted(name for name, member in kind_of.items() if member is None)
    if missing or len(by_message) != len(oneof.fields):
        raise TypeError(f"{kind.__name__}.{oneof.name} does not cover {missing or oneof.name}")
    name = oneof.name
    fills = {member: (case, _PLANS[member].fill) for case, member in kind_of.items() if member is not None}

    def write(target: Any, item: Any) -> None:
        case, fill = fills[type(item)]
        inner = getattr(target, case)
        inner.SetInParent()
        fill(inner, item)

    def read(source: Message) -> Any:
        case = source.WhichOneof(name)
        if case is None:
            raise ContractViolation(name, "is required")
        return _inside(name, _PLANS[cast("type", kind_of[case])].read)(getattr(source, case))

    uses = {f"{name}_write": write, f"{name}_read": read}
    return _Step(name, f"{name}_write(target, value.{name})", f"{name}_read(source)", uses)


def _field(kind: type, field: FieldDescriptor, hint: Any) -> _Step:
    if typing.get_origin(hint) is Mapping:
        return _map_step(kind, field, hint)
    optional, hint = _strip_none(hint)
    name, repeated = field.name, typing.get_origin(hint) is tuple
    if repeated != bool(field.is_repeated):
        raise TypeError(f"{kind.__name__}.{name} is repeated on one side only")
    where, hint = f"{kind.__name__}.{name}", typing.get_args(hint)[0] if repeated else hint
    default = None if optional else {own.name: own.default for own in dataclasses.fields(kind)}[name]
    if field.message_type is not None:
        return _message_step(name, *_message_coders(where, field.message_type, hint), default, repeated=repeated)
    if field.enum_type is not None:
        coders = _enum_coders(where, field.enum_type, hint)
        return _enum_step(name, *coders, repeated=repeated, optional=optional)
    _check_scalar(where, field, hint)
    if repeated:
        return _Step(name, f"target.{name}.extend(value.{name})", f"tuple(source.{name})")
    if field.has_presence:
        uses = {f"{name}_absent": _absent(name, default)}
        write = f"if (item := value.{name}) is not None: target.{name} = item"
        return _Step(name, write, f"source.{name} if {_is_there(name)} else {name}_absent()", uses)
    if optional:
        raise TypeError(f"{where} may be None, which the wire does not tell from its default value")
    # What is absent is the default value: writing it, as half of all fields have it, would change nothing.
    return _Step(name, f"if item := value.{name}: target.{name} = item", f"source.{name}")


def _map_step(kind: type, field: FieldDescriptor, hint: Any) -> _Step:
    entry, name = field.message_type, field.name
    if entry is None or not entry.GetOptions().map_entry:
        raise TypeError(f"{kind.__name__}.{name} is a mapping on one side only")
    for part, own in zip(("key", "value"), typing.get_args(hint), strict=True):
        _check_scalar(f"{kind.__name__}.{name}", entry.fields_by_name[part], own)
    return _Step(name, f"target.{name}.update(value.{name})", f"dict(source.{name})")


def _message_step(name: str, fill: Fill, decode: Coder, default: Any, *, repeated: bool) -> _Step:
    uses = {f"{name}_fill": fill, f"{name}_decode": _inside(name, decode), f"{name}_absent": _absent(name, default)}
    if repeated:
        return _Step(name, f"for item in value.{name}: {name}_fill(target.{name}.add(), item)", _each(name), uses)
    # It is filled where it stands: one that is handed over would be copied.
    there = f"inner = target.{name}; inner.SetInParent(); {name}_fill(inner, item)"
    read = f"{name}_decode(source.{name}) if {_is_there(name)} else {name}_absent()"
    return _Step(name, f"if (item := value.{name}) is not None: {there}", read, uses)


def _enum_step(name: str, encode: Coder, decode: Coder, *, repeated: bool, optional: bool) -> _Step:
    uses = {f"{name}_encode": encode, f"{name}_decode": _inside(name, decode)}
    if repeated:
        return _Step(name, f"target.{name}.extend(map({name}_encode, value.{name}))", _each(name), uses)
    write = f"if (item := value.{name}) is not None: target.{name} = {name}_encode(item)"
    read = f"{name}_decode(source.{name})"
    return _Step(name, write, f"{read} if source.{name} else None" if optional else read, uses)


def _is_there(name: str) -> str:
    return f'source.HasField("{name}")'


def _each(name: str) -> str:
    return f"tuple(map({name}_decode, source.{name}))"


def _inside(name: str, decode: Coder) -> Coder:
    """Return a coder whose violations name the field that it reads."""

    def decoded(source: Any) -> Any:
        try:
            return decode(source)
        except ContractViolation as violation:
            raise ContractViolation(f"{name}.{violation.field}".rstrip("."), violation.problem) from None

    return decoded


def _absent(name: str, default: Any) -> Callable[[], Any]:
    """Return what stands for a field that the wire leaves out."""

    def required() -> Any:
        raise ContractViolation(name, "is required")

    return required if default is dataclasses.MISSING else lambda: default


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


def _check_scalar(where: str, field: FieldDescriptor, hint: Any) -> None:
    expected = bytes if field.type == FieldDescriptor.TYPE_BYTES else _SCALARS[field.cpp_type]
    if hint is not expected:
        raise TypeError(f"{where} is {hint!r}, the wire has {expected.__name__}")


def _message_coders(where: str, descriptor: Descriptor, hint: Any) -> tuple[Fill, Coder]:
    if hint is datetime and descriptor.full_name == "google.protobuf.Timestamp":
        return _timestamp, _instant
    if hint is timedelta and descriptor.full_name == "google.protobuf.Duration":
        return _duration, _span
    plan = _PLANS.get(hint)
    if plan is None or plan.message.DESCRIPTOR.full_name != descriptor.full_name:
        raise TypeError(f"{where} is {hint!r}, the wire has {descriptor.full_name}")
    return plan.fill, plan.read


def _enum_coders(where: str, descriptor: EnumDescriptor, hint: Any) -> tuple[Coder, Coder]:
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", descriptor.name).upper() + "_"
    numbers = {value.name.removeprefix(prefix): value.number for value in descriptor.values if value.number}
    if not issubclass(hint, StrEnum) or {member.name for member in hint} != set(numbers):
        raise TypeError(f"{where}: {hint!r} does not have the members of {descriptor.full_name}")
    numbered: dict[Any, int] = {member: numbers[member.name] for member in hint}
    members: dict[int, StrEnum] = {number: member for member, number in numbered.items()}

    def decode(number: int) -> StrEnum:
        if number not in members:
            raise ContractViolation("", f"must be one of {', '.join(numbers)}")
        return members[number]

    return numbered.__getitem__, decode


def _timestamp(target: Timestamp, value: datetime) -> None:
    if value.tzinfo is None:
        raise TypeError("a datetime without a time zone does not cross the wire")
    since = value - _EPOCH
    target.seconds = since.days * _SECONDS_PER_DAY + since.seconds
    target.nanos = since.microseconds * _NANOS_PER_MICRO


def _instant(source: Timestamp) -> datetime:
    if not _FIRST_SECOND <= source.seconds < _LAST_SECOND or not 0 <= source.nanos < _NANOS_PER_SECOND:
        raise ContractViolation("", f"must be an instant of the years {_FIRST_YEAR} to {_LAST_YEAR}")
    return _EPOCH + timedelta(seconds=source.seconds, microseconds=source.nanos // _NANOS_PER_MICRO)


def _duration(target: Duration, value: timedelta) -> None:
    micros = value // _MICROSECOND
    seconds = int(micros / 1_000_000)
    target.seconds = seconds
    target.nanos = (micros - seconds * 1_000_000) * _NANOS_PER_MICRO


def _span(source: Duration) -> timedelta:
    if abs(source.seconds) > _SPAN_SECONDS_MAX or abs(source.nanos) >= _NANOS_PER_SECOND:
        raise ContractViolation("", f"must be a duration of at most {_SPAN_SECONDS_MAX} seconds")
    return timedelta(seconds=source.seconds, microseconds=source.nanos // _NANOS_PER_MICRO)
