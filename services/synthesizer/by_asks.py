"""The answer of a question whose asks were answered: the answer's first, then what it rests on. Composed by rule.

    opening      the asks' answers in the order asked, one paragraph
    grounds      what they rest on, the most important first
    next steps   at most three
    cautions     at most three
    the day      of the data, its sources, and once that it is sample data where it is

No model words any of it: an answer that was computed is not worded anew. What does not fit leaves from the next steps
first, then from the last grounds; never from the opening or a caution.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Final
from zoneinfo import ZoneInfo

from services.contract.asks import AnswerState, Ask, AskAnswer, AskForm
from services.contract.charts import Chart, ChartSeries
from services.contract.flow import AgentResult, Evidence
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Line, Section, Style
from services.plugin.asks.reports import HEADING
from services.plugin.wording import Text
from services.synthesizer.ages import says_sample
from services.synthesizer.layout import length_of
from services.synthesizer.unused import unused_said
from services.text.language import Language
from services.text.saying import day

GROUNDS_MAX: Final = 7
"""Lines behind an answer."""
ROWS_MAX: Final = 10
"""Rows behind a rank or a list."""
PART_LINES_MAX: Final = 8
"""Lines under one heading of a report."""
STEPS_MAX: Final = 3
"""Next steps."""
CAUTIONS_MAX: Final = 3
"""Cautions."""
_WITH_ROWS: Final = frozenset({AskForm.RANK, AskForm.LIST, AskForm.RECOMMEND})
_LENGTHS: Final[tuple[tuple[frozenset[AskForm], tuple[int, int]], ...]] = (
    (frozenset({AskForm.LEVEL, AskForm.FACT, AskForm.DEFINE, AskForm.STATUS, AskForm.ACT}), (600, 700)),
    (frozenset({AskForm.CHANGE, AskForm.COMPARE, AskForm.RANK, AskForm.VERDICT, AskForm.AMOUNT}), (650, 900)),
    (frozenset({AskForm.LIST, AskForm.RECOMMEND, AskForm.EFFECT, AskForm.CAUSE, AskForm.ADVICE}), (850, 1_150)),
    (frozenset({AskForm.PROCEDURE}), (1_150, 1_700)),
    (frozenset({AskForm.REVIEW}), (1_500, 2_300)),
    (frozenset({AskForm.DRAFT}), (6_000, 9_000)),
)
_SEVERAL: Final = (800, 1_100)
_UNTYPED: Final = (1_500, 2_300)
"""Of a question whose form nobody has read."""
_DECLINED: Final = (500, 700)
_MORE: Final = Text("그 밖에 {count}건이 더 있습니다.", "There are {count} more.")
_NEXT: Final = Text("다음에 해 볼 수 있는 일", "What you can do next")
_CAUTIONS: Final = Text("주의할 점", "Please note")
_OPEN: Final = Text("‘{words}’에는 답하지 못했습니다.", "I could not answer “{words}”.")
_AS_OF: Final = Text("기준일 {days}", "Data as of {days}")
_SOURCES: Final = Text("출처: {titles}", "Sources: {titles}")
_SAMPLE: Final = Text("예시 데이터입니다", "sample data")
CHARTS_MAX: Final = 3
"""Pictures of one answer."""


def answers_of(request: SynthesizeRequest) -> tuple[tuple[Ask, AskAnswer], ...]:
    """Return the asks of a question with what came of each, in the order asked; one without an answer is left out."""
    found = {answer.ask_id: answer for result in request.results for answer in result.answers}
    return tuple((ask, found[ask.ask_id]) for ask in request.route.asks if ask.ask_id in found)


def compose(request: SynthesizeRequest, language: Language) -> tuple[Section, ...]:
    """Return the sections of an answer to asks."""
    pairs = answers_of(request)
    heard = {ask.ask_id for ask, _ in pairs}
    lacking = [ask for ask in request.route.asks if ask.ask_id not in heard]
    opening = Section(tuple(_opening(pairs, lacking, language)))
    is_draft = any(ask.form is AskForm.DRAFT for ask, _ in pairs)
    grounds = Section(tuple(_grounds(pairs, language)), style=Style.LINES if is_draft else Style.BULLETS)
    steps = _texts(step.of(language) for _, answer in pairs for step in answer.next_steps)
    told = " ".join(line.text for line in (*opening.lines, *grounds.lines))
    unused = unused_said(request.question, pairs, request.route.entities, told, language)
    own = (one.of(language) for _, answer in pairs for one in answer.cautions)
    cautions = _texts((unused, *request.cautions, *own))
    kept = tuple(Line(one) for one in cautions if not says_sample(one))[:CAUTIONS_MAX]
    last = _last_line(request, pairs, language)
    # Whatever of it was said before, whose data it is and that it is a sample is told.
    source = Section(() if last is None else (last,), style=Style.LINES)
    closing = (Section(kept, _CAUTIONS.said(language), Style.BULLETS), source)
    if any(ask.notes.get(HEADING) for ask, _ in pairs):
        return (*_report(pairs, lacking, language), *closing)
    return _fitting(
        opening,
        grounds,
        Section(tuple(map(Line, steps[:STEPS_MAX])), _NEXT.said(language), Style.NUMBERED),
        closing,
        _length(pairs, language),
    )


def _report(pairs: tuple[tuple[Ask, AskAnswer], ...], lacking: Iterable[Ask], language: Language) -> Iterator[Section]:
    """Yield the sections of a report: its first sentence opens it, and each ask stands under its own heading."""
    yield Section(tuple(_opening(pairs[:1], lacking, language)))
    for at, (ask, answer) in enumerate(pairs):
        said = _opening([(ask, answer)], (), language) if at else ()
        grounds = (Line(one.text.of(language), one.evidence_ids) for one in answer.grounds if one.text.of(language))
        lines = (*said, *grounds)[:PART_LINES_MAX]
        yield Section(lines, ask.notes.get(HEADING, ask.words), Style.BULLETS)


def evidence_used(request: SynthesizeRequest) -> tuple[str, ...]:
    """Return the ids of the evidence that an answer to asks rests on, in the order of first use."""
    ids = (one for _, answer in answers_of(request) for one in _ids(answer))
    return tuple(dict.fromkeys(ids))


def _ids(answer: AskAnswer) -> Iterator[str]:
    yield from answer.evidence_ids
    for one in answer.grounds:
        yield from one.evidence_ids


def _opening(pairs: Iterable[tuple[Ask, AskAnswer]], lacking: Iterable[Ask], language: Language) -> Iterator[Line]:
    told: set[str] = set()
    for ask, answer in pairs:
        if answer.sentence is not None:
            # Two sentences on the same order are answered by the same words, which are said once.
            if (said := answer.sentence.of(language)) not in told:
                yield Line(said, answer.evidence_ids)
            told.add(said)
        else:
            yield Line(_OPEN.said(language, words=ask.words))
    for ask in lacking:
        yield Line(_OPEN.said(language, words=ask.words))


def _grounds(pairs: tuple[tuple[Ask, AskAnswer], ...], language: Language) -> Iterator[Line]:
    many = any(ask.form in _WITH_ROWS for ask, _ in pairs)
    lines = [
        Line(one.text.of(language), one.evidence_ids)
        for _, answer in pairs
        for one in answer.grounds
        if one.text.of(language)
    ]
    unique = list({line.text: line for line in lines}.values())
    most = ROWS_MAX if many else GROUNDS_MAX
    is_draft = any(ask.form in {AskForm.DRAFT, AskForm.REVIEW, AskForm.PROCEDURE} for ask, _ in pairs)
    yield from unique if is_draft else unique[:most]
    if many and not is_draft and len(unique) > most:
        yield Line(_MORE.said(language, count=str(len(unique) - most)))


def _length(pairs: tuple[tuple[Ask, AskAnswer], ...], language: Language) -> int:
    place = 0 if language == "ko" else 1
    if all(answer.state is not AnswerState.ANSWERED for _, answer in pairs):
        return _DECLINED[place]
    own = [
        next((limits[place] for forms, limits in _LENGTHS if ask.form in forms), _SEVERAL[place]) for ask, _ in pairs
    ]
    return max((*own, _SEVERAL[place])) if len(pairs) > 1 else own[0]


def chars_for(request: SynthesizeRequest, language: Language) -> int:
    """Return how long a model's text may be that answers a question: as long as what its asks would get by rule."""
    place = 0 if language == "ko" else 1
    forms = [ask.form for ask in request.route.asks]
    limits = [next((limits for among, limits in _LENGTHS if form in among), _SEVERAL)[place] for form in forms]
    return max((*limits, _UNTYPED[place]))


def _fitting(
    opening: Section, grounds: Section, steps: Section, closing: tuple[Section, ...], length: int
) -> tuple[Section, ...]:
    """Return the sections within a length: next steps leave first, then the last grounds."""
    while True:
        sections = (opening, grounds, steps, *closing)
        if length_of(sections) <= length or not (steps.lines or grounds.lines):
            return sections
        if steps.lines:
            steps = replace(steps, lines=steps.lines[:-1])
        else:
            grounds = replace(grounds, lines=grounds.lines[:-1])


def _texts(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text]


def _last_line(request: SynthesizeRequest, pairs: tuple[tuple[Ask, AskAnswer], ...], language: Language) -> Line | None:
    """Return the line that tells the day of the data, its sources, and that it is sample data where it is."""
    used = {one for _, answer in pairs for one in _ids(answer)}
    pieces_used = [piece for result in request.results for piece in result.evidence if piece.evidence_id in used]
    if not pieces_used:
        return None
    zone = ZoneInfo(request.run.time_zone or "UTC")
    moments = [piece.provenance.as_of_time for piece in pieces_used if piece.provenance.as_of_time is not None]
    parts = [_AS_OF.said(language, days=day(max(moments).astimezone(zone).date(), language))] if moments else []
    titles = list(dict.fromkeys(_short(piece) for piece in pieces_used if piece.title))[:3]
    parts += [_SOURCES.said(language, titles=", ".join(titles))] if titles else []
    parts += [_SAMPLE.said(language)] if any(piece.provenance.sample for piece in pieces_used) else []
    return Line(" · ".join(parts))


def _short(piece: Evidence) -> str:
    """Return the title of a piece of evidence without what stands in brackets or behind a dash."""
    for mark in (" (", "(", " — ", " - ", ":"):
        piece_title, found, _ = piece.title.partition(mark)
        if found and piece_title.strip():
            return piece_title.strip()
    return piece.title[:40]


def charts_of(request: SynthesizeRequest) -> tuple[Chart, ...]:
    """Return the pictures of what was asked; a series with a value that nothing holds is left out."""
    drawn = (
        chart
        for result in request.results
        for answer in result.answers
        if answer.state is AnswerState.ANSWERED
        for one in answer.charts
        if (chart := _held(one, answer, result)).series
    )
    return tuple(dict.fromkeys(drawn))[:CHARTS_MAX]


def _held(chart: Chart, answer: AskAnswer, result: AgentResult) -> Chart:
    told = {value for one in answer.told for figure in one.figures.values() if (value := _number(figure)) is not None}
    return replace(chart, series=tuple(one for one in chart.series if _holds(one, told, result)))


def _holds(series: ChartSeries, told: set[Decimal], result: AgentResult) -> bool:
    rows = [piece.rows_json for piece in result.evidence if piece.evidence_id in series.evidence_ids]
    if not series.points or len(rows) != len(set(series.evidence_ids)):
        return False
    held = told | {value for one in rows for value in _numbers(json.loads(one or b"[]", parse_float=Decimal))}
    return all(_number(point.y) in held for point in series.points)


def _numbers(value: object) -> Iterator[Decimal]:
    if isinstance(value, dict):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, list):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, int | Decimal) and not isinstance(value, bool):
        yield Decimal(value)


def _number(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
