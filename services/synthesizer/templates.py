"""The answer without a model, composed from the agents' typed results.

the opening        what a domain says of the whole
what was found     each result's own summary, in the order of the steps
the figures        that no summary said, with what a domain puts before, in place of and behind them
the outlook        what a domain says of what may follow
the web            pages by title and day, where the web was asked
next steps         numbered
cautions           of the flow, of the results, of their age
as of              the day of each kind of data, and whether it is sample data
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo

from services.contract.drops import DropPlace
from services.contract.flow import AgentResult, AgentStatus, Metric
from services.contract.forms import WEB_PART
from services.contract.synthesizer import SynthesizeRequest
from services.grounding.grounds import Grounds
from services.grounding.sentences import sentences
from services.plugin.answers import Line, Place, Section, Style, answer_additions
from services.plugin.figures.lines import dated, frequencies_of, is_beside, shown
from services.plugin.wording import Text
from services.synthesizer import conflicts
from services.synthesizer.ages import as_of_line, says_sample
from services.synthesizer.figure_list import FOUND_NOTHING, figure_sections
from services.synthesizer.layout import length_of
from services.synthesizer.repetition import SeenText
from services.synthesizer.wording import agent_title, only_leads
from services.text.language import Language
from services.text.saying import day

Compose = Callable[[SynthesizeRequest, Grounds, Language], tuple[Section, ...]]
"""Returns the sections of an answer."""

ACTIONS_MAX: Final = 5
"""How many next steps are offered."""
SUBJECTS_MANY: Final = 3
"""From so many subjects of one result on, one sentence of each is told before the lists."""
CAUTIONS_MAX: Final = 10
"""How many cautions stand in the answer."""

CAUTIONS_SHORT: Final = 3
"""How many stand in a short one."""
STEPS_SHORT: Final = 3
"""How many next steps a short one offers."""
ANSWER_CHARS_MAX: Final = (850, 1_150)
"""How long a short answer is, in Korean and in English."""
REPORT_CHARS_MAX: Final = (1_500, 2_300)
"""How long one is to which several agents found something."""

_PAGES: Final = Text("웹에서 찾은 문서", "Pages found on the web")
_ACTIONS: Final = Text("다음에 해 볼 수 있는 일", "What you can do next")
_CAUTIONS: Final = Text("주의할 점", "Please note")
_SAMPLE: Final = Text(
    "실제로 공표된 수치가 아니라 예시 데이터로 만든 답입니다.",
    "This answer rests on sample data, not on published figures.",
)
_NOT_FOUND: Final = Text("해당하는 자료를 찾지 못했습니다.", "no matching data was found.")
_NOT_READ: Final = Text("지금은 자료를 가져오지 못했습니다.", "the data could not be read at this time.")
_NOTHING: Final = Text("답할 수 있는 결과를 얻지 못했습니다.", "There is no result to answer with.")


def compose(request: SynthesizeRequest, grounds: Grounds, language: Language) -> tuple[Section, ...]:
    """Return the answer's sections; total: without results it says that there is nothing to answer with."""
    lists = (
        *_added(Place.BEFORE_FIGURES, request, grounds, language),
        *(tuple(_added(Place.FIGURES, request, grounds, language)) or figure_sections(request, language)),
        *_added(Place.BEHIND_FIGURES, request, grounds, language),
    )
    return (
        *_added(Place.OPENING, request, grounds, language),
        *_summaries(request, grounds, lists, language),
        *lists,
        *_added(Place.OUTLOOK, request, grounds, language),
        *_pages(request, grounds, language),
        Section(
            tuple(Line(action) for action in _clean(next_actions(request), grounds)),
            _ACTIONS.said(language),
            Style.NUMBERED,
        ),
        *closing(request, grounds, language),
    )


def compose_short(request: SynthesizeRequest, grounds: Grounds, language: Language) -> tuple[Section, ...]:
    """Return the sections as `compose` does, within the length of an answer that a person reads to its end.

    Next steps leave first, then what was found from its end; never the first sentence, a caution or the data's day.
    """
    *found, steps, cautions, as_of = compose(request, grounds, language)
    short = replace(cautions, lines=cautions.lines[:CAUTIONS_SHORT])
    steps = replace(steps, lines=steps.lines[:STEPS_SHORT])
    most = (REPORT_CHARS_MAX if _found(request) > 1 else ANSWER_CHARS_MAX)[0 if language == "ko" else 1]
    while length_of((*found, steps, short, as_of)) > most:
        if steps.lines:
            steps = replace(steps, lines=steps.lines[:-1])
            continue
        last = next((at for at in range(len(found) - 1, -1, -1) if found[at].lines), 0)
        if sum(len(section.lines) for section in found) <= 1:
            break
        found[last] = replace(found[last], lines=found[last].lines[:-1])
    return (*found, steps, short, as_of)


def _found(request: SynthesizeRequest) -> int:
    """Return how many results found something."""
    return sum(result.status not in FOUND_NOTHING for result in request.results)


def closing(request: SynthesizeRequest, grounds: Grounds, language: Language) -> tuple[Section, ...]:
    """Return what every answer ends with: its cautions and the day that its data stands for."""
    cautions = tuple(Line(caution) for caution in _clean(cautions_of(request, language), grounds))
    as_of = as_of_line(request, language)
    return (
        Section(cautions[:CAUTIONS_MAX], _CAUTIONS.said(language), Style.BULLETS),
        Section(() if as_of is None else (as_of,)),
    )


def next_actions(request: SynthesizeRequest) -> tuple[str, ...]:
    """Return what the user may do next, as the agents suggest it, each once."""
    actions = (action for result in request.results for action in result.suggested_actions)
    return tuple(dict.fromkeys(actions))[:ACTIONS_MAX]


def cautions_of(request: SynthesizeRequest, language: Language) -> tuple[str, ...]:
    """Return the cautions of the flow, of its results and of the kind of question, each once."""
    results = request.results
    own = [caution for result in results for caution in result.cautions]
    sample = any(evidence.provenance.sample for result in results for evidence in result.evidence)
    added = [_SAMPLE.said(language)] if sample and not any(map(says_sample, (*request.cautions, *own))) else []
    own += conflicts.hedges(results, language)
    own += answer_additions().cautions(request, language)
    return tuple(dict.fromkeys((*request.cautions, *added, *own)))


def missing(request: SynthesizeRequest, grounds: Grounds, language: Language) -> Section:
    """Return a section that tells which parts found nothing; without lines where all found something."""
    return Section(tuple(Line(text) for text in _clean(missing_of(request, language), grounds)), style=Style.BULLETS)


def missing_of(request: SynthesizeRequest, language: Language) -> tuple[str, ...]:
    """Return a sentence for each result that found nothing: which part it is, and why."""
    return tuple(_missing(result, language) for result in request.results if result.status in FOUND_NOTHING)


def _missing(result: AgentResult, language: Language) -> str:
    failed = result.status is AgentStatus.FAILED
    why = result.summary or (_NOT_READ if failed else _NOT_FOUND).said(language)
    return f"{agent_title(result.agent, language)}: {why}"


def _summaries(
    request: SynthesizeRequest, grounds: Grounds, lists: tuple[Section, ...], language: Language
) -> Iterator[Section]:
    """Yield each result's paragraphs, in the order of the steps; what found nothing is told and named.

    Of each subject the first sentence stands, and what the lists behind do not say.
    """
    listed = SeenText("\n".join(text for one in lists for text in (one.heading, *(line.text for line in one.lines))))
    if not request.results:
        yield Section((Line(_NOTHING.said(language)),))
    for result in request.results:
        if result.agent == WEB_PART:
            continue
        if result.status in FOUND_NOTHING:
            yield Section(tuple(Line(text) for text in _clean((_missing(result, language),), grounds)))
            continue
        own = _Leads(result, listed)
        paragraphs = [
            Section(tuple(line for line in _said(text, result, grounds) if own.stands(line)))
            for text in result.summary.split("\n\n")
        ]
        told = [section for section in paragraphs if section.lines]
        yield from told or [Section(tuple(_first_figures(result, language)))]


class _Leads:
    """Which sentences of a summary stand in the answer.

    Args:
        result: Whose summary it is.
        listed: What the lists of the answer say.
    """

    def __init__(self, result: AgentResult, listed: SeenText) -> None:
        beside = {one for metric in result.metrics if is_beside(metric) for one in metric.evidence_ids}
        # A path is told where it is evidence of something: only the first of several opens the answer.
        metrics = (one for one in result.metrics if one.subject and " → " not in one.subject)
        own = {metric.subject for metric in metrics if not is_beside(metric)}
        self._subjects = sorted(own, key=len, reverse=True)
        self._only_leads = only_leads(result.agent)
        titles = (piece.title for piece in result.evidence if piece.evidence_id in beside)
        self._beside = tuple(title.partition("(")[0].partition(" on ")[0].strip() for title in titles)
        self._listed = listed
        self._begun: set[str] = set()

    def stands(self, line: Line) -> bool:
        """Tell whether a sentence is the first of its subject, or says what no list says; a brief has its list."""
        if not self._only_leads:
            return True
        if any(title in line.text for title in self._beside):
            return False
        subject = next((name for name in self._subjects if name in line.text), "")
        if subject not in self._begun and (subject or not self._begun):
            self._begun.add(subject)
            return True
        return len(self._subjects) < SUBJECTS_MANY and not self._listed.says_most(line)


def _pages(request: SynthesizeRequest, grounds: Grounds, language: Language) -> Iterator[Section]:
    """Yield the pages of the web by their titles and days; what they say is not repeated here."""
    pages = [piece for result in request.results if result.agent == WEB_PART for piece in result.evidence]
    zone = ZoneInfo(request.run.time_zone or "UTC")
    lines = []
    for page in pages:
        published = page.provenance.as_of_time
        dated = f" ({day(published.astimezone(zone).date(), language)})" if published else ""
        if page.title and all(grounds.lets_out(part, DropPlace.CITATION) for part in sentences(page.title)):
            lines.append(Line(f"{page.title}{dated}", (page.evidence_id,)))
    yield Section(tuple(lines), _PAGES.said(language), Style.BULLETS)


def lines_of(result: AgentResult, grounds: Grounds) -> list[Line]:
    """Return the sentences of a result's summary that may be said."""
    return [line for text in result.summary.split("\n\n") for line in _said(text, result, grounds)]


def _said(paragraph: str, result: AgentResult, grounds: Grounds) -> Iterator[Line]:
    """Yield the sentences of a summary's paragraph that may be said, each with what it rests on."""
    fallback = tuple(evidence.evidence_id for evidence in result.evidence[:1])
    for sentence in sentences(paragraph):
        text = " ".join(sentence.split())
        verdict = grounds.judge(text)
        if text and grounds.lets_out(text):
            yield Line(text, verdict.evidence_ids or fallback)


def _first_figures(result: AgentResult, language: Language) -> Iterator[Line]:
    """Yield the first figures as sentences, for a result without a summary that may be said."""
    told = [metric for metric in result.metrics if shown(metric, language)][:2]
    frequencies = frequencies_of((result,))
    for metric in told:
        yield Line(_sentence(metric, dated(metric, frequencies, language), language), metric.evidence_ids)
    if not told:
        yield Line(f"{agent_title(result.agent, language)}: {_NOT_FOUND.said(language)}")


def _sentence(metric: Metric, dated: str, language: Language) -> str:
    value = shown(metric, language)
    name = f"{metric.subject} {metric.label}".strip()
    if language == "ko":
        return f"{dated + ' 기준 ' if dated else ''}{name} 값은 {value}입니다."
    return f"{name}: {value}{' as of ' + dated if dated else ''}."


def _added(place: Place, request: SynthesizeRequest, grounds: Grounds, language: Language) -> Iterator[Section]:
    """Yield what domains add in a place, without the lines that may not leave."""
    for section in answer_additions().sections(place, request, language):
        yield replace(section, lines=tuple(line for line in section.lines if grounds.lets_out(line.text)))


def _clean(texts: Iterable[str], grounds: Grounds) -> Iterator[str]:
    """Yield each text without its sentences that may not leave; nothing for one that has no other."""
    for text in texts:
        kept = [" ".join(part.split()) for part in sentences(text) if grounds.lets_out(part)]
        if cleaned := " ".join(part for part in kept if part):
            yield cleaned
