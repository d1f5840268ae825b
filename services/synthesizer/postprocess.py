"""Citations put in order and worded by a model, where the switch lets it; the rule is the order of use.

Where an answer cites what can be foreseen before it is written, their order is there when its text ends.

The ids stay what they are: a model sees marks of this list alone, and what it may change is the order and the titles. A
title that says more than its old wording keeps that.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo

from prompts.fields import Trusted, Untrusted
from prompts.synthesizer.citation_postprocess import PROMPT, CitationLine, Inputs, Output, WordedCitation
from services.contract.drops import Dropped, DropPlace
from services.contract.flow import Citation
from services.contract.synthesizer import SynthesizeRequest
from services.grounding.restating import Restating
from services.grounding.verdict import Wrong, dropped
from services.llm.ahead import Foreseen, PendingDecision, ahead
from services.llm.decider import Decider
from services.runtime import ledger, run

ORDERED_MIN: Final = 2
"""With fewer citations there is nothing to put in order."""
CALLS_MIN: Final = 5
"""With fewer calls left nothing is asked ahead: the text takes one, and each of the two questions may take a repair."""
_QUESTION_CHARS_MAX: Final = 4_000


_Asked = PendingDecision[Inputs, Output]


class CitationOrder:
    """The order of one answer's citations, which may have been asked for already."""

    def __init__(self, decider: Decider, request: SynthesizeRequest, foreseen: Foreseen[Inputs, Output] | None) -> None:
        self._decider = decider
        self._request = request
        self._foreseen = foreseen
        self.dropped: list[Dropped] = []
        """The titles that a model worded and that say more than their citations."""

    async def of(self, cited: tuple[Citation, ...]) -> tuple[Citation, ...]:
        """Return the same citations, each once, as a model orders and words them; as they are without one."""
        if len(cited) < ORDERED_MIN:
            return cited
        asking = _asking(self._decider, self._request, cited)
        decided = await (asking.decide() if self._foreseen is None else self._foreseen.upon(asking))
        by_mark = _by_mark(cited)
        worded = [_worded(by_mark[line.mark], line, self._request) for line in decided.output.citations]
        self.dropped += [one for _, kept_back in worded for one in kept_back]
        return tuple(citation for citation, _ in worded)


@asynccontextmanager
async def order(
    decider: Decider, request: SynthesizeRequest, likely: tuple[Citation, ...], *, early: bool
) -> AsyncIterator[CitationOrder]:
    """Ask for the order of the citations that an answer will most likely have while the body writes it.

    Args:
        decider: Who orders them.
        request: What the answer is asked for.
        likely: The citations as they will most likely stand.
        early: False where they are to be known first.
    """
    if len(likely) < ORDERED_MIN:
        yield CitationOrder(decider, request, None)
        return
    async with ahead(_asking(decider, request, likely), early=early and _can_spare()) as foreseen:
        yield CitationOrder(decider, request, foreseen)


def _can_spare() -> bool:
    """Tell whether a question may come to nothing without being missed at the end of the answer."""
    left = run.current().budget.model_calls - ledger.spent().usage.model_calls
    return left >= CALLS_MIN and run.current().budget.model_failures > 1


def _asking(decider: Decider, request: SynthesizeRequest, cited: tuple[Citation, ...]) -> _Asked:
    inputs = Inputs(
        question=Untrusted(request.question[:_QUESTION_CHARS_MAX]),
        today=request.run.now.astimezone(ZoneInfo(request.run.time_zone)).date(),
        citations=tuple(_line(mark, citation) for mark, citation in _by_mark(cited).items()),
    )
    return PendingDecision(decider, PROMPT, inputs, as_used)


def _by_mark(cited: tuple[Citation, ...]) -> dict[str, Citation]:
    return {f"c{number}": citation for number, citation in enumerate(cited, start=1)}


def as_used(inputs: Inputs) -> Output:
    """Return the rule: the order in which the answer uses them, under their own titles."""
    lines = tuple(
        WordedCitation.model_construct(mark=str(line.mark), title=str(line.title)) for line in inputs.citations
    )
    return Output.model_construct(
        citations=lines, reasoning=run.because("처음 쓰인 차례대로", "in the order of first use")
    )


def _line(mark: str, citation: Citation) -> CitationLine:
    as_of = citation.as_of_time
    return CitationLine(
        mark=Trusted(mark),
        title=Untrusted(citation.title),
        source=Untrusted(citation.source),
        as_of=Untrusted("" if as_of is None else as_of.date().isoformat()),
    )


def _worded(
    citation: Citation, line: WordedCitation, request: SynthesizeRequest
) -> tuple[Citation, tuple[Dropped, ...]]:
    """Return a citation under the title that a model gave it; one that says more is kept back."""
    title = " ".join(line.title.split())
    if not title:
        return citation, ()
    wrong = _said_beyond(title, citation, request)
    if wrong is not None:
        return citation, (dropped(DropPlace.CITATION, wrong, title),)
    return replace(citation, title=title), ()


def _said_beyond(title: str, citation: Citation, request: SynthesizeRequest) -> Wrong | None:
    """Return what a wording adds to a title; None where it adds nothing."""
    run, said = request.run, (citation.title, citation.source)
    return Restating(said, now=run.now, time_zone=run.time_zone).wrong(title)
