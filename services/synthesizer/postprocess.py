"""Citations put in order and worded by a model, where the switch lets it; the rule is the order of use (spec 3.4).

The ids stay what they are: a model sees marks of this list alone, and what it may change is the order and the titles. A
title that gains a figure, a name or an address keeps its old wording.
"""

from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo

from prompts.fields import Trusted, Untrusted
from prompts.synthesizer.citation_postprocess import PROMPT, CitationLine, Inputs, Output, WordedCitation
from services.contract.flow import Citation
from services.contract.synthesizer import SynthesizeRequest
from services.llm.decider import Decider
from services.synthesizer.grounds import Grounds
from services.text.figures import figures

ORDERED_MIN: Final = 2
"""With fewer citations there is nothing to put in order."""
_QUESTION_CHARS_MAX: Final = 4_000


async def in_order(
    decider: Decider, request: SynthesizeRequest, cited: tuple[Citation, ...], grounds: Grounds
) -> tuple[Citation, ...]:
    """Return the same citations, each once, as a model orders and words them; as they are without one."""
    if len(cited) < ORDERED_MIN:
        return cited
    by_mark = {f"c{number}": citation for number, citation in enumerate(cited, start=1)}
    inputs = Inputs(
        question=Untrusted(request.question[:_QUESTION_CHARS_MAX]),
        today=request.run.now.astimezone(ZoneInfo(request.run.time_zone)).date(),
        citations=tuple(_line(mark, citation) for mark, citation in by_mark.items()),
    )
    decided = await decider.decide(PROMPT, inputs, as_used)
    return tuple(_worded(by_mark[line.mark], line, grounds) for line in decided.output.citations)


def as_used(inputs: Inputs) -> Output:
    """Return the rule: the order in which the answer uses them, under their own titles."""
    lines = tuple(
        WordedCitation.model_construct(mark=str(line.mark), title=str(line.title)) for line in inputs.citations
    )
    return Output.model_construct(citations=lines, reasoning="in the order of first use")


def _line(mark: str, citation: Citation) -> CitationLine:
    as_of = citation.as_of_time
    return CitationLine(
        mark=Trusted(mark),
        title=Untrusted(citation.title),
        source=Untrusted(citation.source),
        as_of=Untrusted("" if as_of is None else as_of.date().isoformat()),
    )


def _worded(citation: Citation, line: WordedCitation, grounds: Grounds) -> Citation:
    title = " ".join(line.title.split())
    return replace(citation, title=title) if title and _says_no_more(title, citation.title, grounds) else citation


def _says_no_more(title: str, before: str, grounds: Grounds) -> bool:
    """Tell whether a wording adds nothing to a title."""
    held = {(figure.value, figure.unit, figure.when) for figure in figures(before)}
    added = [one for one in figures(title) if (one.value, one.unit, one.when) not in held]
    return not added and grounds.may_leave(title) and grounds.knows_names(title)
