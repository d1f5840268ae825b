"""Times that a message names without saying when, "몇 달 전", "a while ago": told as not used, never dropped in silence."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AnswerState, Ask, Said
from services.domains.finance.asks.spans import level_day, quarter_of, span_of
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, sentences
from services.text.entities import AskReason

_UNUSED: Final = "unused_time"
_READERS: Final[Sequence[Callable[[Sheet], object]]] = (span_of, level_day, quarter_of)


def with_unused_time(sheet: Sheet, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return asks with the words of a time that none of them could use; without those of an earlier message."""
    words = _unused(sheet)
    if not words and not any(_UNUSED in one.ask.notes for one in claims):
        return claims
    noted = {_UNUSED: words} if words else {}
    kept = [{name: value for name, value in one.ask.notes.items() if name != _UNUSED} for one in claims]
    return [
        replace(one, ask=replace(one.ask, notes={**notes, **noted})) for one, notes in zip(claims, kept, strict=True)
    ]


def _unused(sheet: Sheet) -> str:
    """Return the words of a vague time without which every reader of times reads the same; empty for none."""
    for one in sheet.unclear:
        if one.field == "dates" and one.reason is AskReason.VAGUE:
            blank = " " * (one.end - one.start)
            rest = replace(sheet, text=sheet.text[: one.start] + blank + sheet.text[one.end :])
            if all(read(sheet) == read(rest) for read in _READERS):
                return one.surface.strip()
    return ""


def telling_unused(answerer: Answerer) -> Answerer:
    """Return an answerer whose answers say so where the message names a time that was not used."""

    def answer(ask: Ask, found: Found) -> Outcome:
        made = answerer.answer(ask, found)
        words = ask.notes.get(_UNUSED, "")
        if not words or made.answer.state is not AnswerState.ANSWERED or made.answer.sentence is None:
            return made
        more = filled(
            "‘{words}’는 언제인지 정해지지 않은 말이라 쓰지 않았습니다.",
            "“{words}” names no day, so it was not used.",
            words=Said(words, words),
        )
        told = sentences(made.answer.sentence, more)
        return replace(made, answer=replace(made.answer, sentence=told))

    return replace(answerer, answer=answer)
