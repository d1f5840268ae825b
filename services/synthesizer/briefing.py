"""What a model is told before it writes: results, evidence under marks, cautions. Marks hold within one call only."""

from collections.abc import Iterator
from typing import Final
from zoneinfo import ZoneInfo

from prompts.agents import general_knowledge
from prompts.fields import Trusted, Untrusted
from prompts.synthesizer import response_synthesis
from services.contract.flow import AgentResult, Evidence
from services.contract.synthesizer import SynthesizeRequest
from services.llm.history import history_of
from services.plugin.answers import answer_additions
from services.plugin.figures.lines import shown
from services.synthesizer.templates import cautions_of, missing_of
from services.text.language import Language

QUESTION_CHARS_MAX: Final = 4_000
"""How much of the question a model is shown; admission refuses longer ones."""
FINDINGS_MAX: Final = 16
"""How many results a model is shown."""
FIGURES_MAX: Final = 60
"""How many figures of one result it is shown."""
EVIDENCE_MAX: Final = 30
"""How many pieces of evidence it may cite."""
NOTES_MAX: Final = 20
"""How many cautions, and how many things not found, it is told."""


def marked(request: SynthesizeRequest) -> tuple[Evidence, ...]:
    """Return the evidence in the order of its marks: mark [1] is the first."""
    known = {piece.evidence_id: piece for result in request.results for piece in result.evidence}
    return tuple(known.values())[:EVIDENCE_MAX]


def answer_inputs(request: SynthesizeRequest, language: Language) -> response_synthesis.Inputs:
    """Return the inputs of the answer's prompt."""
    evidence = marked(request)
    marks = {piece.evidence_id: f"[{number}]" for number, piece in enumerate(evidence, start=1)}
    return response_synthesis.Inputs(
        question=Untrusted(request.question[:QUESTION_CHARS_MAX]),
        history=history_of(request.history).turns,
        domain=Trusted(request.route.domain),
        intent=Trusted(request.route.intent),
        today=request.run.now.astimezone(ZoneInfo(request.run.time_zone)).date(),
        findings=tuple(_finding(result, marks, language) for result in request.results[:FINDINGS_MAX]),
        evidence=tuple(_evidence_line(piece, marks[piece.evidence_id]) for piece in evidence),
        cautions=tuple(Untrusted(text) for text in cautions_of(request, language)[:NOTES_MAX]),
        missing=tuple(Untrusted(text) for text in missing_of(request, language)[:NOTES_MAX]),
        wishes=tuple(map(Trusted, answer_additions().wishes(request.route, language))),
        sample=any(piece.provenance.sample for piece in evidence),
    )


def general_inputs(request: SynthesizeRequest) -> general_knowledge.Inputs:
    """Return the inputs of the prompt that answers from general knowledge."""
    return general_knowledge.Inputs(
        question=Untrusted(request.question[:QUESTION_CHARS_MAX]),
        history=history_of(request.history).turns,
        today=request.run.now.astimezone(ZoneInfo(request.run.time_zone)).date(),
    )


def _finding(result: AgentResult, marks: dict[str, str], language: Language) -> response_synthesis.Finding:
    return response_synthesis.Finding(
        agent=Trusted(result.agent),
        status=Trusted(result.status.value),
        summary=Untrusted(result.summary),
        figures=tuple(_figure_lines(result, marks, language))[:FIGURES_MAX],
    )


def _figure_lines(
    result: AgentResult, marks: dict[str, str], language: Language
) -> Iterator[response_synthesis.FigureLine]:
    for metric in result.metrics:
        yield response_synthesis.FigureLine(
            label=Untrusted(f"{metric.subject} {metric.label}".strip()),
            value=Untrusted(shown(metric, language)),
            # The value is written with its unit, as a reader reads it.
            unit=Untrusted(""),
            as_of=Untrusted("" if metric.as_of_time is None else metric.as_of_time.date().isoformat()),
            mark=Trusted(next((marks[one] for one in metric.evidence_ids if one in marks), "")),
        )


def _evidence_line(piece: Evidence, mark: str) -> response_synthesis.EvidenceLine:
    as_of = piece.provenance.as_of_time
    return response_synthesis.EvidenceLine(
        mark=Trusted(mark),
        title=Untrusted(piece.title),
        source=Untrusted(piece.provenance.source),
        as_of=Untrusted("" if as_of is None else as_of.date().isoformat()),
        excerpt=Untrusted(piece.excerpt),
    )
