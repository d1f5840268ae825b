"""The messages of entity.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from collections.abc import Mapping
from typing import Any, Self

from hapju.flow.v1 import entity_pb2
from services.contract.mapping import (
    Mapped,
    dataclass,
    each,
)


@dataclass(frozen=True)
class Alternative(Mapped):
    """One meaning of an ambiguous name."""

    __slots__ = (
        "value",
        "label",
    )
    MESSAGE = entity_pb2.Alternative
    value: str
    """The canonical text that the name would stand for."""
    label: str
    """How a reader is told of it, in the flow's language."""

    def __init__(self, value: str, label: str) -> None:
        put = object.__setattr__
        put(self, "value", value)
        put(self, "label", label)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.value,
            self.label,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.value:
            target.value = item
        if item := self.label:
            target.label = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.value, source.label)


@dataclass(frozen=True)
class Entity(Mapped):
    """One thing that the question names, read exactly. Which kinds there are the installed domains say; a reader that
    does not know a kind leaves it alone.
    """

    __slots__ = (
        "kind",
        "value",
        "label",
        "words",
        "start",
        "end",
        "attributes",
        "alternatives",
    )
    MESSAGE = entity_pb2.Entity
    kind: str
    """The kind, for example "amount", "period", "area", "quantity" or "country", or a kind that a domain declares."""
    value: str
    """The canonical text: a code or id; "0..300000000" for an amount in won, an open end empty; "2026-01-01/2026-01-31"
    for a period; empty where the name is ambiguous.
    """
    label: str
    """How a reader is told of it, in the flow's language."""
    words: str
    """The user's own words, in the normalised text."""
    start: int
    """Where the words begin, in code points; 0 with an end of 0 where it comes from an earlier turn."""
    end: int
    """Where the words end, exclusive."""
    attributes: Mapping[str, str]
    """What else its domain knows of it, for example {"country": "US", "covered": "true"}."""
    alternatives: tuple[Alternative, ...]
    """What an ambiguous name may mean; empty otherwise."""

    def __init__(
        self,
        kind: str,
        value: str,
        label: str = "",
        words: str = "",
        start: int = 0,
        end: int = 0,
        attributes: Mapping[str, str] | None = None,
        alternatives: tuple[Alternative, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "kind", kind)
        put(self, "value", value)
        put(self, "label", label)
        put(self, "words", words)
        put(self, "start", start)
        put(self, "end", end)
        put(self, "attributes", {} if attributes is None else attributes)
        put(self, "alternatives", alternatives)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.kind,
            self.value,
            self.label,
            self.words,
            self.start,
            self.end,
            self.attributes,
            self.alternatives,
        )

    def __hash__(self) -> int:
        return hash(
            (
                self.kind,
                self.value,
                self.label,
                self.words,
                self.start,
                self.end,
                self.alternatives,
            )
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.kind:
            target.kind = item
        if item := self.value:
            target.value = item
        if item := self.label:
            target.label = item
        if item := self.words:
            target.words = item
        if item := self.start:
            target.start = item
        if item := self.end:
            target.end = item
        target.attributes.update(self.attributes)
        for item in self.alternatives:
            item.write_to(target.alternatives.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.kind,
            source.value,
            source.label,
            source.words,
            source.start,
            source.end,
            dict(source.attributes),
            each("alternatives", Alternative.read_from, source.alternatives),
        )
