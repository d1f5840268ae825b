"""A whole text held against its grounds: the sentences that hold stay, the others are told with their reasons."""

from typing import NamedTuple

from services.contract.drops import Dropped, DropPlace
from services.grounding.grounds import Grounds
from services.grounding.sentences import sentences
from services.grounding.verdict import dropped


class Checked(NamedTuple):
    """What is left of a text."""

    text: str
    """The sentences that hold, joined by spaces."""
    dropped: tuple[Dropped, ...]
    """The others, in order."""


def checked(text: str, grounds: Grounds, place: DropPlace, step_id: str = "") -> Checked:
    """Return what holds of a text.

    Args:
        text: The text.
        grounds: What it may rest on.
        place: Where it was to stand.
        step_id: The step whose agent wrote it; empty for an answer.
    """
    kept: list[str] = []
    lost: list[Dropped] = []
    about: frozenset[str] | None = None
    for sentence in filter(None, map(str.strip, sentences(text))):
        verdict = grounds.judge(sentence, about)
        about = verdict.about or about
        if verdict.wrong is None:
            kept.append(sentence)
        else:
            lost.append(dropped(place, verdict.wrong, sentence, step_id))
    return Checked(" ".join(kept), tuple(lost))
