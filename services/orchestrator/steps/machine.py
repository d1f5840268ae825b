"""The states of a run and of its steps. Anything that is not drawn here raises.

    run     INITIALIZED ► PRE_EXECUTION ► STRATEGY_DETERMINED ► TEAM_LOOP ► POST_EXECUTION ► REVIEWED ► COMPLETED

    step    PENDING ─────► IN_PROGRESS ────► COMPLETED ──► ACCEPTED
               │            ▲    │             │  └──────► PARTIALLY_ACCEPTED
               ▼            │    ▼             ▼ (once)
            SKIPPED ◄── RETRYING ◄── FAILED   RETRYING ──► IN_PROGRESS
                ▲                       │
                └───────────────────────┘

Within TEAM_LOOP each attempt of a step passes BEFORE_STEP ► TOOL_ORCHESTRATED ► EXECUTING ► AFTER_STEP ►
RESULT_ANALYZED.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from services.contract.events import AgentOutcome, AgentSettled
from services.contract.flow import AgentResult, PlanStep, Strategy, ToolCall
from services.orchestrator.speculation.choice import CallChoice


class RunState(StrEnum):
    """Where a run stands."""

    INITIALIZED = "INITIALIZED"
    PRE_EXECUTION = "PRE_EXECUTION"
    STRATEGY_DETERMINED = "STRATEGY_DETERMINED"
    TEAM_LOOP = "TEAM_LOOP"
    POST_EXECUTION = "POST_EXECUTION"
    REVIEWED = "REVIEWED"
    COMPLETED = "COMPLETED"


class StepState(StrEnum):
    """Where a step stands."""

    PENDING = "PENDING"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    RETRYING = "RETRYING"
    SKIPPED = "SKIPPED"
    ACCEPTED = "ACCEPTED"
    PARTIALLY_ACCEPTED = "PARTIALLY_ACCEPTED"


class StepStage(StrEnum):
    """How far one attempt of a step has come."""

    BEFORE_STEP = "BEFORE_STEP"
    TOOL_ORCHESTRATED = "TOOL_ORCHESTRATED"
    EXECUTING = "EXECUTING"
    AFTER_STEP = "AFTER_STEP"
    RESULT_ANALYZED = "RESULT_ANALYZED"


STEP_MOVES: Final[dict[StepState, frozenset[StepState]]] = {
    StepState.PENDING: frozenset({StepState.IN_PROGRESS, StepState.SKIPPED}),
    StepState.IN_PROGRESS: frozenset({StepState.COMPLETED, StepState.FAILED}),
    StepState.FAILED: frozenset({StepState.RETRYING, StepState.SKIPPED}),
    StepState.RETRYING: frozenset({StepState.IN_PROGRESS}),
    StepState.COMPLETED: frozenset({StepState.ACCEPTED, StepState.RETRYING, StepState.PARTIALLY_ACCEPTED}),
    StepState.SKIPPED: frozenset(),
    StepState.ACCEPTED: frozenset(),
    StepState.PARTIALLY_ACCEPTED: frozenset(),
}
"""Where a step may go from each state."""

RETRIES_MAX: Final = 1
"""How often one step is run again."""
_ENDED: Final = frozenset({StepState.SKIPPED, StepState.ACCEPTED, StepState.PARTIALLY_ACCEPTED})
_RUN_ORDER: Final = tuple(RunState)
_STAGE_ORDER: Final = tuple(StepStage)


class IllegalMove(RuntimeError):
    """A run, step or stage was to go where the drawing has no way."""


@dataclass(slots=True, eq=False)
class StepRun:
    """One step while the run lasts."""

    step: PlanStep
    """The step of the plan, or one that was added."""
    is_added: bool = False
    """True where it is none of the plan's."""
    stands_in: bool = False
    """True where it was added in place of what another step has lost, which is told: it is not left out."""
    state: StepState = StepState.PENDING
    """Where it stands."""
    stage: StepStage = StepStage.BEFORE_STEP
    """How far the present attempt has come."""
    retries: int = 0
    """How often it was run again."""
    calls: tuple[ToolCall, ...] = ()
    """The calls of the last attempt."""
    result: AgentResult | None = None
    """What the last attempt found."""
    row_count: int = 0
    """Rows that its tools returned in the last attempt."""
    quality: float = 0.0
    """How good the result was judged, 0 to 1."""
    outcome: AgentOutcome | None = None
    """How the last attempt ended; None before the first."""
    next_calls: tuple[ToolCall, ...] | None = None
    """The calls of the next attempt where they have been decided; None where they are yet to be chosen."""
    former: tuple[AgentResult, int] | None = None
    """What the attempt before found, and in how many rows."""
    reason: str = ""
    """Why it failed or was left out; empty while neither."""
    settling: "asyncio.Task[AgentSettled] | None" = None
    """The rest of the last attempt, where its result has been taken as computed and its summary is still written."""

    def to(self, state: StepState) -> None:
        """Move the step.

        Raises:
            IllegalMove: The drawing has no such way, or the step was run again before.
        """
        if state not in STEP_MOVES[self.state]:
            raise IllegalMove(f"step {self.step.step_id}: {self.state} does not lead to {state}")
        if state is StepState.RETRYING:
            if self.retries >= RETRIES_MAX:
                raise IllegalMove(f"step {self.step.step_id}: it was run again before")
            self.retries += 1
            self.stage = StepStage.BEFORE_STEP
        self.state = state

    def reach(self, stage: StepStage) -> None:
        """Move the present attempt to its next stage.

        Raises:
            IllegalMove: The stage is not the next one.
        """
        if _STAGE_ORDER.index(stage) != _STAGE_ORDER.index(self.stage) + 1:
            raise IllegalMove(f"step {self.step.step_id}: {self.stage} does not lead to {stage}")
        self.stage = stage

    def begin(self) -> None:
        """Begin an attempt; what the one before found is kept until it is known which is better."""
        self.to(StepState.IN_PROGRESS)
        if self.result is not None:
            self.former = (self.result, self.row_count)
        self.result, self.row_count, self.outcome, self.reason = None, 0, None, ""

    async def settle(self) -> None:
        """Wait for the rest of the last attempt, and take its result as it was settled."""
        if self.settling is None:
            return
        settled = await self.settling
        self.settling = None
        if self.former is None or self.result is not self.former[0]:
            self.result = settled.result

    def keep_better(self) -> None:
        """Keep the richer result of two attempts."""
        if self.former is not None and self.former[1] > self.row_count:
            self.result, self.row_count = self.former

    @property
    def can_retry(self) -> bool:
        """Whether the step may be run again."""
        return self.retries < RETRIES_MAX

    @property
    def has_ended(self) -> bool:
        """Whether nothing more happens to the step."""
        return self.state in _ENDED


@dataclass(slots=True, eq=False)
class Run:
    """The execution of one plan: what the orchestrator remembers of it."""

    strategy: Strategy
    """How its steps run."""
    steps: list[StepRun]
    """The steps in order, added ones where they run."""
    state: RunState = RunState.INITIALIZED
    """Where it stands."""
    quality_scores: dict[str, float] = field(default_factory=dict)
    """How good each step's result was judged."""
    held: tuple[AgentResult, ...] = ()
    """Earlier flows' results that count as found."""
    takers: Mapping[str, tuple[AgentResult, ...]] = field(default_factory=dict)
    """By step, the earlier results that it builds on."""
    choices: dict[str, CallChoice] = field(default_factory=dict)
    """By step, the choice of its calls that was asked for before its turn."""

    def to(self, state: RunState) -> None:
        """Move the run to its next state.

        Raises:
            IllegalMove: The state is not the next one.
        """
        if _RUN_ORDER.index(state) != _RUN_ORDER.index(self.state) + 1:
            raise IllegalMove(f"run: {self.state} does not lead to {state}")
        self.state = state

    @property
    def added(self) -> int:
        """How many steps were added."""
        return sum(step.is_added for step in self.steps)

    @property
    def under_way(self) -> int:
        """How many steps run now."""
        return sum(step.state is StepState.IN_PROGRESS for step in self.steps)

    def ready(self) -> list[StepRun]:
        """Return the steps that may run now: pending or retrying ones whose dependencies have ended."""
        ended = {step.step.step_id for step in self.steps if step.has_ended}
        waiting = [step for step in self.steps if step.state in {StepState.PENDING, StepState.RETRYING}]
        able = [step for step in waiting if ended.issuperset(step.step.depends_on)]
        return able[:1] if self.strategy is Strategy.SEQUENTIAL else able

    def remaining(self) -> list[StepRun]:
        """Return the steps that have not begun."""
        return [step for step in self.steps if step.state is StepState.PENDING]

    def results(self) -> dict[str, AgentResult]:
        """Return what was found, by step, in order; what is held already comes first."""
        ended = {step.step.step_id: step.result for step in self.steps if step.result is not None and step.has_ended}
        return {f"held{number}": result for number, result in enumerate(self.held, 1)} | ended

    def given(self, step: StepRun) -> tuple[AgentResult, ...]:
        """Return what a step builds on: held results, and those of the steps that it depends on."""
        found = self.results()
        return (
            *self.takers.get(step.step.step_id, ()),
            *(found[name] for name in step.step.depends_on if name in found),
        )
