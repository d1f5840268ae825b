"""Readings that ask again what was asked before, though their message wanted something else.

"그거 말고", or "70%면?" where no sum was told, changes nothing of what stands: the old answer told once more would be
none. What asks plainly ("그래서 얼마라고?") is told again; where nothing is left, the message was not understood.
"""

from collections.abc import Sequence
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import is_correction, points_back
from services.plugin.asks.sheet import Sheet

_DONE: Final = frozenset({AskForm.ACT, AskForm.STATUS, AskForm.DRAFT, AskForm.REVIEW})
"""Forms of what is done or looked after: their own domain says what a message does to them."""
_OF_WORDS: Final = frozenset({"said", "today"})
"""The notes that hold the message itself, or its day."""


def without_repeats(claims: Sequence[Claim], sheet: Sheet, before: Sequence[AskedBefore]) -> list[Claim]:
    """Return the claims that ask for something new; all of them where the message only asks to hear it once more."""
    last = next((message for message in before if message.asks), None)
    if last is None or not last.answers or points_back(sheet) or _names(sheet):
        return list(claims)
    if sheet.forms and not (sheet.numbers or is_correction(sheet)):
        return list(claims)
    asked = {_asked_for(ask) for message in before for ask in message.asks}
    return [claim for claim in claims if claim.ask.form in _DONE or _asked_for(claim.ask) not in asked]


def _names(sheet: Sheet) -> bool:
    """Tell whether a message names a thing, rather than words that stand for themselves."""
    return any(one.end and one.value and one.value != one.words for one in sheet.entities)


def _asked_for(ask: Ask) -> tuple[object, ...]:
    """Return all that an ask asks for, its words and its day left out."""
    return (
        ask.answerer,
        ask.form,
        frozenset((one.kind, one.value) for one in ask.subjects),
        ask.measures,
        (ask.start_date, ask.end_date, ask.against_date, ask.order_by, ask.descending, ask.count),
        frozenset((one.field, one.operator, one.value) for one in ask.conditions),
        frozenset((one.role, one.value) for one in ask.quantities),
        frozenset((name, value) for name, value in ask.notes.items() if value and name not in _OF_WORDS),
    )
