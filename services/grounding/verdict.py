"""What the check of a sentence comes to: it may be said, or why not, with the part that does not hold."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from observability import attributes as names
from observability.spans import add_event
from services.contract.drops import Dropped, DropPlace, DropReason

TEXT_CHARACTERS_MAX: Final = 200
"""As much of a text that was left out is kept."""


class Wrong(NamedTuple):
    """What is wrong with a sentence."""

    reason: DropReason
    """The kind of fault."""
    part: str
    """The part of the sentence that does not hold; empty where it is the whole."""


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """What was found in one sentence."""

    states_figures: bool
    """True where it holds a figure or date at all."""
    wrong: Wrong | None = None
    """Why it may not be said; None where it may."""
    evidence_ids: tuple[str, ...] = ()
    """The evidence that holds its figures, the one with the most first."""
    about: frozenset[str] | None = None
    """Whom it is about, for a sentence behind it that names nobody."""

    @property
    def supported(self) -> bool:
        """Whether the sentence may be said."""
        return self.wrong is None


def trace(lost: Iterable[Dropped]) -> None:
    """Put what was left out into the trace, by place and reason; its words stay in the flow's record."""
    for one in lost:
        attributes = {names.DROP_PLACE: one.place.value, names.DROP_REASON: one.reason.value}
        add_event(names.EVENT_DROPPED, {**attributes, **({names.STEP_ID: one.step_id} if one.step_id else {})})


def dropped(place: DropPlace, wrong: Wrong, text: str, step_id: str = "") -> Dropped:
    """Return what the record keeps of a text that was left out."""
    return Dropped(place, wrong.reason, _short(" ".join(text.split())), _short(wrong.part), step_id)


def _short(text: str) -> str:
    return text if len(text) <= TEXT_CHARACTERS_MAX else f"{text[: TEXT_CHARACTERS_MAX - 1]}…"
