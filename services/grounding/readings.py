"""What a sentence says of each of its figures: what it is called, whose it is, of which day, and which way it moved.

    애플 종가는 262.1달러로, 직전 거래일보다 0.81% 올랐습니다
    └ whose └ called            └ against         └ a change, upwards

The words before a figure, back to the figure before it, say what it is; where they say nothing of a kind, the words
behind it do ("$262.1 on November 26", "2.8% in Korea"), and then they are not the next figure's. A day and a subject
hold on until another one is named.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Final, Protocol, TypeVar

from services.grounding.concepts import Concept, concepts_in
from services.grounding.movement import Movement, movement_of
from services.grounding.subjects import SubjectMention, Subjects
from services.plugin.figures.kinds import Slot
from services.plugin.names import NamedThing, names_in
from services.text.hints import Hints
from services.text.near import just_before
from services.text.patterns import Pattern
from services.text.stated.dates import When
from services.text.stated.figures import StatedFigure
from services.text.stated.units import FigureUnit
from services.text.stated.words import all_figures

SPANS: Final = frozenset(
    {FigureUnit.DAYS, FigureUnit.WEEKS, FigureUnit.MONTHS, FigureUnit.YEARS, FigureUnit.HOURS, FigureUnit.DATE}
)
"""Figures that say when or over how long, and are themselves called nothing."""
_AFTER_END: Final = Pattern(
    r"[;\n]|,(?!\s?[0-9]{4})|\b(?:and|while|whereas|but|versus|against|than|above|below|over)\b|보다|며\s|지만\s|이고\s|고\s(?=\S)"
)
_CHANGE_SLOTS: Final = frozenset({Slot.AGAINST, Slot.WINDOW})
_NAMING_SLOTS: Final = frozenset({Slot.STATISTIC, Slot.MEASURE, Slot.WINDOW, Slot.REACH})
_SAME_THING_KO: Final = Pattern(r"^[은는이가]\s(?:\S+\s){0,2}$")
_IS_KO: Final = Pattern(r"^(?:인|이자|와\s?같은|과\s?같은|에\s?해당)")
_SAME_THING_EN: Final = Pattern(
    r"^,?\s(?:at|was|is|which\s(?:is|was)|equals?|equal\sto|being)\s(?:also\s)?(?:its|the|a|an|their)\s(?:\S+\s){0,2}$"
)
_BASE_BEFORE: Final = Pattern(r"\b(?:than(?:\sin)?|since|compared\s(?:with|to)|versus|against|from)\s$", re.IGNORECASE)
_BASE_BEHIND: Final = Pattern(r"^\s?(?:보다|대비|에\s?비해|과\s?비교|와\s?비교|이후|이래)")
_BASE_VALUE_EN: Final = Pattern(r"\b(?:against|versus|compared\s(?:with|to))\s(?:the|its|a)\s$", re.IGNORECASE)
_FROM: Final = Pattern(r"\s?(?:from|over|than|compared\swith)\s(?:the\s|a\s|its\s)?", re.IGNORECASE)
_OF_BEFORE: Final = Pattern(
    r"(?:전월|전달|전주|전\s?분기|전년|전날|전일|직전|(?:month|week|quarter|year|session|day)\sbefore(?:'s)?)\s?$",
    re.IGNORECASE,
)
"""What stands before a figure of an earlier time than the one that the sentence tells of."""
_EACH: Final = Pattern(r"각각|각기|\brespectively\b", re.IGNORECASE)
_LAST_YEAR: Final = Pattern(r"(?:작년|지난해|last\syear(?:'s)?)\s?$", re.IGNORECASE)
_RELATIVE: Final = Pattern(
    r"(?P<today>오늘|금일|\btoday\b(?:'s)?|\bright\snow\b)|(?P<yesterday>어제|\byesterday\b)"
    r"|(?P<this_month>이번\s?달|이달|\bthis\smonth\b)|(?P<last_month>지난달(?!보다)|저번\s?달|\blast\smonth\b)"
    r"|(?P<this_year>올해|금년|\bthis\syear\b)|(?P<last_year>작년(?!보다|\s?[0-9])|지난해(?!보다|\s?[0-9])|\blast\syear\b)",
    re.IGNORECASE,
)
_RELATIVE_HINTS: Final = Hints(
    (
        *("오늘", "금일", "어제", "이번달", "이달", "지난달", "저번달", "올해", "금년", "작년", "지난해"),
        *("today", "now", "yesterday", "month", "year"),
    )
)


class _Placed(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


P = TypeVar("P", bound=_Placed)


@dataclass(frozen=True, slots=True)
class Day:
    """A day or period that a text names."""

    when: When
    """Which one."""
    start: int
    """Where it begins."""
    end: int
    """Where it ends, exclusive."""
    is_base: bool
    """Whether something is only compared with it."""


@dataclass(frozen=True, slots=True)
class Called:
    """One figure with what its sentence says of it."""

    figure: StatedFigure
    """The figure."""
    concepts: dict[Slot, frozenset[str]]
    """What it is called; all of the values of a slot must hold."""
    subjects: frozenset[str] | None
    """Whose it is; None where nothing says so."""
    when: When | None
    """Its day; None where none is said."""
    movement: Movement
    """Whether and which way it moved."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with what it names."""

    text: str
    """Composed (NFC)."""
    figures: tuple[StatedFigure, ...]
    """Every figure, dates and spans of time too."""
    days: tuple[Day, ...]
    """The days that it names, "today" and "last month" too."""
    names: tuple[NamedThing, ...]
    """The companies and places that it names."""
    mentions: tuple[SubjectMention, ...]
    """Where it names a subject of the answer."""


def read_sentence(text: str, subjects: Subjects, today: date) -> Sentence:
    """Return what a sentence names; `today` is the day that its "today" is."""
    composed = unicodedata.normalize("NFC", text)
    found, names = all_figures(composed), names_in(composed)
    days = tuple(days_in(composed, found, today))
    return Sentence(composed, found, days, names, subjects.mentions(composed, names))


def read_called(sentence: Sentence, subjects: Subjects, about: frozenset[str] | None = None) -> tuple[Called, ...]:
    """Return the figures of a sentence with what it says of them, in its order.

    Dates and spans of time are none, and so is what stands in the whole name of a subject: "온새미 54.2㎡" is a home.

    Args:
        sentence: The sentence.
        subjects: What the answer is about.
        about: Whose the figures are until the sentence names somebody.
    """
    wholes = [one for one in sentence.mentions if one.is_whole]
    values = [
        figure
        for figure in sentence.figures
        if figure.unit not in SPANS and not any(one.start <= figure.start and figure.end <= one.end for one in wholes)
    ]
    if not values:
        return ()
    text = sentence.text
    gaps = Gaps(text, values)
    days = gaps.nearest([day for day in sentence.days if not day.is_base])
    days = [None if just_before(_OF_BEFORE, text, one.start) else day for one, day in zip(values, days, strict=True)]
    whose = _whose(gaps, subjects, sentence.mentions, about)
    called = _concepts(gaps, concepts_in(_blanked(text, sentence.figures, subjects)), text)
    return tuple(
        Called(figure, called[at], whose[at], None if (day := days[at]) is None else day.when, gaps.movements[at])
        for at, figure in enumerate(values)
    )


def days_in(text: str, every: Iterable[StatedFigure], today: date) -> list[Day]:
    """Return the days that a text names, "today" and "last month" too."""
    found = [
        Day(_of_last_year(text, figure, today), figure.start, figure.end, _is_compared(text, figure))
        for figure in every
        if figure.when is not None
    ]
    for match in _RELATIVE.finditer(text) if _RELATIVE_HINTS.stand_in(text) else ():
        when = _relative(str(match.lastgroup), today)
        found.append(Day(when, *match.span(), bool(_BASE_BEHIND.match(text[match.end() :]))))
    return sorted(found, key=lambda day: day.start)


class Gaps:
    """The stretches of a sentence between its figures.

    Args:
        text: The sentence.
        values: Its figures, at least one.
    """

    def __init__(self, text: str, values: Sequence[StatedFigure]) -> None:
        self._text = text
        self.values = values
        """The figures."""
        self.before = [(0 if at == 0 else values[at - 1].end, figure.end) for at, figure in enumerate(values)]
        """The words up to each figure, its own unit included."""
        self.after = [self._after(at) for at in range(len(values))]
        """The words behind each figure that may be about it."""
        self.movements = [
            movement_of(text[start : figure.start], text[figure.end : self._next(at)])
            for at, (figure, (start, _)) in enumerate(zip(values, self.before, strict=True))
        ]
        """Which way each figure moved."""

    def within(self, found: Sequence[P], span: tuple[int, int]) -> list[P]:
        """Return what lies inside a stretch."""
        return [one for one in found if span[0] <= one.start and one.end <= span[1]]

    def nearest(self, found: Sequence[P]) -> list[P | None]:
        """Return, for each figure, what is said of it: before it, else behind it, else still from the one before."""
        chosen: list[P | None] = []
        used: set[int] = set()
        for at in range(len(self.values)):
            before = [one for one in self.within(found, self.before[at]) if id(one) not in used]
            after = self.within(found, self.after[at])
            if before:
                chosen.append(before[-1])
            elif after:
                used.add(id(after[0]))
                chosen.append(after[0])
            else:
                chosen.append(self._still(chosen))
        return chosen

    def _still(self, chosen: Sequence[P | None]) -> P | None:
        """Return what was said of the last figure that is not only compared with: "10월 4.1%로 9월 4.3%보다 0.2%p"."""
        held = [one for one, figure in zip(chosen, self.values, strict=False) if not self._is_base(figure)]
        return held[-1] if held else None

    def _is_base(self, figure: StatedFigure) -> bool:
        return _BASE_BEHIND.match(self._text[figure.end :]) is not None

    def _next(self, at: int) -> int:
        return self.values[at + 1].start if at + 1 < len(self.values) else len(self._text)

    def _after(self, at: int) -> tuple[int, int]:
        start, end = self.values[at].end, self._next(at)
        cut = _AFTER_END.search(self._text, start, end)
        return start, cut.start() if cut else end


def _whose(
    gaps: Gaps, subjects: Subjects, mentions: Sequence[SubjectMention], about: frozenset[str] | None
) -> list[frozenset[str] | None]:
    chosen: list[frozenset[str] | None] = []
    used: set[int] = set()
    kind: frozenset[str] = frozenset()
    for at in range(len(gaps.values)):
        before = [one for one in gaps.within(mentions, gaps.before[at]) if id(one) not in used]
        after = gaps.within(mentions, gaps.after[at])
        named, behind = subjects.meant(before), subjects.meant(after)
        kind = named if named is not None and len(named) > 1 else kind
        # "Unemployment was 2.8% in Korea": what stands behind tells which of the kind it is.
        telling = behind is not None and (named is None or len(named) > 1) and (at > 0 or bool(named) or not about)
        if telling and behind is not None and (named is None or behind & named):
            used.update(id(one) for one in after)
            chosen.append((behind & kind) or behind)
        else:
            chosen.append(named if named is not None else chosen[-1] if chosen else about)
    return chosen


def _concepts(gaps: Gaps, found: Sequence[Concept], text: str) -> list[dict[Slot, frozenset[str]]]:
    used: set[int] = set()
    called: list[dict[Slot, frozenset[str]]] = []
    for at in range(len(gaps.values)):
        before = [one for one in gaps.within(found, gaps.before[at]) if id(one) not in used]
        after = gaps.within(found, gaps.after[at])
        before = [one for one in before if not _is_base_value(text, one)]
        moves = gaps.movements[at].is_change
        if any(one.slot in _NAMING_SLOTS for one in before) or moves:
            after = [one for one in after if moves and one.slot in _CHANGE_SLOTS]
        used.update(id(one) for one in after)
        told = [one for one in after[:2] if _FROM.fullmatch(text, gaps.values[at].end, one.start)]
        behind = [one for one in after[:2] if one not in told]
        called.append(_by_slot([*behind, *before, *told], text, gaps.values[at]))
    if _EACH.search(text):
        _told_apart(called, gaps.within(found, gaps.before[0]))
    return called


def _told_apart(called: list[dict[Slot, frozenset[str]]], before: Sequence[Concept]) -> None:
    """Give each figure its own name, where as many names as figures stand before the first: "A와 B는 각각 1과 2"."""
    for slot in (Slot.STATISTIC, Slot.MEASURE):
        ends = [one.end for one in before if one.slot is slot]
        if len(ends) == len(called) > 1:
            spans = list(pairwise((0, *ends)))
            for one, (start, end) in zip(called, spans, strict=True):
                one.clear()
                one.update({said.slot: frozenset({said.value}) for said in before if start <= said.start < end})
            return


def _is_base_value(text: str, concept: Concept) -> bool:
    """Tell whether something is only compared with a statistic: "직전 종가 대비", "against the close"."""
    if concept.slot is not Slot.STATISTIC:
        return False
    return bool(_BASE_BEHIND.match(text[concept.end :]) or just_before(_BASE_VALUE_EN, text, concept.start))


def _by_slot(said: Sequence[Concept], text: str, figure: StatedFigure) -> dict[Slot, frozenset[str]]:
    """Return the last value of each slot, with those before it that the words set equal to it."""
    by_slot: dict[Slot, list[Concept]] = {}
    for concept in said:
        by_slot.setdefault(concept.slot, []).append(concept)
    statistics = by_slot.get(Slot.STATISTIC, [])
    values = {slot: {concepts[-1].value} for slot, concepts in by_slot.items()}
    for earlier, later in pairwise(statistics):
        if later is statistics[-1] and _are_one(text, earlier, later, figure):
            values[Slot.STATISTIC].add(earlier.value)
    if len(statistics) > 1 and Slot.WINDOW in values and "average" not in values[Slot.STATISTIC]:
        # The days belong to an average that was named before and is not this figure.
        del values[Slot.WINDOW]
    return {slot: frozenset(names) for slot, names in values.items()}


def _are_one(text: str, earlier: Concept, later: Concept, figure: StatedFigure) -> bool:
    between = text[earlier.end : later.start]
    if _SAME_THING_EN.match(between):
        return True
    return bool(_SAME_THING_KO.match(between) and _IS_KO.match(text[later.end : figure.start].lstrip()))


def _blanked(text: str, every: Sequence[StatedFigure], subjects: Subjects) -> str:
    """Return the text with dates and subjects blanked out: their words do not say what a figure is."""
    spans = [(figure.start, figure.end) for figure in every if figure.when is not None]
    for name in subjects.names:
        at = text.find(name)
        if at >= 0:
            spans.append((at, at + len(name)))
    blanked = text
    for start, end in spans:
        blanked = f"{blanked[:start]}{' ' * (end - start)}{blanked[end:]}"
    return blanked


def _is_compared(text: str, figure: StatedFigure) -> bool:
    return bool(_BASE_BEHIND.match(text[figure.end :]) or just_before(_BASE_BEFORE, text, figure.start))


def _of_last_year(text: str, figure: StatedFigure, today: date) -> When:
    when = figure.when
    if when is None:
        raise ValueError("a date has a when")
    if when.year is None and just_before(_LAST_YEAR, text, figure.start):
        return replace(when, year=today.year - 1)
    return when


def _relative(name: str, today: date) -> When:
    if name in {"today", "yesterday"}:
        day = today if name == "today" else today - timedelta(days=1)
        return When(day.year, day.month, day.month, day.day)
    if name.endswith("month"):
        day = today if name == "this_month" else today.replace(day=1) - timedelta(days=1)
        return When(day.year, day.month, day.month, None)
    return When(today.year - (name == "last_year"), 1, 12, None)
