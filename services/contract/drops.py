"""What is left out of a text because nothing holds it. Field meanings stand in protos/hapju/flow/v1/drop.proto."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hapju.flow.v1 import drop_pb2
from services.contract.mapping import message

TEXT_CHARACTERS_MAX: Final = 200
"""As much of a text that was left out is kept."""


class DropPlace(StrEnum):
    """Where a text stood that was left out."""

    AGENT_SUMMARY = "AGENT_SUMMARY"
    ANSWER = "ANSWER"
    CITATION = "CITATION"
    CLAIM = "CLAIM"


class DropReason(StrEnum):
    """Why a text was left out."""

    UNKNOWN_FIGURE = "UNKNOWN_FIGURE"
    OTHER_NAME = "OTHER_NAME"
    OTHER_SUBJECT = "OTHER_SUBJECT"
    OTHER_DAY = "OTHER_DAY"
    UNKNOWN_DAY = "UNKNOWN_DAY"
    WRONG_MOVEMENT = "WRONG_MOVEMENT"
    UNSUPPORTED_CAUSE = "UNSUPPORTED_CAUSE"
    SIGNAL = "SIGNAL"
    DIRECTIVE = "DIRECTIVE"
    INTERNAL_ID = "INTERNAL_ID"
    ADDRESS = "ADDRESS"
    UNKNOWN_NAME = "UNKNOWN_NAME"
    UNKNOWN_CITATION = "UNKNOWN_CITATION"
    UNKNOWN_ACT = "UNKNOWN_ACT"
    PREDICTION = "PREDICTION"
    SUPERLATIVE = "SUPERLATIVE"
    PROMISE = "PROMISE"
    UNKNOWN_SOURCE = "UNKNOWN_SOURCE"
    SECRET = "SECRET"  # noqa: S105 - a reason, no secret
    TOO_LONG = "TOO_LONG"
    REPEATED = "REPEATED"
    VERDICT = "VERDICT"


@message(drop_pb2.Dropped)
@dataclass(frozen=True, slots=True)
class Dropped:
    """A text that was left out because it does not hold."""

    place: DropPlace
    reason: DropReason
    text: str
    part: str = ""
    step_id: str = ""

    @classmethod
    def of(cls, place: DropPlace, reason: DropReason, text: str, part: str = "", step_id: str = "") -> "Dropped":
        """Return what is kept of a text: no more of it than a reader of the record needs."""
        return cls(place, reason, _short(" ".join(text.split())), _short(part), step_id)


def _short(text: str) -> str:
    return text if len(text) <= TEXT_CHARACTERS_MAX else f"{text[: TEXT_CHARACTERS_MAX - 1]}…"
