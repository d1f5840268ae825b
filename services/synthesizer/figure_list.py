"""The figures of the results as lists: of one stock by its four sides, of two things side by side, else by subject."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final

from services.contract.flow import AgentResult, AgentStatus, Evidence, Metric
from services.contract.synthesizer import SynthesizeRequest
from services.grounding.facts import rows_of
from services.synthesizer import guards
from services.synthesizer.figure_groups import Item, evidence_of, grouped, items, value, within, written
from services.synthesizer.layout import Line, Section, Style
from services.synthesizer.wording import Text, agent_title, shown
from services.text.language import Language
from services.text.saying import period

LINES_MAX: Final = 10
"""How many lines of figures of one subject, or of one side of a stock, stand in the answer."""
SUBJECTS_MAX: Final = 8
"""How many subjects of one result have their figures in the answer."""
COMPARED_MAX: Final = 24
"""How many figures of two subjects are set side by side."""
SAID_MAX: Final = 3
"""So few figures need no list where the summary says each of them."""
_JOINTS: Final = (" - ", " · ", " → ")
"""What joins two subjects to one: a difference, a correlation, a path."""
SIDE_BY_SIDE: Final = 2
"""So many subjects are set side by side."""
FOUND_NOTHING: Final = (AgentStatus.INSUFFICIENT_DATA, AgentStatus.FAILED)
"""How a result without figures ends."""

_FIGURES: Final = Text("주요 수치", "Key figures")
_COMPARED: Final = Text("나란히 보기", "Side by side")
_BESIDE: Final = Text("함께 볼 미국 지표", "US indicators beside it")
_AS_OF: Final = Text("{title} ({day} 기준)", "{title} (as of {day})")


def figure_sections(request: SynthesizeRequest, language: Language) -> Iterator[Section]:
    """Yield the figures of a request's results, each with its day and what it rests on."""
    found = [result for result in request.results if result.status not in FOUND_NOTHING]
    frequencies = frequencies_of(found)
    if guards.is_about_one_stock(request.route, request.results):
        metrics = [metric for result in found for metric in result.metrics if not guards.is_beside(metric)]
        yield from _sides(metrics, frequencies, language)
        yield from _beside(found, language)
        return
    for number, result in enumerate(found):
        # What a second part found bears its own name: its figures answer another side of the question.
        title = _FIGURES.said(language) + (f" ({agent_title(result.agent, language)})" if number else "")
        yield from _of_result(result, title, frequencies, language)
    yield from _beside(found, language)


def _beside(found: list[AgentResult], language: Language) -> Iterator[Section]:
    """Yield the figures of the brief that stands beside the answer, under its name and day."""
    pieces = {piece.evidence_id: piece for result in found for piece in result.evidence}
    metrics = {metric.subject: metric for result in found for metric in result.metrics if guards.is_beside(metric)}
    told = [(metric, pieces[one]) for metric in metrics.values() for one in metric.evidence_ids[:1] if one in pieces]
    if not told:
        return
    lines = tuple(Line(text, metric.evidence_ids) for metric, piece in told if (text := _line(metric, piece, language)))
    yield Section(lines, f"{_BESIDE.said(language)}: {told[0][1].title}", Style.BULLETS)


def _line(metric: Metric, piece: Evidence, language: Language) -> str:
    """Return a figure of the brief under the title of its row, with the period that the row is of."""
    value, day_of_value = shown(metric, language), metric.as_of_time
    if not value or day_of_value is None:
        return ""
    titles = {str(row.get(f"title_{language}", "")): str(row.get("frequency", "")) for row in rows_of(piece)}
    title = next((title for title in titles if title and metric.subject.endswith(title)), metric.subject)
    return f"{title}: {value} ({period(day_of_value.date(), titles.get(title, ''), language)})"


def frequencies_of(results: Iterable[AgentResult]) -> dict[str, str]:
    """Return how often the series of each piece of evidence is published, by evidence id, where its rows say so."""
    rows = {piece.evidence_id: rows_of(piece)[:1] for result in results for piece in result.evidence}
    return {
        evidence_id: str(first[0].get("frequency", "") or ("monthly" if first[0].get("month") else ""))
        for evidence_id, first in rows.items()
        if first
    }


def dated(metric: Metric, frequencies: Mapping[str, str], language: Language) -> str:
    """Return the day, month or quarter that a metric stands for; empty where it has none."""
    if metric.as_of_time is None:
        return ""
    frequency = next((frequencies[one] for one in metric.evidence_ids if one in frequencies), "")
    return period(metric.as_of_time.date(), frequency, language)


def _of_result(
    result: AgentResult, title: str, frequencies: Mapping[str, str], language: Language
) -> Iterator[Section]:
    if _says_all(result, language):
        return
    by_subject: dict[str, list[Item]] = {}
    for item in items((metric for metric in result.metrics if not guards.is_beside(metric)), language):
        by_subject.setdefault(item.metric.subject, []).append(item)
    listed = dict(list(by_subject.items())[:SUBJECTS_MAX])
    whole = [name for name in listed if not any(joint in name for joint in _JOINTS)]
    if len(whole) == SIDE_BY_SIDE:
        yield _side_by_side(listed, whole, frequencies, language)
    elif len(listed) == 1:
        for name, those in listed.items():
            yield _listed(f"{title}: {name}" if name else title, those, frequencies, language)
    else:
        lines = (_of_subject(name, those, frequencies, language) for name, those in listed.items())
        yield Section(tuple(lines), title, Style.BULLETS)


def _says_all(result: AgentResult, language: Language) -> bool:
    """Tell whether a summary says the few figures of its result, so that a list would only repeat it."""
    values = [shown(metric, language).lstrip("+-") for metric in result.metrics if shown(metric, language)]
    return len(values) <= SAID_MAX and all(one in result.summary for one in values)


def _listed(title: str, those: list[Item], frequencies: Mapping[str, str], language: Language) -> Section:
    """Return figures of one subject, their day in the heading and behind those of another day."""
    day, day_of = _days_of(those, frequencies, language)
    groups = list(grouped(those).values())[:LINES_MAX]
    lines = tuple(Line(written(group, language, day_of), evidence_of(group)) for group in groups)
    return Section(lines, _AS_OF.said(language, title=title, day=day) if day else title, Style.BULLETS)


def _days_of(
    those: Iterable[Item], frequencies: Mapping[str, str], language: Language
) -> tuple[str, Callable[[Metric], str]]:
    """Return the day of most figures, the newest of several, and what is said behind each of another day."""
    found = list(those)
    days = Counter(item.metric.as_of_time for item in found if item.metric.as_of_time is not None)
    most = max(days, key=lambda moment: (days[moment], moment), default=None)
    told = next((item.metric for item in found if most is not None and item.metric.as_of_time == most), None)
    day = "" if told is None else dated(told, frequencies, language)

    def day_of(metric: Metric) -> str:
        own = dated(metric, frequencies, language)
        return "" if own == day else own

    return day, day_of


def _newest(those: Iterable[Item]) -> Metric | None:
    timed: list[tuple[datetime, Metric]] = [
        (item.metric.as_of_time, item.metric) for item in those if item.metric.as_of_time is not None
    ]
    return max(timed, key=lambda one: one[0])[1] if timed else None


def _of_subject(name: str, those: list[Item], frequencies: Mapping[str, str], language: Language) -> Line:
    day, day_of = _days_of(those, frequencies, language)
    groups = list(grouped(those).values())[:LINES_MAX]
    joint = ", " if all(len(group) == 1 for group in groups) else "; "
    text = joint.join(within(group, language, day_of) for group in groups)
    head = _AS_OF.said(language, title=name, day=day) if day else name
    return Line(f"{head}: {text}", evidence_of(those))


def _side_by_side(
    listed: Mapping[str, list[Item]], whole: list[str], frequencies: Mapping[str, str], language: Language
) -> Section:
    """Return one line for each figure that both subjects have, then what else there is."""
    first, second = whole
    newest = _newest(item for name in whole for item in listed[name])
    heading = "" if newest is None else dated(newest, frequencies, language)

    def told(who: str, item: Item) -> str:
        own = dated(item.metric, frequencies, language)
        return f"{who} {value(item.metric, language)}{f' ({own})' if own and own != heading else ''}"

    others = {(item.group, item.label): item for item in listed[second]}
    lines: list[Line] = []
    for item in listed[first]:
        other = others.get((item.group, item.label))
        if other is not None:
            name = f"{item.title} {item.label}".strip()
            lines.append(Line(f"{name}: {told(first, item)}, {told(second, other)}", evidence_of((item, other))))
    lines = lines[:COMPARED_MAX]
    lines += [_of_subject(name, those, frequencies, language) for name, those in listed.items() if name not in whole]
    title = _COMPARED.said(language)
    return Section(tuple(lines), _AS_OF.said(language, title=title, day=heading) if heading else title, Style.BULLETS)


def _sides(metrics: list[Metric], frequencies: Mapping[str, str], language: Language) -> Iterator[Section]:
    """Yield price, earnings, valuation and risk of a stock; a side without figures has no section."""
    for aspect in guards.ASPECTS:
        own = items((metric for metric in metrics if guards.aspect_of(metric) is aspect), language)
        yield _listed(aspect.title.said(language), list(own), frequencies, language)
