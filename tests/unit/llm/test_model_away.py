"""Many questions over an endpoint that is away: one waits, the others go by rule, and it is found again."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from datetime import date
from time import monotonic

import pytest
import pytest_asyncio
from pydantic import SecretStr

from prompts.fields import Trusted
from prompts.planner.query_normalization import PROMPT, Inputs, Output
from services.contract.flow import DecisionSource
from services.llm import circuits
from services.llm.build import decider_from
from services.llm.decider import Decided, Decider
from services.llm.model import FailureReason
from services.runtime import ledger
from services.runtime.model_settings import LlmSettings
from tests.support.model_server import ModelServer, Reply

Flow = Callable[..., AbstractContextManager[ledger.Ledger]]

INPUTS = Inputs(question="지난달 물가는?", today=date(2026, 3, 2), time_zone=Trusted("Asia/Seoul"))
GOOD = Reply(text=json.dumps({"normalised_question": "지난달 물가는?", "reasoning": "plain"}))


def rule(inputs: Inputs) -> Output:
    """Leave the question as it is."""
    return Output(normalised_question=inputs.question, reasoning="")


@pytest_asyncio.fixture
async def services(server: ModelServer) -> AsyncIterator[tuple[Decider, Decider]]:
    """Two services of one process that ask models of two roles at one endpoint, with short times."""
    settings = LlmSettings(base_url=server.base_url, api_key=SecretStr("k"), call_timeout_seconds=1.0)
    made = tuple(
        decider_from(settings.model_copy(update={"model_utility": name}), "planner") for name in ("one", "two")
    )
    yield made[0], made[1]
    for one in made:
        await one.aclose()


async def asked(decider: Decider, flow: Flow, number: int) -> Decided[Output]:
    """Decide for a question of its own."""
    with flow(flow_run_id=f"019ac5a8-0000-7000-8000-{number:012}"):
        return await decider.decide(PROMPT, INPUTS, rule)


@pytest.mark.asyncio
async def test_with_a_hung_endpoint_only_the_first_question_waits(
    server: ModelServer, services: tuple[Decider, Decider], flow: Flow
) -> None:
    """Of twenty questions one is sent; the others go by rule and say why.

    The next one tries; once it is answered, all are asked again.
    """
    server.always(Reply(hang=True))
    # The first asks twice, as the decisions of one question do: it is one question all the same.
    decided = [await asked(services[0], flow, number) for number in (0, 0, *range(1, 20))]
    assert [one.fallback_reason for one in decided] == [
        FailureReason.TIMED_OUT,
        *[FailureReason.MODEL_AWAY] * circuits.QUESTIONS,
    ]
    assert {one.source for one in decided[1:]} == {DecisionSource.RULE}
    assert len(server.calls) == 1
    server.always(GOOD)
    later = [await asked(services[0], flow, number) for number in range(20, 23)]
    assert [one.source for one in later] == [DecisionSource.LLM] * 3


@pytest.mark.asyncio
async def test_another_try_in_vain_lets_nobody_else_wait(
    server: ModelServer, services: tuple[Decider, Decider], flow: Flow
) -> None:
    """Of sixty questions over an endpoint that stays away three are sent."""
    server.always(Reply(hang=True))
    for number in range(60):
        await asked(services[0], flow, number)
    assert len(server.calls) == 3


@pytest.mark.asyncio
async def test_time_alone_lets_a_question_try(
    server: ModelServer, services: tuple[Decider, Decider], flow: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where few ask, the first after a minute tries, and it is the only one while it does."""
    server.always(Reply(hang=True))
    await asked(services[0], flow, 0)
    later = monotonic() + circuits.AWAY_SECONDS + 1
    monkeypatch.setattr("circuitbreaker.monotonic", lambda: later)
    server.always(GOOD)
    assert (await asked(services[0], flow, 1)).source is DecisionSource.LLM


@pytest.mark.asyncio
async def test_a_model_that_is_slow_alone_does_not_close_the_endpoint(
    server: ModelServer, services: tuple[Decider, Decider], flow: Flow
) -> None:
    """A fault that is told at once needs several in a row, and is one model's affair."""
    server.always(Reply(status=401))
    for number in range(circuits.FAILURES_MAX):
        await asked(services[0], flow, number)
    server.always(Reply(status=503))
    for number in range(circuits.FAILURES_MAX, 2 * circuits.FAILURES_MAX):
        await asked(services[0], flow, number)
    server.always(GOOD)
    assert (await asked(services[0], flow, 90)).fallback_reason == FailureReason.MODEL_AWAY
    assert (await asked(services[1], flow, 91)).source is DecisionSource.LLM


@pytest.mark.asyncio
async def test_a_short_deadline_tells_nothing_of_an_endpoint(
    server: ModelServer, services: tuple[Decider, Decider], flow: Flow
) -> None:
    """A caller that leaves no time is not a model that does not answer."""
    server.always(Reply(hang=True))
    with flow(deadline_seconds=0.5):
        assert (await services[0].decide(PROMPT, INPUTS, rule)).fallback_reason == FailureReason.TIMED_OUT
    server.always(GOOD)
    assert (await asked(services[0], flow, 2)).source is DecisionSource.LLM


@pytest.mark.parametrize("status", [429, 500, 503])
@pytest.mark.asyncio
async def test_a_limit_is_met_once_more_when_it_has_passed(
    server: ModelServer, services: tuple[Decider, Decider], flow: Flow, status: int
) -> None:
    """A limit and a fault of the server are asked once more, after the time that the endpoint wants."""
    server.script(PROMPT.kind, Reply(status=status, retry_after="0.1"), GOOD)
    decided = await asked(services[0], flow, 1)
    assert (decided.source, len(server.calls), decided.usage.model_calls) == (DecisionSource.LLM, 2, 1)


@pytest.mark.asyncio
async def test_a_limit_beyond_the_calls_time_is_not_waited_for(
    server: ModelServer, services: tuple[Decider, Decider], flow: Flow
) -> None:
    """A minute is longer than any question has: the rule decides at once."""
    server.always(Reply(status=429, retry_after="60"))
    decided = await asked(services[0], flow, 1)
    assert (decided.fallback_reason, len(server.calls)) == (FailureReason.RATE_LIMITED, 1)
    assert decided.latency.total_seconds() < 30
