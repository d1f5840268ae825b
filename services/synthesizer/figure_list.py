"""The figures of the results as lists: of two things side by side, else by subject."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final

from services.contract.flow import AgentResult, AgentStatus, Metric
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Line, Section, Style
from services.plugin.figures.lines import (
    LINES_MAX,
    Item,
    dated,
    days_of,
    evidence_of,
    frequencies_of,
    grouped,
    headed,
    is_beside,
    items,
    listed,
    shown,
    value,
    within,
)
from services.plugin.wording import Text
from services.synthesizer.wording import agent_title
from services.text.language import Language

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


def figure_sections(request: SynthesizeRequest, language: Language) -> Iterator[Section]:
    """Yield the figures of a request's results, each with its day and what it rests on."""
    found = [result for result in request.results if result.status not in FOUND_NOTHING]
    frequencies = frequencies_of(found)
    for number, result in enumerate(found):
        # What a second part found bears its own name: its figures answer another side of the question.
        title = _FIGURES.said(language) + (f" ({agent_title(result.agent, language)})" if number else "")
        yield from _of_result(result, title, frequencies, language)


def _of_result(
    result: AgentResult, title: str, frequencies: Mapping[str, str], language: Language
) -> Iterator[Section]:
    if _says_all(result, language):
        return
    by_subject: dict[str, list[Item]] = {}
    for item in items((metric for metric in result.metrics if not is_beside(metric)), language):
        by_subject.setdefault(item.metric.subject, []).append(item)
    held = dict(list(by_subject.items())[:SUBJECTS_MAX])
    whole = [name for name in held if not any(joint in name for joint in _JOINTS)]
    if len(whole) == SIDE_BY_SIDE:
        yield _side_by_side(held, whole, frequencies, language)
    elif len(held) == 1:
        for name, those in held.items():
            yield listed(f"{title}: {name}" if name else title, those, frequencies, language)
    else:
        lines = (_of_subject(name, those, frequencies, language) for name, those in held.items())
        yield Section(tuple(lines), title, Style.BULLETS)


def _says_all(result: AgentResult, language: Language) -> bool:
    """Tell whether a summary says the few figures of its result, so that a list would only repeat it."""
    values = [shown(metric, language).lstrip("+-") for metric in result.metrics if shown(metric, language)]
    return len(values) <= SAID_MAX and all(one in result.summary for one in values)


def _newest(those: Iterable[Item]) -> Metric | None:
    timed: list[tuple[datetime, Metric]] = [
        (item.metric.as_of_time, item.metric) for item in those if item.metric.as_of_time is not None
    ]
    return max(timed, key=lambda one: one[0])[1] if timed else None


def _of_subject(name: str, those: list[Item], frequencies: Mapping[str, str], language: Language) -> Line:
    day, day_of = days_of(those, frequencies, language)
    groups = list(grouped(those).values())[:LINES_MAX]
    joint = ", " if all(len(group) == 1 for group in groups) else "; "
    text = joint.join(within(group, language, day_of) for group in groups)
    return Line(f"{headed(name, day, language)}: {text}", evidence_of(those))


def _side_by_side(
    figures: Mapping[str, list[Item]], whole: list[str], frequencies: Mapping[str, str], language: Language
) -> Section:
    """Return one line for each figure that both subjects have, then what else there is."""
    first, second = whole
    newest = _newest(item for name in whole for item in figures[name])
    heading = "" if newest is None else dated(newest, frequencies, language)

    def told(who: str, item: Item) -> str:
        own = dated(item.metric, frequencies, language)
        return f"{who} {value(item.metric, language)}{f' ({own})' if own and own != heading else ''}"

    others = {(item.group, item.label): item for item in figures[second]}
    lines: list[Line] = []
    for item in figures[first]:
        other = others.get((item.group, item.label))
        if other is not None:
            name = f"{item.title} {item.label}".strip()
            lines.append(Line(f"{name}: {told(first, item)}, {told(second, other)}", evidence_of((item, other))))
    lines = lines[:COMPARED_MAX]
    lines += [_of_subject(name, those, frequencies, language) for name, those in figures.items() if name not in whole]
    return Section(tuple(lines), headed(_COMPARED.said(language), heading, language), Style.BULLETS)
