"""A question is prepared while it is checked and routed: used once, or thrown away with its cost counted."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from services.contract.flow import Budget, Decision, DecisionSource, Spent, Usage
from services.contract.planner import PrepareQuestionRequest, PrepareQuestionResponse
from services.durable.checkpoints import Checkpoint, Checkpoints
from services.orchestrator.calls import LetGo
from services.orchestrator.flow.state import FlowState
from services.orchestrator.speculation.preparing import BESIDE, Preparing
from services.runtime.errors import HapjuError, Unavailable
from tests.unit.orchestrator.test_loop import NOW, plan_step, state_of

COST = Usage(model_calls=2, input_tokens=30)
DECISION = Decision(
    "planner", "query_rewrite", DecisionSource.LLM, "1", "m", "", b"{}", None, "", "", timedelta(), COST, NOW
)
SPENT = Spent((DECISION,), COST)


@dataclass
class Planner:
    """A planner that prepares once it may, and tells what a cut preparation had cost."""

    may: asyncio.Event = field(default_factory=asyncio.Event)
    fails: HapjuError | None = None
    asked: list[PrepareQuestionRequest] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)

    async def prepare_question(self, request: PrepareQuestionRequest) -> PrepareQuestionResponse:
        """Prepares a question."""
        self.asked.append(request)
        await self.may.wait()
        if self.fails is not None:
            raise self.fails
        return PrepareQuestionResponse(SPENT)

    async def cut_short(self, peer: str, flow_run_id: str) -> LetGo:
        """Tells what the cut call had spent."""
        del flow_run_id
        self.cut.append(peer)
        return LetGo(usage=Usage(model_calls=1))


def ready(**fields: Any) -> Planner:
    """Returns a planner that prepares at once."""
    planner = Planner(**fields)
    planner.may.set()
    return planner


def preparing(planner: Planner, *, wanted: bool = True) -> Preparing:
    """Returns what is tested."""
    return Preparing(planner, wanted=wanted)  # type: ignore[arg-type]


async def flow(kept: dict[str, Checkpoint] | None = None) -> FlowState:
    """Returns a flow, one that is gone on with where it has checkpoints."""
    state, _ = await state_of(plan_step("s1", "realty.search"))
    written = {} if kept is None else kept

    async def record(made: tuple[Checkpoint, ...]) -> None:
        written.update({one.name: one for one in made})

    state.checkpoints = Checkpoints(record, dict(written))
    return state


@pytest.mark.asyncio
async def test_a_plan_takes_what_was_prepared() -> None:
    """It gets the decisions with their cost, which it then bears itself."""
    state, planner = await flow(), ready()
    async with preparing(planner).begun(state) as prepared:
        assert await prepared.spent() == SPENT
        prepared.is_used = True
        assert await prepared.spent() == Spent()
    assert (state.budget.usage, state.budget.decisions, planner.cut) == (Usage(), [], [])
    lent, limits = planner.asked[0].run.budget, state.budget.limits
    assert 0 < lent.model_calls <= limits.model_calls / 2
    assert 0 < lent.tokens <= limits.tokens / 2
    assert lent.model_failures == limits.model_failures - BESIDE


@pytest.mark.asyncio
async def test_what_no_plan_has_taken_is_paid_for() -> None:
    """It leaves no decision; the next driver neither asks for it nor counts it again."""
    kept: dict[str, Checkpoint] = {}
    state = await flow(kept)
    async with preparing(ready()).begun(state) as prepared:
        await prepared.spent()
    assert (state.budget.usage, state.budget.decisions) == (COST, [])
    next_state, planner = await flow(kept), ready()
    async with preparing(planner).begun(next_state) as prepared:
        assert await prepared.spent() == Spent()
    assert (next_state.budget.usage, planner.asked) == (Usage(), [])


@pytest.mark.asyncio
@pytest.mark.parametrize("ended_by", [None, Unavailable("no router")])
async def test_what_is_still_open_is_cut_short(ended_by: HapjuError | None) -> None:
    """A reply does not wait for it, and neither does a failure; the planner tells what it had cost."""
    state, planner = await flow(), Planner()

    async def body() -> None:
        async with preparing(planner).begun(state):
            await asyncio.sleep(0)
            if ended_by is not None:
                raise ended_by

    async with asyncio.timeout(2):
        (ended,) = await asyncio.gather(body(), return_exceptions=True)
    assert ended is ended_by
    assert (planner.cut, state.budget.usage) == (["planner"], Usage(model_calls=1))


@pytest.mark.asyncio
async def test_a_cancelled_flow_asks_nobody() -> None:
    """Whoever cancelled it asks its hops; what had been prepared by then is counted here."""
    for planner, usage in ((Planner(), Usage()), (ready(), COST)):
        state = await flow()

        async def body(state: FlowState = state, planner: Planner = planner) -> None:
            async with preparing(planner).begun(state):
                await asyncio.Event().wait()

        work = asyncio.create_task(body())
        await asyncio.sleep(0.01)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert (planner.cut, state.budget.usage) == ([], usage)


@pytest.mark.asyncio
async def test_a_preparation_that_fails_leaves_it_to_the_plan() -> None:
    """The plan decides all of it; what the failed call had cost goes to it as well."""
    state = await flow()
    error = Unavailable("gone")
    error.spent = SPENT
    async with preparing(ready(fails=error)).begun(state) as prepared:
        assert await prepared.spent() == Spent((), COST)


@pytest.mark.asyncio
async def test_the_next_driver_takes_what_was_kept() -> None:
    """What was prepared before the flow changed hands is not asked for again."""
    kept: dict[str, Checkpoint] = {}
    async with preparing(ready()).begun(await flow(kept)) as prepared:
        await prepared.spent()
        prepared.is_used = True
    planner = Planner()
    async with preparing(planner).begun(await flow(kept)) as prepared:
        assert await prepared.spent() == SPENT
        prepared.is_used = True
    assert planner.asked == []


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("limits", "wanted"),
    [(Budget(9, 100_000, 3, 0), True), (Budget(40, 100_000, 2, 0), True), (Budget(40, 100_000, 3, 0), False)],
    ids=["few calls", "few failures", "switched off"],
)
async def test_nothing_is_prepared_without_means(limits: Budget, wanted: bool) -> None:
    """What the verdict and the route may need is not spent beside them."""
    state, planner = await flow(), ready()
    state.budget.limits = limits
    async with preparing(planner, wanted=wanted).begun(state) as prepared:
        assert await prepared.spent() == Spent()
    assert planner.asked == []
