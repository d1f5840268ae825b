"""Whether a fact is what a sentence says of a figure: the same value, called the same, of the same subject and day."""

import re
from collections.abc import Collection, Sequence
from datetime import date
from typing import Final

from services.grounding.concepts import Slot
from services.grounding.facts import Fact, has_value
from services.grounding.movement import directions
from services.grounding.readings import Called
from services.text.figure_dates import When
from services.text.figure_units import FigureUnit

_LOOSE_MEASURES: Final = frozenset({"price", "complexes", "limit", "interest"})
"""Words that stand beside figures of other names too: of every price and every level of homes."""
_TOLD_WITHOUT_DAY: Final = frozenset({"high", "low", "previous", "mean", "median", "drawdown", "average", "spread"})
"""Statistics over a span: their own day need not be said."""
_FROM_KO: Final = re.compile(r"^\s?(?:에서|부터)")
_FROM_EN: Final = re.compile(r"\bfrom\s$", re.IGNORECASE)
_TO_EN: Final = re.compile(r"\bto\s$", re.IGNORECASE)
_SHARES_OF: Final = frozenset({FigureUnit.PERCENT, FigureUnit.PERCENTAGE_POINT, FigureUnit.BASIS_POINT})


def agrees(fact: Fact, called: Called, *, is_start: bool) -> bool:
    """Tell whether a fact supports a figure as its sentence calls it.

    Args:
        fact: A fact of about the figure's value.
        called: The figure with what is said of it.
        is_start: Whether it is where a move began ("from 4.3% to 4.1%"), and so not the newest.
    """
    return (
        _same_value(fact, called)
        and _same_subject(fact, called)
        and _same_day(fact, called, is_start=is_start)
        and all(_same_name(fact, slot, values, called) for slot, values in called.concepts.items())
    )


def _same_subject(fact: Fact, called: Called) -> bool:
    if called.figure.unit is FigureUnit.ARTICLE:
        return True
    if called.subjects is None:
        return not fact.is_of_one
    return not fact.names or bool(fact.names & called.subjects)


def starts(called: Sequence[Called], text: str) -> list[bool]:
    """Tell, for each figure, whether it is the beginning of a move to the next one."""
    found = []
    for at, one in enumerate(called):
        follows = called[at + 1] if at + 1 < len(called) else None
        is_ko = _FROM_KO.match(text[one.figure.end :]) is not None
        is_en = _FROM_EN.search(text[: one.figure.start]) is not None
        found.append(bool(follows is not None and (is_ko or (is_en and _TO_EN.search(text[: follows.figure.start])))))
    return found


def ordered(called: Sequence[Called], holders: Sequence[Collection[Fact]], text: str) -> bool:
    """Tell whether every move from one figure to another goes the way that is said, and forward in time."""
    for at, is_start in enumerate(starts(called, text)):
        if not is_start:
            continue
        first, second = called[at].figure, called[at + 1].figure
        told = directions(text)
        if len(told) == 1 and (second.value - first.value) * next(iter(told)) < 0:
            return False
        if told and not any(_not_after(one, other) for one in holders[at] for other in holders[at + 1]):
            return False
    return True


def _not_after(first: Fact, second: Fact) -> bool:
    earlier, later = _first_days(first), _first_days(second)
    return not earlier or not later or earlier[0] <= later[0]


def _first_days(fact: Fact) -> list[date]:
    return sorted(day for day in fact.days if isinstance(day, date))


def _same_value(fact: Fact, called: Called) -> bool:
    moves, figure = called.movement, called.figure
    if fact.is_text and fact.known.unit is not figure.unit and FigureUnit.NONE in {fact.known.unit, figure.unit}:
        return False
    if not has_value(fact, figure, falling=moves.direction < 0 or _is_drawdown(fact)):
        return False
    if not moves.is_change:
        return True
    if fact.change is False and not (moves.compares and "spread" in fact.concepts.get(Slot.STATISTIC, ())):
        return False
    if moves.compares or figure.signed or (fact.change is None and figure.unit not in _SHARES_OF):
        return True
    return fact.known.value * moves.direction > 0


def _is_drawdown(fact: Fact) -> bool:
    return "drawdown" in fact.concepts.get(Slot.STATISTIC, ())


def _same_day(fact: Fact, called: Called, *, is_start: bool) -> bool:
    when = called.when
    if when is not None and (fact.days or fact.told_on):
        if when.day is not None and any(when.holds(day) for day in fact.told_on):
            return True
        return any(_covers(when, day) for day in fact.days or fact.told_on)
    if when is not None and fact.is_text:
        # A text that names no day says nothing of this one.
        return False
    told = called.concepts.get(Slot.STATISTIC, frozenset())
    return fact.newest or is_start or bool(told & _TOLD_WITHOUT_DAY)


def _covers(when: When, day: date | When) -> bool:
    return when.covers(day) if isinstance(day, When) else when.holds(day)


def _same_name(fact: Fact, slot: Slot, values: frozenset[str], called: Called) -> bool:
    own = fact.concepts.get(slot, frozenset())
    if values <= own or not fact.concepts:
        return True
    if own or slot is Slot.REACH:
        return False
    if called.movement.is_change:
        # A change is counted over a window or against a time; the statistic beside it names what has changed.
        return slot in {Slot.STATISTIC, Slot.MEASURE} and not _is_foreign(values)
    if slot is Slot.MEASURE:
        return values <= _LOOSE_MEASURES
    return slot is Slot.AGAINST


def _is_foreign(values: frozenset[str]) -> bool:
    return bool(values - {"close", "price", "mean", "open"})
