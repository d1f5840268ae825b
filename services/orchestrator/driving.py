"""The flows that one replica drives: begun here or taken over, supervised to their end, handed over when it stops."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import structlog

from observability.telemetry import current as current_telemetry
from services.contract.events import Failed, FlowEvent, Phase, Progress, StepStarted
from services.contract.flow import Question, Remembered, Speaker, Spent, Usage
from services.contract.recording import Assignment, Recollection
from services.durable.checkpoints import VERSION, Checkpoint, Checkpoints, checkpoint
from services.durable.questions import waited_seconds
from services.durable.records import Record
from services.durable.store import FlowStore
from services.durable.writer import Lease
from services.orchestrator import texts
from services.orchestrator.flow.budget import FlowBudget, limits_from
from services.orchestrator.flow.conductor import Conductor
from services.orchestrator.flow.desk import Desk
from services.orchestrator.flow.models_away import ModelsAway
from services.orchestrator.flow.state import CUT, FlowState
from services.orchestrator.replay.recording import MEMORY_PLACE
from services.orchestrator.summarising import Summarising
from services.orchestrator.supervision import SHUTDOWN, SUPERSEDED, Keeper, RunningFlow, unkept, work
from services.runtime import deadlines
from services.runtime.clock import Clock
from services.runtime.deadlines import Deadline
from services.runtime.errors import Unavailable
from services.runtime.identity import Caller, acting_for
from services.runtime.settings import Settings
from services.runtime.streams import Emitter, Superseded
from services.text.language import has_words, language_asked, language_of

ATTEMPTS_OF_A_DRIVER: Final = 100
"""Attempts at the answer are counted from here on for each further driver: a new attempt voids what was told before."""
INTERRUPTED_SECONDS_MAX: Final = 0.5
"""How long a flow that is gone on with waits for its last driver's hops to tell what they had spent."""
TURN_SECONDS: Final = 0.1
"""How often a flow that waits for its turn in a conversation looks whether it has come."""
OWED_SECONDS: Final = 0.25
"""How often it is tried again to write down an end that was told and could not be kept."""
LANGUAGE_CHARS_MAX: Final = 300
"""In a longer message "in English" may stand in a text that it brings."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Begun:
    """What a driver begins with."""

    caller: Caller
    """Who asked."""
    question: Question
    """What was asked, with its conversation and its present named."""
    deadline: Deadline
    """When the flow has to be done."""
    record: Record | None = None
    """What the flow's former drivers came to; None for a new flow."""
    told: tuple[FlowEvent, ...] = ()
    """What they told."""
    assignments: tuple[Assignment, ...] = ()
    """The variants of experiments that it runs under."""
    queued: bool = False
    """True where another flow may hold the conversation: it waits for its turn first."""


class Driving:
    """Drives flows.

    Args:
        conductor: Knows a question's path.
        store: Where flows are kept.
        settings: The process's settings.
        clock: The present instant.
        draining: Returns True once the process is about to stop.
        summarising: Has what is remembered of an answered question written.

    Attributes:
        running: The flows that are driven now, by id.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it drives with, each of it once
        self,
        conductor: Conductor,
        store: FlowStore,
        settings: Settings,
        clock: Clock,
        draining: Callable[[], bool],
        summarising: Summarising,
    ) -> None:
        self.running: dict[str, RunningFlow] = {}
        self._conductor = conductor
        self._store = store
        self._settings = settings
        self._clock = clock
        self._draining = draining
        self._summarising = summarising
        self._models_away = ModelsAway()
        self._supervisors: set[asyncio.Task[None]] = set()

    @property
    def driven(self) -> tuple[RunningFlow, ...]:
        """The flows that are driven now."""
        return tuple(self.running.values())

    @property
    def places(self) -> int:
        """How many more flows it would take over; 0 while the process drains."""
        return 0 if self._draining() else self._settings.flows_max - len(self.running)

    async def resume(self, lease: Lease) -> None:
        """Go on with a flow that another driver began; what is finished stays finished.

        A flow that this code cannot go on with ends as FAILED_PRECONDITION; all that is kept of it stays.
        """
        former = self.running.get(lease.flow_run_id)
        if former is not None and former.state.emitter.owed is not None:
            await self._end(lease, former.state.emitter.owed)
            return
        record = await self._store.records.read(lease.flow_run_id)
        if record is None:
            return
        told = await self._store.reads.events(lease.flow_run_id)
        if record.question is None or record.checkpoint_version != VERSION:
            await self._refuse(lease, record, told)
            return
        question, now = record.question, self._clock()
        asked = record.questions.values()
        paused = waited_seconds(asked, now) - waited_seconds(asked)
        left = (record.expire_time - now).total_seconds() + paused
        record = await self._with_interrupted(lease, record, told)
        deadline, under = Deadline.after(left), record.assignments
        begun = Begun(record.caller, question, deadline, record, told, under, queued=True)
        running = await self.drive(lease, begun)
        _log.info("flow taken over", flow_run_id=lease.flow_run_id, token=lease.token, events=len(told))
        if record.cancel_reason:
            running.cancel(record.cancel_reason)

    async def _with_interrupted(self, lease: Lease, record: Record, told: tuple[FlowEvent, ...]) -> Record:
        """Return a record that holds what the last driver's cut calls had spent, asked for at their hops and kept."""
        agents = {one.event.agent for one in told if isinstance(one.event, StepStarted)}
        with deadlines.governed_by(Deadline.after(INTERRUPTED_SECONDS_MAX)), acting_for(record.caller):
            cut = await self._conductor.let_go(lease.flow_run_id, agents)
        if cut.usage == Usage():
            return record
        made = checkpoint(f"{CUT}{lease.token}", Spent((), cut.usage))
        await self._store.record(lease, (made,))
        return replace(record, checkpoints={**record.checkpoints, made.name: made})

    async def drive(self, lease: Lease, begun: Begun) -> RunningFlow:
        """Drive a flow until its end, outside the call that began it."""
        state = self._state(lease, begun)
        if not begun.queued:
            await self._read_history(state)
        links = (begun.record.traceparent,) if begun.record is not None and begun.record.traceparent else ()
        turn = partial(self._turn, lease, state) if begun.queued else None
        task = asyncio.create_task(work(self._conductor, state, links, turn), name=f"flow {lease.flow_run_id}")
        let_go = partial(self._conductor.let_go, lease.flow_run_id)
        running = RunningFlow(state, lease, task, let_go)
        former = self.running.get(lease.flow_run_id)
        if former is not None:
            # Its lease ran out here without its knowing, and came back to us.
            former.cancel(SUPERSEDED)
        self.running[lease.flow_run_id] = running
        supervisor = asyncio.create_task(self._supervise(running), name=f"supervise {lease.flow_run_id}")
        self._supervisors.add(supervisor)
        supervisor.add_done_callback(self._supervisors.discard)
        return running

    async def _turn(self, lease: Lease, state: FlowState) -> None:
        """Wait until no flow that began before it holds the conversation; then read what was said meanwhile."""
        take = partial(self._store.turns.take, lease, state.caller, state.question.session_id)
        if not await take():
            await state.emitter.emit(Progress("orchestrator", "", texts.say(state.locale, "queued")))
            with current_telemetry().instruments.flow_waits("turn"):
                while not await take():  # noqa: ASYNC110 - another replica may hold it, which no event tells
                    await asyncio.sleep(TURN_SECONDS)
        await self._read_history(state)

    async def _read_history(self, state: FlowState) -> None:
        question = state.question
        kept = self._store.reads.history
        state.history = question.history or await kept(state.caller, question.session_id, state.flow_run_id)
        said = [turn.text for turn in state.history if turn.speaker is Speaker.USER]
        if (asked := language_asked(question.text)) is not None and len(question.text) <= LANGUAGE_CHARS_MAX:
            state.question = replace(question, locale=asked)
        elif said and not has_words(question.text) and question.locale == language_of(question.text):
            # What says nothing in a language is answered in that of the conversation.
            state.question = replace(question, locale=language_of(said[-1]))

    async def stop(self) -> None:
        """Stop the work of what still runs and hand it over: another replica, or this one's next run, goes on."""
        for running in self.driven:
            running.cancel(SHUTDOWN)
        if self._supervisors:
            await asyncio.wait(self._supervisors)

    def _state(self, lease: Lease, begun: Begun) -> FlowState:
        record = begun.record

        async def write_down(made: tuple[Checkpoint, ...]) -> None:
            await self._store.record(lease, made)

        desk = Desk(self._store.questions, lease, begun.deadline, self._clock, record.questions if record else {})
        attempts = (lease.token - 1) * ATTEMPTS_OF_A_DRIVER
        checkpoints = Checkpoints(write_down, record.checkpoints if record else {})
        cut = [checkpoints.get(name, Spent) for name in (record.checkpoints if record else {}) if _is_cut(name)]
        return FlowState(
            flow_run_id=lease.flow_run_id,
            question=begun.question,
            clock=self._clock,
            deadline=begun.deadline,
            caller=begun.caller,
            now=begun.question.now or self._clock(),
            emitter=Emitter(
                self._clock,
                Keeper(self._store, lease, begun.told),
                begun.told,
                attempts,
                partial(unkept, begun.question.locale),
            ),
            budget=FlowBudget(limits_from(self._settings), sum((one.usage for one in cut if one is not None), Usage())),
            checkpoints=checkpoints,
            desk=desk,
            earlier=lambda: self._store.earlier.read(begun.caller, begun.question.session_id, lease.flow_run_id),
            recall=self._recalling(begun, checkpoints),
            assignments=begun.assignments,
            models_away=self._models_away,
        )

    def _recalling(self, begun: Begun, kept: Checkpoints) -> Callable[[], Awaitable[tuple[Remembered, ...]]]:
        """Return what reads the user's earlier conversations, once; nobody in particular has none.

        Where flows are recorded it is kept what was read.
        """
        read: list[Recollection] = []

        async def recollect() -> Recollection:
            return Recollection(await self._store.memory.recall(begun.caller, begun.question.session_id))

        async def recalled_once() -> tuple[Remembered, ...]:
            if not begun.caller.is_logged_in:
                return ()
            if not read:
                is_kept = self._settings.records_flows
                read.append(await (kept.once(MEMORY_PLACE, Recollection, recollect) if is_kept else recollect()))
            return read[0].remembered

        return recalled_once

    async def _supervise(self, running: RunningFlow) -> None:
        try:
            await running.supervise()
            if running.answer is not None:
                self._summarising.begin(running.state, running.answer)
            if running.state.emitter.abandoned and running.cancel_reason == SHUTDOWN:
                await self._store.leases.release(running.lease)
            await self._pay(running)
        finally:
            # A flow that this replica lost may have come back to it in the meantime.
            if self.running.get(running.lease.flow_run_id) is running:
                del self.running[running.lease.flow_run_id]
                self._conductor.forget(running.lease.flow_run_id)

    async def _pay(self, running: RunningFlow) -> None:
        """Write down the end that a flow's watchers were told while nothing could be: it has no other any more."""
        while (owed := running.state.emitter.owed) is not None and not self._draining():
            await asyncio.sleep(OWED_SECONDS)
            with suppress(Unavailable):
                await self._end(running.lease, owed)
                return

    async def _end(self, lease: Lease, end: FlowEvent) -> None:
        """Write an end down that was told already; one that has come to another driver is that one's to end."""
        with suppress(Superseded):
            await Keeper(self._store, lease)(end)

    async def _refuse(self, lease: Lease, record: Record, told: tuple[FlowEvent, ...]) -> None:
        locale = record.question.locale if record.question is not None else "ko"
        failed = Failed("FAILED_PRECONDITION", "CHECKPOINT_VERSION", texts.say(locale, "not_resumable"))
        end = FlowEvent(len(told) + 1, self._clock(), failed)
        await self._store.end(lease, end, Phase.FAILED, "", Usage())
        _log.warning("flow of another version", flow_run_id=lease.flow_run_id, version=record.checkpoint_version)


def _is_cut(name: str) -> bool:
    return name.startswith(CUT)
