"""An approval holds for exactly what was shown, for who was asked, once, and until it is over."""

import asyncio
from dataclasses import replace

import pytest
import sqlalchemy as sa

from services.contract.tool import ActionApproval, ActionReceipt, EffectStatus, ToolFailure
from services.runtime.identity import Caller
from services.tool_gateway.effects.approvals import OPEN_MAX
from services.tool_gateway.effects.key import EffectKey
from tests.support.shop import DELIVERED, DELIVERED_TOO, HANEUL, JUN, MINA, PAID, Shop, open_shop, with_tool

REFUND = {"order_id": DELIVERED, "reason": "고장났어요"}


def tag(outcome: object) -> str:
    """Return the tag of a refusal."""
    assert isinstance(outcome, ToolFailure), outcome
    return outcome.reason


@pytest.mark.asyncio
async def test_no_approval_no_effect(shop: Shop) -> None:
    """Without an approval, with an unknown one and with one that nobody has spoken on, nothing is done."""
    call = shop.call("REFUND_ORDER", REFUND)
    assert await shop.refused(call) == "APPROVAL_REQUIRED"
    assert await shop.refused(call, "no-such-approval") == "NOT_FOUND"
    preview = await shop.previewed(call)
    assert await shop.refused(call, preview.approval_id) == "APPROVAL_REQUIRED"


@pytest.mark.asyncio
async def test_approve_one_thing_and_execute_another(sqlite_shop: Shop) -> None:
    """Another order, amount, reason, step or flow than was shown is refused with the approval of the first."""
    shop = sqlite_shop
    call = shop.call("REFUND_ORDER", REFUND)
    approval_id = await shop.approved(call)
    for change in ({"order_id": DELIVERED_TOO}, {"amount_krw": 10_000}, {"reason": "다른 사유"}):
        other = shop.call("REFUND_ORDER", {**REFUND, **change}, key=call.key)
        assert await shop.refused(other, approval_id) == "APPROVAL_MISMATCH"
    cancel = shop.call("CANCEL_ORDER", {"order_id": PAID}, key=call.key)
    assert await shop.refused(cancel, approval_id) == "APPROVAL_MISMATCH"
    for key in (replace(call.key, ordinal=1), replace(call.key, step_id="step-2"), EffectKey("other", "step-1", 0)):
        assert await shop.refused(replace(call, key=key), approval_id) == "APPROVAL_MISMATCH"
    assert isinstance(await shop.actions.execute(call, approval_id), ActionReceipt)


@pytest.mark.asyncio
async def test_a_price_that_has_changed_since_it_was_shown_is_not_paid(sqlite_shop: Shop) -> None:
    """What would be done differs from what was shown, so it is refused, and a new preview shows the new price."""
    shop = sqlite_shop
    offer = shop.offer()
    items = [{"product_id": offer["product_id"], "quantity": 1}]
    call = shop.call("CREATE_ORDER", {"items": items, "payment_method": "card"})
    approval_id = await shop.approved(call)
    raised = sa.text("UPDATE offers SET price_krw = price_krw + 5000 WHERE offer_id = :o")
    await shop.writer.transact(lambda connection: connection.execute(raised, {"o": offer["offer_id"]}))
    assert await shop.refused(call, approval_id) == "APPROVAL_MISMATCH"
    shown = {field.name: field.number for field in (await shop.previewed(call)).fields}
    assert shown["amount_krw"] == offer["price_krw"] + 5_000
    assert await shop.refused(call, approval_id) in {"APPROVAL_MISMATCH", "APPROVAL_REJECTED"}


@pytest.mark.asyncio
async def test_an_approval_is_over_at_its_time(shop: Shop) -> None:
    """At the moment of its expiry it can be neither given nor used, whatever was said before."""
    call = shop.call("REFUND_ORDER", REFUND)
    preview = await shop.previewed(call)
    shop.clock.move(seconds=300)
    assert tag(await shop.approve(preview)) == "APPROVAL_EXPIRED"
    approval_id = await shop.approved(call)
    shop.clock.move(seconds=299.999)
    shop.clock.move(seconds=0.001)
    assert await shop.refused(call, approval_id) == "APPROVAL_EXPIRED"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("caller", "session_id", "expected"),
    [
        (JUN, "session-1", "NOT_FOUND"),
        (Caller("mina", tenant="elsewhere", service="orchestrator"), "session-1", "NOT_FOUND"),
        (MINA, "session-2", "NOT_FOUND"),
        (Caller(service="orchestrator"), "session-1", "NOT_FOUND"),
        (Caller("mina", service="commerce.after_sales"), "session-1", "UNAUTHORIZED_ACTION"),
        (Caller("mina", service=""), "session-1", "UNAUTHORIZED_ACTION"),
    ],
)
async def test_who_approves(sqlite_shop: Shop, caller, session_id, expected) -> None:
    """Only the user who was asked, in the conversation in which they were, by their own word and no agent's."""
    shop = sqlite_shop
    call = shop.call("REFUND_ORDER", REFUND)
    preview = await shop.previewed(call)
    assert tag(await shop.approve(preview, caller, session_id)) == expected
    assert await shop.refused(call, preview.approval_id) == "APPROVAL_REQUIRED"


@pytest.mark.asyncio
async def test_who_executes(sqlite_shop: Shop) -> None:
    """An approval that was given is of no use to another user, in another session, or to an agent."""
    shop = sqlite_shop
    call = shop.call("REFUND_ORDER", REFUND)
    approval_id = await shop.approved(call)
    assert await shop.refused(replace(call, caller=JUN), approval_id) == "UNAUTHORIZED_ACTION"
    assert await shop.refused(replace(call, session_id="session-2"), approval_id) == "NOT_FOUND"
    agent = replace(call, caller=Caller("mina", service="commerce.product_search"))
    assert await shop.refused(agent, approval_id) == "UNAUTHORIZED_ACTION"


@pytest.mark.asyncio
async def test_the_role_is_asked_for_again_when_it_is_approved(sqlite_shop: Shop) -> None:
    """A seller who is none any more approves nothing."""
    shop = sqlite_shop
    listing = shop.value("SELECT listing_id FROM listings WHERE seller_id = 'SELLER-01' LIMIT 1")
    call = shop.call("UPDATE_LISTING", {"listing_id": listing, "stock": 1}, caller=HANEUL)
    preview = await shop.previewed(call)
    consumer = replace(HANEUL, user_type="consumer")
    assert tag(await shop.approve(preview, consumer)) == "UNAUTHORIZED_ACTION"


@pytest.mark.asyncio
@pytest.mark.parametrize("change", [{"version": 2}, {"timeout_seconds": 20}, {"description_en": "Refunds. Add ctx."}])
async def test_a_tool_that_has_changed_needs_a_new_approval(sqlite_shop: Shop, change) -> None:
    """A new version, or any other definition than the one shown, does not run on the old approval."""
    shop = sqlite_shop
    call = shop.call("REFUND_ORDER", REFUND)
    approval_id = await shop.approved(call)
    renewed = open_shop(shop.url, change=with_tool("order_refund", **change), clock=shop.clock)
    schema_id = renewed.call("REFUND_ORDER", REFUND).arguments_schema_id
    try:
        again = replace(call, arguments_schema_id=schema_id)
        assert await renewed.refused(again, approval_id) == "APPROVAL_MISMATCH"
    finally:
        await renewed.writer.close()


@pytest.mark.asyncio
async def test_an_approval_is_used_once(shop: Shop) -> None:
    """The same action again gets the first outcome; another action with the used approval is refused."""
    call = shop.call("REFUND_ORDER", {**REFUND, "amount_krw": 10_000})
    approval_id = await shop.approved(call)
    first = await shop.actions.execute(call, approval_id)
    assert await shop.actions.execute(call, approval_id) == first
    second = replace(call, key=replace(call.key, ordinal=1))
    assert await shop.refused(second, approval_id) in {"APPROVAL_USED", "APPROVAL_MISMATCH"}


@pytest.mark.asyncio
async def test_a_rejection_stands(sqlite_shop: Shop) -> None:
    """What was rejected cannot be approved any more, and is not done."""
    shop = sqlite_shop
    call = shop.call("REFUND_ORDER", REFUND)
    preview = await shop.previewed(call)
    rejected = await shop.approve(preview, verdict="REJECT")
    assert isinstance(rejected, ActionApproval)
    assert tag(await shop.approve(preview)) == "APPROVAL_REJECTED"
    assert await shop.refused(call, preview.approval_id) == "APPROVAL_REJECTED"


@pytest.mark.asyncio
async def test_a_word_said_twice_is_said_once(shop: Shop) -> None:
    """The second device gets the first decision with its time."""
    preview = await shop.previewed(shop.call("REFUND_ORDER", REFUND))
    first = await shop.approve(preview)
    shop.clock.move(seconds=7)
    assert await shop.approve(preview) == first
    assert tag(await shop.approve(preview, verdict="REJECT")) == "APPROVAL_REJECTED"
    other = replace(preview, action_digest="0" * 64)
    assert tag(await shop.approve(other)) == "APPROVAL_MISMATCH"


@pytest.mark.asyncio
async def test_a_new_preview_voids_the_one_before(sqlite_shop: Shop) -> None:
    """Of one action only the newest approval can be given."""
    shop = sqlite_shop
    call = shop.call("REFUND_ORDER", REFUND)
    old = await shop.previewed(call)
    new = await shop.previewed(call)
    assert tag(await shop.approve(old)) == "APPROVAL_REJECTED"
    assert isinstance(await shop.approve(new), ActionApproval)


@pytest.mark.asyncio
async def test_a_forced_confirmation_is_needed(sqlite_shop: Shop) -> None:
    """An action for which an approval was asked on a warning is not done without it."""
    shop = sqlite_shop
    call = shop.call("ADD_TO_CART", {"product_id": shop.offer()["product_id"]})
    preview = await shop.actions.preview(call, forced=True)
    assert not isinstance(preview, ToolFailure)
    assert preview.confirmation_required
    assert await shop.refused(call) == "APPROVAL_REQUIRED"
    assert isinstance(await shop.approve(preview), ActionApproval)
    assert isinstance(await shop.actions.execute(call, preview.approval_id), ActionReceipt)


@pytest.mark.asyncio
async def test_open_approvals_are_bounded_and_old_ones_go(sqlite_shop: Shop) -> None:
    """A user has a bounded number of approvals open, and those that were over long ago are dropped."""
    shop = sqlite_shop
    for _ in range(OPEN_MAX):
        await shop.previewed(shop.call("REFUND_ORDER", REFUND))
    assert tag(await shop.actions.preview(shop.call("REFUND_ORDER", REFUND))) == "OVERLOADED"
    shop.clock.move(days=31)
    assert await shop.actions.reconciling.sweep() == 0
    assert shop.value("SELECT COUNT(*) FROM approvals") == 0


@pytest.mark.asyncio
@pytest.mark.parametrize("rounds", [10, pytest.param(100, marks=pytest.mark.slow)])
async def test_two_devices_say_yes(shop: Shop, rounds) -> None:
    """In every round both devices approve and execute at once: one effect, and both hear of the same outcome."""
    for number in range(1, rounds + 1):
        call = shop.call("REFUND_ORDER", {**REFUND, "amount_krw": 7_000 if number == 1 else 100})
        preview = await shop.previewed(call)

        async def device(call=call, preview=preview) -> object:
            assert isinstance(await shop.approve(preview), ActionApproval)
            return await shop.actions.execute(call, preview.approval_id)

        one, two = await asyncio.gather(device(), device())
        assert one == two
        assert isinstance(one, ActionReceipt)
        assert one.status is EffectStatus.SUCCEEDED
    refunded = shop.value("SELECT refunded_krw FROM orders WHERE order_id = :o", o=DELIVERED)
    assert refunded == 7_000 + 100 * (rounds - 1)
    count = "SELECT COUNT(*) FROM payments WHERE kind = 'refund' AND order_id = :o"
    assert shop.value(count, o=DELIVERED) == rounds


@pytest.mark.asyncio
@pytest.mark.parametrize("rounds", [20, pytest.param(500, marks=pytest.mark.slow)])
async def test_yes_meets_the_timer(sqlite_shop: Shop, rounds) -> None:
    """When yes and the expiry meet, exactly one of them has happened: executed, or expired and nothing done."""
    shop = sqlite_shop
    product = shop.offer()["product_id"]
    call = shop.call("ADD_TO_CART", {"product_id": product})
    executed = 0
    for number in range(rounds):
        call = replace(call, key=EffectKey(shop.flow_run_id, "step-1", number))
        preview = await shop.actions.preview(call, forced=True)
        assert not isinstance(preview, ToolFailure)
        await shop.approve(preview)

        async def timer() -> None:
            await asyncio.sleep(0)
            shop.clock.move(seconds=300)

        outcome, _ignored = await asyncio.gather(shop.actions.execute(call, preview.approval_id), timer())
        status = shop.value("SELECT status FROM approvals WHERE approval_id = :a", a=preview.approval_id)
        if isinstance(outcome, ActionReceipt):
            executed += 1
            assert status == "USED"
        else:
            assert (outcome.reason, status) == ("APPROVAL_EXPIRED", "APPROVED")
    in_cart = shop.rows("SELECT quantity FROM cart_items WHERE user_id = 'mina' AND offer_id = :o", o=f"{product}-1")
    assert sum(row["quantity"] for row in in_cart) == executed
