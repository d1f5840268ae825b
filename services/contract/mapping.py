"""How the contract's dataclasses, which are generated, cross to protobuf messages and back.

Each writes itself into its message and reads itself from it. Types map as follows:

    str int float bool bytes        the same
    StrEnum                         enum; the wire's NAME_PREFIX_ is left out, UNSPECIFIED is no member
    datetime (aware)                google.protobuf.Timestamp, read back in UTC
    timedelta                       google.protobuf.Duration
    a dataclass                     its message
    X | None                        presence; for an enum, UNSPECIFIED
    X with a default                an absent message is the default; without one it is required
    tuple[X, ...]                   repeated
    Mapping[str, str]               map<string, string>
    a union of dataclasses          oneof of the field's name; the member's message picks the case
"""

import copy
import dataclasses
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypeVar

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

T = TypeVar("T")
D = TypeVar("D", bound="Mapped")
E = TypeVar("E", bound="Numbered")
M = TypeVar("M", bound=Message)

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


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - handed on by name
else:

    def dataclass(**_: bool) -> Callable[[type[D]], type[D]]:
        """Leave a class as it is: it is written out, for to make a hundred at each start takes a fifth of a second."""
        return lambda kind: kind


@dataclasses.dataclass
class _Sample:
    field: Any


class _Fields:
    """What `dataclasses.replace`, `fields` and `asdict` look for, made when one of them first does."""

    def __get__(self, _: object, kind: "type[Mapped]") -> dict[str, Any]:
        return _fields_of(kind)  # type: ignore[arg-type]  # a class is hashable whatever its values are


@cache
def _fields_of(kind: "type[Mapped]") -> dict[str, Any]:
    made: dict[str, Any] = {name: copy.copy(dataclasses.fields(_Sample)[0]) for name in kind.__slots__}
    for name, one in made.items():
        one.name, one.type = name, kind.__annotations__[name]
    return made


class Mapped:
    """A frozen dataclass of the contract."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    MESSAGE: ClassVar[type[Message]]
    """The message that it stands for."""
    if not TYPE_CHECKING:
        __dataclass_fields__ = _Fields()

    def as_tuple(self) -> tuple[Any, ...]:
        """Return the values of the fields, in their order."""
        raise NotImplementedError

    def write_to(self, target: Any) -> None:
        """Write the fields into a message of its kind."""
        raise NotImplementedError

    @classmethod
    def read_from(cls, source: Any) -> Self:
        """Return what a message says.

        Raises:
            ContractViolation: A required message or enum is missing or unknown, or an instant cannot be.
        """
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self.as_tuple() == other.as_tuple() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.as_tuple())

    def __repr__(self) -> str:
        told = zip(self.__slots__, self.as_tuple(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in told)})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), self.as_tuple()

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: object) -> None:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name: str) -> None:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


class Numbered(StrEnum):
    """An enum of the contract."""

    @property
    def number(self) -> int:
        """Its number on the wire."""
        return _NUMBERS[type(self)][self]

    @classmethod
    def read_from(cls, number: int) -> Self:
        """Return the member of a number.

        Raises:
            ContractViolation: There is none.
        """
        found: Self | None = _MEMBERS[cls].get(number)
        if found is None:
            raise ContractViolation("", f"must be one of {', '.join(cls.__members__)}")
        return found


_NUMBERS: dict[type, dict[Any, int]] = {}
_MEMBERS: dict[type, dict[int, Any]] = {}


def numbered(wire: Any) -> Callable[[type[E]], type[E]]:
    """Give the members of an enum their numbers on the wire, where the names are those of `wire`."""

    def declare(kind: type[E]) -> type[E]:
        prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", wire.DESCRIPTOR.name).upper() + "_"
        _NUMBERS[kind] = {kind(name.removeprefix(prefix)): number for name, number in wire.items() if number}
        _MEMBERS[kind] = {number: member for member, number in _NUMBERS[kind].items()}
        return kind

    return declare


class Cases:
    """The cases of a oneof, each with the dataclass of its message."""

    def __init__(self, oneof: str, **kinds: type[Mapped]) -> None:
        self._oneof = oneof
        self._kinds = kinds
        self._names = {kind: name for name, kind in kinds.items()}

    def write(self, target: Any, value: Mapped) -> None:
        """Write a value into the case of its kind."""
        value.write_to(getattr(target, self._names[type(value)]))

    def read(self, source: Any) -> Any:
        """Return what the case that is set says.

        Raises:
            ContractViolation: None is.
        """
        case = source.WhichOneof(self._oneof)
        if case is None:
            missing(self._oneof)
        return within(self._oneof, self._kinds[case].read_from, getattr(source, case))


def to_proto(value: object, message_class: type[M]) -> M:
    """Return the message of a dataclass.

    Raises:
        TypeError: Where the dataclass stands for another message.
    """
    if not isinstance(value, Mapped) or value.MESSAGE is not message_class:
        raise TypeError(f"{type(value).__name__} does not stand for {message_class.__name__}")
    target = message_class()
    value.write_to(target)
    return target


def from_proto(source: Message, kind: type[D]) -> D:
    """Return the dataclass of a message.

    Raises:
        ContractViolation: Where a required message or enum is missing or unknown, or an instant cannot be; names the
            field.
    """
    return kind.read_from(source)


def within(name: str, read: Callable[[Any], T], source: Any) -> T:
    """Return what a field says; a violation inside it names it too."""
    try:
        return read(source)
    except ContractViolation as violation:
        raise ContractViolation(f"{name}.{violation.field}".rstrip("."), violation.problem) from None


def each(name: str, read: Callable[[Any], T], source: Iterable[Any]) -> tuple[T, ...]:
    """Return what the members of a repeated field say."""
    return within(name, lambda members: tuple(map(read, members)), source)


def missing(name: str) -> NoReturn:
    """Refuse a message without a field that it has to have.

    Raises:
        ContractViolation: Always.
    """
    raise ContractViolation(name, "is required")


def write_instant(target: Timestamp, value: datetime) -> None:
    """Write an instant.

    Raises:
        TypeError: It has no time zone.
    """
    if value.tzinfo is None:
        raise TypeError("a datetime without a time zone does not cross the wire")
    target.SetInParent()
    since = value - _EPOCH
    target.seconds = since.days * _SECONDS_PER_DAY + since.seconds
    target.nanos = since.microseconds * _NANOS_PER_MICRO


def instant(source: Timestamp) -> datetime:
    """Return an instant in UTC.

    Raises:
        ContractViolation: It lies outside of what anybody asks about.
    """
    if not _FIRST_SECOND <= source.seconds < _LAST_SECOND or not 0 <= source.nanos < _NANOS_PER_SECOND:
        raise ContractViolation("", f"must be an instant of the years {_FIRST_YEAR} to {_LAST_YEAR}")
    return _EPOCH + timedelta(seconds=source.seconds, microseconds=source.nanos // _NANOS_PER_MICRO)


def write_span(target: Duration, value: timedelta) -> None:
    """Write a span of time."""
    target.SetInParent()
    micros = value // _MICROSECOND
    seconds = int(micros / 1_000_000)
    target.seconds = seconds
    target.nanos = (micros - seconds * 1_000_000) * _NANOS_PER_MICRO


def span(source: Duration) -> timedelta:
    """Return a span of time.

    Raises:
        ContractViolation: It is longer than any life.
    """
    if abs(source.seconds) > _SPAN_SECONDS_MAX or abs(source.nanos) >= _NANOS_PER_SECOND:
        raise ContractViolation("", f"must be a duration of at most {_SPAN_SECONDS_MAX} seconds")
    return timedelta(seconds=source.seconds, microseconds=source.nanos // _NANOS_PER_MICRO)
