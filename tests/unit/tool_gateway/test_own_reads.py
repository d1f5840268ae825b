"""Reads of the shop: what belongs to the caller is read by the caller alone, and an effect is no read."""

import itertools
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from services.contract.tool import ToolFailure, ToolResult
from services.runtime.identity import Caller
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.invocation import Invocations, ToolInvocation
from services.tool_gateway.query.tool import data_sets
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import load_registry
from tests.support.shop import DELIVERED
from tests.unit.tool_gateway.seeded_data import rows_of

AGENT = "test.agent"
_FLOWS = itertools.count()


@pytest_asyncio.fixture
async def shop_calls(shop_url: str) -> AsyncIterator[Invocations]:
    """Return calls of every tool on the sample shop, on each database in turn."""
    reader, registry = Reader.open(shop_url), load_registry()
    yield Invocations(registry, GatewayReads(reader), {AGENT: frozenset(registry.names)})
    await reader.close()


async def call(calls: Invocations, tool: str, arguments: Any, caller: Caller | None = None) -> ToolResult | ToolFailure:
    """Call a tool in a flow of its own."""
    who = caller or Caller("mina", user_type="consumer", service=AGENT)
    document = json.dumps(arguments).encode()
    return await calls.invoke(
        ToolInvocation(f"flow-{next(_FLOWS)}", "step-1", tool, document, f"hapju.tool.{tool}.arguments.v1", who)
    )


@pytest.mark.asyncio
async def test_provenance_of_own_rows_names_no_user(shop_calls: Invocations) -> None:
    """What is told of where own rows come from says sample, and not whose they are."""
    asked = {"dataset": "own_orders", "mode": "rows", "measures": ["order_id"], "limit": 5}
    outcome = await call(shop_calls, "query_own_data", asked)
    assert isinstance(outcome, ToolResult)
    assert rows_of(outcome)
    assert outcome.provenance.sample
    assert b"mina" not in outcome.provenance.filters_json


@pytest.mark.asyncio
@pytest.mark.parametrize("name", sorted(name for name, data in data_sets().items() if data.owner))
async def test_nobody_anonymous_reads_what_is_somebodys(shop_calls: Invocations, name: str) -> None:
    """Without a user there is nothing to own."""
    asked = {"dataset": name, "mode": "rows", "measures": list(data_sets()[name].dimensions)[:1]}
    refused = await call(shop_calls, "query_own_data", asked, Caller(service=AGENT))
    assert isinstance(refused, ToolFailure)
    assert refused.reason == "UNAUTHORIZED_ACTION"


@pytest.mark.asyncio
async def test_an_effect_is_never_invoked(shop_calls: Invocations) -> None:
    """A tool with a side effect is refused as a read, whoever calls it."""
    asked = {
        "order_create": {"payment_method": "card"},
        "order_cancel": {"order_id": DELIVERED},
        "account_update_profile": {"nickname": "새 이름"},
    }
    for name, arguments in asked.items():
        refused = await call(shop_calls, name, arguments)
        assert isinstance(refused, ToolFailure)
        assert refused.reason == "UNAUTHORIZED_ACTION"
