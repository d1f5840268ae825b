"""A recorded flow taken along its path again, by the conductor of this code and with what the recording holds.

    question, conversation, memory, earlier results, persons' answers    from the recording
    services                                                             whoever the ensemble reaches
    what comes of it                                                     kept nowhere

Whoever calls it sees to it that the services have no model, tool or effect of their own.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from services.contract.agent import RunRequest, RunResponse
from services.contract.events import AgentOutcome, Event, FlowEvent, QuestionOutcome
from services.contract.flow import AgentResult, ExecutionPlan, Remembered
from services.contract.recording import EarlierFlow, FlowRecording, LostRun, RecordedDecision, RecordedQuestion
from services.durable.checkpoints import Checkpoint, Checkpoints, Record
from services.durable.questions import KeptQuestion, Questions, Settlement
from services.durable.writer import Lease
from services.orchestrator.calls import LetGo, PeerEnsemble
from services.orchestrator.flow.budget import FlowBudget, limits_from
from services.orchestrator.flow.conductor import Conductor
from services.orchestrator.flow.desk import Desk, PersonQuestion
from services.orchestrator.flow.state import FlowState
from services.orchestrator.flow.waiting import FlowLeft
from services.orchestrator.replay.places import placed
from services.orchestrator.supervision import RunningFlow, work
from services.runtime.calls import Peers
from services.runtime.clock import Clock
from services.runtime.deadlines import Deadline
from services.runtime.errors import DeadlineExceeded, HapjuError, Internal, Unavailable
from services.runtime.identity import Caller
from services.runtime.settings import Settings
from services.runtime.streams import Emitter, Keep

REPLAY_SECONDS_MAX: Final = 120.0
"""How long a replay may take; nothing in it waits for anybody."""
UNASKED: Final = "NOT_RECORDED"
"""Why a replay ends that asks a person something which was not asked then."""


@dataclass(slots=True)
class Replayed:
    """What a flow came to when its path was taken again."""

    decisions: tuple[RecordedDecision, ...] = ()
    """Every decision, in the order in which they were told."""
    events: tuple[FlowEvent, ...] = ()
    """Every durable event, the terminal one last."""
    plan: ExecutionPlan | None = None
    """The plan that was executed."""
    results: Mapping[str, AgentResult] = field(default_factory=dict)
    """What the steps found."""
    asked: tuple[str, ...] = ()
    """The places of the questions that were asked, those of the recording and others."""


class ReplayedEnsemble(PeerEnsemble):
    """The ensemble over gRPC, in which agents are lost where they were lost then.

    Args:
        peers: The services.
        recording: The flow.
    """

    def __init__(self, peers: Peers, recording: FlowRecording) -> None:
        super().__init__(peers)
        self._lost = {(one.step_id, one.attempt): one for one in recording.lost_runs}
        self._attempts: dict[str, int] = {}

    async def run_agent(self, agent: str, request: RunRequest) -> AsyncGenerator[RunResponse]:
        """Run one step at an agent, unless that attempt had no result when it was recorded."""
        step_id = request.step.step_id
        self._attempts[step_id] = attempt = self._attempts.get(step_id, 0) + 1
        if (lost := self._lost.get((step_id, attempt))) is not None:
            raise _error_of(lost)
        async with aclosing(super().run_agent(agent, request)) as told:
            async for message in told:
                yield message


class _Nobody(Questions):
    """Where questions go that the recording does not have."""

    def __init__(self) -> None:
        """Keep nothing."""

    async def ask(self, lease: Lease, question: KeptQuestion) -> None:  # noqa: ARG002 - nobody is there
        """End the flow.

        Raises:
            FlowLeft: Always.
        """
        raise FlowLeft(UNASKED)


class _RecordedDesk(Desk):
    """A desk at which persons say what they said then, and which notes what they are asked."""

    def __init__(self, recording: FlowRecording, lease: Lease, deadline: Deadline, clock: Clock) -> None:
        kept = {one.name: _kept(recording.flow_run_id, one) for one in recording.questions}
        super().__init__(_Nobody(), lease, deadline, clock, kept)
        self.asked: list[str] = []

    async def ask(self, ask: PersonQuestion, seconds_max: float) -> KeptQuestion:
        """Return a question as it was settled then.

        Raises:
            FlowLeft: It was not asked then.
        """
        try:
            question = await super().ask(ask, seconds_max)
        except FlowLeft:
            self.asked.append(f"{ask.kind}/{ask.slot or ask.name}")
            raise
        self.asked.append(question.name)
        return question


async def replayed(conductor: Conductor, recording: FlowRecording, settings: Settings) -> Replayed:
    """Take a recorded flow's path again and return what came of it."""
    kept: list[FlowEvent] = []
    checkpoints: list[Checkpoint] = []
    lease, deadline = Lease(recording.flow_run_id, 1), Deadline.after(REPLAY_SECONDS_MAX)
    now = recording.question.now or recording.end.emit_time
    desk = _RecordedDesk(recording, lease, deadline, lambda: now)
    state = _state(recording, settings, desk, deadline, now)
    state.emitter, state.checkpoints = Emitter(state.clock, _into(kept)), Checkpoints(_all_into(checkpoints))
    task = asyncio.create_task(work(conductor, state), name="replay")
    running = RunningFlow(state, lease, task, _none_works)
    await running.supervise()
    return Replayed(
        placed(state.budget.decisions, checkpoints),
        tuple(kept),
        state.plan,
        dict(state.findings.results),
        tuple(desk.asked),
    )


def _state(recording: FlowRecording, settings: Settings, desk: Desk, deadline: Deadline, now: datetime) -> FlowState:
    async def earlier() -> tuple[EarlierFlow, ...]:
        return recording.earlier

    async def recall() -> tuple[Remembered, ...]:
        return recording.memory.remembered

    caller = recording.caller
    return FlowState(
        flow_run_id=recording.flow_run_id,
        question=recording.question,
        clock=lambda: now,
        deadline=deadline,
        caller=Caller(caller.user_id, caller.tenant, caller.user_type, frozenset(caller.roles)),
        now=now,
        emitter=Emitter(lambda: now, _into([])),
        budget=FlowBudget(limits_from(settings)),
        checkpoints=Checkpoints(),
        desk=desk,
        history=recording.history,
        earlier=earlier,
        recall=recall,
        assignments=recording.assignments,
    )


def _into(kept: list[FlowEvent]) -> Keep:
    async def keep(*events: FlowEvent) -> None:
        kept.extend(events)

    return keep


def _all_into(kept: list[Checkpoint]) -> Record:
    async def record(made: tuple[Checkpoint, ...]) -> None:
        kept.extend(made)

    return record


def _kept(flow_run_id: str, one: RecordedQuestion) -> KeptQuestion:
    outcome = one.outcome or QuestionOutcome.EXPIRED
    settled = Settlement(outcome, one.answer, one.settle_time or one.asked.expire_time)
    return KeptQuestion(flow_run_id, one.name, one.asked, one.default_answer, one.ask_time, settled)


def _error_of(lost: LostRun) -> HapjuError:
    kinds: Mapping[AgentOutcome, type[HapjuError]] = {
        AgentOutcome.UNREACHABLE: Unavailable,
        AgentOutcome.TIMED_OUT: DeadlineExceeded,
    }
    kind = kinds.get(lost.outcome, Internal)
    return kind("the run was lost so when it was recorded", reason=lost.reason, spent=lost.spent)


async def _none_works() -> LetGo:
    return LetGo()


def ends_of(event: Event) -> str:
    """Return how a flow ended, by its terminal event's name and reason."""
    return f"{type(event).__name__.lower()} {getattr(event, 'reason', '')}".rstrip()
