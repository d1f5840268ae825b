"""What the scope voter sees of an utterance: runs of letters, stems, what it names, and its wording for the encoder.

Two or three letters that follow each other carry Korean stems through their endings and most spelling slips; whole
stems carry English. Things are masked, because "put a mug into the cart" and "take a mug out of the cart" share their
mug. What the utterance puts aside ("교환 말고", "don't refund it") is left out: the voter weighs words and would count
it.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from services.router.facts import Understood
from services.router.masking import Masker
from services.text.ko.morphemes import morphemes
from services.text.near import just_before
from services.text.negation import is_negated
from services.text.patterns import Pattern
from services.text.reading import TextReading
from services.text.words import words

_RUN_LENGTHS: Final = (2, 3)
_STEM_WEIGHT: Final = 2.0
# "it hasn't arrived" and "I can't log in" put nothing aside.
_TELLS_A_STATE: Final = Pattern(r"\b(?!do|need)\w+n't(?:\s[\w-]+){0,2}\s$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seen:
    """An utterance as the scope voter sees it."""

    wording: str
    """The normalised text without what it puts aside; what the encoder reads."""
    counted: dict[str, float]
    """Weight by letter run ("환불"), stem ("=환불") before their rarity is counted in."""
    facts: frozenset[str]
    """The facts that it shows."""


def seen(question: Understood, masker: Masker) -> Seen:
    """Return what the scope voter sees of a question."""
    aside = _put_aside(question.reading)
    facts = frozenset(fact for fact in question.facts if masker.counts(fact))
    return Seen(_without(question.reading.text, aside), _counted(masker.mask(question.reading, aside)), facts)


def _put_aside(reading: TextReading) -> list[tuple[int, int]]:
    text = reading.text
    spans = {(piece.start, piece.end) for piece in reading.morphemes if piece.is_content}
    for word in reading.words:
        lengths = {len(word.surface)} if word.surface.isascii() else {len(stem) for stem in word.stems}
        spans |= {(word.start, word.start + length) for length in lengths}
    return sorted(span for span in spans if is_negated(text, *span) and not just_before(_TELLS_A_STATE, text, span[0]))


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at : max(at, start)])
        at = max(at, end)
    return "".join([*kept, text[at:]]).strip()


def _counted(text: str) -> dict[str, float]:
    letters = "".join(mark for mark in text.lower() if mark.isalnum())
    counts: Counter[str] = Counter(_runs(letters))
    found = {run: 1.0 + math.log(count) for run, count in counts.items()}
    found.update({f"={stem}": _STEM_WEIGHT for stem in _stems(text)})
    return found


def _runs(letters: str) -> Iterable[str]:
    for length in _RUN_LENGTHS:
        yield from (letters[at : at + length] for at in range(len(letters) - length + 1))


def _stems(text: str) -> set[str]:
    korean = {piece.lemma for piece in morphemes(text) if piece.is_content and not piece.surface.isascii()}
    return korean | {word.stems[-1] for word in words(text) if word.surface.isascii()}
