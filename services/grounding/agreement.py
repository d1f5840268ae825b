"""Whether a fact is what a sentence says of a figure: the same value, called the same, of the same subject and day."""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Final

from services.contract.drops import DropReason
from services.grounding.facts import Fact, has_value
from services.grounding.movement import directions
from services.grounding.readings import Called
from services.grounding.vocabulary import vocabulary
from services.plugin.figures.kinds import Slot
from services.text.patterns import Pattern
from services.text.stated.dates import When
from services.text.stated.units import FigureUnit

_TOLD_WITHOUT_DAY: Final = frozenset({"high", "low", "previous", "mean", "median", "drawdown", "average", "spread"})
"""Statistics over a span: their own day need not be said."""
_OF_ITS_ROW: Final = frozenset({"high", "low"})
"""Statistics that a row has of its own day: another than that of the span, which is told by the same word."""
_FROM_KO: Final = Pattern(r"^\s?(?:에서|부터)")
_FROM_EN: Final = Pattern(r"\bfrom\s$", re.IGNORECASE)
_TO_EN: Final = Pattern(r"\bto\s$", re.IGNORECASE)
_STEPS: Final = frozenset({FigureUnit.PERCENTAGE_POINT, FigureUnit.BASIS_POINT})
_SHARES_OF: Final = frozenset({FigureUnit.PERCENT, *_STEPS})
NEARNESS: Final = (
    DropReason.UNKNOWN_FIGURE,
    DropReason.WRONG_MOVEMENT,
    DropReason.OTHER_SUBJECT,
    DropReason.OTHER_DAY,
    DropReason.OTHER_NAME,
)
"""What a fact may differ in, the farthest first: the last that any fact differs in tells best what is wrong."""


def difference(fact: Fact, called: Called, *, is_start: bool) -> DropReason | None:
    """Return in what a fact differs from a figure as its sentence calls it; None where it supports the figure.

    Args:
        fact: A fact of about the figure's value.
        called: The figure with what is said of it.
        is_start: Whether it is where a move began ("from 4.3% to 4.1%"), and so not the newest.
    """
    if not _same_value(fact, called):
        return DropReason.UNKNOWN_FIGURE
    if not _same_movement(fact, called):
        return DropReason.WRONG_MOVEMENT
    if not _same_subject(fact, called):
        return DropReason.OTHER_SUBJECT
    if not _same_day(fact, called, is_start=is_start):
        return DropReason.OTHER_DAY
    if all(_same_name(fact, slot, values, called) for slot, values in called.concepts.items()):
        return None
    return DropReason.OTHER_NAME


def is_borne(called: Called, facts: Iterable[Fact]) -> bool:
    """Tell whether some fact bears the name by which a figure is called, and could be told in its unit."""
    naming = {
        slot: values for slot, values in called.concepts.items() if slot in {Slot.STATISTIC, Slot.MEASURE, Slot.WINDOW}
    }
    return bool(naming) and any(
        not fact.is_text
        and all(values <= fact.concepts.get(slot, frozenset()) for slot, values in naming.items())
        and FigureUnit.NONE not in {fact.known.unit, called.figure.unit}
        and fact.known.unit is called.figure.unit
        and _same_subject(fact, called)
        for fact in facts
    )


def starts(called: Sequence[Called], text: str) -> list[bool]:
    """Tell, for each figure, whether it is the beginning of a move to the next one."""
    found = []
    for at, one in enumerate(called):
        follows = called[at + 1] if at + 1 < len(called) else None
        is_ko = _FROM_KO.match(text[one.figure.end :]) is not None
        is_en = _FROM_EN.before(text, one.figure.start) is not None
        found.append(bool(follows is not None and (is_ko or (is_en and _TO_EN.before(text, follows.figure.start)))))
    return found


def backwards(called: Sequence[Called], holders: Sequence[Collection[Fact]], text: str) -> Called | None:
    """Return the figure to which a move goes another way than is said, or back in time; None where there is none."""
    for at, is_start in enumerate(starts(called, text)):
        if not is_start:
            continue
        first, second = called[at].figure, called[at + 1].figure
        told = directions(text)
        if second.unit in _STEPS and first.unit not in _STEPS:
            # "From 4.3% by 0.2 points" names no place that was come to.
            continue
        if len(told) == 1 and (second.value - first.value) * next(iter(told)) < 0:
            return called[at + 1]
        if told and not any(_not_after(one, other) for one in holders[at] for other in holders[at + 1]):
            return called[at + 1]
    return None


def _same_subject(fact: Fact, called: Called) -> bool:
    if called.figure.unit is FigureUnit.ARTICLE:
        return True
    if called.subjects is None:
        return not fact.is_of_one
    return not fact.names or bool(fact.names & called.subjects)


def _not_after(first: Fact, second: Fact) -> bool:
    earlier, later = _first_days(first), _first_days(second)
    return not earlier or not later or earlier[0] <= later[0]


def _first_days(fact: Fact) -> list[date]:
    return sorted(day for day in fact.days if isinstance(day, date))


def _same_value(fact: Fact, called: Called) -> bool:
    """Tell whether a fact has a figure's value, or that of a change which is told by its size."""
    figure = called.figure
    if fact.is_text and fact.known.unit is not figure.unit and FigureUnit.NONE in {fact.known.unit, figure.unit}:
        return False
    return has_value(fact, figure, falling=called.movement.is_change or _is_drawdown(fact))


def _same_movement(fact: Fact, called: Called) -> bool:
    moves, figure = called.movement, called.figure
    if not moves.is_change:
        return True
    if not has_value(fact, figure, falling=moves.direction < 0 or _is_drawdown(fact)):
        return False
    if fact.change is False and not (moves.compares and "spread" in fact.concepts.get(Slot.STATISTIC, ())):
        return False
    if moves.compares or figure.signed or (fact.change is None and figure.unit not in _SHARES_OF):
        return True
    return fact.known.value * moves.direction > 0


def _is_drawdown(fact: Fact) -> bool:
    return "drawdown" in fact.concepts.get(Slot.STATISTIC, ())


def _same_day(fact: Fact, called: Called, *, is_start: bool) -> bool:
    when, told = called.when, called.concepts.get(Slot.STATISTIC, frozenset())
    if when is not None and (fact.days or fact.told_on):
        if when.day is not None and any(when.holds(day) for day in fact.told_on):
            return True
        return any(_covers(when, day) for day in fact.days or fact.told_on)
    if when is not None and fact.is_text:
        # A text that names no day says nothing of this one.
        return False
    if fact.is_of_row and told & _OF_ITS_ROW:
        return False
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
        return slot in {Slot.STATISTIC, Slot.MEASURE} and values <= vocabulary().names_change
    if slot is Slot.MEASURE:
        return values <= vocabulary().loose
    return slot is Slot.AGAINST
