"""What a flow has come to: its question, its budget, its findings. The conductor fills it, the answer reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from observability import attributes as names
from observability.spans import add_event
from services.contract.events import (
    DecisionMade,
    Phase,
    PhaseChanged,
    WarningRaised,
)
from services.contract.flow import (
    ExecutionPlan,
    FailureTag,
    Question,
    Remembered,
    RouteDecision,
    RunContext,
    Spent,
    Turn,
    Usage,
    Warning,  # noqa: A004 - the contract's word
)
from services.contract.recording import Assignment, EarlierFlow
from services.durable.checkpoints import Checkpoints
from services.orchestrator import texts
from services.orchestrator.flow.budget import FlowBudget
from services.orchestrator.flow.desk import Desk
from services.orchestrator.flow.found import FlowFindings
from services.orchestrator.flow.models_away import ModelsAway
from services.orchestrator.speculation.loans import Loan
from services.orchestrator.steps.machine import Run
from services.runtime import ledger, run
from services.runtime.clock import Clock
from services.runtime.deadlines import Deadline
from services.runtime.errors import FailedPrecondition
from services.runtime.identity import Caller
from services.runtime.streams import Emitter

M = TypeVar("M", bound=BaseModel)

CUT: Final = "interrupted/"
"""Checkpoints of this prefix are what was spent on calls that were cut; the next driver begins with it."""


async def _nothing_earlier() -> tuple[EarlierFlow, ...]:
    """Return nothing: a flow that is kept nowhere has nothing before it."""
    return ()


async def _recall_nothing() -> tuple[Remembered, ...]:
    """Return nothing: a flow that is kept nowhere has no earlier conversations."""
    return ()


@dataclass(slots=True)
class FlowState:
    """One flow while it runs."""

    flow_run_id: str
    """Its id."""
    question: Question
    """What was asked, admitted by the gateway: every default is filled in."""
    clock: Clock
    """The present instant."""
    deadline: Deadline
    """When the flow has to be done; the time that a person takes moves it away."""
    caller: Caller
    """Who asked."""
    now: datetime
    """The instant that the flow treats as now."""
    emitter: Emitter
    """Tells its events."""
    budget: FlowBudget
    """What it may spend, and has spent."""
    checkpoints: Checkpoints
    """What its finished stages came to."""
    desk: Desk
    """Where it asks persons."""
    recall: Callable[[], Awaitable[tuple[Remembered, ...]]] = _recall_nothing
    """Returns what is remembered of the user's earlier conversations."""
    assignments: tuple[Assignment, ...] = ()
    """The variants of experiments that it runs under."""
    history: tuple[Turn, ...] = ()
    """The conversation before it."""
    earlier: Callable[[], Awaitable[tuple[EarlierFlow, ...]]] = _nothing_earlier
    """Reads what the conversation's earlier flows found."""
    settled_kinds: tuple[str, ...] = ()
    """Kinds of decisions that what is held has settled: their rule says it."""
    warnings: list[Warning] = field(default_factory=list)
    """Every warning, in order."""
    tags: list[FailureTag] = field(default_factory=list)
    """What went less than well."""
    cautions: list[str] = field(default_factory=list)
    """Cautions that the answer has to carry."""
    route: RouteDecision | None = None
    """How the question is understood."""
    plan: ExecutionPlan | None = None
    """How it is to be answered."""
    run_of_steps: Run | None = None
    """The execution of its plan."""
    phase: Phase = Phase.ADMITTED
    """Where it stands."""
    confirmation_needed: bool = False
    """True where the policy check wants every action confirmed."""
    models_away: ModelsAway = field(default_factory=ModelsAway)
    """The models that questions have waited for in vain."""
    findings: FlowFindings = field(default_factory=FlowFindings)
    """What has been found for it, now and earlier."""

    @property
    def locale(self) -> str:
        """The language of every text that the user reads."""
        return self.question.locale

    def run(self, loan: Loan | None = None, settled: tuple[str, ...] = ()) -> RunContext:
        """Return what a call made now is told about the flow; it may spend its loan, or all that is not lent."""
        return RunContext(
            flow_run_id=self.flow_run_id,
            session_id=self.question.session_id,
            locale=self.locale,
            now=self.now,
            time_zone=self.question.time_zone,
            budget=loan.budget if loan is not None else self.budget.beside_loans(),
            domains=self.question.domains,
            settled_kinds=(*self.settled_kinds, *settled),
            models_away=self.models_away.of(self.flow_run_id),
        )

    async def enter(self, phase: Phase) -> None:
        """Tell that the flow is in another phase."""
        self.phase = phase
        add_event(names.EVENT_PHASE, {names.FLOW_PHASE: phase.value})
        await self.emitter.emit(PhaseChanged(phase))

    def tag(self, tag: FailureTag) -> None:
        """Note what went less than well, once."""
        if tag not in self.tags:
            self.tags.append(tag)

    async def account(self, spent: Spent, loan: Loan | None = None) -> None:
        """Add what a call has spent of its loan, and tell its decisions and where a model should have made them."""
        self.budget.usage += spent.usage
        if loan is not None:
            loan.spend(spent.usage)
        for decision in spent.decisions:
            self.budget.decisions.append(decision)
            self.models_away.hear(decision)
            await self.emitter.emit(DecisionMade(decision))
            if decision.fallback_reason:
                await self.warn(
                    Warning(
                        decision.fallback_reason,
                        texts.model_missing(self.locale, decision.fallback_reason),
                        decision.service,
                        decision.kind,
                    ),
                )

    async def throw_away(self, place: str, usage: Usage) -> None:
        """Account for what was spent on something that came to nothing, for this driver and for the next ones.

        Args:
            place: What it was for.
            usage: What was spent.
        """
        if usage == Usage():
            return
        self.budget.usage += usage
        await self.checkpoints.keep({self.checkpoints.unused(f"{CUT}{place}"): Spent((), usage)})

    async def decide(
        self, place: str, kind: type[M], call: Callable[[], Awaitable[M]], settled: tuple[str, ...] = ()
    ) -> M:
        """Decide something here, by the budget that is left, once in the flow's life, and account for it.

        Args:
            place: The decision's place in the flow.
            kind: The model of the decision's output.
            call: Decides, and writes the decision down as its last one.
            settled: Kinds of decisions that go by their rule here, beside those that do so in the whole flow.

        Raises:
            FailedPrecondition: A former driver's decision has an output that this code cannot read.
        """
        kept = self.checkpoints.get(place, Spent)
        if kept is not None:
            made = _output_of(place, kind, kept)
            await self.account(kept)
            return made
        with self.budget.lend_to_decision() as loan:
            with run.use(self.run(loan, settled)), ledger.opened() as book:
                try:
                    made = await call()
                except asyncio.CancelledError:
                    self.budget.usage += book.usage
                    raise
            await self.checkpoints.keep({place: book.spent()})
            await self.account(book.spent(), loan)
        return made

    async def warn(self, warning: Warning) -> None:
        """Tell that something went less than well; the same reason at the same service and kind is told once."""
        if warning in self.warnings:
            return
        self.warnings.append(warning)
        await self.emitter.emit(WarningRaised(warning))


def _output_of(place: str, kind: type[M], spent: Spent) -> M:
    try:
        return kind.model_validate_json(spent.decisions[-1].output_json)
    except (IndexError, ValidationError) as broken:
        raise FailedPrecondition(
            f"the flow's decision {place} was made by another version of hapju",
            reason="CHECKPOINT_UNREADABLE",
        ) from broken
