"""What may be given back, cancelled or exchanged, and by which rule."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final

from services.contract.asks import Ask, AskInput, AskVerdict, Ground, Origin, Said
from services.domains.commerce.asks.bills import shipping_rule
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
from services.plugin.asks.answering import Found, Outcome, answered, declined, ruled
from services.plugin.asks.telling import day_said, exact_won, filled, listed, sentences


def may_return(ask: Ask, found: Found) -> Outcome:
    """Return whether an order may be given back; asked whether it is too late, whether it is."""
    return _turned(ask, _may_return(ask, found))


def _turned(ask: Ask, outcome: Outcome) -> Outcome:
    """Return a verdict as the answer to "is it too late?", where that was asked: what may be done is a no to it."""
    answer = outcome.answer
    turned = _TURNED.get(answer.verdict) if answer.verdict and ask.notes.get("late") else None
    if turned is None or answer.sentence is None:
        return outcome
    verdict, starts, first = turned
    ko, en = answer.sentence.ko.removeprefix(starts.ko), answer.sentence.en.removeprefix(starts.en)
    return replace(
        outcome, answer=replace(answer, verdict=verdict, sentence=Said(f"{first.ko}{ko}", f"{first.en}{en}"))
    )


_TURNED: Final = {
    AskVerdict.YES: (
        AskVerdict.NO,
        Said("네, ", "Yes, "),
        Said("아니요, 아직 늦지 않았습니다. ", "No, it is not too late: "),
    ),
    AskVerdict.NO: (AskVerdict.YES, Said("아니요, ", "No, "), Said("네, 늦었습니다. ", "Yes, it is too late: ")),
}


def _may_return(ask: Ask, found: Found) -> Outcome:
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
    if len(within) > 1:
        return Outcome(ruled(ask, AskVerdict.YES, _each_of(within, fee), **more), evidence=pieces)
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


def _each_of(within: Sequence[tuple[Order, date]], fee: Said) -> Said:
    """Return which of several orders can be given back, each with its last day and what comes back of it."""
    each = [
        filled(
            "{id}({items}, {last}까지 {sum})",
            "{id} ({items}; {sum} until {last})",
            id=order[0].text("order_id"),
            items=items_said(order),
            last=day_said(day + timedelta(days=REFUND_DAYS_MAX)),
            sum=exact_won(_comes_back(order)[0] - _comes_back(order)[1]),
        )
        for order, day in within
    ]
    return filled(
        "네, {n}건은 환불이 가능합니다: {each}. 도착한 뒤 7일 안이고, 돌려받는 금액은 반품 배송비 {fee}을 뺀 것입니다.",
        "Yes, {n} of your orders can be refunded: {each}. They were delivered within the last 7 days; return shipping of {fee} is taken off in these sums.",
        n=str(len(within)),
        each=listed(each),
        fee=fee,
    )


def _comes_back(order: Order) -> tuple[Decimal, Decimal]:
    """Return what was paid for an order and not given back yet, and what the way back takes off it."""
    paid = (order[0].number("paid_krw") or Decimal(0)) - (order[0].number("refunded_krw") or Decimal(0))
    # What was taken back in part has paid for the way back already.
    return paid, Decimal(0) if order[0].number("refunded_krw") else min(Decimal(RETURN_SHIPPING_KRW), paid)


def _return_rule() -> Said:
    fee = exact_won(RETURN_SHIPPING_KRW)
    return Said(
        f"환불은 배송 완료 뒤 7일 안에 되고, 반품 배송비 {fee.ko}을 한 번 뺍니다.",
        f"A refund is possible within 7 days of delivery; return shipping of {fee.en} is taken off once.",
    )


def tell_refund(ask: Ask, found: Found) -> Outcome:
    """Return how much comes back of an order, with the rule: what was paid, less the way back unless the shop bears it."""
    verdict = may_return(ask, found)  # of several orders it tells what comes back of each
    orders = meant_orders(replace(ask, notes={**ask.notes, "states": ""}), orders_of(found))
    within = _within(orders, found)
    if verdict.answer.verdict is not AskVerdict.YES or len(within) != 1:
        return verdict
    order = within[0][0]
    paid, fee = _comes_back(order)
    last = within[0][1] + timedelta(days=REFUND_DAYS_MAX)
    sentence = filled(
        "{items} 주문({id})은 {sum}을 돌려받습니다: 결제 {paid}{less}, {last}까지 신청할 수 있습니다.",
        "For your order {id} of {items} {sum} comes back: {paid} paid{less}; it can be asked for until {last}.",
        items=items_said(order),
        id=order[0].text("order_id"),
        sum=exact_won(paid - fee),
        paid=exact_won(paid),
        less=Said(f" - 반품 배송비 {exact_won(fee).ko}", f" less return shipping of {exact_won(fee).en}")
        if fee
        else Said("", ""),
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


def tell_money_back_rule(ask: Ask, found: Found) -> Outcome:
    """Return when money comes back, by the rule alone."""
    del found
    return Outcome(answered(ask, _MONEY_BACK, grounds=(Ground(_return_rule()),)))


_MONEY_BACK: Final = Said(
    "환불은 요청 내용을 확인하고 승인하시면 바로 결제하신 수단으로 처리됩니다. 카드사나 은행에서 며칠 뒤에 보이는지는 이 서비스의 자료에 없습니다.",
    "A refund goes back to the way you paid as soon as you approve what is shown. How many days your card company or bank takes to show it is not in the data here.",
)


def tell_money_back(ask: Ask, found: Found) -> Outcome:
    """Return when money comes back, and how much of which order where one is meant."""
    orders = meant_orders(replace(ask, notes={**ask.notes, "states": ""}), orders_of(found))
    back = [order for order in orders if order[0].text("status") in {"refunded", "refund_requested"}]
    within = _within(orders, found)
    named = bool(ask.subjects)
    if len(within) == 1 and not (named and back):
        due = tell_refund(ask, found)
        sentence = sentences(_MONEY_BACK, due.answer.sentence or _return_rule())
        return replace(due, answer=replace(due.answer, sentence=sentence))
    if not back:
        return tell_money_back_rule(ask, found)
    pieces, order = proofs_of(found, ORDERS_TITLE, "order"), back[0]
    done = order[0].text("status") == "refunded"
    sentence = filled(
        "{items} 주문({id})은 이미 환불이 끝났습니다: {sum}. 카드사나 은행에서 며칠 뒤에 보이는지는 이 서비스의 자료에 없습니다."
        if done
        else "{items} 주문({id})은 환불이 처리되고 있습니다: {sum}. 카드사나 은행에서 며칠 뒤에 보이는지는 이 서비스의 자료에 없습니다.",
        "Your order {id} of {items} has been refunded already: {sum}. How many days your bank takes to show it is not in the data here."
        if done
        else "The refund of your order {id} of {items} is being made: {sum}. How many days your bank takes to show it is not in the data here.",
        items=items_said(order),
        id=order[0].text("order_id"),
        sum=exact_won(order[0].number("refunded_krw") or order[0].number("paid_krw") or Decimal(0)),
    )
    more: dict[str, Any] = {"evidence_ids": evidence_ids_of(pieces), "told": (told_order(order),)}
    return Outcome(answered(ask, sentence, grounds=(Ground(_return_rule()),), **more), evidence=pieces)


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
    """Return whether an order may still be cancelled; asked whether it is too late, whether it is."""
    return _turned(ask, _may_cancel(ask, found))


def _may_cancel(ask: Ask, found: Found) -> Outcome:
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
    """Say that nothing is exchanged, and what is offered instead."""
    del found
    fee = exact_won(RETURN_SHIPPING_KRW)
    sentence = filled(
        "아니요, 교환은 되지 않습니다. 대신 배송 완료 뒤 7일 안이면 환불(반품 배송비 {fee})을 받고 다시 주문할 수 있습니다.",
        "No, exchanges are not offered. Within 7 days of delivery you can have a refund instead (return shipping {fee}) and order anew.",
        fee=fee,
    )
    return Outcome(ruled(ask, AskVerdict.NO, sentence))


def tell_shipping_rule(ask: Ask, found: Found) -> Outcome:
    """Return what shipping costs, by the rule alone."""
    del found
    if ask.notes.get("place"):
        return Outcome(answered(ask, sentences(shipping_rule(), _NO_PLACES)))
    return Outcome(answered(ask, shipping_rule()))


_NO_PLACES: Final = Said(
    "지역에 따라 다르다는 규정은 이 쇼핑몰의 자료에 없습니다.",
    "The shop's rules name no other fee for any region.",
)


def tell_delivery_time(ask: Ask, found: Found) -> Outcome:
    """Return that nobody says how long an order takes, and what is told of it instead."""
    del found
    sentence = Said(
        "배송에 며칠이 걸리는지는 이 쇼핑몰의 자료에 없어 말씀드릴 수 없습니다. 주문한 뒤에는 배송 상태와 택배사, 송장번호를 알려 드립니다.",
        "How many days a delivery takes is not in this shop's data. Once ordered, I can tell its state, the carrier and the tracking number.",
    )
    return Outcome(declined(ask, sentence))


def tell_return_rule(ask: Ask, found: Found) -> Outcome:
    """Return how goods are given back, in steps."""
    del found
    fee = exact_won(RETURN_SHIPPING_KRW)
    sentence = filled(
        "배송 완료 뒤 7일 안에 무엇을 왜 돌려보내는지 말해 환불을 요청하면 됩니다. 반품 배송비 {fee}은 구매자가 부담하며 돌려받을 금액에서 뺍니다.",
        "Ask for a refund within 7 days of delivery and say what goes back and why. The return shipping of {fee} is the buyer's: it is taken off what comes back.",
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
