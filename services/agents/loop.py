"""The run of a step, once for every agent.

    check -> "reading" -> the calls of the step's branch side by side, each told as it ends -> "computing" -> findings,
    told as computed where a model is to sum them up -> summary -> the result, last and once

A run that is cancelled, or that nobody hears any more, cancels its calls and waits for their end.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from services.agents.answering import asks_of, calls_left, result_of_asks
from services.agents.branches import calls_of_branch, countries_of, needs_companion
from services.agents.outcome import empty_result, has_rows, probes_of, readings_of, result_of
from services.agents.summary import Summaries, basis_of
from services.agents.tool_calls import CALLS_AT_ONCE_MAX, CallFailure, FailureKind, Settled, ToolCalls
from services.catalog.columns import with_columns
from services.catalog.reuse import says_nothing_new
from services.contract.agent import RunRequest, RunResult
from services.contract.asks import Ask
from services.contract.drops import DropPlace
from services.contract.events import Progress, ToolSettled
from services.contract.flow import AgentResult, AgentStatus, ToolCall
from services.contract.forms import shown
from services.grounding.checking import checked
from services.grounding.grounds import Grounds
from services.grounding.verdict import trace
from services.plugin.agent import AgentSpec
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text
from services.runtime import ledger, run
from services.runtime.errors import InvalidRequest
from services.runtime.threads import ROWS_AT_ONCE_MAX, computed

AgentEvent = Progress | ToolSettled | AgentResult | RunResult
"""What a run tells: what it has computed at most once, the result last and once."""


class AgentLoop:
    """Runs the steps of one agent.

    Args:
        spec: The agent.
        tools: Its calls.
        summaries: Asks a model for a summary, where that is wanted.
        early: Whether what is computed is told before its summary is written.
    """

    def __init__(self, spec: AgentSpec, tools: ToolCalls, summaries: Summaries, *, early: bool = True) -> None:
        self.spec = spec
        self._tools = tools
        self._summaries = summaries
        self._early = early

    async def run(self, asked: RunRequest) -> AsyncGenerator[AgentEvent, None]:
        """Run a step and tell what happens.

        Raises:
            InvalidRequest: The step or what it has computed is another agent's, or a call is not this agent's; names
                the field.
        """
        self._check(asked)
        if asked.computed is not None:
            yield await self._summed_up(asked, asked.computed)
            return
        asks = asks_of(asked)
        async with aclosing(self._answered(asked, asks) if asks else self._worked(asked)) as events:
            async for event in events:
                yield _readable(event, asked.run.locale)

    async def _worked(self, asked: RunRequest) -> AsyncGenerator[AgentEvent, None]:
        """Run a step that answers the question as a whole."""
        if (held := held_result(self.spec, asked)) is not None:
            # An earlier result of this agent stands as this step's, summed up for this question.
            result = replace(held, step_id=asked.step.step_id)
            if self._is_told_early():
                yield result
            yield await self._summed_up(asked, result)
            return
        whole, asked = asked, replace(asked, calls=not_held(self.spec, asked, calls_of_branch(self.spec, asked)))
        yield self._progress(asked, self.spec.reading.said(asked.run.locale))
        settled: list[Settled] = []
        async with aclosing(self._settled(asked)) as ended:
            async for one in ended:
                settled.append(one)
                yield one.event
        if readings_of(settled):
            yield self._progress(asked, self.spec.computing.said(asked.run.locale))
        result, findings = await self._computed(asked, settled)
        companion = needs_companion(self.spec, whole, result) and not _door_is_closed(settled)
        result = replace(result, needs_companion_branch=companion, tool_probes=probes_of(settled))
        if findings is None:
            yield RunResult(result, ledger.spent())
            return
        if says_nothing_new(result, asked.said_before, asked.prior_results):
            yield await self._worded_before(asked, result)
            return
        if self._is_told_early():
            yield result
        yield await self._summed_up(asked, result, readings_of(settled))

    async def _answered(self, asked: RunRequest, asks: tuple[Ask, ...]) -> AsyncGenerator[AgentEvent, None]:
        """Make the calls that asks need and answer them; no model words what their answerers say."""
        asked = replace(asked, calls=calls_left(self.spec, asked))
        self._tools.check(asked.calls)
        if asked.calls:
            yield self._progress(asked, self.spec.reading.said(asked.run.locale))
        settled: list[Settled] = []
        async with aclosing(self._settled(asked)) as ended:
            async for one in ended:
                settled.append(one)
                yield one.event
        asking = _asking(asked)
        result = await computed(lambda: result_of_asks(self.spec, asked, asks, settled, asking), at_once=False)
        yield RunResult(result, ledger.spent())

    def _check(self, asked: RunRequest) -> None:
        if asked.step.agent != self.spec.id:
            raise InvalidRequest.of("step.agent", f"this is {self.spec.id}, not {shown(asked.step.agent)}")
        if asked.computed is not None and asked.computed.agent != self.spec.id:
            raise InvalidRequest.of("computed.agent", f"this is {self.spec.id}, not {shown(asked.computed.agent)}")
        self._tools.check(asked.calls)

    def _is_told_early(self) -> bool:
        return self._early and self._summaries.asks(self.spec)

    async def _settled(self, asked: RunRequest) -> AsyncGenerator[Settled, None]:
        """Make the calls, a bounded number at once, and yield each when it has ended."""
        places = asyncio.Semaphore(CALLS_AT_ONCE_MAX)
        # No TaskGroup: a consumer that leaves closes this generator, which a group takes for an error of its own.
        tasks = [asyncio.create_task(self._tools.settle(asked, order, places)) for order in range(len(asked.calls))]
        try:
            for ended in asyncio.as_completed(tasks):
                yield await ended
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _computed(self, asked: RunRequest, settled: Sequence[Settled]) -> tuple[AgentResult, Findings | None]:
        """Return the result by rule, and the findings behind it; None where no rows were found to compute from."""
        spec, locale = self.spec, asked.run.locale
        if spec.reads and not has_rows(settled):
            return empty_result(spec, asked.step.step_id, locale, settled), None
        readings = readings_of(settled)
        at_once = sum(len(reading.rows) for reading in readings) <= ROWS_AT_ONCE_MAX
        findings = await computed(lambda: spec.analyse(readings, _asking(asked)), at_once=at_once)
        result = result_of(spec, asked.step.step_id, locale, settled, findings)
        if not spec.foreign:
            return result, findings
        return await computed(lambda: held_words(spec, _asking(asked), result), at_once=False), findings

    async def _summed_up(
        self,
        asked: RunRequest,
        result: AgentResult,
        readings: tuple[Reading, ...] = (),
    ) -> RunResult:
        written = await self._summaries.written(self.spec, _asking(asked), readings, result)
        return RunResult(written, ledger.spent())

    async def _worded_before(self, asked: RunRequest, result: AgentResult) -> RunResult:
        """Return a result whose summary goes by the rule: a model has worded these figures in an earlier flow."""
        current, kinds = run.current(), (self.spec.summary.kind,) if self.spec.summary is not None else ()
        with run.use(replace(current, settled_kinds=(*current.settled_kinds, *kinds))):
            return await self._summed_up(asked, result)

    def _progress(self, asked: RunRequest, message: str) -> Progress:
        return Progress(self.spec.id, asked.step.step_id, message)


def _readable(event: AgentEvent, locale: str) -> AgentEvent:
    """Return what an agent tells, its rows with what their columns are called."""
    match event:
        case AgentResult():
            return with_columns(event, locale)
        case RunResult():
            return replace(event, result=with_columns(event.result, locale))
        case _:
            return event


def _asking(asked: RunRequest) -> Asking:
    return Asking(
        question=asked.step.sub_question or asked.question,
        locale=asked.run.locale,
        now=asked.run.now,
        time_zone=asked.run.time_zone,
        intent=asked.route.intent,
        entities=asked.route.entities,
        keywords=asked.step.keywords,
        prior_results=asked.prior_results,
        countries=countries_of(asked),
        attachments=asked.attachments,
        slots=asked.slots,
    )


def _door_is_closed(settled: Sequence[Settled]) -> bool:
    """Tell whether the tool gateway could not be reached, which no other branch would change."""
    return any(isinstance(one.found, CallFailure) and one.found.kind is FailureKind.UNREACHABLE for one in settled)


def held_result(spec: AgentSpec, asked: RunRequest) -> AgentResult | None:
    """Return the agent's own earlier result where a step has nothing left to read, or None.

    An agent that reads nothing itself computes anew: over the same rows another question asks for something else.
    """
    if asked.calls or not spec.sources:
        return None
    return next((one for one in asked.prior_results if one.reused_flow_run_id and one.agent == spec.id), None)


def not_held(spec: AgentSpec, asked: RunRequest, calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    """Return the calls that read what no reused result holds; all of them where none would be left."""
    held = {piece.data_type for one in asked.prior_results if one.reused_flow_run_id for piece in one.evidence}
    left = tuple(call for call in calls if _data_type(spec, call) not in held)
    return left or calls


def _data_type(spec: AgentSpec, call: ToolCall) -> str:
    source = spec.source(call.tool)
    return source.data_type if source is not None else ""


_LEFT_OUT: Final = Text(
    "{name}의 답에서 함께 온 자료로 확인되지 않는 문장 {count}개는 뺐습니다.",
    "Of what {name} answered, sentences that its own data does not hold were left out: {count}.",
)
_NOTHING_HELD: Final = Text(
    "{name}의 답에는 함께 온 자료로 확인되는 내용이 없어 전하지 않습니다.",
    "{name} answered, but nothing of it is held by data that came along, so that it is not told.",
)
_SAID: Final = Text("{name}의 답: {words}", "According to {name}: {words}")


def held_words(spec: AgentSpec, asking: Asking, result: AgentResult) -> AgentResult:
    """Return a result whose summary is what holds of a foreign agent's words, told under its name."""
    names = ", ".join(dict.fromkeys(piece.provenance.source for piece in result.evidence))
    grounds = Grounds(basis_of(spec, asking, (), replace(result, summary="")))
    words = checked(result.summary, grounds, DropPlace.AGENT_SUMMARY, result.step_id)
    trace(words.dropped)
    lost = len(words.dropped)
    if not words.text:
        said = _NOTHING_HELD.said(asking.locale).format(name=names)
        empty = replace(result, summary=said, status=AgentStatus.INSUFFICIENT_DATA, reason="NO_ROWS", evidence=())
        return replace(empty, confidence=0.0, dropped=words.dropped)
    excerpts = tuple(replace(piece, excerpt=words.text) for piece in result.evidence)
    cautions = (*result.cautions, *((_LEFT_OUT.said(asking.locale).format(name=names, count=lost),) if lost else ()))
    told = _SAID.said(asking.locale).format(name=names, words=words.text)
    return replace(result, summary=told, evidence=excerpts, cautions=cautions, dropped=words.dropped)
