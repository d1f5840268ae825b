"""The conversation before a question, as every prompt is told it: short ones whole, long ones with a summary in front.

1st … 4th exchange   the opening of each message: an answer says first what it comes to
last three           as they were said
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from prompts.fields import PromptTurn
from services.contract.flow import Speaker, Turn

TURNS_WHOLE_MAX: Final = 9
"""A conversation of at most so many turns is told as it was said."""
TURNS_LAST: Final = 6
"""Of a longer one, the last turns that are told as they were said: three exchanges."""
CHARACTERS_MAX: Final = 8_000
"""How much of a conversation a prompt holds."""
SUMMARY_CHARACTERS_MAX: Final = 160
"""How long the summary of a message may be."""
_CUT: Final = "…"


@dataclass(frozen=True, slots=True)
class History:
    """What a model is told of a conversation."""

    turns: tuple[PromptTurn, ...]
    """Its messages, the oldest first."""
    fits: bool
    """False where some of it is left out even of the summary."""


def history_of(said: Sequence[Turn]) -> History:
    """Return what a model is told of a conversation: the newest of it that has room, summarised where it is long."""
    last = said[-TURNS_LAST:]
    texts = [turn.text for turn in said]
    if len(said) > TURNS_WHOLE_MAX or sum(map(len, texts)) > CHARACTERS_MAX:
        texts = [*(_opening(turn.text) for turn in said[: -len(last)]), *(turn.text for turn in last)]
    if sum(map(len, texts)) <= CHARACTERS_MAX:
        return History(_told(said, texts), fits=True)
    # An equal share for each of the last ones, so that none of them crowds out the question that it belongs to.
    share = CHARACTERS_MAX // TURNS_LAST
    texts[len(said) - len(last) :] = [_cut(turn.text, share) for turn in last]
    kept = sum(1 for length in accumulate(map(len, reversed(texts))) if length <= CHARACTERS_MAX)
    return History(_told(said[-kept:], texts[-kept:]), fits=False)


def _told(said: Sequence[Turn], texts: Sequence[str]) -> tuple[PromptTurn, ...]:
    return tuple(
        PromptTurn.of("user" if turn.speaker is Speaker.USER else "assistant", text)
        for turn, text in zip(said, texts, strict=True)
    )


def _opening(text: str) -> str:
    return _cut(text.strip().partition("\n")[0], SUMMARY_CHARACTERS_MAX)


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[: characters - len(_CUT)].rstrip() + _CUT
