"""Whether the figures of a sentence are called by their own names, moved as they move, and of their own day.

called    a figure behind "종가" is a close; of "종가와 고가는 각각 330달러와 331달러" each is one of the two
moved     "0.4% 내렸습니다" rests on a change of -0.4, never on +0.4
dated     a value of one day or month is told with no other than its own
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from services.agents.terms import Called, called_in
from services.plugin.figures import installed_figures
from services.text.figure_dates import When
from services.text.figure_units import FigureUnit
from services.text.figures import Figure, Known, supports

_FALL: Final = re.compile(
    r"하락|내렸|내린|내려|떨어|감소|줄었|줄어|줄고|줄면|낮아|낮았|빠졌|빠진|밀렸|밀려|약세|밑돌|하회"
    r"|\b(?:fell|fall(?:s|en|ing)?|down|declin\w+|decreas\w+|drop\w*|lower|slipp?\w*|los[ts]\w*|shr[aiu]nk\w*|missed|below)\b",
    re.IGNORECASE,
)
_RISE: Final = re.compile(
    r"상승|올랐|오른|올라|오르|늘었|늘어|늘고|늘면|증가|높아|높았|뛰었|뛴|급등|강세|웃돌|상회"
    r"|\b(?:rose|ris(?:e|es|en|ing)|up|gain\w*|increas\w+|higher|climb\w*|jump\w*|grew|grow\w*|beat|above)\b",
    re.IGNORECASE,
)
_MOVES: Final = re.compile(r"change|.*_change|return_.*|.*reaction_.*|surprise.*|.*_growth")
_EARLIER: Final = re.compile(
    r"전월|직전|전년|이전|이후|부터|까지|비해|대비|전보다|before|earlier|previous|since|from|against|ago"
)
_JOINT: Final = re.compile(r"[\s,·~\-]*(?:과|와|및|그리고|원과|and|to|에서|로)?[\s,]*", re.IGNORECASE)
_EACH: Final = re.compile(r"각각|각기|respectively", re.IGNORECASE)
_BEHIND: Final = re.compile(r"(?:으로|로|에|의|까지|인)?\s?(?:거래를\s?)?(?:at\s(?:the\s)?|on\sthe\s)?", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[,;.]\s|,$|(?<=[고며])\s|(?<=지만)\s|\b(?:and|but|while)\b")
_SIGNED_UNITS: Final = {FigureUnit.PERCENT, FigureUnit.PERCENTAGE_POINT, FigureUnit.BASIS_POINT}
_NOT_CALLED: Final = {FigureUnit.DAYS, FigureUnit.WEEKS, FigureUnit.MONTHS, FigureUnit.YEARS, FigureUnit.DATE}


@dataclass(frozen=True, slots=True)
class Named:
    """A figure of the rows with what it is."""

    known: Known
    """Its value and unit."""
    name: str
    """The metric's or the row field's name; empty where it has none."""
    day: date | None = None
    """The day that it speaks of."""


def misused(
    sentence: str, found: Sequence[Figure], numbers: Sequence[Named], subjects: tuple[str, ...]
) -> frozenset[int]:
    """Returns where the figures begin that are called, moved or dated as no row has them.

    Args:
        sentence: The sentence, in composed form.
        found: Its figures, dates among them, in order.
        numbers: What the rows hold of the subjects that it names.
        subjects: The names of subjects, which are no terms.
    """
    terms = called_in(sentence, subjects)
    plain = [one for one in found if one.when is None and not _inside(one, terms)]
    whens = [one.when for one in found if one.when is not None]
    called = {one.start: names for one, names in _bound(sentence, plain, terms)}
    wrong = {one.start for one in plain if one.start in called and not _is_called(one, called[one.start], numbers)}
    for place, one in enumerate(plain):
        edges = (plain[place - 1].end if place else 0, plain[place + 1].start if place + 1 < len(plain) else None)
        own = _bearing(called.get(one.start, ()), numbers) or numbers
        if _is_moved_wrongly(sentence, one, edges, own) or _is_of_another_day(sentence, one, whens, numbers):
            wrong.add(one.start)
    return frozenset(wrong)


def _inside(figure: Figure, terms: Sequence[Called]) -> bool:
    return any(term.start <= figure.start < term.end for term in terms)


def _bound(
    sentence: str, plain: Sequence[Figure], terms: Sequence[Called]
) -> Iterator[tuple[Figure, tuple[re.Pattern[str], ...]]]:
    """Yields the figures that are called by a name, with what they may be: the terms since the figure before."""
    listed: tuple[re.Pattern[str], ...] = ()
    end = 0
    for place, one in enumerate(plain):
        names = tuple(term.names for term in terms if end <= term.start and term.end <= one.start)
        following = plain[place + 1].start if place + 1 < len(plain) else len(sentence)
        joined = place > 0 and (_JOINT.fullmatch(sentence, end, one.start) or _EACH.search(sentence))
        if not names and joined and one.unit is plain[place - 1].unit:
            names = listed
        if not names:
            names = tuple(
                term.names
                for term in terms
                if term.trails and term.end <= following and _BEHIND.fullmatch(sentence, one.end, term.start)
            )
        if names and one.unit not in _NOT_CALLED:
            yield one, names
        listed, end = names, one.end


def _is_called(figure: Figure, names: Sequence[re.Pattern[str]], numbers: Sequence[Named]) -> bool:
    """Tells whether a figure is one of those that bear a name; a name that only other units bear says nothing of it."""
    bearing = _bearing(names, numbers)
    if not bearing:
        return False
    comparable = [one for one in bearing if _same_unit(figure.unit, one.known.unit)]
    return not comparable or any(_holds(one.known, figure) for one in comparable)


def _bearing(names: Sequence[re.Pattern[str]], numbers: Sequence[Named]) -> list[Named]:
    return [one for one in numbers if any(name.fullmatch(one.name) for name in names)]


def _same_unit(unit: FigureUnit, other: FigureUnit) -> bool:
    return unit is other or FigureUnit.NONE in {unit, other} or {unit, other} == {FigureUnit.COUNT, FigureUnit.PERSONS}


def _holds(known: Known, figure: Figure) -> bool:
    return supports(known, figure, falling=True)


def _is_moved_wrongly(sentence: str, figure: Figure, edges: tuple[int, int | None], numbers: Sequence[Named]) -> bool:
    """Tells whether a change is told in the other direction: what it can rest on are moves the other way alone."""
    if figure.signed or figure.unit not in _SIGNED_UNITS or figure.value == 0:
        return False
    told = _direction(sentence, figure, edges)
    resting = [one for one in numbers if _holds(one.known, figure) and _MOVES.fullmatch(one.name)]
    reached = sentence[figure.end :].startswith(("로", "으로")) or sentence[: figure.start].rstrip().endswith(" to")
    if not told or not resting or reached:
        return False
    return all((one.known.value > 0) is (told < 0) for one in resting)


def _direction(sentence: str, figure: Figure, edges: tuple[int, int | None]) -> int:
    """Returns 1 where the words nearest to a figure tell a rise, -1 for a fall, 0 where they tell neither.

    Korean tells it behind the figure; English before it or right behind it.
    """
    behind = sentence[figure.end : edges[1]]
    cut = _CLAUSE.search(behind)
    behind = behind if cut is None else behind[: cut.start()]
    before = sentence[edges[0] : figure.start]
    parts = [cut.end() for cut in _CLAUSE.finditer(before)]
    before = before[parts[-1] :] if parts else before
    korean = any("가" <= mark <= "힣" for mark in sentence)
    first, second = (behind, "") if korean else (before, behind)
    return _told(first, last=not korean) or _told(second, last=False)


def _told(words: str, *, last: bool) -> int:
    found = [(match.start(), 1) for match in _RISE.finditer(words)]
    found += [(match.start(), -1) for match in _FALL.finditer(words)]
    return (max(found) if last else min(found))[1] if found else 0


def _is_of_another_day(sentence: str, figure: Figure, whens: Sequence[When], numbers: Sequence[Named]) -> bool:
    """Tells whether the newest value is told for a day or month that is not its own."""
    exact = [when for when in whens if when.first_month == when.last_month]
    if not exact or _EARLIER.search(sentence):
        return False
    resting = [one for one in numbers if _holds(one.known, figure)]
    if not resting or not all(_is_timely(one.name) for one in resting):
        return False
    return not any(when.holds(one.day) for when in exact for one in resting if one.day is not None)


def _is_timely(name: str) -> bool:
    """Tells whether a figure is told with no other day than its own."""
    kind = installed_figures().kinds.get(name)
    return kind is not None and kind.is_timely
