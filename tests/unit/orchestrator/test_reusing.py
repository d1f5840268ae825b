"""What stands in for a look-up brings its rows along, and nothing that was asked for then."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from services.contract.flow import (
    ActionRequest,
    AgentResult,
    AgentStatus,
    DataNeed,
    Evidence,
    Facet,
    Provenance,
    Speaker,
    Sufficiency,
    ToolCall,
    Turn,
)
from services.contract.recording import Assignment, EarlierFlow, EarlierResult
from services.durable.experiments import DATA_REUSE, HYBRID, NO_REUSE, SUPERVISOR_ONLY
from services.orchestrator.flow.reusing import SETTLED_KINDS, Reusing
from services.orchestrator.flow.state import FlowState
from tests.unit.orchestrator.test_loop import plan_step, state_of

NEED = DataNeed(("product",), (), (Facet("category", ("earphones",)),), ("이어폰",), points_back=True)
ORDER = ActionRequest("CREATE_ORDER", b"{}", "hapju.tool.order_create.arguments.v1")


def _result() -> AgentResult:
    provenance = Provenance("s", "d", "products", b"{}", None, 3, "t.v1", "f", sample=True)
    rows = json.dumps([{"n": n} for n in range(3)]).encode()
    return AgentResult(
        "commerce.product_search",
        "s1",
        AgentStatus.ANSWERED,
        evidence=(Evidence("e1", "product", "이어폰", "", rows, "r.v1", provenance),),
        needs_companion_branch=True,
        action_requests=(ORDER,),
    )


@pytest.mark.asyncio
async def test_a_reused_result_asks_for_nothing_again() -> None:
    """An order that an earlier flow's agent wanted is not wanted once more by whoever reads its rows again."""
    state, _ = await state_of(plan_step("s1", "commerce.product_search"))
    assert state.plan is not None
    sufficiency = Sufficiency(True, 1.0, "chat_history", (), "")
    state.plan = replace(state.plan, need=NEED, sufficiency=sufficiency)
    state.history = (Turn(Speaker.USER, "이어폰", state.now), Turn(Speaker.ASSISTANT, "찾았습니다.", state.now))

    async def earlier() -> tuple[EarlierFlow, ...]:
        return (EarlierFlow("f1", NEED, (EarlierResult(_result(), state.now - timedelta(minutes=2)),)),)

    state.earlier = earlier
    await Reusing(wanted=True, question_seconds_max=1).apply(state)
    assert state.findings.reuse is not None
    assert (state.findings.reuse.use, state.findings.reuse.flow_run_ids) == ("use", ("f1",))
    (given,) = state.findings.takers["s1"]
    assert (given.reused_flow_run_id, len(given.evidence)) == ("f1", 1)
    assert (given.action_requests, given.needs_companion_branch) == ((), False)
    assert state.plan.steps[0].suggested_calls == ()


@pytest.mark.asyncio
async def test_earlier_results_that_cannot_be_loaded_mean_search() -> None:
    """A store that fails ends nothing: the plan stays as it is, and nothing is said of reuse."""
    state, _ = await state_of(plan_step("s1", "commerce.product_search"))
    assert state.plan is not None
    state.plan = planned = replace(state.plan, need=NEED, sufficiency=Sufficiency(True, 1.0, "chat_history", (), ""))
    state.history = (Turn(Speaker.USER, "이어폰", state.now),)

    async def broken() -> tuple[EarlierFlow, ...]:
        raise OSError("the disk is gone")

    state.earlier = broken
    await Reusing(wanted=True, question_seconds_max=1).apply(state)
    assert (state.plan, state.findings.reuse, state.findings.held) == (planned, None, ())


async def _applied(variant: str, sufficiency: Sufficiency, *, held: DataNeed = NEED, minutes: float = 2) -> FlowState:
    """Returns a flow whose held result has been judged under a variant."""
    state, _ = await state_of(plan_step("s1", "commerce.product_search"))
    assert state.plan is not None
    step = replace(state.plan.steps[0], suggested_calls=(ToolCall("product_search", b"{}", "a.v1"),))
    state.plan = replace(state.plan, steps=(step,), need=NEED, sufficiency=sufficiency)
    state.assignments = (Assignment(DATA_REUSE, variant),)
    state.history = (Turn(Speaker.USER, "이어폰", state.now), Turn(Speaker.ASSISTANT, "찾았습니다.", state.now))

    async def earlier() -> tuple[EarlierFlow, ...]:
        return (EarlierFlow("f1", held, (EarlierResult(_result(), state.now - timedelta(minutes=minutes)),)),)

    state.earlier = earlier
    await Reusing(wanted=True, question_seconds_max=1).apply(state)
    return state


SURE = Sufficiency(True, 1.0, "chat_history", (), "the same")
UNSURE = Sufficiency(False, 0.4, "none", (), "something else")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("variant", "sufficiency", "use"),
    [
        (HYBRID, SURE, "use"),
        (HYBRID, UNSURE, "use"),
        (SUPERVISOR_ONLY, SURE, "use"),
        (SUPERVISOR_ONLY, replace(SURE, confidence=0.7), "verify"),
        (SUPERVISOR_ONLY, replace(SURE, confidence=0.6), "search"),
        (SUPERVISOR_ONLY, UNSURE, "search"),
        (NO_REUSE, SURE, ""),
    ],
)
async def test_the_variant_says_which_judgement_decides(variant: str, sufficiency: Sufficiency, use: str) -> None:
    """The measured one, by rule whatever the planner says; the planner's alone; or none, and nothing is told."""
    state = await _applied(variant, sufficiency)
    assert (state.findings.reuse.use if state.findings.reuse is not None else "") == use
    is_used = use in {"use", "verify"}
    assert state.settled_kinds == (SETTLED_KINDS if is_used else ())
    assert state.run().settled_kinds == state.settled_kinds


@pytest.mark.asyncio
@pytest.mark.parametrize("variant", [HYBRID, SUPERVISOR_ONLY])
async def test_no_variant_reuses_what_is_of_something_else(variant: str) -> None:
    """However sure the planner is: what is held of another category does not stand in."""
    other = replace(NEED, facets=(Facet("category", ("laptop",)),))
    state = await _applied(variant, SURE, held=other)
    assert state.findings.reuse is not None
    assert (state.findings.reuse.use, state.findings.reuse.flow_run_ids, state.settled_kinds) == ("search", (), ())
