"""A decision that is asked for before its inputs are certain: the same decision, earlier."""

import asyncio
import json

import pytest

from prompts.fields import Untrusted
from prompts.planner import keyword_extraction
from services.contract.flow import DecisionSource
from services.llm.ahead import PendingDecision, ahead
from services.llm.decider import Decider
from tests.support.model_server import ModelServer, Reply
from tests.unit.llm.conftest import Flow, make_decider

KIND = keyword_extraction.PROMPT.kind


def _asking(decider: Decider, question: str) -> PendingDecision[keyword_extraction.Inputs, keyword_extraction.Output]:
    words = keyword_extraction.Output(keywords=("rule",), confidence=1.0, reasoning="the rule")
    return PendingDecision(
        decider, keyword_extraction.PROMPT, keyword_extraction.Inputs(question=Untrusted(question)), lambda _: words
    )


def _reply(word: str, *, latency_seconds: float = 0.0) -> Reply:
    said = {"keywords": [word], "confidence": 0.9, "reasoning": "r"}
    return Reply(text=json.dumps(said), latency_seconds=latency_seconds)


@pytest.mark.asyncio
async def test_inputs_as_foreseen_are_asked_about_once(decider: Decider, server: ModelServer, flow: Flow) -> None:
    """The model is asked while the body still works, and its answer is the decision."""
    server.script(KIND, _reply("early"))
    with flow() as ledger:
        async with ahead(_asking(decider, "one")) as foreseen:
            await server.until(lambda it: it.count(KIND) == 1)
            decided = await foreseen.upon(_asking(decider, "one"))
    assert (decided.output.keywords, server.count(KIND)) == (("early",), 1)
    assert [one.source for one in ledger.decisions] == [DecisionSource.LLM]


@pytest.mark.asyncio
async def test_other_inputs_are_asked_about_anew(decider: Decider, server: ModelServer, flow: Flow) -> None:
    """What was foreseen wrongly decides nothing: its call is cut off, and counted."""
    server.script(KIND, _reply("wrong", latency_seconds=5.0), _reply("right"))
    with flow() as ledger:
        async with ahead(_asking(decider, "one")) as foreseen:
            await server.until(lambda it: it.count(KIND) == 1)
            decided = await foreseen.upon(_asking(decider, "two"))
        await server.until(lambda it: it.closed_by_peer == 1)
    assert decided.output.keywords == ("right",)
    assert ([one.source for one in ledger.decisions], ledger.usage.model_calls) == ([DecisionSource.LLM], 2)


@pytest.mark.asyncio
async def test_an_answer_that_came_to_nothing_is_no_decision(decider: Decider, server: ModelServer, flow: Flow) -> None:
    """A wrong guess that was answered before it turned out wrong is paid for and not written down."""
    server.script(KIND, _reply("wrong"), _reply("right"))
    with flow() as ledger:
        async with ahead(_asking(decider, "one")) as foreseen:
            await server.until(lambda it: len(it.spans) == 1)
            await asyncio.sleep(0.05)
            decided = await foreseen.upon(_asking(decider, "two"))
    assert [json.loads(one.output_json)["keywords"] for one in ledger.decisions] == [["right"]]
    assert (ledger.usage.model_calls, decided.output.keywords) == (2, ("right",))
    assert ledger.usage.input_tokens == 2 * decided.usage.input_tokens


@pytest.mark.asyncio
async def test_a_guess_spends_what_the_others_may_spend(decider: Decider, server: ModelServer, flow: Flow) -> None:
    """An early question counts against the budget from its beginning, like any other."""
    server.script(KIND, _reply("early", latency_seconds=0.2))
    with flow(model_calls=1):
        async with ahead(_asking(decider, "one")) as foreseen:
            await server.until(lambda it: it.count(KIND) == 1)
            other = await _asking(decider, "two").decide()
            decided = await foreseen.upon(_asking(decider, "one"))
    assert (other.source, decided.source) == (DecisionSource.RULE, DecisionSource.LLM)


@pytest.mark.asyncio
async def test_another_decider_decides_itself(decider: Decider, server: ModelServer, flow: Flow) -> None:
    """Where it has turned out that there is nothing to ask a model, the rule says it."""
    server.script(KIND, _reply("wrong", latency_seconds=5.0))
    with flow():
        async with ahead(_asking(decider, "one")) as foreseen:
            decided = await foreseen.upon(_asking(make_decider(None), "one"))
    assert (decided.source, decided.output.keywords) == (DecisionSource.RULE, ("rule",))


@pytest.mark.asyncio
@pytest.mark.parametrize("early", [True, False])
async def test_nothing_is_asked_early_without_need(
    server: ModelServer, decider: Decider, flow: Flow, early: bool
) -> None:
    """A rule is not asked twice, and what is not to be asked early is not asked at all before it is needed."""
    with flow() as ledger:
        async with ahead(_asking(decider if not early else make_decider(None), "one"), early=early):
            await asyncio.sleep(0.05)
    assert (server.calls, ledger.decisions) == ([], [])


@pytest.mark.asyncio
async def test_a_cancelled_body_leaves_no_call(decider: Decider, server: ModelServer, flow: Flow) -> None:
    """Whoever waits for the inputs may be cancelled; the early call goes with it, and the cancellation gets through."""
    server.script(KIND, Reply(hang=True))

    async def body() -> None:
        with flow():
            async with ahead(_asking(decider, "one")):
                await asyncio.Event().wait()

    task = asyncio.create_task(body())
    await server.until(lambda it: it.count(KIND) == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await server.until(lambda it: it.open_requests == 0)
