"""The figures of the brief that stands beside an answer, under its name and day."""

from collections.abc import Iterator
from typing import Final

from services.contract.flow import Evidence, Metric
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Line, Section, Style
from services.plugin.data.rows import rows_of
from services.plugin.figures.lines import is_beside, shown
from services.plugin.wording import Text
from services.text.language import Language
from services.text.saying import period

_BESIDE: Final = Text("함께 볼 미국 지표", "US indicators beside it")


def beside(request: SynthesizeRequest, language: Language) -> Iterator[Section]:
    """Yield one line for each figure of the brief; nothing where none was read."""
    found = request.results
    pieces = {piece.evidence_id: piece for result in found for piece in result.evidence}
    metrics = {metric.subject: metric for result in found for metric in result.metrics if is_beside(metric)}
    told = [(metric, pieces[one]) for metric in metrics.values() for one in metric.evidence_ids[:1] if one in pieces]
    if not told:
        return
    lines = tuple(Line(text, metric.evidence_ids) for metric, piece in told if (text := _line(metric, piece, language)))
    yield Section(lines, f"{_BESIDE.said(language)}: {told[0][1].title}", Style.BULLETS)


def _line(metric: Metric, piece: Evidence, language: Language) -> str:
    """Return a figure under the title of its row, with the period that the row is of."""
    value, day_of_value = shown(metric, language), metric.as_of_time
    if not value or day_of_value is None:
        return ""
    titles = {str(row.get(f"title_{language}", "")): str(row.get("frequency", "")) for row in rows_of(piece)}
    title = next((title for title in titles if title and metric.subject.endswith(title)), metric.subject)
    return f"{title}: {value} ({period(day_of_value.date(), titles.get(title, ''), language)})"
