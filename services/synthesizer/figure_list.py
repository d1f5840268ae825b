"""The figures of the results as lines: those that no summary says, or the four sides of one stock."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from services.contract.flow import AgentResult, AgentStatus, Metric
from services.contract.synthesizer import SynthesizeRequest
from services.synthesizer import guards
from services.synthesizer.facts import known_value, rows_of
from services.synthesizer.layout import Line, Section, Style
from services.synthesizer.wording import Text, shown
from services.text.figures import Figure, figures, is_supported
from services.text.language import Language
from services.text.saying import period

FIGURES_MAX: Final = 12
"""How many figures of one subject, or of one side of a stock, stand in the answer."""
SUBJECTS_MAX: Final = 8
"""How many subjects of one result have their figures in the answer."""
FOUND_NOTHING: Final = (AgentStatus.INSUFFICIENT_DATA, AgentStatus.FAILED)
"""How a result without figures ends."""

_FIGURES: Final = Text("주요 수치", "Key figures")


def figure_sections(request: SynthesizeRequest, language: Language) -> Iterator[Section]:
    """Yield the figures of a request's results, each with its day and what it rests on."""
    found = [result for result in request.results if result.status not in FOUND_NOTHING]
    frequencies = frequencies_of(found)
    if guards.is_about_one_stock(request.route, request.results):
        metrics = [metric for result in found for metric in result.metrics]
        yield from _sides(metrics, frequencies, language)
        return
    lines = [line for result in found for line in _of_result(result, frequencies, language)]
    yield Section(tuple(lines), _FIGURES.said(language), Style.BULLETS)


def frequencies_of(results: Iterable[AgentResult]) -> dict[str, str]:
    """Return how often the series of each piece of evidence is published, by evidence id, where its rows say so."""
    rows = {piece.evidence_id: rows_of(piece)[:1] for result in results for piece in result.evidence}
    return {evidence_id: str(first[0].get("frequency", "")) for evidence_id, first in rows.items() if first}


def dated(metric: Metric, frequencies: Mapping[str, str], language: Language) -> str:
    """Return the day, month or quarter that a metric stands for; empty where it has none."""
    if metric.as_of_time is None:
        return ""
    frequency = next((frequencies[one] for one in metric.evidence_ids if one in frequencies), "")
    return period(metric.as_of_time.date(), frequency, language)


def _of_result(result: AgentResult, frequencies: Mapping[str, str], language: Language) -> Iterator[Line]:
    """Yield a line for each figure of a single subject, or one for each of several subjects."""
    by_subject: dict[str, list[Metric]] = {}
    for metric in _unsaid(result, language):
        by_subject.setdefault(metric.subject, []).append(metric)
    if len({metric.subject for metric in result.metrics}) < 3:
        for metrics in by_subject.values():
            yield from _lines(metrics[:FIGURES_MAX], frequencies, language)
        return
    for subject, metrics in list(by_subject.items())[:SUBJECTS_MAX]:
        yield _of_subject(subject, metrics[:FIGURES_MAX], frequencies, language)


def _of_subject(subject: str, metrics: list[Metric], frequencies: Mapping[str, str], language: Language) -> Line:
    days = {dated(metric, frequencies, language) for metric in metrics}
    day = f" ({days.pop()})" if len(days) == 1 and "" not in days else ""
    values = ", ".join(f"{metric.label} {shown(metric, language)}" for metric in metrics if shown(metric, language))
    ids = tuple(dict.fromkeys(evidence_id for metric in metrics for evidence_id in metric.evidence_ids))
    return Line(f"{subject}: {values}{day}", ids)


def _unsaid(result: AgentResult, language: Language) -> list[Metric]:
    """Return the metrics that the summary does not say, neither word for word nor rounded."""
    said = figures(result.summary)
    return [metric for metric in result.metrics if not _is_said(metric, result.summary, said, language)]


def _is_said(metric: Metric, summary: str, said: tuple[Figure, ...], language: Language) -> bool:
    value = known_value(metric)
    if value is None:
        return shown(metric, language) in summary
    return any(
        figure.value == value.value or (figure.unit is value.unit and is_supported(summary, figure, (value,), ()))
        for figure in said
        if figure.when is None
    )


def _lines(metrics: Iterable[Metric], frequencies: Mapping[str, str], language: Language) -> Iterator[Line]:
    for metric in metrics:
        if value := shown(metric, language):
            when = dated(metric, frequencies, language)
            name = " ".join(part for part in (metric.subject, metric.label) if part)
            yield Line(f"{name}: {value}{f' ({when})' if when else ''}", metric.evidence_ids)


def _sides(metrics: list[Metric], frequencies: Mapping[str, str], language: Language) -> Iterator[Section]:
    """Yield price, earnings, valuation and risk of a stock; a side without figures has no section."""
    for aspect in guards.ASPECTS:
        own = [metric for metric in metrics if guards.aspect_of(metric) is aspect][:FIGURES_MAX]
        yield Section(tuple(_lines(own, frequencies, language)), aspect.title.said(language), Style.BULLETS)
