"""What a plan decides without a route, asked for while the question is checked and routed (HAPJU_WORDING_AHEAD).

    policy ───────┐
    route ────────┴─► plan, with what was prepared: its decisions are then the plan's, in its turn
    preparation ─ ─ ─ ┘
                  └─► BLOCK, or a reply of the route: cut short; what it has cost stays the flow's

Where it cannot be had the plan decides it all itself. A flow that is short of budget prepares nothing, and neither does
one whose first plan is kept already.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import structlog

from services.contract.flow import Spent
from services.contract.planner import PrepareQuestionRequest, PrepareQuestionResponse
from services.durable.requests import shown_text
from services.orchestrator.calls import Ensemble
from services.orchestrator.flow.state import CUT, FlowState
from services.orchestrator.speculation.early import can_spare
from services.orchestrator.speculation.loans import DECISION_CALLS_MAX, FIRST_AT_ONCE
from services.runtime import deadlines
from services.runtime.errors import HapjuError

PREPARED: Final = "prepared"
"""The preparation's place in a flow."""
BESIDE: Final = 2
"""Decisions that are made beside it: the verdict and the route."""
OWN: Final = 3
"""Decisions that it may ask for: two, one of them twice."""
CUT_SECONDS_MAX: Final = 0.5
"""How long a flow waits for the planner to tell what a preparation had cost that was cut short."""

_log = structlog.get_logger(__name__)


def draft_place(number: int) -> str:
    """Return the place of a draft in the flow, counted from 1."""
    return f"draft/{number}"


@dataclass(slots=True, eq=False)
class Prepared:
    """A preparation while it lasts."""

    work: "asyncio.Task[Spent] | None" = None
    """What it has decided and spent; None where nothing is prepared."""
    is_used: bool = False
    """True once a plan has taken it and bears its cost."""

    async def spent(self) -> Spent:
        """Return what was decided and spent; nothing where nothing was prepared."""
        return Spent() if self.work is None or self.is_used else await self.work


class Preparing:
    """Has questions prepared.

    Args:
        ensemble: Knows the planner.
        wanted: Whether anything is prepared.
    """

    def __init__(self, ensemble: Ensemble, *, wanted: bool) -> None:
        self._ensemble = ensemble
        self._wanted = wanted

    @asynccontextmanager
    async def begun(self, state: FlowState) -> AsyncIterator[Prepared]:
        """Begin to prepare a flow's question; the body checks, routes and plan it."""
        if not self._may_begin(state):
            yield Prepared()
            return
        work = asyncio.create_task(self._spent(state), name=PREPARED)
        prepared = Prepared(work)
        try:
            yield prepared
        except asyncio.CancelledError:
            # Whoever ends a flow's work asks its hops what was spent on calls that were cut.
            state.budget.usage += (await _cut(work) or Spent()).usage
            raise
        except BaseException:
            await self._throw_away(state, prepared, work)
            raise
        await self._throw_away(state, prepared, work)

    def _may_begin(self, state: FlowState) -> bool:
        left, kept = state.budget.left(), state.checkpoints
        can_pay = left.model_calls >= DECISION_CALLS_MAX * (BESIDE + OWN) and left.model_failures > BESIDE
        is_over = kept.has(draft_place(1)) or kept.has(f"{CUT}{PREPARED}/1")
        return self._wanted and not is_over and can_pay and can_spare(state)

    async def _spent(self, state: FlowState) -> Spent:
        """Ask for the preparation, once in the flow's life; where it fails nothing is prepared."""
        try:
            made = await state.checkpoints.once(PREPARED, PrepareQuestionResponse, partial(self._prepare, state))
        except HapjuError as error:
            _log.warning("question_not_prepared", reason=error.reason)
            return Spent((), error.spent.usage)
        return made.spent

    async def _prepare(self, state: FlowState) -> PrepareQuestionResponse:
        with state.budget.lend(FIRST_AT_ONCE) as loan:
            run, failures = state.run(loan), loan.budget.model_failures - BESIDE
            run = replace(run, budget=replace(run.budget, model_failures=failures))
            return await self._ensemble.prepare_question(
                PrepareQuestionRequest(run, shown_text(state.question), state.history)
            )

    async def _throw_away(self, state: FlowState, prepared: Prepared, work: "asyncio.Task[Spent]") -> None:
        """Cut a preparation short that no plan has taken, and account for it."""
        if prepared.is_used:
            return
        spent = await _cut(work)
        if spent is None:
            with deadlines.within(CUT_SECONDS_MAX):
                spent = Spent((), (await self._ensemble.cut_short("planner", state.flow_run_id)).usage)
        await state.throw_away(PREPARED, spent.usage)


async def _cut(work: "asyncio.Task[Spent]") -> Spent | None:
    """Stop a preparation, and return what it has come to; None where it was cut short."""
    work.cancel()
    await asyncio.wait({work})
    return None if work.cancelled() else work.result()
