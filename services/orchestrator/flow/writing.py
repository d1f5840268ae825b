"""The answer of a flow: asked for beside the review of what was found, and told once that is over.

    steps ─► review ───────────────────────────┬─► nothing is missing: what has come is told, the rest as it comes
          └► synthesis, of which nothing is told ─┘ otherwise: void, and written anew

An answer is begun where the review's own rule finds nothing missing; it stands only if it was asked for with all that
it has to hold after the review. Where something is to be done first, a flow is short of budget or a former driver has
been there already, nothing is begun before the review.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack, aclosing, asynccontextmanager
from dataclasses import replace
from typing import Final

from prompts.orchestrator.execution_review import Achieved
from services.contract.events import Phase, Progress
from services.contract.flow import DecisionSource, FailureTag, Spent, Usage
from services.contract.synthesizer import SynthesizedAnswer, SynthesizeRequest, SynthesizeResponse
from services.durable.requests import shown_text
from services.orchestrator import texts
from services.orchestrator.calls import Ensemble
from services.orchestrator.flow.state import FlowState
from services.orchestrator.speculation.early import can_spare
from services.orchestrator.speculation.loans import DECISION_CALLS_MAX
from services.orchestrator.steps.review import REVIEW, Reviewer, by_states, has_run
from services.runtime import deadlines
from services.runtime.errors import DeadlineExceeded, HapjuError, Internal
from services.text.visible import visible

SYNTHESIS_ATTEMPTS_MAX: Final = 2
"""How often the synthesizer is asked before the results speak for themselves."""
WRITING_SHARE: Final = 0.6
"""Of the time that is left, what one attempt at the answer may take; then the results speak for themselves in time."""
WRITING_SECONDS_MIN: Final = 0.05
"""With less time left no answer is begun: steps that ran out of time leave some hops' margins, and no more."""
CALLS_OF_AN_ANSWER: Final = 4
"""Model calls that an answer may take: its text, and twice two for what stands around it."""
CUT_SECONDS_MAX: Final = 0.5
"""How long a flow waits for the synthesizer to tell what a voided answer had cost."""
HELD_MAX: Final = 4_096
"""Messages of an answer that are held, more than an answer has; beyond them the synthesizer waits."""
_ANSWER: Final = "answer"


class HeldAnswer:
    """An answer that is being written, and of which nothing is told yet.

    Args:
        request: What was asked for.
        messages: The synthesizer's messages; closed when they have ended or are given up.
        loan: What is lent to it; closed with them.
    """

    def __init__(
        self, request: SynthesizeRequest, messages: AsyncGenerator[SynthesizeResponse], loan: ExitStack
    ) -> None:
        self.usage = Usage()
        """What it has cost, as far as the synthesizer has said so."""
        self.is_void = False
        """True once it was given up and paid for."""
        self._request = request
        self._held: asyncio.Queue[SynthesizeResponse | None] = asyncio.Queue(HELD_MAX)
        self._reading = asyncio.create_task(self._read(messages), name="answer ahead")
        self._reading.add_done_callback(lambda _: loan.close())

    def serves(self, request: SynthesizeRequest) -> bool:
        """Return whether it was asked for with all that the answer has to hold; a budget and a number are no part."""
        asked = self._request
        return not self.is_void and asked == replace(request, run=asked.run, answer_attempt=asked.answer_attempt)

    async def messages(self) -> AsyncGenerator[SynthesizeResponse]:
        """Yield what is held, then the rest as it comes; raise what the synthesizer's stream raises, at its place."""
        while (one := await self._held.get()) is not None:
            yield one
        await self._reading

    async def cut(self) -> None:
        """Give it up, and wait until its call has ended."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self, messages: AsyncGenerator[SynthesizeResponse]) -> None:
        try:
            async with aclosing(messages):
                async for one in messages:
                    if isinstance(one.event, SynthesizedAnswer):
                        self.usage = one.event.spent.usage
                    await self._held.put(one)
        except Exception as error:
            self.usage = error.spent.usage if isinstance(error, HapjuError) else Usage()
            await self._held.put(None)
            raise
        await self._held.put(None)


class Writing:
    """Has answers written.

    Args:
        ensemble: Knows the synthesizer.
        reviewer: Reviews what was found.
        ahead: Whether an answer is begun before the review is over.
    """

    def __init__(self, ensemble: Ensemble, reviewer: Reviewer, *, ahead: bool) -> None:
        self._ensemble = ensemble
        self._reviewer = reviewer
        self._ahead = ahead

    @asynccontextmanager
    async def begun(self, state: FlowState) -> AsyncIterator[HeldAnswer | None]:
        """Begin the answer of a flow whose steps have run, where that may be done before their review.

        The body reviews and then has the answer written; what it has not taken by then is given up.

        Raises:
            DeadlineExceeded: There is no time left to write in.
        """
        _check_time()
        held = self._begin(state) if self._may_begin(state) else None
        try:
            yield held
        finally:
            if held is not None:
                await held.cut()

    async def written(self, state: FlowState, held: HeldAnswer | None) -> SynthesizedAnswer:
        """Return the flow's answer, whose text has been told by then.

        Raises:
            DeadlineExceeded: There is no time left to write in.
        """
        _check_time()
        await state.enter(Phase.REVIEWED)
        await state.enter(Phase.SYNTHESIZING)
        await state.emitter.emit(Progress("orchestrator", "", texts.say(state.locale, "writing")))
        kept = state.checkpoints.get(_ANSWER, SynthesizedAnswer)
        if kept is not None:
            state.emitter.begin_attempt()
            state.emitter.write(kept.final_response)
            await state.account(kept.spent)
            return kept
        if held is not None and not held.serves(_request(state)):
            await self.void(state, held)
            held = None
        for _ in range(SYNTHESIS_ATTEMPTS_MAX):
            messages = self._asked(state) if held is None else held.messages()
            held = None
            try:
                with deadlines.within_share(WRITING_SHARE):
                    return await _told(state, messages)
            except HapjuError as error:
                await state.account(error.spent)
        state.tag(FailureTag.RESPONSE_SYNTHESIS_FAILED)
        return _plain_answer(state)

    async def void(self, state: FlowState, held: HeldAnswer | None) -> None:
        """Give up an answer of which nothing was told; what it has cost stays the flow's."""
        if held is None or held.is_void:
            return
        held.is_void = True
        await held.cut()
        with deadlines.within(CUT_SECONDS_MAX):
            cut = await self._ensemble.cut_short("synthesizer", state.flow_run_id)
        await state.throw_away(_ANSWER, held.usage + cut.usage)

    def _may_begin(self, state: FlowState) -> bool:
        """Return whether the answer may be begun before the review: it gains time, and nothing comes between."""
        run, left, kept = state.run_of_steps, state.budget.left(), state.checkpoints
        if not self._ahead or not self._reviewer.takes_time or run is None or not has_run(run):
            return False
        if kept.has(REVIEW) or kept.has(_ANSWER) or any(one.action_requests for one in state.findings.results.values()):
            return False
        can_pay = left.model_calls >= CALLS_OF_AN_ANSWER + DECISION_CALLS_MAX and left.model_failures > 1
        is_whole = by_states(run).goal_achieved is Achieved.YES
        return is_whole and can_pay and can_spare(state) and _time_to_write()

    def _begin(self, state: FlowState) -> HeldAnswer:
        """Ask for the answer beside the review, which may spend something as well."""
        loan, attempt = ExitStack(), state.emitter.begin_attempt()
        run = state.run(loan.enter_context(state.budget.lend_beside_decision()))
        # The decision beside it may fail; the answer is told of one failure less that is borne.
        run = replace(run, budget=replace(run.budget, model_failures=run.budget.model_failures - 1))
        request = replace(_request(state), run=run, answer_attempt=attempt)
        with deadlines.within_share(WRITING_SHARE):
            return HeldAnswer(request, self._ensemble.synthesize(request), loan)

    def _asked(self, state: FlowState) -> AsyncGenerator[SynthesizeResponse]:
        attempt = state.emitter.begin_attempt()
        return self._ensemble.synthesize(replace(_request(state), answer_attempt=attempt))


def _request(state: FlowState) -> SynthesizeRequest:
    """Return the request for the answer as the flow stands; its attempt is yet to be numbered."""
    if state.route is None:
        raise ValueError("an answer is written before the route")
    return SynthesizeRequest(
        run=state.run(),
        question=shown_text(state.question),
        route=state.route,
        results=state.findings.in_order(),
        cautions=tuple(state.cautions),
        answer_attempt=state.emitter.attempt,
        history=state.history,
    )


async def _told(state: FlowState, messages: AsyncGenerator[SynthesizeResponse]) -> SynthesizedAnswer:
    """Tell an answer as it comes; return the whole of it, kept and accounted for."""
    async with aclosing(messages):
        async for one in messages:
            if isinstance(one.event, SynthesizedAnswer):
                answer = _matching(one.event, state.emitter.text)
                await state.checkpoints.keep({_ANSWER: answer})
                await state.account(answer.spent)
                return answer
            if one.event.text_offset != len(state.emitter.text):
                raise Internal("the synthesizer's text has a gap", reason="TEXT_GAP")
            state.emitter.write(one.event.text)
            # Who waits for the text is told before the next piece is asked for.
            await asyncio.sleep(0)
    raise Internal("the synthesizer ended without an answer", reason="ANSWER_MISSING")


def _matching(answer: SynthesizedAnswer, streamed: str) -> SynthesizedAnswer:
    """Refuse an answer whose text is not what was streamed: the client has already read that."""
    if answer.final_response != streamed:
        raise Internal("the synthesizer's answer differs from its stream", reason="TEXT_DIFFERS")
    return answer


def _plain_answer(state: FlowState) -> SynthesizedAnswer:
    """Return the agents' own summaries, where no synthesizer could be had."""
    summaries = [result.summary for result in state.findings.in_order() if result.summary]
    found = summaries or [texts.say(state.locale, "nothing_found")]
    text = visible("\n\n".join([texts.say(state.locale, "synthesis_lost"), *found, *state.cautions]))
    state.emitter.begin_attempt()
    state.emitter.write(text)
    return SynthesizedAnswer(
        final_response=text,
        source=DecisionSource.FALLBACK,
        citations=(),
        data_freshness=(),
        next_suggested_actions=(),
        failure_tags=(FailureTag.RESPONSE_SYNTHESIS_FAILED,),
        evidence_confidence=None,
        dropped=(),
        spent=Spent(),
    )


def _check_time() -> None:
    if not _time_to_write():
        raise DeadlineExceeded("the time was up before the answer could be written")


def _time_to_write() -> bool:
    left = deadlines.remaining_seconds()
    return left is None or left >= WRITING_SECONDS_MIN
