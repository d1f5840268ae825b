"""Whether a model's sentences say only what the rows hold (spec 3.3): figures, dates, signal words, no trade, no ids.

    figure or date    a metric has it, or a row whose day or name the sentence says; in its unit, as rounded as shown
    of one subject    a sentence that names subjects may use their figures only
    its own name      called, moved and dated as the rows have it (bound.py)
    signal word       a metric says it; a negated one only where no metric says it
    cause             a relation that evidence supports, with two of its names in the sentence
    foreign signal    an indicator that no agent computes: never
    directive         an instruction to buy or sell: never
    internal id       never

A sentence with one claim that does not hold is dropped whole: the rest of it was written around that claim.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from services.agents.bound import Named, misused
from services.contract.flow import AgentResult, Metric
from services.plugin.agent import AgentSpec
from services.plugin.findings import Asking, Reading, Row, RowFigure
from services.text.directives import directs
from services.text.figure_dates import When
from services.text.figure_units import FigureUnit
from services.text.figures import Figure, Known, figures, unsupported

_SENTENCE_END: Final = re.compile(
    r"(?<![A-Z][.])(?<!\bInc\.)(?<!\bCorp\.)(?<!\bLtd\.)(?<!\bCo\.)(?<!\bvs\.)(?<=[.!?。])\s+|\n+"
)
_SIGNALS: Final = {
    "golden_cross": re.compile(r"골든\s?크로스|golden[\s-]?cross", re.IGNORECASE),
    "dead_cross": re.compile(r"데드\s?크로스|(?:dead|death)[\s-]?cross", re.IGNORECASE),
    "up": re.compile(
        r"상승\s?(?:추세|국면|세)|오름세|강세장?|up[\s-]?trend|upward trend|bullish|\brally", re.IGNORECASE
    ),
    "down": re.compile(
        r"하락\s?(?:추세|국면|세)|내림세|약세장?|down[\s-]?trend|downward trend|bearish|sell-?off", re.IGNORECASE
    ),
}
_UNITS: Final = {unit.value: unit for unit in FigureUnit}
_NEGATION: Final = re.compile(r"없|않|아니|아닙|아닌|못|\b(?:no|not|nor|never|without|neither)\b|n't\b", re.IGNORECASE)
_CAUSE: Final = re.compile(
    r"때문|탓(?:에|이|으로)|(?:으로|로)\s?인(?:해|한|하여)|덕분|덕에|영향(?:으로|을\s?(?:받|미|준|줘)|이\s?(?:컸|크))|여파|원인|계기로|촉발"
    r"|\bbecause\b|\bdue\sto\b|\bcaus(?:e|es|ed|ing)\b|\bdriven\sby\b|\bled\sto\b|\bowing\sto\b|\bthanks\sto\b"
    r"|\bas\sa\sresult\b|\bon\s(?:fears|hopes|news)\b|\bpush(?:es|ed)\b|\bweigh(?:s|ed)\son\b|\btriggered\b",
    re.IGNORECASE,
)
_NEVER: Final = (
    re.compile(
        r"\bRSI\b|\bMACD\b|볼린저|bollinger|과매[수도]|over(?:bought|sold)|스토캐스틱|stochastic|피보나치|fibonacci"
        r"|지지선|저항선|\b(?:support|resistance) (?:level|line)|이중\s?바닥|double (?:bottom|top)"
        r"|목표\s?(?:주)?가|price target|target price",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:매수|매도|진입)(?:를|을)?\s?(?:하[세십시]|해야|해라|해\s?두|추천|권(?:합|해|장|유)|의견|타이밍|기회|시점|적기)"
        r"|분할\s?매수|추격\s?매수|비중\s?(?:확대|축소)"
        r"|\b(?:buy|sell|short|accumulate)\s(?:now|today|it|the (?:stock|shares|dip)|shares)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\bev-[0-9a-f]{6,}|\b(?:US|KR):[A-Z0-9.\-]+"),
)
"""Indicators that no agent computes, words of trade that no summary needs, ids of evidence and securities."""


@dataclass(frozen=True, slots=True)
class RowFigures:
    """The figures of one row."""

    known_by: tuple[str | date, ...]
    """What a sentence must name for them to count."""
    numbers: tuple[Named, ...]
    """The figures with their units and names."""


@dataclass(frozen=True, slots=True)
class Part:
    """What the rows hold of one subject."""

    name: str
    """The subject as a user reads it."""
    numbers: tuple[Named, ...]
    """The figures of its metrics."""
    rows: tuple[RowFigures, ...]
    """Its rows."""
    days: frozenset[date]
    """The days that its figures speak of."""


@dataclass(frozen=True, slots=True)
class Held:
    """What may stand in a summary."""

    parts: tuple[Part, ...]
    """The figures and days by subject."""
    general: tuple[Known, ...]
    """Figures that belong to names: those of labels, subjects and titles, and the limits of the search."""
    words: frozenset[str]
    """The signal words of the metrics."""
    codes: frozenset[str]
    """Internal ids in the rows, which no reader sees."""
    causes: tuple[frozenset[str], ...] = ()
    """The names along each relation of cause that evidence supports."""

    @classmethod
    def of(
        cls,
        spec: AgentSpec,
        result: AgentResult,
        readings: tuple[Reading, ...],
        asking: Asking,
        causes: tuple[frozenset[str], ...] = (),
    ) -> "Held":
        """Returns what a result, the rows behind it and its relations of cause hold."""
        rows = [row for reading in readings for row in reading.rows]
        return cls(
            parts=tuple(_part(name, result, rows, asking.locale) for name in _subjects(result)),
            general=(
                *_figures_in(_names(result)),
                *(known for reading in readings for known in _limits(spec, reading)),
            ),
            words=frozenset(metric.word for metric in result.metrics if metric.word),
            codes=frozenset(code for row in rows for code in row.codes()),
            causes=causes,
        )


def check(text: str, held: Held) -> tuple[str, int]:
    """Returns the sentences that hold, joined by spaces, and how many claims the dropped ones made."""
    kept, dropped = [], 0
    for sentence in _SENTENCE_END.split(text.strip()):
        claims = _false_claims(sentence, held)
        dropped += claims
        if sentence.strip() and not claims:
            kept.append(sentence.strip())
    return " ".join(kept), dropped


def _false_claims(sentence: str, held: Held) -> int:
    """Returns how many claims of a sentence do not hold."""
    plain = unicodedata.normalize("NFC", sentence)
    named = _named(plain, held)
    found = figures(plain)
    numbers = [*(one for part in named for one in part.numbers), *_row_figures(found, plain, named)]
    days = {day for part in named for day in part.days}
    known = [*held.general, *(one.known for one in numbers)]
    unheld = {one.start for one in unsupported(plain, known, dates=days)}
    return (
        len(unheld | misused(plain, found, numbers, tuple(part.name for part in held.parts)))
        + sum(_is_false_signal(word, plain, held.words) for word in _SIGNALS)
        + _is_false_cause(plain, held.causes)
        + sum(pattern.search(plain) is not None for pattern in _NEVER)
        + directs(plain)
        + sum(_holds_code(plain, code) for code in held.codes)
    )


def _named(sentence: str, held: Held) -> Sequence[Part]:
    """Returns the subjects that a sentence names, the longest name where one holds another; all where it names none."""
    named = [part for part in held.parts if part.name in sentence]
    whole = [one for one in named if not any(one.name != other.name and one.name in other.name for other in named)]
    return whole or held.parts


def _row_figures(found: Sequence[Figure], sentence: str, parts: Sequence[Part]) -> Iterator[Named]:
    """Yields the figures of the rows that a sentence names; one that names a year alone names no row."""
    whens = [figure.when for figure in found if figure.when is not None]
    whens = [when for when in whens if when.first_month == when.last_month]
    for part in parts:
        for row in part.rows:
            if any(key in sentence if isinstance(key, str) else _names_day(whens, key) for key in row.known_by):
                yield from row.numbers


def _names_day(whens: Sequence[When], day: date) -> bool:
    return any(when.holds(day) for when in whens)


def _is_false_signal(word: str, sentence: str, words: frozenset[str]) -> bool:
    if not _SIGNALS[word].search(sentence):
        return False
    negated = _NEGATION.search(sentence) is not None
    return (word in words) is negated


def _is_false_cause(sentence: str, causes: Sequence[frozenset[str]]) -> bool:
    """Tells whether a sentence tells a cause that no relation with evidence has."""
    if not _CAUSE.search(sentence) or _NEGATION.search(sentence):
        return False
    return not any(sum(name in sentence for name in names) >= 2 for names in causes)


def _holds_code(sentence: str, code: str) -> bool:
    return re.search(rf"(?<![0-9A-Za-z_]){re.escape(code)}(?![0-9A-Za-z_])", sentence) is not None


def _subjects(result: AgentResult) -> tuple[str, ...]:
    return tuple(dict.fromkeys(metric.subject for metric in result.metrics))


def _names(result: AgentResult) -> Iterator[str]:
    for metric in result.metrics:
        yield metric.label
        yield metric.subject
    for piece in result.evidence:
        yield piece.title


def _part(name: str, result: AgentResult, rows: list[Row], locale: str) -> Part:
    metrics = [metric for metric in result.metrics if metric.subject == name]
    own = [row for row in rows if row.subject(locale) == name]
    days = {metric.as_of_time.date() for metric in metrics if metric.as_of_time is not None}
    keys = [key for row in own for key in row.known_by(locale)]
    return Part(
        name=name,
        numbers=tuple(_metric_figure(metric) for metric in metrics if metric.value),
        rows=tuple(
            RowFigures(row.known_by(locale), tuple(_row_figure(one, row, locale) for one in row.figures()))
            for row in own
        ),
        days=frozenset(days.union(key for key in keys if isinstance(key, date))),
    )


def _metric_figure(metric: Metric) -> Named:
    day = None if metric.as_of_time is None else metric.as_of_time.date()
    return Named(_known(Decimal(metric.value), metric.unit), metric.name, day)


def _row_figure(figure: RowFigure, row: Row, locale: str) -> Named:
    day = next((key for key in row.known_by(locale) if isinstance(key, date)), None)
    return Named(_known(figure.value, figure.unit), figure.name, day)


def _limits(spec: AgentSpec, reading: Reading) -> Iterator[Known]:
    """Yields the limits that the user set and that the rows were read within."""
    source = spec.source(reading.tool)
    for argument, unit in source.limits if source is not None else ():
        value = reading.arguments.get(argument)
        if isinstance(value, int):
            yield _known(Decimal(value), unit)


def _known(value: Decimal, unit: str) -> Known:
    return Known(value, _UNITS.get(unit, FigureUnit.NONE))


def _figures_in(texts: Iterable[str]) -> Iterator[Known]:
    for text in dict.fromkeys(texts):
        for figure in figures(text):
            if figure.when is None:
                yield Known(figure.value, figure.unit)
