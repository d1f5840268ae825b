"""The messages of document.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from typing import Any, Self

from hapju.flow.v1 import document_pb2
from services.contract.mapping import Mapped, dataclass


@dataclass(frozen=True)
class FinalDocument(Mapped):
    """A document that a person has approved, for any client to keep as a file. It is made of the words of its form and
    of what the person said; one that was rejected, or waits for approval, is none.
    """

    __slots__ = (
        "document_id",
        "title",
        "paragraphs",
    )
    MESSAGE = document_pb2.Document
    document_id: str
    """Names it within its flow."""
    title: str
    """Its title, in the flow's language."""
    paragraphs: tuple[str, ...]
    """Its paragraphs, in order; what has to be filled in by hand stands in brackets: 【name】."""

    def __init__(self, document_id: str, title: str, paragraphs: tuple[str, ...]) -> None:
        put = object.__setattr__
        put(self, "document_id", document_id)
        put(self, "title", title)
        put(self, "paragraphs", paragraphs)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.document_id,
            self.title,
            self.paragraphs,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.document_id:
            target.document_id = item
        if item := self.title:
            target.title = item
        target.paragraphs.extend(self.paragraphs)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.document_id, source.title, tuple(source.paragraphs))
