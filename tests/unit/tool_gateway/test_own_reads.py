"""Reads of the shop: what belongs to the caller, what everybody sees, and what is computed."""

import itertools
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from services.contract.tool import ToolFailure, ToolResult
from services.runtime.identity import Caller
from services.tool_gateway.data.reader import Reader
from services.tool_gateway.invocation import Call, Invocations
from services.tool_gateway.reads import GatewayReads
from services.tool_gateway.registry import load_registry
from tests.support.shop import DELIVERED, SHIPPED
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
        Call(f"flow-{next(_FLOWS)}", "step-1", tool, document, f"hapju.tool.{tool}.arguments.v1", who)
    )


def seller(user_id: str) -> Caller:
    """Return a seller."""
    return Caller(user_id, user_type="seller", service=AGENT)


@pytest.mark.asyncio
async def test_orders_are_the_callers_own(shop_calls: Invocations) -> None:
    """A user sees their ten orders with items; another's id and another tenant's look like a missing one."""
    rows = rows_of(await call(shop_calls, "order_list", {"limit": 100}))
    assert {row["order_id"] for row in rows} == {f"ORD-{number}" for number in range(10001, 10011)}
    shipped = rows_of(await call(shop_calls, "order_list", {"order_id": SHIPPED.lower()}))
    assert shipped[0]["status"] == "shipped"
    assert shipped[0]["tracking_number"]
    jun = Caller("jun", user_type="consumer", service=AGENT)
    elsewhere = Caller("mina", tenant="elsewhere", service=AGENT)
    for tool in ("order_list", "order_track"):
        foreign = await call(shop_calls, tool, {"order_id": DELIVERED}, jun)
        abroad = await call(shop_calls, tool, {"order_id": DELIVERED}, elsewhere)
        missing = await call(shop_calls, tool, {"order_id": "ORD-88888"}, jun)
        assert isinstance(foreign, ToolFailure)
        assert isinstance(missing, ToolFailure)
        assert foreign == abroad
        assert foreign.reason == missing.reason == "NOT_FOUND"
        assert foreign.message.replace(DELIVERED, "ORD-88888") == missing.message


@pytest.mark.asyncio
async def test_an_order_is_tracked_through_its_states(shop_calls: Invocations) -> None:
    """The history ends with where the order stands; provenance says sample and does not name the user."""
    outcome = await call(shop_calls, "order_track", {"order_id": DELIVERED})
    rows = rows_of(outcome)
    assert [row["status"] for row in rows] == ["pending", "paid", "preparing", "shipped", "delivered"]
    assert isinstance(outcome, ToolResult)
    assert outcome.provenance.sample
    assert b"mina" not in outcome.provenance.filters_json


@pytest.mark.asyncio
@pytest.mark.parametrize("tool", ["order_list", "order_cart", "rewards"])
async def test_nobody_anonymous_reads_what_is_somebodys(shop_calls: Invocations, tool) -> None:
    """Without a user there is nothing to own."""
    refused = await call(shop_calls, tool, {}, Caller(service=AGENT))
    assert isinstance(refused, ToolFailure)
    assert refused.reason == "UNAUTHORIZED_ACTION"


@pytest.mark.asyncio
async def test_cart_and_rewards(shop_calls: Invocations) -> None:
    """The cart has its two lines; points come first, then the four coupons."""
    assert len(rows_of(await call(shop_calls, "order_cart", {}))) == 2
    rewards = rows_of(await call(shop_calls, "rewards", {}))
    assert [row["kind"] for row in rewards] == ["points", "percent", "amount", "percent", "percent"]
    assert rewards[0]["value"] == 12_400


@pytest.mark.asyncio
async def test_a_sellers_figures_are_their_own(shop_calls: Invocations) -> None:
    """By day and by product the sums agree; a consumer is refused; another seller's product has no rows."""
    period = {"date_from": "2026-05-01", "date_to": "2026-05-31"}
    days = rows_of(await call(shop_calls, "seller_sales", period, seller("haneul")))
    products = rows_of(await call(shop_calls, "seller_sales", {**period, "by": "product"}, seller("haneul")))
    assert (len(days), len(products)) == (31, 8)
    for figure in ("units", "orders", "revenue_krw", "cost_krw", "visitors"):
        assert sum(row[figure] for row in days) == sum(row[figure] for row in products)
    refused = await call(shop_calls, "seller_sales", period)
    assert isinstance(refused, ToolFailure)
    assert refused.reason == "UNAUTHORIZED_ACTION"
    own = products[0]["product_id"]
    assert rows_of(await call(shop_calls, "seller_sales", {**period, "product_id": own}, seller("barun"))) == []
    listed = rows_of(await call(shop_calls, "seller_listings", {"limit": 300}, seller("haneul")))
    others = rows_of(await call(shop_calls, "seller_listings", {"limit": 300}, seller("barun")))
    assert {row["listing_id"] for row in listed}.isdisjoint(row["listing_id"] for row in others)
    assert len(listed) == 108


@pytest.mark.asyncio
async def test_reviews_name_their_writer_by_nickname(shop_calls: Invocations) -> None:
    """A product's reviews are returned newest first; an unknown product is said to be unknown."""
    bought = rows_of(await call(shop_calls, "order_list", {"order_id": "ORD-10007"}))[0]["product_id"]
    reviews = rows_of(await call(shop_calls, "review_list", {"product_id": bought}))
    assert "미나" in {row["nickname"] for row in reviews}
    assert reviews == sorted(reviews, key=lambda row: row["written_at"], reverse=True)
    unknown = await call(shop_calls, "review_list", {"product_id": "NO-SUCH"})
    assert isinstance(unknown, ToolFailure)
    assert unknown.reason == "VALUE_OUT_OF_RANGE"


@pytest.mark.asyncio
async def test_prices_are_compared_in_the_order_of_the_spec(shop_calls: Invocations) -> None:
    """Base price, discount, coupon, points; the coupon counts from its minimum on, and the cheapest comes first."""
    ids = ["CHAIR-0010", "CHAIR-0020", "CHAIR-0036"]
    arguments = {
        "product_ids": ids,
        "coupon_percent": 10,
        "coupon_max_krw": 5_000,
        "order_min_krw": 100_000,
        "points_krw": 1_000,
    }
    rows = rows_of(await call(shop_calls, "price_compare", arguments))
    for row in rows:
        coupon = min(row["price_krw"] // 10, 5_000) if row["price_krw"] >= 100_000 else 0
        assert row["coupon_discount_krw"] == coupon
        assert row["list_price_krw"] - row["discount_krw"] == row["price_krw"]
        assert row["final_price_krw"] == row["price_krw"] - coupon - 1_000
    assert [row["rank"] for row in rows] == [1, 2, 3]
    missing = await call(shop_calls, "price_compare", {"product_ids": ["CHAIR-0010", "CHAIR-7777"]})
    assert isinstance(missing, ToolFailure)
    assert "CHAIR-7777" in missing.message


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
