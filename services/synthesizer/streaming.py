"""The answer as it is written: by a model through the gate, else from the templates.

    no model                       the template, in one piece                     RULE
    a model                        what the gate lets through, then what the      LLM
                                   answer must hold and the model left out
    it fails or says nothing       the template, from where the text broke off,   FALLBACK, RESPONSE_SYNTHESIS_FAILED
                                   without what was said already

The concatenated deltas are the final text; offsets count code points.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog

from prompts.agents import general_knowledge
from prompts.prompt import TextPrompt
from prompts.synthesizer import response_synthesis
from services.contract.drops import Dropped
from services.contract.events import Delta
from services.contract.flow import Citation, DecisionSource, Evidence, FailureTag
from services.contract.synthesizer import SynthesizedAnswer, SynthesizeRequest
from services.grounding.grounds import Grounds
from services.grounding.verdict import trace
from services.llm.decider import UNASKED, Decider
from services.llm.model import FailureReason
from services.plugin.answers import Section
from services.runtime import ledger
from services.runtime.errors import InvalidRequest, ModelUnavailable
from services.runtime.threads import ROWS_AT_ONCE_MAX, computed
from services.synthesizer import by_asks, general, templates, unread
from services.synthesizer.briefing import answer_inputs, general_inputs, marked
from services.synthesizer.by_asks import charts_of
from services.synthesizer.citations import citations
from services.synthesizer.freshness import data_freshness, evidence_confidence
from services.synthesizer.gate import Gate
from services.synthesizer.layout import pieces
from services.synthesizer.marks import led
from services.synthesizer.postprocess import order
from services.synthesizer.repetition import SeenText
from services.synthesizer.web import WebFallback
from services.synthesizer.wording import language_for
from services.text.language import Language
from services.text.visible import visible

FIGURES_TOLD: Final = 3
"""How many figures of a result an answer most likely tells: its agent puts the most telling ones first."""

_log = structlog.get_logger(__name__)

SynthesisEvent = Delta | SynthesizedAnswer
"""What a synthesis tells, the whole answer last and once."""


@dataclass(slots=True)
class _Answer:
    """An answer while it is being written."""

    request: SynthesizeRequest
    language: Language
    grounds: Grounds
    gate: Gate
    general: bool
    source: DecisionSource = DecisionSource.LLM
    failure: FailureReason | None = None
    text: list[str] = field(default_factory=list)
    length: int = 0
    used: list[str] = field(default_factory=list)
    stated: int = 0
    misled: tuple[Dropped, ...] = ()
    ending: str = ""
    """What the gate lets out at the end of a model's whole text."""
    ended: bool = False
    """Whether the model's text is whole."""

    def holds(self) -> bool:
        """Take the model's text as ended; tell whether anything of it stands."""
        self.ending, self.ended = self.gate.finish(), True
        return bool(self.gate.kept)

    def write(self, text: str) -> Iterator[Delta]:
        """Yield a piece of the text as a reader sees it, with its place; nothing for an empty one."""
        if text := visible(text):
            yield Delta(self.request.answer_attempt, self.length, text)
            self.text.append(text)
            self.length += len(text)

    def append(self, sections: tuple[Section, ...]) -> Iterator[Delta]:
        """Yield sections, without what the text says already, in one piece: nothing of a finished text is to come."""
        begun = "".join(self.text)
        left = SeenText(begun).left_of(sections) if begun else sections
        lines = list(pieces(left, begun=bool(begun.strip())))
        for line in lines:
            self.used += line.evidence_ids
            self.stated += bool(line.evidence_ids)
        yield from self.write("".join(line.text for line in lines))


class Synthesis:
    """Writes answers.

    Args:
        decider: The synthesizer's decisions.
        orders_citations: Whether a model may put the citations in order and word their titles.
        web: Looks at the web where sources are short or old; None where the web is not asked.
        ahead: Whether a model may be asked for their order before the text has ended.
        short: Whether an answer by rule keeps to the length that a person reads to its end.
    """

    def __init__(
        self,
        decider: Decider,
        *,
        orders_citations: bool = True,
        web: WebFallback | None = None,
        ahead: bool = True,
        short: bool = False,
    ) -> None:
        self._decider = decider
        self._short = short
        self._orders_citations = orders_citations
        self._web = web
        self._ahead = ahead

    async def write(self, request: SynthesizeRequest) -> AsyncGenerator[SynthesisEvent, None]:
        """Write one answer: its deltas as they come, then the whole; closing it closes the model's call.

        Raises:
            InvalidRequest: The attempt, the question or the time zone cannot be used; names the field.
        """
        _check(request)
        if by_asks.answers_of(request):
            async for event in self._write_by_asks(request):
                yield event
            return
        if self._web is not None:
            request = await self._web.added(request)
        likely = _likely_cited(request) if self._orders_citations else ()
        async with order(self._decider, request, likely, early=self._ahead) as ordered:
            async with _laid(request) as laying:
                # The model is asked while the grounds of its check are being laid.
                async with aclosing(_by_model(laying, self._model_text(request, laying))) as deltas:
                    async for delta in deltas:
                        yield delta
                answer = await laying
            few = _has_few_rows(request)
            for delta in answer.append(await computed(lambda: _rest(answer, self._compose(answer)), at_once=few)):
                yield delta
            cited = await computed(lambda: _cited(answer), at_once=few)
            if self._orders_citations and answer.source is not DecisionSource.FALLBACK:
                cited = await ordered.of(cited)
            yield _whole(answer, cited, ordered.dropped)

    def _compose(self, answer: _Answer) -> templates.Compose:
        if not self._short:
            return templates.compose
        has_begun = bool("".join(answer.text).strip())
        return templates.compose_short if has_begun or not unread.applies(answer.request) else unread.compose

    async def _write_by_asks(self, request: SynthesizeRequest) -> AsyncGenerator[SynthesisEvent, None]:
        """Write an answer to asks: its opening at once, then the rest."""
        answer = await computed(lambda: _begin(request), at_once=_has_few_rows(request))
        answer.source = DecisionSource.RULE
        sections = by_asks.compose(request, answer.language)
        for part in (sections[:1], sections[1:]):
            for delta in answer.append(part):
                yield delta
        cited = citations(by_asks.evidence_used(request), _evidence(request), request.run.now)
        yield _whole(answer, cited, ())

    def _model_text(self, request: SynthesizeRequest, laying: "asyncio.Task[_Answer]") -> AsyncGenerator[str, None]:
        def holds() -> bool:
            # Asked behind the last piece, for which the grounds had to be laid.
            return laying.result().holds()

        if general.is_general(request):
            return self._decider.stream(general_knowledge.PROMPT, general_inputs(request), holds)
        prompt: TextPrompt[response_synthesis.Inputs] = response_synthesis.PROMPT
        inputs = answer_inputs(request, language_for(request.run.locale, request.question))
        return self._decider.stream(prompt, inputs, holds)


@asynccontextmanager
async def _laid(request: SynthesizeRequest) -> AsyncIterator["asyncio.Task[_Answer]"]:
    """Lay the grounds of an answer in a thread, while the model is asked; whoever needs them awaits the task."""
    laying = asyncio.create_task(asyncio.to_thread(_begin, request))
    try:
        yield laying
    finally:
        laying.cancel()
        await asyncio.gather(laying, return_exceptions=True)


async def _by_model(laying: "asyncio.Task[_Answer]", written: AsyncGenerator[str, None]) -> AsyncGenerator[Delta, None]:
    """Yield what a model writes and the gate lets through; afterwards the answer says how it went."""
    failed = None
    async with aclosing(written):
        try:
            async for piece in written:
                answer = await laying
                for delta in answer.write(answer.gate.feed(piece)):
                    yield delta
        except ModelUnavailable as unavailable:
            failed = FailureReason(unavailable.reason)
    answer = await laying
    ending = answer.ending if answer.ended else answer.gate.cut()
    for delta in answer.write(ending):
        yield delta
    if failed is not None:
        answer.failure = failed
        answer.source = DecisionSource.RULE if failed in UNASKED else DecisionSource.FALLBACK


def _has_few_rows(request: SynthesizeRequest) -> bool:
    """Tell whether all that an answer may rest on is gone through at once."""
    return sum(piece.provenance.row_count for piece in _evidence(request)) <= ROWS_AT_ONCE_MAX


def _check(request: SynthesizeRequest) -> None:
    if request.answer_attempt < 1:
        raise InvalidRequest.of("answer_attempt", f"{request.answer_attempt} is below 1")
    if not request.question.strip():
        raise InvalidRequest.of("question", "is empty")
    try:
        ZoneInfo(request.run.time_zone)
    except (ZoneInfoNotFoundError, ValueError) as unknown:
        raise InvalidRequest.of("run.time_zone", f"{request.run.time_zone[:60]!r} is no IANA time zone") from unknown


def _begin(request: SynthesizeRequest) -> _Answer:
    language = language_for(request.run.locale, request.question)
    grounds = Grounds.of(request)
    is_general = general.is_general(request)
    judge = grounds.judge_freely if is_general else grounds.judge
    return _Answer(request, language, grounds, Gate(judge, by_asks.chars_for(request, language)), is_general)


def _rest(answer: _Answer, compose: templates.Compose) -> tuple[Section, ...]:
    """Return what follows the model's text: the whole template, or what the model was to say and did not."""
    request, language = answer.request, answer.language
    if answer.general:
        return _rest_of_general(answer)
    if answer.failure is not None:
        return compose(request, answer.grounds, language)
    return (templates.missing(request, answer.grounds, language), *templates.closing(request, answer.grounds, language))


def _rest_of_general(answer: _Answer) -> tuple[Section, ...]:
    if answer.failure is not None:
        configured = answer.failure is not FailureReason.NOT_CONFIGURED
        return general.without_model(answer.request, answer.language, configured=configured)
    return () if general.says_no_data(answer.gate.text) else general.closing(answer.language)


def _cited(answer: _Answer) -> tuple[Citation, ...]:
    """Return what the answer cites, and note the marks that were wrong."""
    request = answer.request
    by_model = led(answer.gate.kept, marked(request))
    if by_model.dropped:
        _log.info("citation marks put right", marks=len(by_model.dropped))
    answer.misled = by_model.dropped
    return citations((*by_model.evidence_ids, *answer.used), _evidence(request), request.run.now)


def _likely_cited(request: SynthesizeRequest) -> tuple[Citation, ...]:
    """Return what an answer cites that tells the leading figures of each result, as most do."""
    if general.is_general(request):
        return ()
    leading = (metric for result in request.results for metric in result.metrics[:FIGURES_TOLD])
    ids = [evidence_id for metric in leading for evidence_id in metric.evidence_ids[:1]]
    return citations(ids, _evidence(request), request.run.now)


def _whole(answer: _Answer, cited: tuple[Citation, ...], titles: Sequence[Dropped]) -> SynthesizedAnswer:
    request, gate = answer.request, answer.gate
    ids = {citation.evidence_id for citation in cited}
    fresh = data_freshness((piece for piece in _evidence(request) if piece.evidence_id in ids), request.run.now)
    supported = sum(kept.verdict.states_figures for kept in gate.kept) + answer.stated
    failed = answer.source is DecisionSource.FALLBACK
    lost = (*gate.dropped, *dict.fromkeys(answer.grounds.dropped), *answer.misled, *titles)
    trace(lost)
    return SynthesizedAnswer(
        final_response="".join(answer.text),
        source=answer.source,
        citations=cited,
        data_freshness=fresh,
        next_suggested_actions=templates.next_actions(request),
        failure_tags=(FailureTag.RESPONSE_SYNTHESIS_FAILED,) if failed else (),
        evidence_confidence=evidence_confidence(
            len(cited), fresh, stated=supported + len(gate.dropped), supported=supported
        ),
        spent=ledger.spent(),
        dropped=lost,
        charts=charts_of(request),
    )


def _evidence(request: SynthesizeRequest) -> list[Evidence]:
    return [piece for result in request.results for piece in result.evidence]
