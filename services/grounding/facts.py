"""What the evidence holds as single facts: a value with its unit, what it is called, whose it is, and its days.

from metrics     the figures that agents computed, under their labels
from rows        the figures of each row, under the names of their keys, bound to the row's day and names
from texts       the figures of titles and excerpts, as they are written there

A flow's evidence holds a thousand values, of which its answer tells a dozen. So what a value of a row is called is
found when a figure comes near it, and texts are read when neither metrics nor rows hold a figure.
"""

import bisect
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from zoneinfo import ZoneInfo

from services.contract.flow import Evidence, Metric
from services.grounding.concepts import Concepts, concept_sets, concepts_of_name, is_change
from services.grounding.fields import UNITS, instant_days, own_names, row_days, row_names, row_values
from services.grounding.readings import SPANS, Sentence, read_called, read_sentence
from services.grounding.subjects import Subjects
from services.plugin.data.rows import rows_of
from services.plugin.figures.declared import data_type
from services.plugin.figures.kinds import Slot
from services.text.stated.dates import When
from services.text.stated.figures import Known, StatedFigure, may_support, supports
from services.text.stated.units import FigureUnit

_SCALES: Final = (Decimal(1), Decimal(100), Decimal("0.01"))


@dataclass(frozen=True, slots=True)
class Fact:
    """One value that the evidence holds."""

    known: Known
    """The value with its unit."""
    evidence_id: str
    """The evidence; empty for what is known without any."""
    concepts: Concepts = field(default_factory=dict)
    """What it is called; empty where nothing says so."""
    names: frozenset[str] = frozenset()
    """Whose it is; empty for anybody's."""
    days: frozenset[date | When] = frozenset()
    """The days that it stands for; empty for a fact without time."""
    told_on: frozenset[date] = frozenset()
    """Further days on which it was the state of things, when it was published for example; a month is none of them."""
    is_of_one: bool = False
    """Whether it is of one of many things, which a sentence must name: a building among those of a district."""
    is_text: bool = False
    """Whether it was read from a text: then it has no unit where the text writes none."""
    newest: bool = True
    """Whether nothing newer of its kind is held: only such a fact may be told without its day."""
    change: bool | None = None
    """Whether it is a change (True) or a level (False); None where nothing says so."""
    is_of_row: bool = False
    """Whether it is one of a series' rows: its highest value is that of its own day alone."""


@dataclass(frozen=True, slots=True)
class WordFact:
    """One signal that a metric holds, such as a golden cross."""

    word: str
    """The word."""
    name: str
    """Whose it is."""
    days: frozenset[date | When]
    """When it was."""
    evidence_ids: tuple[str, ...]
    """What it rests on."""


@dataclass(slots=True)
class HeldValue:
    """A value whose fact is put together when it is looked at."""

    known: Known
    """The value with its unit."""
    drawn: Callable[[], Fact]
    """Puts the fact together."""
    _fact: Fact | None = None

    @property
    def fact(self) -> Fact:
        """The fact."""
        if self._fact is None:
            self._fact = self.drawn()
        return self._fact


class Facts:
    """Facts found by their values.

    Args:
        facts: Facts, and values whose facts are put together when they are looked at.
    """

    def __init__(self, facts: Iterable[Fact | HeldValue]) -> None:
        self._held = sorted(facts, key=_size)
        self._sizes = [_size(one) for one in self._held]

    def __iter__(self) -> Iterator[Fact]:
        """Iterate over all facts, by the size of their values."""
        return (one.fact if isinstance(one, HeldValue) else one for one in self._held)

    def near(self, figure: StatedFigure) -> Iterator[Fact]:
        """Yield the facts whose values may be a figure, whatever their signs, in its own or a neighbouring unit."""
        size, reach = abs(float(figure.value)), float(figure.step)
        for scale in map(float, _SCALES):
            low = bisect.bisect_left(self._sizes, size * scale - reach * scale)
            high = bisect.bisect_right(self._sizes, size * scale + reach * scale)
            for one in self._held[low:high]:
                if may_support(one.known, figure):
                    yield one.fact if isinstance(one, HeldValue) else one


def has_value(fact: Fact, figure: StatedFigure, *, falling: bool) -> bool:
    """Tell whether a fact's value is a figure; `falling` says that the words name a fall by its size."""
    return supports(fact.known, figure, falling=falling)


def _size(fact: Fact | HeldValue) -> float:
    return abs(float(fact.known.value))


def facts_of(
    evidence: Evidence, metrics: tuple[Metric, ...], today: date, zone: ZoneInfo
) -> Iterator[Fact | HeldValue]:
    """Yield what the rows of a piece of evidence, and the metrics that rest on it, hold."""
    rows = rows_of(evidence)
    as_of = days_of(evidence.provenance.as_of_time, zone)
    timeless = not any("date" in row for row in rows) and not data_type(evidence.data_type).by_session
    published = _published(rows, metrics, zone)
    own = _subjects_told(metrics)
    current = as_of | {today} if timeless or not _is_daily(evidence, rows) else frozenset()
    yield from _metric_facts(evidence.evidence_id, metrics, published, current, zone)
    yield from _row_facts(evidence.evidence_id, rows, own, current, zone)
    yield from _count_facts(evidence, rows)


def _subjects_told(metrics: Iterable[Metric]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(metric.subject for metric in metrics if metric.subject))


def text_facts(
    text: str, subjects: Subjects, today: date, evidence_id: str = "", about: frozenset[str] = frozenset()
) -> Iterator[Fact]:
    """Yield the figures that a text holds, called what it calls them."""
    return facts_said(read_sentence(text, subjects, today), subjects, evidence_id, about)


def facts_said(
    sentence: Sentence, subjects: Subjects, evidence_id: str = "", about: frozenset[str] = frozenset()
) -> Iterator[Fact]:
    """Yield the figures of a text that was read, called what it calls them."""
    for called in read_called(sentence, subjects, about or None):
        value, moves = called.figure.value, called.movement
        yield Fact(
            known=Known(-value if moves.direction < 0 and value > 0 else value, called.figure.unit),
            evidence_id=evidence_id,
            concepts=called.concepts,
            names=called.subjects or frozenset(),
            days=frozenset() if called.when is None else frozenset({called.when}),
            is_text=True,
            newest=called.when is None,
            change=moves.is_change or None,
        )
    for figure in sentence.figures:
        if figure.when is None and figure.unit in SPANS:
            yield Fact(Known(figure.value, figure.unit), evidence_id)


def word_facts(metrics: Iterable[Metric], zone: ZoneInfo) -> Iterator[WordFact]:
    """Yield the signals that metrics hold."""
    for metric in metrics:
        if metric.word:
            yield WordFact(metric.word, metric.subject, days_of(metric.as_of_time, zone), metric.evidence_ids)


def known_value(metric: Metric) -> Known | None:
    """Return a metric's value with its unit; None for a word, or what is no finite number."""
    try:
        value = Decimal(metric.value)
    except InvalidOperation:
        return None
    return Known(value, UNITS.get(metric.unit, FigureUnit.NONE)) if value.is_finite() else None


def days_of(moment: datetime | None, zone: ZoneInfo) -> frozenset[date]:
    """Return the day of a moment, as the data counts it and as the user does."""
    return frozenset() if moment is None else frozenset({moment.astimezone(UTC).date(), moment.astimezone(zone).date()})


def _is_daily(evidence: Evidence, rows: list[dict[str, Any]]) -> bool:
    return data_type(evidence.data_type).by_session or any(row.get("frequency") == "daily" for row in rows[:1])


def _published(rows: list[dict[str, Any]], metrics: Iterable[Metric], zone: ZoneInfo) -> dict[date, frozenset[date]]:
    """Return, by the day of each metric, every day that its row bears: also the one on which it was published."""
    told = frozenset[date]().union(*(days_of(metric.as_of_time, zone) for metric in metrics))
    found: dict[date, frozenset[date]] = {}
    for row in rows if told else ():
        for day in told.intersection(instant_days(str(row.get("date", "")), zone)):
            found[day] = found.get(day, frozenset()) | row_days(row, zone)
    return found


def _metric_facts(
    evidence_id: str,
    metrics: tuple[Metric, ...],
    published: Mapping[date, frozenset[date]],
    current: frozenset[date],
    zone: ZoneInfo,
) -> Iterator[Fact]:
    newest: dict[tuple[str, frozenset[str]], datetime] = {}
    for metric in metrics:
        if metric.as_of_time is not None:
            measured = _measured(metric)
            newest[measured] = max(newest.get(measured, metric.as_of_time), metric.as_of_time)
    for metric in metrics:
        value = known_value(metric)
        if value is None:
            continue
        days = days_of(metric.as_of_time, zone)
        told_on: frozenset[date] = frozenset().union(*(published.get(day, frozenset()) for day in days))
        is_newest = metric.as_of_time is None or metric.as_of_time == newest[_measured(metric)]
        called = _called(metric)
        yield Fact(
            known=value,
            evidence_id=evidence_id,
            concepts=called,
            names=_named(metric.subject),
            days=days,
            told_on=told_on | current if is_newest else told_on,
            newest=is_newest,
            change=True if is_change(metric.name, metric.label) else False if called else None,
        )


def _measured(metric: Metric) -> tuple[str, frozenset[str]]:
    """Return what is measured of what: a share's accounts end on other days than its prices."""
    return metric.subject, concepts_of_name(metric.name, metric.label).get(Slot.MEASURE, frozenset())


def _called(metric: Metric) -> Concepts:
    """Return what a metric is called; its subject may say a part of it, as "the spread of two rates" does."""
    called, said = concepts_of_name(metric.name, metric.label), concept_sets(metric.subject)
    return {slot: called.get(slot, frozenset()) | said.get(slot, frozenset()) for slot in {*called, *said}}


def _named(subject: str) -> frozenset[str]:
    """Return whose a figure is; that of a difference is of both sides."""
    return frozenset({subject, *subject.split(" - ")} - {""})


def _row_facts(
    evidence_id: str,
    rows: list[dict[str, Any]],
    subjects: tuple[str, ...],
    current: frozenset[date],
    zone: ZoneInfo,
) -> Iterator[HeldValue]:
    @functools.cache
    def newest() -> dict[frozenset[str], str]:
        found: dict[frozenset[str], str] = {}
        for row in rows:
            if row.get("date"):
                names = row_names(row)
                found[names] = max(found.get(names, ""), str(row["date"]))
        return found

    @functools.cache
    def bare(at: int) -> Fact:
        row = rows[at]
        names, own = row_names(row), own_names(row)
        is_newest = str(row.get("date", "")) == newest().get(names, "")
        days, told_on = frozenset(instant_days(str(row.get("date", "")), zone)), row_days(row, zone)
        return Fact(
            known=Known(Decimal(0)),
            evidence_id=evidence_id,
            names=own or names | _subjects_of(names, subjects),
            days=days,
            told_on=told_on | current if is_newest else told_on,
            is_of_one=bool(own),
            newest=is_newest,
            is_of_row=bool(days),
        )

    def drawn(at: int, key: str, known: Known) -> Fact:
        return replace(bare(at), known=known, concepts=concepts_of_name(key), change=True if is_change(key) else None)

    for at, row in enumerate(rows):
        for key, known in row_values(row):
            yield HeldValue(known, functools.partial(drawn, at, key, known))


def _subjects_of(names: frozenset[str], subjects: tuple[str, ...]) -> frozenset[str]:
    """Return which subjects of the metrics a row belongs to, the only one where there is one."""
    if len(subjects) == 1:
        return frozenset(subjects)
    return frozenset(subject for subject in subjects if any(name.startswith(subject) for name in names))


def _count_facts(evidence: Evidence, rows: list[dict[str, Any]]) -> Iterator[Fact]:
    """Yield how many rows there are; no sentence may call that number anything else."""
    for count in {len(rows), evidence.provenance.row_count}:
        yield Fact(Known(Decimal(count), FigureUnit.COUNT), evidence.evidence_id, {Slot.MEASURE: frozenset({"rows"})})
