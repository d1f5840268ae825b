"""An effect happens once, whoever calls however often and whatever is killed."""

import asyncio
import random
import sys
import uuid
from pathlib import Path

import pytest

from services.contract.tool import ActionReceipt, EffectStatus, ToolFailure
from services.tool_gateway.effects.backend import GrpcBackend
from services.tool_gateway.effects.key import EffectKey
from tests.support.effect_child import REFUND
from tests.support.effect_server import EffectServer, effect_server
from tests.support.shop import DELIVERED, JUN, MINA, Shop, open_shop


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "action", ["CREATE_ORDER", *(pytest.param(one, marks=pytest.mark.long) for one in ("ADD_TO_CART", "REFUND_ORDER"))]
)
async def test_fifty_at_once(shop: Shop, action) -> None:
    """50 calls of one key through two replicas: one effect, 50 equal replies, and the same long afterwards."""
    product = shop.offer()["product_id"]
    arguments = {
        "ADD_TO_CART": {"product_id": product, "quantity": 2},
        "REFUND_ORDER": REFUND,
        "CREATE_ORDER": {"items": [{"product_id": product, "quantity": 1}], "payment_method": "card"},
    }[action]
    call = shop.call(action, arguments)
    approval_id = "" if action == "ADD_TO_CART" else await shop.approved(call)
    replica = open_shop(shop.url, clock=shop.clock)
    before = len(shop.rows("SELECT * FROM orders"))
    try:
        replies = await asyncio.gather(
            *(each.actions.execute(call, approval_id) for each in (shop, replica) for _ in range(25))
        )
    finally:
        await replica.writer.close()
    assert len(set(map(repr, replies))) == 1
    assert isinstance(replies[0], ActionReceipt)
    assert replies[0].status is EffectStatus.SUCCEEDED
    assert shop.value("SELECT COUNT(*) FROM effects") == 1
    assert len(shop.rows("SELECT * FROM orders")) == before + (action == "CREATE_ORDER")
    shop.clock.move(hours=23)
    assert await shop.actions.execute(call, approval_id) == replies[0]


@pytest.mark.asyncio
async def test_one_key_stands_for_one_action(shop: Shop) -> None:
    """The same key with another quantity, another type or another user is refused, at once and later."""
    product = shop.offer()["product_id"]
    call = shop.call("ADD_TO_CART", {"product_id": product, "quantity": 1})
    others = [shop.call("ADD_TO_CART", {"product_id": product, "quantity": n}, key=call.key) for n in range(2, 22)]
    outcomes = await asyncio.gather(*(shop.actions.execute(each, "") for each in (call, *others)))
    done = [outcome for outcome in outcomes if isinstance(outcome, ActionReceipt)]
    refused = {outcome.reason for outcome in outcomes if isinstance(outcome, ToolFailure)}
    assert (len(done), refused) == (1, {"KEY_REUSED"})
    again = shop.call("REMOVE_FROM_CART", {"product_id": product}, key=call.key)
    assert await shop.refused(again) == "KEY_REUSED"
    foreign = shop.call("ADD_TO_CART", {"product_id": product}, key=call.key, caller=JUN)
    assert await shop.refused(foreign) == "KEY_REUSED"


@pytest.mark.asyncio
async def test_the_last_piece_is_sold_once(shop: Shop) -> None:
    """Many want what there are three of: three get one each, and the stock ends at nought, never below."""
    scarce = shop.rows("SELECT offer_id, product_id FROM offers WHERE stock = 3 ORDER BY offer_id LIMIT 1")[0]
    items = [{"product_id": scarce["product_id"], "quantity": 1}]
    calls = [shop.call("CREATE_ORDER", {"items": items, "payment_method": "card"}) for _ in range(12)]
    approvals = [await shop.approved(call) for call in calls]
    replica = open_shop(shop.url, clock=shop.clock)
    try:
        outcomes = await asyncio.gather(
            *(
                (shop, replica)[place % 2].actions.execute(call, approval_id)
                for place, (call, approval_id) in enumerate(zip(calls, approvals, strict=True))
            )
        )
    finally:
        await replica.writer.close()
    sold = [outcome for outcome in outcomes if isinstance(outcome, ActionReceipt)]
    assert len(sold) == 3
    assert {o.reason for o in outcomes if isinstance(o, ToolFailure)} == {"BUSINESS_LOGIC_VIOLATION"}
    assert shop.value("SELECT stock FROM offers WHERE offer_id = :o", o=scarce["offer_id"]) == 0


@pytest.mark.asyncio
async def test_parallel_partial_refunds_stay_within_what_was_paid(shop: Shop) -> None:
    """Five refunds that together exceed the paid amount: as many are done as fit, and the books agree."""
    paid = shop.value("SELECT paid_krw FROM orders WHERE order_id = :o", o=DELIVERED)
    part = paid // 3
    calls = [shop.call("REFUND_ORDER", {**REFUND, "amount_krw": part}) for _ in range(5)]
    # Each is shown before any is done, so all but the first would show another return fee by then.
    approvals = [await shop.approved(call) for call in calls]
    outcomes = await asyncio.gather(
        *(shop.actions.execute(call, approval) for call, approval in zip(calls, approvals, strict=True))
    )
    done = [outcome for outcome in outcomes if isinstance(outcome, ActionReceipt)]
    assert len(done) == 1
    refunded = shop.value("SELECT refunded_krw FROM orders WHERE order_id = :o", o=DELIVERED)
    given = shop.value("SELECT SUM(amount_krw) FROM payments WHERE kind = 'refund' AND order_id = :o", o=DELIVERED)
    assert (refunded, given) == (part, part - 6_000)


async def _child(*arguments: str) -> asyncio.subprocess.Process:
    """Start a process that acts, and wait until it begins."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.effect_child", *arguments, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    assert (await child.stdout.readline()).strip() == b"begins"
    return child


async def _killed_at_the_effect(url: str, bank: EffectServer) -> None:
    """Kill a process after the bank has moved the money and before it could record that; then settle."""
    backend = GrpcBackend(bank.address)
    shop = open_shop(url, backend)
    flow_run_id, before = str(uuid.uuid4()), len(bank.moved)
    call = shop.call("REFUND_ORDER", REFUND, key=EffectKey(flow_run_id, "step-1", 0))
    try:
        approval_id = await shop.approved(call)
        bank.set("hold", on=True)
        child = await _child("refund", url, bank.address, flow_run_id, approval_id)
        while len(bank.moved) == before:
            await asyncio.sleep(0.002)
        child.kill()
        await child.wait()
        bank.set("hold", on=False)
        assert shop.value("SELECT status FROM effects WHERE flow_run_id = :f", f=flow_run_id) == "STARTED"
        shop.clock.move(seconds=30)
        outcome = await shop.actions.execute(call, approval_id)
        assert isinstance(outcome, ActionReceipt)
        assert outcome.status is EffectStatus.IN_DOUBT
        settled = await shop.actions.reconcile(call.key, MINA)
        assert isinstance(settled, ActionReceipt)
        assert (settled.status, settled.reconciled) == (EffectStatus.SUCCEEDED, True)
        assert await shop.actions.execute(call, approval_id) == settled
        assert len(bank.moved) == before + 1
    finally:
        bank.set("hold", on=False)
        await backend.close()
        await shop.writer.close()


@pytest.mark.asyncio
@pytest.mark.parametrize("rounds", [1, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.timeout(300)])])
async def test_killed_between_effect_and_record(shop_url: str, tmp_path: Path, rounds) -> None:
    """Kill -9 after the effect and before its record: one effect, in doubt, then known by asking; every time."""
    with effect_server(tmp_path) as bank:
        for _ in range(rounds):
            await _killed_at_the_effect(shop_url, bank)


@pytest.mark.asyncio
@pytest.mark.parametrize("rounds", [1, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.timeout(300)])])
async def test_killed_in_our_own_database(sqlite_shop: Shop, rounds) -> None:
    """Kill -9 at any moment: the cart holds what the ledger says was added, and a resumed flow adds what is missing."""
    shop = sqlite_shop
    many = "SELECT offer_id, product_id FROM offers WHERE stock >= 120 ORDER BY offer_id LIMIT :n"
    offers = shop.rows(many, n=rounds)
    for offer in offers:
        flow_run_id = str(uuid.uuid4())
        child = await _child("cart", shop.url, flow_run_id, offer["product_id"])
        await asyncio.sleep(random.uniform(0.0, 0.25))  # noqa: S311 - a moment, not a secret
        child.kill()
        await child.wait()
        done = shop.value("SELECT COUNT(*) FROM effects WHERE flow_run_id = :f", f=flow_run_id)
        pieces = "SELECT COALESCE(SUM(quantity), 0) FROM cart_items WHERE user_id = 'mina' AND offer_id = :o"
        held = shop.value(pieces, o=offer["offer_id"])
        base = held - done
        assert base in {0, 1}
        for ordinal in range(10):
            key = EffectKey(flow_run_id, "step-1", ordinal)
            await shop.actions.execute(shop.call("ADD_TO_CART", {"product_id": offer["product_id"]}, key=key), "")
        assert shop.value(pieces, o=offer["offer_id"]) - base == max(done, 10)
