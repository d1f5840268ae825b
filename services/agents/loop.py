"""The run of a step, once for every agent (spec 3.3).

    check -> "reading" -> the calls of the step's branch side by side, each told as it ends -> "computing" -> findings
    -> summary -> the result, last and once

A run that is cancelled, or that nobody hears any more, cancels its calls and waits for their end.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from services.agents.branches import calls_of_branch, countries_of, needs_companion
from services.agents.findings import Asking
from services.agents.holding import held_result, not_held
from services.agents.outcome import empty_result, has_rows, probes_of, readings_of, result_of
from services.agents.spec import AgentSpec
from services.agents.summary import Summaries
from services.agents.tool_calls import CALLS_AT_ONCE_MAX, CallFailure, FailureKind, Settled, ToolCalls
from services.contract.agent import RunRequest, RunResult
from services.contract.events import Progress, ToolSettled
from services.contract.flow import AgentResult
from services.runtime import deadlines, ledger
from services.runtime.errors import DeadlineExceeded, InvalidRequest

_TIME_IS_OVER_SECONDS = 2 * deadlines.HOP_MARGIN_SECONDS
"""With no more than this left, a call that ran out of time did so because the run's own time is over."""

AgentEvent = Progress | ToolSettled | RunResult
"""What a run tells, the result last and once."""


class AgentLoop:
    """Runs the steps of one agent.

    Args:
        spec: The agent.
        tools: Its calls.
        summaries: Asks a model for a summary, where that is wanted.
    """

    def __init__(self, spec: AgentSpec, tools: ToolCalls, summaries: Summaries) -> None:
        self.spec = spec
        self._tools = tools
        self._summaries = summaries

    async def run(self, asked: RunRequest) -> AsyncGenerator[AgentEvent, None]:
        """Runs a step and tells what happens.

        Raises:
            InvalidRequest: The step is another agent's, or a call is not this agent's; names the field.
            DeadlineExceeded: The time of the run was over before its calls were.
        """
        if asked.step.agent != self.spec.id:
            raise InvalidRequest.of("step.agent", f"this is {self.spec.id}, not {asked.step.agent[:100]!r}")
        self._tools.check(asked.calls)
        if (held := held_result(self.spec, asked)) is not None:
            yield RunResult(await self._again(asked, held), ledger.spent())
            return
        whole, asked = asked, replace(asked, calls=not_held(self.spec, asked, calls_of_branch(self.spec, asked)))
        yield self._progress(asked, self.spec.reading.said(asked.run.locale))
        settled: list[Settled] = []
        async with aclosing(self._settled(asked)) as ended:
            async for one in ended:
                settled.append(one)
                yield one.event
        _check_time(settled)
        if readings_of(settled):
            yield self._progress(asked, self.spec.computing.said(asked.run.locale))
        result = await self._result(asked, settled)
        companion = needs_companion(self.spec, whole, result) and not _door_is_closed(settled)
        result = replace(result, needs_companion_branch=companion, tool_probes=probes_of(settled))
        yield RunResult(result, ledger.spent())

    async def _settled(self, asked: RunRequest) -> AsyncGenerator[Settled, None]:
        """Makes the calls, a bounded number at once, and yields each when it has ended."""
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

    async def _result(self, asked: RunRequest, settled: Sequence[Settled]) -> AgentResult:
        spec, locale = self.spec, asked.run.locale
        readings = readings_of(settled)
        if spec.sources and not has_rows(settled):
            return empty_result(spec, asked.step.step_id, locale, settled)
        asking = _asking(asked)
        findings = await asyncio.to_thread(spec.analyse, readings, asking)
        result = result_of(spec, asked.step.step_id, locale, settled, findings)
        return await self._summaries.written(spec, asking, readings, result, findings.causes)

    async def _again(self, asked: RunRequest, held: AgentResult) -> AgentResult:
        """Returns an earlier result of this agent as this step's, summed up for this question."""
        result = replace(held, step_id=asked.step.step_id)
        return await self._summaries.written(self.spec, _asking(asked), (), result)

    def _progress(self, asked: RunRequest, message: str) -> Progress:
        return Progress(self.spec.id, asked.step.step_id, message)


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
        slots=asked.slots,
    )


def _door_is_closed(settled: Sequence[Settled]) -> bool:
    """Tells whether the tool gateway could not be reached, which no other branch would change."""
    return any(isinstance(one.found, CallFailure) and one.found.kind is FailureKind.UNREACHABLE for one in settled)


def _check_time(settled: Sequence[Settled]) -> None:
    """Raises the error of a call that ran out of time together with the run: nobody waits for a result any more."""
    left = deadlines.remaining_seconds()
    if left is None or left > _TIME_IS_OVER_SECONDS:
        return
    for one in settled:
        if isinstance(one.found, CallFailure) and isinstance(one.found.error, DeadlineExceeded):
            raise one.found.error
