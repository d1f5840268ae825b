"""A real endpoint on loopback, a decider that uses it, and the flow that decisions belong to."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from prompts.prompt import ModelRole
from services.contract.flow import Budget, RunContext
from services.llm.decider import Decider
from services.llm.formats import OutputModes
from services.llm.model import Model
from services.llm.prices import Prices
from services.llm.providers.openai_compatible import CallTimeouts, OpenAiCompatible
from services.runtime import deadlines, ledger, run
from tests.support.model_server import ModelServer

Flow = Callable[..., AbstractContextManager[ledger.Ledger]]
MakeDecider = Callable[..., Decider]

MODEL_NAMES = {role: f"test-{role}" for role in ModelRole}


@contextmanager
def _flow(
    *,
    locale: str = "ko",
    model_calls: int = 40,
    tokens: int = 100_000,
    model_failures: int = 3,
    cost_micro_usd: int = 0,
    deadline_seconds: float = 30.0,
    settled_kinds: tuple[str, ...] = (),
    flow_run_id: str = "019ac5a8-0000-7000-8000-000000000001",
) -> Iterator[ledger.Ledger]:
    context = RunContext(
        flow_run_id=flow_run_id,
        session_id="s-1",
        locale=locale,
        now=datetime(2026, 3, 2, tzinfo=UTC),
        time_zone="Asia/Seoul",
        budget=Budget(model_calls, tokens, model_failures, cost_micro_usd),
        domains=("general",),
        settled_kinds=settled_kinds,
    )
    with run.use(context), ledger.opened() as opened, deadlines.within(deadline_seconds):
        yield opened


@pytest.fixture
def flow() -> Flow:
    """Open a flow with a ledger and a deadline; budgets and locale by name."""
    return _flow


@pytest_asyncio.fixture
async def server() -> AsyncIterator[ModelServer]:
    """The scriptable endpoint."""
    async with ModelServer() as started:
        yield started


@pytest_asyncio.fixture
async def model(server: ModelServer) -> AsyncIterator[OpenAiCompatible]:
    """The real client, which waits longer than any test: what is slow is the machine, and no test looks for that."""
    client = OpenAiCompatible(server.base_url, "key", CallTimeouts(20.0, 20.0, 20.0, 20.0))
    yield client
    await client.aclose()


@pytest_asyncio.fixture
async def hasty(server: ModelServer) -> AsyncIterator[Decider]:
    """A decider over the real client with short times, for what looks at how long is waited."""
    timeouts = CallTimeouts(connect_seconds=1.0, first_token_seconds=0.5, idle_seconds=0.3, call_seconds=1.0)
    client = OpenAiCompatible(server.base_url, "key", timeouts)
    yield make_decider(client)
    await client.aclose()


def make_decider(model: Model | None, mode: str = "auto", prices: Prices | None = None) -> Decider:
    """Return a decider of the router over a model."""
    return Decider("router", model=model, model_names=MODEL_NAMES, modes=OutputModes(mode), prices=prices)


@pytest.fixture
def decider(model: OpenAiCompatible) -> Decider:
    """A decider over the real client."""
    return make_decider(model)


@pytest.fixture
def decider_over() -> MakeDecider:
    """Make a decider over any model."""
    return make_decider
