"""The messages of drop.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from typing import Any, Self

from hapju.flow.v1 import drop_pb2
from services.contract.mapping import Mapped, Numbered, dataclass, numbered, within


@numbered(drop_pb2.DropPlace)
class DropPlace(Numbered):
    """Where a text stood that was left out."""

    AGENT_SUMMARY = "AGENT_SUMMARY"
    """A sentence of an agent's summary."""
    ANSWER = "ANSWER"
    """A sentence of the answer."""
    CITATION = "CITATION"
    """A citation: its mark in the text, or the title that it was to get."""
    CLAIM = "CLAIM"
    """A line that stands by itself, such as what drives an agent's result."""


@numbered(drop_pb2.DropReason)
class DropReason(Numbered):
    """Why a text was left out."""

    UNKNOWN_FIGURE = "UNKNOWN_FIGURE"
    """Nothing holds a figure of it."""
    OTHER_NAME = "OTHER_NAME"
    """A figure is held under another name: a high that is called a close."""
    OTHER_SUBJECT = "OTHER_SUBJECT"
    """A figure is held of something else than the text says."""
    OTHER_DAY = "OTHER_DAY"
    """A figure is held for another day than the text says, or an older one is told without its day."""
    UNKNOWN_DAY = "UNKNOWN_DAY"
    """A day, month or span of time stands in no data."""
    WRONG_MOVEMENT = "WRONG_MOVEMENT"
    """Something is told to have moved the other way."""
    UNSUPPORTED_CAUSE = "UNSUPPORTED_CAUSE"
    """Something is told to be the cause of something, and no relation with evidence says so."""
    SIGNAL = "SIGNAL"
    """A signal or a trend that no metric says."""
    DIRECTIVE = "DIRECTIVE"
    """The reader is told to trade."""
    INTERNAL_ID = "INTERNAL_ID"
    """An internal id is shown."""
    ADDRESS = "ADDRESS"
    """An address, a picture or markup."""
    UNKNOWN_NAME = "UNKNOWN_NAME"
    """A name that stands neither in the question nor in the data."""
    UNKNOWN_CITATION = "UNKNOWN_CITATION"
    """A citation leads to no document, or to another one than the one that holds what is said."""
    UNKNOWN_ACT = "UNKNOWN_ACT"
    """An act is told as done of which the ledger knows nothing."""
    PREDICTION = "PREDICTION"
    """Something is told to come that no agent says."""
    SUPERLATIVE = "SUPERLATIVE"
    """Something is called the most or the best of all, and no agent says so."""
    PROMISE = "PROMISE"
    """A gain, or no loss, is promised."""
    UNKNOWN_SOURCE = "UNKNOWN_SOURCE"
    """Somebody is quoted, or named as a source, who stands in no data."""
    SECRET = "SECRET"
    """A key, a token or a private number is shown."""
    TOO_LONG = "TOO_LONG"
    """It goes on beyond the length of an answer."""
    REPEATED = "REPEATED"
    """It was said already."""
    VERDICT = "VERDICT"
    """Something is said to be allowed, safe or so, or not, and no rule of an agent says it."""


@dataclass(frozen=True)
class Dropped(Mapped):
    """A text that was left out because it does not hold."""

    __slots__ = (
        "place",
        "reason",
        "text",
        "part",
        "step_id",
    )
    MESSAGE = drop_pb2.Dropped
    place: DropPlace
    """Where it stood."""
    reason: DropReason
    """Why it was left out."""
    text: str
    """The text, at most 200 characters."""
    part: str
    """The part of it that does not hold, such as a figure; empty where it is the whole."""
    step_id: str
    """The step whose agent wrote it; empty for the answer."""

    def __init__(self, place: DropPlace, reason: DropReason, text: str, part: str = "", step_id: str = "") -> None:
        put = object.__setattr__
        put(self, "place", place)
        put(self, "reason", reason)
        put(self, "text", text)
        put(self, "part", part)
        put(self, "step_id", step_id)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.place,
            self.reason,
            self.text,
            self.part,
            self.step_id,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        target.place = self.place.number
        target.reason = self.reason.number
        if item := self.text:
            target.text = item
        if item := self.part:
            target.part = item
        if item := self.step_id:
            target.step_id = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("place", DropPlace.read_from, source.place),
            within("reason", DropReason.read_from, source.reason),
            source.text,
            source.part,
            source.step_id,
        )
