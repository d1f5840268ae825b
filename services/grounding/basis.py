"""What a text may rest on: the question, what agents found for it, and what they wrote beside their figures."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from services.contract.asks import AskAnswer
from services.contract.entities import Entity
from services.contract.flow import AgentResult, Evidence, Metric
from services.contract.forms import WEB_PART
from services.contract.synthesizer import SynthesizeRequest
from services.grounding.facts import days_of
from services.grounding.fields import instant_days, own_names, row_days
from services.plugin.data.rows import rows_of
from services.plugin.entities import AMOUNT, AREA, COUNTRY, PERIOD, QUANTITY, krw_range, of_kind
from services.text.patterns import Pattern
from services.text.stated.dates import When
from services.text.stated.figures import Known, figures
from services.text.stated.units import FigureUnit

_LANGUAGE_KINDS: Final = frozenset({AMOUNT, AREA, COUNTRY, PERIOD, QUANTITY})
_ID_KEY: Final = Pattern(r"(?:.*_)?(?:id|code|ids|codes)")
_ID_LENGTH_MIN: Final = 3
_DIGIT: Final = Pattern(r"[0-9]")


@dataclass(frozen=True)
class Basis:
    """What a text may rest on; an answer's is its request, an agent's its own result."""

    question: str
    """The question, whose names, days and limits may be said."""
    now: datetime
    """The flow's instant."""
    zone: ZoneInfo
    """The user's time zone."""
    results: tuple[AgentResult, ...]
    """What agents found."""
    entities: tuple[Entity, ...] = ()
    """What the question names."""
    cautions: tuple[str, ...] = ()
    """What the flow has written beside them."""
    limits: tuple[Known, ...] = ()
    """Limits that the user set and that the data was searched within."""
    flow_run_id: str = ""
    """The flow; no reader sees its id."""

    @classmethod
    def of(cls, request: SynthesizeRequest) -> "Basis":
        """Return what an answer may rest on."""
        return cls(
            question=request.question,
            now=request.run.now,
            zone=ZoneInfo(request.run.time_zone or "UTC"),
            results=request.results,
            entities=request.route.entities,
            cautions=request.cautions,
            flow_run_id=request.run.flow_run_id,
        )

    @property
    def today(self) -> date:
        """The user's day."""
        return self.now.astimezone(self.zone).date()

    @cached_property
    def own(self) -> tuple[AgentResult, ...]:
        """The results without those of the web, which support nothing: anybody may have written it."""
        return tuple(one for one in self.results if one.agent != WEB_PART)

    @cached_property
    def own_lines(self) -> tuple[str, ...]:
        """What flow and agents wrote beside the figures; its numbers were held against the rows there."""
        said = (line for one in self.own for line in (*one.cautions, *one.suggested_actions, *one.key_drivers))
        answered = (answer.sentence for one in self.own for answer in one.answers if answer.sentence is not None)
        told = (text for sentence in answered for text in (sentence.ko, sentence.en))
        beside = (text for one in self.own for answer in one.answers for text in _beside(answer))
        return tuple(filter(None, dict.fromkeys((*self.cautions, *said, *told, *beside))))

    def bounds(self) -> Iterator[Known]:
        """Yield the limits and counts of the question, which may be said without evidence."""
        yield from self.limits
        for low, high in map(krw_range, of_kind(self.entities, AMOUNT)):
            for value in (low, high):
                if value and low != high:
                    yield Known(Decimal(value), FigureUnit.KRW)
        for quantity in of_kind(self.entities, QUANTITY):
            yield Known(Decimal(quantity.value), FigureUnit.COUNT)

    def subjects(self) -> Iterator[str]:
        """Yield what figures are about: subjects of the metrics, and names of rows that no metric is about."""
        for result in self.own:
            subjects = [metric.subject for metric in result.metrics]
            yield from subjects
            for subject in subjects:
                yield from subject.split(" - ")
            for evidence in result.evidence:
                for row in rows_of(evidence):
                    yield from own_names(row)

    def days(self) -> dict[str, frozenset[date | When]]:
        """Return the known days by evidence; under no id today, the question's and those of the agents' texts."""
        own: set[date | When] = {self.today}
        for span in of_kind(self.entities, PERIOD):
            for text in span.value.split("/"):
                own.update(instant_days(text, self.zone))
        own.update(_named_days(self.own_lines))
        found: dict[str, frozenset[date | When]] = {"": frozenset(own)}
        for result in self.own:
            for evidence in result.evidence:
                metrics = tuple(resting_on(result.metrics, evidence.evidence_id))
                days: set[date | When] = set(days_of(evidence.provenance.as_of_time, self.zone))
                days.update(*(row_days(row, self.zone) for row in rows_of(evidence)))
                days.update(*(days_of(metric.as_of_time, self.zone) for metric in metrics))
                names = dict.fromkeys(name for one in metrics for name in (one.subject, one.label))
                days.update(_named_days((evidence.title, evidence.excerpt, *filter(_DIGIT.search, names))))
                found[evidence.evidence_id] = found.get(evidence.evidence_id, frozenset()) | days
        return found

    def texts(self) -> Iterator[str]:
        """Yield every text whose names may be said."""
        yield self.question
        yield from (one.label for one in self.entities)
        yield from self.own_lines
        for result in self.own:
            yield from (result.summary, *result.key_drivers)
            yield from (text for metric in result.metrics for text in (metric.label, metric.subject))
            for evidence in result.evidence:
                yield from (evidence.title, evidence.excerpt)
                yield from _row_texts(evidence)

    def causes(self) -> tuple[frozenset[str], ...]:
        """Return the names along each relation of cause that evidence supports."""
        return tuple(frozenset(chain.names) for result in self.own for chain in result.causes)

    def internal_ids(self) -> frozenset[str]:
        """Return the ids that no reader sees; those that the question or a title names are no secret."""
        found = [self.flow_run_id, *(one.value for one in self.entities if one.kind not in _LANGUAGE_KINDS)]
        for result in self.results:
            found += [result.agent, result.step_id]
            for evidence in result.evidence:
                found += [evidence.evidence_id, evidence.rows_schema_id, evidence.provenance.table]
                found += [evidence.provenance.template_id, evidence.provenance.fingerprint]
                found += (code for row in rows_of(evidence) for code in _codes(row))
        titles = (piece.title for result in self.results for piece in result.evidence)
        shown = " ".join((self.question, *titles))
        return frozenset(token for token in found if _is_id(token) and token not in shown)


def _beside(answer: AskAnswer) -> Iterator[str]:
    """Yield what an agent wrote of an ask behind its sentence: grounds, what is missing, next steps, cautions."""
    said = (*(one.text for one in answer.grounds), *answer.missing, *answer.next_steps, *answer.cautions)
    return (text for one in said for text in (one.ko, one.en))


def resting_on(metrics: Iterable[Metric], evidence_id: str) -> Iterator[Metric]:
    """Yield the metrics that rest on a piece of evidence."""
    return (metric for metric in metrics if evidence_id in metric.evidence_ids)


def has_digit(text: str) -> bool:
    """Tell whether a text holds a digit."""
    return _DIGIT.search(text) is not None


def _codes(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield the ids of a row, those within its lists and objects too: the values of fields that are named so."""
    for key, value in row.items():
        yield from _codes_of(key, value)


def _codes_of(key: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from _codes(value)
    elif isinstance(value, list):
        for one in value:
            yield from _codes_of(key, one)
    elif isinstance(value, str) and _names_an_id(key):
        yield value


@lru_cache(maxsize=1024)
def _names_an_id(key: str) -> bool:
    """Tell whether the field of a row bears an id: it is called one, as `region_code` is."""
    return _ID_KEY.fullmatch(key) is not None


def _named_days(texts: Iterable[str]) -> Iterator[When]:
    return (figure.when for text in texts for figure in figures(text) if figure.when is not None)


def _row_texts(evidence: Evidence) -> Iterator[str]:
    """Yield the distinct texts of the rows, without days and ids."""
    found = {
        value
        for row in rows_of(evidence)
        for key, value in row.items()
        if isinstance(value, str) and not _names_an_id(key) and not value[:1].isdigit()
    }
    yield from sorted(found)


def _is_id(token: str) -> bool:
    """Tell whether no reader takes a token for a word: it has digits or points, or is a long one in capitals."""
    return len(token) >= _ID_LENGTH_MIN and (not token.isalpha() or (token.isupper() and len(token) > _ID_LENGTH_MIN))
