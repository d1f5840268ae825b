"""The line that is remembered of a question, written by a model once the flow has ended.

    end ─► the rule's line, in the transaction of the end ─► a model's line in its place, if it holds

Nobody waits for it. The rule's line stays where no model is asked, where it fails, and where its line is too long,
says more than question and answer do, or comes when the conversation has gone on. The decision stands in the
flow's record as what came after it, and its cost joins the flow's.
"""

import asyncio
from typing import Final

import structlog

from prompts.fields import Untrusted
from prompts.orchestrator.conversation_summary import (
    ANSWERED_CHARACTERS_MAX,
    ASKED_CHARACTERS_MAX,
    PROMPT,
    Inputs,
    Output,
)
from services.contract.events import FinalAnswer
from services.contract.flow import DecisionSource
from services.durable.memory import keep_summary, line_of
from services.durable.requests import shown_text
from services.durable.writer import Writer
from services.grounding.restating import Restating
from services.llm.decider import Decider
from services.orchestrator.flow.state import FlowState
from services.runtime import deadlines, ledger, run
from services.runtime.identity import acting_for
from services.runtime.threads import computed

SUMMARY_SECONDS_MAX: Final = 20.0
"""How long a line may take."""
TEXT_CHARACTERS_MAX: Final = 4_000
"""As much of a question and an answer is summed up."""

_log = structlog.get_logger(__name__)


class Summarising:
    """Has lines written.

    Args:
        decider: The orchestrator's decisions.
        writer: Writes to the flow store.
        wanted: The setting that turns it on.
    """

    def __init__(self, decider: Decider, writer: Writer, *, wanted: bool) -> None:
        self._decider = decider
        self._writer = writer
        self._wanted = wanted and decider.configured(PROMPT.head.role)
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, state: FlowState, answer: FinalAnswer) -> None:
        """Begin to have the line of a flow that has ended written; return at once."""
        if not self._wanted or not answer.final_response.strip():
            return
        task = asyncio.create_task(self._write(state, answer.final_response), name=f"summary {state.flow_run_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Give up what is still being written: the rules' lines stay."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _write(self, state: FlowState, answer: str) -> None:
        question = shown_text(state.question)
        by_rule = line_of(question, answer)
        inputs = Inputs(
            question=Untrusted(question[:TEXT_CHARACTERS_MAX]), answer=Untrusted(answer[:TEXT_CHARACTERS_MAX])
        )
        try:
            with (
                deadlines.within(SUMMARY_SECONDS_MAX),
                acting_for(state.caller),
                run.use(state.run()),
                ledger.opened() as book,
            ):
                decided = await self._decider.decide(PROMPT, inputs, lambda _: _as_output(by_rule))
            line = _line(decided.output)
            holds = decided.source is DecisionSource.LLM and await computed(
                lambda: _holds(decided.output, state, answer), at_once=False
            )
            await self._writer.transact(
                lambda connection: keep_summary(
                    connection, state.flow_run_id, book.spent(), by_rule, line if holds else ""
                )
            )
        except Exception:  # noqa: BLE001 - logged with its traceback
            # The flow has ended and its user has the answer: what is lost is a better line.
            _log.exception("a conversation's summary was not written", flow_run_id=state.flow_run_id)


def _holds(output: Output, state: FlowState, answer: str) -> bool:
    """Return whether a line only restates what was asked and what was answered."""
    restating = Restating((shown_text(state.question), answer), now=state.now, time_zone=state.question.time_zone)
    return restating.wrong(output.asked) is None and restating.wrong(output.answered) is None


def _line(output: Output) -> str:
    return f"{output.asked.strip()} → {output.answered.strip()}"


def _as_output(line: str) -> Output:
    asked, _, answered = line.partition(" → ")
    return Output(asked=asked[:ASKED_CHARACTERS_MAX] or "-", answered=answered[:ANSWERED_CHARACTERS_MAX] or "-")
