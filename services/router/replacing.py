"""A message that only names another part of the question before it: that is read again with the part replaced.

    "지난달에 얼마 썼어?"  "그럼 이번 달은?"      the month of the first is replaced, and the whole read as any other

It is for messages that no reader has understood as an edit of its own. A part takes the place of the last of its kind;
a day is put before a question that names none. What says more than such a part ("is that much?") is no replacement.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from services.plugin.asks.edits import is_fresh, short
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD, Entity
from services.text.patterns import Pattern

Seeing = Callable[[str], Sheet]
"""Reads a text."""

_WORDS_MAX: Final = 8
_BACK_MAX: Final = 3
_CHARS_MAX: Final = 200
_PARTS_MAX: Final = 3
_FILLS: Final = Pattern(
    r"(?:\W|(?<![A-Za-z가-힣])(?:그럼|그러면|그리고|그런데|근데|아니|아|앗|어|음|참|잠깐만?|혹시|만약(?:에)?|이번엔|반대로)(?![가-힣])"
    r"|(?:은|는|이|가|을|를|도|로|으로|에|에서|엔|에는|에선|의|요|이?요|까지|만|거|것|건|거는|것은|걸로|쪽|쪽은|이?면|이?라\s?면|으?로는|로도|보다|대비|말고|대신|이?랑|하고)+(?![가-힣])"
    r"|(?:어때|어떤데|어떤가|어떻게|얼마|몇|알려|보여|바꿔|해|봐|돼|되|궁금|부탁|다시)\S{0,5}"
    r"|\b(?:and|so|then|what|how|about|if|for|in|on|at|the|is|was|were|are|it|instead|make|that|please|ok|okay|now|with|to|of|over|try|same|also|just|do|no|not|sorry|i|meant|mean|rather|actually|one|ones|but|change|wait|hold|hmm|oh|ah|oops|well|say)\b)*",
    re.IGNORECASE,
)
"""What may stand beside the part that is replaced: it asks for nothing new."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a message that may take the place of another."""

    kind: str
    """The kind of entity, or the unit of a number."""
    words: str
    """Its words."""
    start: int
    """Where they begin."""
    end: int
    """Where they end, exclusive."""


def with_replaced(said: Sheet, earlier: Sequence[str], see: Seeing) -> str:
    """Return the question before a message with the parts that the message names in it; empty where it names no part.

    Args:
        said: The message.
        earlier: What the person said before, the latest first.
        see: Reads a text.
    """
    if not earlier or is_fresh(said) or not short(said.text, _WORDS_MAX):
        return ""
    return _replaced(said, _meant(earlier[:_BACK_MAX], see), see)


def _meant(earlier: Sequence[str], see: Seeing) -> str:
    """Return the last question in full: one that is a replacement itself with what it left out."""
    text = earlier[0]
    if not earlier[1:]:
        return text
    return with_replaced(see(text), earlier[1:], see) or text


def _replaced(said: Sheet, before: str, see: Seeing) -> str:
    parts = _parts(said)
    if not 0 < len(parts) <= _PARTS_MAX or len(before) > _CHARS_MAX or not _is_bare(said, parts):
        return ""
    own = _parts(see(before))
    places: dict[_Part | None, str] = {}
    for part in parts:
        place = next((one for one in reversed(own) if one.kind == part.kind), None)
        if place in places or (place is None and part.kind != PERIOD):
            return ""
        places[place] = part.words
    text, front = before, places.pop(None, "")
    for place, words in sorted(((one, words) for one, words in places.items() if one), key=lambda it: -it[0].start):
        text = text[: place.start] + words + text[place.end :]
    return f"{front} {text}".strip()


def _parts(sheet: Sheet) -> list[_Part]:
    """Return the names, days and numbers of a text in its order, of two that overlap the first and longer."""
    found = [_Part(one.kind, one.words, one.start, one.end) for one in sheet.entities if one.end and _is_certain(one)]
    found += [_Part(f"number:{one.unit}", one.words, one.start, one.end) for one in sheet.numbers]
    kept: list[_Part] = []
    for one in sorted(found, key=lambda part: (part.start, -part.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _is_certain(one: Entity) -> bool:
    """Tell whether a part was read, rather than guessed from words that stand for themselves."""
    return one.kind == PERIOD or bool(one.value and one.value != one.words)


def _is_bare(sheet: Sheet, parts: Sequence[_Part]) -> bool:
    """Tell whether a message says nothing beside its parts."""
    text, at = [], 0
    for one in parts:
        text.append(sheet.text[at : one.start])
        at = one.end
    return _FILLS.fullmatch(" ".join([*text, sheet.text[at:]])) is not None
