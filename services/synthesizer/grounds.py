"""What an answer may state: the values, dates and names of the evidence, and what must never leave.

A sentence is judged whole. Its figures are compared as values with units (`services.text.figures`) with what the pieces
of evidence hold, those of the subjects that the sentence names where it names any. Sentences that tell the reader to
trade or that show an internal id do not pass either.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from zoneinfo import ZoneInfo

from services.contract.flow import AgentResult, Evidence, Metric
from services.contract.synthesizer import SynthesizeRequest
from services.text.directives import directs
from services.text.figure_dates import When
from services.text.figure_units import FigureUnit
from services.text.figures import Figure, Known, figures, is_supported

_UNITS: Final = {unit.value: unit for unit in FigureUnit}
_KEY_UNITS: Final = (
    ("_krw", FigureUnit.KRW),
    ("_usd", FigureUnit.USD),
    ("_percent", FigureUnit.PERCENT),
    ("_m2", FigureUnit.M2),
    ("_count", FigureUnit.COUNT),
    ("volume", FigureUnit.COUNT),
    ("stock", FigureUnit.COUNT),
    ("rating", FigureUnit.SCORE),
)
_PRICE_KEYS: Final = frozenset({"open", "high", "low", "close", "price"})
_ROW_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INTERNAL: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:ev-[0-9a-f]{4,}|[a-z]{2,}(?:_[a-z0-9]+)+|[A-Z]{2,}(?:_[A-Z0-9]+)+|(?:finance|realty|commerce|general)\.[a-z_]+)(?![0-9A-Za-z])"
)
_SIGNALS: Final = {
    "golden_cross": re.compile(r"골든\s?크로스|\bgolden\s+cross", re.IGNORECASE),
    "dead_cross": re.compile(r"데드\s?크로스|\bdea(?:d|th)\s+cross", re.IGNORECASE),
}
_ID_KEYS: Final = frozenset({"region_code", "product_id", "offer_id", "security_id"})
_ID_LENGTH_MIN: Final = 3


@dataclass(frozen=True, slots=True)
class Ground:
    """What one piece of evidence holds."""

    evidence_id: str
    """The evidence; empty for what is known without any."""
    known: frozenset[Known]
    """Its values."""
    dates: frozenset[date | When]
    """Its days and periods."""
    subjects: frozenset[str] = frozenset()
    """What its figures are about, as a reader calls it: a security, a series, a product."""

    def holds(self, text: str, figure: Figure) -> bool:
        """Tell whether it supports a figure of a text."""
        return is_supported(text, figure, self.known, self.dates)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found in one sentence."""

    supported: bool
    """True where it may be said."""
    states_figures: bool
    """True where it holds a figure or date at all."""
    evidence_ids: tuple[str, ...] = ()
    """The evidence that holds its figures, the one with the most first."""


class Grounds:
    """All that one answer may rest on."""

    def __init__(
        self, grounds: tuple[Ground, ...], common: Ground, internal: frozenset[str], signals: frozenset[str]
    ) -> None:
        self._grounds = grounds
        self._common = common
        self._signals = signals
        self.internal = internal
        """Ids that no user may see."""
        tokens = "|".join(re.escape(token) for token in sorted(internal, key=len, reverse=True))
        self._leak = re.compile(rf"(?<![0-9A-Za-z_])(?:{tokens})(?![0-9A-Za-z_])") if tokens else None

    @classmethod
    def of(cls, request: SynthesizeRequest) -> "Grounds":
        """Return what the results of a request hold; today and the limits that the question names are known as well."""
        zone = ZoneInfo(request.run.time_zone or "UTC")
        grounds = tuple(
            _ground(evidence, tuple(_resting_on(result.metrics, evidence.evidence_id)), zone)
            for result in request.results
            for evidence in result.evidence
        )
        signals = frozenset(metric.word for result in request.results for metric in result.metrics if metric.word)
        return cls(grounds, _common(request, zone), frozenset(_internal_ids(request)), signals)

    def judge(self, sentence: str) -> Verdict:
        """Return whether a sentence may be said, and what it rests on."""
        found = figures(sentence)
        if not self.may_leave(sentence) or self._invents_a_signal(sentence):
            return Verdict(supported=False, states_figures=bool(found))
        grounds = self._about(sentence)
        holders = [[ground.evidence_id for ground in grounds if ground.holds(sentence, figure)] for figure in found]
        missing = [
            figure
            for figure, ids in zip(found, holders, strict=True)
            if not ids and not self._common.holds(sentence, figure)
        ]
        if missing:
            return Verdict(supported=False, states_figures=True)
        return Verdict(supported=True, states_figures=bool(found), evidence_ids=_fewest(holders))

    def judge_freely(self, sentence: str) -> Verdict:
        """Return whether a sentence of general knowledge may be said: no row holds its figures, and none has to."""
        return Verdict(supported=self.may_leave(sentence), states_figures=False)

    def may_leave(self, text: str) -> bool:
        """Tell whether a text is free of internal ids and of directives to trade."""
        return not self.leaks(text) and not directs(text)

    def _about(self, sentence: str) -> list[Ground]:
        """Return the evidence whose figures a sentence may use: of the subjects that it names, else all."""
        named = {subject for ground in self._grounds for subject in ground.subjects if subject in sentence}
        whole = {one for one in named if not any(one != other and one in other for other in named)}
        return [ground for ground in self._grounds if not whole or ground.subjects & whole]

    def _invents_a_signal(self, text: str) -> bool:
        return any(word not in self._signals for word, pattern in _SIGNALS.items() if pattern.search(text))

    def leaks(self, text: str) -> bool:
        """Tell whether a text shows an internal id, a tool's name or a region code."""
        return _INTERNAL.search(text) is not None or (self._leak is not None and self._leak.search(text) is not None)


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


def _ground(evidence: Evidence, metrics: tuple[Metric, ...], zone: ZoneInfo) -> Ground:
    rows = rows_of(evidence)
    known: set[Known] = {
        Known(Decimal(count), FigureUnit.COUNT) for count in (len(rows), evidence.provenance.row_count)
    }
    dates: set[date | When] = set()
    for row in rows:
        known.update(_row_values(row))
        dates.update(_row_dates(row, zone))
    for metric in metrics:
        if (value := known_value(metric)) is not None:
            known.add(value)
        _add_text(metric.label, known, dates)
        _add_text(metric.subject, known, dates)
        dates.update(_days(metric.as_of_time, zone))
    _add_text(evidence.title, known, dates)
    _add_text(evidence.excerpt, known, dates)
    dates.update(_days(evidence.provenance.as_of_time, zone))
    subjects = frozenset(metric.subject for metric in metrics if metric.subject)
    return Ground(evidence.evidence_id, frozenset(known), frozenset(dates), subjects)


def rows_of(evidence: Evidence) -> list[dict[str, Any]]:
    """Return the rows of a piece of evidence; none where they are not an array of objects."""
    try:
        rows = json.loads(evidence.rows_json or b"[]", parse_float=Decimal)
    except ValueError:
        return []
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def known_value(metric: Metric) -> Known | None:
    """Return a metric's value with its unit; None for a word, or what is no finite number."""
    try:
        value = Decimal(metric.value)
    except InvalidOperation:
        return None
    return Known(value, _UNITS.get(metric.unit, FigureUnit.NONE)) if value.is_finite() else None


def _row_values(row: dict[str, Any]) -> Iterator[Known]:
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _row_values(value)
        elif isinstance(value, int | Decimal) and not isinstance(value, bool):
            yield Known(Decimal(value), _row_unit(key, row))
            if key == "value" and "thousand" in str(row.get("unit", "")).lower():
                yield Known(Decimal(value) * 1000, FigureUnit.PERSONS)


def _row_unit(key: str, row: dict[str, Any]) -> FigureUnit:
    if key in _PRICE_KEYS and row.get("currency") in {"USD", "KRW"}:
        return FigureUnit(str(row["currency"]).lower())
    if key == "value" and str(row.get("unit", "")).strip() in {"%", "percent"}:
        return FigureUnit.PERCENT
    return next((unit for ending, unit in _KEY_UNITS if key.endswith(ending)), FigureUnit.NONE)


def _row_dates(row: dict[str, Any], zone: ZoneInfo) -> Iterator[date]:
    for value in row.values():
        if isinstance(value, str) and _ROW_DATE.match(value):
            yield from _instant_days(value, zone)


def _instant_days(value: str, zone: ZoneInfo) -> Iterator[date]:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return
    yield moment.date()
    if moment.tzinfo is not None:
        yield moment.astimezone(zone).date()


def _days(moment: datetime | None, zone: ZoneInfo) -> set[date]:
    return set() if moment is None else {moment.astimezone(UTC).date(), moment.astimezone(zone).date()}


def _add_text(text: str, known: set[Known], dates: set[date | When]) -> None:
    for figure in figures(text):
        if figure.when is not None:
            dates.add(figure.when)
        else:
            known.add(Known(figure.value, figure.unit))


def _common(request: SynthesizeRequest, zone: ZoneInfo) -> Ground:
    """Return what may be said without evidence: today, and bounds, counts and days that the question itself set."""
    entities = request.route.entities
    bounds = {
        Known(Decimal(value), FigureUnit.KRW)
        for amount in entities.amounts
        if amount.low_krw != amount.high_krw
        for value in (amount.low_krw, amount.high_krw)
        if value
    }
    counts = {Known(Decimal(quantity), FigureUnit.COUNT) for quantity in entities.quantities}
    dates: set[date | When] = {request.run.now.astimezone(zone).date()}
    for span in entities.dates:
        for day in (span.start_date, span.end_date):
            dates.update(_instant_days(day, zone))
    known = bounds | counts
    for text in (*request.cautions, *(line for result in request.results for line in _own_lines(result))):
        _add_text(text, known, dates)
    return Ground("", frozenset(known), frozenset(dates))


def _own_lines(result: AgentResult) -> tuple[str, ...]:
    """Return what an agent itself wrote beside its figures; its numbers were held against its rows there."""
    return (*result.cautions, *result.suggested_actions)


def _internal_ids(request: SynthesizeRequest) -> Iterator[str]:
    found = [request.run.flow_run_id, *(region.code for region in request.route.entities.regions)]
    for result in request.results:
        found += [result.agent, result.step_id]
        for evidence in result.evidence:
            found += [evidence.evidence_id, evidence.rows_schema_id]
            found += [evidence.provenance.template_id, evidence.provenance.fingerprint]
            found += [str(row[key]) for row in rows_of(evidence) for key in _ID_KEYS & row.keys()]
    return (token for token in found if len(token) >= _ID_LENGTH_MIN and not token.isalpha())
