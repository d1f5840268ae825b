"""A model's summary in place of the template's, if it is wanted; what the rows do not hold is dropped from it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from prompts.agents.agent_summary import Inputs, MetricLine, Output, PrimaryTrend, RowLine
from prompts.fields import Trusted, Untrusted
from prompts.prompt import ModelRole
from services.contract.drops import DropPlace
from services.contract.flow import AgentResult, DecisionSource, Metric
from services.grounding.basis import Basis
from services.grounding.checking import checked
from services.grounding.grounds import Grounds
from services.grounding.verdict import trace
from services.llm.decider import Decider
from services.plugin.agent import AgentSpec
from services.plugin.figures.declared import said_word
from services.plugin.findings import Asking, Reading
from services.runtime.threads import ROWS_AT_ONCE_MAX, computed
from services.text.saying import figure
from services.text.stated.figures import Known
from services.text.stated.units import FigureUnit

LINES_MAX: Final = 60
"""How many metrics and how many rows a model is shown."""
QUESTION_CHARS_MAX: Final = 4_000
"""How much of the question a model is shown."""
SUMMARY_CHARS_MAX: Final = 1_500
"""How long a summary may be."""

NO_SUMMARY = "-"
"""What stands in the record of a rule's summary where the agent computed none."""


class Summaries:
    """Asks a model for summaries.

    Args:
        decider: The agent's decisions.
        wanted: The setting that turns summaries by a model on.
    """

    def __init__(self, decider: Decider, *, wanted: bool) -> None:
        self._decider = decider
        self._wanted = wanted

    def asks(self, spec: AgentSpec) -> bool:
        """Tell whether a model is asked for this agent's summaries."""
        return spec.summary is not None and self._wanted and self._decider.configured(ModelRole.AGENT)

    async def written(
        self,
        spec: AgentSpec,
        asking: Asking,
        readings: tuple[Reading, ...],
        result: AgentResult,
    ) -> AgentResult:
        """Return the result with a model's checked summary, or as it is: without a model, or where nothing holds."""
        if spec.summary is None or not self.asks(spec):
            return result
        sample = any(reading.provenance.sample for reading in readings)
        inputs = _inputs(spec, asking, result, sample=sample)
        decided = await self._decider.decide(spec.summary, inputs, lambda _: _as_output(result))
        if decided.source is not DecisionSource.LLM:
            return result
        basis = basis_of(spec, asking, readings, result)
        few = sum(piece.provenance.row_count for piece in result.evidence) <= ROWS_AT_ONCE_MAX
        written = await computed(lambda: _checked(result, decided.output, Grounds(basis)), at_once=few)
        trace(written.dropped)
        return written


def basis_of(spec: AgentSpec, asking: Asking, readings: tuple[Reading, ...], result: AgentResult) -> Basis:
    """Return what a summary may rest on: the result as it was computed, and what was asked."""
    return Basis(
        question=asking.question,
        now=asking.now,
        zone=ZoneInfo(asking.time_zone),
        results=(result,),
        entities=asking.entities,
        limits=tuple(known for reading in readings for known in _limits(spec, reading)),
    )


def _limits(spec: AgentSpec, reading: Reading) -> Iterator[Known]:
    """Yield the limits that the user set and that the rows were read within."""
    source = spec.source(reading.tool)
    for argument, unit in source.limits if source is not None else ():
        value = reading.arguments.get(argument)
        if isinstance(value, int):
            yield Known(Decimal(value), FigureUnit(unit))


def _checked(result: AgentResult, output: Output, grounds: Grounds) -> AgentResult:
    """Return the result with what holds of the model's words; the trend and the confidence stay computed."""
    summary = checked(output.summary, grounds, DropPlace.AGENT_SUMMARY, result.step_id)
    drivers = [checked(driver, grounds, DropPlace.CLAIM, result.step_id) for driver in output.key_drivers]
    return replace(
        result,
        summary=summary.text or result.summary,
        key_drivers=tuple(driver.text for driver in drivers if driver.text) or result.key_drivers,
        dropped=(*summary.dropped, *(one for driver in drivers for one in driver.dropped)),
    )


def _inputs(spec: AgentSpec, asking: Asking, result: AgentResult, *, sample: bool) -> Inputs:
    return Inputs(
        question=Untrusted(asking.question[:QUESTION_CHARS_MAX]),
        agent=Trusted(spec.id),
        metrics=tuple(_metric_line(metric, asking.locale) for metric in result.metrics[:LINES_MAX]),
        rows=tuple(_row_lines(result))[:LINES_MAX],
        sample=sample,
    )


def _metric_line(metric: Metric, locale: str) -> MetricLine:
    """Return a metric as the summary may quote it, its unit written with the value."""
    as_of = "" if metric.as_of_time is None else metric.as_of_time.date().isoformat()
    return MetricLine(
        label=Untrusted(f"{metric.subject} {metric.label}"),
        value=Untrusted(_quoted(metric, locale)),
        unit=Untrusted(""),
        as_of=Untrusted(as_of),
    )


def _quoted(metric: Metric, locale: str) -> str:
    if metric.value:
        return figure(Decimal(metric.value), metric.unit, locale)
    return said_word(metric.word, locale)


def _row_lines(result: AgentResult) -> list[RowLine]:
    """Return a line for what each piece of evidence says, then for its newest rows, in turn."""
    lines = [
        RowLine(evidence_id=Trusted(piece.evidence_id), text=Untrusted(piece.excerpt)) for piece in result.evidence
    ]
    share = max(1, (LINES_MAX - len(lines)) // max(1, len(result.evidence)))
    for piece in result.evidence:
        for row in json.loads(piece.rows_json)[:share]:
            text = json.dumps(row, ensure_ascii=False)
            lines.append(RowLine(evidence_id=Trusted(piece.evidence_id), text=Untrusted(text)))
    return lines


def _as_output(result: AgentResult) -> Output:
    trend = PrimaryTrend.NEUTRAL if result.primary_trend is None else PrimaryTrend(result.primary_trend.value)
    # What is computed may speak by its figures alone; the decision still says something, and the result stays as it is.
    summary = result.summary[:SUMMARY_CHARS_MAX] or NO_SUMMARY
    return Output(summary=summary, key_drivers=result.key_drivers[:5], primary_trend=trend)
