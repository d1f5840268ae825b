"""What the person who asks has spent: what was paid for orders, less what came back."""

from decimal import Decimal

from services.contract.asks import Ask, Ground, Said
from services.domains.commerce.asks.own.orders import (
    ORDERS_TITLE,
    ROWS_MAX,
    Order,
    in_period,
    items_said,
    orders_of,
    told_order,
)
from services.domains.commerce.asks.rows_own import day_of, evidence_ids_of, proofs_of
from services.plugin.asks.answering import Found, Outcome, answered
from services.plugin.asks.telling import day_said, exact_won, filled

_MANY = Said(
    "주문이 많아 최근 것만 더했습니다.",
    "There are many orders; only the newest were added up.",
)


def tell_spending(ask: Ask, found: Found) -> Outcome:
    """Return the sum of what was paid in a period, over how many orders, and what came back of it."""
    orders = in_period(orders_of(found), ask, found)
    pieces = proofs_of(found, ORDERS_TITLE, "order")
    paid = [order for order in orders if _figure(order, "paid_krw")]
    spent = sum((_figure(one, "paid_krw") - _figure(one, "refunded_krw") for one in paid), Decimal(0))
    back = sum((_figure(one, "refunded_krw") for one in paid), Decimal(0))
    days = _days(ask)
    if not paid:
        sentence = filled("{days}결제한 주문이 없습니다.", "You paid for no orders{days}.", days=days)
        return Outcome(answered(ask, sentence, evidence_ids=evidence_ids_of(pieces)), evidence=pieces)
    sentence = filled(
        "{days}쓴 돈은 {spent}입니다(결제한 주문 {n}건{back}).",
        "You spent {spent}{days} ({n} paid orders{back}).",
        days=days,
        spent=exact_won(spent),
        n=str(len(paid)),
        back=Said(f", 환불·취소 {exact_won(back).ko} 제외", f", {exact_won(back).en} given back taken off")
        if back
        else Said("", ""),
    )
    ids = evidence_ids_of(pieces)
    answer = answered(
        ask,
        sentence,
        evidence_ids=ids,
        told=tuple(map(told_order, paid)),
        grounds=tuple(Ground(_line(order, found), ids[:1]) for order in paid[:7]),
        cautions=(_MANY,) if any(one.truncated or len(one.rows) >= ROWS_MAX for one in found.readings) else (),
    )
    return Outcome(answer, evidence=pieces)


def _figure(order: Order, name: str) -> Decimal:
    return order[0].number(name) or Decimal(0)


def _days(ask: Ask) -> Said:
    if not ask.start_date:
        return Said("지금까지 ", " so far")
    first, last = day_said(ask.start_date), day_said(ask.end_date)
    return Said(f"{first.ko}~{last.ko}에 ", f" from {first.en} to {last.en}")


def _line(order: Order, found: Found) -> Said:
    day = day_of(order[0], "ordered_at", found)
    return filled(
        "{day} {id}: {items}, {paid}",
        "{day}, {id}: {items}, {paid}",
        day=day_said(day) if day else Said("", ""),
        id=order[0].text("order_id"),
        items=items_said(order),
        paid=exact_won(_figure(order, "paid_krw")),
    )
