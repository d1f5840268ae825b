"""What a flow may spend is held back before a model is asked and settled afterwards; nothing goes beyond it."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from prompts.prompt import ModelRole
from prompts.router.intent_analysis import PROMPT
from services.contract.flow import DecisionSource, Usage
from services.llm.decider import Decider, in_mode, request_for
from services.llm.formats import instruction
from services.llm.model import FailureReason, OutputMode
from services.llm.prices import Prices
from services.llm.providers.openai_compatible import OpenAiCompatible
from services.runtime import ledger
from services.runtime.ledger import tokens_of
from services.runtime.model_settings import ModelPrice
from tests.support.model_server import ModelServer, Reply
from tests.unit.llm.conftest import MODEL_NAMES
from tests.unit.llm.test_decide_over_http import INPUTS, KIND, decide, good

pytestmark = pytest.mark.asyncio
Flow = Callable[..., AbstractContextManager[ledger.Ledger]]
MakeDecider = Callable[..., Decider]

PRICED = Prices((ModelPrice(model=MODEL_NAMES[ModelRole.ROUTER], input=2.0, output=8.0),))
"""Two and eight micro USD a token."""


def claim(prices: Prices = PRICED) -> Usage:
    """Returns what one call of the test's decision may come to."""
    asking = in_mode(request_for(PROMPT, INPUTS, MODEL_NAMES[ModelRole.ROUTER]), PROMPT.output, OutputMode.JSON_SCHEMA)
    return prices.claim(asking, PROMPT.output)


async def test_a_claim_bounds_what_goes_out_and_what_may_come_back(flow: Flow) -> None:
    """It holds the messages, the schema and the whole output limit, by the model's price."""
    with flow():
        claimed = claim()
        request = request_for(PROMPT, INPUTS, MODEL_NAMES[ModelRole.ROUTER])
    asked = sum(tokens_of(message.text) for message in request.messages) + tokens_of(instruction(PROMPT.output, "en"))
    assert claimed == Usage(0, asked, request.max_tokens, 2 * asked + 8 * request.max_tokens)


async def test_decisions_side_by_side_share_the_tokens(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """With tokens for two calls and a half, two of four at once are made; what is not used is there for a later one."""
    server.always(Reply(text=good(), latency_seconds=0.05))
    with flow():
        one = claim().input_tokens + claim().output_tokens
    with flow(tokens=int(2.5 * one)) as opened:
        decided = await asyncio.gather(*(decide(decider) for _ in range(4)))
        assert server.count(KIND) == 2
        assert sum(one.fallback_reason == FailureReason.TOKENS_SPENT for one in decided) == 2
        assert opened.reserved == Usage()
        used = opened.usage.input_tokens + opened.usage.output_tokens
        assert 0 < used < one, "the doubles say what they used, which is less than what was held back"
        assert (await decide(decider)).source is DecisionSource.LLM


async def test_money_is_counted_and_bounds(
    server: ModelServer, model: OpenAiCompatible, flow: Flow, decider_over: MakeDecider
) -> None:
    """A priced model costs by its tokens, and one call more than there is money for is not made."""
    server.always(Reply(text=good()))
    decider = decider_over(model, prices=PRICED)
    with flow():
        once = claim().cost_micro_usd
    with flow(cost_micro_usd=once) as opened:
        assert (await decide(decider)).source is DecisionSource.LLM
        usage = opened.decisions[0].usage
        assert usage.cost_micro_usd == 2 * usage.input_tokens + 8 * usage.output_tokens == opened.usage.cost_micro_usd
        assert usage.cost_micro_usd > 0
        assert (await decide(decider)).fallback_reason == FailureReason.COST_SPENT
    assert server.count(KIND) == 1


async def test_without_a_price_money_is_no_limit(server: ModelServer, decider: Decider, flow: Flow) -> None:
    """Where the deployment names no price an allowance of nothing holds nothing back."""
    server.always(Reply(text=good()))
    with flow(cost_micro_usd=0) as opened:
        assert (await decide(decider)).source is DecisionSource.LLM
    assert opened.usage.cost_micro_usd == 0


async def test_a_failed_call_gives_back_and_a_cancelled_one_does_not(
    server: ModelServer, decider: Decider, flow: Flow
) -> None:
    """An endpoint that refused has written nothing; one that was left in the middle may have."""
    server.script(KIND, Reply(status=500), Reply(status=500), Reply(hang=True))
    with flow() as opened:
        assert (await decide(decider)).source is DecisionSource.FALLBACK
        assert opened.reserved == Usage()
        asking = asyncio.create_task(decide(decider))
        async with asyncio.timeout(5):
            while server.count(KIND) < 3:
                await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.wait({asking})
        assert (opened.reserved, opened.usage.model_calls) == (claim(Prices()), 2)


@pytest.mark.parametrize("reply", [Reply(hang=True), Reply(text=good(), latency_seconds=30.0)])
async def test_a_call_that_times_out_has_cost_what_it_may(
    server: ModelServer, model: OpenAiCompatible, flow: Flow, decider_over: MakeDecider, reply: Reply
) -> None:
    """Nobody knows what an endpoint did that was left: its question and all of its answer count."""
    server.always(reply)
    with flow(deadline_seconds=1.0, cost_micro_usd=1_000_000) as opened:
        decided = await decide(decider_over(model, prices=PRICED))
        may_come_to = claim()
    assert (decided.fallback_reason, opened.reserved) == (FailureReason.TIMED_OUT, Usage())
    assert decided.usage == may_come_to + Usage(model_calls=1)
    assert decided.usage.cost_micro_usd > 0
