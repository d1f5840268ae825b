"""What may be given back, cancelled or exchanged, and by which rule."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from services.contract.asks import Ask, AskInput, AskVerdict, Ground, Origin, Said
from services.domains.commerce.asks.own.orders import (
    ORDERS_TITLE,
    STATES,
    Order,
    items_said,
    meant_orders,
    no_such_order,
    orders_of,
    told_order,
)
from services.domains.commerce.asks.rows_own import day_of, evidence_ids_of, proofs_of, today_of
from services.domains.commerce.rules import REFUND_DAYS_MAX, RETURN_SHIPPING_KRW
from services.plugin.asks.answering import Found, Outcome, answered, ruled
from services.plugin.asks.telling import day_said, exact_won, filled


def may_return(ask: Ask, found: Found) -> Outcome:
    """Return whether an order may be given back, by the rule of days after delivery."""
    orders = orders_of(found)
    meant = meant_orders(replace(ask, notes={**ask.notes, "states": ""}), orders)
    if not meant:
        return no_such_order(ask, orders)
    now, fee = today_of(found), exact_won(RETURN_SHIPPING_KRW)
    pieces = proofs_of(found, ORDERS_TITLE, "order")
    rule = Ground(_return_rule(), evidence_ids_of(pieces)[:1])
    delivered = [
        (order, day)
        for order in meant
        if order[0].text("status") == "delivered" and (day := day_of(order[0], "delivered_at", found))
    ]
    more = {"evidence_ids": evidence_ids_of(pieces), "grounds": (rule,), "told": tuple(map(told_order, meant))}
    within = [(order, day) for order, day in delivered if day + timedelta(days=REFUND_DAYS_MAX) >= now]
    if within:
        order, day = within[0]
        last = day + timedelta(days=REFUND_DAYS_MAX)
        sentence = filled(
            "네, {items} 주문({id})은 환불이 가능합니다: {day}에 도착해 7일 안인 {last}까지이고, 반품 배송비 {fee}을 뺍니다.",
            "Yes, your order {id} of {items} can be refunded: it was delivered on {day}, so within the 7 days until {last}; return shipping of {fee} is taken off.",
            items=items_said(order),
            id=order[0].text("order_id"),
            day=day_said(day),
            last=day_said(last),
            fee=fee,
        )
        return Outcome(ruled(ask, AskVerdict.YES, sentence, **more), evidence=pieces)
    if delivered:
        order, day = delivered[0]
        sentence = filled(
            "아니요, {items} 주문({id})은 {day}에 도착해 환불 기한인 7일이 지났으므로 환불받을 수 없습니다.",
            "No, your order {id} of {items} was delivered on {day}; the 7 days for a refund are over.",
            items=items_said(order),
            id=order[0].text("order_id"),
            day=day_said(day),
        )
        return Outcome(ruled(ask, AskVerdict.NO, sentence, **more), evidence=pieces)
    order = meant[0]
    status = order[0].text("status")
    sentence = filled(
        "아니요, {items} 주문({id})은 {state} 상태라 아직 환불 대상이 아닙니다. 환불은 도착한 뒤 7일 안에 됩니다."
        if status not in {"cancelled", "refunded"}
        else "아니요, {items} 주문({id})은 이미 {state} 상태입니다.",
        "No, your order {id} of {items} is {state}; a refund is possible within 7 days of delivery."
        if status not in {"cancelled", "refunded"}
        else "No, your order {id} of {items} is {state} already.",
        items=items_said(order),
        id=order[0].text("order_id"),
        state=STATES[status],
    )
    return Outcome(ruled(ask, AskVerdict.NO, sentence, **more), evidence=pieces)


def _return_rule() -> Said:
    fee = exact_won(RETURN_SHIPPING_KRW)
    return Said(
        f"환불은 배송 완료 뒤 7일 안에 되고, 반품 배송비 {fee.ko}은 불량이나 오배송이 아니면 구매자가 냅니다.",
        f"A refund is possible within 7 days of delivery; the return shipping of {fee.en} is the buyer's, unless the goods are faulty or wrong.",
    )


def tell_refund(ask: Ask, found: Found) -> Outcome:
    """Return how much comes back of an order, with the rule: what was paid, less the way back unless the shop bears it."""
    verdict = may_return(ask, found)
    orders = meant_orders(replace(ask, notes={**ask.notes, "states": ""}), orders_of(found))
    within = _within(orders, found)
    if verdict.answer.verdict is not AskVerdict.YES or not within:
        return verdict
    order = within[0][0]
    paid = (order[0].number("paid_krw") or Decimal(0)) - (order[0].number("refunded_krw") or Decimal(0))
    fault = bool(ask.notes.get("fault"))
    fee = Decimal(0) if fault else min(Decimal(RETURN_SHIPPING_KRW), paid)
    last = within[0][1] + timedelta(days=REFUND_DAYS_MAX)
    sentence = filled(
        "{items} 주문({id})은 {sum}을 돌려받습니다: 결제 {paid}{less}, {last}까지 신청할 수 있습니다.",
        "For your order {id} of {items} {sum} comes back: {paid} paid{less}; it can be asked for until {last}.",
        items=items_said(order),
        id=order[0].text("order_id"),
        sum=exact_won(paid - fee),
        paid=exact_won(paid),
        less=Said(", 불량·오배송이라 반품 배송비 없음", ", no return shipping as the goods are faulty or wrong")
        if fault
        else Said(f" - 반품 배송비 {exact_won(fee).ko}", f" less return shipping of {exact_won(fee).en}"),
        last=day_said(last),
    )
    pieces = verdict.evidence
    inputs = (
        AskInput("paid", Said("결제한 금액", "what was paid"), f"{paid:f}", "krw", Origin.DATA),
        AskInput("return_fee", Said("반품 배송비", "return shipping"), f"{fee:f}", "krw", Origin.DATA),
    )
    answer = answered(
        ask,
        sentence,
        evidence_ids=evidence_ids_of(pieces),
        inputs=inputs,
        grounds=(Ground(_return_rule(), evidence_ids_of(pieces)[:1]),),
        told=(told_order(order),),
    )
    return Outcome(answer, evidence=pieces)


def _within(orders: Sequence[Order], found: Found) -> list[tuple[Order, date]]:
    """Return the delivered orders that may still be given back, with the day of their delivery."""
    return [
        (order, day)
        for order in orders
        if order[0].text("status") == "delivered"
        and (day := day_of(order[0], "delivered_at", found))
        and day + timedelta(days=REFUND_DAYS_MAX) >= today_of(found)
    ]


def may_cancel(ask: Ask, found: Found) -> Outcome:
    """Return whether an order may still be cancelled, by its state."""
    orders = orders_of(found)
    meant = meant_orders(ask, orders)
    if not meant:
        return no_such_order(ask, orders)
    open_ones = [order for order in meant if order[0].text("status") in {"pending", "paid", "preparing", "shipped"}]
    order = (open_ones or meant)[0]
    status = order[0].text("status")
    pieces = proofs_of(found, ORDERS_TITLE, "order")
    parts: dict[str, Said | str] = {
        "id": order[0].text("order_id"),
        "items": items_said(order),
        "state": STATES[status],
    }
    rule = Ground(
        Said(
            "결제 대기와 결제 완료는 취소되고, 상품 준비 중이면 판매자가 받아들여야 하며, 배송이 시작되면 취소되지 않고 도착한 뒤 7일 안에 환불됩니다.",
            "An unpaid or paid order can be cancelled, one being prepared if the seller agrees; once shipped it cannot, and is refunded within 7 days of delivery instead.",
        ),
        evidence_ids_of(pieces)[:1],
    )
    more = {"evidence_ids": evidence_ids_of(pieces), "grounds": (rule,), "told": (told_order(order),)}
    if status in {"pending", "paid"}:
        sentence = filled(
            "네, {id} 주문({items})은 {state} 상태라 취소할 수 있습니다.",
            "Yes, {id} ({items}) is {state} and can be cancelled.",
            **parts,
        )
        return Outcome(ruled(ask, AskVerdict.YES, sentence, **more), evidence=pieces)
    if status == "preparing":
        sentence = filled(
            "조건에 따라 다릅니다: {id} 주문({items})은 {state}이라 판매자가 받아들여야 취소됩니다.",
            "It depends: {id} ({items}) is {state}, so the seller has to agree to the cancellation.",
            **parts,
        )
        return Outcome(ruled(ask, AskVerdict.DEPENDS, sentence, **more), evidence=pieces)
    if status == "shipped":
        sentence = filled(
            "아니요, {id} 주문({items})은 이미 배송 중이라 취소할 수 없습니다. 도착한 뒤 7일 안에 환불받을 수 있습니다.",
            "No, {id} ({items}) is already shipped and can no longer be cancelled. It can be refunded within 7 days of delivery.",
            **parts,
        )
    else:
        sentence = filled(
            "아니요, {id} 주문({items})은 {state} 상태라 취소할 수 없습니다.",
            "No, {id} ({items}) is {state} and cannot be cancelled.",
            **parts,
        )
    return Outcome(ruled(ask, AskVerdict.NO, sentence, **more), evidence=pieces)


def may_exchange(ask: Ask, found: Found) -> Outcome:
    del found
    fee = exact_won(RETURN_SHIPPING_KRW)
    sentence = filled(
        "아니요, 교환은 되지 않습니다. 대신 배송 완료 뒤 7일 안이면 환불(반품 배송비 {fee})을 받고 다시 주문할 수 있습니다.",
        "No, exchanges are not offered. Within 7 days of delivery you can have a refund instead (return shipping {fee}) and order anew.",
        fee=fee,
    )
    return Outcome(ruled(ask, AskVerdict.NO, sentence))


def tell_return_rule(ask: Ask, found: Found) -> Outcome:
    """Return how goods are given back, in steps."""
    del found
    fee = exact_won(RETURN_SHIPPING_KRW)
    sentence = filled(
        "배송 완료 뒤 7일 안에 주문 번호와 이유를 말해 환불을 요청하면 됩니다. 반품 배송비 {fee}은 단순 변심이면 구매자가 내고, 불량이나 오배송이면 내지 않습니다.",
        "Ask for a refund within 7 days of delivery, with the order number and the reason. The return shipping of {fee} is the buyer's on a change of mind, and not where the goods are faulty or wrong.",
        fee=fee,
    )
    steps = (
        Said("1. 주문 번호를 확인합니다(“내 주문 보여줘”).", "1. Find the order number (“show my orders”)."),
        Said("2. 도착한 날부터 7일 안인지 확인합니다.", "2. Check that it is within 7 days of delivery."),
        Said(
            "3. 이유와 함께 환불을 요청하고, 보여 드리는 내용을 확인합니다.",
            "3. Ask for the refund with the reason, and confirm what is shown.",
        ),
        Said(
            "교환은 되지 않으므로 환불받고 다시 주문합니다.", "Exchanges are not offered: have a refund and order anew."
        ),
    )
    return Outcome(answered(ask, sentence, grounds=tuple(Ground(one) for one in steps)))
