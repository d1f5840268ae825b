"""Steps that ran side by side are judged side by side, and acted upon one after another."""

from typing import Any

import pytest

from prompts.prompt import ModelRole
from services.contract.flow import Strategy
from services.llm.decider import Decider
from services.llm.formats import OutputModes
from services.llm.providers.openai_compatible import CallTimeouts, OpenAiCompatible
from services.orchestrator.flow.state import FlowState
from services.orchestrator.steps.assessment import Assessor
from services.orchestrator.steps.attempt import Steps
from services.orchestrator.steps.loop import TeamLoop
from services.orchestrator.steps.review import Reviewer
from services.orchestrator.steps.tooling import ToolChoice
from services.runtime.errors import Unavailable
from tests.support.model_server import ModelServer, Reply, Span
from tests.support.models import SENSIBLE, Asked
from tests.unit.orchestrator.test_loop import Found, ScriptedEnsemble, judgement, plan_step, state_of, states

KIND = "execution_orchestration"
SECONDS = 5.0
LATENCY_SECONDS = 0.5
"""Long beside what lies between calls that are made at once, on a busy machine too."""
PLAN = (plan_step("s1", "finance.macro"), plan_step("s2", "finance.equity"), plan_step("s3", "finance.ontology"))
AGENTS = ("finance.macro", "finance.equity", "finance.ontology")


def _added_after_the_first(asked: Asked) -> str:
    """Wants one more step after the first, and goes on as planned after all others."""
    if any(line.endswith(": s1") for line in asked.system.splitlines()):
        return judgement("add_agent", next_agent="finance.real_estate", task="집값도 본다")
    return judgement("continue")


async def executed(
    script: dict[str, list[Any]], *, together: bool = True, answer: Any = SENSIBLE[KIND]
) -> tuple[FlowState, list[Span]]:
    """Runs three steps side by side, and returns the flow and the model's calls for judgements."""
    state, _ = await state_of(*PLAN, strategy=Strategy.PARALLEL)
    quiet = Decider("orchestrator", model=None, model_names={}, modes=OutputModes("auto"))
    agents: Any = ScriptedEnsemble(script)
    async with ModelServer({**SENSIBLE, KIND: answer}) as server:
        server.always(Reply(latency_seconds=LATENCY_SECONDS))
        client = OpenAiCompatible(server.base_url, "key", CallTimeouts(SECONDS, SECONDS, SECONDS, SECONDS))
        model = Decider(
            "orchestrator", model=client, model_names={ModelRole.SUPERVISOR: "m"}, modes=OutputModes("auto")
        )
        loop = TeamLoop(Steps(agents, ToolChoice(quiet)), Assessor(model), Reviewer(quiet), together=together)
        await loop.execute(state)
        await client.aclose()
        await server.until(lambda it: it.open_requests == 0, SECONDS)
        assert state.budget.usage.model_calls == len(server.calls)
        return state, [one for one in server.spans if one.kind == KIND]


def _found() -> dict[str, list[Any]]:
    return {agent: [Found(3)] for agent in AGENTS}


@pytest.mark.asyncio
async def test_side_by_side_the_same_is_judged() -> None:
    """All three judgements overlap; with the shortcut off none do, and each sees what it would have seen."""
    fast, early = await executed(_found())
    slow, late = await executed(_found(), together=False)
    assert len(early) == len(late) == 3
    assert all(one.overlaps(other) for one in early for other in early)
    assert not any(one.overlaps(other) for one in late for other in late if one is not other)
    assert [one.input_digest for one in fast.budget.decisions] == [one.input_digest for one in slow.budget.decisions]
    assert states(fast) == states(slow)


@pytest.mark.asyncio
async def test_a_judgement_on_a_plan_that_has_changed_is_made_anew() -> None:
    """After the first judgement a step is left that the other two did not see: they are asked for again."""
    found = {**_found(), "finance.real_estate": [Found(3)]}
    state, asked = await executed(found, answer=_added_after_the_first)
    assert list(states(state)) == ["s1", "s2", "s3", "added1"]
    assert [one.kind for one in state.budget.decisions] == [KIND] * 4
    assert len(asked) == 6
    alone, _ = await executed(
        {**_found(), "finance.real_estate": [Found(3)]}, answer=_added_after_the_first, together=False
    )
    assert [one.input_digest for one in state.budget.decisions] == [one.input_digest for one in alone.budget.decisions]


@pytest.mark.asyncio
async def test_a_lost_step_does_not_stand_in_the_others_way() -> None:
    """What has failed is settled first, so that the judgements beside it are still asked for together."""
    state, asked = await executed({**_found(), "finance.macro": [Unavailable("gone")]})
    assert len(asked) == 2
    assert asked[0].overlaps(asked[1])
    assert len(state.cautions) == 1
