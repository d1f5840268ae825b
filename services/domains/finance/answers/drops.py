"""A question why something fell: what fell, when and by how much, and which events or relations the evidence holds.

Nothing here says that one thing caused another: events are told as what happened in that time.
"""

from collections.abc import Iterator
from typing import Final

from services.contract.flow import AgentResult, Evidence
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Line, Section, Style
from services.plugin.figures.lines import (
    Item,
    dated,
    evidence_of,
    found_in,
    frequencies_of,
    grouped,
    items,
    number_of,
    value,
)
from services.plugin.wording import Text
from services.text.language import Language
from services.text.saying import day

EVENTS_MAX: Final = 5
"""How many events are told."""

_EVENTS: Final = frozenset({"news", "graph"})
_FELL: Final = Text("무엇이 얼마나 내렸나", "What fell, and by how much")
_BESIDE: Final = Text("함께 볼 사건과 근거", "Events and evidence beside it")
_NOT_FALLEN: Final = Text(
    "{subject}: 조회한 자료에서는 내림이 확인되지 않습니다({values}).",
    "{subject}: the data at hand show no fall ({values}).",
)
_NO_EVENTS: Final = Text(
    "이 움직임의 배경을 말해 주는 사건이나 근거는 자료에 없어, 이유는 판단하지 않았습니다.",
    "The data hold no event or relation behind this move, so no reason is given.",
)


def drops(request: SynthesizeRequest, language: Language) -> Iterator[Section]:
    """Yield what fell and what stands beside it."""
    found = found_in(request.results)
    every = (item for result in found for item in items(result.metrics, language))
    moves = [item for item in every if item.group in {"returns", "changes"}]
    if not moves:
        return
    yield Section(tuple(_moves(found, moves, language)), _FELL.said(language), Style.BULLETS)
    told = tuple(_events(found, language))[:EVENTS_MAX]
    yield Section(told or (Line(_NO_EVENTS.said(language)),), _BESIDE.said(language), Style.BULLETS)


def _moves(found: list[AgentResult], moves: list[Item], language: Language) -> Iterator[Line]:
    frequencies = frequencies_of(found)
    subjects = dict.fromkeys(item.metric.subject for item in moves)
    for subject in subjects:
        own = [item for item in moves if item.metric.subject == subject]
        fallen = [item for item in own if _is_negative(item)]
        if not fallen:
            values = ", ".join(f"{item.label} {value(item.metric, language)}" for item in own[:3])
            yield Line(_NOT_FALLEN.said(language, subject=subject, values=values), evidence_of(own[:3]))
            continue
        when = dated(fallen[0].metric, frequencies, language)
        ordered = [item for group in grouped(fallen).values() for item in group]
        values = ", ".join(f"{item.label} {value(item.metric, language)}" for item in ordered)
        yield Line(f"{subject}: {values}{f' ({when})' if when else ''}", evidence_of(ordered))


def _is_negative(item: Item) -> bool:
    known = number_of(item.metric)
    return known is not None and known < 0


def _events(found: list[AgentResult], language: Language) -> Iterator[Line]:
    for result in found:
        for piece in result.evidence:
            if piece.data_type in _EVENTS:
                yield Line(_event(piece, language), (piece.evidence_id,))


def _event(piece: Evidence, language: Language) -> str:
    as_of = piece.provenance.as_of_time
    # A relation holds at any time; only what happened has its day.
    happened = as_of is not None and piece.data_type == "news"
    when = f" ({day(as_of.date(), language)})" if as_of is not None and happened else ""
    said = f": {piece.excerpt}" if piece.excerpt and piece.excerpt != piece.title else ""
    return f"{piece.title}{when}{said}"
