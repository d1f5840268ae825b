"""What actions do to the shop, and what they refuse."""

import json
from typing import Any

import pytest

from services.contract.tool import ActionFieldKind, ActionReceipt, EffectStatus, ToolFailure
from services.plugin.tools.effect import cleaned
from services.runtime.identity import Caller
from services.tool_gateway.effects.key import EffectKey
from tests.support.shop import (
    BARUN,
    CANCELLED,
    DELIVERED,
    DELIVERED_TOO,
    HANEUL,
    JUN,
    LONG_AGO,
    MINA,
    PAID,
    PENDING,
    PREPARING,
    REFUNDED,
    SHIPPED,
    Shop,
)

REASON = "받은 상품이 고장났어요"


def result(receipt: ActionReceipt) -> Any:
    """Return what a receipt says was done."""
    assert receipt.status is EffectStatus.SUCCEEDED, receipt
    return json.loads(receipt.result_json)


@pytest.mark.asyncio
async def test_the_cart_takes_and_gives_back(shop: Shop) -> None:
    """What is put in adds up and is gone when it is taken out."""
    product = shop.offer()["product_id"]
    call = {"product_id": product.lower(), "quantity": 3}
    assert result(await shop.done(shop.call("ADD_TO_CART", call)))["quantity"] == 3
    assert result(await shop.done(shop.call("ADD_TO_CART", call)))["quantity"] == 6
    taken = await shop.done(shop.call("REMOVE_FROM_CART", {"product_id": product, "quantity": 2}))
    assert result(taken)["quantity"] == 4
    assert result(await shop.done(shop.call("REMOVE_FROM_CART", {"product_id": product})))["quantity"] == 0
    assert await shop.refused(shop.call("REMOVE_FROM_CART", {"product_id": product})) == "NOT_FOUND"


@pytest.mark.asyncio
async def test_an_order_takes_stock_coupon_and_points_and_shows_what_it_costs(shop: Shop) -> None:
    """Price is goods, then coupon, then points, then shipping; the preview's fields are the order's figures."""
    offer = shop.offer()
    goods = offer["price_krw"] * 2
    asked = {
        "items": [{"product_id": offer["product_id"], "quantity": 2}],
        "payment_method": "card",
        "coupon_id": "cpn-mina-welcome",
        "points_krw": 1_000,
    }
    call = shop.call("CREATE_ORDER", asked)
    preview = await shop.previewed(call)
    shown = {field.name: (field.kind, field.number) for field in preview.fields}
    discount = min(goods // 10, 20_000)
    assert shown["quantity"] == (ActionFieldKind.QUANTITY, 2)
    assert shown["amount_krw"] == (ActionFieldKind.MONEY_KRW, goods - discount - 1_000)
    order = result(await shop.done(call))
    assert order["paid_krw"] == goods - discount - 1_000
    assert shop.value("SELECT stock FROM offers WHERE offer_id = :o", o=offer["offer_id"]) == offer["stock"] - 2
    assert shop.value("SELECT points_krw FROM shop_users WHERE user_id = 'mina'") == 12_400 - 1_000
    assert shop.value("SELECT used_order_id FROM coupons WHERE coupon_id = 'CPN-MINA-WELCOME'") == order["order_id"]
    events = shop.rows("SELECT status FROM order_events WHERE order_id = :o ORDER BY sequence", o=order["order_id"])
    assert [event["status"] for event in events] == ["pending", "paid"]


@pytest.mark.asyncio
async def test_cancelling_puts_everything_back(shop: Shop) -> None:
    """A paid order that is cancelled leaves stock, coupon and points as they were."""
    before = {table: rows for table, rows in shop.state().items() if table == "offers"}
    item = {"product_id": shop.offer()["product_id"], "quantity": 1}
    asked = {"items": [item], "payment_method": "card", "coupon_id": "CPN-MINA-SEASON", "points_krw": 500}
    order = result(await shop.done(shop.call("CREATE_ORDER", asked)))
    cancelled = result(await shop.done(shop.call("CANCEL_ORDER", {"order_id": order["order_id"]})))
    assert (cancelled["status"], cancelled["refund_krw"]) == ("cancelled", order["paid_krw"])
    assert {table: rows for table, rows in shop.state().items() if table == "offers"} == before
    assert shop.value("SELECT points_krw FROM shop_users WHERE user_id = 'mina'") == 12_400
    assert shop.value("SELECT used_order_id FROM coupons WHERE coupon_id = 'CPN-MINA-SEASON'") is None


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("order_id", "status"),
    [(PENDING, "cancelled"), (PAID, "cancelled"), (PREPARING, "cancel_requested")],
)
async def test_an_order_is_cancelled_until_it_is_shipped(sqlite_shop: Shop, order_id, status) -> None:
    """Pending and paid orders are cancelled, a prepared one is asked of the seller."""
    assert result(await sqlite_shop.done(sqlite_shop.call("CANCEL_ORDER", {"order_id": order_id})))["status"] == status
    assert sqlite_shop.value("SELECT status FROM orders WHERE order_id = :o", o=order_id) == status


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("action", "order_id", "tag"),
    [
        ("CANCEL_ORDER", SHIPPED, "BUSINESS_LOGIC_VIOLATION"),
        ("CANCEL_ORDER", DELIVERED, "BUSINESS_LOGIC_VIOLATION"),
        ("CANCEL_ORDER", CANCELLED, "BUSINESS_LOGIC_VIOLATION"),
        ("REFUND_ORDER", SHIPPED, "BUSINESS_LOGIC_VIOLATION"),
        ("REFUND_ORDER", LONG_AGO, "BUSINESS_LOGIC_VIOLATION"),
        ("REFUND_ORDER", REFUNDED, "BUSINESS_LOGIC_VIOLATION"),
        ("REFUND_ORDER", "ORD-20005", "UNAUTHORIZED_ACTION"),
        ("REFUND_ORDER", "ORD-99999999", "UNAUTHORIZED_ACTION"),
        ("CANCEL_ORDER", "ORD-20002", "UNAUTHORIZED_ACTION"),
    ],
)
async def test_what_may_not_be_taken_back_is_refused(sqlite_shop: Shop, action, order_id, tag) -> None:
    """A state that forbids it, or an order of somebody else, is refused and nothing changes."""
    arguments = {"order_id": order_id, "reason": REASON}
    assert await sqlite_shop.refused(sqlite_shop.call(action, arguments)) == tag


@pytest.mark.asyncio
async def test_another_users_order_looks_like_a_missing_one(shop: Shop) -> None:
    """The two refusals differ in the id alone, in every action that names an order, and for another tenant as well."""

    async def told(order_id: str, caller: Caller, action: str) -> ToolFailure:
        arguments = {"order_id": order_id, "reason": f"나는 mina 본인이야, {REASON}"}
        outcome = await shop.actions.preview(shop.call(action, arguments, caller=caller))
        assert isinstance(outcome, ToolFailure)
        return outcome

    other_tenant = Caller("mina", tenant="elsewhere", user_type="consumer", service="orchestrator")
    for action in ("CANCEL_ORDER", "REFUND_ORDER"):
        for caller in (JUN, other_tenant):
            foreign = await told(DELIVERED, caller, action)
            missing = await told("ORD-77777", caller, action)
            assert foreign.reason == missing.reason == "UNAUTHORIZED_ACTION"
            assert foreign.message.replace(DELIVERED, "") == missing.message.replace("ORD-77777", "")


@pytest.mark.asyncio
async def test_refunds_never_exceed_what_was_paid(shop: Shop) -> None:
    """Partial refunds add up to the paid amount at most, the return costs 6,000 KRW once, a further one is refused."""
    paid = shop.value("SELECT paid_krw FROM orders WHERE order_id = :o", o=DELIVERED)
    first = {"order_id": DELIVERED, "reason": REASON, "amount_krw": 30_000}
    one = result(await shop.done(shop.call("REFUND_ORDER", first)))
    assert (one["refund_krw"], one["status"]) == (24_000, "delivered")
    two = result(await shop.done(shop.call("REFUND_ORDER", first)))
    assert (two["refund_krw"], two["refunded_krw"]) == (30_000, 60_000)
    too_much = {**first, "amount_krw": paid - 60_000 + 1}
    assert await shop.refused(shop.call("REFUND_ORDER", too_much)) == "BUSINESS_LOGIC_VIOLATION"
    rest = result(await shop.done(shop.call("REFUND_ORDER", {"order_id": DELIVERED, "reason": REASON})))
    assert (rest["refunded_krw"], rest["status"]) == (paid, "refunded")
    again = await shop.actions.preview(shop.call("REFUND_ORDER", {"order_id": DELIVERED, "reason": REASON}))
    assert isinstance(again, ToolFailure)
    assert f"refunded already: {paid} KRW on 2026-06-12" in again.message


@pytest.mark.asyncio
async def test_a_review_is_written_once_by_who_received_the_product(shop: Shop) -> None:
    """Somebody who has not bought it may not, a second time is refused, and the offer's rating moves."""
    item = shop.rows(
        "SELECT o.product_id, o.review_count FROM order_items i JOIN offers o ON o.offer_id = i.offer_id"
        " WHERE i.order_id = :order",
        order=DELIVERED_TOO,
    )[0]
    asked = {"product_id": item["product_id"], "rating": 4, "body": "잘 쓰고 있습니다. 튼튼해요."}
    assert await shop.refused(shop.call("WRITE_REVIEW", asked, caller=HANEUL)) == "BUSINESS_LOGIC_VIOLATION"
    written = result(await shop.done(shop.call("WRITE_REVIEW", {**asked, "order_id": DELIVERED_TOO})))
    assert written["rating"] == 4
    count = shop.value("SELECT review_count FROM offers WHERE product_id = :p", p=item["product_id"])
    assert count == item["review_count"] + 1
    second = shop.call("WRITE_REVIEW", {**asked, "order_id": DELIVERED_TOO})
    assert await shop.refused(second) == "BUSINESS_LOGIC_VIOLATION"


@pytest.mark.asyncio
async def test_a_seller_lists_and_changes_their_own_goods_only(shop: Shop) -> None:
    """A listing is found by its words; another seller's looks missing; a consumer is refused."""
    asked = {
        "name": "수제 가죽 의자",
        "category": "chair",
        "price_krw": "89000",
        "stock": 5,
        "description": "손으로 만든 가죽 의자입니다. " * 4,
        "image_urls": ["https://images.example/chair.jpg"],
    }
    assert await shop.refused(shop.call("CREATE_LISTING", asked)) == "UNAUTHORIZED_ACTION"
    listed = result(await shop.done(shop.call("CREATE_LISTING", asked, caller=HANEUL)))
    tokens = shop.rows("SELECT token FROM product_tokens WHERE product_id = :p", p=listed["product_id"])
    assert {"가죽", "의자"} <= {row["token"] for row in tokens}
    change = {"listing_id": listed["listing_id"], "price_krw": 79_000}
    assert await shop.refused(shop.call("UPDATE_LISTING", change, caller=BARUN)) == "UNAUTHORIZED_ACTION"
    changed = result(await shop.done(shop.call("UPDATE_LISTING", change, caller=HANEUL)))
    assert changed["price_krw"] == 79_000
    pause = {"listing_id": listed["listing_id"], "status": "paused"}
    await shop.done(shop.call("UPDATE_LISTING", pause, caller=HANEUL))
    wanted = {"product_id": listed["product_id"], "quantity": 1}
    assert await shop.refused(shop.call("ADD_TO_CART", wanted)) == "BUSINESS_LOGIC_VIOLATION"


@pytest.mark.asyncio
async def test_a_coupon_and_a_profile_are_the_callers_own(shop: Shop) -> None:
    """Another's coupon looks missing, a lapsed one is refused by its date, a profile changes for its owner alone."""
    product = shop.offer()["product_id"]
    await shop.done(shop.call("ADD_TO_CART", {"product_id": product, "quantity": 2}))
    assert await shop.refused(shop.call("APPLY_COUPON", {"coupon_id": "CPN-JUN-FIVE"})) == "UNAUTHORIZED_ACTION"
    assert await shop.refused(shop.call("APPLY_COUPON", {"coupon_id": "CPN-MINA-OLD"})) == "BUSINESS_LOGIC_VIOLATION"
    assert result(await shop.done(shop.call("APPLY_COUPON", {"coupon_id": "CPN-MINA-FIVE"})))["discount_krw"] == 5_000
    profile = result(await shop.done(shop.call("UPDATE_PROFILE", {"nickname": "새 이름"})))
    assert profile["nickname"] == "새 이름"
    assert shop.value("SELECT nickname FROM shop_users WHERE user_id = 'jun'") == "준"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("user", "arguments", "said", "unsaid"),
    [
        ("nara", {"shipping_address": "서울특별시 중구 예시로 1"}, ("예시로 1",), ("별명", "지금은")),
        ("jun", {"shipping_address": "서울특별시 중구 예시로 1"}, ("예시로 1", "지금은"), ("별명",)),
        ("jun", {"nickname": "새 이름"}, ("별명", "새 이름"), ("배송지",)),
        ("jun", {"nickname": "새 이름", "shipping_address": "서울특별시 중구 예시로 1"}, ("새 이름", "예시로 1"), ()),
    ],
)
async def test_what_changes_of_a_profile_is_asked_and_nothing_else(
    sqlite_shop: Shop, user: str, arguments: dict[str, str], said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    """A first address is asked about as such: somebody without one had been asked about their nickname."""
    caller = Caller(user, user_type="consumer", service="orchestrator")
    preview = await sqlite_shop.previewed(sqlite_shop.call("UPDATE_PROFILE", arguments, caller=caller))
    assert preview.asks is not None
    assert all(word in preview.asks.ko for word in said)
    assert not any(word in preview.asks.ko for word in unsaid)


@pytest.mark.asyncio
async def test_a_user_whom_the_shop_does_not_know_yet_can_begin(shop: Shop) -> None:
    """The first action of a new user makes their row."""
    new = Caller("nara", user_type="consumer", service="orchestrator")
    product = shop.offer()["product_id"]
    asked = {"product_id": product, "quantity": 1}
    assert result(await shop.done(shop.call("ADD_TO_CART", asked, caller=new)))["cart_pieces"] == 1
    order = shop.call("CREATE_ORDER", {"payment_method": "card"}, caller=new)
    assert await shop.refused(order) == "BUSINESS_LOGIC_VIOLATION"


@pytest.mark.asyncio
async def test_who_may_ask(sqlite_shop: Shop) -> None:
    """Nobody anonymous, no agent without a grant; an unknown type and schema have tags of their own."""
    shop, asked = sqlite_shop, {"product_id": "CHAIR-0001"}
    anonymous = Caller(service="orchestrator")
    assert await shop.refused(shop.call("ADD_TO_CART", asked, caller=anonymous)) == "UNAUTHORIZED_ACTION"
    agent = Caller("mina", service="commerce.product_search")
    assert await shop.refused(shop.call("ADD_TO_CART", asked, caller=agent)) == "UNAUTHORIZED_ACTION"
    assert await shop.refused(shop.call("SHIP_ORDER", asked)) == "UNKNOWN_ACTION_TYPE"
    old = shop.call("ADD_TO_CART", asked, arguments_schema_id="hapju.tool.order_add_to_cart.arguments.v0")
    assert await shop.refused(old) == "SCHEMA_NOT_FOUND"
    assert await shop.refused(shop.call("CANCEL_ORDER", {})) == "MISSING_REQUIRED_FIELD"
    assert await shop.refused(shop.call("CANCEL_ORDER", {"order_id": "주문1"})) == "INVALID_FORMAT"


@pytest.mark.asyncio
async def test_each_action_fails_alone(shop: Shop) -> None:
    """Of three actions of one step the second is refused; the first and the third are done."""
    product = shop.offer()["product_id"]
    flow = shop.flow_run_id
    wanted = [product, "CHAIR-9999", product]
    reasons = []
    for ordinal, product_id in enumerate(wanted):
        call = shop.call("ADD_TO_CART", {"product_id": product_id}, key=EffectKey(flow, "step-1", ordinal))
        outcome = await shop.actions.execute(call, "")
        reasons.append(outcome.reason if isinstance(outcome, ToolFailure) else outcome.status.value)
    assert reasons == ["SUCCEEDED", "NOT_FOUND", "SUCCEEDED"]


@pytest.mark.asyncio
async def test_what_is_shown_bears_no_hidden_characters(sqlite_shop: Shop) -> None:
    """Control, direction and zero-width characters are gone from every shown text and from what is stored."""
    reason = "환불\u202e해\u200b주세요\x07\n부탁\u2066합니다"
    preview = await sqlite_shop.previewed(sqlite_shop.call("REFUND_ORDER", {"order_id": DELIVERED, "reason": reason}))
    assert {field.name: field.text for field in preview.fields}["reason"] == "환불해주세요 부탁합니다"
    assert cleaned("a\u202eb\x00c\u2069d") == "abcd"


@pytest.mark.asyncio
async def test_every_shown_field_has_a_label(sqlite_shop: Shop) -> None:
    """Every action can be previewed with labels in both languages; none shows a model's text beyond typed fields."""
    shop = sqlite_shop
    product = shop.offer()["product_id"]
    bought = shop.value(
        "SELECT o.product_id FROM order_items i JOIN offers o ON o.offer_id = i.offer_id WHERE i.order_id = :o LIMIT 1",
        o=DELIVERED_TOO,
    )
    in_cart = shop.value(
        "SELECT o.product_id FROM cart_items c JOIN offers o ON o.offer_id = c.offer_id WHERE user_id = 'mina' LIMIT 1"
    )
    listing = shop.value("SELECT listing_id FROM listings WHERE seller_id = 'SELLER-01' LIMIT 1")
    asked = {
        "ADD_TO_CART": {"product_id": product},
        "REMOVE_FROM_CART": {"product_id": in_cart},
        "APPLY_COUPON": {"coupon_id": "CPN-MINA-SEASON"},
        "CREATE_ORDER": {"payment_method": "card", "items": [{"product_id": product, "quantity": 1}]},
        "CANCEL_ORDER": {"order_id": PAID},
        "REFUND_ORDER": {"order_id": DELIVERED, "reason": REASON},
        "WRITE_REVIEW": {"product_id": bought, "order_id": DELIVERED_TOO, "rating": 5, "body": "아주 좋습니다"},
        "UPDATE_PROFILE": {"nickname": "새 이름"},
        "UPDATE_LISTING": {"listing_id": listing, "stock": 3},
        "CREATE_LISTING": {
            "name": "책상",
            "category": "desk",
            "price_krw": 10_000,
            "description": "넓고 튼튼한 책상입니다. " * 5,
            "image_urls": ["https://images.example/a.jpg"],
        },
    }
    assert set(asked) == {tool.effect.action_type for tool in shop.registry if tool.effect is not None}
    for action_type, arguments in asked.items():
        caller = HANEUL if action_type.endswith("LISTING") else MINA
        labels = {}
        for locale in ("ko", "en"):
            preview = await shop.previewed(shop.call(action_type, arguments, caller=caller, locale=locale))
            assert preview.fields
            labels[locale] = [field.label for field in preview.fields]
        assert labels["ko"] != labels["en"]


@pytest.mark.asyncio
async def test_codes_are_shown_by_what_people_call_them(sqlite_shop: Shop) -> None:
    """How an order is paid and the states of orders and listings are words of the person's language, and one digest."""
    shop = sqlite_shop
    listing = shop.value("SELECT listing_id FROM listings WHERE seller_id = 'SELLER-01' LIMIT 1")
    items = [{"product_id": shop.offer()["product_id"], "quantity": 1}]
    asked: list[tuple[str, dict[str, Any], str, tuple[str, str]]] = [
        (
            "CREATE_ORDER",
            {"payment_method": "bank_transfer", "items": items},
            "payment_method",
            ("계좌이체", "bank transfer"),
        ),
        ("CREATE_ORDER", {"payment_method": "mobile", "items": items}, "payment_method", ("간편결제", "mobile pay")),
        ("CANCEL_ORDER", {"order_id": PAID}, "status", ("결제 완료", "paid")),
        ("UPDATE_LISTING", {"listing_id": listing, "status": "paused"}, "status", ("판매 중지", "paused")),
    ]
    for action_type, arguments, name, words in asked:
        caller = HANEUL if action_type.endswith("LISTING") else MINA
        calls = [shop.call(action_type, arguments, caller=caller, locale=locale) for locale in ("ko", "en")]
        previews = [await shop.previewed(call) for call in calls]
        assert tuple({one.name: one.text for one in each.fields}[name] for each in previews) == words
        assert previews[0].action_digest == previews[1].action_digest


@pytest.mark.asyncio
async def test_a_reason_that_is_kept_to_oneself_is_none(sqlite_shop: Shop) -> None:
    """A refund says why in the person's words or says nothing; that it was asked for has to be said."""
    shop = sqlite_shop
    assert await shop.refused(shop.call("REFUND_ORDER", {"order_id": DELIVERED})) == "MISSING_REQUIRED_FIELD"
    call = shop.call("REFUND_ORDER", {"order_id": DELIVERED, "reason": ""})
    receipt = await shop.actions.execute(call, await shop.approved(call))
    assert isinstance(receipt, ActionReceipt)
