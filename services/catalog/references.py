"""What a question only points to, found in what is remembered of the user's earlier conversations.

    "지난번에 본 그 지역 전세는?"    no region in it, none in this conversation    the last region asked about before

The question's own words come first, then this conversation; memory is looked at last and for what is pointed to alone.
Two candidates in one breath are none: which of them is meant has to be asked.
"""

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from services.catalog.reading import read_question
from services.contract.flow import Remembered, Speaker, Turn
from services.plugin.entities import installed_kinds
from services.text.patterns import Pattern
from services.text.reading import TextReading

_THEN: Final = r"(?:지난\s?번|저번|전에|이전에|예전에|아까|어제|그때)"
_KOREAN: Final = rf"(?:그|저|같은|해당|{_THEN}(?:\s?\S+){{0,3}}?)\s?"
_THAT: Final = r"\b(?:that|the\s+same|(?:the|that)\s+(?:last|previous|earlier))\s+(?:\w+\s+)?"
QUESTION_MARK: Final = " → "
"""What stands between a question and its answer in a line of a summary."""


def with_referents(
    question: str, history: tuple[Turn, ...], memory: Sequence[Remembered], *, now: datetime, time_zone: str
) -> tuple[Turn, ...]:
    """Return the conversation, with what the question points to in an earlier one as if the user had just named it.

    Args:
        question: The question as the user wrote it.
        history: The conversation before it.
        memory: What is remembered of the user's earlier conversations, the latest first.
        now: The moment of the question, time-zone aware.
        time_zone: The user's time zone.
    """
    if not memory:
        return history
    pointed = [kind for kind, pattern in _pointing().items() if pattern.search(question)]
    if not pointed:
        return history

    def reading_of(text: str) -> TextReading:
        return read_question(text, now=now, time_zone=time_zone)

    own, said = reading_of(question), [reading_of(turn.text) for turn in history if turn.speaker is Speaker.USER]
    found = [
        name
        for kind in pointed
        if not any(reading.of(kind) for reading in (own, *said)) and (name := _last_named(kind, memory, reading_of))
    ]
    return (*history, *(Turn(Speaker.USER, name, None) for name in found))


@functools.cache
def _pointing() -> Mapping[str, Pattern]:
    """Return how a question points to something of a kind, by kind."""
    nouns = {kind.id: kind.pointers for kind in installed_kinds().values() if any(kind.pointers)}
    return {
        kind: Pattern(rf"(?:^|\s){_KOREAN}(?:{ko})|{_THAT}(?:{en})\b", re.IGNORECASE)
        for kind, (ko, en) in nouns.items()
    }


def _last_named(kind: str, memory: Sequence[Remembered], reading_of: Callable[[str], TextReading]) -> str:
    """Return the words for the one thing of a kind that was asked about last; empty where it is not one."""
    for text in _asked(memory):
        named = {one.value or one.words: one.words for one in reading_of(text).of(kind)}
        if named:
            return next(iter(named.values())) if len(named) == 1 else ""
    return ""


def _asked(memory: Sequence[Remembered]) -> Iterator[str]:
    """Yield what the user asked in earlier conversations, the latest first; never an answer's words."""
    for one in memory:
        turns = [turn.text for turn in one.turns if turn.speaker is Speaker.USER]
        lines = [line.partition(QUESTION_MARK)[0] for line in one.summary.splitlines()]
        yield from reversed(lines + turns)
