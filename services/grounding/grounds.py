"""What a text may state: figures that the evidence holds under the same name, and what must never leave.

A sentence is judged whole, and the same for an agent's summary and for an answer. Each of its figures is held against
the facts of its value (`facts.py`): one must be called the same, be of the same subject and day, and have moved the
same way (`readings.py`). Dates must be known days; names must be names of the question or the evidence; signals must
stand in a metric; a cause must be a relation with evidence. Sentences that tell the reader to trade, show an internal
id or hold an address do not pass either. A sentence that does not pass bears its first fault as its reason.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Final

from services.contract.drops import Dropped, DropPlace, DropReason
from services.contract.synthesizer import SynthesizeRequest
from services.grounding.agreement import NEARNESS, backwards, difference, is_borne, starts
from services.grounding.basis import Basis, has_digit, resting_on
from services.grounding.causes import is_supported, told_cause
from services.grounding.claims.check import PermittedClaims
from services.grounding.claims.sources import secret_in
from services.grounding.directives import directs
from services.grounding.facts import (
    Fact,
    Facts,
    HeldValue,
    WordFact,
    facts_of,
    facts_said,
    has_value,
    text_facts,
    word_facts,
)
from services.grounding.links import link_in
from services.grounding.names import KnownNames
from services.grounding.plain import has_plain_letters, is_plain
from services.grounding.readings import SPANS, Called, Sentence, read_called, read_sentence
from services.grounding.sentences import sentences
from services.grounding.signals import false_signal
from services.grounding.subjects import Subjects
from services.grounding.verdict import SentenceVerdict, Wrong, dropped
from services.grounding.vocabulary import vocabulary
from services.plugin.names import names_in
from services.text.normalise import normalise
from services.text.patterns import Pattern
from services.text.stated.dates import When
from services.text.stated.figures import Known, StatedFigure
from services.text.stated.units import FigureUnit

_SEVERAL: Final = Pattern(r"둘|두\s|모두|각각|양쪽|\b(?:both|each|all|respectively|two)\b", re.IGNORECASE)
_STATES: Final = Pattern(r"[다요까죠음임됨][.!?…\s]*$|[A-Za-z]{3}")
"""What ends as a statement does; a sum that stands by itself states nothing."""
_NEED_DATA: Final = frozenset(
    (
        *(FigureUnit.KRW, FigureUnit.USD, FigureUnit.PERCENT, FigureUnit.PERCENTAGE_POINT, FigureUnit.BASIS_POINT),
        *(FigureUnit.ARTICLE, FigureUnit.UNREADABLE),
    )
)
"""What nobody may say from general knowledge: sums of money, rates and articles are read from data."""
SENTENCE_CHARS_MAX: Final = 600
"""No sentence of an answer is longer."""
_YEAR: Final = Fact(Known(Decimal(0)), "")
"""What supports a bare number that is the year of a known day."""


class Grounds:
    """All that one text may rest on.

    Args:
        basis: What it is built from.
    """

    def __init__(self, basis: Basis) -> None:
        self._basis = basis
        self._today = basis.today
        self._subjects = Subjects(basis.subjects())
        self._facts = Facts(self._held())
        self._days = basis.days()
        self._words: tuple[WordFact, ...] = tuple(
            word for result in basis.own for word in word_facts(result.metrics, basis.zone)
        )
        self._causes = basis.causes()
        self._ids = vocabulary().ids
        self.names = KnownNames(basis.texts())
        """The names that may be said."""
        self.internal = basis.internal_ids()
        """Ids that no user may see."""
        self._plain_ids = tuple(token for token in self.internal if has_plain_letters(token))
        self.dropped: list[Dropped] = []
        """What `lets_out` kept back."""

    @classmethod
    def of(cls, request: SynthesizeRequest) -> "Grounds":
        """Return what an answer may rest on; today and the limits that the question names are known as well."""
        return cls(Basis.of(request))

    def judge(self, sentence: str, about: frozenset[str] | None = None) -> SentenceVerdict:
        """Return whether a sentence may be said, and what it rests on.

        Args:
            sentence: One sentence without citation marks.
            about: Whom the sentence before it was about.
        """
        if len(sentence) > SENTENCE_CHARS_MAX:
            return SentenceVerdict(states_figures=False, wrong=Wrong(DropReason.TOO_LONG, ""))
        if self._leaves_unread(sentence) and not names_in(sentence):
            if wrong := self._false_claim(sentence, of_data=True):
                return SentenceVerdict(states_figures=False, wrong=wrong)
            named = self._subjects.meant(self._subjects.mentions(sentence, ()))
            return SentenceVerdict(states_figures=False, about=named or _still(about, sentence))
        said = read_sentence(sentence, self._subjects, self._today)
        about = _still(about, said.text)
        named = self._subjects.meant(said.mentions) or about
        found = self._support(said, about, named)
        if isinstance(found, Wrong):
            return SentenceVerdict(states_figures=bool(said.figures), wrong=found)
        return SentenceVerdict(states_figures=bool(said.figures), evidence_ids=_fewest(found), about=named)

    def judge_freely(self, sentence: str, about: frozenset[str] | None = None) -> SentenceVerdict:
        """Return whether a sentence of general knowledge may be said: of its figures, sums and rates need data."""
        wrong = Wrong(DropReason.TOO_LONG, "") if len(sentence) > SENTENCE_CHARS_MAX else None
        if wrong is None and not self._leaves_unread(sentence):
            wrong = self.fault(sentence) or self._sum_without_data(sentence)
        wrong = wrong or self._false_claim(sentence)
        return SentenceVerdict(states_figures=False, wrong=wrong, about=about)

    def _sum_without_data(self, sentence: str) -> Wrong | None:
        """Return the first sum, rate or article of a sentence that the question does not name: those need data."""
        if _STATES.search(sentence) is None:
            return None
        said = read_sentence(sentence, self._subjects, self._today)
        needing = (one for one in said.figures if one.unit in _NEED_DATA)
        unheld = (one for one in needing if not _is_held(one, self._sources(), falling=True))
        return next((Wrong(DropReason.UNKNOWN_FIGURE, one.surface) for one in unheld), None)

    def fault(self, text: str) -> Wrong | None:
        """Return what keeps a text back whatever it rests on: an internal id, a directive to trade, an address."""
        plain = normalise(text)
        if shown := self._leaked(plain):
            return Wrong(DropReason.INTERNAL_ID, shown)
        if directs(plain):
            return Wrong(DropReason.DIRECTIVE, "")
        if link := link_in(self.names.without_known(plain)):
            return Wrong(DropReason.ADDRESS, link)
        if (secret := secret_in(plain)) and secret not in self._shown:
            return Wrong(DropReason.SECRET, secret)
        return None

    def lets_out(self, text: str, place: DropPlace = DropPlace.ANSWER) -> bool:
        """Tell whether a text has no such fault; one that has is kept for the record."""
        wrong = self.fault(text)
        if wrong is not None:
            self.dropped.append(dropped(place, wrong, text))
        return wrong is None

    def _leaves_unread(self, text: str) -> bool:
        """Tell whether a text states nothing and shows no id, which is told without reading it."""
        return is_plain(text) and not any(one in text for one in self._plain_ids)

    def _leaked(self, text: str) -> str:
        """Return an internal id, a tool's name or a code that a text shows; empty where it shows none."""
        if match := self._ids.search(text):
            return match.group()
        # Hardly any text holds one: plain searches cost less than a pattern of all of them, compiled for each answer.
        return next((token for token in self.internal if token in text and _stands_in(text, token)), "")

    def _support(
        self, said: Sentence, about: frozenset[str] | None, named: frozenset[str] | None
    ) -> list[list[str]] | Wrong:
        """Return the evidence of each figure and day of a sentence, or its first fault."""
        if wrong := self.fault(said.text) or self._false_cause(said.text):
            return wrong
        called = read_called(said, self._subjects, about)
        has_change = any(one.movement.is_change for one in called)
        signal = false_signal(said, self._words, lambda: self._changes, named=named, has_change=has_change)
        if wrong := signal or self._false_name(said):
            return wrong
        found = self._figures(said, called)
        return found if isinstance(found, Wrong) else self._false_claim(said.text, of_data=True) or found

    def _figures(self, said: Sentence, called: tuple[Called, ...]) -> list[list[str]] | Wrong:
        """Return the evidence of each figure and day, from as few texts as name some."""
        found: list[list[str]] | Wrong = []
        for sources in self._sources_of_told(said) if said.text.strip() in self._told else (self._sources,):
            found = self._evidence(said, called, sources)
            if isinstance(found, Wrong) or any(found):
                break
        return found

    def _sources_of_told(self, said: Sentence) -> Iterator[Callable[[], Iterable[Facts]]]:
        """Yield what may name the evidence of what an agent told, which itself holds: rows, what it quotes, all."""
        itself = Facts(facts_said(said, self._subjects))
        yield lambda: (self._facts, itself)
        quoted = Facts(self._titles_and_excerpts([one.surface for one in said.figures]))
        yield lambda: (self._facts, quoted, itself)
        yield self._sources

    def _evidence(
        self, said: Sentence, called: tuple[Called, ...], sources: Callable[[], Iterable[Facts]]
    ) -> list[list[str]] | Wrong:
        holders: list[list[Fact]] = []
        for one, is_start in zip(called, starts(called, said.text), strict=True):
            found = self._holders(one, sources(), is_start=is_start)
            if isinstance(found, DropReason):
                return Wrong(found, one.figure.surface)
            holders.append(found)
        if (against := backwards(called, holders, said.text)) is not None:
            return Wrong(DropReason.WRONG_MOVEMENT, against.figure.surface)
        spans = [figure for figure in said.figures if figure.unit in SPANS]
        if (unknown := next((one for one in spans if not self._knows(one, sources())), None)) is not None:
            return Wrong(DropReason.UNKNOWN_DAY, unknown.surface)
        ids = [[fact.evidence_id for fact in facts if fact.evidence_id] for facts in holders]
        return ids + [self._ids_of_day(figure.when) for figure in spans if figure.when is not None]

    def _false_name(self, said: Sentence) -> Wrong | None:
        name = self.names.invented(said.text, said.names)
        return Wrong(DropReason.UNKNOWN_NAME, name) if name else None

    def _false_cause(self, text: str) -> Wrong | None:
        """Return the cause that a sentence tells and nothing supports; what an agent has told may be repeated."""
        cause = told_cause(text)
        if not cause or is_supported(text, self._causes) or text.strip() in self._told:
            return None
        return Wrong(DropReason.UNSUPPORTED_CAUSE, cause)

    def _false_claim(self, text: str, *, of_data: bool = False) -> Wrong | None:
        """Return what a sentence claims beside its figures and nothing holds; what an agent told may be repeated."""
        if text.strip() in self._told:
            return None
        claim = self._claims.false_in(normalise(text), of_data=of_data)
        return None if claim is None else Wrong(claim.reason, claim.words)

    @cached_property
    def _told(self) -> frozenset[str]:
        """The sentences of the agents themselves."""
        texts = (text for result in self._basis.own for text in (result.summary, *result.key_drivers))
        own = (*texts, *self._basis.own_lines)
        return frozenset(sentence.strip() for text in own for sentence in sentences(text))

    @cached_property
    def _claims(self) -> PermittedClaims:
        sources = (evidence.provenance for result in self._basis.own for evidence in result.evidence)
        named = (text for one in sources for text in (one.source, one.dataset))
        return PermittedClaims(sorted(self._told), (*self._basis.texts(), *named))

    @cached_property
    def _shown(self) -> str:
        """All that stands in the question and the data: a long code of theirs is no secret."""
        return "\n".join(self._basis.texts())

    def _held(self) -> Iterator[Fact | HeldValue]:
        """Yield what metrics and rows hold, and the limits and counts of the question, which need no evidence."""
        for result in self._basis.own:
            for evidence in result.evidence:
                metrics = tuple(resting_on(result.metrics, evidence.evidence_id))
                yield from facts_of(evidence, metrics, self._today, self._basis.zone)
        for known in self._basis.bounds():
            yield Fact(known, "")

    @cached_property
    def _written(self) -> Facts:
        """What texts say: the agents' sentences, the names of metrics, titles and excerpts."""
        return Facts(self._read())

    def _read(self) -> Iterator[Fact]:
        results = self._basis.own
        said = (sentence.strip() for result in results for sentence in sentences(result.summary))
        for text in (*dict.fromkeys(said), *self._basis.own_lines):
            yield from text_facts(text, self._subjects, self._today)
        for result in results:
            for name in dict.fromkeys(f"{one.subject} {one.label}" for one in result.metrics):
                if has_digit(name):
                    yield from text_facts(name, self._subjects, self._today)
        yield from self._titles_and_excerpts()

    def _titles_and_excerpts(self, quoted: Sequence[str] = ("",)) -> Iterator[Fact]:
        """Yield what those texts of the evidence say in which one of some strings stands."""
        for result in self._basis.own:
            for evidence in result.evidence:
                about = frozenset(
                    one.subject for one in resting_on(result.metrics, evidence.evidence_id) if one.subject
                )
                for text in (evidence.title, evidence.excerpt):
                    if any(one in text for one in quoted):
                        yield from text_facts(text, self._subjects, self._today, evidence.evidence_id, about)

    def _sources(self) -> Iterator[Facts]:
        """Yield what is held, and then what is written, which is read only where it is reached."""
        yield self._facts
        yield self._written

    @cached_property
    def _changes(self) -> tuple[Fact, ...]:
        return tuple(fact for facts in self._sources() for fact in facts if fact.change)

    def _holders(self, called: Called, sources: Iterable[Facts], *, is_start: bool) -> list[Fact] | DropReason:
        """Return the facts that support a figure; without any, the reason that tells best why none does."""
        found: list[Fact] = []
        reason = DropReason.UNKNOWN_FIGURE
        for facts in sources:
            for fact in facts.near(called.figure):
                differs = difference(fact, called, is_start=is_start)
                if differs is None:
                    found.append(fact)
                else:
                    reason = max(reason, differs, key=NEARNESS.index)
            if any(fact.concepts or (not fact.evidence_id and not fact.is_text) for fact in found):
                return found
        if found:
            # A text that does not say what its figure is lends it no name that another figure bears.
            return DropReason.OTHER_NAME if is_borne(called, self._facts) else found
        if called.figure.unit is FigureUnit.NONE and called.figure.value in self._years:
            return [_YEAR]
        return reason

    def _knows(self, figure: StatedFigure, sources: Iterable[Facts]) -> bool:
        """Tell whether a date is a known day, or a span of time one that a label or text has."""
        if figure.when is None:
            return _is_held(figure, sources, falling=False)
        return any(_covers(figure.when, day) for days in self._days.values() for day in days)

    def _ids_of_day(self, when: When) -> list[str]:
        return [one for one, days in self._days.items() if one and any(_covers(when, day) for day in days)]

    @cached_property
    def _years(self) -> frozenset[Decimal]:
        days = (day for days in self._days.values() for day in days)
        return frozenset(Decimal(day.year) for day in days if day.year is not None)


def _is_held(figure: StatedFigure, sources: Iterable[Facts], *, falling: bool) -> bool:
    """Tell whether something has a figure's value, whatever it is called."""
    near = (fact for facts in sources for fact in facts.near(figure))
    return any(has_value(fact, figure, falling=falling) for fact in near)


def _still(about: frozenset[str] | None, text: str) -> frozenset[str] | None:
    """Return whom a sentence is about that names nobody: those before it, unless it speaks of several."""
    return None if about is None or _SEVERAL.search(text) else about


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


def _stands_in(text: str, token: str) -> bool:
    """Tell whether a token stands in a text by itself, not as a part of a longer word or number."""
    return re.search(rf"(?<![0-9A-Za-z_]){re.escape(token)}(?![0-9A-Za-z_])", text) is not None
