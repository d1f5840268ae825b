"""Mutates messages of the contract: by their fields, which stay messages, and by their bytes, which may not."""

import random
from collections.abc import Callable
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message

DEPTH_MAX = 4
"""How deep a message is filled."""
TEXTS = (
    "",
    "\0",
    "a\0b",
    "\x1b[31m",
    "\u202e\u2066",
    "\ufeff",
    "가" * 4_001,
    "1" * 4_000,
    "," * 4_000,
    "9999년 13월 45일",
    "null",
    "-1",
    "{}",
    "[" * 500,
    '{"a": NaN}',
    "' OR 1=1 --",
    "../../etc/passwd",
    "Mars/Olympus",
    "Asia/Seoul" * 20,
    "ko",
    "en",
    "finance.equity",
    "애플 주가 알려줘",
    "😀" * 300,
    "\ud7ff\ue000",
    "018f4e2a-7b1c-7def-8abc-0123456789ab",
    "00000000-0000-0000-0000-000000000000",
)
"""What a text field is given."""
WHOLE = (0, 1, -1, 2, 100, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 253402300799, 253402300800, -62135596801)
"""What a whole number is given, where it fits."""
REAL = (0.0, -0.0, 1.0, -1.0, 1e308, -1e308, float("inf"), float("-inf"), float("nan"), 5e-324)
"""What a number is given."""
_BOUNDS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


def request_of(method: str) -> type[Message]:
    """Returns the class of an RPC's requests, by its full name with slashes."""
    service, _, name = method.removeprefix("/").partition("/")
    found = descriptor_pool.Default().FindServiceByName(service).methods_by_name[name]
    return message_factory.GetMessageClass(found.input_type)


class Mutator:
    """Makes messages, always the same ones for a seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret

    def mutated(self, kind: type[Message], seeds: list[bytes]) -> bytes:
        """Returns the bytes of a message that is like one of the seeds, or like none."""
        message = kind()
        if seeds and self._chance.random() < 0.8:
            message.ParseFromString(self._chance.choice(seeds))
        else:
            self._fill(message, 0)
        for _ in range(self._chance.randint(0, 3)):
            self._mutate(message)
        data = message.SerializeToString()
        return self._broken(data) if self._chance.random() < 0.3 else data

    def _mutate(self, message: Message) -> None:
        """Changes one field somewhere in a message."""
        while True:
            fields: list[FieldDescriptor] = list(message.DESCRIPTOR.fields)  # type: ignore[arg-type]
            if not fields:
                return
            field = self._chance.choice(fields)
            inner = self._inner(message, field)
            if inner is None or self._chance.random() < 0.2:
                break
            message = inner
        if self._chance.random() < 0.2:
            message.ClearField(field.name)
        else:
            self._set(message, field, self._chance.choice((0, DEPTH_MAX - 1)))

    def _inner(self, message: Message, field: FieldDescriptor) -> Message | None:
        if field.cpp_type != FieldDescriptor.CPPTYPE_MESSAGE or _is_map(field):
            return None
        if field.is_repeated:
            many: Any = getattr(message, field.name)
            return self._chance.choice(many) if many else None
        inner: Message = getattr(message, field.name)
        return inner if message.HasField(field.name) else None

    def _fill(self, message: Message, depth: int) -> None:
        fields: Any = message.DESCRIPTOR.fields
        for field in fields:
            if self._chance.random() < 0.5:
                self._set(message, field, depth)

    def _set(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        if _is_map(field):
            return
        if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
            if depth >= DEPTH_MAX:
                return
            target = getattr(message, field.name)
            for one in [target.add() for _ in range(self._many(depth))] if field.is_repeated else [target]:
                one.SetInParent()
                self._fill(one, depth + 1)
            return
        value = self._value(field)
        if field.is_repeated:
            getattr(message, field.name).extend([value] * self._many(depth))
        else:
            setattr(message, field.name, value)

    def _many(self, depth: int) -> int:
        # Many of many would be more than any message holds.
        return self._chance.choice((0, 1, 2, 120)) if depth == 0 else self._chance.choice((0, 1, 2))

    def _value(self, field: FieldDescriptor) -> Any:
        made: dict[int, Callable[[], Any]] = {
            FieldDescriptor.CPPTYPE_BOOL: lambda: self._chance.random() < 0.5,
            FieldDescriptor.CPPTYPE_ENUM: lambda: self._chance.choice((0, 1, 2, 99, -1)),
            FieldDescriptor.CPPTYPE_DOUBLE: lambda: self._chance.choice(REAL),
            FieldDescriptor.CPPTYPE_FLOAT: lambda: self._chance.choice(REAL[:4]),
        }
        if field.cpp_type in made:
            return made[field.cpp_type]()
        if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            text = self._chance.choice(TEXTS)
            return text.encode() if field.type == FieldDescriptor.TYPE_BYTES else text
        low, high = _BOUNDS[field.cpp_type]
        return self._chance.choice([one for one in WHOLE if low <= one <= high])

    def _broken(self, data: bytes) -> bytes:
        """Returns bytes with some of them changed, put in, left out or said twice."""
        broken = bytearray(data or b"\x0a")
        for _ in range(self._chance.randint(1, 4)):
            at = self._chance.randrange(len(broken)) if broken else 0
            doing = self._chance.randrange(4)
            if doing == 0 and broken:
                broken[at] = self._chance.randrange(256)
            elif doing == 1:
                broken[at:at] = bytes(self._chance.randrange(256) for _ in range(self._chance.randint(1, 8)))
            elif doing == 2:
                del broken[at : at + self._chance.randint(1, 16)]
            else:
                broken += broken[at : at + 64]
        return bytes(broken)


def is_message(kind: type[Message], data: bytes) -> bool:
    """Returns whether bytes are a message of a kind."""
    try:
        kind().ParseFromString(data)
    except DecodeError:
        return False
    return True


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry
