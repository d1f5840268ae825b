"""What an answer may state: figures that the evidence holds under the same name, and what must never leave.

A sentence is judged whole. Each of its figures is held against the facts of its value (`facts.py`): one must be called
the same, be of the same subject and day, and have moved the same way (`readings.py`). Dates must be known days; names
must be names of the question or the evidence; signals must stand in a metric. Sentences that tell the reader to trade,
show an internal id or hold an address do not pass either.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from services.contract.flow import Evidence, Metric
from services.contract.synthesizer import WEB_PART, SynthesizeRequest
from services.grounding.agreement import agrees, ordered, starts
from services.grounding.facts import (
    Fact,
    Facts,
    WordFact,
    days_of,
    facts_of,
    has_value,
    instant_days,
    own_names,
    row_days,
    rows_of,
    text_facts,
    word_facts,
)
from services.grounding.links import links
from services.grounding.names import KnownNames
from services.grounding.plain import has_plain_letters, is_plain
from services.grounding.readings import SPANS, Called, Sentence, read_called, read_sentence
from services.grounding.sentences import sentences
from services.grounding.signals import invents_a_signal
from services.grounding.subjects import Subjects
from services.plugin.entities import AMOUNT, PERIOD, QUANTITY, krw_range, of_kind, values
from services.text.directives import directs
from services.text.figure_dates import When
from services.text.figure_names import names_in
from services.text.figure_units import FigureUnit
from services.text.figures import Figure, Known, figures
from services.text.normalise import normalise

_INTERNAL: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:ev-[0-9a-f]{4,}|[a-z]{2,}(?:_[a-z0-9]+)+|[A-Z]{2,}(?:_[A-Z0-9]+)+"
    r"|(?:finance|realty|commerce|general)\.[a-z_]+|(?:US|KR):[0-9A-Z.\-]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f-]{8,})(?![0-9A-Za-z])"
)
_ID_KEYS: Final = frozenset(
    {"region_code", "product_id", "offer_id", "security_id", "series_id", "order_id", "seller_id"}
)
_ID_LENGTH_MIN: Final = 3
_DIGIT: Final = re.compile(r"[0-9]")
_SEVERAL: Final = re.compile(r"둘|두\s|모두|각각|양쪽|\b(?:both|each|all|respectively|two)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found in one sentence."""

    supported: bool
    """True where it may be said."""
    states_figures: bool
    """True where it holds a figure or date at all."""
    evidence_ids: tuple[str, ...] = ()
    """The evidence that holds its figures, the one with the most first."""
    about: frozenset[str] | None = None
    """Whom it is about, for a sentence behind it that names nobody."""


class Grounds:
    """All that one answer may rest on; build it with `of`."""

    def __init__(self, request: SynthesizeRequest) -> None:
        zone = ZoneInfo(request.run.time_zone or "UTC")
        self._today = request.run.now.astimezone(zone).date()
        # What the web says supports no figure, day or name: anybody may have written it.
        own = replace(request, results=tuple(one for one in request.results if one.agent != WEB_PART))
        self._subjects = Subjects(_subject_names(own))
        self._facts = Facts((*self._held(own, zone), *self._common(own)))
        self._days = _days(own, zone)
        self._words: tuple[WordFact, ...] = tuple(
            word for result in own.results for word in word_facts(result.metrics, zone)
        )
        self._changes = tuple(fact for fact in self._facts.all if fact.change)
        self.names = KnownNames(_texts(own))
        """The names that may be said."""
        self.internal = frozenset(_internal_ids(request))
        """Ids that no user may see."""
        self._plain_ids = tuple(token for token in self.internal if has_plain_letters(token))

    @classmethod
    def of(cls, request: SynthesizeRequest) -> "Grounds":
        """Return what the results of a request hold; today and the limits that the question names are known as well."""
        return cls(request)

    def judge(self, sentence: str, about: frozenset[str] | None = None) -> Verdict:
        """Return whether a sentence may be said, and what it rests on.

        Args:
            sentence: One sentence without citation marks.
            about: Whom the sentence before it was about.
        """
        if self._leaves_unread(sentence) and not names_in(sentence):
            named = self._subjects.meant(self._subjects.mentions(sentence, ()))
            return Verdict(supported=True, states_figures=False, about=named or _still(about, sentence))
        said = read_sentence(sentence, self._subjects, self._today)
        text = said.text
        about = _still(about, text)
        named = self._subjects.meant(said.mentions) or about
        refused = Verdict(supported=False, states_figures=bool(said.figures))
        if not self.may_leave(text) or self.names.invents(text, said.names):
            return refused
        called = read_called(said, self._subjects, about)
        has_change = any(one.movement.is_change for one in called)
        if invents_a_signal(said, self._words, self._changes, named=named, has_change=has_change):
            return refused
        ids = self._support(said, called)
        if ids is None:
            return refused
        return Verdict(supported=True, states_figures=bool(said.figures), evidence_ids=_fewest(ids), about=named)

    def _support(self, said: Sentence, called: tuple[Called, ...]) -> list[list[str]] | None:
        """Return the evidence of each figure and day of a sentence; None where one has none."""
        is_start = starts(called, said.text)
        holders = [self._holders(one, is_start=start) for one, start in zip(called, is_start, strict=True)]
        spans = [figure for figure in said.figures if figure.unit in SPANS]
        if not all(holders) or not ordered(called, holders, said.text) or not all(map(self._knows, spans)):
            return None
        ids = [[fact.evidence_id for fact in facts if fact.evidence_id] for facts in holders]
        ids += [self._ids_of_day(figure.when) for figure in spans if figure.when is not None]
        return ids

    def judge_freely(self, sentence: str, about: frozenset[str] | None = None) -> Verdict:
        """Return whether a sentence of general knowledge may be said: no row holds its figures, and none has to."""
        return Verdict(
            supported=self._leaves_unread(sentence) or self.may_leave(sentence), states_figures=False, about=about
        )

    def _leaves_unread(self, text: str) -> bool:
        """Tell whether a text states nothing and shows no id, which is told without reading it."""
        return is_plain(text) and not any(token in text for token in self._plain_ids)

    def may_leave(self, text: str) -> bool:
        """Tell whether a text is free of internal ids, of directives to trade and of addresses."""
        plain = normalise(text)
        return not self.leaks(plain) and not directs(plain) and not links(self.names.without_known(plain))

    def knows_names(self, text: str) -> bool:
        """Tell whether a text names only what question and evidence name."""
        return not self.names.invents(text, names_in(text))

    def leaks(self, text: str) -> bool:
        """Tell whether a text shows an internal id, a tool's name or a region code."""
        # Hardly any text holds one: plain searches cost less than a pattern of all of them, compiled for each answer.
        held = (token for token in self.internal if token in text)
        return _INTERNAL.search(text) is not None or any(_stands_in(text, token) for token in held)

    def _held(self, request: SynthesizeRequest, zone: ZoneInfo) -> Iterator[Fact]:
        said = (sentence.strip() for result in request.results for sentence in sentences(result.summary))
        for sentence in dict.fromkeys(said):
            yield from text_facts(sentence, self._subjects, self._today)
        for result in request.results:
            for name in dict.fromkeys(f"{one.subject} {one.label}" for one in result.metrics):
                if _DIGIT.search(name):
                    yield from text_facts(name, self._subjects, self._today)
            for evidence in result.evidence:
                metrics = tuple(_resting_on(result.metrics, evidence.evidence_id))
                yield from facts_of(evidence, metrics, self._subjects, self._today, zone)

    def _common(self, request: SynthesizeRequest) -> Iterator[Fact]:
        """Yield what may be said without evidence: limits and counts of the question, and what agents say beside it."""
        entities = request.route.entities
        for low, high in map(krw_range, of_kind(entities, AMOUNT)):
            for value in (low, high):
                if value and low != high:
                    yield Fact(Known(Decimal(value), FigureUnit.KRW), "")
        for quantity in of_kind(entities, QUANTITY):
            yield Fact(Known(Decimal(quantity.value), FigureUnit.COUNT), "")
        for text in _own_lines(request):
            yield from text_facts(text, self._subjects, self._today)

    def _holders(self, called: Called, *, is_start: bool) -> list[Fact]:
        found = [fact for fact in self._facts.near(called.figure) if agrees(fact, called, is_start=is_start)]
        if found or called.figure.unit is not FigureUnit.NONE:
            return found
        return [_YEAR] if called.figure.value in self._years else []

    def _knows(self, figure: Figure) -> bool:
        """Tell whether a date is a known day, or a span of time one that a label or text has."""
        if figure.when is None:
            return any(has_value(fact, figure, falling=False) for fact in self._facts.near(figure))
        return any(_covers(figure.when, day) for days in self._days.values() for day in days)

    def _ids_of_day(self, when: When) -> list[str]:
        return [one for one, days in self._days.items() if one and any(_covers(when, day) for day in days)]

    @cached_property
    def _years(self) -> frozenset[Decimal]:
        days = (day for days in self._days.values() for day in days)
        return frozenset(Decimal(day.year) for day in days if day.year is not None)


def _still(about: frozenset[str] | None, text: str) -> frozenset[str] | None:
    """Return whom a sentence is about that names nobody: those before it, unless it speaks of several."""
    return None if about is None or _SEVERAL.search(text) else about


_YEAR: Final = Fact(Known(Decimal(0)), "")
"""What supports a bare number that is the year of a known day."""


def _covers(when: When, day: date | When) -> bool:
    return when.covers(day) if isinstance(day, When) else when.holds(day)


def _fewest(holders: list[list[str]]) -> tuple[str, ...]:
    """Return few pieces of evidence that together hold every figure, the one that holds most first."""
    left = [set(ids) for ids in holders if ids]
    order = list(dict.fromkeys(evidence_id for ids in holders for evidence_id in ids))
    chosen: list[str] = []
    while left:
        best = max(order, key=lambda evidence_id: sum(evidence_id in ids for ids in left))
        chosen.append(best)
        left = [ids for ids in left if best not in ids]
    return tuple(chosen)


def _resting_on(metrics: Iterable[Metric], evidence_id: str) -> Iterator[Metric]:
    return (metric for metric in metrics if evidence_id in metric.evidence_ids)


def _subject_names(request: SynthesizeRequest) -> Iterator[str]:
    """Yield what figures are about: the subjects of the metrics, and the names of rows that no metric is about."""
    for result in request.results:
        subjects = [metric.subject for metric in result.metrics]
        yield from subjects
        for subject in subjects:
            yield from subject.split(" - ")
        for evidence in result.evidence:
            for row in rows_of(evidence):
                yield from own_names(row)


def _days(request: SynthesizeRequest, zone: ZoneInfo) -> dict[str, frozenset[date | When]]:
    """Return the known days by evidence; under no id today, the days of the question and those of the agents' texts."""
    own: set[date | When] = {request.run.now.astimezone(zone).date()}
    for span in of_kind(request.route.entities, PERIOD):
        for text in span.value.split("/"):
            own.update(instant_days(text, zone))
    own.update(_named_days(_own_lines(request)))
    found: dict[str, frozenset[date | When]] = {"": frozenset(own)}
    for result in request.results:
        for evidence in result.evidence:
            metrics = tuple(_resting_on(result.metrics, evidence.evidence_id))
            days: set[date | When] = set(days_of(evidence.provenance.as_of_time, zone))
            days.update(*(row_days(row, zone) for row in rows_of(evidence)))
            days.update(*(days_of(metric.as_of_time, zone) for metric in metrics))
            names = dict.fromkeys(name for one in metrics for name in (one.subject, one.label) if _DIGIT.search(name))
            days.update(_named_days((evidence.title, evidence.excerpt, *names)))
            found[evidence.evidence_id] = found.get(evidence.evidence_id, frozenset()) | days
    return found


def _named_days(texts: Iterable[str]) -> Iterator[When]:
    return (figure.when for text in texts for figure in figures(text) if figure.when is not None)


def _own_lines(request: SynthesizeRequest) -> tuple[str, ...]:
    """Return what flow and agents wrote beside the figures; its numbers were held against the rows there."""
    results = request.results
    said = (line for one in results for line in (*one.cautions, *one.suggested_actions, *one.key_drivers))
    return tuple(dict.fromkeys((*request.cautions, *said)))


def _texts(request: SynthesizeRequest) -> Iterator[str]:
    """Yield every text whose names an answer may say."""
    yield request.question
    yield from (one.label for one in request.route.entities)
    yield from _own_lines(request)
    for result in request.results:
        yield from (result.summary, *result.key_drivers)
        yield from (text for metric in result.metrics for text in (metric.label, metric.subject))
        for evidence in result.evidence:
            yield from (evidence.title, evidence.excerpt)
            yield from _row_texts(evidence)


def _row_texts(evidence: Evidence) -> Iterator[str]:
    """Yield the distinct texts of the rows, without days and ids."""
    found = {
        value
        for row in rows_of(evidence)
        for key, value in row.items()
        if isinstance(value, str) and key not in _ID_KEYS and not value[:1].isdigit()
    }
    yield from sorted(found)


def _internal_ids(request: SynthesizeRequest) -> Iterator[str]:
    found = [request.run.flow_run_id, *values(request.route.entities, "region")]
    for result in request.results:
        found += [result.agent, result.step_id]
        for evidence in result.evidence:
            found += [evidence.evidence_id, evidence.rows_schema_id, evidence.provenance.table]
            found += [evidence.provenance.template_id, evidence.provenance.fingerprint]
            found += [str(row[key]) for row in rows_of(evidence) for key in _ID_KEYS & row.keys()]
    shown = " ".join((request.question, *(piece.title for result in request.results for piece in result.evidence)))
    return (token for token in found if _is_id(token) and token not in shown)


def _stands_in(text: str, token: str) -> bool:
    """Tell whether a token stands in a text by itself, not as a part of a longer word or number."""
    return re.search(rf"(?<![0-9A-Za-z_]){re.escape(token)}(?![0-9A-Za-z_])", text) is not None


def _is_id(token: str) -> bool:
    """Tell whether no reader takes a token for a word: it has digits or points, or is a long one in capitals."""
    return len(token) >= _ID_LENGTH_MIN and (not token.isalpha() or (token.isupper() and len(token) > _ID_LENGTH_MIN))
